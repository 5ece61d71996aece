import { itemPath } from '../../wire/path.ts'
import type { ChangeMonitor } from './change-monitor.ts'
import {
  type CheckedCollection,
  fixedIn,
  readDescription,
  readList,
  stringsIn,
} from './collection.ts'
import { memberOf, NotApplicable } from './expect.ts'
import { pathBelow } from './parent.ts'
import { openWritable, type WritableCollection } from './writable.ts'
import type { WriteGuard } from './write-guard.ts'

/** Options of a check that writes. */
export interface CheckWriteOptions {
  /** Drafts by the name of their collection. */
  readonly samples: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Allows the check to delete every item of the collections. */
  readonly isEmptied: boolean
}

type ReadCollection = Omit<CheckedCollection, 'writable'>

interface WriteContext {
  readonly guard: WriteGuard
  readonly monitor: ChangeMonitor
  readonly writing: CheckWriteOptions
}

/** Finds the collection that the rules write to. */
export async function findWritable(
  collection: ReadCollection,
  { guard, monitor, writing }: WriteContext,
): Promise<WritableCollection> {
  const { path, items, readOnly, parent, fixed } = collection
  const sample = writing.samples[collection.name]
  const omitted = [...readOnly, ...(parent?.field === undefined ? [] : [parent.field])]
  const openAt = (at: string, isOwn: boolean): WritableCollection =>
    openWritable({ guard, path: at, isOwn, sample, items, omitted, fixed })
  const below = await findBelowOwnParent(collection, { guard, monitor, writing }, openAt)
  if (writing.isEmptied) guard.allow(path)
  if (below?.isOwn) guard.allow(below.path)
  return openAt(below?.path ?? path, below?.isOwn || writing.isEmptied)
}

// A new parent owns no item of another client, if the server separates parents. The check makes
// sure of that: it tries to delete a new item through another new parent.
async function findBelowOwnParent(
  collection: ReadCollection,
  { guard, monitor, writing }: WriteContext,
  openAt: (path: string, isOwn: boolean) => WritableCollection,
): Promise<{ path: string; isOwn: boolean } | undefined> {
  const { send, parent, name } = collection
  if (parent === undefined) return undefined
  const { path, rest } = parent
  const { items, problem } = await readList(path, send)
  if (problem !== undefined) return undefined
  const description = await readDescription({ path, items }, { send, monitor })
  const sample = writing.samples[name.slice(0, name.length - rest.length).replace(/\/[^/]+$/, '')]
  const omitted = stringsIn(description, 'readOnly') ?? []
  const fixed = fixedIn(description)
  const parents = openWritable({ guard, path, isOwn: false, sample, items, omitted, fixed })
  try {
    const created = [await parents.create(), await parents.create()]
    const paths = created.map(({ id }) => pathBelow({ path, id: String(id), rest }))
    for (const below of paths) {
      const list = await readList(below, send)
      if (list.problem !== undefined || list.items.length > 0) return undefined
    }
    const [own = '', other = ''] = paths
    // A server that lists its operations defines DELETE on a collection.
    const { json } = await send('OPTIONS', own)
    if (!Array.isArray(memberOf(json, 'operations'))) return { path: own, isOwn: false }
    const { id } = await openAt(own, false).create()
    const { status } = await send('DELETE', itemPath(other, id))
    return { path: own, isOwn: status >= 400 }
  } catch (error) {
    if (error instanceof NotApplicable) return undefined
    throw error
  }
}
