import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpResponse,
  handle,
  type Operation,
  problem,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Line,
  type Loose,
  notesWith,
  noting,
  pointersOf,
  requestOf,
  verdictOf,
} from '../support/registry.ts'
import { rounds } from '../support/service.ts'

const Address = z.object({ city: z.string(), zip: z.string().optional() })
const Fields = z.object({
  name: z.string().min(1).trim(),
  email: z.string().nullable().optional(),
  tags: z.array(z.string()).default(['new']),
  labels: z.record(z.string(), z.string()).optional(),
  address: Address.optional(),
  start: z.number().optional(),
  end: z.number().optional(),
  company_id: z.string().optional(),
})
const Employee = Fields.extend({
  id: z.string(),
  tags: z.array(z.string()).optional(),
  joined_at: z.iso.datetime(),
  revision: z.number(),
})
const isInOrder = ({ start = 0, end = start }: z.infer<typeof Fields>) => start <= end
const employees = defineResource('employees', {
  schema: Employee,
  create: Fields.refine(isInOrder, { path: ['end'] }),
  readOnly: ['joined_at'],
  revision: 'revision',
  references: { company_id: 'companies' },
})
const companies = defineResource('companies', {
  schema: z.object({ id: z.string(), name: z.string() }),
})
const api = defineApi({
  v1: {
    '/companies': companies,
    '/employees': employees,
    '/companies/:company_id/employees': employees,
  },
})

const stored = { joined_at: '2020-01-01T00:00:00.000Z', revision: 1 }
const ann = {
  ...stored,
  id: '1',
  name: 'Ann',
  email: 'ann@x.example',
  tags: ['a', 'b'],
  labels: { desk: '4', constructor: 'yes' },
  address: { city: 'Bern', zip: '3000' },
  start: 2,
}
const bo = { ...stored, id: '2', name: 'Bo', company_id: '7' }

const ways = ['modify', 'a revision'] as const

/** A service whose adapter changes an item in place, or by `read`, `update` and a revision. */
function serviceBy(way: (typeof ways)[number]) {
  const calls: string[] = []
  const seen: (readonly unknown[])[] = []
  const made: AdapterFor<typeof api, 'employees'> = memoryAdapter({ items: [ann, bo] })
  const { modify: _, modifyMany: __, ...others } = made
  const changed: AdapterFor<typeof api, 'employees'> = {
    ...others,
    update: (operation, context) =>
      noting(calls, `update ${operation.ifRevision}`, made.update?.(operation, context) ?? null),
  }
  const adapter = way === 'modify' ? made : changed
  const registry = defineRegistry(api)
    .use(async (operation, _, next) => {
      const before = [operation.kind, operation.item, operation.items]
      const outcome = await next()
      seen.push([...before, operation.item ?? operation.items])
      return outcome
    })
    .adapters({
      companies: memoryAdapter({ items: [{ id: '7', name: 'Acme' }] }),
      employees: adapter,
    })
  const ask = (...line: Line): Promise<HttpResponse> =>
    Promise.resolve(handle(requestOf(line), registry))
  return { ask, calls, seen }
}

/** A stored item after a patch; the revision counts a change. */
function after<Before extends typeof stored>(before: Before, changes: object): object {
  const isChanged = Object.keys(changes).length > 0
  return plain({ ...before, ...changes, revision: before.revision + (isChanged ? 1 : 0) })
}

function plain(value: unknown): object {
  return JSON.parse(JSON.stringify(value))
}

// biome-ignore format: a row stays a line
const changes: [patch: object, changes: object][] = [
  [{},                                                   {}],
  [{ name: 'Cy' },                                       { name: 'Cy' }],
  [{ name: ' Cy ' },                                     { name: 'Cy' }],
  [{ name: 'Ann' },                                      {}],
  [{ name: ' Ann ' },                                    {}],
  [{ unknown: 1 },                                       {}],
  [{ email: null },                                      { email: null }],
  [{ start: null },                                      { start: undefined }],
  [{ end: null },                                        {}],
  [{ tags: ['b'] },                                      { tags: ['b'] }],
  [{ tags: [] },                                         { tags: [] }],
  [{ tags: null },                                       { tags: ['new'] }],
  [{ address: { zip: '3001' } },                         { address: { city: 'Bern', zip: '3001' } }],
  [{ address: { zip: null } },                           { address: { city: 'Bern' } }],
  [{ address: {} },                                      {}],
  [{ address: null },                                    { address: undefined }],
  [{ labels: { desk: null, room: 'B' } },                { labels: { constructor: 'yes', room: 'B' } }],
  [{ labels: { constructor: null, toString: 'x' } },     { labels: { desk: '4', toString: 'x' } }],
  [{ start: 5, end: 7 },                                 { start: 5, end: 7 }],
  [{ company_id: '7' },                                  { company_id: '7' }],
  [{ company_id: null },                                 {}],
  [{ id: '1', name: 'Cy' },                              { name: 'Cy' }],
  [{ revision: 1, name: 'Cy' },                          { name: 'Cy' }],
  [{ joined_at: stored.joined_at },                      {}],
  [{ joined_at: '2020-01-01T01:00:00+01:00' },           {}],
]

