import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import {
  type AdaptersOf,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  everything,
  handle,
  type Middleware,
  type Registry,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter, select } from 'nounful/memory'
import { z } from 'zod'
import { databaseOf, type Engine } from './stores.ts'

const Company = z.object({
  id: z.int(),
  tenant_id: z.string(),
  name: z.string(),
  size: z.number().nullable(),
  rating: z.int().nullish(),
  motto: z.string().nullish(),
})
const Employee = z.object({
  id: z.string(),
  tenant_id: z.string(),
  name: z.string(),
  company_id: z.int().nullable(),
  boss_id: z.string().nullable(),
  rival_id: z.int().nullish(),
})

/** An item of the companies. */
type CompanyItem = z.infer<typeof Company>
/** An item of the employees. */
type EmployeeItem = z.infer<typeof Employee>

/** Companies with a restricted field. */
const companies = defineResource('companies', {
  schema: Company,
  id: z.coerce.number<number>().pipe(z.int()),
  ids: 'counted',
  ownedBy: ['tenant_id'],
  restricted: ['rating'],
  filterable: ['name', 'size', 'rating'],
  sortable: ['name', 'size', 'rating', 'motto'],
  folded: ['motto'],
  searchable: ['name'],
  countable: ['name', 'size', 'rating', 'motto'],
})
/** Employees with two references of their own, and a restricted one. */
const employees = defineResource('employees', {
  schema: Employee,
  ownedBy: ['tenant_id'],
  restricted: ['rival_id'],
  filterable: ['name'],
  sortable: ['name'],
  searchable: ['name'],
  countable: ['name', 'company_id', 'boss_id'],
  references: { company_id: 'companies', boss_id: 'employees', rival_id: 'companies' },
})
const companies_v1 = defineView('companies_v1', companies, {
  id: z.coerce.number<number>().pipe(z.int()),
  schema: Company.omit({ name: true }).extend({ label: z.string() }),
  fields: { label: 'name' },
  without: ['create', 'update'],
})
const employees_v1 = defineView('employees_v1', employees, {
  schema: Employee.omit({ company_id: true, name: true }).extend({
    firm_id: z.int().nullable(),
    title: z.string(),
  }),
  fields: { firm_id: 'company_id', title: 'name' },
  without: ['create', 'update'],
})
/** Companies and their employees, beside and below them, and in another form. */
const relatedApi = defineApi({
  v1: { '/companies': companies_v1, '/employees': employees_v1 },
  v2: {
    '/companies': companies,
    '/employees': employees,
    '/companies/:company_id/employees': employees,
  },
})

const company = (id: number, name: string, rest: Partial<CompanyItem> = {}): CompanyItem => ({
  ...{ id, tenant_id: 'a', name, size: null, rating: null, ...rest },
})
const employee = (id: string, rest: Partial<EmployeeItem> = {}): EmployeeItem => ({
  ...{ id, tenant_id: 'a', name: id, company_id: null, boss_id: null, rival_id: null, ...rest },
})

/** The items of a world. */
export interface RelatedItems {
  readonly companies: readonly CompanyItem[]
  readonly employees: readonly EmployeeItem[]
}

/** Some items of two tenants: `e` names a company of the other tenant, `f` one that is gone. */
export const relatedItems: RelatedItems = {
  companies: [
    company(1, 'Acme', { size: 3, rating: 5 }),
    company(2, 'Bolt', { rating: 1 }),
    company(3, 'Acme', { tenant_id: 'b', size: 9 }),
    company(4, 'Zinc', { size: 30 }),
  ],
  employees: [
    employee('a', { company_id: 1, rival_id: 2 }),
    employee('b', { company_id: 2, boss_id: 'a', rival_id: 1 }),
    employee('c', { boss_id: 'b' }),
    employee('d', { company_id: 1, boss_id: 'a' }),
    employee('e', { company_id: 3 }),
    employee('f', { company_id: 99 }),
    employee('g', { tenant_id: 'b', company_id: 3 }),
  ],
}

/** Reads each outcome, and changes nothing: the core then looks related items up. */
export const touching: Middleware = async (_, __, next) => ({ ...(await next()) })

/** The adapters of a world. */
export type RelatedStore = AdaptersOf<typeof relatedApi, { readonly tenant: string }>

/** A caller of the tenant `a`, who sees no restricted field unless `grants` names some. */
interface CallerOptions {
  readonly tenant?: string | undefined
  readonly grants?: { readonly companies?: ['rating']; readonly employees?: ['rival_id'] }
  readonly middleware?: Middleware | undefined
}

