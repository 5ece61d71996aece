import type { HttpRequest } from '../../contract/resource/http.ts'
import { startClock } from '../../convention/awaitable.ts'
import type { Limits } from '../../convention/limits.ts'

/** The moment at which a result comes too late. It moves on while it stands still. */
export class Deadline {
  readonly #limits: Limits
  readonly #request: HttpRequest
  #timer: ReturnType<typeof setTimeout> | undefined = undefined
  /** By `performance.now()`. It moves and the timer stays: setting one costs as much as a read. */
  #moment = Number.POSITIVE_INFINITY
  /** Called once the moment has passed. */
  #late: (() => void) | undefined = undefined
  /** Called when the work takes too long. */
  #expire: (() => void) | undefined = undefined
  #pauses = 0

  constructor(limits: Limits, request: HttpRequest) {
    this.#limits = limits
    this.#request = request
  }

  /** Starts to wait for the work. It stands still at first where a pause has begun already. */
  start(expire: () => void): void {
    this.#expire = expire
    if (this.#pauses === 0) this.#goOn()
    this.#set()
  }

  /** Stops the waiting: the work is done, or the core gave it up. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#expire = undefined
  }

  /** Stands still. Calls `late` where the pause takes longer than `milliseconds`. */
  pause(milliseconds = Number.POSITIVE_INFINITY, late?: () => void): void {
    this.#pauses++
    this.#moment = performance.now() + milliseconds
    this.#late = late
    if (this.#expire !== undefined && milliseconds < this.#limits.time) this.#set()
  }

  /** Goes on, once for each pause. */
  resume(): void {
    this.#pauses--
    if (this.#pauses === 0) this.#goOn()
  }

  // From here on, the work has the whole time again.
  #goOn(): void {
    this.#moment = performance.now() + this.#limits.time
    this.#late = this.#expire
  }

  // Early, where the moment has moved.
  #ring(): void {
    if (performance.now() >= this.#moment) this.#late?.()
    if (this.#expire !== undefined) this.#set()
  }

  #set(): void {
    clearTimeout(this.#timer)
    const remaining = Math.min(this.#moment - performance.now(), this.#limits.time)
    this.#timer = startClock(() => this.#ring(), Math.max(1, remaining), this.#request)
  }
}
