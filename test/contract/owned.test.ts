import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  everything,
  handle,
  isProblem,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { Collection } from '../../src/contract/resource/api.ts'
import type { Resource } from '../../src/contract/resource/resource.ts'
import { readCaller, scopeOfCaller } from '../../src/contract/values/caller.ts'

const text = z.string()
const Note = z.object({ id: text, tenant_id: text, text })
const Task = z.object({ id: text, project_id: text, tenant_id: text.optional() })

function declare(name: string, declaration: object): Resource {
  return defineResource(name, declaration as never)
}

function apiOf(paths: Readonly<Record<string, Resource>>) {
  return () => defineApi({ v1: paths } as never)
}

const notes = declare('notes', { schema: Note, ownedBy: ['tenant_id'] })
const open = declare('projects', { schema: Note, ownedBy: [] })
const plain = declare('invoices', { schema: Note })
const tasks = (declaration: object = { references: { project_id: 'projects' } }) =>
  declare('tasks', { schema: Task, ownedBy: 'parent', ...declaration })
const projects = declare('projects', { schema: Note, ownedBy: ['tenant_id'] })
const create = Note.omit({ tenant_id: true })

test('a parent is the same in each version', () => {
  const v1 = Reflect.apply(defineView, undefined, [
    'projects_v1',
    projects,
    { schema: Note, create },
  ])
  for (const name of ['projects', 'projects_v1']) {
    const lines = tasks({ references: { project_id: name } })
    const paths = (parent: Resource) => ({
      '/projects': parent,
      '/projects/:project_id/tasks': lines,
    })
    const { collections } = Reflect.apply(defineApi, undefined, [
      { v1: paths(v1), v2: paths(projects) },
    ])
    const seen = collections.flatMap(({ version, references, includes }: Collection) =>
      references.map(({ to, target }) => [version, to, target.resource.name, ...includes]),
    )
    expect(seen).toEqual([
      ['v1', 'projects_v1', 'projects_v1', 'project'],
      ['v2', 'projects', 'projects', 'project'],
    ])
  }
})

describe('a declaration of owners is refused', () => {
  const rows: readonly (readonly [name: string, define: () => unknown, message: string])[] = [
    [
      'of one resource alone',
      apiOf({ '/notes': notes, '/invoices': plain }),
      'Resource "invoices" does not say whose its items are: write "ownedBy: [\'tenant_id\']", ' +
        '"ownedBy: \'parent\'" for the owner of its parent, or "ownedBy: []" for everybody\'s.',
    ],
    [
      'of a parent at the top',
      apiOf({ '/projects': projects, '/tasks': tasks() }),
      'Resource "tasks" is owned by its parent, but path "/tasks" has none: ' +
        'write "ownedBy: [\'tenant_id\']" instead.',
    ],
    [
      "of a parent that is everybody's",
      apiOf({ '/projects': open, '/projects/:project_id/tasks': tasks() }),
      'Resource "tasks" is owned by its parent, but path "/projects/:project_id/tasks" ' +
        'leads through no owned resource: name the field of an owner.',
    ],
    [
      'of a parent without a reference',
      apiOf({ '/projects': projects, '/projects/:project_id/tasks': tasks({}) }),
      'Resource "tasks" is owned by its parent, but no field references it: ' +
        'write "references: { project_id: \'projects\' }".',
    ],
    [
      'with a text',
      () => declare('notes', { schema: Note, ownedBy: 'tenant_id' }),
      'Resource "notes" needs a list as "ownedBy": write "ownedBy: [\'tenant_id\']".',
    ],
    [
      'with a field of one alternative',
      () =>
        declare('notes', {
          schema: Note.or(Note.extend({ owner_id: z.string() })),
          ownedBy: ['owner_id'],
        }),
      'Resource "notes" is owned by "owner_id", which not each alternative of "schema" has: add ' +
        'it there.',
    ],
    [
      'with a number',
      () => declare('notes', { schema: z.record(z.string(), z.string()), ownedBy: [7] }),
      'Resource "notes" is owned by "7", which not each alternative of "schema" has: add it there.',
    ],
    [
      'with a read-only field',
      () =>
        declare('notes', { schema: Note, create, ownedBy: ['tenant_id'], readOnly: ['tenant_id'] }),
      'Resource "notes" is owned by "tenant_id", which is read-only: leave it out of "readOnly", ' +
        'since no client can write the field of another owner.',
    ],
    [
      'with a field twice',
      () => declare('notes', { schema: Note, ownedBy: ['tenant_id', 'tenant_id'] }),
      'Resource "notes" names a field twice in "ownedBy": name it once.',
    ],
    [
      'with ids that count up',
      () =>
        declare('notes', {
          schema: z.object({ id: z.number(), tenant_id: text }),
          id: z.coerce.number(),
          ownedBy: ['tenant_id'],
        }),
      'Resource "notes" is owned, and its ids are numbers: ids that count up tell each owner how ' +
        'many items there are. Use UUIDs, or accept that with "ids: \'counted\'".',
    ],
    [
      'without a scope',
      () =>
        defineRegistry(apiOf({ '/notes': notes })()).adapters({ notes: memoryAdapter() } as never),
      'The api has owners, and the registry does not say who asks: ' +
        'write .scope((context) => ({ tenant_id: … })) before .adapters().',
    ],
    [
      'with a scope alone',
      () =>
        defineRegistry(apiOf({ '/invoices': plain })())
          .scope(() => everything)
          .adapters({ invoices: memoryAdapter() } as never),
      'The registry has a .scope(), but no resource has an owner: ' +
        'write "ownedBy: [\'tenant_id\']" in defineResource.',
    ],
    [
      'with a scope that is no function',
      () => defineRegistry(apiOf({ '/notes': notes })()).scope({} as never),
      '.scope() takes a function: write .scope(({ user }) => ({ tenant_id: user.tenant_id })).',
    ],
    [
      'with an adapter that cannot read',
      () =>
        defineRegistry(apiOf({ '/notes': notes })())
          .scope(() => everything)
          .adapters({ notes: { update: () => null } } as never),
      'Resource "notes" is owned, so its adapter needs "read" to keep writes inside their scope.',
    ],
  ]
  test.each(rows)('%s', (_, define, message) => {
    expect(define).toThrow(new TypeError(message))
  })
})

