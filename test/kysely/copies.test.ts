import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import {
  type Dialect,
  DummyDriver,
  type Kysely,
  MssqlQueryCompiler,
  Kysely as Own,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import { createPool } from 'mysql2'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { plainDialect } from '../support/plain.ts'
import { databaseOf, type Engine, has, QuietClient } from '../support/stores.ts'

type Copy = typeof import('kysely')

const Note = z.object({ id: z.string(), text: z.string().optional(), tags: z.json().optional() })
const notes = defineResource('notes', { schema: Note, searchable: ['text'] })
const api = defineApi({ v1: { '/notes': notes } })

describe('a second copy of Kysely', () => {
  let home: string
  let copy: Copy
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'nounful-copy-'))
    const own = join(createRequire(import.meta.url).resolve('kysely'), '../..')
    cpSync(own, home, { recursive: true })
    copy = await import(/* @vite-ignore */ pathToFileURL(join(home, 'dist/index.js')).href)
  })
  afterAll(() => rmSync(home, { recursive: true }))

  const dialects: readonly (readonly [string, Engine, (url: string) => Dialect])[] = [
    ['its dialect of SQLite', 'sqlite', (url) => plainDialect(new DatabaseSync(url), copy)],
    ['sqliteDialect', 'sqlite', (url) => sqliteDialect(new DatabaseSync(url))],
    [
      'its dialect of PostgreSQL',
      'postgres',
      (url) =>
        new copy.PostgresDialect({
          pool: new pg.Pool({ connectionString: url, Client: QuietClient }),
        }),
    ],
    ['its dialect of MySQL', 'mariadb', (url) => new copy.MysqlDialect({ pool: createPool(url) })],
  ]

  test.each(dialects.filter(([, engine]) => has(engine)))(
    'stores through %s',
    async (_, engine, dialectOf) => {
      const database = await databaseOf(engine)
      const db: Kysely<unknown> = new copy.Kysely({ dialect: dialectOf(database.url) })
      expect(db).not.toBeInstanceOf(Own)
      const text = copy.sql.raw(engine === 'mariadb' ? 'varchar(20)' : 'text')
      await copy.sql`create table notes (id ${text} primary key, text ${text}, tags json)`.execute(
        db,
      )
      const registry = defineRegistry(api).adapters({
        notes: kyselyAdapter(db, { table: 'notes' }),
      })
      const ask = async (method: string, url: string, body?: object) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await handle(
          { method, url, headers, body: body && JSON.stringify(body) },
          registry,
        )
        return { status: answer.status, body: answer.body }
      }
      const note = { id: 'a', text: 'x', tags: [1] }
      expect(await ask('POST', '/v1/notes', note)).toEqual({ status: 201, body: note })
      expect(await ask('PUT', '/v1/notes', [note])).toEqual({ status: 200, body: [note] })
      expect(await ask('GET', '/v1/notes?q=x')).toEqual({ status: 200, body: [note] })
      await db.destroy()
      await database.drop()
    },
    60_000,
  )
})

const foreign: readonly (readonly [name: string, compiler: QueryCompiler])[] = [
  ['of SQL Server', new MssqlQueryCompiler()],
  ['that only writes as PostgreSQL does', new PostgresQueryCompiler()],
]

test.each(foreign)('refuses a dialect %s', (_, compiler) => {
  class ForeignAdapter extends SqliteAdapter {}
  const dialect: Dialect = {
    createAdapter: () => new ForeignAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => compiler,
  }
  expect(() => kyselyAdapter(new Own<unknown>({ dialect }), { table: 'notes' })).toThrow(
    'The kyselyAdapter does not know the SQL of ForeignAdapter',
  )
})
