import { defineApi, defineRegistry, defineResource } from 'nounful'
import { createClient, type ItemOf } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { queriesOf } from 'nounful/query'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const Note = z.object({ id: z.string(), text: z.string(), size: z.int(), revision: z.int() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.pick({ text: true, size: true }),
  revision: 'revision',
  readOnly: ['revision'],
  sortable: ['text'],
  filterable: ['size'],
  countable: ['size'],
})
const api = defineApi({ v1: { '/notes': notes } })
const { signal } = new AbortController()
type StoredNote = ItemOf<typeof api, 'v1', 'notes'>

function openQueries() {
  const items = Array.from({ length: 5 }, (_, index) => {
    return { id: `${index}`, text: `note ${index}`, size: index % 2, revision: 1 }
  })
  const registry = defineRegistry(api).adapters({ notes: memoryAdapter({ items }) })
  const fetch = toFetchHandler(registry)
  const { v1 } = createClient<typeof api>({ baseUrl: 'http://notes.example', fetch })
  return queriesOf(['v1', 'notes'], v1.notes)
}

const queries = openQueries()

// biome-ignore format: a row stays a line
test.each([
  [queries.list(),                                      ['list', undefined],                       5],
  [queries.list({ where: { size: 1 }, limit: 1 }),      ['list', { where: { size: 1 }, limit: 1 }], 1],
])('a list has a key of its query: %#', async ({ queryKey, queryFn }, names, length) => {
  expect(queryKey).toEqual(['v1', 'notes', ...names])
  expect(await queryFn({ signal })).toHaveLength(length)
})

test('a query returns what its call of the client returns', async () => {
  const page = await queries.page({ limit: 2, fields: ['text'] }).queryFn({ signal })
  expect(page).toMatchObject({ items: [{ id: '0', text: 'note 0' }, {}], total: 5 })
  expectTypeOf(page.items).toEqualTypeOf<readonly Pick<StoredNote, 'id' | 'text'>[]>()
  const read = queries.read('3', { fields: ['size'] })
  expect(read.queryKey).toEqual(['v1', 'notes', 'read', '3', { fields: ['size'] }])
  expect(await read.queryFn({ signal })).toEqual({ id: '3', size: 1 })
  expect(await queries.count().queryFn({ signal })).toBe(5)
  const { groups } = await queries.count({ by: ['size'] }).queryFn({ signal })
  expect(groups).toEqual([
    { size: 0, count: 3 },
    { size: 1, count: 2 },
  ])
})

test('an infinite query follows the cursor to the last page', async () => {
  const pages = queries.pages({ limit: 2, sort: ['-text'] })
  const texts: string[] = []
  let pageParam = pages.initialPageParam
  do {
    const page = await pages.queryFn({ signal, pageParam })
    texts.push(...page.items.map(({ text }) => text))
    pageParam = pages.getNextPageParam(page)
  } while (pageParam !== undefined)
  expect(texts).toEqual(['note 4', 'note 3', 'note 2', 'note 1', 'note 0'])
})

test('a mutation under an old revision is refused', async () => {
  const { create, update, patch, delete: remove } = openQueries()
  const note = await create.mutationFn({ item: { text: 'new', size: 3 } })
  expectTypeOf(note).toEqualTypeOf<StoredNote>()
  const { id, revision: ifRevision } = note
  const changed = await patch.mutationFn({ id, patch: { text: 'changed' }, ifRevision })
  expect(changed).toMatchObject({ text: 'changed', size: 3 })
  const conflict = { status: 409, code: 'precondition_failed' }
  const item = { text: 'mine', size: 4 }
  await expect(update.mutationFn({ id, item, ifRevision })).rejects.toMatchObject(conflict)
  await expect(remove.mutationFn({ id, ifRevision })).rejects.toMatchObject(conflict)
  expect(await update.mutationFn({ id, item })).toMatchObject(item)
  expect(await remove.mutationFn({ id })).toMatchObject(item)
})

test('an aborted signal ends a query', async () => {
  const left = { signal: AbortSignal.abort(new Error('left')) }
  await expect(queries.list().queryFn(left)).rejects.toThrow('left')
  const pages = queries.pages().queryFn({ ...left, pageParam: undefined })
  await expect(pages).rejects.toThrow('left')
})
