import type {
  AdapterShape,
  DeleteAllOperation,
  DeleteManyOperation,
  DeleteOperation,
  Judge,
} from '../contract/resource/operation.ts'
import { checkRevision } from '../contract/values/write.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { tooManyAffected } from '../convention/problem.ts'
import { findInScope, readPage, select } from './read.ts'
import { groupIn } from './store.ts'
import { dropItems, type MemoryTable } from './table.ts'

/** Deletes an item and returns it; `null` for none. */
export function deleteOne<S extends AdapterShape>(
  table: MemoryTable<S['item']>,
  operation: DeleteOperation<S>,
  judge?: Judge<S['item']>,
): S['item'] | null {
  const stored = findInScope(table.store, operation)
  if (!stored) return null
  checkRevision(stored, operation.ifRevision, operation.resource)
  judge?.([stored])
  dropItems(table, [stored])
  return stored
}

/** Deletes the items of a scope, and returns their number. */
export function deleteInScope<S extends AdapterShape>(
  table: MemoryTable<S['item']>,
  { scope, maxAffected }: DeleteAllOperation<S>,
  judge?: Judge<S['item']>,
): Awaitable<number> {
  return whenReady(groupIn(table.store, scope), ({ items }) => {
    const stored = [...items.values()]
    judge?.(stored)
    return dropItems(table, stored, maxAffected)
  })
}

/**
 * Deletes the items that an operation selects, and returns their number. Looks for them in turns,
 * and deletes those that still match at the end.
 */
export function deleteMatching<S extends AdapterShape>(
  table: MemoryTable<S['item']>,
  operation: DeleteManyOperation<S>,
  judge?: Judge<S['item']>,
): Awaitable<number> {
  const { query, maxAffected } = operation
  const limit = maxAffected + 1
  return whenReady(readPage(table.store, { ...operation, query: { ...query, limit } }), (found) => {
    const stored = found.flatMap(({ id }) => table.store.items.get(id) ?? [])
    const selected = select(stored, operation)
    judge?.(selected)
    if (found.length > maxAffected) throw tooManyAffected(maxAffected)
    return dropItems(table, selected)
  })
}
