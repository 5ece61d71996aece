import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { z } from 'zod'
import { declareTables } from '../../src/cli/ddl.ts'
import { foldCase } from '../../src/contract/values/order.ts'
import { callerOf, type Task, tasksOf } from './call.ts'
import { person } from './people.ts'
import { fill, maintain, type Store } from './stores.ts'

const readers = defineResource('readers', {
  schema: z.object({ id: z.string().max(40), name: z.string().max(80) }),
  ...{ sortable: ['name'], folded: ['name'], searchable: ['name'], filterable: ['name'] },
})
const options = { table: 'readers', folded: { name: 'name_folded' } }
const sort = [
  { field: 'name', direction: 'asc', type: 'folded' },
  { field: 'id', direction: 'asc' },
] as const
const limit = 20

type Reader = Readonly<Record<'id' | 'name' | 'name_folded', string>>

/** The tasks on a table of so many names, which sorts without case by a column of its own. */
export async function foldedTasks(store: Store, count: number): Promise<Task[]> {
  const { db, engine } = store
  const registry = defineRegistry(defineApi({ v1: { '/readers': readers } })).adapters({
    readers: kyselyAdapter(db, options),
  })
  await sql`drop table if exists readers`.execute(db)
  const statements = await declareTables(registry, engine)
  for (const statement of statements) await sql.raw(statement).execute(db)
  await fill(store, 'readers', { count, rowAt: readerAt })
  await maintain(store, 'readers')
  const page = db
    .withTables<{ readonly readers: Reader }>()
    .selectFrom('readers')
    .select(['id', 'name'])
    .orderBy('name_folded')
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
  const [after] = await page.where('name_folded', '>=', foldCase('lena M. Gal')).execute()
  if (after === undefined) throw new Error('No name follows the one of the bench.')
  const key = foldCase(after.name)
  const following = () =>
    page
      .where('name_folded', '>=', key)
      .where(sql<boolean>`(name_folded > ${key} or name > ${after.name}
        or name = ${after.name} and id > ${after.id})`)
      .execute()
  const starts = { field: 'name', is: 'startsWith', values: ['uma q'], type: 'text' } as const
  const starting = () =>
    page.where(sql<boolean>`name_folded >= ${'UMA Q'} and name_folded < ${'UMA R'}`).execute()
  return tasksOf(callerOf(db, readers, options), [
    ['folded: 20 by name', 'list', { sort, limit }, () => page.execute()],
    ['folded: 20 after a name', 'list', { sort, limit, after }, following],
    ['folded: startsWith', 'list', { sort, limit, where: [starts] }, starting],
  ])
}

function readerAt(number: number): Reader {
  const { id, name } = person(number)
  return { id, name, name_folded: foldCase(name) }
}
