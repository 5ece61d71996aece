import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type HttpResponse,
  handle,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mapOf, notesWith, verdictOf } from '../support/registry.ts'

const options = (url: string, headers = {}) => ({ method: 'OPTIONS', url, headers })

describe('OPTIONS', () => {
  test('describes a collection', () => {
    const { registry } = notesWith(mapOf(), {
      declaration: { readOnly: ['rank'], filterable: ['text'], defaultLimit: 20 },
    })
    const ofId = ['id', 'id:ne']
    const ranges = ['text:gt', 'text:gte', 'text:lt', 'text:lte']
    const parts = ['text:contains', 'text:startsWith', 'text:endsWith']
    const ofText = ['text', 'text:ne', 'text:null', ...ranges, ...parts]
    const ofList = ['q', ...ofId, ...ofText, 'sort', 'limit', 'offset', 'after', 'fields']
    expect(handle(options('/notes'), registry)).toEqual({
      status: 200,
      headers: {
        allow: 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
        'content-type': 'application/json',
      },
      body: {
        resource: 'notes',
        version: 'v1',
        defaultVersion: 'v1',
        path: '/notes',
        target: 'collection',
        operations: [
          { kind: 'list', method: 'GET', parameters: ofList },
          { kind: 'create', method: 'POST', parameters: ['dry_run'] },
          { kind: 'updateMany', method: 'PUT', parameters: ['dry_run'] },
          { kind: 'deleteAll', method: 'DELETE', parameters: [] },
        ],
        sortable: ['text', 'rank'],
        searchable: ['text'],
        filterable: ['text'],
        schemas: { text: { type: 'string' }, rank: { type: 'number' } },
        fields: ['text', 'rank', 'id'],
        references: [],
        readOnly: ['rank'],
        keep: [],
        ownedBy: null,
        restricted: [],
        bounded: false,
        idempotent: false,
        total: 'requested',
        limits: {
          limit: 1000,
          defaultLimit: 20,
          offset: 10_000,
          fields: 100,
          include: 4,
          filters: 20,
          filterValues: 100,
          body: 1_048_576,
          bulk: 1000,
        },
      },
    })
  })

  test('tells that deleteAll needs a bound at every path', () => {
    const notes = defineResource('notes', {
      schema: z.object({ id: z.string(), note_id: z.string() }),
      bounded: true,
    })
    const api = defineApi({ v1: { '/notes': notes, '/notes/:note_id/notes': notes } })
    const registry = defineRegistry(api).adapters({ notes: mapOf() as never })
    const told = ['/notes', '/notes/a/notes'].map((url) => handle(options(url), registry))
    expect(told).toMatchObject([{ body: { bounded: true } }, { body: { bounded: true } }])
  })

  const Task = z.object({
    id: z.string(),
    state: z.enum(['new', 'old']),
    due: z.iso.date().optional(),
    at: z.iso.datetime().nullable(),
    size: z.int(),
    done: z.boolean(),
    tags: z.array(z.string()),
    levels: z.array(z.enum(['a', 'b'])).nullish(),
    salary: z.number().optional(),
    other: z.union([z.string(), z.number()]),
  })
  const tasks = defineResource('tasks', {
    schema: Task,
    filterable: ['state', 'due', 'done', 'tags', 'levels', 'salary', 'id'],
    sortable: ['due', 'at', 'size', 'other', 'id'],
    restricted: ['salary'],
  })

  test('tells the types of fields to filter and sort by, but of no restricted one', () => {
    const registry = defineRegistry(defineApi({ v1: { '/tasks': tasks } }))
      .reveal(() => null)
      .adapters({ tasks: { list: () => [] } })
    expect(handle(options('/tasks'), registry)).toMatchObject({ body: { schemas } })
  })

  const schemas = {
    due: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    size: { type: 'integer' },
    state: { type: 'string', enum: ['new', 'old'] },
    done: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    levels: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  }

  test('tells no type that no schema tells', () => {
    const schema = {
      '~standard': { version: 1, vendor: 'none', validate: (value: unknown) => ({ value }) },
    }
    const plain = defineResource('plain', {
      schema,
      sortable: ['name'],
      filterable: { due: 'date' },
      plural: true,
      without: ['create', 'update', 'updateMany'],
    } as never)
    const registry = defineRegistry(defineApi({ v1: { '/plain': plain } } as never)).adapters({
      plain: { list: () => [] },
    } as never)
    const { body } = handle(options('/plain'), registry as never) as HttpResponse
    expect(body).toMatchObject({ fields: null })
    expect(Reflect.get(Object(body), 'schemas')).toEqual({
      due: { type: 'string', format: 'date' },
    })
  })

  test('tells the types of a view by its own names', () => {
    const errands = defineView('errands', tasks, {
      schema: Task.omit({ due: true, salary: true }).extend({ until: Task.shape.due }),
      fields: { until: 'due' },
      hidden: { salary: 0 },
      without: ['create', 'update', 'updateMany', 'patch', 'patchMany'],
    } as never)
    const api = defineApi({ v1: { '/errands': errands }, v2: { '/tasks': tasks } } as never)
    const registry = defineRegistry(api as never, { defaultVersion: 'v2' } as never)
      .reveal(() => null)
      .adapters({ tasks: { list: () => [] } } as never)
    const { body } = handle(options('/v1/errands'), registry as never) as HttpResponse
    const { due, ...same } = schemas
    expect(body).toMatchObject({ defaultVersion: 'v2', schemas: { ...same, until: due } })
  })

  // biome-ignore format: a row stays a line
  const totals: [total: boolean | undefined, words: string][] = [
    [true, 'always'], [undefined, 'requested'], [false, 'never'],
  ]
  test.for(totals)('tells with the option total %s: %s', ([total, words]) => {
    const { registry } = notesWith(mapOf(), { declaration: { total } as never })
    expect(handle(options('/notes'), registry)).toMatchObject({ body: { total: words } })
  })

  test('tells where create takes a key', () => {
    const { registry } = notesWith(mapOf(), { declaration: { idempotent: true } })
    expect(handle(options('/notes'), registry)).toMatchObject({ body: { idempotent: true } })
  })

  // biome-ignore format: a row stays a line
  const targets: [url: string, target: string, allow: string, kinds: string[]][] = [
    ['/v1/notes/',          'collection', 'GET, HEAD, POST, PUT, DELETE, OPTIONS', ['list', 'create', 'updateMany', 'deleteAll']],
    ['/notes/nobody',       'item',       'GET, HEAD, PUT, DELETE, OPTIONS',       ['read', 'update', 'delete']],
    ['/notes/first',        'first',      'GET, HEAD, OPTIONS',                    ['first']],
    ['/notes/last?x=%zz',   'last',       'GET, HEAD, OPTIONS',                    ['last']],
    ['/notes/count?sort=x', 'count',      'GET, HEAD, OPTIONS',                    ['count']],
  ]
  for (const [url, target, allow, kinds] of targets) {
    test(`describes ${url}`, () => {
      const { headers, body } = handle(options(url), notesWith(mapOf()).registry) as HttpResponse
      const { operations } = body as { operations: { kind: string }[] }
      expect([headers.allow, operations.map(({ kind }) => kind)]).toEqual([allow, kinds])
      expect(body).toMatchObject({ target, limits: { defaultLimit: null } })
    })
  }

  // biome-ignore format: a row stays a line
  const faults: [url: string, verdict: string][] = [
    ['/notes/%zz', '400 bad_percent_encoding'],
    ['/v2/notes',  '404 unknown_version'],
    ['/nowhere',   '404 unknown_resource'],
    ['notes',      '400 bad_path'],
  ]
  for (const [url, verdict] of faults) {
    test(`answers ${url} with ${verdict}`, () => {
      expect(verdictOf(handle(options(url), notesWith(mapOf()).registry) as HttpResponse)).toBe(
        verdict,
      )
    })
  }

  test('names no search where there is none', () => {
    const { registry } = notesWith(mapOf(), { declaration: { searchable: [] } })
    const { body } = handle(options('/notes/count'), registry) as HttpResponse
    expect(body).toMatchObject({ operations: [{ kind: 'count', parameters: ['id', 'id:ne'] }] })
  })

  test('names what an adapter cannot do nowhere', () => {
    const { registry } = notesWith({ read: () => null })
    expect(handle(options('/notes'), registry)).toMatchObject({
      headers: { allow: 'OPTIONS' },
      body: { operations: [] },
    })
  })

  test('of the server names its paths', () => {
    const notes = defineResource('notes', {
      schema: z.object({ id: z.string(), note_id: z.string() }),
    })
    const api = defineApi({
      v1: { '/notes': notes },
      v2: { '/notes/:note_id/notes': notes, '/notes': notes },
    })
    const registry = defineRegistry(api, { defaultVersion: false }).adapters({
      notes: { read: () => null },
    })
    expect(handle(options('*'), registry)).toEqual({
      status: 200,
      headers: {
        allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
        'content-type': 'application/json',
      },
      body: { defaultVersion: null, paths: ['/v1/notes', '/v2/notes', '/v2/notes/:note_id/notes'] },
    })
    const described = handle(options('/v1/notes'), registry)
    expect(described).toMatchObject({ body: { version: 'v1', defaultVersion: null } })
  })

  test('is the only method of the server', () => {
    expect(handle({ method: 'GET', url: '*' }, notesWith(mapOf()).registry)).toMatchObject({
      status: 400,
    })
  })
})
