import type { StoredForm } from '../model/adapter.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { Operation } from '../model/operation.ts'
import { execute } from './execute.ts'
import type { Store, Table } from './table.ts'

const forms = new WeakMap<Table, StoredForm | undefined>()

/**
 * Returns the function that writes a text as its column of digits returns it. Returns `undefined`
 * if every column returns what it gets.
 */
export function storedFormOf(
  store: Store,
  operation: Operation,
): Awaitable<StoredForm | undefined> {
  const table = store.tables.get(operation.resource)
  return table ? formOf(table) : execute(store, operation, async (task) => formOf(task.table))
}

function formOf(table: Table): StoredForm | undefined {
  if (!forms.has(table)) forms.set(table, makeForm(table))
  return forms.get(table)
}

function makeForm({ engine, fields }: Table): StoredForm | undefined {
  const scaled = fields.filter(
    ({ stored }) => stored.family === 'digits' && stored.scale !== undefined,
  )
  if (scaled.length === 0) return undefined
  const columns = new Map(scaled.map(({ name, stored }) => [name, stored]))
  return (field, value) => {
    const column = columns.get(field)
    return column && typeof value === 'string' ? (engine.digits(column, value) ?? value) : value
  }
}
