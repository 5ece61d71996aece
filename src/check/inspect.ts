import { isRecord } from '../model/declared.ts'
import type { ChangeMonitor } from './change-monitor.ts'
import { type CheckedCollection, stringsIn } from './collection.ts'
import type { Connection } from './connection.ts'
import type { ServerItem } from './expect.ts'
import { type CheckWriteOptions, findWritable } from './find-writable.ts'
import type { SendRequest } from './message.ts'
import { findParent, pathBelow } from './parent.ts'
import { absentName, splitAtVersion } from './path.ts'
import { readDescription, readList } from './read.ts'
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
    sortable: await sortableOf({ description, path, items }, send),
    searchable: await searchableOf(description, path, send),
    readOnly: stringsIn(description, 'readOnly') ?? [],
    isBounded: isRecord(description) && description.bounded === true,
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
  const limits = isRecord(description) ? description.limits : undefined
  return isRecord(limits) && typeof limits.limit === 'number' ? limits.limit : 100
}

// Returns the last parameter of the path template.
function parentFieldIn(description: unknown): string | undefined {
  const path = isRecord(description) && typeof description.path === 'string' ? description.path : ''
  return /[:{](\w+)\}?\/[^/]+$/.exec(path)?.[1]
}

interface Described {
  readonly description: unknown
  readonly path: string
  readonly items: readonly ServerItem[]
}

// Takes the fields from the description, else from a rejection, else tries the fields of an item.
async function sortableOf(
  { description, path, items }: Described,
  send: SendRequest,
): Promise<readonly string[]> {
  const described = stringsIn(description, 'sortable')
  if (described !== undefined) return described
  const { status, json } = await send('GET', `${path}?sort=${absentName}`)
  const allowed = status === 400 ? stringsIn(json, 'allowed') : undefined
  if (allowed !== undefined) return allowed
  const accepted: string[] = []
  for (const [field, value] of Object.entries(items[0] ?? {})) {
    if (typeof value === 'object') continue
    const response = await send('GET', `${path}?sort=${encodeURIComponent(field)}`)
    if (response.status === 200) accepted.push(field)
  }
  return accepted
}

async function searchableOf(
  description: unknown,
  path: string,
  send: SendRequest,
): Promise<readonly string[] | undefined> {
  const described = stringsIn(description, 'searchable')
  if (described !== undefined) return described
  const { status } = await send('GET', `${path}?q=${absentName}`)
  return status === 200 ? undefined : []
}
