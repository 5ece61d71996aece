import { type Kysely, sql } from 'kysely'
import type { Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import * as sample from '../../../examples/companies/sample.ts'
import { createMakers } from './clock.ts'
import { notes } from './notes.ts'
import { registryOn } from './registry.ts'

const tables = [
  'companies (id text primary key, name text not null, created_at text not null)',
  `employees (id text primary key, name text not null, birthdate text not null, email text,
    company_id text references companies (id), created_at text not null)`,
  `customers (id text primary key, name text not null, email text,
    company_id text not null references companies (id))`,
  `notes (id text primary key, text text not null unique, weight real, done boolean, tags json,
    revision integer not null)`,
]

/** Makes the tables of SQLite, fills them with the sample, and gives the service on them. */
export async function storedIn(db: Kysely<unknown>): Promise<Registry> {
  for (const table of tables) await sql.raw(`create table ${table}`).execute(db)
  const { companies, employees, customers } = sample
  for (const [table, items] of Object.entries({ companies, employees, customers, notes })) {
    for (const item of items) await insert(db, table, item)
  }
  const { nextId, onCreate } = createMakers()
  return registryOn({
    companies: kyselyAdapter(db, { table: 'companies', nextId, onCreate }),
    employees: kyselyAdapter(db, { table: 'employees', nextId, onCreate }),
    customers: kyselyAdapter(db, { table: 'customers', nextId }),
    notes: kyselyAdapter(db, { table: 'notes', nextId }),
  })
}

async function insert(db: Kysely<unknown>, table: string, item: object): Promise<void> {
  const columns = Object.keys(item).map((name) => sql.id(name))
  const values = Object.values(item).map((value: unknown) => sql`${storable(value)}`)
  await sql`insert into ${sql.id(table)} (${sql.join(columns)})
    values (${sql.join(values)})`.execute(db)
}

function storable(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  return Array.isArray(value) ? JSON.stringify(value) : value
}
