import fc from 'fast-check'
import { defineApi, defineRegistry, defineResource, type Middleware, problem } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { toOpenApi } from 'nounful/openapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { finderFor } from '../openapi/declared.ts'
import {
  anyRelatedItems,
  anyRelatedOrder,
  byFewLines,
  inMemory,
  orderedIds,
  type RelatedItems,
  type RelatedStore,
  relatedDatabase,
  relatedItems,
  relatedRegistry,
  sendTo,
  touching,
  walkPages,
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
  sqlite: (items) => database.fill(items),
}
const storeNames = Object.keys(stores)
const storeOf = (name: string, items = relatedItems) => stores[name]?.(items) as RelatedStore

const idsOf = (body: unknown): string =>
  Array.isArray(body) ? body.map(({ id }) => id).join('') : JSON.stringify(body)

describe('C4.12: an order by fields of related items', () => {
  const revealing: Parameters<typeof relatedRegistry>[1] = {
    grants: { employees: ['rival_id'], companies: ['rating'] },
  }
  const pathsOfEmployees = ['/v2/employees', '/v2/companies/1/employees', '/v1/employees']

  test.each(storeNames)('is named by OPTIONS where it is taken: %s', async (name) => {
    const registry = relatedRegistry(await storeOf(name), revealing)
    for (const path of pathsOfEmployees) {
      const { body } = await sendTo(registry, `OPTIONS ${path}`)
      const references: readonly { as?: string; sortable?: readonly string[] }[] =
        Object(body).references
      const orders = references.flatMap(({ as, sortable = [] }) =>
        sortable.map((field) => `${as}.${field}`),
      )
      expect(orders).toContain(path.startsWith('/v1') ? 'firm.label' : 'company.name')
      for (const order of orders)
        expect(await sendTo(registry, `GET ${path}?sort=-${order}`)).toMatchObject({ status: 200 })
      const document = toOpenApi(registry, { info: { title: 'A', version: '1' } })
      const declared = finderFor(document)('GET', path)?.parameters
      const sort = Object(declared?.find(({ name }) => name === 'sort')?.schema)
      const named: readonly string[] = sort.items.enum.filter((word: string) => word.includes('.'))
      expect(named).toEqual(orders.flatMap((order) => [order, `-${order}`]))
    }
  })

  test.each(storeNames)('is named with the fields of some callers only: %s', async (name) => {
    const registry = relatedRegistry(await storeOf(name))
    const refused: string[] = []
    for (const path of pathsOfEmployees) {
      const { operations, references, restricted } = Object(
        (await sendTo(registry, `OPTIONS ${path}`)).body,
      )
      for (const { field, as, sortable = [], restricted: hidden = [] } of references) {
        const parameters: readonly string[] = operations[0].parameters
        const filters = parameters.filter((filter) => filter.startsWith(`${as}.`))
        const orders = sortable.map((order: string) => `sort=${as}.${order}`)
        for (const query of [...filters.map((filter) => `${filter}=1`), ...orders]) {
          const { body } = await sendTo(registry, `GET ${path}?${query}`)
          const isHidden = hidden.some((part: string) => query.includes(`.${part}`))
          const code = query.startsWith('sort') ? 'sort_unknown_field' : 'unknown_parameter'
          const isRefused = Object(body).code === code
          expect([query, isRefused]).toEqual([query, isHidden || restricted.includes(field)])
          if (isHidden) refused.push(query)
        }
      }
    }
    expect(refused).toContain('company.rating:gte=1')
    expect(refused).toContain('sort=company.rating')
  })

  test('is not named where the storage cannot take it', async () => {
    const registry = relatedRegistry(byFewLines(relatedItems), revealing)
    for (const path of pathsOfEmployees) {
      const { body } = await sendTo(registry, `OPTIONS ${path}`)
      for (const row of Object(body).references) expect(row).not.toHaveProperty('sortable')
    }
    const document = JSON.stringify(toOpenApi(registry, { info: { title: 'A', version: '1' } }))
    expect(document).not.toMatch(/"-company\.name"/)
  })

  // `c` names no company, `e` one of the other tenant, and `f` one that is gone.
  test.each(storeNames)('has items without a visible one as missing: %s', async (name) => {
    const registry = relatedRegistry(await storeOf(name))
    for (const [url, ids] of [
      ['/employees?sort=company.name', 'adbcef'],
      ['/employees?sort=-company.name', 'cefbad'],
      ['/employees?sort=company.name,-name', 'dabfec'],
      ['/employees?sort=-name,company.name', 'fedcba'],
      ['/employees?sort=-company.size', 'bcefad'],
      ['/employees?sort=boss.name,-company.name,id', 'bdcefa'],
      ['/employees?sort=company.name&company.size:null=false', 'ad'],
      ['/employees?sort=-company.name&company.name:ne=Zinc&boss.name=a', 'bd'],
      ['/employees?sort=company.name&q=b', 'b'],
      ['/employees?sort=-company.name&name:gt=b', 'cefd'],
      ['/employees?sort=company.name&id=f&id=b', 'bf'],
      ['/employees?sort=company.name&limit=2&offset=1', 'db'],
      ['/companies/1/employees?sort=-company.name,-name', 'da'],
      ['/v1/employees?sort=firm.label,-title', 'dabfec'],
    ] as const) {
      const { status, body } = await sendTo(registry, `GET ${url}`)
      expect([url, status, idsOf(body)]).toEqual([url, 200, ids])
    }
  })
})

