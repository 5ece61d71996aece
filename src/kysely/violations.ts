import { sql } from 'kysely'
import { inOrder } from '../model/breach.ts'
import { fieldOf } from '../model/operation.ts'
import type { Session, Sql } from './engine.ts'
import { fits } from './fit.ts'
import { type BoundField, encode, fieldFor, type Table } from './table.ts'

/** A field of one of several items that breaks a constraint. `place` is the item's index. */
export interface Violation {
  readonly place: number
  readonly field: string
}

/** The items of a successful or failed write. */
export interface WrittenItems {
  readonly session: Session
  readonly table: Table
  readonly items: readonly object[]
}

/**
 * Returns the fields that reference a missing item, in the order of items. A database reports only
 * the first issue that it finds, and each finds another one first.
 */
export async function findBrokenReferences(written: WrittenItems): Promise<readonly Violation[]> {
  const { table } = written
  const lookUps = table.described.references.flatMap(({ columns, table: other, keys }) =>
    lookUpsFor(written, columns, (values) => {
      const isNamed = keys.map((key, at) => sql`${sql.id(key)} = ${values[at]}`)
      return sql`(select 1 from ${sql.id(...other)} where ${sql.join(isNamed, sql` and `)} limit 1)`
    }),
  )
  const found = await resultsOf(written, lookUps)
  return violationsOf(lookUps.filter((_, at) => found[at] === null))
}

/** Returns the fields whose unique values another item has, an item of the same write included. */
export async function findTakenValues(
  written: WrittenItems,
  kind: 'create' | 'update',
): Promise<readonly Violation[]> {
  const { table, items } = written
  const id = fieldFor(table, 'id')
  const held = sql`${table.engine.readable(id.stored)}`
  // One key may have two names.
  const keys = new Map(
    [...table.described.keys.values()].map((columns) => [columns.join(), columns]),
  )
  const lookUps = [...keys.values()].flatMap((columns) =>
    lookUpsFor(written, columns, (values) => {
      const isSame = columns.map((column, at) => sql`${sql.id(column)} = ${values[at]}`)
      return sql`(select ${held} from ${table.name} where ${sql.join(isSame, sql` and `)} limit 1)`
    }),
  )
  const holders = await resultsOf(written, lookUps)
  // A replaced item gives up its value, unless another written item takes it.
  const replaced = new Set(kind === 'create' ? [] : items.map((item) => fieldOf(item, 'id')))
  const taken = new Set<string>()
  return violationsOf(
    lookUps.filter(({ value }, at) => {
      const holder = holders[at] === null ? undefined : (id.decode?.(holders[at]) ?? holders[at])
      const isTaken = (holder !== undefined && !replaced.has(holder)) || taken.has(value)
      taken.add(value)
      return isTaken
    }),
  )
}

interface LookUp {
  readonly place: number
  readonly fields: readonly BoundField[]
  /** The values of the fields, as text. */
  readonly value: string
  /** The statement of the look-up: `null` if the result is known. */
  readonly statement: Sql
}

function lookUpsFor(
  { table, items }: WrittenItems,
  columns: readonly string[],
  ask: (values: readonly Sql[]) => Sql,
): readonly LookUp[] {
  const { engine } = table
  const fields = columns.flatMap((name) => table.fields.find(({ column }) => column === name) ?? [])
  if (fields.length < columns.length) return []
  return items.flatMap((item, place): LookUp[] => {
    const values = fields.map((field) => fieldOf(item, field.name))
    if (values.some((value) => value === undefined || value === null)) return []
    const areFit = fields.every((field, at) => fits(field, values[at], engine))
    const encoded = fields.map((field, at) =>
      engine.writable(field.stored, sql`${encode(field, values[at], engine)}`),
    )
    const value = JSON.stringify([columns, values])
    return [{ place, fields, value, statement: areFit ? ask(encoded) : sql`null` }]
  })
}

// Less than every engine's limit of parameters in a statement, with keys of some columns.
const lookUpsAtOnce = 25

async function resultsOf(
  { session }: WrittenItems,
  lookUps: readonly LookUp[],
): Promise<readonly unknown[]> {
  const answers: unknown[] = []
  for (let start = 0; start < lookUps.length; start += lookUpsAtOnce) {
    const some = lookUps.slice(start, start + lookUpsAtOnce)
    const asked = some.map((lookUp, at) => sql`${lookUp.statement} as ${sql.id(`answer ${at}`)}`)
    const { rows } = await sql<Record<string, unknown>>`select ${sql.join(asked)}`.execute(session)
    answers.push(...some.map((_, at) => rows[0]?.[`answer ${at}`] ?? null))
  }
  return answers
}

function violationsOf(lookUps: readonly LookUp[]): readonly Violation[] {
  const violations = lookUps.flatMap(({ place, fields }) =>
    fields.map(({ name }): Violation => ({ place, field: name })),
  )
  return inOrder(violations)
}
