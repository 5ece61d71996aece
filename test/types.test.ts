import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Adapter,
  type AdapterFor,
  defineRegistry,
  type Item,
  operations,
  type Status,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import ts from 'typescript'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { api } from './support/first-version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const prelude = `
import {
  type Adapter,
  type AdapterFor,
  type AnyRegistry,
  type HostRequest,
  type Status,
  type Operation,
  defineApi,
  defineRegistry,
  defineResource,
  handle,
  isProblem,
  operations,
  problem,
} from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import { toFetchHandler } from 'nounful/fetch'
import { harden, serve, toNodeListener } from 'nounful/node'
import { createServer, type IncomingMessage } from 'node:http'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'

const Employee = z.object({
  id: z.string(),
  name: z.string(),
  birthdate: z.string(),
  email: z.string().optional(),
  company_id: z.string().optional(),
})
const employees = defineResource('employees', {
  schema: Employee,
  create: Employee.omit({ id: true }),
  sortable: ['name', 'birthdate'],
  searchable: ['email'],
})
const companies = defineResource('companies', {
  schema: z.object({ id: z.string(), name: z.string() }),
  create: z.object({ name: z.string() }),
})
const api = defineApi({
  v1: {
    '/employees': employees,
    '/companies': companies,
    '/companies/:company_id/employees': employees,
  },
})
const text = z.string()
const a = defineResource('as', { schema: z.object({ id: text }), plural: true })
const b = defineResource('bs', { schema: z.object({ id: text, a_id: text }), plural: true })
const c = defineResource('cs', { schema: z.object({ id: text, b_id: text }), plural: true })
const d = defineResource('ds', {
  schema: z.object({ id: text, a_id: text, c_id: text }),
  plural: true,
})
const levels = {
  '/as': a,
  '/as/:a_id/bs': b,
  '/as/:a_id/bs/:b_id/cs': c,
  '/as/:a_id/bs/:b_id/cs/:c_id/ds': d,
} as const
const ann = { id: 'a', name: 'Ann', birthdate: '1990-01-01' }
interface Env {
  readonly rows: (typeof ann)[]
}
interface Waiting {
  waitUntil(promise: Promise<unknown>): void
}
interface User {
  readonly name: string
}
const adapters = { employees: {}, companies: {} }
const ofWorker = defineRegistry(api)
  .context((request: HostRequest<Request, [env: Env, context: Waiting]>) => ({
    rows: request.given[0].rows,
  }))
  .adapters(adapters)
const ofUser = defineRegistry(api)
  .context((request: HostRequest<IncomingMessage & { user: User }>) => request.source.user)
  .adapters(adapters)
const ofAnyone = defineRegistry(api)
  .context(
    (request: HostRequest<IncomingMessage & { user?: User }>) => request.source.user ?? null,
  )
  .adapters(adapters)
