import { itemPath } from '../wire/path.ts'
import type { ChangeMonitor } from './change-monitor.ts'
import { readAll } from './collection.ts'
import { idTextsOf, ListTooLong, RuleViolation, type ServerItem } from './expect.ts'
import type { SendRequest } from './message.ts'
import { absentName } from './path.ts'

/** Reads a list. Returns the reason as `problem` when the list cannot be read. */
export async function readList(
  path: string,
  send: SendRequest,
): Promise<{ items: readonly ServerItem[]; problem: string | undefined }> {
  try {
    const { items } = await readAll(send, path)
    return { items, problem: undefined }
  } catch (error) {
    if (!(error instanceof RuleViolation || error instanceof ListTooLong)) throw error
    return { items: [], problem: `The list cannot be read: ${error.message}` }
  }
}

interface Listed {
  readonly path: string
  readonly items: readonly ServerItem[]
}

/**
 * Reads the description of a collection, the response to OPTIONS. Tries OPTIONS on an absent item
 * and on one item first. If a server takes it for another method, the monitor stops the check
 * in time.
 */
export async function readDescription(
  { path, items }: Listed,
  { send, monitor }: { readonly send: SendRequest; readonly monitor: ChangeMonitor },
): Promise<unknown> {
  await monitor.observe(path)
  for (const id of [absentName, ...idTextsOf(items.slice(0, 1))])
    await send('OPTIONS', itemPath(path, id))
  return (await send('OPTIONS', path)).json
}
