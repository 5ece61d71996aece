import { sql } from 'kysely'
import {
  type AdapterShape,
  defineApi,
  defineRegistry,
  defineResource,
  type Operation,
  type UncheckedAdapter,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { z } from 'zod'
import { declareTables } from '../../src/cli/ddl.ts'
import { noQuery } from '../../src/contract/resource/operation.ts'
import { foldCase } from '../../src/contract/values/order.ts'
import { person } from './people.ts'
import { fill, type Store } from './stores.ts'
import type { Task } from './tasks.ts'

const readers = defineResource('readers', {
  schema: z.object({ id: z.string().max(40), name: z.string().max(80) }),
  sortable: ['name'],
  folded: ['name'],
  searchable: ['name'],
  filterable: ['name'],
})
const options = { table: 'readers', folded: { name: 'name_folded' } }
const order = [
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
  const list = callerOf(store)
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
      nounful: () => list({}),
      kysely: () => page.execute(),
    },
    {
      name: 'folded: 20 after a name',
      nounful: () => list({ after: position }),
      kysely: () =>
        page
          .where('name_folded', '>=', key)
          .where(sql<boolean>`(name_folded > ${key} or name > ${position.name}
            or name = ${position.name} and id > ${position.id})`)
          .execute(),
    },
    {
      name: 'folded: startsWith',
      nounful: () => list({ where: [starts] }),
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

interface ReaderShape extends AdapterShape {
  readonly item: Omit<Reader, 'name_folded'>
}

// Calls the adapter as the core does.
function callerOf({ db }: Store) {
  const { list }: UncheckedAdapter = kyselyAdapter<ReaderShape>(db, options)
  const { signal } = new AbortController()
  return (query: Partial<Operation['query']>): unknown => {
    const operation: Operation = {
      ...{ kind: 'list', resource: readers, version: 'v1', path: '/readers', scope: {} },
      ...{ parents: [], ids: undefined, id: undefined, item: undefined, items: undefined },
      ...{ isDryRun: false, isDeprecated: false, ifRevision: undefined, maxAffected: undefined },
      ...{ signal, query: { ...noQuery, sort: order, limit, ...query } },
    }
    return list?.(operation, undefined)
  }
}

function* rowsTo(count: number): Generator<Reader & Record<string, string>> {
  for (let number = 0; number < count; number++) {
    const { id, name } = person(number)
    yield { id, name, name_folded: foldCase(name) }
  }
}
