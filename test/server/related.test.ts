import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  type Middleware,
  narrow,
  type Operation,
  type Outcome,
  problem,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter, select } from 'nounful/memory'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  anyRelatedFilters,
  anyRelatedItems,
  byFewLines,
  expectedIds,
  folded,
  inMemory,
  type RelatedItems,
  type RelatedStore,
  relatedDatabase,
  relatedItems,
  relatedRegistry,
  searchOf,
  sendTo,
  touching,
} from '../support/related.ts'

type Database = Awaited<ReturnType<typeof relatedDatabase>>
let database: Database
beforeAll(async () => {
  database = await relatedDatabase('sqlite')
})
afterAll(() => database.drop())

const stores: Readonly<
  Record<string, (items: RelatedItems) => RelatedStore | Promise<RelatedStore>>
> = {
  memory: inMemory,
  'adapters by hand': byFewLines,
  sqlite: (items) => database.fill(items),
}
const storeNames = Object.keys(stores)
const storeOf = (name: string, items = relatedItems) => stores[name]?.(items) as RelatedStore

const idsOf = (body: unknown): string =>
  Array.isArray(body) ? body.map(({ id }) => id).join('') : JSON.stringify(body)

describe('C4.10: a filter of a related item', () => {
  test.each(storeNames)('selects the items that reference it: %s', async (name) => {
    const registry = relatedRegistry(await storeOf(name))
    for (const [url, ids] of [
      ['/employees?company.name=Acme', 'ad'],
      ['/employees?company.name=Acme&company.name=Bolt', 'abd'],
      ['/employees?company.name:ne=Acme', 'b'],
      ['/employees?company.name:contains=C', 'ad'],
      ['/employees?company.size:null=true', 'b'],
      ['/employees?company.size:null=false&company.size:gt=3', ''],
      ['/employees?company.size:gte=3&name=d', 'd'],
      ['/employees?company.name=Acme&boss.name=a', 'd'],
      ['/employees?boss.name=b', 'c'],
      ['/employees?company.name=Zinc', ''],
      ['/employees?company.name=none', ''],
      ['/employees?company.name=Acme&q=d', 'd'],
      ['/employees?company.name=Acme&sort=-name', 'da'],
      ['/employees?company.name=Acme&limit=1&offset=1', 'd'],
      ['/companies/1/employees?company.name=Acme', 'ad'],
      ['/companies/1/employees?company.name=Bolt', ''],
      ['/v1/employees?firm.label=Acme', 'ad'],
      ['/v1/employees?boss.title=a&firm.label:startsWith=a', 'd'],
      ['/employees/count?company.name=Acme', '{"count":2}'],
      ['/employees/count?company.name=none', '{"count":0}'],
      [
        '/employees/count?by=name&company.name=Bolt',
        '{"count":1,"groups":[{"name":"b","count":1}]}',
      ],
    ] as const) {
      const { status, body } = await sendTo(registry, `GET ${url}`)
      expect([url, status, idsOf(body)]).toEqual([url, 200, ids])
    }
    const last = await sendTo(registry, 'GET /employees/last?company.name=Acme')
    expect(last.body).toMatchObject({ id: 'd' })
    const first = await sendTo(registry, 'GET /employees/first?company.name=none')
    expect(first.status).toBe(404)
  })

  test('leads from page to page', async () => {
    const registry = relatedRegistry(inMemory(relatedItems))
    const page = await sendTo(registry, 'GET /employees?company.name=Acme&limit=1', {
      prefer: 'count=exact',
    })
    expect(idsOf(page.body) + page.headers['x-total-count']).toBe('a2')
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
    expect(next).toMatch(/^\/v2\/employees\?company\.name=Acme&limit=1&after=/)
    const second = await sendTo(registry, `GET ${next}`)
    expect([idsOf(second.body), second.headers.link]).toEqual(['d', undefined])
    const foreign = await sendTo(registry, `GET ${next.replace('Acme', 'Bolt')}`)
    expect(foreign.body).toMatchObject({ code: 'invalid_cursor' })
  })

  test.each(['memory', 'sqlite'])('selects what DELETE deletes: %s', async (name) => {
    // Nobody is the boss of an item that goes.
    const equals = relatedItems.employees.map((item) => ({ ...item, boss_id: null }))
    const registry = relatedRegistry(await storeOf(name, { ...relatedItems, employees: equals }))
    const line = 'DELETE /employees?company.name=Acme'
    const bounded = await sendTo(registry, line, { prefer: 'max-affected=1' })
    expect(bounded.body).toMatchObject({ code: 'too_many_affected' })
    const dry = await sendTo(registry, `${line}&dry_run=true`, { prefer: 'max-affected=2' })
    expect(dry.body).toEqual({ deleted: 2 })
    const done = await sendTo(registry, line, { prefer: 'max-affected=2' })
    expect(done.body).toEqual({ deleted: 2 })
    expect(idsOf((await sendTo(registry, 'GET /employees')).body)).toBe('bcef')
  })

  test.each([
    [
      'company.id=1',
      'unknown_parameter',
      '"company.id" is the field "company_id": filter by that.',
    ],
    ['boss.id:ne=a', 'unknown_parameter', '"boss.id" is the field "boss_id": filter by that.'],
    ['company.nme=x', 'unknown_parameter', /Did you mean "company.name"/],
    ['company.rating=1', 'unknown_parameter', /^(?!.*rating.*rating)/],
    ['rival.name=x', 'unknown_parameter', /^(?!.*rival.*rival)/],
    ['company.boss.name=x', 'unknown_parameter', /Unknown parameter/],
    ['company=x', 'unknown_parameter', /Unknown parameter/],
    ['company.name:like=x', 'unknown_parameter', /It takes =, :ne/],
    ['company.size:gt=x', 'bad_parameter', '"company.size:gt" must be a number'],
    ['company.name:contains=', 'bad_parameter', '"company.name:contains" must not be empty'],
    [
      'company.name=a&company.size=1&boss.name=b&company.size:gt=1&company.size:lt=9',
      'bad_parameter',
      '"boss.name" is one field of related items too many: send at most 4',
    ],
    ['fields=company.name', 'bad_parameter', /does not take/],
  ])('refuses ?%s', async (search, code, message) => {
    const registry = relatedRegistry(inMemory(relatedItems))
    const { status, body } = await sendTo(registry, `GET /employees?${search}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('has no place on an item', async () => {
    const registry = relatedRegistry(inMemory(relatedItems))
    const { body } = await sendTo(registry, 'GET /employees/a?company.name=Acme')
    expect(body).toMatchObject({ code: 'unknown_parameter' })
  })

  test('finds restricted fields only where they are revealed', async () => {
    const grants = { companies: ['rating'], employees: ['rival_id'] } as const
    const registry = relatedRegistry(inMemory(relatedItems), {
      grants: { companies: [...grants.companies], employees: [...grants.employees] },
    })
    const idsFor = async (search: string) =>
      idsOf((await sendTo(registry, `GET /employees?${search}`)).body)
    expect(await idsFor('company.rating=5')).toBe('ad')
    expect(await idsFor('rival.name=Bolt')).toBe('a')
    expect(await idsFor('rival.rating=5')).toBe('b')
  })

  test('finds no restricted field where no caller is known', async () => {
    const shop = defineResource('shops', {
      schema: z.object({ id: z.string(), code: z.string().optional() }),
      restricted: ['code'],
      filterable: ['code'],
    })
    const visit = defineResource('visits', {
      schema: z.object({ id: z.string(), shop_id: z.string() }),
      references: { shop_id: 'shops' },
    })
    const registry = defineRegistry(
      defineApi({ v1: { '/shops': shop, '/visits': visit } }),
    ).adapters({
      shops: memoryAdapter({ items: [{ id: '1', code: 'x' }] }),
      visits: memoryAdapter({ items: [{ id: '1', shop_id: '1' }] }),
    })
    const { body } = await sendTo(registry, 'GET /visits?shop.code=x')
    expect(body).toMatchObject({ code: 'unknown_parameter' })
  })
})

describe('the look-up of related items', () => {
  const seen: string[] = []
  const noting: Middleware = (operation, _, next) => {
    const { related, where } = operation.query
    seen.push(`${operation.kind} ${operation.resource.name} ${where.length} ${related?.length}`)
    return next()
  }

  test('is a list of its own, through the middleware', async () => {
    seen.length = 0
    const registry = relatedRegistry(inMemory(relatedItems), { middleware: noting })
    const { body } = await sendTo(registry, 'GET /employees?company.name=Acme')
    expect(idsOf(body)).toBe('ad')
    expect(seen).toEqual(['list employees 0 1', 'list companies 1 undefined'])
    seen.length = 0
    await sendTo(registry, 'GET /employees?name=a')
    expect(seen).toEqual(['list employees 1 undefined'])
  })

  const ofCompanies =
    (answer: Middleware): Middleware =>
    (operation, context, next) =>
      operation.resource.name === 'companies' ? answer(operation, context, next) : next()
  const all = { gives: 'items', items: relatedItems.companies } as const

  test.each<readonly [string, Middleware]>([
    ['401', () => Promise.reject(problem('unauthenticated'))],
    [
      '403',
      () => {
        throw problem('forbidden')
      },
    ],
    ['404', () => Promise.reject(problem('not_found'))],
    ['an answer of the middleware', () => all],
    ['a list that it empties', async (_, __, next) => ({ ...(await next()), ...all, items: [] })],
    [
      'a stream that it empties',
      async (_, __, next) => ({ ...(await next()), ...all, items: (async function* () {})() }),
    ],
  ])('finds nothing behind %s', async (_, answer) => {
    const registry = relatedRegistry(inMemory(relatedItems), { middleware: ofCompanies(answer) })
    const { status, body } = await sendTo(registry, 'GET /employees?company.name=Acme')
    expect([status, idsOf(body)]).toEqual([200, ''])
  })

  test('finds no item that the middleware adds', async () => {
    const registry = relatedRegistry(inMemory(relatedItems), {
      middleware: ofCompanies(async (_, __, next) => ({ ...(await next()), ...all })),
    })
    const { body } = await sendTo(registry, 'GET /employees?company.name=Bolt')
    expect(idsOf(body)).toBe('b')
  })

  test('tells any other problem', async () => {
    const registry = relatedRegistry(inMemory(relatedItems), {
      middleware: ofCompanies(() => Promise.reject(problem('rate_limited'))),
    })
    const { status } = await sendTo(registry, 'GET /employees?company.name=Acme')
    expect(status).toBe(429)
  })

  const many = (length: number): RelatedItems => ({
    companies: Array.from({ length }, (_, index) => ({
      ...{ id: index + 1, tenant_id: index % 3 ? 'a' : 'b', name: 'x', size: index, rating: null },
    })),
    employees: [
      { ...relatedItems.employees[0], company_id: length } as RelatedItems['employees'][number],
    ],
  })

  test.each(storeNames)('joins, or selects at most 1,000 items of the caller: %s', async (name) => {
    const fitting = relatedRegistry(await storeOf(name, many(1500)))
    expect(idsOf((await sendTo(fitting, 'GET /employees?company.name=x')).body)).toBe('a')
    const tooMany = relatedRegistry(await storeOf(name, many(1503)))
    const { status, body } = await sendTo(tooMany, 'GET /employees?company.name=x')
    if (name !== 'adapters by hand') return expect(idsOf(body)).toBe('a')
    expect(status).toBe(400)
    expect(body).toMatchObject({
      code: 'bad_parameter',
      message: '"company.name" selects more than 1000 related items: add a filter',
    })
  })

  test('reads on behind items that a middleware hides', async () => {
    const registry = relatedRegistry(inMemory(many(3000)), {
      middleware: ofCompanies(async (_, __, next) => {
        const outcome = await next()
        if (outcome.gives !== 'items' || !Array.isArray(outcome.items)) return outcome
        return { ...outcome, items: outcome.items.filter(({ size }) => size > 2900) }
      }),
    })
    expect(idsOf((await sendTo(registry, 'GET /employees?company.name=x')).body)).toBe('a')
  })

  test.each(['memory', 'sqlite'])('joins only what the list has: %s', async (name) => {
    const store = await storeOf(name)
    const companies = store.companies as Adapter
    const bolt = relatedItems.companies.filter(({ name }) => name === 'Bolt')
    const { db } = database
    const open = (hooks: {
      visible?: () => RawBuilder<boolean>
      softDelete?: string
    }): RelatedStore['companies'] => kyselyAdapter(db, { table: 'companies', folded, ...hooks })
    const hiding: Readonly<Record<string, object>> = {
      narrowed: narrow(companies, { id: 2 }),
      'with methods of its own': {
        ...{ ...companies, read: () => null, first: undefined, last: undefined, count: undefined },
        list: (operation: Operation) => select(bolt, operation),
      },
      ...(name === 'sqlite' && {
        visible: open({ visible: () => sql<boolean>`name = 'Bolt'` }),
        deleted: open({ softDelete: 'gone_at' }),
      }),
    }
    await db
      .updateTable('companies')
      .set({ gone_at: sql`case when name = 'Bolt' then null else 'now' end` })
      .execute()
    for (const [way, adapter] of Object.entries(hiding)) {
      const registry = relatedRegistry({ ...store, companies: adapter as never })
      const { body } = await sendTo(registry, 'GET /employees?company.name:gte=A')
      expect([way, idsOf(body)]).toEqual([way, 'b'])
      // Nobody joins past methods that hide items.
      const order = await sendTo(registry, 'GET /employees?sort=company.name,-name')
      const isRefused = way === 'with methods of its own'
      expect([way, order.status]).toEqual([way, isRefused ? 400 : 200])
      if (!isRefused) expect([way, idsOf(order.body)]).toEqual([way, 'bfedca'])
    }
  })

  test.each([
    ['joins for one that asks whether it is a promise', 'then', 200],
    ['looks the items up for one that asks anything else', 'next', 400],
  ])('%s', async (_, name, status) => {
    const asking = ofCompanies(async (_operation, _context, next) => {
      const outcome = await next()
      return name in outcome ? outcome : outcome
    })
    const registry = relatedRegistry(inMemory(many(2000)), { middleware: asking })
    expect((await sendTo(registry, 'GET /employees?company.name=x')).status).toBe(status)
  })

  test('looks the items of another store up', async () => {
    const { companies } = await storeOf('sqlite')
    const registry = relatedRegistry({ ...inMemory(relatedItems), companies })
    expect(idsOf((await sendTo(registry, 'GET /employees?company.name=Acme')).body)).toBe('ad')
  })

  test('refuses an outcome that a middleware kept of another request', async () => {
    const kept: Outcome[] = []
    const keeping = ofCompanies(async (_, __, next) => {
      const [outcome = await next()] = kept
      kept.push(outcome)
      return outcome
    })
    const registry = relatedRegistry(inMemory(relatedItems), { middleware: keeping })
    const { body } = await sendTo(registry, 'GET /employees?company.name=Acme')
    expect(idsOf(body)).toBe('ad')
    expect((await sendTo(registry, 'GET /companies')).status).toBe(500)
  })

  test('joins behind a middleware that changes the operation', async () => {
    const confining = ofCompanies((operation, __, next) => {
      Object.assign(operation, { scope: { tenant_id: 'a', id: 2 } })
      return next()
    })
    const registry = relatedRegistry(inMemory(many(2000)), { middleware: confining })
    expect(idsOf((await sendTo(registry, 'GET /employees?company.name=x')).body)).toBe('')
  })

  test('needs a list of the related resource', async () => {
    const { companies: whole, employees: list } = inMemory(relatedItems)
    const registry = relatedRegistry({ companies: { read: whole.read as never }, employees: list })
    const { status, body } = await sendTo(registry, 'GET /employees?company.name=x')
    expect(status).toBe(400)
    expect(body).toMatchObject({ message: expect.stringMatching(/does not list/) })
  })

  test('compares the value that the storage of the related items holds', async () => {
    const { companies: whole, employees: list } = inMemory(relatedItems)
    const storedForm = () => (_field: string, value: unknown) =>
      typeof value === 'string' ? value.replace('acme', 'Acme') : value
    const registry = relatedRegistry({ companies: { ...whole, storedForm }, employees: list })
    const { body } = await sendTo(registry, 'GET /employees?company.name=acme')
    expect(idsOf(body)).toBe('ad')
  })

  test('leaves out a resource without a list, also where it has restricted fields', async () => {
    const api = defineApi({
      v1: {
        '/secrets': defineResource('secrets', {
          schema: z.object({ id: z.string(), code: z.string().optional() }),
          restricted: ['code'],
          without: ['list'],
        }),
        '/notes': defineResource('notes', {
          schema: z.object({ id: z.string(), secret_id: z.string() }),
          references: { secret_id: 'secrets' },
        }),
      },
    })
    const registry = defineRegistry(api)
      .reveal(() => ({}))
      .adapters({
        secrets: memoryAdapter({ items: [{ id: 's', code: 'x' }] }),
        notes: memoryAdapter({ items: [{ id: 'n', secret_id: 's' }] }),
      })
    expect((await sendTo(registry, 'GET /notes?secret.code=x')).status).toBe(400)
    const { body } = await sendTo(registry, 'GET /notes/n?include=secret')
    expect(body).toEqual({ id: 'n', secret_id: 's', secret: { id: 's' } })
  })

  test('refuses an adapter that gives the same page again', async () => {
    const { companies: rows, employees: people } = many(3000)
    const registry = relatedRegistry(
      {
        companies: {
          read: () => null,
          list: (operation) =>
            select(rows, { ...operation, query: { ...operation.query, after: undefined } }),
        },
        employees: { read: () => null, list: (operation) => select(people, operation) },
      },
      {
        middleware: ofCompanies(async (_, __, next) => ({ ...(await next()), ...all, items: [] })),
      },
    )
    const { status } = await sendTo(registry, 'GET /employees?company.name=x')
    expect(status).toBe(500)
  })
})

describe('a related item below a parent', () => {
  const groups = defineResource('groups', {
    schema: z.object({ id: z.string(), tenant_id: z.string() }),
    ownedBy: ['tenant_id'],
  })
  const teams = defineResource('teams', {
    schema: z.object({ id: z.string(), group_id: z.string(), name: z.string() }),
    ownedBy: 'parent',
    references: { group_id: 'groups' },
    filterable: ['name'],
  })
  const desks = defineResource('desks', {
    schema: z.object({
      ...{ id: z.string(), group_id: z.string(), team_id: z.string(), name: z.string() },
    }),
    ownedBy: 'parent',
    references: { team_id: 'teams' },
    filterable: ['name'],
  })
  const people = defineResource('people', {
    schema: z.object({
      ...{ id: z.string(), tenant_id: z.string(), team_id: z.string(), desk_id: z.string() },
    }),
    ownedBy: ['tenant_id'],
    references: { team_id: 'teams', desk_id: 'desks' },
    plural: true,
  })
  const api = defineApi({
    v1: {
      '/groups': groups,
      '/groups/:group_id/teams': teams,
      '/groups/:group_id/teams/:team_id/desks': desks,
      '/people': people,
    },
  })

  const groupItems = [
    { id: '1', tenant_id: 'a' },
    { id: '2', tenant_id: 'b' },
  ]
  test.each<readonly [string, object]>([
    ['that one store joins', memoryAdapter({ items: groupItems })],
    [
      'of an adapter by hand',
      {
        list: (operation: Operation) => select(groupItems, operation),
        read: ({ id, scope }: Operation) =>
          groupItems.find((item) => item.id === id && item.tenant_id === scope.tenant_id),
      },
    ],
  ])('belongs to the owner of its parents %s', async (_, groupAdapter) => {
    const registry = defineRegistry(api)
      .context(() => 'a')
      .scope(() => ({ tenant_id: 'a' }))
      .adapters({
        groups: groupAdapter as never,
        teams: memoryAdapter({
          items: [
            { id: '1', group_id: '1', name: 'x' },
            { id: '2', group_id: '2', name: 'x' },
          ],
        }),
        // The third lies in a group that its team does not lie in.
        desks: memoryAdapter({
          items: ['11', '22', '12'].map(([group_id = '', team_id = ''], place) => ({
            ...{ id: `${place + 1}`, group_id, team_id, name: 'x' },
          })),
        }),
        people: memoryAdapter({
          items: ['11', '22', '32'].map(([id = '', team_id = '']) => ({
            ...{ id, tenant_id: 'a', team_id, desk_id: id },
          })),
        }),
      })
    for (const reference of ['team', 'desk'])
      expect(idsOf((await sendTo(registry, `GET /people?${reference}.name=x`)).body)).toBe('1')
  })
})

describe('a name means one thing', () => {
  test('a member with the name of a related field is refused', () => {
    const declare = () =>
      defineResource('notes', {
        // A schema that tells no members.
        schema: z.object({ id: z.string(), company_id: z.string() }).loose(),
        filterable: { 'company.name': 'text' },
        references: { company_id: 'companies' },
      } as never)
    expect(declare).toThrow(
      'filters by "company.name", which is also a field of the "company" that "company_id" names',
    )
  })

  test('a member with a dot or a colon takes no filters', async () => {
    const notes = defineResource('notes', {
      schema: z.object({ id: z.string(), company_id: z.string(), firm_id: z.string() }),
      references: {
        company_id: { to: 'shops', as: 'the.company' },
        firm_id: { to: 'shops', as: 'the:firm' },
      },
    })
    const shops = defineResource('shops', {
      schema: z.object({ id: z.string(), name: z.string() }),
      filterable: ['name'],
    })
    const registry = defineRegistry(
      defineApi({ v1: { '/notes': notes, '/shops': shops } }),
    ).adapters({ notes: memoryAdapter(), shops: memoryAdapter() })
    const { body } = await sendTo(registry, 'GET /notes?the.company.name=x')
    expect((body as { allowed: readonly string[] }).allowed.join()).not.toMatch(/company|firm/)
  })
})

const numRuns = Number(process.env.RUNS ?? 25)

test.each(storeNames)('answers as a look at each item: %s', async (name) => {
  await fc.assert(
    fc.asyncProperty(
      anyRelatedItems,
      fc.array(anyRelatedFilters, { minLength: 4, maxLength: 8 }),
      fc.constantFrom('a', 'b', '*'),
      // The storage joins, unless a middleware looks at the related items.
      fc.constantFrom(undefined, touching),
      async (items, queries, tenant, middleware) => {
        const grants = { companies: ['rating'], employees: ['rival_id'] } as const
        const registry = relatedRegistry(await storeOf(name, items), {
          tenant,
          middleware,
          grants: { companies: [...grants.companies], employees: [...grants.employees] },
        })
        for (const filters of queries) {
          const search = searchOf(filters)
          const { body } = await sendTo(registry, `GET /employees?${search}`)
          const expected = expectedIds(items, filters, tenant)
          expect([search, idsOf(body)]).toEqual([search, expected.join('')])
        }
      },
    ),
    { numRuns },
  )
})
