import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { z } from 'zod'
import { declareTables } from '../../src/cli/ddl.ts'
import { foldCase } from '../../src/contract/values/order.ts'
import { callerOf, type Task } from './call.ts'
import { person } from './people.ts'
import { fill, type Store } from './stores.ts'

const readers = defineResource('readers', {
  schema: z.object({ id: z.string().max(40), name: z.string().max(80) }),
  sortable: ['name'],
  folded: ['name'],
  searchable: ['name'],
  filterable: ['name'],
})
const options = { table: 'readers', folded: { name: 'name_folded' } }
const sort = [
  { field: 'name', direction: 'asc', type: 'folded' },
  { field: 'id', direction: 'asc' },
] as const
const limit = 20

/** The tasks on a table of so many names, which sorts without case by a column of its own. */
export async function foldedTasks(store: Store, count: number): Promise<Task[]> {
  const { db, engine } = store
  const registry = defineRegistry(defineApi({ v1: { '/readers': readers } })).adapters({
    readers: kyselyAdapter(db, options),
  })
  await sql`drop table if exists readers`.execute(db)
  const statements = await declareTables(registry, engine)
  for (const statement of statements) await sql.raw(statement).execute(db)
  await fill(store, 'readers', rowsTo(count))
  const call = callerOf(db, readers, options)
  const page = db
    .withTables<{ readonly readers: Reader }>()
    .selectFrom('readers')
    .select(['id', 'name'])
    .orderBy('name_folded')
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
  const [position] = await page.where('name_folded', '>=', foldCase('lena M. Gal')).execute()
  if (position === undefined) throw new Error('No name follows the one of the bench.')
  const key = foldCase(position.name)
  const starts = { field: 'name', is: 'startsWith', values: ['uma q'], type: 'text' } as const
  return [
    {
      name: 'folded: 20 by name',
      nounful: () => call('list', { sort, limit }),
      kysely: () => page.execute(),
    },
    {
      name: 'folded: 20 after a name',
      nounful: () => call('list', { sort, limit, after: position }),
      kysely: () =>
        page
          .where('name_folded', '>=', key)
          .where(sql<boolean>`(name_folded > ${key} or name > ${position.name}
            or name = ${position.name} and id > ${position.id})`)
          .execute(),
    },
    {
      name: 'folded: startsWith',
      nounful: () => call('list', { sort, limit, where: [starts] }),
      kysely: () =>
        page.where(sql<boolean>`name_folded >= ${'UMA Q'} and name_folded < ${'UMA R'}`).execute(),
    },
  ]
}

interface Reader {
  readonly id: string
  readonly name: string
  readonly name_folded: string
}

function* rowsTo(count: number): Generator<Reader & Record<string, string>> {
  for (let number = 0; number < count; number++) {
    const { id, name } = person(number)
    yield { id, name, name_folded: foldCase(name) }
  }
}
