import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

type HttpBody = HttpRequest['body']

const Note = z.strictObject({
  id: z.string(),
  text: z.string().max(5),
  mood: z.string().nullable().optional(),
  color: z.string().optional(),
  parent_id: z.string().optional(),
})
const NewNote = Note.omit({ id: true })
const declaration = {
  schema: Note,
  create: NewNote,
  update: NewNote.extend({ color: z.string().default('grey') }),
  references: { parent_id: 'notes' },
  keep: ['mood', 'color', 'parent_id'],
} as const
const notes = defineResource('notes', declaration)
const api = defineApi({ v1: { '/notes': notes } })

function storeOf(items: readonly z.infer<typeof Note>[]) {
  // Only `join` would refuse a stored reference to nothing.
  const { join, ...stored } = memoryAdapter<never>({ items: items as never }) as Adapter
  const registry = defineRegistry(api).adapters({ notes: stored } as never)
  const headers = { 'content-type': 'application/json' }
  return async (method: string, url: string, body?: HttpBody): Promise<HttpResponse> =>
    handle({ method, url: `/v1/notes${url}`, headers, body }, registry)
}

const one = { id: '1', text: 'a', mood: 'good', color: 'red', parent_id: '2' }
const two = { id: '2', text: 'b' }

describe('a PUT that leaves out a kept field', () => {
  test.each([
    [{ text: 'x' }, { ...one, text: 'x' }],
    [
      { text: 'x', mood: 'bad' },
      { ...one, text: 'x', mood: 'bad' },
    ],
    [
      { text: 'a', mood: null },
      { ...one, mood: null },
    ],
  ])('keeps what is stored: %j', async (body, item) => {
    const send = storeOf([one, two])
    expect((await send('PUT', '/1', body)).body).toEqual(item)
    expect((await send('GET', '/1')).body).toEqual(item)
  })

  test('keeps it in each item of an array', async () => {
    const send = storeOf([one, two])
    const items = [
      { id: '2', text: 'y', color: 'blue' },
      { id: '1', text: 'x' },
    ]
    const then = [
      { ...two, text: 'y', color: 'blue' },
      { ...one, text: 'x' },
    ]
    expect((await send('PUT', '', items)).body).toEqual(then)
  })

  test('applies no default to it', async () => {
    expect((await storeOf([two])('PUT', '/2', { text: 'x' })).body).toEqual({
      id: '2',
      text: 'x',
    })
  })

  test('names no reference by it', async () => {
    const lost = { ...one, parent_id: 'gone' }
    const send = storeOf([lost])
    expect((await send('PUT', '/1', { text: 'x' })).body).toEqual({ ...lost, text: 'x' })
    expect(await send('PUT', '/1', { text: 'x', parent_id: 'lost' })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/parent_id', code: 'reference_not_found' }] },
    })
  })

  test('is judged, and stores nothing as a dry run', async () => {
    const send = storeOf([one, two])
    expect((await send('PUT', '/1?dry_run=true', { text: 'x' })).body).toEqual({
      ...one,
      text: 'x',
    })
    expect(await send('PUT', '/1', { text: 'too long' })).toMatchObject({ status: 422 })
    expect(await send('PUT', '/3', { text: 'x' })).toMatchObject({ status: 404 })
    expect((await send('GET', '/1')).body).toEqual(one)
  })

  test('is told by OPTIONS', async () => {
    expect((await storeOf([])('OPTIONS', '')).body).toMatchObject({ keep: declaration.keep })
  })
})

describe('a wrong "keep" is refused', () => {
  const wrong = (given: object) => () =>
    Reflect.apply(defineResource, undefined, ['notes', { ...declaration, ...given }])
  test.each([
    [{ keep: ['id'] }, 'keeps "id", which is the id: leave it out of "keep"'],
    [{ revision: 'mood' }, 'keeps "mood", which is read-only: leave it out of "keep"'],
    [{ keep: ['text'] }, 'keeps "text", which "update" requires: make it optional there'],
    [
      { schema: Note.or(Note.extend({ size: z.number() })), keep: ['size'] },
      'keeps "size", which not each alternative of "schema" has: add it there',
    ],
    [
      { update: z.strictObject({ text: z.string() }) },
      'keeps "mood", which "update" does not take: add it there, as optional',
    ],
    [{ keep: 'mood' }, '"keep"'],
  ])('%j', (given, message) => {
    expect(wrong(given)).toThrow(message)
  })

  test('where the adapter could undo another write', () => {
    const { list, read, update } = memoryAdapter<never>() as Adapter
    const bind = () => defineRegistry(api).adapters({ notes: { list, read, update } } as never)
    expect(bind).toThrow(
      'Resource "notes" keeps "mood", so "update" has to keep what is stored: give its adapter ' +
        '"read" and "modify", declare a "revision", or write "without: [\'update\']"',
    )
  })
})

test('a required field may be left out of an update that keeps it', () => {
  const Page = z.object({ id: z.string(), title: z.string(), size: z.number() })
  const create = Page.omit({ id: true })
  const pages = (keep: readonly 'size'[]) =>
    defineResource('pages', { schema: Page, create, update: create.partial({ size: true }), keep })
  expect(() => defineApi({ v1: { '/pages': pages([]) } })).toThrow('"size"')
  expect(defineApi({ v1: { '/pages': pages(['size']) } }).collections).toHaveLength(1)
})
