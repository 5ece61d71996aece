import type { Answered, HttpRequest, HttpResponse } from '../../contract/resource/http.ts'
import type { Operation } from '../../contract/resource/operation.ts'
import type { Registry } from '../../contract/resource/registry.ts'
import { type Awaitable, isPending, startClock, within } from '../../convention/awaitable.ts'
import type { Limits } from '../../convention/limits.ts'
import { type ProblemError, problem } from '../../convention/problem.ts'
import { answerChannel, type Named, notifyObservers } from './observe.ts'
import { type About, report, requestIdFor } from './refuse.ts'

interface Endings<Value> {
  /** Makes the response of a result that arrived in time. */
  make(value: Value): Awaitable<HttpResponse>
  /** Makes the response of a failure, the deadline's among them. */
  failed(error: unknown): HttpResponse
  /** Receives the response before the client does. */
  done?(response: HttpResponse): void
  /** Gives up a response that arrived after the deadline. */
  drop(response: HttpResponse): void
}

/** A request until the end of its response: its deadline, its signal, its observers. */
export class Lifetime implements About {
  readonly request: HttpRequest
  readonly registry: Registry
  /** When it began, by `performance.now()`; `undefined` without an observer. */
  readonly begun: number | undefined
  operation: Operation | undefined = undefined
  /** The kind of the operation and its collection, which no adapter can change. */
  named: Named | undefined = undefined
  /** The deadline passed before the response: the client has had another. */
  isOver = false
  /** Aborted when the client has gone, or when the deadline has passed. */
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  #deadline: Deadline | undefined = undefined
  #release: (() => void) | undefined = undefined
  #isEnded = false
  #isArriving = false

  constructor(request: HttpRequest, registry: Registry) {
    this.request = request
    this.registry = registry
    const isObserved = registry.onAnswer !== undefined || answerChannel?.hasSubscribers === true
    this.begun = isObserved ? performance.now() : undefined
    const signal: GuardedSignal = this.#controller.signal
    signal[owner] = this
    signal.addEventListener = addGuarded
    signal.removeEventListener = removeGuarded
    this.signal = signal
  }

  /** The id that `onError` and observers get. */
  get requestId(): string {
    return requestIdFor(this.request, this.registry)
  }

  /** Tells `onError` of an error. */
  report(error: unknown): void {
    report(error, this)
  }

