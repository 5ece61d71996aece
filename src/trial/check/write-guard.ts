import { cleanUp } from './clean-up.ts'
import type { Connection } from './connection.ts'
import { skip } from './expect.ts'
import { NoResponse, type SendRequest, writeMethods } from './message.ts'
import { barePath, endsWithReservedWord, isAtOrBelow, isUnambiguous } from './path.ts'
import { isOnlyShown, record, recordStrays, type SeenItems } from './seen-items.ts'

/** Protects the items of other clients, and remembers the items that the check created. */
export interface WriteGuard {
  /**
   * Sends a request, and remembers the item it creates. Rejects with `NotApplicable`, and sends
   * nothing, when a write could reach an item that the check did not create.
   */
  readonly send: SendRequest
  /** Tells whether the check created the item at a path. */
  readonly isCreated: (path: string) => boolean
  /** Allows every write at and below a path. */
  readonly allow: (path: string) => void
  /** Removes the created items. Returns the paths that may still hold one. */
  readonly cleanUp: () => Promise<readonly string[]>
}

interface GuardRecords extends SeenItems {
  readonly allowed: Set<string>
}

/** Creates a guard around `send`. */
export function guardWrites({
  origin,
  send,
  sendAlways,
}: Pick<Connection, 'origin' | 'send' | 'sendAlways'>): WriteGuard {
  const records: GuardRecords = {
    origin,
    created: new Map(),
    deleted: new Set(),
    lost: new Set(),
    foreign: new Map(),
    collections: new Set(),
    allowed: new Set(),
  }
  const guarded: SendRequest = async (method, path, parts) => {
    if (writeMethods.has(method)) await checkWrite(records, method, path, send)
    const response = await send(method, path, parts).catch((error) => {
      if (error instanceof NoResponse && method === 'POST')
        records.lost.add(`${barePath(path)}, an item without a response`)
      throw error
    })
    if (!(await isOnlyShown(records, response, send))) record(records, response)
    await recordStrays(records, response, send)
    return response
  }
  return {
    send: guarded,
    isCreated: (path) => records.created.has(path),
    allow: (path) => void records.allowed.add(path),
    cleanUp: () => cleanUp(records, sendAlways),
  }
}

// A write may reach an item that the check created, an allowed path, and a path without item.
async function checkWrite(
  { created, allowed }: GuardRecords,
  method: string,
  path: string,
  send: SendRequest,
): Promise<void> {
  const target = barePath(path)
  if (!isUnambiguous(target))
    skip(`${method} is not sent to ${target}: a server could take it for another path.`)
  if (method === 'POST' && !endsWithReservedWord(target)) return
  if (created.has(target) || [...allowed].some((own) => isAtOrBelow(target, own))) return
  const { status } = await send('GET', target)
  if (status !== 404)
    skip(`${method} could change an item at ${target} that the check did not create.`)
}