/** Binds the api to a store, for one caller. */
export function relatedRegistry(
  store: RelatedStore,
  { tenant = 'a', grants = {}, middleware }: CallerOptions = {},
): Registry {
  const plain = defineRegistry(relatedApi, { defaultVersion: 'v2' })
    .context(() => ({ tenant }))
    .scope((context) => (context.tenant === '*' ? everything : { tenant_id: context.tenant }))
    .reveal(() => grants)
  return (middleware === undefined ? plain : plain.use(middleware)).adapters(store)
}

/** Sends `GET /employees?company.name=Acme`. */
export async function sendTo(registry: Registry, line: string, headers = {}) {
  const [method = '', url = ''] = line.split(' ')
  const response = await handle({ method, url, headers }, registry)
  return { status: response.status, body: response.body as unknown, headers: response.headers }
}

/** The items in memory, which holds no id of an item that is gone. */
export function inMemory({ companies, employees }: RelatedItems): RelatedStore {
  const companyOf = (id: number | null = null) =>
    companies.some((item) => item.id === id) ? id : null
  const items = employees.map((item) => ({
    ...item,
    company_id: companyOf(item.company_id),
    rival_id: companyOf(item.rival_id),
    boss_id: employees.some(({ id }) => id === item.boss_id) ? item.boss_id : null,
  }))
  return {
    companies: memoryAdapter({ items: companies }),
    employees: memoryAdapter({ items }),
  }
}

/** The items behind adapters of a few lines. */
export function byFewLines({ companies, employees }: RelatedItems): RelatedStore {
  return {
    companies: {
      list: (operation) => select(companies, operation),
      read: (operation) => companies.find(({ id }) => id === operation.id) ?? null,
    },
    employees: {
      list: (operation) => select(employees, operation),
      read: (operation) => employees.find(({ id }) => id === operation.id) ?? null,
    },
  }
}

/** The columns of the folds of companies. */
export const folded = { motto: 'motto_folded' }

/** A database with tables of the items. */
export async function relatedDatabase(engine: Engine) {
  const database = await databaseOf<Record<string, Record<string, unknown>>>(engine)
  const { db } = database
  const text = engine === 'mariadb' ? 'varchar(50) character set utf8mb4' : 'text'
  const key = engine === 'postgres' ? 'text collate "C"' : text
  const integers = 'company_id integer, rival_id integer'
  const owned = `tenant_id ${key}, name ${key}`
  const numbers = 'size double precision, rating integer'
  const mottos = `motto ${key}, motto_folded ${key}`
  const columns = {
    companies: `id integer primary key, ${owned}, ${numbers}, gone_at ${text}, ${mottos}`,
    employees: `id ${key} primary key, ${owned}, boss_id ${key}, ${integers}`,
  }
  for (const [table, list] of Object.entries(columns)) {
    await sql.raw(`create table ${table} (${list})`).execute(db)
  }
  // SQLite then reads an order by a field of companies one company after the other.
  for (const owner of ['', 'tenant_id, ']) {
    const [name, list] = [`by_${owner.length}`, `${owner}company_id, id`]
    await sql.raw(`create index ${name} on employees (${list})`).execute(db)
  }
  return { ...database, fill: (items: RelatedItems) => fill(db, items) }
}

async function fill(
  db: Kysely<Record<string, Record<string, unknown>>>,
  items: RelatedItems,
): Promise<RelatedStore> {
  const companies = items.companies.map((item) => ({
    ...item,
    motto_folded: item.motto?.toLowerCase().toUpperCase() ?? null,
  }))
  for (const [table, rows] of Object.entries({ companies, employees: items.employees })) {
    await db.deleteFrom(table).execute()
    // SQLite takes no more values at once.
    for (let start = 0; start < rows.length; start += 1000)
      await db
        .insertInto(table)
        .values(rows.slice(start, start + 1000))
        .execute()
  }
  return {
    companies: kyselyAdapter(db, { table: 'companies', folded }),
    employees: kyselyAdapter(db, { table: 'employees' }),
  }
}

const companyNames = ['Acme', 'acme', 'Bolt', 'Bo', '']
const sizes = [null, 0, 3, 4.5]

