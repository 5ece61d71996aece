import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type Operation,
  problem,
  type Resource,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask } from '../support/things.ts'

const text = z.string()
const Note = z.object({
  id: text,
  rank: z.int(),
  title: text,
  state: z.enum(['open', 'done', 'gone']),
  day: z.iso.date(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note,
  sortable: ['rank', 'title'],
  searchable: ['title'],
  filterable: ['rank', 'title', 'state', 'day'],
})
const Shown = z.object({ id: text, rank: z.int(), name: text, open: z.boolean(), day: text })
const declared = {
  schema: Shown,
  create: Shown,
  fields: {
    name: 'title',
    open: { of: 'state', values: { open: true, done: false, gone: false } },
    day: { of: 'day', absent: '2026-01-01' },
  },
  filterable: ['rank', 'name', 'open', 'day'],
  sortable: ['rank', 'name'],
}

/** Serves notes over some methods of an adapter: a view as v1, another as v2, and them as v3. */
function serve(methods: Adapter) {
  const viewOf = (name: string, given: object): Resource =>
    Reflect.apply(defineView, undefined, [name, notes, { ...declared, ...given }])
  const api = Reflect.apply(defineApi, undefined, [
    {
      v1: { '/notes': viewOf('notes_v1', {}) },
      v2: { '/notes': viewOf('notes_v2', { searchable: [] }) },
      v3: { '/notes': notes },
    },
  ])
  return defineRegistry(api, { defaultVersion: 'v1' } as never).adapters({
    notes: methods,
  } as never)
}

describe('an adapter of a view gets', () => {
  const listing = () => {
    const operations: Operation[] = []
    const list = (operation: Operation) => {
      operations.push(operation)
      return []
    }
    return { operations, registry: serve({ list } as never) }
  }

  test.each([
    ['open=true', { field: 'state', is: 'in', values: ['open'], type: 'text' }],
    ['open=false', { field: 'state', is: 'in', values: ['done', 'gone'], type: 'text' }],
    ['day=2026-02-01', { field: 'day', is: 'in', values: ['2026-02-01'], type: 'date' }],
    ['rank=2', { field: 'rank', is: 'in', values: [2], type: 'integer' }],
    ['name=x', { field: 'title', is: 'in', values: ['x'], type: 'text' }],
  ])('for %s the condition of its own field and type', async (query, condition) => {
    const { operations, registry } = listing()
    expect((await ask(registry, `GET /v1/notes?${query}`)).status).toBe(200)
    expect(operations.map(({ query: { where } }) => where)).toEqual([[condition]])
  })

  test('for values of an id the condition of the id', async () => {
    const Shelf = z.object({ id: z.enum(['a', 'b']) })
    const shelves = defineResource('shelves', { schema: Shelf, create: Shelf, filterable: ['id'] })
    const Rack = z.object({ id: text, isFirst: z.boolean() })
    const view = Reflect.apply(defineView, undefined, [
      'shelves_v1',
      shelves,
      {
        schema: Rack,
        create: Rack,
        fields: { isFirst: { of: 'id', values: { a: true, b: false } } },
        filterable: ['isFirst'],
      },
    ])
    const where: unknown[] = []
    const list = ({ query }: Operation) => {
      where.push(...query.where)
      return []
    }
    const api = Reflect.apply(defineApi, undefined, [{ v1: { '/shelves': view } }])
    const registry = defineRegistry(api).adapters({ shelves: { list } } as never)
    expect((await ask(registry, 'GET /v1/shelves?isFirst=false')).status).toBe(200)
    expect(where).toEqual([{ field: 'id', is: 'in', values: ['b'], type: 'text' }])
  })

  test('its own resource, with the searched fields of the view', async () => {
    const { operations, registry } = listing()
    for (const version of ['v1', 'v2', 'v1', 'v3', 'v2'])
      expect((await ask(registry, `GET /${version}/notes`)).status).toBe(200)
    const searched = operations.map(({ resource }) => [resource.name, resource.searchable])
    expect(searched).toEqual([
      ['notes', ['title']],
      ['notes', []],
      ['notes', ['title']],
      ['notes', ['title']],
      ['notes', []],
    ])
  })

  test('a search for the words of a client', async () => {
    const { operations, registry } = listing()
    expect((await ask(registry, 'GET /v1/notes?q=Two%20Words&sort=-name')).status).toBe(200)
    expect(operations[0]?.query).toMatchObject({
      words: ['Two', 'Words'],
      sort: [{ field: 'title', direction: 'desc' }, { field: 'id' }],
    })
  })
})

describe('a problem of the adapter of a view', () => {
  const refusing = (pointer: string) => () => {
    const issues = [{ pointer, code: 'taken', message: 'is taken' }]
    throw problem('conflict', 'Taken.', { issues })
  }
  const item = { id: '1', rank: 1, name: 'n', open: true, day: '2026-01-01' }
  const many = Array.from({ length: 12 }, (_, at) => ({ ...item, id: `${at}` }))
  const rows: readonly (readonly [line: string, at: string, shown: string, body: unknown])[] = [
    ['POST /v1/notes', '/title', '/name', item],
    ['POST /v1/notes', '/0/title', '/0/name', many],
    ['POST /v1/notes', '/10/title', '/10/name', many],
    ['POST /v1/notes', '/11', '/11', many],
    ['PUT /v1/notes', '/0/title', '/0/name', [item]],
    ['DELETE /v1/notes/1', '/title', '/name', undefined],
  ]
  for (const [line, at, shown, body] of rows) {
    test(`names the field of the version: ${line}, ${at} is ${shown}`, async () => {
      const refuse = refusing(at)
      const methods = {
        list: () => [],
        create: refuse,
        createMany: refuse,
        modifyMany: refuse,
        delete: refuse,
      }
      const response = await ask(serve(methods as never), line, body)
      expect(response).toMatchObject({
        status: 409,
        body: {
          detail: `${shown.slice(1)}: is taken`,
          issues: [{ pointer: shown, code: 'taken', message: 'is taken' }],
        },
      })
    })
  }
})
