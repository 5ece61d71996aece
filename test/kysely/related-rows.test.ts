import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { nextOf } from '../support/cursors.ts'

const index = 'create index by_author on articles (author_id, id)'

interface Rows {
  readonly name: string
  /** The type of the ids. */
  readonly type: string
  /** The rows of authors: id, name and fold. */
  readonly authors: string
  /** The rows of articles: id and author. */
  readonly articles: string
}

const many = "('y1', 'b'), ('y2', 'b'), ('y3', 'b'), ('y4', 'b')"

// Rows of other programs.
const tables: readonly Rows[] = [
  {
    name: 'ids that are bytes',
    ...{ type: 'text', authors: "(X'61', 'A', 'A'), ('b', 'B', 'B')" },
    articles: `('x', X'61'), ${many}`,
  },
  {
    name: 'ids that the column makes numbers',
    ...{ type: 'uuid', authors: "('1', 'A', 'A'), ('b', 'B', 'B')" },
    articles: `('x', '1'), ${many}`,
  },
  {
    name: 'whole numbers beyond a double',
    ...{ type: 'integer', authors: "(9007199254740993, 'A', 'A'), (2, 'B', 'B')" },
    articles: "('x', 9007199254740993), ('y1', 2), ('y2', 2), ('y3', 2)",
  },
  {
    name: 'a fold without its text',
    ...{ type: 'text', authors: "('a', null, 'A'), ('b', 'B', 'B')" },
    articles: `('x', 'a'), ${many}`,
  },
  {
    name: 'a text without its fold',
    ...{ type: 'text', authors: "('a', 'A', null), ('b', 'B', 'B'), ('c', 'C', null)" },
    articles: `('x', 'a'), ('x2', 'a'), ('x3', 'a'), ${many}, ('z', 'c'), ('1', 'c'), ('2', 'a')`,
  },
]

for (const isFolded of [false, true])
  for (const table of tables)
    test(`are in one order, with an index or without: ${table.name}, ${isFolded}`, async () => {
      const indexed = await walk(table, { isFolded, isIndexed: true })
      expect(indexed).toEqual(await walk(table, { isFolded, isIndexed: false }))
      // The order of a stale fold has no place for its item.
      if (isFolded) return
      expect(indexed.map(({ length }) => length)).toEqual(indexed.map(() => indexed[0]?.length))
    })

interface Way {
  readonly isFolded: boolean
  readonly isIndexed: boolean
}

// Returns the ids of all pages, in each order.
async function walk(
  { type, authors, articles }: Rows,
  { isFolded, isIndexed }: Way,
): Promise<string[][]> {
  const file = new DatabaseSync(':memory:')
  file.exec(`create table authors (id ${type} primary key, name text, folded text);
    create table articles (id text primary key not null, author_id ${type});
    ${isIndexed ? index : ''}; insert into authors values ${authors};
    insert into articles values ${articles}`)
  const db = new Kysely<unknown>({ dialect: sqliteDialect(file) })
  const id = type === 'integer' ? z.number() : z.string()
  const authorsResource = defineResource('authors', {
    schema: z.object({ id, name: z.string().nullable() }),
    id: type === 'integer' ? z.coerce.number() : z.string(),
    sortable: ['name'],
    folded: isFolded ? ['name'] : [],
  })
  const articlesResource = defineResource('articles', {
    schema: z.object({ id: z.string(), author_id: id.nullable() }),
    references: { author_id: 'authors' },
  })
  const api = defineApi({ v1: { '/authors': authorsResource, '/articles': articlesResource } })
  const folds = Object(isFolded ? { folded: { name: 'folded' } } : {})
  const registry = defineRegistry(api).adapters({
    authors: kyselyAdapter(db, { table: 'authors', ...folds }),
    articles: kyselyAdapter(db, { table: 'articles' }),
  } as never)
  const orders: string[][] = []
  for (const order of ['author.name', '-author.name', 'author.name,-id', '-author.name,-id'])
    for (const limit of [1, 2, 3, 50]) {
      const ids: string[] = []
      let url: string | undefined = `/v1/articles?sort=${order}&limit=${limit}`
      while (url !== undefined && ids.length < 40) {
        const response = await handle({ method: 'GET', url, headers: {} }, registry)
        if (response.status !== 200) throw new Error(`${url}: ${JSON.stringify(response.body)}`)
        ids.push(...[response.body].flat().map((item) => `${Object(item).id}`))
        url = nextOf(response)
      }
      orders.push(ids)
    }
  await db.destroy()
  return orders
}
