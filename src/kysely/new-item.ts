import { v7 as uuidv7 } from 'uuid'
import { checkNewId } from '../model/complete.ts'
import { idFor } from '../model/id.ts'
import { fieldOf, type Operation } from '../model/operation.ts'
import type { Item } from '../model/resource.ts'
import type { StatementValues } from './statement.ts'
import type { Store } from './store.ts'
import { fieldFor, type Table } from './table.ts'

/** An item that replaces a stored item. */
export interface ItemReplacement {
  readonly values: StatementValues & { readonly item: object }
  /** Read-only fields to write nevertheless. */
  readonly own: readonly string[]
}

/** Adds the fields that the server sets to an item that replaces another. */
export function toReplacement(
  { make: { onUpdate = noFields } }: Store,
  { item = {}, ...values }: StatementValues,
  stored: Item,
): ItemReplacement {
  const own = onUpdate(item, stored)
  return { values: { ...values, item: { ...item, ...own } }, own: Object.keys(own) }
}

function noFields(): object {
  return {}
}

/**
 * Adds to a new item the revision, the fields of `onCreate`, and the id unless the database
 * generates it.
 *
 * @throws {TypeError} For an id that no path can name, and when no one generates ids.
 */
export function newItem(store: Store, { item = {}, resource }: Operation, table: Table): object {
  const { onCreate = noFields } = store.make
  const id = fieldOf(item, 'id') ?? nextId(store, table)
  const own = id === undefined ? {} : { id }
  const { revision } = resource
  const isCounted = revision !== undefined && fieldFor(table, revision).type === 'number'
  const counted = isCounted ? { [revision]: 1 } : {}
  const made = { ...item, ...own, ...counted, ...onCreate(item, item) }
  const isChosen = store.make.nextId === undefined || Object.hasOwn(item, 'id')
  const { id: last } = { id: undefined, ...made }
  if (last !== undefined && !(isChosen && last === id)) checkNewId({ id: last }, resource)
  return made
}

function nextId({ make: { nextId } }: Store, table: Table): unknown {
  if (nextId !== undefined) return nextId()
  if (fieldFor(table, 'id').stored.isGenerated) return undefined
  const id = idFor(table.resource, uuidv7())
  if (id !== undefined) return id
  throw new TypeError(
    `The ids of "${table.resource.name}" are no UUIDs, and the database does not generate them: ` +
      'give the column a default, or the kyselyAdapter a "nextId".',
  )
}
