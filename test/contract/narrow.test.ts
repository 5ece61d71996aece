import fc from 'fast-check'
import {
  type Adapter,
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  handle,
  narrow,
  type Scope,
} from 'nounful'
import { checksFor } from 'nounful/conformance'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { isKeeping } from '../../src/contract/resource/siblings.ts'
import { refusalOf } from './thrown.ts'

const Note = z.object({ id: z.string(), tenant_id: z.string(), text: z.string() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true }).partial({ tenant_id: true }),
  sortable: ['text'],
  searchable: ['text'],
  filterable: ['text', 'tenant_id'],
  filled: ['tenant_id'],
})
const tenants = defineResource('tenants', { schema: z.object({ id: z.string() }) })
const links = defineResource('links', {
  schema: z.object({ id: z.string(), note_id: z.string() }),
  create: z.object({ note_id: z.string() }),
  references: { note_id: 'notes' },
})
const api = defineApi({
  v1: { '/notes': notes, '/tenants': tenants, '/tenants/:tenant_id/notes': notes, '/links': links },
})
type Note = z.infer<typeof Note>
type NoteAdapter = AdapterFor<typeof api, 'notes', { tenant: string }>
type NarrowScope = Parameters<typeof narrow>[1]

const mine: readonly Note[] = [
  { id: 'a1', tenant_id: 'a', text: 'x one' },
  { id: 'a2', tenant_id: 'a', text: 'y' },
  { id: 'a3', tenant_id: 'a', text: 'x two' },
]
const others: readonly Note[] = [
  { id: 'b1', tenant_id: 'b', text: 'a first' },
  { id: 'b2', tenant_id: 'b', text: 'x secret' },
  { id: 'b3', tenant_id: 'b', text: 'z last' },
]

type Line = readonly [method: string, url: string, body?: unknown]

function serve(items: readonly Note[], scope: NarrowScope) {
  let last = 0
  const inner: NoteAdapter = memoryAdapter({ items, nextId: () => `n${++last}` })
  const errors: unknown[] = []
  const registryOf = (adapter: NoteAdapter) =>
    defineRegistry(api)
      .context(() => ({ tenant: 'a' }))
      .onError((error) => void errors.push(error))
      .adapters({
        notes: adapter,
        tenants: memoryAdapter({ items: [{ id: 'a' }, { id: 'b' }] }),
        links: memoryAdapter(),
      })
  const narrowed = registryOf(narrow(inner, scope as Scope))
  const whole = registryOf(inner)
  const ask = async ([method, url, body]: Line) => {
    const headers = { 'content-type': 'application/json' }
    const request: HttpRequest = { method, url, headers, body: JSON.stringify(body) }
    const { status, body: sent } = await handle(request, narrowed)
    return [status, sent] as const
  }
  const stored = async () => {
    const { body } = await handle({ method: 'GET', url: '/notes' }, whole)
    return body as readonly Note[]
  }
  return { ask, stored, errors }
}

const scopes: Readonly<Record<string, NarrowScope>> = {
  'a record': { tenant_id: 'a' },
  'a list': { tenant_id: ['a'] },
  'a function': (_, context) => ({ tenant_id: Object(context).tenant }),
  'a promise': async (_, context) => ({ tenant_id: Object(context).tenant }),
}

