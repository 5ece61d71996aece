import { sql } from 'kysely'
import { companies } from '../../examples/companies/contract.ts'
import { employees } from '../../test/support/first-version.ts'
import { callerOf, type Reading, type Task, tasksOf } from './call.ts'
import { columns, itemsOf, type Row } from './people.ts'
import type { Store } from './stores.ts'

type Tables = {
  readonly employees: Row
  readonly companies: { readonly id: string; readonly name: string }
}

const byName = { field: 'name', direction: 'asc' } as const
const byId = { field: 'id', direction: 'asc' } as const
const limit = 20

/** The tasks that select employees by the name of their company. */
export async function relatedTasks({ db, engine }: Store): Promise<Task[]> {
  const tables = db.withTables<Tables>()
  const first = tables.selectFrom('companies').select('name').orderBy('id').limit(1)
  const { name } = await first.executeTakeFirstOrThrow()
  const where = [{ field: 'name', is: 'in', values: [name], type: 'text' }] as const
  const ofCompanies = callerOf(db, companies, { table: 'companies' })
  const selection = Object(await ofCompanies('selection', { where }))
  const related = [{ as: 'company', where, join: { field: 'company_id', selection } }]
  const named = tables
    .selectFrom('employees')
    .where('company_id', 'in', (inner) =>
      inner.selectFrom('companies').select('id').where('companies.name', '=', name),
    )
  const counted = named.select(({ fn }) => fn.countAll().as('count'))
  const page = named.select(columns)
  const pageById = page.orderBy('id').limit(limit)
  const pageByName = page.orderBy(['name', 'id']).limit(limit)
  const all = Object(await ofCompanies('selection', { sort: [byName, byId] }))
  const join = { field: 'company_id', selection: all, place: 0 }
  const companyName = { as: 'company', name: 'name', join }
  const byCompany = [{ ...byName, field: 'company.name', related: companyName }, byId]
  const nullsLast = sql`companies.name nulls last`
  const sorted = tables
    .selectFrom('employees')
    .leftJoin('companies', 'companies.id', 'employees.company_id')
    .select(columns.map((column) => `employees.${column}` as const))
    .orderBy(engine === 'mariadb' ? sql`companies.name is null, companies.name` : nullsLast)
    .orderBy('employees.id')
    .limit(limit)
  const total = async () => Number((await counted.executeTakeFirstOrThrow()).count)
  const query = { related, limit }
  // The adapter adds the values of the order, as the core needs them for the next page.
  const comparable = (items: unknown) => JSON.parse(JSON.stringify(items))
  const orders: readonly Reading[] = [
    ['related: 20 by id', 'list', { ...query, sort: [byId] }, () => itemsOf(pageById)],
    ['related: 20 by name', 'list', { ...query, sort: [byName, byId] }, () => itemsOf(pageByName)],
    [
      'related: 20 by company.name',
      'list',
      { related: [], sort: byCompany, limit },
      () => itemsOf(sorted),
      { comparable },
    ],
    ['related: count', 'count', { related }, total],
  ]
  return tasksOf(callerOf(db, employees, { table: 'employees' }), orders)
}
