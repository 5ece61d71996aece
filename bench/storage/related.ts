import { sql } from 'kysely'
import type { AdapterShape, Operation, UncheckedAdapter } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { companies } from '../../examples/companies/contract.ts'
import { noQuery } from '../../src/contract/resource/operation.ts'
import { employees } from '../../test/support/first-version.ts'
import { type Row, toEmployee } from './people.ts'
import type { Store } from './stores.ts'
import type { Task } from './tasks.ts'

type Tables = {
  readonly employees: Row
  readonly companies: { readonly id: string; readonly name: string }
}

const columns = ['id', 'name', 'birthdate', 'email', 'company_id', 'created_at'] as const
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
  const adapterOf = (table: string): UncheckedAdapter => kyselyAdapter<AdapterShape>(db, { table })
  const list = operationOf(companies, { where })
  const selection = Object(await adapterOf('companies').selection?.(list, undefined))
  const adapter = adapterOf('employees')
  const related = [{ as: 'company', where, join: { field: 'company_id', selection } }]
  const named = tables
    .selectFrom('employees')
    .where('company_id', 'in', (inner) =>
      inner.selectFrom('companies').select('id').where('companies.name', '=', name),
    )
  const counted = named.select(({ fn }) => fn.countAll().as('count'))
  const pages = Object.entries(orders).map(([order, fields]): Task => {
    const sort = fields.map((field) => ({ field, direction: 'asc' }) as const)
    const operation = operationOf(employees, { related, sort, limit: 20 })
    const page = named
      .select(columns)
      .orderBy([...fields])
      .limit(20)
    return {
      name: `related: 20 by ${order}`,
      nounful: () => adapter.list?.(operation, undefined),
      kysely: async () => (await page.execute()).map(toEmployee),
    }
  })
  const order = { field: 'name', direction: 'asc' } as const
  const all = operationOf(companies, { sort: [order, { field: 'id', direction: 'asc' }] })
  const joined = Object(await adapterOf('companies').selection?.(all, undefined))
  const join = { field: 'company_id', selection: joined, place: 0 }
  const byCompany = operationOf(employees, {
    ...{ related: [], limit: 20 },
    sort: [
      { ...order, field: 'company.name', related: { as: 'company', name: 'name', join } },
      { field: 'id', direction: 'asc' },
    ],
  })
  const nullsLast = sql`companies.name nulls last`
  const sorted = tables
    .selectFrom('employees')
    .leftJoin('companies', 'companies.id', 'employees.company_id')
    .select(columns.map((column) => `employees.${column}` as const))
    .orderBy(engine === 'mariadb' ? sql`companies.name is null, companies.name` : nullsLast)
    .orderBy('employees.id')
    .limit(20)
  const count: Operation = { ...operationOf(employees, { related }), kind: 'count' }
  return [
    ...pages,
    {
      name: 'related: 20 by company.name',
      nounful: () => adapter.list?.(byCompany, undefined),
      kysely: async () => (await sorted.execute()).map(toEmployee),
      // The adapter adds the values of the order, as the core needs them for the next page.
      comparable: (items) => JSON.parse(JSON.stringify(items)),
    },
    {
      name: 'related: count',
      nounful: () => adapter.count?.(count, undefined),
      kysely: async () => Number((await counted.executeTakeFirstOrThrow()).count),
    },
  ]
}

function operationOf(
  resource: Operation['resource'],
  query: Partial<Operation['query']>,
): Operation {
  const { signal } = new AbortController()
  return {
    ...{ kind: 'list', resource, version: 'v1', path: `/${resource.name}`, scope: {} },
    ...{ parents: [], ids: undefined, id: undefined, item: undefined, items: undefined },
    ...{ isDryRun: false, isDeprecated: false, ifRevision: undefined, maxAffected: undefined },
    ...{ signal, query: { ...noQuery, ...query } },
  }
}
