import type { Collection } from '../contract/resource/api.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { type Examination, type Mismatch, mismatchesOf } from '../convention/mismatch.ts'
import { collationsOf, nullabilitiesOf, otherMoments } from './column-advice.ts'
import { createFixWriter } from './fix.ts'
import { missingIndexes, telltalesOf } from './index-advice.ts'
import { type Advice, limitsOf } from './limits.ts'
import { mismatchWith, withoutHindered } from './obstacle.ts'
import { oddIds } from './odd-ids.ts'
import { openTable } from './open.ts'
import { checkTable } from './ready.ts'
import type { Store, Table } from './table.ts'

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
