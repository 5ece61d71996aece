import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import {
  type Api,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  everything,
  narrow,
} from 'nounful'
import { checksFor, specimens } from 'nounful/conformance'
import { kyselyAdapter, snakeCase, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api as companies } from '../../examples/companies/contract.ts'
import { api as tenants } from '../../examples/tenants/contract.ts'
import { api as tracker } from '../../examples/tracker/tracker.ts'
import { declareTables } from '../../src/cli/ddl.ts'
import { examineStorage, formatCheckups } from '../../src/cli/doctor.ts'
import { databaseOf, engines, has, type TestDatabase } from '../support/stores.ts'

const Kind = z.object({
  id: z.int(),
  select: z.enum(['a', 'b']),
  'Order of "words" `x`': z.string().nullable(),
  where: z.iso.date(),
  price: z.string().regex(/^\d+\.\d\d$/),
  weight: z.number().optional(),
  table: z.array(z.string()),
  picture: z.base64().optional(),
  is_open: z.boolean(),
  changed_at: z.iso.datetime(),
  made_at: z.iso.datetime(),
  revision: z.int(),
})
const kinds = defineResource('orders', {
  schema: Kind,
  id: z.coerce.number().pipe(z.int()),
  create: Kind.omit({ id: true, made_at: true, revision: true }),
  readOnly: ['made_at'],
  sortable: ['select', 'where', 'weight', 'changed_at'],
  searchable: ['Order of "words" `x`'],
  filterable: ['price', 'is_open'],
  revision: 'revision',
})
// Each names the other, and itself.
const Node = z.object({
  id: z.uuid(),
  parent_id: z.string().optional(),
  edge_id: z.int().optional(),
})
const Edge = z.object({ id: z.int(), node_id: z.string(), order_id: z.int().optional() })
const nodes = defineResource('nodes', {
  schema: Node,
  references: { parent_id: 'nodes', edge_id: 'edges' },
})
const edges = defineResource('edges', {
  schema: Edge,
  id: z.coerce.number().pipe(z.int()),
  create: Edge.omit({ id: true }),
  references: { order_id: 'orders' },
})
const odd = defineApi({
  v1: { '/orders': kinds, '/nodes': nodes, '/edges': edges, '/nodes/:node_id/edges': edges },
})

const contracts: Readonly<Record<string, Api>> = { companies, tenants, tracker, odd }

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements)
    await sql
      .raw(statement)
      .execute(db)
      .catch((error: unknown) => {
        throw new Error(`${statement}\n${error}`)
      })
}

function registryOf(api: Api, db: Kysely<unknown>) {
  const adapters = [...api.stored].map(([table, { folded }]) => {
    const folds = folded.map((field) => [field, `${field}_folded`])
    return [table, kyselyAdapter(db, { table, folded: Object.fromEntries(folds) })]
  })
  const registry = defineRegistry(api, { defaultVersion: 'v1' } as never)
  const scoped =
    api.ownerFields.length === 0 ? registry : registry.scope((() => everything) as never)
  return scoped.adapters(Object.fromEntries(adapters) as never)
}

describe.each(engines.filter(has))('%s', (engine) => {
  // MySQL in place of MariaDB, where its address is given.
  const dialect = engine === 'mariadb' && process.env.TEST_MYSQL_URL ? 'mysql' : engine

  test.each(Object.keys(contracts))('doctor has nothing to say of new tables: %s', async (name) => {
    const { db, drop } = await databaseOf<unknown>(engine)
    try {
      const { [name]: api = odd } = contracts
      await run(db, await declareTables(api, dialect))
      const registry = registryOf(api, db)
      await registry.ready()
      const checkups = await examineStorage(registry)
      const advice = checkups.flatMap(({ advice }) => advice.map(({ message }) => message))
      // The adapter of the tracker sets the author of a comment.
      const known = /^DELETE|"author_id"/
      expect(advice.filter((message) => !known.test(message))).toEqual([])
      expect(
        checkups.map(({ state }) => state),
        formatCheckups(checkups),
      ).not.toContain('mismatches')
    } finally {
      await drop()
    }
  })

  describe('a new table passes the checks of adapters', () => {
    let database: TestDatabase<unknown>
    beforeAll(async () => {
      database = await databaseOf(engine)
      const table = await declareTables(defineApi({ v1: { '/specimens': specimens } }), dialect)
      await run(database.db, table)
    }, 60_000)
    afterAll(() => database.drop())
    const gaps = { 'folded orders': 'the contract folds no field, so its table has no fold' }
    for (const check of checksFor(memoryAdapter(), gaps))
      test(check.name, () =>
        check.run(async () => {
          await sql`delete from specimens`.execute(database.db)
          return kyselyAdapter(database.db, { table: 'specimens' })
        }),
      )
  })
})

