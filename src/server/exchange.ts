import type { Answered } from '../model/answered.ts'
import { type Awaitable, isPending, within } from '../model/awaitable.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { Clock } from './clock.ts'
import { isObserved, tell } from './observe.ts'
import type { RequestedOperation } from './operation.ts'
import { type About, report } from './refuse.ts'
import { createGuardedController } from './signal.ts'

/** What becomes of something that is waited for: an answer is made of it, and something delivered of that. */
interface Endings<Given, Made> {
  make(given: Given): Awaitable<HttpResponse>
  failed(error: unknown): HttpResponse
  late(problem: ProblemError): HttpResponse
  /** Of an answer that comes late. */
  drop(response: HttpResponse): void
  deliver(response: HttpResponse): Awaitable<Made>
}

const whole = { isWhole: true } as const

/** A request on its way to its answer: what is known of it, and for how long others are waited for. */
export class Exchange implements About {
  readonly request: HttpRequest
  readonly registry: Registry
  /** When it began, by `performance.now()`; `undefined` where nobody wants to know. */
  readonly begun: number | undefined
  operation: RequestedOperation | undefined = undefined
  /** Time was over before the answer came: the client has had another. */
  isOver = false
  #clock: Clock | undefined = undefined
  #controller: AbortController | undefined = undefined
  #release: (() => void) | undefined = undefined
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

  get #waiting(): Clock {
    this.#clock ??= new Clock(this.registry.limits, this.request)
    return this.#clock
  }

  /** Waits for what an answer is made of, for as long as that may take. What comes later is dropped. */
  inTime<Given, Made>(
    given: PromiseLike<Given>,
    { make, failed, late, drop, deliver }: Endings<Given, Made>,
  ): Promise<Made> {
    return new Promise((resolve) => {
      const clock = this.#waiting
      clock.start(() => {
        clock.stop()
        resolve(deliver(late(this.#giveUp())))
        this.isOver = true
      })
      const end = (response: HttpResponse): void => {
        if (this.isOver) drop(response)
        else {
          clock.stop()
          resolve(deliver(response))
        }
      }
      const fail = (error: unknown): void => end(failed(error))
      // A foreign promise may break off right here.
      Promise.resolve(given).then((arrived) => {
        try {
          const response = make(arrived)
          if (isPending(response)) response.then(end).then(undefined, fail)
          else end(response)
        } catch (error) {
          fail(error)
        }
      }, fail)
    })
  }

  /** Waits for what a client sends for as long as that may take to arrive, then goes on at once. */
  arrival<Arrived, Next>(
    coming: Awaitable<Arrived>,
    next: (arrived: Arrived) => Awaitable<Next>,
  ): Awaitable<Next> {
    if (!isPending(coming)) return next(coming)
    return new Promise((resolve, reject) => {
      const clock = this.#waiting
      const { arrival } = this.registry.limits
      let isOver = false
      // What arrives later is lost.
      const once = (goOn: () => void): void => {
        if (isOver) return
        isOver = true
        clock.resume()
        try {
          goOn()
        } catch (error) {
          reject(error)
        }
      }
      clock.pause(arrival, () =>
        once(() =>
          reject(problem('request_timeout', `The body did not arrive within ${arrival} ms`)),
        ),
      )
      Promise.resolve(coming).then(
        (arrived) => once(() => resolve(next(arrived))),
        (error) => once(() => reject(error)),
      )
    })
  }

  /** Waits for what has a clock of its own, while this one stands still. */
  elsewhere<Value>(value: Awaitable<Value>): Awaitable<Value> {
    if (!isPending(value)) return value
    const clock = this.#waiting
    clock.pause()
    return Promise.resolve(value).finally(() => clock.resume())
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
    { isWhole }: Pick<Answered, 'isWhole'> = whole,
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