describe('a parent that has an owner', () => {
  test('gives it to the items of a path', () => {
    const comments = declare('comments', {
      schema: z.object({ id: text, task_id: text }),
      ownedBy: 'parent',
      references: { task_id: 'tasks' },
    })
    const api = apiOf({
      '/projects': projects,
      '/projects/:project_id/tasks': tasks(),
      '/projects/:project_id/tasks/:task_id/comments': comments,
    })()
    expect(api.ownerFields).toEqual(['tenant_id'])
  })

  test('need not be the nearest one', () => {
    const lists = declare('lists', { schema: Task, ownedBy: [] })
    const items = declare('items', {
      schema: z.object({ id: text, list_id: text }),
      ownedBy: 'parent',
      references: { list_id: 'lists' },
    })
    const paths = {
      '/projects': projects,
      '/projects/:project_id/lists': lists,
      '/projects/:project_id/lists/:list_id/items': items,
    }
    expect(apiOf(paths)).not.toThrow()
  })
})

test('ids that count up are accepted where the contract says so', () => {
  const schema = z.object({ id: z.number(), tenant_id: text })
  const counted = { schema, id: z.coerce.number(), ownedBy: ['tenant_id'], ids: 'counted' }
  expect(declare('notes', counted).ids).toBe('counted')
})

