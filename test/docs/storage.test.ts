import type { Kysely } from 'kysely'
import { handle, type Registry } from 'nounful'
import { describe, expect, test } from 'vitest'
import { databaseOf, has } from '../support/stores.ts'
import { writeSnippets } from './snippets.ts'

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