// biome-ignore format: a row stays a line
const refusals: [line: Line, verdict: string, pointers?: string[]][] = [
  [['PATCH', '/employees/1', { name: '' }],               '422 validation_failed', ['/name too_small']],
  [['PATCH', '/employees/1', { name: null }],             '422 validation_failed', ['/name invalid_type']],
  [['PATCH', '/employees/1', { address: { city: null } }], '422 validation_failed', ['/address/city invalid_type']],
  [['PATCH', '/employees/1', { tags: { 0: 'c' } }],       '422 validation_failed', ['/tags invalid_type']],
  [['PATCH', '/employees/1', { end: 1 }],                 '422 validation_failed', ['/end custom']],
  [['PATCH', '/employees/1', { joined_at: '2021-01-01T00:00:00Z' }], '422 validation_failed', ['/joined_at read_only']],
  [['PATCH', '/employees/1', { joined_at: null }],        '422 validation_failed', ['/joined_at read_only']],
  [['PATCH', '/employees/1', { company_id: '9' }],        '422 validation_failed', ['/company_id reference_not_found']],
  [['PATCH', '/employees/1', { company_id: 9 }],          '422 validation_failed', ['/company_id invalid_type']],
  [['PATCH', '/companies/7/employees/2', { company_id: '9' }], '422 validation_failed', ['/company_id scope_mismatch']],
  [['PATCH', '/companies/7/employees/2', { company_id: null }], '422 validation_failed', ['/company_id scope_mismatch']],
  [['PATCH', '/employees/1', { id: '2' }],                '409 id_mismatch', ['/id id_mismatch']],
  [['PATCH', '/employees/1', { id: 1 }],                  '409 id_mismatch', ['/id id_mismatch']],
  [['PATCH', '/employees/1', { id: null }],               '409 id_mismatch', ['/id id_mismatch']],
  [['PATCH', '/employees/1', { revision: 2, name: 'Cy' }], '409 precondition_failed', ['/revision precondition_failed']],
  [['PATCH', '/employees/1', { name: 'Cy' }, { 'if-match': '"2"' }], '409 precondition_failed'],
  [['PATCH', '/employees/1', {}, { 'if-match': '"2"' }],  '409 precondition_failed'],
  [['PATCH', '/employees/1', { name: 'Cy' }, { 'if-none-match': '"1"' }], '409 precondition_failed'],
  [['PATCH', '/employees/1', []],                         '422 validation_failed', [' invalid_type']],
  [['PATCH', '/employees/1'],                             '400 unsupported_media_type'],
  [['PATCH', '/employees/3', { name: '' }],               '404 not_found'],
  [['PATCH', '/employees/3', {}],                         '404 not_found'],
  [['PATCH', '/companies/7/employees/1', { name: 'Cy' }], '404 not_found'],
  [['PATCH', '/companies/8/employees/1', { name: 'Cy' }], '404 parent_not_found'],
  [['PATCH', '/employees/1/', { name: 'Cy' }],            '400 bad_path'],
  [['PATCH', '/employees/', [{ id: '1', name: 'Cy' }]],   '400 bad_path'],
  [['PATCH', '/employees/first', { name: 'Cy' }],         '405 method_not_allowed'],
  [['PATCH', '/employees/count', { name: 'Cy' }],         '405 method_not_allowed'],
  [['PATCH', '/employees/1?fields=name', { name: 'Cy' }], '400 unknown_parameter', [' unknown_parameter']],
  [['PATCH', '/employees/1?dry_run=1', { name: 'Cy' }], '400 bad_parameter', [' bad_parameter']],
  [['PATCH', '/employees', { id: '1', name: 'Cy' }],      '422 validation_failed', [' invalid_type']],
  [['PATCH', '/employees', [{ id: '1', name: 'Cy' }, 1]], '422 validation_failed', ['/1 invalid_type']],
  [['PATCH', '/employees', [{ id: '1', name: '' }, { id: '2', tags: 1 }]], '422 validation_failed', ['/0/name too_small', '/1/tags invalid_type']],
  [['PATCH', '/employees', [{ id: '1', name: 'Cy' }, { id: '2', joined_at: 'x' }]], '422 validation_failed', ['/1/joined_at read_only']],
  [['PATCH', '/employees', [{ id: '1', name: 'Cy' }, { name: 'Di' }]], '422 validation_failed', ['/1/id invalid_id']],
  [['PATCH', '/employees', [{ id: '1', name: 'Cy' }, { id: '1', email: 'x' }]], '422 validation_failed', ['/1/id invalid_id']],
  [['PATCH', '/employees', [{ id: '1', name: 'Cy' }, { id: '3' }, { id: 'first' }]], '404 not_found', ['/1/id not_found', '/2/id not_found']],
  [['PATCH', '/employees', [{ id: '1', name: 'Cy' }, { id: '2', revision: 9 }]], '409 precondition_failed', ['/1/revision precondition_failed']],
  [['PATCH', '/employees', [{ id: '1', company_id: '8' }, { id: '2', company_id: '9' }]], '422 validation_failed', ['/0/company_id reference_not_found', '/1/company_id reference_not_found']],
  [['PATCH', '/employees', [{ id: '1', name: 'Cy' }], { 'if-match': '"1"' }], '409 precondition_failed'],
  [['PATCH', '/companies/7/employees', [{ id: '2', name: 'Cy' }, { id: '1' }]], '404 not_found', ['/1/id not_found']],
]

