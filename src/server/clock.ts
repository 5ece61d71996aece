import { startClock } from '../model/awaitable.ts'
import type { Limits } from '../model/convention.ts'
import type { HttpRequest } from '../model/http.ts'

/** For how long the work on a request is waited for. It stands still while something that has its own time is waited for. */
export class Clock {
  readonly #limits: Limits
  readonly #request: HttpRequest
  #timer: ReturnType<typeof setTimeout> | undefined = undefined
  /** By `performance.now()`. It is moved as the work goes on, and the timer left alone: setting one costs as much as reading an item. */
  #deadline = Number.POSITIVE_INFINITY
  /** What happens when the deadline has passed. */
  #late: (() => void) | undefined = undefined
  /** What happens when the work has taken too long. */
  #expire: (() => void) | undefined = undefined
  #pauses = 0

  constructor(limits: Limits, request: HttpRequest) {
    this.#limits = limits
    this.#request = request
  }

  /** Begins to wait for the work. It stands still at first where something with a time of its own is waited for already. */
  start(expire: () => void): void {
    this.#expire = expire
    if (this.#pauses === 0) this.#goOn()
    this.#set()
  }

  /** Ends the waiting: the work is done, or given up. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#expire = undefined
  }

  /** Stands still; where there is a time for that, `late` is called when it has passed. */
  pause(milliseconds = Number.POSITIVE_INFINITY, late?: () => void): void {
    this.#pauses++
    this.#deadline = performance.now() + milliseconds
    this.#late = late
    if (this.#expire !== undefined && milliseconds < this.#limits.time) this.#set()
  }

  /** Goes on, once for each pause. */
  resume(): void {
    this.#pauses--
    if (this.#pauses === 0) this.#goOn()
  }

  // From here on, the work has as long as it may take.
  #goOn(): void {
    this.#deadline = performance.now() + this.#limits.time
    this.#late = this.#expire
  }

  // Early, where the deadline has been moved.
  #ring(): void {
    if (performance.now() >= this.#deadline) this.#late?.()
    if (this.#expire !== undefined) this.#set()
  }

  #set(): void {
    clearTimeout(this.#timer)
    const left = Math.min(this.#deadline - performance.now(), this.#limits.time)
    const ring = (): void => this.#ring()
    this.#timer = startClock(ring, Math.max(1, left), this.#request)
  }
}