describe('the scope of a caller', () => {
  const texts = {
    ownerFields: ['tenant_id'],
    ownerTypes: new Map([['tenant_id', 'string']] as const),
  }
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [given: unknown, caller: unknown])[] = [
    [everything, everything],
    [{ tenant_id: 'a', other: 'b' }, { tenant_id: 'a' }],
    [{ tenant_id: [] }, { tenant_id: [] }],
    [{ tenant_id: ['a'] }, { tenant_id: 'a' }],
    [{ tenant_id: ['a', 'b', 'a'] }, { tenant_id: ['a', 'b'] }],
  ]
  test.each(rows)('%j is read', (given, caller) => {
    expect(readCaller(given, texts)).toEqual(caller)
  })

  const inherited: unknown = Object.create({ tenant_id: 'a' })
  const sparse = new Array(2)
  // biome-ignore format: a row stays a line
  const faults: readonly (readonly [given: unknown, message: string])[] = [
    [null, '.scope() gave null: return { tenant_id }, or "everything".'],
    ['a', '.scope() gave a: return { tenant_id }, or "everything".'],
    [['a'], '.scope() gave a: return { tenant_id }, or "everything".'],
    [{}, faultOf('undefined')],
    [inherited, faultOf('undefined')],
    [{ tenant_id: undefined }, faultOf('undefined')],
    [{ tenant_id: [undefined] }, faultOf('undefined')],
    [{ tenant_id: sparse }, faultOf('undefined')],
    [{ tenant_id: null }, faultOf('null')],
    [{ tenant_id: '' }, faultOf('""')],
    [{ tenant_id: ['a', ''] }, faultOf('""')],
    [{ tenant_id: Number.NaN }, faultOf('NaN')],
    [{ tenant_id: Number.POSITIVE_INFINITY }, faultOf('Infinity')],
    [{ tenant_id: true }, faultOf('true')],
    [{ tenant_id: everything }, faultOf('Symbol(nounful.everything)')],
  ]
  test.each(faults)('%o is an error', (given, message) => {
    expect(() => readCaller(given, texts)).toThrow(new TypeError(message))
  })

  const ofType = 'in the schema: return a text, or a list of them.'
  test.each([
    [{ tenant_id: 0 }, `.scope() gave 0 as "tenant_id", which is a text ${ofType}`],
    [{ tenant_id: ['a', 7] }, `.scope() gave 7 as "tenant_id", which is a text ${ofType}`],
  ])('%j has another type than the field', (given, message) => {
    expect(() => readCaller(given, texts)).toThrow(new TypeError(message))
  })

  test('has each of several fields', () => {
    const several = { ...texts, ownerFields: ['tenant_id', 'team'] }
    const caller = { tenant_id: 'a', team: ['b', 'c'] }
    expect(readCaller(caller, several)).toEqual(caller)
    const lacking = Object.create({ tenant_id: 'a' }, { team: { value: 'b' } })
    expect(() => readCaller(lacking, several)).toThrow(new TypeError(faultOf('undefined')))
  })

  const untold = z.custom<string | number>()
  test.each([
    ['a text', z.uuid(), 'string'],
    ['a whole number', z.int(), 'number'],
    ['of two types', z.string().or(z.number()), undefined],
    ['of an unknown type', untold, undefined],
  ])('fits a field that is %s', (_, owner, type) => {
    const schema = z.object({ id: text, owner })
    const words = declare('words', {
      schema,
      create: schema.omit({ id: true }),
      ownedBy: ['owner'],
    })
    expect(apiOf({ '/words': words })().ownerTypes.get('owner')).toBe(type)
  })

  test('fits a field that two resources declare', () => {
    const mounts = ['words', 'works'].map((noun, at) => {
      const schema = z.object({ id: text, owner: at === 0 ? text : z.number() })
      return [`/${noun}`, declare(noun, { schema, ownedBy: ['owner'] })] as const
    })
    expect(apiOf(Object.fromEntries(mounts))().ownerTypes.size).toBe(0)
  })

  function faultOf(value: string): string {
    return (
      `.scope() gave ${value} as "tenant_id", which is no owner: return a text, a number or a ` +
      'list of them. For all items, import and return "everything".'
    )
  }

  test.each([['tenant_id'], ['tenant_id', 'text']])('never lacks %s', (...fields) => {
    const resource = declare('notes', { schema: Note, create, ownedBy: fields })
    expect(() => scopeOfCaller({}, resource)).toThrow(new TypeError(faultOf('undefined')))
  })

  const api = defineApi({
    v1: { '/notes': defineResource('notes', { schema: Note, create, ownedBy: ['tenant_id'] }) },
  })
  const answer = async (given: unknown, url = '/notes') => {
    const told: unknown[] = []
    const registry = defineRegistry(api)
      .scope(() => given as never)
      .onError((error) => void told.push(error))
      .adapters({ notes: memoryAdapter() })
    const { status } = await handle({ method: 'GET', url }, registry)
    return [status, ...told.filter((error) => !isProblem(error)).map((error) => Object(error).name)]
  }

  // biome-ignore format: a row stays a line
  const statuses: readonly (readonly [given: unknown, expected: unknown])[] = [
    [undefined, [401]],
    [false, [403]],
    [Promise.resolve(undefined), [401]],
    [Promise.resolve({ tenant_id: 'a' }), [200]],
    [null, [500, 'TypeError']],
    [{}, [500, 'TypeError']],
    [{ tenant_id: '' }, [500, 'TypeError']],
    [{ tenant_id: 7 }, [500, 'TypeError']],
  ]
  test.each(statuses)('%o answers %j', async (given, expected) => {
    expect(await answer(given)).toEqual(expected)
  })

  test('comes before the parameters', async () => {
    expect(await answer(undefined, '/notes?nonsense=1')).toEqual([401])
    expect(await answer({ tenant_id: 'a' }, '/notes?nonsense=1')).toEqual([400])
    expect(await answer({ tenant_id: 'a' }, '/notes?limit=1&after=x')).toEqual([400])
  })
})

test('the compiler wants a scope with each owner', () => {
  const api = defineApi({
    v1: {
      '/notes': defineResource('notes', { schema: Note, create, ownedBy: ['tenant_id'] }),
      '/words': defineResource('words', {
        schema: z.object({ id: text, owner: z.number() }),
        ownedBy: ['owner'],
      }),
    },
  })
  const adapters = { notes: memoryAdapter(), words: memoryAdapter() } as never
  const builder = defineRegistry(api).context(() => ({
    tenant: 'a',
    maybe: undefined as string | undefined,
  }))
  // @ts-expect-error .scope() is missing
  expect(() => builder.adapters(adapters)).toThrow(TypeError)
  builder.scope(({ tenant }) => ({ tenant_id: tenant, owner: 7 })).adapters(adapters)
  builder.scope(() => everything).adapters(adapters)
  builder.scope(async ({ tenant }) => ({ tenant_id: [tenant], owner: [] as number[] }))
  builder.scope(() => undefined)
  builder.scope(() => false)
  // @ts-expect-error an owner is missing
  builder.scope(({ tenant }) => ({ tenant_id: tenant }))
  // @ts-expect-error an owner may be undefined
  builder.scope(({ maybe }) => ({ tenant_id: maybe, owner: 7 }))
  // @ts-expect-error an owner is no text
  builder.scope(({ tenant }) => ({ tenant_id: tenant, owner: '7' }))
  // @ts-expect-error true is no scope
  builder.scope(() => true)
  // @ts-expect-error no field of the item
  expect(() => defineResource('notes', { schema: Note, ownedBy: ['owner_id'] })).toThrow()
  expectTypeOf(api.ownerFields).toEqualTypeOf<readonly string[]>()
})