/** Items that reference each other, items of another tenant, and items that are gone. */
export const anyRelatedItems: fc.Arbitrary<RelatedItems> = fc.record({
  companies: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 6 }),
      tenant_id: fc.constantFrom('a', 'b'),
      name: fc.constantFrom(...companyNames),
      size: fc.constantFrom(...sizes),
      rating: fc.constantFrom(null, 1, 2),
      motto: fc.constantFrom(null, 'go', 'GO', 'Straße', 'STRASSE', 'ß'),
    }),
    { selector: ({ id }) => id, maxLength: 6 },
  ),
  employees: fc.uniqueArray(
    fc.record({
      id: fc.constantFrom(...'abcdefgh'),
      tenant_id: fc.constantFrom('a', 'b'),
      name: fc.constantFrom('Ann', 'Bob', 'ann'),
      company_id: fc.option(fc.integer({ min: 1, max: 6 })),
      boss_id: fc.option(fc.constantFrom(...'abcdefgh')),
      rival_id: fc.option(fc.integer({ min: 1, max: 6 })),
    }),
    { selector: ({ id }) => id, maxLength: 8 },
  ),
})

const number = fc.constantFrom('0', '3', '4.5', '9')
const part = fc.constantFrom('ac', 'B', 'o', 'me')
const name = fc.constantFrom(...companyNames)
const operands: Readonly<Record<string, fc.Arbitrary<readonly string[]>>> = {
  '': fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  ':ne': fc.uniqueArray(name, { minLength: 1, maxLength: 2 }),
  ':gt': fc.tuple(name),
  ':gte': fc.tuple(name),
  ':lt': fc.tuple(name),
  ':lte': fc.tuple(name),
  ':contains': fc.tuple(part),
  ':startsWith': fc.tuple(part),
  ':endsWith': fc.tuple(part),
}
const anyNameFilter = fc
  .constantFrom(...Object.keys(operands))
  .chain((operator) => fc.tuple(fc.constant(operator), operands[operator] ?? fc.constant([])))

/** A filter of a related item, or of the item itself: member, field, operator and values. */
export interface RelatedFilter {
  readonly as: '' | 'company' | 'boss' | 'rival'
  readonly field: string
  readonly operator: string
  readonly values: readonly string[]
}

const anyRelatedFilter: fc.Arbitrary<RelatedFilter> = fc.oneof(
  fc
    .tuple(fc.constantFrom('' as const, 'company' as const, 'boss' as const), anyNameFilter)
    .map(([as, [operator, values]]) => ({ as, field: 'name', operator, values })),
  fc
    .tuple(
      fc.constantFrom('company' as const, 'rival' as const),
      fc.constantFrom('', ':ne', ':gt', ':gte', ':lt', ':lte'),
      number,
    )
    .map(([as, operator, value]) => ({ as, field: 'size', operator, values: [value] })),
  fc
    .tuple(fc.constantFrom('company' as const, 'rival' as const), fc.constantFrom('true', 'false'))
    .map(([as, value]) => ({ as, field: 'size', operator: ':null', values: [value] })),
  fc
    .constantFrom('1', '2')
    .map((value) => ({ as: 'company', field: 'rating', operator: '', values: [value] }) as const),
)

/** Filters of different names, at most four of them of related items. */
export const anyRelatedFilters = fc.uniqueArray(anyRelatedFilter, {
  selector: ({ as, field, operator }) => `${as}.${field}${operator}`,
  minLength: 1,
  maxLength: 4,
})

/** Writes filters as a query. */
export function searchOf(filters: readonly RelatedFilter[]): string {
  return filters
    .flatMap(({ as, field, operator, values }) =>
      values.map((value) => `${as && `${as}.`}${field}${operator}=${encodeURIComponent(value)}`),
    )
    .join('&')
}

/** Returns the ids of the employees that the filters select, looked at one by one. */
export function expectedIds(
  { companies, employees }: RelatedItems,
  filters: readonly RelatedFilter[],
  tenant: string,
): readonly string[] {
  const isOf = (item: { tenant_id: string }): boolean => tenant === '*' || item.tenant_id === tenant
  const itemFor = (item: EmployeeItem, as: RelatedFilter['as']): object | undefined => {
    if (as === '') return item
    if (as === 'boss') return employees.filter(isOf).find(({ id }) => id === item.boss_id)
    const id = as === 'company' ? item.company_id : item.rival_id
    return companies.filter(isOf).find((candidate) => candidate.id === id)
  }
  return employees
    .filter(isOf)
    .filter((item) =>
      filters.every((filter) => {
        const related = itemFor(item, filter.as)
        return related !== undefined && isMet(Reflect.get(related, filter.field), filter)
      }),
    )
    .map(({ id }) => id)
    .sort()
}

type Group = Readonly<Record<string, string | number | null>>