describe('the list of the related items', () => {
  const ofCompanies =
    (answer: Middleware): Middleware =>
    (operation, context, next) =>
      operation.resource.name === 'companies' ? answer(operation, context, next) : next()
  const url = '/employees?sort=-company.name,-name'
  const refusal = '"sort" cannot take "company.name" here: the storage cannot sort by it'

  test('has the order, the conditions and the scope of the client', async () => {
    const seen: unknown[] = []
    const noting: Middleware = (operation, _, next) => {
      const { sort, where, related } = operation.query
      seen.push([operation.resource.name, sort.map(({ field }) => field), where.length, related])
      return next()
    }
    const registry = relatedRegistry(inMemory(relatedItems), { middleware: noting })
    await sendTo(registry, 'GET /employees?sort=company.name,boss.name,-company.size')
    await sendTo(registry, 'GET /employees?sort=company.name&company.name=Acme')
    expect(seen).toEqual([
      ['employees', ['company.name', 'boss.name', 'company.size', 'id'], 0, []],
      ['companies', ['name', 'size', 'id'], 0, undefined],
      ['employees', ['name', 'id'], 0, undefined],
      ['employees', ['company.name', 'id'], 0, [expect.objectContaining({ as: 'company' })]],
      ['companies', ['name', 'id'], 1, undefined],
    ])
  })

  test.each<readonly [string, Middleware]>([
    ['401', () => Promise.reject(problem('unauthenticated'))],
    ['403', () => Promise.reject(problem('forbidden'))],
    [
      '404 after the list',
      async (_, __, next) => {
        await next()
        throw problem('not_found')
      },
    ],
    ['an answer of the middleware', () => ({ gives: 'items', items: relatedItems.companies })],
  ])('shows no item behind %s', async (_, answer) => {
    const registry = relatedRegistry(inMemory(relatedItems), { middleware: ofCompanies(answer) })
    expect(idsOf((await sendTo(registry, `GET ${url}`)).body)).toBe('fedcba')
    expect((await walkPages(registry, `${url}&limit=2`)).join('')).toBe('fedcba')
    const filtered = await sendTo(registry, `GET ${url}&company.name=Acme`)
    expect(idsOf(filtered.body)).toBe('')
    // A page of a time when the client saw the companies.
    const page = await sendTo(relatedRegistry(inMemory(relatedItems)), `GET ${url}&limit=4`)
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
    expect((await sendTo(registry, `GET ${next}`)).body).toMatchObject({ code: 'invalid_cursor' })
  })

  test.each<readonly [string, Middleware]>([
    ['a middleware that reads it', touching],
    ['a middleware that changes it', async (_, __, next) => ({ ...(await next()), items: [] })],
  ])('cannot order behind %s', async (_, answer) => {
    const registry = relatedRegistry(inMemory(relatedItems), { middleware: ofCompanies(answer) })
    for (const search of ['', '&company.name=Acme']) {
      const { status, body } = await sendTo(registry, `GET ${url}${search}`)
      expect([status, body]).toMatchObject([400, { code: 'bad_parameter', message: refusal }])
    }
  })

  test('cannot order by another store, a few lines, and without a list', async () => {
    const { companies } = await storeOf('sqlite')
    const inBoth = { ...inMemory(relatedItems), companies }
    const unlisted = {
      ...inMemory(relatedItems),
      companies: { read: () => null },
    }
    for (const store of [inBoth, byFewLines(relatedItems), unlisted]) {
      const { status, body } = await sendTo(relatedRegistry(store), `GET ${url}`)
      expect([status, body]).toMatchObject([400, { code: 'bad_parameter', message: refusal }])
    }
  })

  test('tells any other problem', async () => {
    const registry = relatedRegistry(inMemory(relatedItems), {
      middleware: ofCompanies(() => Promise.reject(problem('rate_limited'))),
    })
    expect((await sendTo(registry, `GET ${url}`)).status).toBe(429)
  })
})

