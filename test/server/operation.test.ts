import { getEventListeners } from 'node:events'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
  type Layer,
  type Operation,
} from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operationTemplate } from '../../src/server/lifetime/observe.ts'
import { collectionOf, readOf } from '../../src/server/operations.ts'
import { responder } from '../../src/server/respond.ts'
import { type Line, mapOf, notesWith, noting, requestOf, verdictOf } from '../support/registry.ts'

async function askedBy(
  line: Line,
  differences?: Parameters<typeof notesWith>[1],
): Promise<Operation> {
  const seen: Operation[] = []
  const use = (operation: Operation, _: unknown, next: () => unknown) =>
    noting(seen, operation, next())
  const note = { id: 'a', text: 'x' }
  const { registry } = notesWith(mapOf(note), { ...differences, use: [use] })
  await handle(requestOf(line), registry)
  return seen[0] as Operation
}

const namedBy = ({ kind, ...collection }: Operation) => ({ kind, collection })

describe('an operation', () => {
  // biome-ignore format: a row stays a line
  const rows: [line: Line, facts: object][] = [
    [['GET', '/v1/notes'],                                { kind: 'list', id: undefined }],
    [['POST', '/notes', { text: 'x' }],                   { kind: 'create', item: { text: 'x' }, items: undefined }],
    [['PUT', '/notes/a', { text: 'y' }],                  { kind: 'update', id: 'a', item: { id: 'a', text: 'y' } }],
    [['PUT', '/notes', [{ id: 'a', text: 'y' }]],         { kind: 'updateMany', items: [{ id: 'a', text: 'y' }], item: undefined }],
    [['DELETE', '/notes', undefined, { prefer: 'max-affected=3' }], { kind: 'deleteAll', maxAffected: 3 }],
    [['DELETE', '/notes/a'],                              { kind: 'delete', id: 'a', ifRevision: undefined, maxAffected: undefined }],
  ]
  for (const [line, facts] of rows) {
    test(`of ${line[0]} ${line[1]} is plain data`, async () => {
      const operation = await askedBy(line)
      expect(operation).toMatchObject({ version: 'v1', path: '/notes', scope: {}, ...facts })
      expect(operation.resource.name).toBe('notes')
    })
  }

  test('follows the signal of its request', () => {
    const controller = new AbortController()
    const { signal } = controller
    const seen: AbortSignal[] = []
    const never = new Promise(() => undefined)
    const { registry } = notesWith({ list: (operation) => noting(seen, operation.signal, never) })
    handle({ method: 'GET', url: '/notes', signal }, registry)
    handle({ method: 'GET', url: '/notes?limit=2', signal }, registry)
    handle({ method: 'GET', url: '/notes' }, registry)
    expect(seen.map(({ aborted }) => aborted)).toEqual([false, false, false])
    controller.abort(new Error('gone'))
    expect(seen.map(({ aborted }) => aborted)).toEqual([true, true, false])
    handle({ method: 'GET', url: '/notes', signal }, registry)
    expect(seen[3]).toMatchObject({ aborted: true, reason: new Error('gone') })
  })

  const places = [
    ['/v1/notes', '/v1/notes'],
    ['/notes/', '/v1/notes'],
    ['/notes/a', '/v1/notes/:id'],
    ['/notes/first', '/v1/notes/first'],
    ['/notes/count', '/v1/notes/count'],
  ] as const
  for (const [url, template] of places) {
    test(`of ${url} is at ${template}`, async () => {
      expect(operationTemplate(namedBy(await askedBy(['GET', url])))).toBe(template)
    })
  }

  test('that is asked for on the way is at its own place', async () => {
    const many = await askedBy(['GET', '/notes'])
    expect(operationTemplate(namedBy(readOf(many, 'a')))).toBe('/v1/notes/:id')
    const one = await askedBy(['GET', '/notes/a'])
    expect(operationTemplate(namedBy(readOf(one, 'a')))).toBe('/v1/notes/:id')
    expect(operationTemplate(namedBy(collectionOf(one, 'count')))).toBe('/v1/notes/count')
  })

  test('names the version it came by', async () => {
    const seen: string[] = []
    const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
    const api = defineApi({ v1: { '/notes': notes }, v2: { '/notes': notes } })
    const list = ({ version }: Operation) => noting(seen, version, [])
    const registry = defineRegistry(api, { defaultVersion: 'v2' }).adapters({ notes: { list } })
    for (const url of ['/v1/notes', '/v2/notes', '/notes'])
      await handle({ method: 'GET', url }, registry)
    expect(seen).toEqual(['v1', 'v2', 'v2'])
  })
})

