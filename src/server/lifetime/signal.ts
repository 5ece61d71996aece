/** Receives an error that a listener of the signal throws, or that its promise is rejected with. */
interface Owner {
  report(error: unknown): void
}

/** A signal whose listeners may throw. With a plain signal, that ends the process. */
export interface GuardedSignal extends AbortSignal {
  [owner]?: Owner
}

/** The member of a signal with its owner. A symbol, so that JSON and adapters do not see it. */
export const owner: unique symbol = Symbol('owner')

type Listener = EventListenerOrEventListenerObject
type Options = boolean | AddEventListenerOptions

const { addEventListener, removeEventListener } = EventTarget.prototype
const guards = new WeakMap<GuardedSignal, WeakMap<Listener, EventListener>>()

/**
 * The `addEventListener` of a guarded signal. It is one function for all signals: a function of its
 * own for each costs more than the rest of a read.
 */
export function addGuarded(
  this: GuardedSignal,
  type: string,
  listener: Listener | null,
  options?: Options,
) {
  if (listener) addEventListener.call(this, type, guardOf(listener, this), options)
}

/** The `removeEventListener` of a guarded signal. */
export function removeGuarded(
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