  /** Waits for a result until the deadline. Drops a result that arrives after it. */
  inTime<Value>(
    promise: PromiseLike<Value>,
    { make, failed, done, drop }: Endings<Value>,
  ): Promise<HttpResponse> {
    return new Promise((resolve) => {
      const deadline = this.#wait()
      const deliver = (response: HttpResponse): void => {
        done?.(response)
        resolve(response)
      }
      deadline.start(() => {
        deadline.stop()
        deliver(failed(this.#giveUp()))
        this.isOver = true
      })
      const end = (response: HttpResponse): void => {
        if (this.isOver) drop(response)
        else {
          deadline.stop()
          deliver(response)
        }
      }
      const fail = (error: unknown): void => end(failed(error))
      // A foreign promise may throw at once.
      Promise.resolve(promise).then((arrived) => {
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

  /**
   * Waits for a body, for at most `limits.arrival`, and goes on at once. The deadline stands still
   * meanwhile.
   *
   * @throws {ProblemError} `request_timeout`.
   */
  arrival<Arrived, Next>(
    coming: PromiseLike<Arrived>,
    next: (arrived: Arrived) => Awaitable<Next>,
  ): Promise<Next> {
    return new Promise((resolve, reject) => {
      const deadline = this.#wait()
      const { arrival } = this.registry.limits
      this.#isArriving = true
      const once = (settle: () => void): void => {
        if (!this.#isArriving) return
        this.#isArriving = false
        deadline.resume()
        try {
          settle()
        } catch (error) {
          reject(error)
        }
      }
      const late = (): void =>
        reject(problem('request_timeout', `The body did not arrive within ${arrival} ms.`))
      deadline.pause(arrival, () => once(late))
      Promise.resolve(coming).then(
        (arrived) => once(() => resolve(next(arrived))),
        (error) => once(() => reject(error)),
      )
    })
  }

  /** Waits for work that has a deadline of its own. This one stands still meanwhile. */
  elsewhere<Value>(value: Awaitable<Value>): Awaitable<Value> {
    if (!isPending(value)) return value
    const deadline = this.#wait()
    deadline.pause()
    return Promise.resolve(value).finally(() => deadline.resume())
  }

  /** Waits for the next part of a response that has begun, for at most `limits.time`. */
  waitForChunk<Chunk>(chunk: PromiseLike<Chunk>): Promise<Chunk> {
    return within(chunk, this.registry.limits.time, {
      isAttended: this.request.isAttended,
      late: () => {
        throw this.#giveUp()
      },
    })
  }

  /** Lets go of the request, whose response is complete, and tells observers; once. */
  end(
    response: Pick<HttpResponse, 'status' | 'body' | 'problem'>,
    { isWhole }: Pick<Answered, 'isWhole'> = complete,
  ): void {
    if (this.#isEnded) return
    this.#isEnded = true
    // The client's signal may serve other requests after this one.
    this.#release?.()
    if (this.begun !== undefined) notifyObservers(this, response, isWhole)
  }

  /** Lets go of a request whose client takes no more of the response. */
  leave(response: Pick<HttpResponse, 'status' | 'body'>): void {
    if (this.#isEnded) return
    this.end(response, { isWhole: false })
    this.#controller.abort()
  }

  /**
   * Follows the request's signal: once a step waits, and not for a body, whose own failure tells
   * that the client has gone. A signal that cannot be read counts as none.
   */
  follow(): void {
    if (this.#release !== undefined || this.#isEnded || this.#isArriving) return
    this.#release = () => undefined
    try {
      const { signal } = this.request
      if (!signal) return
      const abort = (): void => this.#controller.abort(signal.reason)
      if (signal.aborted) abort()
      else {
        signal.addEventListener('abort', abort)
        this.#release = () => signal.removeEventListener('abort', abort)
      }
    } catch {
      // The request goes on without a signal.
    }
  }

  /** Follows a signal that is aborted already, so that a synchronous adapter sees it. */
  followAborted(): void {
    try {
      if (this.request.signal?.aborted) this.follow()
    } catch {
      // The request goes on without a signal.
    }
  }

  #wait(): Deadline {
    this.#deadline ??= new Deadline(this.registry.limits, this.request)
    return this.#deadline
  }

  #giveUp(): ProblemError {
    const { time } = this.registry.limits
    const cause = new DOMException(`The response took more than ${time} ms`, 'TimeoutError')
    this.#controller.abort(cause)
    return problem('unavailable', cause.message, { cause })
  }
}

const complete = { isWhole: true } as const

/** The moment at which a result comes too late. It moves on while it stands still. */
class Deadline {
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

/** Receives an error that a listener of the signal throws, or that its promise is rejected with. */
interface Owner {
  report(error: unknown): void
}

/** A signal whose listeners may throw. With a plain signal, that ends the process. */
interface GuardedSignal extends AbortSignal {
  [owner]?: Owner
}

/** The member of a signal with its owner. A symbol, so that JSON and adapters do not see it. */
const owner: unique symbol = Symbol('owner')

type Listener = EventListenerOrEventListenerObject
type Options = boolean | AddEventListenerOptions

const { addEventListener, removeEventListener } = EventTarget.prototype
const guards = new WeakMap<GuardedSignal, WeakMap<Listener, EventListener>>()

/**
 * The `addEventListener` of a guarded signal. It is one function for all signals: a function of its
 * own for each costs more than the rest of a read.
 */
function addGuarded(
  this: GuardedSignal,
  type: string,
  listener: Listener | null,
  options?: Options,
) {
  if (listener) addEventListener.call(this, type, guardOf(listener, this), options)
}

/** The `removeEventListener` of a guarded signal. */
function removeGuarded(
  this: GuardedSignal,
  type: string,
  listener: Listener | null,
  options?: Options,
) {
  if (listener) removeEventListener.call(this, type, guardOf(listener, this), options)
}

function guardOf(listener: Listener, signal: GuardedSignal): EventListener {
  const signalGuards = guards.get(signal) ?? new WeakMap<Listener, EventListener>()
  guards.set(signal, signalGuards)
  const guard = signalGuards.get(listener) ?? ((event) => run(listener, event, signal))
  signalGuards.set(listener, guard)
  return guard
}

function run(listener: Listener, event: Event, signal: GuardedSignal): void {
  const failed = (error: unknown): void => signal[owner]?.report(error)
  try {
    const result: unknown =
      typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event)
    Promise.resolve(result).catch(failed)
  } catch (error) {
    failed(error)
  }
}
