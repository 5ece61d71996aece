import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { examineStorage, formatCheckups } from '../../src/cli/doctor.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Note = z.object({
  id: z.string(),
  owner_id: z.string(),
  text: z.string(),
  rank: z.int().optional(),
  at: z.iso.datetime().optional(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true }),
  sortable: ['text'],
  filterable: ['rank'],
})
const owners = defineResource('owners', { schema: z.object({ id: z.string() }) })
const tags = defineResource('tags', { schema: z.object({ id: z.string() }) })
const api = defineApi({
  v1: { '/owners': owners, '/owners/:owner_id/notes': notes, '/notes': notes, '/tags': tags },
})

function registryOf(db: Kysely<unknown>) {
  return defineRegistry(api).adapters({
    owners: kyselyAdapter(db, { table: 'owners' }),
    notes: kyselyAdapter(db, { table: 'notes' }),
    tags: memoryAdapter<never>(),
  })
}

const plain: Readonly<Record<Engine, string>> = {
  sqlite: 'text collate nocase',
  postgres: 'varchar(40) collate "und-x-icu"',
  mariadb: 'varchar(40)',
}

describe.each(engines.filter(has))('%s', (engine) => {
  test('the printed statements fix the tables', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    const type = plain[engine]
    await sql.raw(`create table notes (id ${type}, owner_id ${type}, text ${type})`).execute(db)
    const registry = registryOf(db)
    const fix = async (kind: 'mismatches' | 'advice') => {
      const found = (await examineStorage(registry)).flatMap((checkup) => checkup[kind])
      for (const { fix } of found) if (fix !== undefined) await sql.raw(fix).execute(db)
      return found
    }
    const first = await fix('mismatches')
    expect(first.map(({ resource, table, field }) => [resource, table, field])).toEqual([
      ['owners', 'owners', undefined],
      ['notes', 'notes', 'rank'],
      ['notes', 'notes', 'at'],
    ])
    expect(await fix('mismatches')).toMatchObject([{ resource: 'notes', fix: expect.any(String) }])
    expect(await fix('mismatches')).toEqual([])
    const states = (await examineStorage(registry)).map(({ state }) => state)
    expect(states).toEqual(['fits', 'fits', 'not checked'])
    expect((await fix('advice')).length).toBeGreaterThan(3)
    // The rest has no statement.
    expect((await fix('advice')).flatMap(({ fix }) => fix ?? [])).toEqual([])
    await drop()
  })

  test('wrong types and short ids are mismatches', async () => {
    const { db, drop } = await databaseOf<unknown>(engine)
    await sql`create table notes (id varchar(20) primary key, owner_id varchar(20), text integer,
      "rank" varchar(9), at varchar(40))`
      .execute(db)
      .catch(() =>
        sql`create table notes (id varchar(20) primary key, owner_id varchar(20), text integer,
          \`rank\` varchar(9), at varchar(40))`.execute(db),
      )
    const [, found] = await examineStorage(registryOf(db))
    expect(found?.mismatches).toMatchObject([{ field: 'rank' }])
    if (engine !== 'sqlite') {
      for (const { fix = '' } of found?.mismatches ?? []) await sql.raw(fix).execute(db)
      const [, next] = await examineStorage(registryOf(db))
      expect(next?.mismatches).toMatchObject(
        [{ field: 'id', message: /20 characters/ }].map(asMatch),
      )
      for (const { fix = '' } of next?.mismatches ?? []) await sql.raw(fix).execute(db)
      expect((await examineStorage(registryOf(db)))[1]?.state).toBe('fits')
    }
    await drop()
  })
})

function asMatch({ field, message }: { readonly field: string; readonly message: RegExp }) {
  return { field, message: expect.stringMatching(message) }
}

test('two versions of one table have each advice once', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table posts (id text primary key, title text, phone text) strict`.execute(db)
  const Post = z.object({ id: z.string(), title: z.string(), phone: z.string().nullable() })
  const posts_v2 = defineResource('posts_v2', { schema: Post, sortable: ['title'] })
  const posts = defineView('posts', posts_v2, {
    schema: z.object({ id: z.string(), name: z.string() }),
    create: z.object({ name: z.string() }),
    sortable: ['name'],
    fields: { name: 'title' },
    hidden: { phone: null },
  })
  const versions = defineApi({ v1: { '/posts': posts }, v2: { '/posts': posts_v2 } })
  const registry = defineRegistry(versions, { defaultVersion: 'v1' }).adapters({
    posts_v2: kyselyAdapter(db, { table: 'posts' }),
  })
  const text = formatCheckups(await examineStorage(registry))
  expect(text.split('\n').slice(0, 2)).toEqual([
    'RESOURCE  TABLE  STATE  VIEWS',
    'posts_v2  posts  fits   posts',
  ])
  expect(text.match(/posts_v2: "title" is required, but the column/g)).toHaveLength(1)
  // A missing phone is null.
  expect(text).not.toContain('"phone"')
  await drop()
})

test('a base that no version shows is examined, and its views are named', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table posts (id text primary key, title text not null)`.execute(db)
  const Post = z.object({ id: z.string(), title: z.string(), owner_id: z.string() })
  const stored_posts = defineResource('stored_posts', { schema: Post })
  const posts_v3 = defineView('posts_v3', stored_posts, { schema: Post, create: Post })
  const posts = defineView('posts', posts_v3, { schema: Post, create: Post })
  const mounts = (shown: typeof posts | typeof posts_v3) =>
    ({ '/owners': owners, '/posts': shown, '/owners/:owner_id/posts': shown }) as const
  const registry = defineRegistry(defineApi({ v1: mounts(posts), v3: mounts(posts_v3) }), {
    defaultVersion: 'v1',
  }).adapters({
    owners: memoryAdapter<never>(),
    stored_posts: kyselyAdapter(db, { table: 'posts' }),
  })
  const broken = await examineStorage(registry)
  expect(broken[1]).toMatchObject({
    resource: 'stored_posts',
    views: ['posts', 'posts_v3'],
    state: 'mismatches',
    mismatches: [{ resource: 'stored_posts', field: 'owner_id' }],
  })
  await sql`alter table posts add column owner_id text`.execute(db)
  const [, fits] = await examineStorage(registry)
  expect(fits?.state).toBe('fits')
  const bounds = fits?.advice.filter(({ message }) => message.startsWith('DELETE'))
  expect(bounds?.map(({ resource, message }) => [resource, message])).toEqual([
    [
      'posts',
      'DELETE /v1/posts deletes the posts of every parent. ' +
        'With "bounded: true" in "posts", clients must set a limit.',
    ],
    [
      'posts_v3',
      'DELETE /v3/posts deletes the posts of every parent. ' +
        'With "bounded: true" in "posts_v3", clients must set a limit.',
    ],
  ])
  await drop()
})

test('an api without adapters is wrong use', async () => {
  await expect(examineStorage(api)).rejects.toThrow('without adapters')
})

test('a storage that does not respond is a mismatch', async () => {
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  const registry = defineRegistry(api).adapters({
    owners: { read: () => null, ready: () => new Promise(() => undefined) },
    notes: { read: () => null, ready: () => Promise.reject(refused) },
    tags: { read: () => null, ready: () => undefined },
  })
  const checkups = await examineStorage(registry, 20)
  expect(formatCheckups(checkups)).toBe(
    `RESOURCE  TABLE  STATE
owners           1 mismatch
notes            1 mismatch
tags             fits

Mismatches:
  owners: The storage did not respond within 0.02 seconds.
  notes: ECONNREFUSED`,
  )
})
