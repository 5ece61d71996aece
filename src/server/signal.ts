/**
 * Makes a controller whose listeners may throw: runtimes let that end the process, since nobody is there to catch it.
 *
 * @param failed Told of what a listener throws, or of what its promise is rejected with.
 */
export function createGuardedController(failed: (error: unknown) => void): AbortController {
  const controller = new AbortController()
  const { signal } = controller
  const guarded = new WeakMap<object, EventListener>()
  const guard = (listener: EventListenerOrEventListenerObject): EventListener => {
    const known = guarded.get(listener)
    if (known) return known
    const made = (event: Event): void => run(() => call(listener, event, signal), failed)
    guarded.set(listener, made)
    return made
  }
  const { addEventListener, removeEventListener } = signal
  let onAbort: EventListener | null = null
  Object.defineProperties(signal, {
    addEventListener: {
      value: (type: string, listener: EventListener | null, options?: AddEventListenerOptions) =>
        listener && addEventListener.call(signal, type, guard(listener), options),
    },
    removeEventListener: {
      value: (type: string, listener: EventListener | null, options?: EventListenerOptions) =>
        listener && removeEventListener.call(signal, type, guard(listener), options),
    },
    onabort: {
      get: () => onAbort,
      set: (listener: EventListener | null) => {
        if (onAbort) signal.removeEventListener('abort', onAbort)
        onAbort = typeof listener === 'function' ? listener : null
        if (onAbort) signal.addEventListener('abort', onAbort)
      },
    },
  })
  return controller
}

function call(
  listener: EventListenerOrEventListenerObject,
  event: Event,
  signal: AbortSignal,
): unknown {
  return typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event)
}

function run(listener: () => unknown, failed: (error: unknown) => void): void {
  try {
    Promise.resolve(listener()).catch(failed)
  } catch (error) {
    failed(error)
  }
}
