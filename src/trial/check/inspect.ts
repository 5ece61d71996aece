import type { ChangeMonitor } from './change-monitor.ts'
import {
  type CheckedCollection,
  fixedIn,
  readDescription,
  readList,
  stringsIn,
} from './collection.ts'
import type { Connection } from './connection.ts'
import { memberOf, type ServerItem } from './expect.ts'
import { type CheckWriteOptions, findWritable } from './find-writable.ts'
import type { SendRequest } from './message.ts'
import { offersIn } from './offers.ts'
import { findParent, pathBelow } from './parent.ts'
import { absentName, splitAtVersion } from './path.ts'
import type { WriteGuard } from './write-guard.ts'

interface InspectContext {
  readonly connection: Connection
  readonly guard: WriteGuard
  readonly monitor: ChangeMonitor
  /** `undefined`: the check only reads. */
  readonly writing: CheckWriteOptions | undefined
}

/** Reads the properties of a collection. With `writing`, finds where the rules may write. */
export async function inspectCollection(
  name: string,
  { connection, guard, monitor, writing }: InspectContext,
): Promise<CheckedCollection> {
  const { send } = guard
  const start = connection.log.length
  const parent = await findParent(name, send)
  const path = parent === undefined ? name : pathBelow(parent)
  const { items, problem } = await readList(path, send)
  const description = await readDescription({ path, items }, { send, monitor })
  const collection = {
    name,
    path,
    pathParts: splitAtVersion(path),
    send,
    log: () => connection.log.slice(start),
    items,
    listProblem: problem,
    sortable: stringsIn(description, 'sortable') ?? (await trySorting(path, items, send)),
    searchable: stringsIn(description, 'searchable') ?? (await trySearching(path, send)),
    readOnly: stringsIn(description, 'readOnly') ?? [],
    keep: stringsIn(description, 'keep') ?? [],
    fixed: fixedIn(description),
    offers: offersIn(description),
    isBounded: memberOf(description, 'bounded') === true,
    maxLimit: maxLimitIn(description),
    parent: parent && { ...parent, field: parent.field ?? parentFieldIn(description) },
  }
  const writable =
    writing && problem === undefined
      ? await findWritable(collection, { guard, monitor, writing })
      : undefined
  await monitor.observe(path)
  return { ...collection, writable }
}

// Most servers without a description accept a limit of 100.
function maxLimitIn(description: unknown): number {
  const limit = memberOf(memberOf(description, 'limits'), 'limit')
  return typeof limit === 'number' ? limit : 100
}

// Returns the last parameter of the path template.
function parentFieldIn(description: unknown): string | undefined {
  return /[:{](\w+)\}?\/[^/]+$/.exec(`${memberOf(description, 'path')}`)?.[1]
}

// Takes the fields from a rejection, else tries the fields of an item.
async function trySorting(
  path: string,
  [item]: readonly ServerItem[],
  send: SendRequest,
): Promise<readonly string[]> {
  const { status, json } = await send('GET', `${path}?sort=${absentName}`)
  const allowed = status === 400 ? stringsIn(json, 'allowed') : undefined
  if (allowed !== undefined) return allowed
  const accepted: string[] = []
  for (const [field, value] of Object.entries(item ?? {})) {
    if (typeof value === 'object') continue
    const response = await send('GET', `${path}?sort=${encodeURIComponent(field)}`)
    if (response.status === 200) accepted.push(field)
  }
  return accepted
}

// Returns no fields when the server takes no `q`; `undefined` when it does not name the fields.
async function trySearching(path: string, send: SendRequest): Promise<[] | undefined> {
  const { status } = await send('GET', `${path}?q=${absentName}`)
  return status === 200 ? undefined : []
}