/** Returns the groups of some items by their values, the largest first, `null` last. */
export function groupsOf(items: readonly object[], by: readonly string[]): readonly Group[] {
  const groups = new Map<string, { count: number; values: readonly (string | number | null)[] }>()
  for (const item of items) {
    const values = by.map((field) => Reflect.get(item, field) ?? null)
    const key = JSON.stringify(values)
    groups.set(key, { values, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  const isBefore = (left: string | number | null, right: string | number | null): boolean =>
    left !== null && (right === null || left < right)
  return [...groups.values()]
    .sort((left, right) => {
      const place = left.values.findIndex((value, at) => value !== right.values[at])
      const [value = null, other = null] = [left.values[place], right.values[place]]
      return right.count - left.count || (isBefore(value, other) ? -1 : 1)
    })
    .map(({ values, count }) => {
      const entries = by.map((field, place) => [field, values[place] ?? null] as const)
      return { ...Object.fromEntries(entries), count }
    })
}

function isMet(value: string | number | null, { operator, values }: RelatedFilter): boolean {
  const texts = values.map((text) => (typeof value === 'number' ? Number(text) : text))
  const [first = ''] = texts
  const folded = `${value}`.toLowerCase()
  const sought = `${first}`.toLowerCase()
  switch (operator) {
    case '':
      return value !== null && texts.includes(value)
    case ':ne':
      return value === null || !texts.includes(value)
    case ':null':
      return (value === null) === (values[0] === 'true')
    case ':gt':
      return value !== null && value > first
    case ':gte':
      return value !== null && value >= first
    case ':lt':
      return value !== null && value < first
    case ':lte':
      return value !== null && value <= first
    case ':contains':
      return folded.includes(sought)
    case ':startsWith':
      return folded.startsWith(sought)
    default:
      return folded.endsWith(sought)
  }
}

const orders = [
  ...['name', 'boss.name', 'company.name', 'company.size', 'company.rating', 'company.motto'],
  ...['rival.size', 'rival.motto', 'id'],
] as const

/** An order by own and related fields, at most four of them related. */
export const anyRelatedOrder: fc.Arbitrary<readonly string[]> = fc
  .uniqueArray(fc.constantFrom(...orders), { minLength: 1, maxLength: 4 })
  .chain((names) => fc.tuple(...names.map((field) => fc.constantFrom(field, `-${field}`))))

/** Returns the ids of the employees in an order, compared by hand. */
export function orderedIds(
  { companies, employees }: RelatedItems,
  order: readonly string[],
  tenant: string,
): readonly string[] {
  const isOf = (item: { tenant_id: string }): boolean => tenant === '*' || item.tenant_id === tenant
  const valueAt = (item: EmployeeItem, path: string): unknown => {
    const [as = '', field] = path.split('.')
    if (field === undefined) return Reflect.get(item, as)
    const others: readonly RelatedItems[keyof RelatedItems][number][] =
      as === 'boss' ? employees : companies
    const other = others.filter(isOf).find(({ id }) => id === Reflect.get(item, `${as}_id`))
    return (other && Reflect.get(other, field)) ?? null
  }
  return employees
    .filter(isOf)
    .toSorted((a, b) => {
      for (const term of [...order, 'id']) {
        const path = term.replace('-', '')
        const rank = rankOf(valueAt(a, path), valueAt(b, path), path.endsWith('.motto'))
        if (rank !== 0) return term.startsWith('-') ? -rank : rank
      }
      return 0
    })
    .map(({ id }) => id)
}

// Negative, zero or positive. A missing value is greater than others.
function rankOf(one: unknown, other: unknown, isFolded: boolean): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  const fold = (value: unknown): string => String(value).toLowerCase().toUpperCase()
  if (isFolded && fold(one) !== fold(other)) return fold(one) < fold(other) ? -1 : 1
  return (one as string) < (other as string) ? -1 : 1
}

/** Follows the links from page to page, and returns the ids of all items, in their order. */
export async function walkPages(registry: Registry, path: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let url: string | undefined = path; url !== undefined; ) {
    const { status, body, headers } = await sendTo(registry, `GET ${url}`)
    if (status !== 200) throw new Error(`${status} ${url} ${JSON.stringify(body)}`)
    const items = body as readonly EmployeeItem[]
    if (items.some((item) => Object.getOwnPropertySymbols(item).length > 0))
      throw new Error(`${url} shows the values of its order.`)
    ids.push(...items.map(({ id }) => id))
    url = /<([^>]+)>; rel="?next/.exec(String(headers.link))?.[1]
    if (ids.length > 1000) throw new Error(`${path} has no end.`)
  }
  return ids
}
