import type { Answered } from '../model/answered.ts'
import { type Awaitable, isPending, startClock, within } from '../model/awaitable.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { isObserved, tell } from './observe.ts'
import type { RequestedOperation } from './operation.ts'
import { type About, report } from './refuse.ts'
import { createGuardedController } from './signal.ts'
import type { Draft } from './validate.ts'

/** What becomes of an answer that is waited for. */
interface Endings {
  make(answer: HttpResponse): HttpResponse
  late(problem: ProblemError): HttpResponse
  drop(answer: HttpResponse): void
}

/** A request on its way to its answer: what is known of it, and for how long others are waited for. */
export class Exchange implements About {
  readonly request: HttpRequest
  readonly registry: Registry
  /** When it began, by `performance.now()`; `undefined` where nobody wants to know. */
  readonly begun: number | undefined
  operation: RequestedOperation | undefined = undefined
  /** The body, validated; `undefined` until it is. */
  drafts: readonly Draft[] | undefined = undefined
  /** Time was over before the answer came: the client has had another. */
  isOver = false
  #controller: AbortController | undefined = undefined
  #release: (() => void) | undefined = undefined
  #timer: ReturnType<typeof setTimeout> | undefined = undefined
  /** By `performance.now()`. It is moved as the work goes on, and the timer left alone: setting one costs as much as reading an item. */
  #deadline = Number.POSITIVE_INFINITY
  /** What happens when the deadline has passed. */
  #late: (() => void) | undefined = undefined
  // Functions are named before they are kept here: V8 takes one that is written right behind `=` for a method and puts it among what
  // lives long, where it keeps the whole request until everything is looked through. Memory grew to twice as much.
  #expire: (() => void) | undefined = undefined
  #pauses = 0
  #isTold = false

  constructor(request: HttpRequest, registry: Registry) {
    this.request = request
    this.registry = registry
    this.begun = isObserved(registry) ? performance.now() : undefined
  }

  /** Aborted when nobody waits for the answer any more: the client has gone, or time is over. Made when somebody asks. */
  get signal(): AbortSignal {
    this.#controller ??= this.#createController()
    return this.#controller.signal
  }

  /** Gives what is made of an answer that comes in time, else of the problem that it did not; what comes after that is closed. */
  inTime(answer: PromiseLike<HttpResponse>, { make, late, drop }: Endings): Promise<HttpResponse> {
    return new Promise((resolve, reject) => {
      const expire = (): void => {
        resolve(late(this.#giveUp()))
        this.isOver = true
      }
      this.#expire = expire
      if (this.#pauses === 0) this.#goOn()
      this.#startClock()
      const stop = (): void => {
        clearTimeout(this.#timer)
        this.#expire = undefined
      }
      // A foreign promise may break off right here.
      Promise.resolve(answer).then(
        (given) => {
          if (this.isOver) return drop(given)
          stop()
          try {
            resolve(make(given))
          } catch (error) {
            reject(error)
          }
        },
        (error) => {
          stop()
          reject(error)
        },
      )
    })
  }

  /** Waits for a body for as long as one may take to arrive. */
  arrival<Body>(body: Awaitable<Body>): Awaitable<Body> {
    if (!isPending(body)) return body
    return new Promise((resolve, reject) => {
      const { arrival } = this.registry.limits
      this.#pauses++
      this.#deadline = performance.now() + arrival
      const late = (): void => {
        resume()
        reject(problem('request_timeout', `The body did not arrive within ${arrival} ms`))
      }
      this.#late = late
      let isOver = false
      const resume = (): void => {
        if (!isOver) this.#resume()
        isOver = true
      }
      body.then(
        (arrived) => {
          resume()
          resolve(arrived)
        },
        (error) => {
          resume()
          reject(error)
        },
      )
    })
  }

  /** Waits for what has a clock of its own, while this one stands still. */
  elsewhere<Value>(value: Awaitable<Value>): Awaitable<Value> {
    if (!isPending(value)) return value
    this.#pauses++
    this.#deadline = Number.POSITIVE_INFINITY
    return Promise.resolve(value).finally(() => this.#resume())
  }

  /** Waits for a part of an answer that has begun for as long as one may take. */
  part<Part>(part: PromiseLike<Part>): Promise<Part> {
    return within(part, this.registry.limits.time, {
      isAttended: this.request.isAttended,
      late: () => {
        throw this.#giveUp()
      },
    })
  }

  /** Lets go of the request, whose answer is there, and tells observers; once. */
  end(
    answer: Pick<HttpResponse, 'status' | 'body' | 'problem'>,
    { isWhole }: Pick<Answered, 'isWhole'> = { isWhole: true },
  ): void {
    if (this.#isTold) return
    this.#isTold = true
    // The client's signal may live on for many others.
    this.#release?.()
    tell(this, answer, isWhole)
  }

  /** Lets go of a request whose client takes no more of the answer that has begun. */
  leave(answer: Pick<HttpResponse, 'status' | 'body'>): void {
    if (this.#isTold) return
    this.end(answer, { isWhole: false })
    this.#controller?.abort()
  }

  #resume(): void {
    this.#pauses--
    if (this.#pauses === 0) this.#goOn()
  }

  // From here on, the work has as long as it may take.
  #goOn(): void {
    this.#deadline = performance.now() + this.registry.limits.time
    this.#late = this.#expire
  }

  #startClock(): void {
    const { time } = this.registry.limits
    const left = Math.max(1, Math.min(this.#deadline - performance.now(), time))
    this.#timer = startClock(() => this.#ring(), left, this.request)
  }

  // Early, where the deadline has been moved.
  #ring(): void {
    if (performance.now() >= this.#deadline) this.#late?.()
    if (this.#expire !== undefined && !this.isOver) this.#startClock()
  }

  #giveUp(): ProblemError {
    const { time } = this.registry.limits
    const cause = new DOMException(`The answer took more than ${time} ms`, 'TimeoutError')
    this.#controller?.abort(cause)
    return problem('unavailable', cause.message, { cause })
  }

  #createController(): AbortController {
    const controller = createGuardedController((error) => report(error, this))
    const { signal } = this.request
    const follow = (): void => controller.abort(signal?.reason)
    if (signal?.aborted) follow()
    else signal?.addEventListener('abort', follow)
    const release = (): void => signal?.removeEventListener('abort', follow)
    this.#release = release
    return controller
  }
}