describe.each(ways)('a patch by %s', (way) => {
  for (const [patch, changed] of changes) {
    test(`${JSON.stringify(patch)} stores what it names`, async () => {
      const { ask, calls } = serviceBy(way)
      const expected = after(ann, changed)
      const patched = await ask('PATCH', '/employees/1', patch)
      expect([patched.status, plain(patched.body)]).toEqual([200, expected])
      const isChanged = Object.keys(changed).length > 0
      expect(patched.headers.etag).toBe(isChanged ? '"2"' : '"1"')
      const read = await ask('GET', '/employees/1')
      expect([plain(read.body), read.headers.etag]).toEqual([expected, patched.headers.etag])
      expect(calls).toEqual(isChanged && way === 'a revision' ? ['update 1'] : [])
    })

    test(`${JSON.stringify(patch)} does the same among many`, async () => {
      const { ask } = serviceBy(way)
      const expected = [after(bo, { name: 'Cy' }), after(ann, changed)]
      const body = [
        { id: '2', name: 'Cy' },
        { id: '1', ...patch },
      ]
      const patched = await ask('PATCH', '/employees', body)
      expect([patched.status, plain(patched.body)]).toEqual([200, expected])
      expect(patched.headers.etag).toBeUndefined()
      expect(plain((await ask('GET', '/employees')).body)).toEqual(expected.toReversed())
    })

    test(`${JSON.stringify(patch)} stores nothing as a dry run`, async () => {
      const { ask, calls } = serviceBy(way)
      const { status, body, headers } = await ask('PATCH', '/employees/1?dry_run=true', patch)
      const { revision: _, ...expected } = { ...after(ann, changed), revision: 1 }
      expect(status).toBe(200)
      expect(plain(body)).toMatchObject(expected)
      expect([headers.etag, headers.location]).toEqual([undefined, undefined])
      const many = await ask('PATCH', '/employees?dry_run=true', [{ id: '1', ...patch }])
      expect(plain(many.body)).toMatchObject([expected])
      expect(plain((await ask('GET', '/employees')).body)).toEqual([ann, bo])
      expect(calls).toEqual([])
    })
  }

  for (const [line, verdict, pointers] of refusals) {
    test(`${JSON.stringify(line)} is ${verdict}`, async () => {
      const { ask } = serviceBy(way)
      const refused = await ask(...line)
      expect(verdictOf(refused)).toBe(verdict)
      expect(pointersOf(refused)).toEqual(pointers ?? [])
      expect(plain((await ask('GET', '/employees')).body)).toEqual([ann, bo])
    })
  }

  test('keeps the fields that other patches change', async () => {
    const { ask } = serviceBy(way)
    const bodies = [{ name: 'Cy' }, { email: 'cy@x.example' }, { tags: [] }, { start: 3 }]
    const patched = await Promise.all(bodies.map((body) => ask('PATCH', '/employees/1', body)))
    expect(patched.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const expected = { ...ann, ...Object.assign({}, ...bodies), revision: 5 }
    expect((await ask('GET', '/employees/1')).body).toEqual(expected)
  })

  test('takes the conditions that a PUT takes', async () => {
    const { ask } = serviceBy(way)
    for (const headers of [{ 'if-match': '"1"' }, { 'if-match': '*' }, { 'if-none-match': '"1"' }])
      expect((await ask('PATCH', '/employees/1', { name: 'Cy' }, headers)).status).toBe(200)
  })

  test('of no items is an empty list', async () => {
    const { ask } = serviceBy(way)
    expect(await ask('PATCH', '/employees', [])).toMatchObject({ status: 200, body: [] })
  })

  test('is in OPTIONS with its media types', async () => {
    const { ask } = serviceBy(way)
    const types = 'application/merge-patch+json, application/json'
    const item = await ask('OPTIONS', '/employees/1')
    expect(item.headers).toMatchObject({
      'accept-patch': types,
      allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
    })
    const collection = await ask('OPTIONS', '/employees')
    expect(collection.headers['accept-patch']).toBe('application/json')
    expect((await ask('OPTIONS', '/employees/first')).headers['accept-patch']).toBeUndefined()
  })

  test('shows middleware the whole items after next', async () => {
    const { ask, seen } = serviceBy(way)
    await ask('PATCH', '/employees/1', { name: 'Cy' })
    await ask('PATCH', '/employees', [{ id: '2', name: 'Di' }])
    const [one, many] = seen.filter(([kind]) => kind !== 'read')
    expect(one).toEqual(['patch', undefined, undefined, { ...ann, name: 'Cy' }])
    expect(many).toEqual(['patchMany', undefined, undefined, [{ ...bo, name: 'Di' }]])
  })
})

describe('a resource without a revision', () => {
  test('takes PATCH only where the adapter can modify', async () => {
    const declaration = { schema: z.object({ id: z.string(), text: z.string() }) }
    const { modify, modifyMany, list, ...others } = memoryAdapter()
    const item = { method: 'OPTIONS', url: '/notes/a' }
    for (const [adapter, isServed] of [
      [{ ...others, modify, modifyMany }, true],
      [others, false],
      [{ list, modify, modifyMany }, false],
    ] as const) {
      const { registry } = notesWith(adapter as Loose, { declaration })
      const { headers } = await handle(item, registry)
      expect(headers.allow?.includes('PATCH')).toBe(isServed)
      const patched = await handle(requestOf(['PATCH', '/notes/a', {}]), registry)
      expect(patched.status).toBe(isServed ? 404 : 405)
    }
  })
})

const Note = z.object({ id: z.string(), text: z.string(), mark: z.string(), rev: z.number() })
const declaration = {
  schema: Note,
  create: Note.pick({ text: true, mark: true }),
  revision: 'rev',
  sortable: [],
}
const note = { id: 'a', text: 'old', mark: 'old', rev: 1 }

describe('two patches at once', () => {
  // The validator waits, so the other patch comes between the read and the write.
  const slow = declaration.create.refine(async ({ text }) => {
    for (let turns = Number(text.at(-1)) % 4; turns > 0; turns--) await nextTurn()
    return true
  })
  test.each(ways)('keep both fields, by %s', async (way) => {
    const { modify, modifyMany, ...others } = memoryAdapter({ items: [note] })
    const adapter = way === 'modify' ? { ...others, modify, modifyMany } : others
    const { registry } = notesWith(adapter as Loose, {
      declaration: { ...declaration, create: slow },
    })
    for (let round = 0; round < rounds(50); round++) {
      const [text, mark] = [`text ${round % 10}`, `mark ${round}`]
      const lines: Line[] = [
        ['PATCH', '/notes/a', { text }],
        round % 2 === 0
          ? ['PATCH', '/notes/a', { mark }]
          : ['PATCH', '/notes', [{ id: 'a', mark }]],
      ]
      const patched = await Promise.all(lines.map((line) => handle(requestOf(line), registry)))
      expect(patched.map(verdictOf)).toEqual(['200', '200'])
      const { body } = await handle({ method: 'GET', url: '/notes/a' }, registry)
      expect(body).toMatchObject({ text, mark })
    }
  })
})

/** Notes that other writers change after each read, as often as told. */
function contested(times: number, isMoving = true) {
  const state = { note, reads: 0, writes: 0 }
  const write = (item: unknown, expected: unknown) => {
    state.writes++
    if (!isMoving || expected !== state.note.rev) throw problem('precondition_failed')
    state.note = Note.parse({ ...Object(item), rev: state.note.rev + 1 })
    return state.note
  }
  const adapter: Loose = {
    read: () => {
      const read = state.note
      if (isMoving && state.reads++ < times)
        state.note = { ...read, mark: `${state.reads}`, rev: read.rev + 1 }
      return read
    },
    update: ({ item, ifRevision }) => write(item, ifRevision),
    updateMany: ({ items = [] }) => items.map((item) => write(item, Reflect.get(item, 'rev'))),
  }
  return { state, ...notesWith(adapter, { declaration }) }
}

describe('a patch by a revision', () => {
  const one: Line = ['PATCH', '/notes/a', { text: 'new' }]
  const many: Line = ['PATCH', '/notes', [{ id: 'a', text: 'new' }]]
  // biome-ignore format: a row stays a line
  const rows: [name: string, line: Line, times: number, verdict: string, writes: number][] = [
    ['that is late once',             one,  1, '200', 2],
    ['that is late seven times',      one,  7, '200', 8],
    ['that is late eight times',      one,  8, '503 unavailable', 8],
    ['of many, late seven times',     many, 7, '200', 8],
    ['of many, late eight times',     many, 8, '503 unavailable', 8],
    ['with If-Match, late once',      ['PATCH', '/notes/a', { text: 'new' }, { 'if-match': '"1"' }], 1, '409 precondition_failed', 1],
    ['with If-Match: *, late once',   ['PATCH', '/notes/a', { text: 'new' }, { 'if-match': '*' }], 1, '200', 2],
    ['with a revision, late once',    ['PATCH', '/notes/a', { text: 'new', rev: 1 }], 1, '409 precondition_failed', 1],
    ['of a revision each, late once', ['PATCH', '/notes', [{ id: 'a', text: 'new', rev: 1 }]], 1, '409 precondition_failed', 1],
  ]
  for (const [name, line, times, verdict, writes] of rows) {
    test(`${name} is ${verdict}`, async () => {
      const { registry, state } = contested(times)
      const response = await handle(requestOf(line), registry)
      expect([verdictOf(response), state.writes]).toEqual([verdict, writes])
      expect(state.note.mark).toBe(`${times}`)
      expect(state.note.text).toBe(verdict === '200' ? 'new' : 'old')
      expect(response.headers['retry-after']).toBe(response.status === 503 ? '1' : undefined)
    })
  }

  test.each([{ line: one }, { line: many }])(
    'for a reason of the adapter is 409: $line.1',
    async ({ line }) => {
      const { registry, state } = contested(0, false)
      expect(verdictOf(await handle(requestOf(line), registry))).toBe('409 precondition_failed')
      expect(state.writes).toBe(2)
    },
  )

  test.each([{ line: one }, { line: many }])(
    'whose item goes meanwhile is 404: $line.1',
    async ({ line }) => {
      const adapter: Loose = { read: () => note, update: () => null, updateMany: () => [null] }
      const { registry } = notesWith(adapter, { declaration })
      expect(verdictOf(await handle(requestOf(line), registry))).toBe('404 not_found')
    },
  )
})

type Change = (stored: unknown) => Promise<unknown>

describe('an adapter that modifies', () => {
  const line: Line = ['PATCH', '/notes/a', { text: 'new' }]
  // biome-ignore format: a row stays a line
  const rows: [name: string, modify: (change: Change) => unknown, verdict: string][] = [
    ['may change an item again',      (change) => change(note).then(() => change({ ...note, rev: 2 })), '200'],
    ['may find no item',              () => null,                                       '404 not_found'],
    ['may refuse by a problem',       () => { throw problem('conflict') },              '409 conflict'],
    ['must call change',              () => note,                                       '500 internal_error'],
    ['must not go on after an error', (change) => change({ ...note, id: 'b' }).catch(() => note), '500 internal_error'],
    ['must return the item',          async (change) => Object.assign({}, await change(note), { id: 'b' }), '500 internal_error'],
    ['must return an item',           async (change) => void (await change(note)),      '404 not_found'],
  ]
  for (const [name, modify, verdict] of rows) {
    test(`${name}: ${verdict}`, async () => {
      const adapter = {
        read: () => note,
        modify: (_: Operation, __: unknown, change: Change) =>
          modify(async (stored) => change(stored)),
      }
      // It breaks the types of adapters on purpose.
      const { registry } = notesWith(adapter as never, { declaration })
      const response = await handle(requestOf(line), registry)
      expect(verdictOf(response)).toBe(verdict)
    })
  }
})
