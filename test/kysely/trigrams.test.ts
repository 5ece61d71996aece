import fc from 'fast-check'
import { type CompiledQuery, Kysely, type RawBuilder, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { matching, wordsOf } from '../../src/contract/values/search.ts'
import { databaseOf, dialectOf, has, type TestDatabase } from '../support/stores.ts'
import { text } from '../support/texts.ts'

const Book = z.object({ id: z.string(), title: z.string(), author: z.string() })
const books = defineResource('books', {
  schema: Book,
  sortable: ['title'],
  searchable: ['title', 'author'],
})
const api = defineApi({ v1: { '/books': books } })
const table = sql`create table books (
  id text collate "C" primary key, title text not null, author varchar(400) not null)`
const folded = (column: string) => sql`upper(lower(${sql.id(column)} collate "und-x-icu"))`

describe.skipIf(!has('postgres'))('pg_trgm', () => {
  let database: TestDatabase<unknown>
  let db: Kysely<unknown>
  let sent: CompiledQuery[] = []

  beforeAll(async () => {
    database = await databaseOf<unknown>('postgres')
    await sql`create extension pg_trgm`.execute(database.db)
    const dialect = dialectOf('postgres', database.url)
    db = new Kysely({ dialect, log: ({ query }) => void sent.push(query) })
    await table.execute(db)
  }, 30_000)
  afterAll(async () => {
    await db?.destroy()
    await database?.drop()
  })

  // As after a restart: the adapter looks the table up again.
  const serve = (): Registry =>
    defineRegistry(api).adapters({ books: kyselyAdapter(db, { table: 'books' }) })
  const get = async (registry: Registry, url: string) => {
    sent = []
    const { status, body } = await handle({ method: 'GET', url }, registry)
    const last = sent.at(-1)
    if (last === undefined) throw new Error('nothing was sent')
    return { status, body, plan: await planOf(database, last) }
  }
  const index = (definition: RawBuilder<unknown>) =>
    sql`drop index if exists by_trigrams; create index by_trigrams on books using ${definition};
      analyze books`.execute(database.db)
  const gin = sql`gin (${folded('title')} gin_trgm_ops, ${folded('author')} gin_trgm_ops)`

  describe('on many items', () => {
    beforeAll(async () => {
      await sql`insert into books select 'id-' || i,
        md5(i::text) || case when i % 9 = 0 then ' Straße' else '' end,
        md5((i + 5)::text) from generate_series(1, 30000) i`.execute(db)
      await index(gin)
    }, 30_000)
    afterAll(() => sql`truncate books`.execute(db))

    const urls = [
      '/v1/books?q=nowhere',
      '/v1/books?q=nowhere&sort=-title&limit=10',
      '/v1/books/first?q=nowhere&sort=title',
      '/v1/books/count?q=none+nowhere',
    ]
    test.each(urls)('serves %s', async (url) => {
      const { plan } = await get(serve(), url)
      expect(plan.match(/Bitmap Index Scan on by_trigrams/g)?.length).toBeGreaterThanOrEqual(2)
    })

    test.each([
      ['of a part of the rows', sql`gin (${folded('title')} gin_trgm_ops) where id > 'a'`],
      ['of another function', sql`gin (lower(title collate "und-x-icu") gin_trgm_ops)`],
      ['that is no trigrams', sql`btree (${folded('title')})`],
    ])('is not taken for an index %s', async (_, other) => {
      await index(other)
      const { plan, body } = await get(serve(), '/v1/books/count?q=strasse')
      expect(plan).toContain('octet_length(title)')
      expect(body).toEqual({ count: 3333 })
    })

    test('finds the same by GiST', async () => {
      await index(sql`gist (${folded('title')} gist_trgm_ops)`)
      const { plan, body } = await get(serve(), '/v1/books/count?q=strasse')
      expect(plan).not.toContain('octet_length(title)')
      expect(body).toEqual({ count: 3333 })
    })
  })

  test('follows the convention in all of Unicode', { timeout: 60_000 }, async () => {
    await index(gin)
    const texts = fc.sample(text, { numRuns: 1500, seed: 1 }).flatMap(storable)
    const stored = texts.map((title, at) => ({ id: `${at}`, title, author: texts.at(-at) ?? '' }))
    const rows = stored.map(({ id, title, author }) => sql`(${id}, ${title}, ${author})`)
    await sql`insert into books values ${sql.join(rows)}`.execute(db)
    const url = new URL(database.url)
    url.searchParams.append('options', '-c enable_seqscan=off')
    const indexed = new Kysely<unknown>({ dialect: dialectOf('postgres', url.href) })
    const registry = defineRegistry(api).adapters({
      books: kyselyAdapter(indexed, { table: 'books' }),
    })
    const words = fc
      .sample(text, { numRuns: 400, seed: 2 })
      .flatMap(storable)
      .filter((q) => q.trim() !== '' && q.length <= 256 && !/\p{Cc}/u.test(q))
    for (const q of words) {
      const { body } = await handle(
        { method: 'GET', url: `/v1/books/count?q=${encodeURIComponent(q)}` },
        registry,
      )
      const found = stored.filter(matching(wordsOf(q), ['title', 'author']))
      expect([q, body]).toEqual([q, { count: found.length }])
    }
    await indexed.destroy()
  })
})

async function planOf({ url }: TestDatabase<unknown>, query: CompiledQuery): Promise<string> {
  const db = new Kysely<unknown>({ dialect: dialectOf('postgres', url) })
  const explained = { ...query, sql: `explain ${query.sql}` }
  const { rows } = await db.executeQuery<Record<string, string>>(explained)
  await db.destroy()
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

function storable(value: string): readonly string[] {
  return value.length > 400 || value.includes('\0') || !value.isWellFormed() ? [] : [value]
}
