import { readFileSync, writeFileSync } from 'node:fs'
import { type CompiledQuery, Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseOf, dialectOf, has } from '../support/stores.ts'
import { read, writeSnippets } from './snippets.ts'

interface Example {
  readonly registry: Registry
  createRegistry(db: Kysely<unknown>): Promise<Registry>
}

const paths = new Map(
  writeSnippets('docs/storage.md', 'storage').map(({ name, path }) => [name, path]),
)

async function load(name: string): Promise<Example> {
  return import(/* @vite-ignore */ String(paths.get(name)))
}

async function namesOf(registry: Registry, url: string): Promise<unknown> {
  const { body } = await handle({ method: 'GET', url }, registry)
  return Array.isArray(body) ? body.map(({ title }) => title).sort() : body
}

async function fill(registry: Registry): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  for (const title of [
    'The Sea, the Sea',
    'Seamless Running',
    'A Run of Luck',
    'Über den Wolken',
  ]) {
    const { status } = await handle(
      { method: 'POST', url: '/v1/books', headers, body: { title } },
      registry,
    )
    expect(status).toBe(201)
  }
}

describe('storage', () => {
  test('a resource in a table answers', async () => {
    const { registry } = await load('stored.ts')
    const headers = { 'content-type': 'application/json' }
    const body = { text: 'milk', done: false }
    const created = await handle({ method: 'POST', url: '/v1/notes', headers, body }, registry)
    expect(created).toMatchObject({ status: 201, body })
    const url = String(created.headers.location)
    expect((await handle({ method: 'GET', url }, registry)).body).toMatchObject(body)
  })

  test('a condition hides the items of others', async () => {
    const { createRegistry } = await load('visible.ts')
    const { db, drop } = await databaseOf<unknown>('sqlite')
    await sql`create table books (id text primary key, title text not null)`.execute(db)
    const registry = await createRegistry(db)
    const headers = { authorization: 'red', 'content-type': 'application/json' }
    const request = { method: 'POST', url: '/v1/books', headers, body: { title: 'Sea' } }
    expect(await handle(request, registry)).toMatchObject({ body: { title: 'Sea (red)' } })
    const count = async (authorization: string) => {
      const asked = { method: 'GET', url: '/v1/books/count', headers: { authorization } }
      return (await handle(asked, registry)).body
    }
    expect([await count('red'), await count('blue')]).toEqual([{ count: 1 }, { count: 0 }])
    await drop()
  })

  test('FTS5 finds words by their beginnings', async () => {
    const { registry } = await load('full-text-sqlite.ts')
    await fill(registry)
    expect(await namesOf(registry, '/v1/books?q=sea')).toEqual([
      'Seamless Running',
      'The Sea, the Sea',
    ])
    expect(await namesOf(registry, '/v1/books?q=RUN+sea')).toEqual(['Seamless Running'])
    expect(await namesOf(registry, '/v1/books?q=%22AND')).toEqual([])
    expect(await namesOf(registry, '/v1/books/count?q=wolken')).toEqual({ count: 1 })
    await handle({ method: 'DELETE', url: '/v1/books' }, registry)
    expect(await namesOf(registry, '/v1/books/count?q=sea')).toEqual({ count: 0 })
  })

  test('FTS5 finds parts of words by trigrams', async () => {
    const path = String(paths.get('full-text-sqlite.ts'))
    const given = readFileSync(path, 'utf8')
    const changed = given
      .replace("content='books')", "content='books', tokenize='trigram')")
      .replace('"\')}"*`', '"\')}"`')
    expect(changed.length - given.length).toBe(", tokenize='trigram'".length - 1)
    const trigrams = path.replace('full-text', 'trigrams')
    writeFileSync(trigrams, changed)
    const { registry }: Example = await import(/* @vite-ignore */ trigrams)
    await fill(registry)
    expect(await namesOf(registry, '/v1/books?q=UNN')).toEqual(['Seamless Running'])
    expect(await namesOf(registry, '/v1/books?q=eam+RUN')).toEqual(['Seamless Running'])
    expect(await namesOf(registry, '/v1/books/count?q=un')).toEqual({ count: 0 })
  })

  test.skipIf(!has('postgres'))('trigrams serve the search of PostgreSQL', async () => {
    const { db, url, drop } = await databaseOf<unknown>('postgres')
    const created = sql`create table books (id text primary key, title text not null)`
    await created.execute(db)
    const [, statements = ''] = /```sql\n([\s\S]*?)```/.exec(read('docs/storage.md')) ?? []
    await sql.raw(statements).execute(db)
    await db.destroy()
    const sent: CompiledQuery[] = []
    const dialect = dialectOf('postgres', url)
    const watched = new Kysely<unknown>({ dialect, log: ({ query }) => void sent.push(query) })
    const Book = z.object({ id: z.string(), title: z.string() })
    const books = defineResource('books', {
      schema: Book,
      create: Book.omit({ id: true }),
      searchable: ['title'],
    })
    const registry = defineRegistry(defineApi({ v1: { '/books': books } })).adapters({
      books: kyselyAdapter(watched, { table: 'books' }),
    })
    await fill(registry)
    expect(await namesOf(registry, '/v1/books?q=EAM')).toEqual(['Seamless Running'])
    expect(sent.at(-1)?.sql).not.toContain('octet_length')
    await watched.destroy()
    await drop()
  })

  test.skipIf(!has('mariadb'))('FULLTEXT finds words by their beginnings', async () => {
    const { db, drop } = await databaseOf<unknown>('mariadb')
    const registry = await (await load('full-text-mysql.ts')).createRegistry(db)
    await fill(registry)
    expect(await namesOf(registry, '/v1/books?q=SEA')).toEqual([
      'Seamless Running',
      'The Sea, the Sea',
    ])
    expect(await namesOf(registry, '/v1/books?q=run+sea')).toEqual(['Seamless Running'])
    expect(await namesOf(registry, '/v1/books?q=%C3%BCber%22+-wolken')).toEqual(['Über den Wolken'])
    expect(await namesOf(registry, '/v1/books?q=%22+%2B')).toEqual([])
    expect(await namesOf(registry, '/v1/books/count?q=eam')).toEqual({ count: 0 })
    await drop()
  })

  test.skipIf(!has('postgres'))('tsvector finds words in their forms', async () => {
    const { db, drop } = await databaseOf<unknown>('postgres')
    const registry = await (await load('full-text-postgres.ts')).createRegistry(db)
    await fill(registry)
    expect(await namesOf(registry, '/v1/books?q=run')).toEqual([
      'A Run of Luck',
      'Seamless Running',
    ])
    expect(await namesOf(registry, '/v1/books?q=run+-luck')).toEqual(['Seamless Running'])
    expect(await namesOf(registry, '/v1/books/last?q=seas')).toMatchObject({
      title: 'The Sea, the Sea',
    })
    await drop()
  })
})
