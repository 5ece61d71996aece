import { sql } from 'kysely'
import { companies } from '../../examples/companies/contract.ts'
import { employees } from '../../test/support/first-version.ts'
import { callerOf, type Task } from './call.ts'
import { columns, type Row, toEmployee } from './people.ts'
import type { Store } from './stores.ts'

type Tables = {
  readonly employees: Row
  readonly companies: { readonly id: string; readonly name: string }
}

const orders = { id: ['id'], name: ['name', 'id'] } as const

/** The tasks that select employees by the name of their company. */
export async function relatedTasks({ db, engine }: Store): Promise<Task[]> {
  const tables = db.withTables<Tables>()
  const { name } = await tables
    .selectFrom('companies')
    .select('name')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const where = [{ field: 'name', is: 'in', values: [name], type: 'text' }] as const
  const ofCompanies = callerOf(db, companies, { table: 'companies' })
  const call = callerOf(db, employees, { table: 'employees' })
  const selection = Object(await ofCompanies('selection', { where }))
  const related = [{ as: 'company', where, join: { field: 'company_id', selection } }]
  const named = tables
    .selectFrom('employees')
    .where('company_id', 'in', (inner) =>
      inner.selectFrom('companies').select('id').where('companies.name', '=', name),
    )
  const counted = named.select(({ fn }) => fn.countAll().as('count'))
  const pages = Object.entries(orders).map(([order, fields]): Task => {
    const sort = fields.map((field) => ({ field, direction: 'asc' }) as const)
    const page = named
      .select(columns)
      .orderBy([...fields])
      .limit(20)
    return {
      name: `related: 20 by ${order}`,
      nounful: () => call('list', { related, sort, limit: 20 }),
      kysely: async () => (await page.execute()).map(toEmployee),
    }
  })
  const order = { field: 'name', direction: 'asc' } as const
  const byId = { field: 'id', direction: 'asc' } as const
  const all = Object(await ofCompanies('selection', { sort: [order, byId] }))
  const join = { field: 'company_id', selection: all, place: 0 }
  const companyName = { as: 'company', name: 'name', join }
  const byCompany = [{ ...order, field: 'company.name', related: companyName }, byId]
  const nullsLast = sql`companies.name nulls last`
  const sorted = tables
    .selectFrom('employees')
    .leftJoin('companies', 'companies.id', 'employees.company_id')
    .select(columns.map((column) => `employees.${column}` as const))
    .orderBy(engine === 'mariadb' ? sql`companies.name is null, companies.name` : nullsLast)
    .orderBy('employees.id')
    .limit(20)
  return [
    ...pages,
    {
      name: 'related: 20 by company.name',
      nounful: () => call('list', { related: [], limit: 20, sort: byCompany }),
      kysely: async () => (await sorted.execute()).map(toEmployee),
      // The adapter adds the values of the order, as the core needs them for the next page.
      comparable: (items) => JSON.parse(JSON.stringify(items)),
    },
    {
      name: 'related: count',
      nounful: () => call('count', { related }),
      kysely: async () => Number((await counted.executeTakeFirstOrThrow()).count),
    },
  ]
}