const notFound = { code: 'not_found' }
const outside = { code: 'validation_failed', issues: [{ code: 'scope_mismatch' }] }
const text = 'new'
const foreign = { tenant_id: 'b', text }
// biome-ignore format: a row stays a line
const rows: readonly (readonly [name: string, line: Line, status: number, body: unknown])[] = [
  ['list',                      ['GET', '/notes'],                                 200, mine],
  ['list below its own path',   ['GET', '/tenants/a/notes'],                       200, mine],
  ['list below another path',   ['GET', '/tenants/b/notes'],                       200, []],
  ['search',                    ['GET', '/notes?q=x'],                             200, [mine[0], mine[2]]],
  ['search for a foreign word', ['GET', '/notes?q=secret'],                        200, []],
  ['sort',                      ['GET', '/notes?sort=-text&limit=1'],              200, [mine[1]]],
  ['filter',                    ['GET', '/notes?tenant_id=b'],                     200, []],
  ['count',                     ['GET', '/notes/count'],                           200, { count: 3 }],
  ['first',                     ['GET', '/notes/first?sort=text'],                 200, mine[0]],
  ['last',                      ['GET', '/notes/last?sort=text'],                  200, mine[1]],
  ['read',                      ['GET', '/notes/a1'],                              200, mine[0]],
  ['read of a foreign one',     ['GET', '/notes/b1'],                              404, notFound],
  ['put',                       ['PUT', '/notes/a1', { text }],                    200, { id: 'a1', tenant_id: 'a', text }],
  ['put of a foreign one',      ['PUT', '/notes/b1', { text }],                    404, notFound],
  ['put with a foreign owner',  ['PUT', '/notes/a1', foreign],                     422, outside],
  ['patch',                     ['PATCH', '/notes/a1', { text }],                  200, { id: 'a1', tenant_id: 'a', text }],
  ['patch without a change',    ['PATCH', '/notes/a1', {}],                        200, mine[0]],
  ['patch of a foreign one',    ['PATCH', '/notes/b1', { text }],                  404, notFound],
  ['patch with a foreign owner', ['PATCH', '/notes/a1', { tenant_id: 'b' }],       422, outside],
  ['delete',                    ['DELETE', '/notes/a1'],                           200, mine[0]],
  ['delete of a foreign one',   ['DELETE', '/notes/b1'],                           404, notFound],
  ['post',                      ['POST', '/notes', { text }],                      201, { id: 'n1', tenant_id: 'a', text }],
  ['post of its owner',         ['POST', '/notes', { tenant_id: 'a', text }],      201, { id: 'n1', tenant_id: 'a', text }],
  ['post of a foreign owner',   ['POST', '/notes', foreign],                       422, outside],
  ['post below another path',   ['POST', '/tenants/b/notes', { text }],            422, outside],
  ['bulk post',                 ['POST', '/notes', [{ text }, { tenant_id: 'a', text }]], 201, [{ id: 'n1', tenant_id: 'a', text }, { id: 'n2', tenant_id: 'a', text }]],
  ['bulk post with a foreign owner', ['POST', '/notes', [{ text }, foreign]],      422, { issues: [{ pointer: '/1/tenant_id', code: 'scope_mismatch' }] }],
  ['bulk put',                  ['PUT', '/notes', [{ id: 'a1', text }]],           200, [{ id: 'a1', tenant_id: 'a', text }]],
  ['bulk put of a foreign one', ['PUT', '/notes', [{ id: 'a1', text }, { id: 'b1', text }]], 404, { issues: [{ pointer: '/1/id' }] }],
  ['bulk put with a foreign owner', ['PUT', '/notes', [{ id: 'a1', ...foreign }]], 422, { issues: [{ pointer: '/0/tenant_id', code: 'scope_mismatch' }] }],
  ['bulk patch',                ['PATCH', '/notes', [{ id: 'a1', text }]],         200, [{ id: 'a1', tenant_id: 'a', text }]],
  ['bulk patch of a foreign one', ['PATCH', '/notes', [{ id: 'a1', text }, { id: 'b1', text }]], 404, { issues: [{ pointer: '/1/id' }] }],
  ['bulk patch with a foreign owner', ['PATCH', '/notes', [{ id: 'a1', tenant_id: 'b' }]], 422, { issues: [{ pointer: '/0/tenant_id', code: 'scope_mismatch' }] }],
  ['delete all',                ['DELETE', '/notes'],                              200, { deleted: 3 }],
  ['reference',                 ['POST', '/links', { note_id: 'a1' }],             201, { note_id: 'a1' }],
  ['foreign reference',         ['POST', '/links', { note_id: 'b1' }],             422, { issues: [{ code: 'reference_not_found' }] }],
]

for (const [kind, scope] of Object.entries(scopes)) {
  describe(`an adapter narrowed by ${kind} serves`, () => {
    for (const [name, line, status, body] of rows) {
      test(name, async () => {
        const { ask, stored, errors } = serve([...mine, ...others], scope)
        expect(await ask(line)).toMatchObject([status, body])
        const left = await stored()
        expect(left.filter(({ tenant_id }) => tenant_id === 'b')).toEqual(others)
        if (status >= 400) expect(left).toEqual([...mine, ...others])
        expect(errors).toEqual([])
      })
    }
  })
}