describe('ddl', () => {
  const Note = z.object({
    id: z.string(),
    bookId: z.uuid(),
    text: z.string().max(80),
    'a "b"': z.string(),
  })
  const notes = defineResource('notes', { schema: Note, sortable: ['text', 'a "b"'] })
  const books = defineResource('books', { schema: z.object({ id: z.uuid() }), id: z.uuid() })
  const api = defineApi({ v1: { '/books': books, '/books/:bookId/notes': notes } })
  const db = new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) })

  test('names tables and columns as the adapters do', async () => {
    const registry = defineRegistry(api).adapters({
      books: kyselyAdapter(db, { table: 'old.books' }),
      notes: kyselyAdapter(db, {
        table: 'my notes',
        naming: snakeCase,
        columns: { text: 'order' },
        softDelete: 'deleted_at',
      }),
    })
    expect(await declareTables(registry, 'mysql')).toEqual([
      'create schema if not exists `old`;',
      lines(
        'create table `old`.`books` (',
        `  \`id\` varchar(255)${exact} not null primary key`,
        ');',
      ),
      lines(
        'create table `my notes` (',
        `  \`id\` varchar(255)${exact} not null primary key,`,
        `  \`book_id\` varchar(255)${exact} not null,`,
        `  \`order\` varchar(255)${exact} not null,`,
        `  \`a "b"\` longtext${exact} not null,`,
        '  `deleted_at` datetime(6),',
        '  foreign key (`book_id`) references `old`.`books` (`id`)',
        ');',
      ),
      'create index `my notes_by_book_id_id` on `my notes` (`book_id`, `id`);',
      'create index `my notes_by_book_id_order_id` on `my notes` (`book_id`, `order`, `id`);',
      '-- No index holds "a "b"", a text of any length: its schema needs .max(255) for one.',
    ])
  })

  test('gives a reference the type of the id', async () => {
    const statements = await declareTables(api, 'postgres')
    expect(statements.join()).toContain('"bookId" text collate "C" not null')
  })

  test.each([
    ['views are yours to write', { table: 'seen', writeTo: 'books' }, /^-- "books" reads the view/],
    ['a schema is named once', { table: 'a.books' }, /^create schema if not exists "a";$/],
  ])('%s', async (_, options, first) => {
    const registry = defineRegistry(api).adapters({
      books: kyselyAdapter(db, options),
      notes: kyselyAdapter(db, { table: 'a.notes' }),
    })
    const statements = await declareTables(registry, 'postgres')
    expect(statements.filter((statement) => first.test(statement))).toHaveLength(1)
  })

  test('tells which adapter has no table', async () => {
    const mixed = defineRegistry(api).adapters({
      books: memoryAdapter(),
      notes: kyselyAdapter(db, { table: 'notes' }),
    })
    expect((await declareTables(mixed, 'sqlite'))[0]).toBe(
      '-- The adapter of "books" has no table.',
    )
    const none = defineRegistry(api).adapters({ books: memoryAdapter(), notes: memoryAdapter() })
    await expect(declareTables(none, 'sqlite')).rejects.toThrow('No adapter of the registry keeps')
    await expect(declareTables(api, 'oracle')).rejects.toThrow('--dialect cannot be "oracle"')
  })

  test('sees a view and narrowed adapters through', async () => {
    const Seen = z.object({ id: z.uuid() })
    const seen = defineView('volumes', books, { schema: Seen, create: Seen, id: z.uuid() })
    const seenApi = defineApi({ v1: { '/volumes': seen } })
    const adapter = narrow(kyselyAdapter(db, { table: 'books' }), () => ({}))
    const registry = defineRegistry(seenApi).adapters({ books: adapter } as never)
    expect(await declareTables(registry, 'sqlite')).toHaveLength(1)
  })
})

const exact = ' character set utf8mb4 collate utf8mb4_0900_bin'

function lines(...all: readonly string[]): string {
  return all.join('\n')
}