void [harden, createServer, ofWorker, ofUser, ofAnyone]
void [
  defineRegistry,
  handle,
  isProblem,
  operations,
  problem,
  select,
  toFetchHandler,
  serve,
  toNodeListener,
  type,
  v,
  ann,
  api,
  levels,
  memoryAdapter,
]
export type { Adapter, AdapterFor, AnyRegistry, Status, Operation }
`

// A client of a resource with references.
const included = `
import { createClient } from 'nounful/client'
const tasks = defineResource('tasks', {
  schema: z.object({ id: z.string(), company_id: z.string(), ownerId: z.string() }),
  references: { company_id: 'companies', ownerId: { to: 'employees', as: 'boss' } },
})
const ofTasks = defineApi({
  v1: { '/tasks': tasks, '/companies': companies, '/employees': employees },
})
const { v1 } = createClient<typeof ofTasks>({ baseUrl: '/' })
`

// Code that must not compile, and the compiler's message.
const refused: readonly [name: string, code: string, says: RegExp][] = [
  [
    'a field that cannot be sorted by',
    `defineResource('employees', { schema: Employee, sortable: ['salary'] })`,
    /"salary"/,
  ],
  [
    'a field that cannot be searched',
    `defineResource('employees', { schema: Employee, searchable: ['salary'] })`,
    /"salary"/,
  ],
  [
    'a read-only field there is not',
    `defineResource('employees', { schema: Employee, create: Employee, readOnly: ['salary'] })`,
    /"salary"/,
  ],
  [
    'a filled field there is not',
    `defineResource('employees', { schema: Employee, filled: ['salary'] })`,
    /"salary"/,
  ],
  [
    'a version field there is not',
    `defineResource('employees', { schema: Employee, create: Employee, revision: 'rev' })`,
    /"rev"/,
  ],
  [
    'an operation there is not',
    `defineResource('employees', { schema: Employee, without: ['archive'] })`,
    /"archive"/,
  ],
  [
    'an item without an id',
    `defineResource('employees', { schema: z.object({ name: z.string() }) })`,
    /id/,
  ],
  [
    'a Date in an item',
    `defineResource('employees', { schema: z.object({ id: z.string(), at: z.date() }) })`,
    /fieldsThatAreNotJson/,
  ],
  [
    'a bigint in an item',
    `defineResource('employees', { schema: z.object({ id: z.string(), big: z.bigint() }) })`,
    /fieldsThatAreNotJson/,
  ],
  [
    'a Map in an item',
    `defineResource('employees', {
      schema: z.object({ id: z.string(), map: z.map(z.string(), z.string()) }),
    })`,
    /fieldsThatAreNotJson/,
  ],
  [
    'a Set in an item',
    `defineResource('employees', { schema: z.object({ id: z.string(), set: z.set(z.string()) }) })`,
    /fieldsThatAreNotJson/,
  ],
  [
    'a Date deep in an item',
    `defineResource('employees', {
      schema: z.object({ id: z.string(), deep: z.array(z.object({ at: z.date().optional() })) }),
    })`,
    /fieldsThatAreNotJson/,
  ],
  [
    'a path whose items lack the field',
    `defineApi({
      v1: { '/employees': employees, '/employees/:employee_id/companies': companies },
    })`,
    /itemsLackTheField: "employee_id"/,
  ],
  [
    'a nearest parameter that only the parent has',
    `defineApi({ v1: {
      '/companies': companies,
      '/companies/:company_id/employees': employees,
      '/companies/:company_id/employees/:employee_id/badges': companies,
    } })`,
    /itemsLackTheField: "employee_id"/,
  ],
  [
    'an outer parameter that nothing has',
    `defineApi({ v1: { ...levels, '/as/:x_id/bs/:b_id/cs': c } })`,
    /itemsLackTheField: "x_id"; readonly orDeclareThePathOfTheirParent: "\/as\/:x_id\/bs"/,
  ],
  [
    'a parameter in the middle that nothing has',
    `defineApi({ v1: { ...levels, '/as/:a_id/bs/:x_id/cs/:c_id/ds': d } })`,
    /orDeclareThePathOfTheirParent: "\/as\/:a_id\/bs\/:x_id\/cs"/,
  ],
  [
    'a scope field that the chain holds',
    `defineRegistry(defineApi({ v1: levels })).adapters({
      as: {}, bs: {}, ds: {}, cs: { list: ({ scope }) => (scope.a_id ? [] : []) },
    })`,
    /a_id/,
  ],
  [
    'a parameter called id',
    `defineApi({ v1: { '/employees': employees, '/employees/:id/companies': companies } })`,
    /parameterIsNotTheFieldThatOwns/,
  ],
  ['a version by another name', `defineApi({ w1: { '/employees': employees } })`, /isNoVersion/],
  [
    'a path without a slash',
    `defineApi({ v1: { '/companies': companies, employees } })`,
    /pathDoesNotStartWithASlash/,
  ],
  [
    'an adapter of no resource',
    `const adapter: AdapterFor<typeof api, 'employeez'> = {}; void adapter`,
    /"employeez".*"employees"/s,
  ],
  ['a version the api has not', `defineRegistry(api, { defaultVersion: 'v9' })`, /"v9".*"v1"/s],
  [
    'numbers as ids of text',
    `defineResource('employees', { schema: Employee, id: z.coerce.number() })`,
    /number.*string/s,
  ],
  [
    'ids of numbers without a schema',
    `defineResource('badges', { schema: z.object({ id: z.number() }) })`,
    /Property 'id' is missing/,
  ],
  [
    'a list to sort by',
    `defineResource('notes', {
      schema: z.object({ id: z.string(), text: z.string(), tags: z.array(z.string()) }),
      sortable: ['tags'],
    })`,
    /"tags"/,
  ],
  [
    'a number to search in',
    `defineResource('notes', {
      schema: z.object({ id: z.string(), text: z.string(), rank: z.number() }),
      searchable: ['rank'],
    })`,
    /"rank"/,
  ],
  [
    'a missing adapter',
    `defineRegistry(api).adapters({ employees: memoryAdapter() })`,
    /companies/,
  ],
  [
    'an adapter nobody asked for',
    `defineRegistry(api).adapters({
      employees: memoryAdapter(),
      companies: memoryAdapter(),
      customers: memoryAdapter(),
    })`,
    /customers/,
  ],
  [
    'a method nobody calls',
    `defineRegistry(api).adapters({ companies: memoryAdapter(), employees: { patch: () => ann } })`,
    /patch/,
  ],
  [
    'an adapter of another item',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { read: () => ({ id: 'a', name: 1, birthdate: '' }) },
    })`,
    /number.*string/s,
  ],
  [
    'an adapter of half an item',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { list: () => [{ id: 'a' }] },
    })`,
    /name|birthdate/,
  ],
  [
    'an adapter that gives no list',
    `defineRegistry(api).adapters({ companies: memoryAdapter(), employees: { list: () => ann } })`,
    /readonly|array|length/,
  ],
  [
    'a create that gives nothing',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { create: () => null },
    })`,
    /null/,
  ],
  [
    'a count that is text',
    `defineRegistry(api).adapters({ companies: memoryAdapter(), employees: { count: () => '3' } })`,
    /string.*number/s,
  ],
  [
    'another sort field in an adapter',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { list: ({ query }) => (query.sort[0]?.field === 'email' ? [ann] : []) },
    })`,
    /no overlap/,
  ],
  [
    'a scope field there is not',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { list: ({ scope }) => (scope.team_id ? [ann] : []) },
    })`,
    /team_id/,
  ],
  [
    'a scope where there is none',
    `defineRegistry(api).adapters({
      employees: memoryAdapter(),
      companies: { list: ({ scope }) => (scope.company_id ? [] : []) },
    })`,
    /company_id/,
  ],
  [
    'an id where there is none',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { list: ({ id }) => (id.length > 1 ? [ann] : []) },
    })`,
    /undefined/,
  ],
  [
    'a context nobody made',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { list: (_, context) => (context.user ? [ann] : []) },
    })`,
    /unknown/,
  ],
  [
    'another context',
    `defineRegistry(api)
      .context(() => ({ user: 'Zoe' }))
      .use((_, context, next) => (context.role ? next() : next()))
      .adapters({ employees: memoryAdapter(), companies: memoryAdapter() })`,
    /role/,
  ],
  [
    'a middleware of another answer',
    `defineRegistry(api)
      .use(() => ({ gives: 'thing' }))
      .adapters({ employees: memoryAdapter(), companies: memoryAdapter() })`,
    /thing/,
  ],
  [
    'a middleware that forgets',
    `defineRegistry(api)
      .use((_, __, next) => {
        next()
      })
      .adapters({ employees: memoryAdapter(), companies: memoryAdapter() })`,
    /void/,
  ],
  [
    'a reference that is no field',
    `defineResource('notes', { schema: Employee, references: { team_id: 'teams' } })`,
    /team_id/,
  ],
  ['a problem there is not', `throw problem('teapot')`, /"teapot"/],
  ['a problem with other members', `throw problem('conflict', 'x', { status: 418 })`, /status/],
  [
    'an issue of two places',
    `throw problem('conflict', 'x', {
      issues: [{ pointer: '/a', parameter: 'q', code: 'x', message: 'x' }],
    })`,
    /parameter|pointer/,
  ],
  ['a thirteenth status', `const status: Status = 418; void status`, /418/],
  [
    'an operation that changes',
    `defineRegistry(api)
      .use((operation, _, next) => {
        operation.kind = 'read'
        return next()
      })
      .adapters({ employees: memoryAdapter(), companies: memoryAdapter() })`,
    /read-only/,
  ],
  ['a limit there is not', `defineRegistry(api, { limits: { pages: 3 } })`, /pages/],
  [
    'a call without what the context needs',
    `toFetchHandler(ofWorker)(new Request('http://localhost/'))`,
    /Expected 3 arguments/,
  ],
  [
    'a call with something else than the context needs',
    `toFetchHandler(ofWorker)(new Request('http://localhost/'), { rows: 'ann' }, { waitUntil() {} })`,
    /string/,
  ],
  ['a listener that is given no env', `toNodeListener(ofWorker)`, /HostRequest/],
  ['a server that is given no env', `serve(ofWorker)`, /HostRequest/],
  [
    'a request without what the context needs',
    `handle({ method: 'GET', url: '/' }, ofWorker)`,
    /source|HostRequest/,
  ],
  ['a fetch handler for messages of Node', `toFetchHandler(ofUser)`, /HostRequest/],
  ['a server that knows no user', `createServer(toNodeListener(ofUser))`, /user/],
  ['a server of our own that knows no user', `serve(ofUser)`, /HostRequest/],
  [
    'something given that was not asked for',
    `defineRegistry(api)
      .context((request: HostRequest<Request, [env: Env]>) => request.given[1])
      .adapters(adapters)`,
    /index '1'/,
  ],
  [
    'something given to a context that asks for nothing',
    `defineRegistry(api).context((request) => request.given).adapters(adapters)`,
    /given/,
  ],
  [
    'a promise taken for an answer',
    `const { status } = handle(
      { method: 'GET', url: '/' },
      defineRegistry(api).adapters({ employees: memoryAdapter(), companies: memoryAdapter() }),
    )
    void status`,
    /status/,
  ],
  [
    'a member that no reference has',
    `${included}
    v1.tasks.list({ include: ['company', 'owner'], limit: 9 })`,
    /"owner"' is not assignable/,
  ],
  [
    'a member without an include',
    `${included}
    v1.tasks('a').read({ include: ['company'] }).then(({ company, boss }) => [company, boss])`,
    /Property 'boss' does not exist/,
  ],
  [
    'an included item that may be missing',
    `${included}
    v1.tasks('a').read({ include: ['boss'] }).then(({ boss }) => boss.name)`,
    /'boss' is possibly 'null'/,
  ],
]

