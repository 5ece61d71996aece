import { sql } from 'kysely'
import type { Scalar } from '../contract/resource/operation.ts'
import { scalarOf } from '../contract/values/order.ts'
import { bytesOfLiteral, encode, itemFrom } from './codec.ts'
import { orderBy, where } from './condition.ts'
import type { Row } from './engine.ts'
import { exists, keyOfScope } from './scope.ts'
import { Parameter, prepare, run, type StatementValues } from './statement.ts'
import { type BoundField, fieldFor, type StorageTask } from './table.ts'

/**
 * Adds the stored sort values of the row at the cursor, if its values do not tell them: a column of
 * SQLite holds values of any type, and several leave as one text. A keyset of the wrong type would
 * repeat or miss rows. If the row is gone, the values of the cursor have to do.
 */
export async function placedAt(
  task: StorageTask,
  values: StatementValues,
): Promise<StatementValues> {
  const { table } = task
  const { after, sort, isCut } = values.query
  const fields = sort.map(({ field }) => fieldFor(table, field))
  if (after === undefined || isCut === true) return values
  if (!fields.some((field) => isAmbiguous(field, after[field.name] ?? null))) return values
  const names = fields.map(({ name }) => name)
  const order = sort.map(({ field, direction }) => `${direction} ${field}`)
  const statement = prepare(task, `at ${keyOfScope(values.scope)} ${order}`, () => {
    const id = fieldFor(table, 'id')
    const ids = sql.join(formsOf(id, task).map((form) => sql`${form}`))
    const stored = fields.map(
      ({ stored }, at) => sql`${table.engine.ordered(stored)} as ${sql.id(aliasOf(at))}`,
    )
    const isSought = where([sql`${sql.id(id.column)} in (${ids})`, ...exists(task, values.scope)])
    return sql`select ${table.selection}, ${sql.join(stored)} from ${table.name} ${isSought}
      order by ${orderBy(table, sort)}`
  })
  const { rows } = await run(task, statement, values)
  // Two ids may leave as one text. The pages then get on after the last.
  const row = rows.findLast((row) => {
    const item = itemFrom(table, row)
    return names.every((name) => scalarOf(item, name) === (after[name] ?? null))
  })
  return row === undefined ? values : { ...values, position: positionIn(row, names) }
}

// No field has this alias.
function aliasOf(at: number): string {
  return `(${at})`
}

function positionIn(row: Row, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map((name, at) => [name, row[aliasOf(at)] ?? null]))
}

// A number of a number field and a text of a text column are stored as such.
function isAmbiguous({ type, stored }: BoundField, value: Scalar): boolean {
  if (stored.isLoose !== true || stored.family === 'digits') return false
  if (type === 'json') return true
  if (typeof value !== 'string') return false
  if (type !== 'text' || bytesOfLiteral(value) !== undefined) return true
  const isPlain = stored.family === 'text' && stored.isNumeric !== true
  return !isPlain && !Number.isNaN(Number(value))
}

const greatest = 2n ** 63n

// All stored values that leave as the id of the cursor.
function formsOf(id: BoundField, { table }: StorageTask): readonly Parameter[] {
  const forms: readonly ((id: Scalar) => unknown)[] = [
    (value) => encode(id, value, table.engine),
    (value) => `${value}`,
    (value) => (Number.isNaN(Number(value)) ? null : Number(value)),
    wholeOf,
    (value) => bytesOfLiteral(value) ?? null,
  ]
  return forms.map((form) => new Parameter(({ query }) => form(query.after?.id ?? null)))
}

function wholeOf(value: Scalar): bigint | null {
  if (!/^-?\d{1,19}$/.test(`${value}`)) return null
  const whole = BigInt(`${value}`)
  return whole < greatest && whole >= -greatest ? whole : null
}
