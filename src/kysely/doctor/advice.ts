import { sql } from 'kysely'
import type { Collection } from '../../contract/resource/api.ts'
import { isIdOf, neverIds } from '../../contract/resource/id.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import { maxIdLength } from '../../convention/limits.ts'
import { type Examination, type Mismatch, mismatchesOf } from '../../convention/mismatch.ts'
import type { Row, Session } from '../engine/engine.ts'
import { openTable } from '../open.ts'
import { where } from '../sql/where.ts'
import { fieldFor, notDeleted, type Store, type Table } from '../table.ts'
import {
  collationsOf,
  limitsOf,
  missingIndexes,
  nullabilitiesOf,
  otherMoments,
  staleFolds,
  telltalesOf,
} from './column-advice.ts'
import { type Advice, advised, createFixWriter, mismatchWith, withoutHindered } from './fix.ts'
import { checkTable } from './ready.ts'

/** Returns what works with a limit. Reads the catalogue, and no row. */
export async function adviseOn(store: Store, resource: Resource): Promise<readonly Mismatch[]> {
  const table = await openTable(store, resource)
  const fixWriter = await fixWriterFor(store, table)
  return findingsOf(limitsOf(table, fixWriter), store, resource)
}

/**
 * Examines a table: its mismatches, indexes, collations, nullability, stored dates, and ids that no
 * path can hold. No statement that it returns fails for the rows of the table.
 */
export async function examineTable(
  store: Store,
  resource: Resource,
  mounts: readonly Collection[],
): Promise<Examination> {
  const table = store.writeTo ?? store.table
  const { database } = store
  try {
    await checkTable(store, resource, mounts)
  } catch (error) {
    const mismatches = await runnable(mismatchesOf(error, resource.name), store)
    return { table, mismatches, advice: [] }
  }
  const opened = await openTable(store, resource)
  const advice = [
    ...(opened.described.isTable ? await adviceOn(opened, store, mounts) : []),
    ...(await oddIds(opened, database)),
  ]
  return { table, advice: await runnable(findingsOf(advice, store, resource), store) }
}

async function adviceOn(
  table: Table,
  store: Store,
  mounts: readonly Collection[],
): Promise<readonly Advice[]> {
  const fixWriter = await fixWriterFor(store, table)
  const home = { fixWriter, mounts }
  return [
    ...limitsOf(table, fixWriter),
    ...collationsOf(table, fixWriter),
    ...missingIndexes(table, home),
    ...nullabilitiesOf(table, store, home),
    ...telltalesOf(table, fixWriter),
    ...(await otherMoments(table, store)),
    ...(await staleFolds(table, store, fixWriter)),
  ]
}

function fixWriterFor(store: Store, { resource, described }: Table) {
  return createFixWriter(store, { table: store.writeTo ?? store.table, resource, described })
}

function findingsOf(
  advice: readonly Advice[],
  store: Store,
  { name: resource }: Resource,
): readonly Mismatch[] {
  const about = { resource, table: store.writeTo ?? store.table }
  return advice.map(({ fix, ...finding }) => mismatchWith({ ...about, ...finding }, fix))
}

async function runnable(
  findings: readonly Mismatch[],
  { database }: Store,
): Promise<readonly Mismatch[]> {
  const all: Mismatch[] = []
  for (const finding of findings) all.push(await withoutHindered(database, finding))
  return all
}

const maxListedIds = 5
const pageRows = 10_000
const mostParts = 10

/** Tells of rows that are no items since their id is NULL, and of ids that no path can hold. */
async function oddIds(table: Table, database: Session): Promise<readonly Advice[]> {
  return [...(await withoutId(table, database)), ...(await unreachable(table, database))]
}

async function withoutId(table: Table, database: Session): Promise<readonly Advice[]> {
  const { column, stored } = fieldFor(table, 'id')
  if (!stored.isNullable) return []
  const all = where([sql`${sql.id(column)} is null`, ...notDeleted(table)])
  const statement = sql<Row>`select count(*) as count from ${table.name} ${all}`
  const { rows } = await statement.execute(database)
  const count = Number(rows[0]?.count)
  if (count === 0) return []
  const subject = count === 1 ? '1 row has' : `${count} rows have`
  return [advised('id', `${subject} no id in "${column}", so no list shows them.`)]
}

async function unreachable(table: Table, database: Session): Promise<readonly Advice[]> {
  const texts = await oddTexts(table, database)
  // A schema of ids decides on others too.
  const { ids: schemaIds, isWhole } =
    table.resource.id === undefined ? { ids: [], isWhole: true } : await oddOfAll(table, database)
  const ids = [...new Set([...texts, ...schemaIds])]
  if (ids.length === 0) return []
  const listed = ids.slice(0, maxListedIds).map(written)
  const more = ids.length > maxListedIds ? ', and more' : ''
  const among = isWhole ? '' : ` Among the first ${pageRows * mostParts} rows only.`
  return [
    advised('id', `No path reaches items with these ids: ${listed.join(', ')}${more}.${among}`),
  ]
}

interface OddIds {
  readonly ids: readonly string[]
  readonly isWhole: boolean
}

const longest = 40

function written(id: string): string {
  const letters = [...id]
  const text = letters.length > longest ? `${letters.slice(0, longest).join('')}…` : id
  const size = letters.length > longest ? ` (${letters.length} characters)` : ''
  return JSON.stringify(text) + size
}

async function oddTexts(table: Table, database: Session): Promise<readonly string[]> {
  const { stored, column } = fieldFor(table, 'id')
  if (!['text', 'any'].includes(stored.kind)) return []
  const value = sql.id(column)
  const never = sql.join(neverIds.map((id) => sql.lit(id)))
  const isOdd = sql`(${table.engine.exact(stored)} in (${never})
    or ${table.engine.isOddText(value, maxIdLength)})`
  const statement = sql<Row>`select ${table.engine.readable(stored)} as id from ${table.name}
    ${where([isOdd, ...notDeleted(table)])} order by ${value} limit ${sql.lit(maxListedIds + 1)}`
  const { rows } = await statement.execute(database)
  return rows.map(({ id }) => String(id))
}

// Reads the ids in parts, and no more than so many.
async function oddOfAll(table: Table, database: Session): Promise<OddIds> {
  const { stored, decode } = fieldFor(table, 'id')
  const { engine, resource } = table
  const value = sql.id(stored.name)
  const all = where([sql`${value} is not null`, ...notDeleted(table)])
  const ids: string[] = []
  for (let at = 0; at < mostParts && ids.length <= maxListedIds; at++) {
    const statement = sql<Row>`select ${engine.readable(stored)} as id from ${table.name} ${all}
      order by ${value} limit ${sql.lit(pageRows)} offset ${sql.lit(at * pageRows)}`
    const { rows } = await statement.execute(database)
    for (const { id: storedId } of rows) {
      const id = decode === undefined ? storedId : decode(storedId)
      if (!isIdOf(id, resource)) ids.push(String(storedId))
    }
    if (rows.length < pageRows) return { ids, isWhole: true }
  }
  return { ids, isWhole: ids.length > maxListedIds }
}