const accepted: readonly [name: string, code: string][] = [
  [
    'items typed by an interface',
    `interface Row {
      id: string
      name: string
      birthdate: string
      email?: string
      company_id?: string
    }
    const rows: Row[] = []
    defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: {
        list: (operation) => select(rows, operation),
        read: ({ id }) => rows.find((row) => row.id === id),
      },
    })`,
  ],
  [
    'readonly items',
    `const rows: readonly Readonly<typeof ann>[] = Object.freeze([ann])
    defineRegistry(api).adapters({ companies: memoryAdapter(), employees: { list: () => rows } })`,
  ],
  ['parents further out that only the chain holds', `defineApi({ v1: levels })`],
  [
    'the parents of an operation',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: {
        list: ({ parents }) => {
          const id: string | number | undefined = parents[0]?.id
          return id === undefined || parents[0]?.resource === companies ? [] : [ann]
        },
      },
    })`,
  ],
  [
    'a scope that may be missing',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: {
        list: ({ scope }) => {
          const id: string | undefined = scope.company_id
          return id ? [] : [ann]
        },
      },
    })`,
  ],
  [
    'an adapter that waits',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: {
        read: async ({ id }) => ({ ...ann, id }),
        list: () => Promise.resolve([ann]),
        delete: async () => null,
      },
    })`,
  ],
  [
    'an adapter of its own',
    `const adapter: AdapterFor<typeof api, 'employees', { user: string }> = {
      list: ({ query }, { user }) => (query.sort[0]?.field === 'name' && user ? [ann] : []),
    }
    defineRegistry(api)
      .context(() => ({ user: 'Zoe' }))
      .adapters({ companies: memoryAdapter(), employees: adapter })`,
  ],
  [
    'an adapter as a class',
    `class Store implements AdapterFor<typeof api, 'companies'> {
      list() {
        return [{ id: 'a', name: 'x' }]
      }
      read() {
        return null
      }
    }
    defineRegistry(api).adapters({ companies: new Store(), employees: memoryAdapter() })`,
  ],
  [
    'a context in adapters',
    `defineRegistry(api)
      .context(async () => ({ user: 'Zoe' }))
      .adapters({
        companies: memoryAdapter(),
        employees: { list: (_, { user }) => [{ ...ann, name: user.toUpperCase() }] },
      })`,
  ],
  [
    'a context in middleware',
    `defineRegistry(api)
      .context(({ headers }) => ({ user: headers?.['x-user'] }))
      .use(({ kind }, { user }, next) => {
        if (!user && kind !== 'list') throw problem('forbidden')
        return next()
      })
      .adapters({ employees: memoryAdapter(), companies: memoryAdapter() })`,
  ],
  [
    'a middleware that waits',
    `defineRegistry(api)
      .use(async (_, __, next) => {
        const outcome = await next()
        return outcome.gives === 'items' ? { ...outcome, items: [] } : outcome
      })
      .adapters({ employees: memoryAdapter(), companies: memoryAdapter() })`,
  ],
  [
    'the sort fields of an adapter',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: {
        list: ({ query }) =>
          query.sort.map(({ field }) => {
            const name: 'name' | 'birthdate' | 'id' = field
            return { ...ann, name }
          }),
      },
    })`,
  ],
  [
    'created items without an id',
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { create: ({ item }) => ({ id: 'a', ...item, name: item.name.trim() }) },
    })`,
  ],
  [
    'numbers for ids',
    `const badges = defineResource('badges', {
      schema: z.object({ id: z.number() }),
      id: z.coerce.number(),
    })
    defineRegistry(defineApi({ v1: { '/badges': badges } })).adapters({
      badges: { read: ({ id }) => ({ id: id.valueOf() + 0 }) },
    })`,
  ],
  [
    'schemas of valibot',
    `const notes = defineResource('notes', {
      schema: v.object({ id: v.string(), text: v.string() }),
      create: v.object({ text: v.string() }),
      sortable: ['text'],
    })
    defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
      notes: { create: ({ item }) => ({ id: 'a', text: item.text.trim() }) },
    })`,
  ],
  [
    'schemas of arktype',
    `const notes = defineResource('notes', {
      schema: type({ id: 'string', text: 'string', 'rank?': 'number' }),
      create: type({ text: 'string' }),
      sortable: ['rank'],
    })
    defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
      notes: { create: ({ item }) => ({ id: 'a', text: item.text.trim() }) },
    })`,
  ],
  [
    'a schema that cleans',
    `const notes = defineResource('notes', {
      schema: z.object({ id: z.string(), rank: z.number() }),
      create: z.object({ rank: z.coerce.number() }),
    })
    defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
      notes: { create: ({ item }) => ({ id: 'a', rank: item.rank + 1 }) },
    })`,
  ],
  [
    'arrays, unions and null in items',
    `defineResource('notes', {
      schema: z.object({
        id: z.string(),
        tags: z.array(z.string()),
        kind: z.enum(['a', 'b']),
        at: z.iso.datetime().nullable(),
        deep: z.record(z.string(), z.object({ n: z.number() })),
      }),
    })`,
  ],
  [
    'fields that may be missing, and unknown ones',
    `defineResource('notes', {
      schema: z.object({
        id: z.string(),
        rank: z.number().nullish(),
        done: z.boolean().optional(),
        kind: z.enum(['a', 'b']).nullable(),
        text: z.unknown(),
      }),
      sortable: ['rank', 'done', 'kind', 'text', 'id'],
      searchable: ['kind', 'text', 'id'],
    })`,
  ],
  [
    'ids with a schema of their own, in every library',
    `defineResource('notes', {
      schema: v.object({ id: v.number() }),
      id: v.pipe(v.string(), v.transform(Number), v.number()),
    })
    defineResource('notes', { schema: type({ id: 'number' }), id: type('string.integer.parse') })
    defineResource('notes', { schema: z.object({ id: z.uuid() }), id: z.uuid() })`,
  ],
  [
    'two versions',
    `const old = defineResource('employees_v1', { schema: z.object({ id: z.string() }) })
    defineRegistry(defineApi({ v1: { '/employees': old }, v2: { '/employees': employees } }), {
      defaultVersion: 'v2',
    }).adapters({ employees_v1: memoryAdapter(), employees: memoryAdapter() })`,
  ],
  [
    'every problem with its members',
    `throw problem('rate_limited', 'Slow down', {
      retryAfter: 3,
      issues: [
        { pointer: '', code: 'x', message: 'x' },
        { parameter: 'q', code: 'x', message: 'x', allowed: ['a'] },
      ],
    })`,
  ],
  [
    'the doors',
    `const registry = defineRegistry(api).adapters({
      employees: memoryAdapter(),
      companies: memoryAdapter(),
    })
    void [toFetchHandler(registry), toNodeListener(registry), serve(registry, { port: 0 })]`,
  ],
  [
    'a worker as its runtime calls it',
    `const worker: {
      fetch(request: Request, env: Env, context: Waiting): Response | Promise<Response>
    } = { fetch: toFetchHandler(ofWorker) }
    void worker.fetch(new Request('http://localhost/'), { rows: [ann] }, { waitUntil() {} })`,
  ],
  [
    'a registry that asks for nothing where more is given',
    `const worker: {
      fetch(request: Request, env: Env, context: Waiting): Response | Promise<Response>
    } = { fetch: toFetchHandler(defineRegistry(api).adapters(adapters)) }
    void worker`,
  ],
  [
    'what a host gave, in adapters and middleware',
    `defineRegistry(api)
      .context((request: HostRequest<Request, [env: Env]>) => request.given[0])
      .use((_, { rows }, next) => (rows.length > 9 ? next() : next()))
      .adapters({ companies: memoryAdapter(), employees: { list: (_, { rows }) => rows } })`,
  ],
  [
    'requests of a kind of their own',
    `class Asked extends Request {
      readonly user = 'Zoe'
    }
    void toFetchHandler(
      defineRegistry(api)
        .context((request: HostRequest<Asked>) => request.source.user)
        .adapters(adapters),
    )(new Asked('http://localhost/'))`,
  ],
  [
    'a user where a host may have one',
    `void [
      createServer(toNodeListener(ofAnyone)),
      serve(ofAnyone),
      harden(createServer(toNodeListener(ofAnyone)), ofUser),
    ]`,
  ],
  [
    'a request with what the context needs',
    `void handle(
      {
        method: 'GET',
        url: '/',
        source: new Request('http://localhost/'),
        given: [{ rows: [ann] }, { waitUntil() {} }],
      },
      ofWorker,
    )`,
  ],
  [
    'a registry of whatever context',
    `export const all: readonly AnyRegistry[] = [
      ofWorker,
      ofUser,
      ofAnyone,
      defineRegistry(api).adapters(adapters),
    ]`,
  ],
  [
    'names for all that a call is made of',
    `import { type Call, type Registry, parseRequest } from 'nounful'
    export function read(registry: Registry): ReturnType<typeof parseRequest> {
      return parseRequest({ method: 'GET', url: '/' }, registry)
    }
    export const parts = (
      call: Call,
    ): [Call['target'], Call['parameters'], Call['conditions']] => [
      call.target,
      call.parameters,
      call.conditions,
    ]`,
  ],
  [
    'a listener that waits',
    `defineRegistry(api)
      .onError(async (error, { operation, request }) => {
        void [error, operation?.kind, request.url]
      })
      .adapters({ employees: memoryAdapter(), companies: memoryAdapter() })`,
  ],
  [
    'included items',
    `${included}
    v1.tasks.list({ fields: ['id'], include: ['company', 'boss'], limit: 9 }).then((found) =>
      found.map(({ id, company, boss }) => [id, company?.name, boss?.birthdate]))`,
  ],
]

const folder = join(root, 'test', 'snippets')
const fileOf = (set: string, place: number) => join(folder, `${set}${place}.ts`)
const errors = new Map<string, string>()
const hovers = new Map<string, string>()

// The type that an editor shows: `scope` in an inline adapter.
const hovered: readonly [code: string, shows: string][] = [
  [
    `defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: { list: ({ scope }) => (scope ? [] : []) },
    })`,
    '{ readonly company_id?: string; }',
  ],
  [
    `defineRegistry(api).adapters({
      employees: memoryAdapter(),
      companies: { list: ({ scope }) => (scope ? [] : []) },
    })`,
    '{}',
  ],
  [
    `defineRegistry(defineApi({ v1: levels })).adapters({
      as: {}, bs: {}, ds: {}, cs: { list: ({ scope }) => (scope ? [] : []) },
    })`,
    '{ readonly b_id: string; }',
  ],
  [
    `defineRegistry(defineApi({ v1: levels })).adapters({
      as: {}, bs: {}, cs: {}, ds: { list: ({ scope }) => (scope ? [] : []) },
    })`,
    '{ readonly a_id: string; readonly c_id: string; }',
  ],
]

// One program for all of them: the libraries are read once.
beforeAll(() => {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const texts = new Map<string, string>()
  for (const [place, [, code]] of refused.entries())
    texts.set(fileOf('refused', place), prelude + code)
  for (const [place, [, code]] of accepted.entries())
    texts.set(fileOf('accepted', place), prelude + code)
  for (const [place, [code]] of hovered.entries())
    texts.set(fileOf('hovered', place), prelude + code)
  const host = ts.createCompilerHost({ ...options, skipLibCheck: true })
  const { readFile, fileExists, directoryExists } = host
  host.readFile = (name) => texts.get(name) ?? readFile(name)
  host.fileExists = (name) => texts.has(name) || fileExists(name)
  host.directoryExists = (name) => name === folder || directoryExists?.(name) === true
  const program = ts.createProgram([...texts.keys()], { ...options, skipLibCheck: true }, host)
  for (const name of texts.keys()) {
    const diagnostics = program.getSemanticDiagnostics(program.getSourceFile(name))
    const messages = diagnostics.map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    )
    errors.set(name, messages.join('\n'))
  }
  for (const place of hovered.keys()) {
    const name = fileOf('hovered', place)
    hovers.set(name, typeOf('scope', program.getSourceFile(name), program.getTypeChecker()))
  }
}, 60_000)

function typeOf(name: string, node: ts.Node | undefined, checker: ts.TypeChecker): string {
  if (!node) return ''
  if (ts.isBindingElement(node) && ts.isIdentifier(node.name) && node.name.text === name) {
    return checker.typeToString(checker.getTypeAtLocation(node.name))
  }
  return ts.forEachChild(node, (child) => typeOf(name, child, checker) || undefined) ?? ''
}

describe('an editor shows', () => {
  for (const [place, [, shows]] of hovered.entries()) {
    test(`a scope as ${shows}`, () => {
      expect(hovers.get(fileOf('hovered', place))).toBe(shows)
    })
  }
})

describe('the compiler refuses', () => {
  for (const [place, [name, , says]] of refused.entries()) {
    test(name, () => {
      expect(errors.get(fileOf('refused', place))).toMatch(says)
    })
  }
})

describe('the compiler takes', () => {
  for (const [place, [name]] of accepted.entries()) {
    test(name, () => {
      expect(errors.get(fileOf('accepted', place))).toBe('')
    })
  }
})

describe('types follow from the contract', () => {
  type Employees = AdapterFor<typeof api, 'employees'>
  type List = Parameters<NonNullable<Employees['list']>>[0]
  type Create = Parameters<NonNullable<Employees['create']>>[0]
  type Read = NonNullable<Employees['read']>
  type Customers = AdapterFor<typeof api, 'customers'>

  test('of an operation: its sort fields', () => {
    type Field = List['query']['sort'][number]['field']
    expectTypeOf<Field>().toEqualTypeOf<'name' | 'birthdate' | 'created_at' | 'id'>()
  })

  test('of a scope: missing at the top', () => {
    expectTypeOf<List['scope']>().toEqualTypeOf<{ readonly company_id?: string }>()
    type Nested = Parameters<NonNullable<Customers['list']>>[0]['scope']
    expectTypeOf<Nested>().toEqualTypeOf<{ readonly company_id: string }>()
  })

  test('of what is created: no id', () => {
    expectTypeOf<Create['item']>().toMatchTypeOf<{ name: string; birthdate: string }>()
    expectTypeOf<Create['item']>().not.toHaveProperty('id')
  })

  test('of an item: what its schema gives', () => {
    expectTypeOf<Awaited<ReturnType<Read>>>()
      .extract<Item>()
      .toHaveProperty('birthdate')
      .toBeString()
    expectTypeOf<Parameters<Read>[0]['id']>().toBeString()
  })

  test('of an adapter: every method optional', () => {
    expectTypeOf<Record<never, never>>().toExtend<Adapter>()
    expectTypeOf<List['kind']>().toEqualTypeOf<'list'>()
  })

  test('of the tables: the twelve statuses', () => {
    expectTypeOf<Status>().toEqualTypeOf<
      200 | 201 | 400 | 401 | 403 | 404 | 405 | 409 | 422 | 429 | 500 | 503
    >()
    expectTypeOf(operations.create.status).toEqualTypeOf<201>()
  })

  test('of a registry: its api', () => {
    const registry = defineRegistry(api).adapters({
      companies: memoryAdapter(),
      employees: memoryAdapter(),
      customers: memoryAdapter(),
    })
    expectTypeOf(registry.api).toEqualTypeOf<typeof api>()
    expect(registry.api).toBe(api)
  })
})