const id = fc.constantFrom('a1', 'a2', 'b1', 'b2', 'n1', 'n2', 'none')
const words = fc.constantFrom('x one', 'x secret', 'z')
const item = fc.record(
  { tenant_id: fc.constantFrom('a', 'b', 'c'), text: words },
  { requiredKeys: ['text'] },
)
const patch = fc.record(
  { tenant_id: fc.constantFrom('a', 'b', null), text: words },
  { requiredKeys: [] },
)
const base = fc.constantFrom('/notes', '/tenants/a/notes', '/tenants/b/notes')
const query = fc.constantFrom('', '?q=x', '?q=secret', '?tenant_id=b', '?text=x%20secret')
const identified = (body: fc.Arbitrary<object>) =>
  fc
    .uniqueArray(fc.tuple(id, body), { selector: ([one]) => one, maxLength: 3 })
    .map((all) => all.map(([one, fields]) => ({ id: one, ...fields })))
const line: fc.Arbitrary<Line> = fc
  .tuple(
    base,
    fc.oneof(
      query.map((asked): Line => ['GET', asked]),
      fc
        .tuple(fc.constantFrom('/count', '/first', '/last'), query)
        .map(([end, asked]): Line => ['GET', end + asked]),
      fc
        .tuple(fc.constantFrom('GET', 'DELETE'), id)
        .map(([method, one]): Line => [method, `/${one}`]),
      fc.tuple(id, item).map(([one, body]): Line => ['PUT', `/${one}`, body]),
      fc.tuple(id, patch).map(([one, body]): Line => ['PATCH', `/${one}`, body]),
      fc.oneof(item, fc.array(item, { maxLength: 3 })).map((body): Line => ['POST', '', body]),
      identified(item).map((body): Line => ['PUT', '', body]),
      identified(patch).map((body): Line => ['PATCH', '', body]),
      fc.constant<Line>(['DELETE', '']),
    ),
  )
  .map(([start, [method, rest, body]]) => [method, start + rest, body])

test('an adapter narrowed serves as one that holds no other items', async () => {
  const scope = fc.constantFrom<NarrowScope>(...Object.values(scopes), { tenant_id: ['a', 'c'] })
  await fc.assert(
    fc.asyncProperty(scope, fc.array(line, { minLength: 1, maxLength: 6 }), async (by, lines) => {
      const [both, alone] = [serve([...mine, ...others], by), serve(mine, by)]
      for (const one of lines) expect(await both.ask(one)).toEqual(await alone.ask(one))
      const left = await both.stored()
      expect(left.filter(({ tenant_id }) => tenant_id === 'b')).toEqual(others)
      expect([both.errors, alone.errors]).toEqual([[], []])
    }),
  )
})

describe('an adapter narrowed to several owners', () => {
  const several = { tenant_id: ['a', 'b'] }

  test('shows the items of all', async () => {
    const third = { id: 'c1', tenant_id: 'c', text }
    const { ask } = serve([...mine, third, ...others], several)
    expect(await ask(['GET', '/notes/count'])).toEqual([200, { count: 6 }])
    expect(await ask(['GET', '/tenants/b/notes'])).toEqual([200, others])
  })

  test('stores an item that names one of them', async () => {
    const { ask } = serve([], several)
    const required = { issues: [{ pointer: '/tenant_id', code: 'required' }] }
    expect(await ask(['POST', '/notes', foreign])).toMatchObject([201, foreign])
    expect(await ask(['POST', '/notes', { text }])).toMatchObject([422, required])
    expect(await ask(['POST', '/notes', { tenant_id: 'c', text }])).toMatchObject([422, outside])
  })

  test('and to none shows and stores nothing', async () => {
    const { ask } = serve(mine, { tenant_id: [] })
    expect(await ask(['GET', '/notes'])).toEqual([200, []])
    expect(await ask(['POST', '/notes', { text }])).toMatchObject([422, outside])
    expect(await ask(['DELETE', '/notes'])).toEqual([200, { deleted: 0 }])
  })
})

