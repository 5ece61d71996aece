import { sql } from 'kysely'
import { inOrder } from '../contract/values/write.ts'
import { fieldOf } from '../convention/value.ts'
import { encode, inStoredForm } from './codec.ts'
import { notDeleted } from './deletion.ts'
import type { Row, Session, Sql } from './engine.ts'
import { fits } from './fit.ts'
import { fieldFor, type Table, type Violation, type WrittenItem } from './table.ts'

/** The items of a successful or failed write. */
interface WrittenItems {
  readonly session: Session
  readonly table: Table
  readonly items: readonly WrittenItem[]
}

/**
 * Returns the fields that reference a missing item, in the order of items. A database reports only
 * the first issue that it finds, and each finds another one first.
 */
export async function findBrokenReferences(written: WrittenItems): Promise<readonly Violation[]> {
  const { references } = written.table.described
  const lookUps = references.flatMap(({ columns, table, keys }) =>
    lookUpsFor(written, { columns, keys, table: sql.id(...table), found: sql`1` }),
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
  const lookUps = holderLookUps(written, table.engine.readable(id.stored))
  const holders = await resultsOf(written, lookUps)
  const replaced = kind === 'create' ? [] : items
  const byId = new Map(replaced.map((written) => [fieldOf(written.item, 'id'), written]))
  // A replaced item gives up its value, unless it keeps it or another written item takes it.
  const isGivenUp = (holder: unknown, fields: readonly Violation[]): boolean => {
    const written = byId.get(holder)
    return written !== undefined && changesSome(written, fields)
  }
  const holderAt = (at: number): unknown =>
    holders[at] === null ? undefined : (id.decode?.(holders[at]) ?? holders[at])
  const isOwn = ({ item }: LookUp, at: number): boolean =>
    kind === 'update' && holderAt(at) === fieldOf(item, 'id')
  const kept = new Set(lookUps.filter(isOwn).map(({ value }) => value))
  const taken = new Set<string>()
  return violationsOf(
    lookUps.filter((lookUp, at) => {
      const { value, violations } = lookUp
      if (isOwn(lookUp, at)) return false
      const holder = holderAt(at)
      const isFree = holder === undefined || isGivenUp(holder, violations)
      const isTaken = !isFree || kept.has(value) || taken.has(value)
      taken.add(value)
      return isTaken
    }),
  )
}

// One key may have two names. A key of some rows is about those that are not deleted.
function holderLookUps(written: WrittenItems, found: Sql): readonly LookUp[] {
  const { table } = written
  const { described, deletion } = table
  const holder = { table: table.base?.name ?? table.name, found }
  const keys = new Map([...described.keys.values()].map((key) => [key.join(), key]))
  const partial = deletion === undefined ? [] : described.partialKeys
  const rest = notDeleted(table)
  return [
    ...[...keys.values()].flatMap((key) =>
      lookUpsFor(written, { ...holder, columns: key, keys: key }),
    ),
    ...partial.flatMap((key) => lookUpsFor(written, { ...holder, columns: key, keys: key, rest })),
  ]
}

function changesSome({ changed }: WrittenItem, fields: readonly Violation[]): boolean {
  return changed === undefined || fields.some(({ field }) => changed.includes(field))
}

interface Sought {
  /** The columns of the items. */
  readonly columns: readonly string[]
  /** The columns of the other table with the same values. */
  readonly keys: readonly string[]
  readonly table: Sql
  /** The result where they are the same. */
  readonly found: Sql
  /** Further conditions of the other table. Default: none. */
  readonly rest?: readonly Sql[]
}

interface LookUp {
  readonly item: object
  readonly violations: readonly Violation[]
  /** The values of the fields, as text. */
  readonly value: string
  /** The statement of the look-up: `null` if the result is known. */
  readonly statement: Sql
}

function lookUpsFor(
  { table, items }: WrittenItems,
  { columns, keys, table: other, found, rest = [] }: Sought,
): readonly LookUp[] {
  const { engine } = table
  const fields = columns.flatMap((name) => table.fields.find(({ column }) => column === name) ?? [])
  if (fields.length < columns.length) return []
  return items.flatMap((written): LookUp[] => {
    const { item, place } = written
    const violations = fields.map(({ name }) => ({ place, field: name }))
    if (!changesSome(written, violations)) return []
    const values = fields.map((field) => inStoredForm(field, fieldOf(item, field.name)))
    if (values.some((value) => value === undefined || value === null)) return []
    const isFit = fields.every((field, at) => fits(field, values[at], engine))
    const isSame = fields.map((field, at) => {
      const value = engine.writable(field.stored, sql`${encode(field, values[at], engine)}`)
      return sql`${sql.id(keys[at] ?? '')} = ${value}`
    })
    const all = sql.join([...isSame, ...rest], sql` and `)
    const lookUp = sql`(select ${found} from ${other} where ${all} limit 1)`
    return [
      {
        item,
        violations,
        value: JSON.stringify([columns, values]),
        statement: isFit ? lookUp : sql`null`,
      },
    ]
  })
}

// Less than every engine's limit of parameters in a statement, with keys of some columns.
const lookUpsAtOnce = 25

async function resultsOf(
  { session }: WrittenItems,
  lookUps: readonly LookUp[],
): Promise<readonly unknown[]> {
  const results: unknown[] = []
  for (let start = 0; start < lookUps.length; start += lookUpsAtOnce) {
    const some = lookUps.slice(start, start + lookUpsAtOnce)
    const columns = some.map(({ statement }, at) => sql`${statement} as ${sql.id(`result ${at}`)}`)
    const { rows } = await sql<Row>`select ${sql.join(columns)}`.execute(session)
    results.push(...some.map((_, at) => rows[0]?.[`result ${at}`] ?? null))
  }
  return results
}

function violationsOf(lookUps: readonly LookUp[]): readonly Violation[] {
  return inOrder(lookUps.flatMap(({ violations }) => violations))
}