const numbered = () => {
  const employees = defineResource('employees', {
    schema: z.object({ id: z.number(), name: z.string() }),
    create: z.object({ name: z.string() }),
    id: z.coerce.number().int().positive(),
  })
  const badges = defineResource('badges', {
    schema: z.object({ id: z.uuid(), employee_id: z.number() }),
    create: z.object({}),
    id: z.uuid(),
  })
  const api = defineApi({
    v1: { '/employees': employees, '/employees/:employee_id/badges': badges },
  })
  const asked: Operation[] = []
  const told = <Given>(operation: Operation, given: Given) => noting(asked, operation, given)
  const registry = defineRegistry(api).adapters({
    employees: {
      read: (operation) => told(operation, operation.id === 7 ? { id: 7, name: 'Ann' } : null),
      create: (operation) => told(operation, { id: 8, ...operation.item }),
      update: (operation) => told(operation, operation.id === 7 ? operation.item : null),
      updateMany: (operation) => told(operation, operation.items),
      delete: (operation) => told(operation, operation.id === 7 ? { id: 7, name: 'Ann' } : null),
    },
    badges: {
      list: (operation) => told(operation, []),
      read: (operation) =>
        told(operation, { id: operation.id, employee_id: operation.scope.employee_id }),
      create: (operation) => told(operation, { id: uuid, ...operation.item }),
    },
  })
  return { registry, asked }
}
const uuid = '0198a4c2-7b1e-7cc0-8f00-0a1b2c3d4e5f'

