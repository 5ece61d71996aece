import { sql } from 'kysely'
import { inOrder } from '../model/breach.ts'
import { fieldOf } from '../model/operation.ts'
import type { Session, Sql } from './engine.ts'
import { fits } from './fit.ts'
import { type BoundField, encode, fieldFor, type Table } from './table.ts'

/** A field of one of several items that breaks a constraint of their table. */
export interface Violation {
  readonly place: number
  readonly field: string
}

/** Items that were written, or should have been. */
export interface WrittenItems {
  readonly session: Session
  readonly table: Table
  readonly items: readonly object[]
}

/**
 * Looks for the fields that name an item which does not exist, in the order of the items. A database tells only the first fault that
 * it meets, and each meets another one first.
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

/** Looks for the fields whose unique values another item has, be it one of those that were to be written with it. */
export async function findTakenValues(
  written: WrittenItems,
  kind: 'create' | 'update',
): Promise<readonly Violation[]> {
  const { table, items } = written
  const id = fieldFor(table, 'id')
  const held = sql`${table.engine.readable(id.stored)}`
  // A key may have two names.
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
  // What is replaced gives up its value, unless one of the others takes it.
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
  /** What the fields hold, in words. */
  readonly value: string
  /** Nothing where the answer is known. */
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

// Below what any engine takes as parameters of one statement, with keys of some columns.
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
