import type { Adapter, StoredForm } from '../contract/resource/adapter.ts'
import type { Operation, Scalar } from '../contract/resource/operation.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import { isMoment } from '../convention/format.ts'
import { scaleOf } from './engine/engine.ts'
import { isCanonical, mayStand } from './fields.ts'
import { openTable } from './open.ts'
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
    if (stored.kind === 'digits' && scaleOf(stored) !== undefined) {
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
  if (field === undefined || !mayStand(field, value, table.engine)) return false
  // Each id has one spelling, by which the adapter finds it.
  return name !== 'id' || isCanonical(field.stored, `${value}`, table.engine)
}