describe('an adapter narrowed twice', () => {
  test('holds the items that both scopes hold', async () => {
    const twice = (one: Scope, other: Scope) =>
      narrow(narrow(memoryAdapter<never>({ items: [...mine, ...others] as never }), one), other)
    const countOf = (adapter: Adapter<never>) =>
      adapter.count?.({ scope: {}, query: { where: [], words: [] } } as never, undefined as never)
    expect(countOf(twice({ tenant_id: 'a' }, { tenant_id: ['a', 'b'] }))).toBe(3)
    expect(countOf(twice({ tenant_id: 'a' }, { tenant_id: 'b' }))).toBe(0)
  })
})

describe('a function without a scope is 500', () => {
  for (const given of [undefined, { tenant_id: undefined }, { tenant_id: '' }]) {
    test(JSON.stringify(given), async () => {
      const { ask, errors, stored } = serve(mine, () => given as never)
      for (const one of [
        ['GET', '/notes'],
        ['DELETE', '/notes'],
      ] as const) {
        expect(await ask(one)).toMatchObject([500, { code: 'internal_error' }])
      }
      expect(String(errors)).toContain('narrow()')
      expect(await stored()).toEqual(mine)
    })
  }
})

describe('a narrowed adapter', () => {
  const scope = { tenant_id: 'a' }

  for (const [name, by] of Object.entries({ 'no field': {}, 'a promise': async () => ({}) })) {
    const make = () => narrow(memoryAdapter(), by)
    describe(`of ${name} passes`, () => {
      for (const check of checksFor(make())) test(check.name, () => check.run(make))
    })
  }

  test('has the methods of the inner one', () => {
    const { list, read, join, update } = memoryAdapter()
    expect(Object.keys(narrow({ list, read } as Adapter, scope))).toEqual(['list', 'read'])
    expect(narrow({ list, join } as Adapter, scope).join).toBe(join)
    expect([isKeeping(narrow({ update } as Adapter, scope).update)]).toEqual([true])
    expect([isKeeping(narrow({ update } as Adapter, () => scope).update)]).toEqual([false])
    expect(isKeeping(narrow({ update: () => null }, scope).update)).toBe(false)
  })

  test('calls the methods of a class on its object', async () => {
    class Storage {
      #asked: unknown[] = []
      list({ scope }: { readonly scope: Scope }): readonly never[] {
        this.#asked.push(scope)
        return []
      }
      ready(): void {
        this.#asked.push('ready')
      }
      get asked(): readonly unknown[] {
        return this.#asked
      }
    }
    const storage = new Storage()
    const adapter = narrow(storage, scope)
    adapter.list?.({ scope: { team_id: 1 } } as never, undefined)
    adapter.ready?.({} as never, [])
    expect(storage.asked).toEqual([{ team_id: 1, ...scope }, 'ready'])
  })

  test('answers at once where the inner one does', () => {
    const operation = { scope: {}, query: { where: [], words: [] } } as never
    expect(narrow(memoryAdapter(), scope).count?.(operation, undefined)).toBe(0)
  })

  test('needs an adapter and a scope', () => {
    expect(refusalOf(() => narrow(undefined as never, scope))).toContain('takes an adapter')
    expect(refusalOf(() => narrow(memoryAdapter(), undefined as never))).toContain('takes a scope')
    expect(refusalOf(() => narrow(memoryAdapter(), { a: undefined }))).toContain('for "a"')
  })

  test('has the type of the inner one', () => {
    const inner: NoteAdapter = memoryAdapter()
    const narrowed = narrow(inner, ({ kind }, { tenant }) => ({ [kind && 'tenant_id']: tenant }))
    expectTypeOf(narrowed).toEqualTypeOf(inner)
    defineRegistry(api)
      .context(() => ({ tenant: 'a' }))
      .adapters({
        notes: narrow(memoryAdapter({ items: [...mine] }), (_, { tenant }) => ({
          tenant_id: tenant,
        })),
        tenants: memoryAdapter(),
        links: memoryAdapter(),
      })
  })
})
