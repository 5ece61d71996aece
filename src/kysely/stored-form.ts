import type { StoredForm } from '../contract/resource/adapter.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import { isMoment } from '../convention/format.ts'
import { execute } from './run/execute.ts'
import { toMicroseconds } from './sql/bound.ts'
import { isMomentAsText } from './sql/filter.ts'
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

type TextForm = (text: string) => string | undefined

function makeForm({ engine, fields }: Table): StoredForm | undefined {
  const forms = new Map<string, TextForm>()
  for (const field of fields) {
    const { name, stored } = field
    if (stored.family === 'digits' && stored.scale !== undefined) {
      forms.set(name, (text) => engine.digits(stored, text))
    }
    if (isMomentAsText(field)) forms.set(name, inUtc)
  }
  if (forms.size === 0) return undefined
  return (field, value) =>
    typeof value === 'string' ? (forms.get(field)?.(value) ?? value) : value
}

function inUtc(text: string): string | undefined {
  return isMoment(text) ? toMicroseconds(text)?.replace(/000Z$/, 'Z') : undefined
}
