import { sql } from 'kysely'
import type { Position, Query, Scalar } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { sortValueOf } from '../../contract/values/order.ts'
import type { Row } from '../engine/engine.ts'
import { type BoundField, bytesOfLiteral, encode } from '../fields.ts'
import { fieldFor, isUniqueIn, orderedFields, type StorageTask } from '../table.ts'
import { isAmbiguous, joinsOf, keyOfJoins, preparing } from './related.ts'
import { Parameter, prepare, run, type StatementValues } from './statement.ts'
import { columnsIn, exists, keyOfScope, orderBy, readerIn, where } from './where.ts'

/** A page behind a cursor. */
interface PageStart {
  /** The values for the statement of the page. */
  readonly values: StatementValues
  /** The items of the page, where they are read already. */
  readonly items?: readonly Item[] | undefined
}

/** Reads a page with the row at its cursor; `undefined` where one statement does not do so. */
type ReadFromRow = (
  task: StorageTask,
  values: StatementValues,
) => Promise<readonly Item[] | undefined>

/**
 * Finds the place of a cursor in an order, where the values of the cursor leave it open:
 *
 * - A fold: another program may have written another one than that of the text, and the row stands
 *   where that one is. If the rows from the cursor on begin with its own row, it stands there.
 * - A value of SQLite: a column holds values of any type, and several leave as one text. A keyset
 *   of the wrong type would repeat or miss rows.
 *
 * If the row is gone, the values of the cursor have to do.
 */
export async function startAtCursor(
  task: StorageTask,
  values: StatementValues,
  readFromRow: ReadFromRow,
): Promise<PageStart> {
  const { after, sort, isCut } = values.query
  if (after === undefined || isCut === true) return { values }
  const { table } = task
  const fields = orderedFields(table, sort).map(({ field }) => field)
  const isFolded = fields.some(({ foldOf }) => foldOf !== undefined)
  const isLoose = fields.some(
    (field) => field.foldOf === undefined && isAmbiguous(field, after[field.name] ?? null),
  )
  if (!isFolded && !isLoose) return { values }
  const isSingle = !isLoose && isUniqueIn(table, values.scope)
  const items = isSingle ? await readFromRow(task, values) : undefined
  const [first, ...rest] = items ?? []
  if (first !== undefined && isAt(first, values.query, after)) return { values, items: rest }
  const position = await storedPosition(task, values, fields)
  if (position !== undefined) return { values: { ...values, position } }
  return { values, items: items?.slice(0, values.query.limit) }
}

function isAt(item: Item, { sort }: Query, after: Position): boolean {
  return sort.every(
    (sortField) => sortValueOf(item, sortField) === (after[sortField.field] ?? null),
  )
}

// Reads the stored sort values of the row at the cursor.
async function storedPosition(
  task: StorageTask,
  values: StatementValues,
  fields: readonly BoundField[],
): Promise<StatementValues['position']> {
  const { table } = task
  const { query, scope } = values
  const { sort, after = {} } = query
  const order = sort.map(({ field, direction, type }) => `${direction} ${type} ${field}`)
  const key = `at ${keyOfScope(scope)} ${order}${keyOfJoins(table, query)}`
  const statement = prepare(preparing(task, query), key, () => {
    const id = fieldFor(table, 'id')
    const ids = sql.join(formsOf(id, task).map((form) => sql`${form}`))
    const stored = fields.map(
      ({ stored }, at) => sql`${table.engine.ordered(stored)} as ${sql.id(aliasOf(at))}`,
    )
    const isSought = where([sql`${sql.id(id.column)} in (${ids})`, ...exists(task, scope)])
    return sql`select ${columnsIn(table, sort)}, ${sql.join(stored)}
      from ${table.name} ${joinsOf(table, query)} ${isSought}
      order by ${orderBy(table, sort)}`
  })
  const { rows } = await run(task, statement, values)
  // Two ids may leave as one text. The pages then get on after the last.
  const read = readerIn(table, sort)
  const row = rows.findLast((row) => isAt(read(row), query, after))
  return row === undefined ? undefined : positionIn(row, fields)
}

// No field has this alias.
function aliasOf(at: number): string {
  return `(${at})`
}

function positionIn(row: Row, fields: readonly BoundField[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name }, at) => [name, row[aliasOf(at)] ?? null]))
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
  const integer = BigInt(`${value}`)
  return integer < greatest && integer >= -greatest ? integer : null
}