describe('a request', () => {
  test.each([
    ['sort=company.id', /"company.id": it is the field "company_id". Sortable: id, name, company/],
    ['sort=-boss.id', /"boss.id": it is the field "boss_id". Sortable: id, name, boss.name\.$/],
    ['sort=company.nme', /Sortable: id, name, company.name, company.size, company.motto\.$/],
    ['sort=company.rating', /Cannot sort by "company.rating"/],
    ['sort=rival.name', /Cannot sort by "rival.name". Sortable: id, name\.$/],
    ['sort=company.boss.name', /Cannot sort by "company.boss.name"/],
    ['sort=company', /Sortable: id, name, company.name, company.size, company.motto\.$/],
    ['sort=-boss', /Cannot sort by "boss". Sortable: id, name, boss.name\.$/],
    ['sort=boss_id', /Cannot sort by "boss_id". Sortable: id, name, boss.name\.$/],
    ['sort=rival', /Cannot sort by "rival". Sortable: id, name\.$/],
    ['sort=company.name,company.name', /names "company.name" twice/],
  ])('with ?%s is refused', async (search, message) => {
    const registry = relatedRegistry(inMemory(relatedItems))
    const { status, body } = await sendTo(registry, `GET /employees?${search}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ message: expect.stringMatching(message) })
  })

  test('names at most four fields of related items', async () => {
    const grants = { companies: ['rating'], employees: ['rival_id'] } as never
    const registry = relatedRegistry(inMemory(relatedItems), { grants })
    const four = 'sort=company.name,-company.size,company.rating,boss.name'
    expect((await sendTo(registry, `GET /employees?${four}`)).status).toBe(200)
    for (const [search, parameter] of [
      [`${four},rival.name`, 'sort'],
      [`${four}&rival.name=x`, 'rival.name'],
      [`${four},rival.name&rival.name=x`, 'sort'],
    ] as const) {
      const { status, body } = await sendTo(registry, `GET /employees?${search}`)
      expect([search, status]).toEqual([search, 400])
      expect(body).toMatchObject({
        code: 'bad_parameter',
        issues: [{ parameter }, ...(search.includes('&') && parameter === 'sort' ? [{}] : [])],
      })
    }
  })

  test('orders by a restricted field only where it is revealed', async () => {
    const grants = { companies: ['rating'] } as never
    const registry = relatedRegistry(inMemory(relatedItems), { grants })
    const url = '/employees?sort=company.rating&limit=2'
    const page = await sendTo(registry, `GET ${url}`)
    expect(idsOf(page.body)).toBe('ba')
    const next = /<([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
    const other = await sendTo(relatedRegistry(inMemory(relatedItems)), `GET ${next}`)
    expect(other.body).toMatchObject({ code: 'sort_unknown_field' })
  })

  test.each(storeNames)('gives a page its fields and references only: %s', async (name) => {
    const registry = relatedRegistry(await storeOf(name))
    const sent = async (search: string) =>
      (await sendTo(registry, `GET /employees?sort=company.name&limit=1&${search}`)).body
    expect(await sent('fields=name')).toStrictEqual([{ id: 'a', name: 'a' }])
    expect(await sent('include=company')).toMatchObject([{ company: { name: 'Acme' } }])
    const [whole] = (await sent('')) as readonly object[]
    expect(Reflect.ownKeys(whole ?? {}).filter((key) => typeof key === 'symbol')).toEqual([])
    const counted = await sendTo(registry, 'GET /employees?sort=company.name&limit=1', {
      prefer: 'count=exact',
    })
    expect(counted.headers['x-total-count']).toBe('6')
    const first = await sendTo(registry, 'GET /employees/first?sort=-company.name')
    expect([first.body, first.status]).toMatchObject([{ id: 'c' }, 200])
    expect(Object.getOwnPropertySymbols(first.body)).toEqual([])
  })

  const cursorOf = async (values: readonly unknown[], path: string, name: string) => {
    const registry = relatedRegistry(await storeOf(name))
    const page = await sendTo(registry, `GET ${path}&limit=1`)
    const text = /after=([^>]+)>/.exec(String(page.headers.link))?.[1] ?? ''
    const [binding] = JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')))
    const forged = btoa(JSON.stringify([binding, ...values])).replace(/=+$/, '')
    return sendTo(registry, `GET ${path}&limit=1&after=${forged}`)
  }
  test.each(storeNames)('cannot forge a cursor: %s', async (name) => {
    const path = '/employees?sort=company.size'
    for (const values of [['x', 'a'], [true, 'a'], [{}, 'a'], [3], [], [null, null]]) {
      const { status, body } = await cursorOf(values, path, name)
      // SQLite holds a text in any column, and the memory whatever there is.
      const isHeld = values[0] === 'x' || (name === 'memory' && values[0] === true)
      if (isHeld) expect(status).toBe(200)
      else expect([values, body]).toMatchObject([values, { code: 'invalid_cursor' }])
    }
    expect(idsOf((await cursorOf([3, 'a'], path, name)).body)).toBe('d')
    expect(idsOf((await cursorOf([null, 'c'], path, name)).body)).toBe('e')
    expect(idsOf((await cursorOf([4, 'zz'], path, name)).body)).toBe('b')
  })
})

test('a field with the name of a related one is refused', () => {
  const declare = () =>
    defineResource('notes', {
      schema: z.object({ id: z.string(), company_id: z.string(), 'company.name': z.string() }),
      sortable: ['company.name'],
      references: { company_id: 'companies' },
    })
  expect(declare).toThrow('sorts by "company.name", which is also a field of the "company"')
})

test.each([
  ['memory', 5000],
  ['sqlite', 1500],
] as const)('a list of many items comes in parts: %s', async (name, length) => {
  const employees = Array.from({ length }, (_, index) => ({
    ...{ id: String(index).padStart(5, '0'), tenant_id: 'a', name: 'x', boss_id: null },
    ...{ company_id: (index % 4) + 1, rival_id: null },
  }))
  const items = { ...relatedItems, employees }
  const registry = relatedRegistry(
    name === 'memory'
      ? { ...inMemory(relatedItems), employees: memoryAdapter({ items: employees }) }
      : await storeOf(name, items),
  )
  const expected = orderedIds(items, ['-company.name'], 'a')
  const { body } = await sendTo(registry, 'GET /employees?sort=-company.name')
  const ids: string[] = []
  for await (const item of body as AsyncIterable<object>) ids.push(Reflect.get(item, 'id'))
  expect(ids).toEqual(expected)
  const page = await sendTo(registry, 'GET /employees?sort=-company.name&limit=3&offset=1')
  const paged = page.body as readonly { readonly id: string }[]
  expect(paged.map(({ id }) => id)).toEqual(expected.slice(1, 4))
})

test('C4.10: filters and an order share one bound, whatever the name of the member', async () => {
  const schema = z.object({ id: z.string(), name: z.string(), chief: z.string() })
  const people = defineResource('people', {
    schema,
    sortable: ['name'],
    searchable: ['name'],
    filterable: ['name'],
    references: { chief: { to: 'people', as: 'co-chief' } },
  })
  const registry = defineRegistry(defineApi({ v1: { '/people': people } })).adapters({
    people: memoryAdapter(),
  })
  const filters = ['', ':ne', ':gt', ':contains'].map((operator) => `co-chief.name${operator}=a`)
  const search = `${filters.join('&')}&sort=co-chief.name`
  const { body } = await sendTo(registry, `GET /people?${search}`)
  expect(body).toMatchObject({ code: 'bad_parameter' })
  const fewer = search.replace(filters[0] ?? '', '')
  expect(await sendTo(registry, `GET /people?${fewer}`)).toMatchObject({ status: 200, body: [] })
})

const numRuns = Number(process.env.RUNS ?? 40)

test.each(storeNames)('orders as a look at each item: %s', async (name) => {
  await fc.assert(
    fc.asyncProperty(
      anyRelatedItems,
      anyRelatedOrder,
      fc.constantFrom('a', 'b', '*'),
      fc.integer({ min: 1, max: 3 }),
      async (items, order, tenant, limit) => {
        const registry = relatedRegistry(await storeOf(name, items), {
          tenant,
          grants: { companies: ['rating'], employees: ['rival_id'] },
        })
        const path = `/employees?sort=${order}`
        const expected = orderedIds(items, order, tenant)
        const { body } = await sendTo(registry, `GET ${path}`)
        expect([path, idsOf(body)]).toEqual([path, expected.join('')])
        const walked = await walkPages(registry, `${path}&limit=${limit}`)
        expect([path, walked]).toEqual([path, expected])
        const last = await sendTo(registry, `GET ${path.replace('?', '/last?')}`)
        if (expected.length > 0) expect(last.body).toMatchObject({ id: expected.at(-1) })
      },
    ),
    { numRuns },
  )
})
