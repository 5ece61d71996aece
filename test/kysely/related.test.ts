import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  anyRelatedFilters,
  anyRelatedItems,
  anyRelatedOrder,
  expectedIds,
  groupsOf,
  orderedIds,
  relatedDatabase,
  relatedItems,
  relatedRegistry,
  searchOf,
  sendTo,
  touching,
  walkPages,
} from '../support/related.ts'
import { engines, has } from '../support/stores.ts'

const numRuns = Number(process.env.RUNS ?? 150)
const served = engines.filter((engine) => engine !== 'sqlite' && has(engine))

describe.each(served)('orders by fields of related items on %s', (engine) => {
  test('are as by hand, page by page', { timeout: 120_000 }, async () => {
    const database = await relatedDatabase(engine)
    const run = fc.asyncProperty(
      anyRelatedItems,
      fc.array(anyRelatedOrder, { minLength: 4, maxLength: 8 }),
      fc.constantFrom('a', 'b', '*'),
      fc.integer({ min: 1, max: 3 }),
      async (items, orders, tenant, limit) => {
        const registry = relatedRegistry(await database.fill(items), {
          tenant,
          grants: { companies: ['rating'], employees: ['rival_id'] },
        })
        for (const order of orders) {
          const expected = orderedIds(items, order, tenant)
          const path = `/employees?sort=${order}`
          expect([path, await walkPages(registry, path)]).toEqual([path, expected])
          const walked = await walkPages(registry, `${path}&limit=${limit}`)
          expect([path, walked]).toEqual([path, expected])
          if (expected.length === 0) continue
          const { body } = await sendTo(registry, `GET /employees/last?sort=${order}`)
          expect(body).toMatchObject({ id: expected.at(-1) })
        }
      },
    )
    await fc.assert(run, { numRuns })
    await database.drop()
  })
})

describe.each(served)('filters of related items on %s', (engine) => {
  test('answer as a look at each item', { timeout: 120_000 }, async () => {
    const database = await relatedDatabase(engine)
    const run = fc.asyncProperty(
      anyRelatedItems,
      fc.array(anyRelatedFilters, { minLength: 4, maxLength: 8 }),
      fc.constantFrom('a', 'b', '*'),
      // The storage joins, unless a middleware looks at the related items.
      fc.constantFrom(undefined, touching),
      async (items, queries, tenant, middleware) => {
        const registry = relatedRegistry(await database.fill(items), {
          tenant,
          middleware,
          grants: { companies: ['rating'], employees: ['rival_id'] },
        })
        for (const filters of queries) {
          const search = searchOf(filters)
          const { body } = await sendTo(registry, `GET /employees?${search}`)
          const ids = (body as readonly { readonly id: string }[]).map(({ id }) => id)
          expect([search, ids]).toEqual([search, expectedIds(items, filters, tenant)])
        }
      },
    )
    await fc.assert(run, { numRuns })
    // More than the core reads where the storage joins nothing.
    const companies = Array.from({ length: 1100 }, (_, index) => ({
      ...{ id: index + 1, tenant_id: 'a', name: 'x', size: null, rating: null },
    }))
    const [employee] = relatedItems.employees
    const employees = employee === undefined ? [] : [{ ...employee, company_id: 1100 }]
    const registry = relatedRegistry(await database.fill({ companies, employees }))
    const { body } = await sendTo(registry, 'GET /employees?company.name=x&boss.name:ne=y')
    const joined = await sendTo(registry, 'GET /employees?company.name=x')
    expect([body, joined.body]).toMatchObject([[], [{ id: 'a' }]])
    await database.drop()
  })
})

describe.each(engines.filter(has))('counts by values on %s', (engine) => {
  test('are as a look at each item', { timeout: 120_000 }, async () => {
    const database = await relatedDatabase(engine)
    const anyFields = fc.shuffledSubarray(['name', 'company_id', 'boss_id'], {
      ...{ minLength: 1, maxLength: 2 },
    })
    const anyCompanyFields = fc.shuffledSubarray(['name', 'size', 'rating', 'motto'], {
      ...{ minLength: 1, maxLength: 2 },
    })
    const run = fc.asyncProperty(
      anyRelatedItems,
      fc.array(fc.tuple(anyRelatedFilters, anyFields, anyCompanyFields), { minLength: 4 }),
      fc.constantFrom('a', 'b', '*'),
      fc.constantFrom(undefined, touching),
      async (items, questions, tenant, middleware) => {
        const registry = relatedRegistry(await database.fill(items), {
          ...{ tenant, middleware },
          grants: { companies: ['rating'], employees: ['rival_id'] },
        })
        const isSeen = (item: { readonly tenant_id: string }): boolean =>
          tenant === '*' || item.tenant_id === tenant
        for (const [filters, by, companyFields] of questions) {
          const ids = expectedIds(items, filters, tenant)
          const found = items.employees.filter(({ id }) => ids.includes(id))
          const path = `/employees/count?by=${by}&${searchOf(filters)}`
          const { body } = await sendTo(registry, `GET ${path}`)
          const expected = { count: found.length, groups: groupsOf(found, by) }
          expect([path, body]).toEqual([path, expected])
          const companyPath = `/companies/count?by=${companyFields}`
          const counted = await sendTo(registry, `GET ${companyPath}`)
          const companies = items.companies.filter(isSeen)
          const groups = groupsOf(companies, companyFields)
          expect([companyPath, counted.body]).toEqual([
            companyPath,
            { count: companies.length, groups },
          ])
        }
      },
    )
    await fc.assert(run, { numRuns })
    await database.drop()
  })
})

// The boss of an employee stands in the table from which the statement deletes.
describe.each(engines.filter(has))('DELETE by fields of related items on %s', (engine) => {
  test('deletes what a look at each item finds', { timeout: 120_000 }, async () => {
    const database = await relatedDatabase(engine)
    const run = fc.asyncProperty(
      anyRelatedItems,
      anyRelatedFilters,
      fc.constantFrom('a', 'b', '*'),
      fc.constantFrom(undefined, touching),
      async (items, filters, tenant, middleware) => {
        const registry = relatedRegistry(await database.fill(items), {
          tenant,
          middleware,
          grants: { companies: ['rating'], employees: ['rival_id'] },
        })
        const line = `DELETE /employees?${searchOf(filters)}`
        const isBlank = filters.every(({ values }) => values.every((value) => value === ''))
        const expected = isBlank ? [] : expectedIds(items, filters, tenant)
        const send = async (most: number, rest = '') => {
          const { body } = await sendTo(registry, line + rest, { prefer: `max-affected=${most}` })
          return [line, Object(body).code ?? body]
        }
        const { length: deleted } = expected
        const answer = [line, isBlank ? 'bad_parameter' : { deleted }]
        if (deleted > 0) expect(await send(deleted - 1)).toEqual([line, 'too_many_affected'])
        expect(await send(deleted, '&dry_run=true')).toEqual(answer)
        expect(await send(deleted)).toEqual(answer)
        const { rows } = await sql<EmployeeId>`select id from employees order by id`.execute(
          database.db,
        )
        const left = items.employees.map(({ id }) => id).filter((id) => !expected.includes(id))
        expect([line, rows.map(({ id }) => id)]).toEqual([line, left.sort()])
      },
    )
    await fc.assert(run, { numRuns })
    await database.drop()
  })
})

interface EmployeeId {
  readonly id: string
}
