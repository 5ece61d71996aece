/**
 * Runs a task until a signal aborts. An abort rejects at once with the signal's reason, even when
 * the task ignores the signal.
 */
export function untilAborted<Value>(
  signal: AbortSignal | undefined,
  start: () => Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = (): void => reject(signal?.reason)
    signal?.addEventListener('abort', stop)
    start()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', stop))
  })
}
