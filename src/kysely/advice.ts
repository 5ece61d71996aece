import type { Collection } from '../contract/resource/api.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { type Examination, type Misfit, misfitsOf } from '../convention/misfit.ts'
import { collationsOf, nullabilitiesOf, otherMoments } from './column-advice.ts'
import { missingIndexes, telltalesOf } from './index-advice.ts'
import { type Advice, limitsOf } from './limits.ts'
import { menderOf } from './mend.ts'
import { misfitWith, withoutHindered } from './obstacle.ts'
import { oddIds } from './odd-ids.ts'
import { openTable } from './open.ts'
import { checkTable } from './ready.ts'
import type { Store, Table } from './table.ts'

/** Returns what works with a limit. Reads the catalogue, and no row. */
export async function adviseOn(store: Store, resource: Resource): Promise<readonly Misfit[]> {
  const table = await openTable(store, resource)
  const mender = await menderFor(store, table)
  return findingsOf(limitsOf(table, mender), store, resource)
}

/**
 * Examines a table: its misfits, indexes, collations, nullability, stored dates, and ids that no
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
    const misfits = await runnable(misfitsOf(error, resource.name), store)
    return { table, misfits, advice: [] }
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
  const mender = await menderFor(store, table)
  const home = { mender, mounts }
  return [
    ...limitsOf(table, mender),
    ...collationsOf(table, mender),
    ...missingIndexes(table, home),
    ...nullabilitiesOf(table, store, home),
    ...telltalesOf(table, mender),
    ...(await otherMoments(table, store)),
  ]
}

function menderFor(store: Store, { resource, described }: Table) {
  return menderOf(store, { table: store.writeTo ?? store.table, resource, described })
}

function findingsOf(
  advice: readonly Advice[],
  store: Store,
  { name: resource }: Resource,
): readonly Misfit[] {
  const about = { resource, table: store.writeTo ?? store.table }
  return advice.map(({ mend, ...finding }) => misfitWith({ ...about, ...finding }, mend))
}

async function runnable(
  findings: readonly Misfit[],
  { database }: Store,
): Promise<readonly Misfit[]> {
  const all: Misfit[] = []
  for (const finding of findings) all.push(await withoutHindered(database, finding))
  return all
}
