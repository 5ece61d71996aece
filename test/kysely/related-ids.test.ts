import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { defineApi, defineRegistry, defineResource, type HttpResponse, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'

const companies = defineResource('companies', {
  schema: z.object({ id: z.string(), name: z.string(), city: z.string() }),
  filterable: ['name', 'city'],
  sortable: ['name', 'city'],
})
const employees = defineResource('employees', {
  schema: z.object({ id: z.string(), name: z.string(), company_id: z.string() }),
  sortable: ['name'],
  filterable: ['name'],
  countable: ['company_id'],
  references: { company_id: 'companies' },
})
const api = defineApi({ v1: { '/companies': companies, '/employees': employees } })

// The first company has half of the employees. 1,100 have one name, and one or two employees each.
const file = new DatabaseSync(':memory:')
file.exec(`
  create table companies (id text primary key, name text not null, city text not null);
  create index companies_by_name on companies (name, id);
  create table employees (id text primary key, name text not null, company_id text not null);
  create index employees_by_name on employees (name, id);
  create index employees_by_company on employees (company_id, id);
  insert into companies values ('01', 'Acme', 'Oslo'), ('02', 'Globex', 'Rome');
  insert into companies with recursive number(i) as
    (select 1 union all select i + 1 from number where i < 1100)
    select printf('x%04d', i), 'Many', 'Bonn' from number;
  insert into employees with recursive number(i) as
    (select 1 union all select i + 1 from number where i < 60000)
    select printf('%08x', i * 2654435761 % 4294967296), 'Name ' || (i * 7919 % 60000),
      case when i % 2 = 0 then '01' when i % 40 = 1 then printf('x%04d', i / 40 % 1100 + 1)
        when i % 3 = 0 then '02' else '03' end from number`)
const sent: string[] = []
const db = new Kysely<unknown>({
  dialect: sqliteDialect(file),
  log: ({ query }) => void sent.push(query.sql),
})
const registry = defineRegistry(api).adapters({
  companies: kyselyAdapter(db, { table: 'companies' }),
  employees: kyselyAdapter(db, { table: 'employees' }),
})
afterAll(() => db.destroy())

async function get(url: string): Promise<unknown> {
  const { body } = await handle({ method: 'GET', url: `/v1${url}`, headers: {} }, registry)
  return JSON.parse(JSON.stringify(body))
}

const select = (text: string) => file.prepare(`select ${text}`).all()
const inCompany = (condition: string) =>
  `from employees where company_id in (select id from companies where ${condition})`
const page = (condition: string, order: string) =>
  select(`* ${inCompany(condition)} order by ${order} limit 20`)
const ordered = (order: string, limit: number, condition = 'true') =>
  select(`employees.* from employees left join companies on companies.id = company_id
    where ${condition} order by ${order}, employees.id limit ${limit}`)
const count = (condition: string) => select(`count(*) as count ${inCompany(condition)}`)[0]

// Each with the parts that its statements have, and those that they do not have.
const cases = [
  {
    name: 'a page of one company by id',
    url: '/employees?company.name=Acme&limit=20',
    expected: () => page("name = 'Acme'", 'id'),
    says: /"company_id" in \(\?\)\)\)\s+order by/,
    avoids: /count|not indexed/,
  },
  {
    name: 'a page of one company by name',
    url: '/employees?company.name=Acme&sort=name&limit=20',
    expected: () => page("name = 'Acme'", 'name, id'),
    says: /from \(select \* from "employees"/,
    avoids: /not indexed/,
  },
  {
    name: 'a page of no company',
    url: '/employees?company.name=None&limit=20',
    expected: () => [],
    says: /1 = 0/,
    avoids: /not indexed/,
  },
  {
    name: 'a page of more than 1,000 companies',
    url: '/employees?company.name=Many&limit=20',
    expected: () => page("name = 'Many'", 'id'),
    says: /"company_id" in \(select/,
    avoids: / in \(\?, \?/,
  },
  {
    name: 'a page of companies that a scan finds',
    url: '/employees?company.city=Rome&limit=20',
    expected: () => page("city = 'Rome'", 'id'),
    says: /"company_id" in \(select/,
    avoids: /"company_id" in \(\?/,
  },
  {
    name: 'a count along an index',
    url: '/employees/count?company.name=Acme',
    expected: () => count("name = 'Acme'"),
    says: /offset \?/,
    avoids: /not indexed/,
  },
  {
    name: 'a count of two companies',
    url: '/employees/count?company.name=Acme&company.name=Globex',
    expected: () => count("name in ('Acme', 'Globex')"),
    says: /not indexed/,
    avoids: /1 = 0/,
  },
  {
    name: 'a page in the order of the companies',
    url: '/employees?sort=company.name&limit=20',
    expected: () => ordered('companies.name nulls last', 20),
    says: /lag\(.*"company_id" in \(\?\)\)\)\s+order by/s,
    avoids: /not indexed|left join/,
  },
  {
    name: 'a page that begins with items of no company',
    url: '/employees?sort=-company.name&limit=20',
    expected: () => ordered('companies.name desc nulls first', 20),
    says: /not indexed/,
    avoids: /lag\(/,
  },
  {
    name: 'a page in an order of companies without an index',
    url: '/employees?sort=company.city&limit=20',
    expected: () => ordered('companies.city nulls last', 20),
    says: /not indexed/,
    avoids: /lag\(/,
  },
  {
    name: 'a page of a filter that no index serves',
    url: '/employees?name:gte=Name%209&sort=company.name&limit=20',
    expected: () => ordered('companies.name nulls last', 20, "employees.name >= 'Name 9'"),
    says: /not indexed/,
    avoids: /"company_id" in \(\?\)\)\)\s+order by .* limit \?$/m,
  },
]

describe('related items on SQLite', () => {
  test.each(cases)('are $name', async ({ url, expected, says, avoids }) => {
    await get(url)
    sent.length = 0
    expect(await get(url)).toEqual(expected())
    expect(sent.join('\n')).toMatch(says)
    expect(sent.join('\n')).not.toMatch(avoids)
  })

  test('come page by page up to more companies of one name than it looks at', async () => {
    let url: string | undefined = '/v1/employees?sort=company.name&limit=1000'
    const ids: string[] = []
    sent.length = 0
    while (url !== undefined && ids.length < 41_500) {
      const response: HttpResponse = await handle({ method: 'GET', url, headers: {} }, registry)
      const items: readonly object[] = Object(response.body)
      ids.push(...items.map((item) => Reflect.get(item, 'id')))
      url = /<([^>]*)>; rel="next"/.exec(`${response.headers.link}`)?.[1]
    }
    const expected = ordered('companies.name nulls last', ids.length)
    expect(ids).toEqual(expected.map(({ id }) => id))
    const slices = sent.filter((statement) => statement.includes('not indexed')).length
    expect(slices).toBeGreaterThan(0)
    expect(sent.filter((statement) => statement.includes('lag(')).length).toBeGreaterThan(40)
  })

  test('have the groups of their items', async () => {
    const { count, groups } = Object(await get('/employees/count?by=company_id&company.city=Oslo'))
    expect([count, groups]).toEqual([30_000, [{ company_id: '01', count: 30_000 }]])
  })
})