describe('ids that a schema reads', () => {
  // biome-ignore format: a row stays a line
  const rows: [line: Line, verdict: string, asked?: unknown][] = [
    [['GET', '/employees/7'],                                 '200', 7],
    [['GET', '/employees/8'],                                 '404 not_found', 8],
    [['GET', '/employees/07'],                                '404 not_found'],
    [['GET', '/employees/7.0'],                               '404 not_found'],
    [['GET', '/employees/7e0'],                               '404 not_found'],
    [['GET', '/employees/0x7'],                               '404 not_found'],
    [['GET', '/employees/+7'],                                '404 not_found'],
    [['GET', '/employees/%207'],                              '404 not_found'],
    [['GET', '/employees/-7'],                                '404 not_found'],
    [['GET', '/employees/ann'],                               '404 not_found'],
    [['GET', '/employees/9007199254740993'],                  '404 not_found'],
    [['PUT', '/employees/7', { name: 'Bo' }],                 '200', 7],
    [['PUT', '/employees/7', { id: 7, name: 'Bo' }],          '200', 7],
    [['PUT', '/employees/7', { id: '7', name: 'Bo' }],        '409 id_mismatch'],
    [['PUT', '/employees/07', { name: 'Bo' }],                '404 not_found'],
    [['DELETE', '/employees/7'],                              '200', 7],
    [['DELETE', '/employees/07'],                             '404 not_found'],
    [['PUT', '/employees', [{ id: 7, name: 'Bo' }]],          '200'],
    [['PUT', '/employees', [{ id: '7', name: 'Bo' }]],        '422 validation_failed'],
    [['PUT', '/employees', [{ id: 7.5, name: 'Bo' }]],        '404 not_found'],
    [['GET', '/employees/7/badges'],                          '200', 7],
    [['GET', '/employees/07/badges'],                         '404 parent_not_found'],
    [['GET', '/employees/ann/badges'],                        '404 parent_not_found'],
    [['GET', `/employees/7/badges/${uuid}`],                  '200', 7],
    [['GET', `/employees/7/badges/${uuid.toUpperCase()}`],    '200', 7],
    [['GET', '/employees/7/badges/1'],                        '404 not_found', 7],
    [['POST', '/employees/7/badges', {}],                     '201', 7],
    [['POST', '/employees/7/badges', { employee_id: 7 }],     '201', 7],
    [['POST', '/employees/7/badges', { employee_id: '7' }],   '422 validation_failed'],
  ]
  for (const [line, verdict, id] of rows) {
    test(`${line[0]} ${line[1]} is ${verdict}`, () => {
      const { registry, asked } = numbered()
      expect(verdictOf(handle(requestOf(line), registry) as HttpResponse)).toBe(verdict)
      if (id !== undefined) expect(asked[0]?.id).toBe(id)
      if (id !== undefined && asked[1]) expect(asked[1].scope).toEqual({ employee_id: 7 })
    })
  }

  test('write locations that can be read', async () => {
    const { registry } = numbered()
    for (const [url, location] of [
      ['/employees', '/v1/employees/8'],
      ['/employees/7/badges', `/v1/employees/7/badges/${uuid}`],
    ] as const) {
      const answer = await handle(requestOf(['POST', url, { name: 'x' }]), registry)
      expect(answer.headers.location).toBe(location)
    }
  })

  test('must be read at once', async () => {
    const later = z.string().refine(async () => true)
    const schema = {
      '~standard': { ...later['~standard'], validate: async () => ({ value: 'a' }) },
    }
    const { registry, errors } = notesWith(mapOf(), { declaration: { id: schema } })
    const lines: Line[] = [
      ['GET', '/notes/a'],
      ['PUT', '/notes', [{ id: 'a', text: 'x' }]],
    ]
    for (const line of lines) {
      expect(verdictOf(await handle(requestOf(line), registry))).toBe('500 internal_error')
    }
    expect(errors.map(String)).toEqual(
      Array(2).fill(expect.stringContaining('The id schema of "notes" returned a promise')),
    )
  })
})

describe('the signal of an operation', () => {
  const asked = async () => {
    const seen: Operation[] = []
    const { registry } = notesWith({ list: (operation) => noting(seen, operation, []) })
    await handle({ method: 'GET', url: '/notes' }, registry)
    return seen[0] as Operation
  }

  test('shows its owner to no JSON and to no spread', async () => {
    const { signal } = await asked()
    expect(JSON.stringify(signal)).toBe('{}')
    expect(Object.keys(signal)).not.toContain('owner')
  })

  const signals: readonly (readonly [name: string, members: object])[] = [
    [
      'that throws',
      {
        get signal() {
          throw new Error('no signal')
        },
      },
    ],
    ['that is none', { signal: { aborted: false } }],
    [
      'that throws, over a door',
      {
        isAttended: true,
        get signal() {
          throw new Error('no')
        },
      },
    ],
  ]
  for (const [name, members] of signals) {
    test(`stands alone beside a request's signal ${name}`, async () => {
      const { registry } = notesWith({ list: async () => [] })
      const request = Object.defineProperties(
        { method: 'GET', url: '/notes' },
        Object.getOwnPropertyDescriptors(members),
      )
      expect((await handle(request, registry)).status).toBe(200)
    })
  }

  test('leaves no listener behind a layer', async () => {
    const { registry } = notesWith({ list: async () => [{ id: 'a', text: 'x' }] })
    const { signal } = new AbortController()
    const pass: Layer = (request, answer) => answer(request)
    const respond = responder(registry, [pass, pass])
    for (let count = 0; count < 3; count++) await respond({ method: 'GET', url: '/notes', signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
