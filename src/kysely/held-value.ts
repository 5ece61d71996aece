import type { Adapter } from '../contract/resource/adapter.ts'
import type { Scalar } from '../contract/resource/operation.ts'
import { mayStand } from './fields.ts'
import { openTable } from './open.ts'
import type { Store, Table } from './table.ts'

/**
 * Returns the function that tells whether the column of a field may return a value, by its type.
 *
 * @param storeOf Returns the store of a context; `undefined` for none.
 */
export function heldIn(
  storeOf: (context: unknown) => Store | undefined,
): NonNullable<Adapter['holdsValue']> {
  return (field, value, { resource, context }) => {
    const store = storeOf(context)
    if (store === undefined) return false
    const table = store.tables.get(resource)
    if (table !== undefined) return isHeldBy(table, field, value)
    return openTable(store, resource).then(
      (opened) => isHeldBy(opened, field, value),
      // The list fails too, and says why.
      () => true,
    )
  }
}

function isHeldBy(table: Table, name: string, value: Scalar): boolean {
  const field = table.field.get(name)
  return field !== undefined && mayStand(field, value, table.engine)
}
