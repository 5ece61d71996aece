import { quote } from '../../convention/problem.ts'
import { fieldOf, isRecord, isSame } from '../../convention/value.ts'
import {
  type CheckRequest,
  type CheckResponse,
  idTextOf,
  RequestError,
  type SendRequest,
  toCheckRequest,
  writeMethods,
} from './message.ts'
import { Exhausted } from './usage-error.ts'

/** A safe request changed data, so the check has to stop. */
export class UnsafeChange extends RequestError {}

/** Makes sure that safe requests change nothing. */
export interface ChangeMonitor {
  /**
   * Sends a request. Compares the collection after every request, plain GETs and writes aside.
   * Rejects with {@link UnsafeChange}.
   */
  readonly send: SendRequest
  /** Sets the collection to compare. */
  readonly observe: (path: string) => Promise<void>
  /**
   * Compares the collection after the GETs so far. Rejects with {@link UnsafeChange}, and with
   * {@link Exhausted} if the server allows no more requests.
   */
  readonly compare: () => Promise<void>
}

/** Creates a monitor around `send`. */
export function monitorChanges(send: SendRequest): ChangeMonitor {
  let observed: string | undefined
  let before: Snapshot | undefined
  let suspects: CheckRequest[] = []
  const compare = async (): Promise<void> => {
    const [request] = suspects
    if (observed === undefined || before === undefined || request === undefined) return
    const requests = suspects.map(({ method, path }) => `${method} ${path}`).join(', ')
    suspects = []
    const change = changeSince(before, await readAgain(observed, send))
    if (change === undefined) return
    const message = `${change} ${observed} after ${requests}. The check stops here.`
    throw new UnsafeChange(request, message)
  }
  const monitored: SendRequest = async (method, path, parts = {}) => {
    const isWrite = writeMethods.has(method)
    const isRisky = !isWrite && (method !== 'GET' || parts.body !== undefined)
    if (isWrite) before = undefined
    if (isRisky && observed !== undefined) before ??= await takeSnapshot(observed, send)
    if (isRisky) await compare()
    if (before !== undefined) suspects.push(toCheckRequest(method, path, parts))
    try {
      return await send(method, path, parts)
    } finally {
      // A server may change data and send no response.
      if (isRisky) await compare()
    }
  }
  const observe = async (path: string): Promise<void> => {
    if (path !== observed) before = undefined
    observed = path
    suspects = []
    before ??= await takeSnapshot(path, send)
  }
  return { send: monitored, observe, compare }
}

// A server that answers 429 has lost nothing. Without the list the check cannot go on safely.
async function readAgain(path: string, send: SendRequest): Promise<CheckResponse> {
  const response = await send('GET', path)
  if (response.status === 429)
    throw new Exhausted(`GET ${path} gives 429: the server allows no more requests.`)
  return response
}

/** The state of a collection. */
interface Snapshot {
  readonly items: ReadonlyMap<string, unknown>
  /** Fields that change by themselves. */
  readonly volatile: ReadonlySet<string>
  /** No item appears or disappears by itself. */
  readonly isStable: boolean
}

// Reads the list twice, to find what changes by itself; `undefined` for a list it cannot read.
async function takeSnapshot(path: string, send: SendRequest): Promise<Snapshot | undefined> {
  const [before, after] = [itemsOf(await send('GET', path)), itemsOf(await send('GET', path))]
  if (before === undefined || after === undefined) return undefined
  const items = new Map([...before].filter(([key]) => after.has(key)))
  const volatile = new Set<string>()
  for (const [key, item] of items)
    for (const field of changedFields(item, after.get(key))) volatile.add(field)
  return { items, volatile, isStable: items.size === before.size && items.size === after.size }
}

// By id, or by index for an item without one.
function itemsOf({ status, json }: CheckResponse): ReadonlyMap<string, unknown> | undefined {
  if (status !== 200 || !Array.isArray(json)) return undefined
  return new Map(json.map((item: unknown, index) => [idTextOf(item) ?? `#${index}`, item]))
}

function changedFields(before: unknown, after: unknown): readonly string[] {
  if (!isRecord(before) || !isRecord(after)) return []
  const fields = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...fields].filter((field) => !isSame(fieldOf(before, field), fieldOf(after, field)))
}

// Returns the first change, as the beginning of a sentence.
function changeSince(
  { items, volatile, isStable }: Snapshot,
  response: CheckResponse,
): string | undefined {
  const now = itemsOf(response)
  if (now === undefined) return `The list cannot be read (${response.status}) at`
  for (const [key, item] of items) {
    if (!now.has(key)) return `The item ${quote(key)} is gone from`
    const changed = changedFields(item, now.get(key)).find((field) => !volatile.has(field))
    if (changed !== undefined)
      return `The field ${quote(changed)} of the item ${quote(key)} has changed in`
  }
  const added = [...now.keys()].find((key) => !items.has(key))
  return isStable && added !== undefined ? `The item ${quote(added)} has been added to` : undefined
}
