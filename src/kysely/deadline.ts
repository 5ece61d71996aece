import { problem } from '../model/problem.ts'

/** A time by which something has to be done. */
export interface Deadline {
  /** Aborted at that time, or when nobody waits any more; its reason is a problem. */
  readonly signal: AbortSignal
  /** It is done: nothing is aborted any more. */
  stop(): void
}

/** Sets a deadline, which also ends when another signal is aborted. */
export function startDeadline(milliseconds: number, outer: AbortSignal): Deadline {
  const controller = new AbortController()
  const giveUp = (cause: unknown) => controller.abort(problem('unavailable', undefined, { cause }))
  const leave = () => giveUp(outer.reason)
  const timer = setTimeout(() => {
    giveUp(new Error(`The database gave no answer within ${milliseconds} ms.`))
  }, milliseconds)
  if (outer.aborted) leave()
  else outer.addEventListener('abort', leave, { once: true })
  return {
    signal: controller.signal,
    stop() {
      clearTimeout(timer)
      outer.removeEventListener('abort', leave)
    },
  }
}

/** Waits for something, but no longer than until a signal is aborted. */
export async function orAborted<Value>(
  value: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return value
  signal.throwIfAborted()
  let leave = (): void => undefined
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([value, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
