/** Does something as long as somebody wants it: an abort ends that at once, with the signal's reason, whether the work heeds it or not. */
export function whileWanted<Value>(
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
