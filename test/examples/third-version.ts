import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, defineView } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { z } from 'zod'
import * as example from '../../examples/companies/contract.ts'
import type { openDatabase } from '../../examples/companies/database.ts'

const { companies, customers, employees_v2: second, employees: first } = example

// The example with a version 3. It has the two parts of a name, a country, and the phone in an
// object. Version 2 sorts and filters by the whole name, so both forms are stored.
const text = z.string().max(200)
const country = z.string().regex(/^[A-Z]{2}$/, 'is not a country code of two letters')
const phone = z.string().min(1).max(200).nullable()
const NewStored = z.strictObject({
  full_name: z.string().max(401),
  first_name: text,
  last_name: text,
  birthdate: z.iso.date(),
  email: z.email().max(254).optional(),
  company_id: z.string().optional(),
  status: z.enum(['active', 'left']),
  phone,
  country,
})
const NewThird = NewStored.omit({ full_name: true, status: true, phone: true }).extend({
  contact: z.strictObject({ phone }),
})
const fromServer = { id: z.string(), created_at: z.iso.datetime() }

const stored_employees = defineResource('stored_employees', {
  schema: NewStored.extend(fromServer),
  create: NewStored,
  readOnly: ['created_at'],
  sortable: ['full_name', 'first_name', 'last_name', 'birthdate', 'created_at'],
  searchable: ['full_name', 'first_name', 'last_name', 'email'],
  filterable: [
    'company_id',
    'full_name',
    'last_name',
    'email',
    'birthdate',
    'created_at',
    'status',
    'country',
  ],
  references: { company_id: 'companies' },
  idempotent: true,
})

const employees_v3 = defineView('employees_v3', stored_employees, {
  schema: NewThird.extend(fromServer),
  create: NewThird,
  readOnly: ['created_at'],
  sortable: ['first_name', 'last_name', 'birthdate', 'created_at'],
  searchable: ['first_name', 'last_name', 'email'],
  filterable: ['company_id', 'last_name', 'email', 'birthdate', 'created_at', 'country'],
  references: { company_id: 'companies' },
  idempotent: true,
  fields: {
    contact: { of: 'phone', read: (phone) => ({ phone }), write: ({ phone }) => phone },
  },
  hidden: { full_name: (item) => joined(item), status: 'active' },
})

const employees_v2 = defineView('employees_v2', stored_employees, {
  schema: second.schema,
  create: second.create,
  readOnly: ['created_at'],
  sortable: ['full_name', 'birthdate', 'created_at'],
  searchable: ['full_name', 'email'],
  filterable: ['company_id', 'full_name', 'email', 'birthdate', 'created_at', 'status'],
  references: { company_id: 'companies' },
  idempotent: true,
  hidden: {
    first_name: ({ full_name }) => split(full_name).first_name,
    last_name: ({ full_name }) => split(full_name).last_name,
    country: 'US',
  },
})

// As it was: a view of version 2.
const employees = defineView('employees', employees_v2, {
  schema: first.schema,
  create: first.create,
  readOnly: ['created_at'],
  sortable: ['name', 'birthdate', 'created_at'],
  searchable: ['name', 'email'],
  filterable: ['company_id', 'name', 'email', 'birthdate', 'created_at'],
  references: { company_id: 'companies' },
  idempotent: true,
  fields: { name: 'full_name' },
  hidden: { status: 'active', phone: null },
})

const api = defineApi(
  {
    v1: {
      '/employees': employees,
      '/companies': companies,
      '/companies/:company_id/customers': customers,
      '/companies/:company_id/employees': employees,
    },
    v2: {
      '/employees': employees_v2,
      '/companies': companies,
      '/companies/:company_id/customers': customers,
      '/companies/:company_id/employees': employees_v2,
    },
    v3: {
      '/employees': employees_v3,
      '/companies': companies,
      '/companies/:company_id/customers': customers,
      '/companies/:company_id/employees': employees_v3,
    },
  },
  // As before.
  {
    lifecycle: { v1: { deprecated: '2026-11-01', sunset: '2027-11-01', successor: 'v2' } },
  },
)

interface Parts {
  readonly first_name: string
  readonly last_name: string
}

interface Names extends Parts {
  readonly full_name: string
}

/** The last word is the last name. */
function split(full_name: string): Parts {
  const at = full_name.lastIndexOf(' ')
  return at < 0
    ? { first_name: full_name, last_name: '' }
    : { first_name: full_name.slice(0, at), last_name: full_name.slice(at + 1) }
}

function joined({ first_name, last_name }: Parts): string {
  return [first_name, last_name].filter((part) => part !== '').join(' ')
}

// Whichever form a client writes, the other follows.
function inStep(item: Names, stored: Names): Partial<Names> {
  if (item.full_name !== stored.full_name) return split(item.full_name)
  const isPart = item.first_name !== stored.first_name || item.last_name !== stored.last_name
  return isPart ? { full_name: joined(item) } : {}
}

/** The example with three versions, on the tables of the example. */
export function thirdVersion(db: Kysely<unknown>) {
  const onCreate = () => ({ created_at: new Date().toISOString() })
  return defineRegistry(api, { defaultVersion: 'v1' }).adapters({
    companies: kyselyAdapter(db, { table: 'companies', onCreate }),
    stored_employees: kyselyAdapter(db, {
      table: 'employees',
      columns: { full_name: 'name' },
      onCreate,
      onUpdate: inStep,
    }),
    customers: kyselyAdapter(db, { table: 'customers' }),
  })
}

/** Adds the columns of version 3, with defaults for the rows that an older program writes. */
export async function addColumns({
  db,
  textType,
}: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  const type = sql.raw(await textType())
  for (const column of [
    sql`first_name ${type} default '' not null`,
    sql`last_name ${type} default '' not null`,
    sql`country ${type} default 'US' not null`,
  ])
    await sql`alter table employees add ${column}`.execute(db)
}

/** Fills the parts of the names that an older program has written. */
export async function fillParts(db: Kysely<unknown>): Promise<void> {
  const rows = await sql<{ id: string; name: string } & Parts>`
    select id, name, first_name, last_name from employees`.execute(db)
  for (const { id, name, ...parts } of rows.rows) {
    if (joined(parts) === name) continue
    const { first_name, last_name } = split(name)
    await sql`update employees set first_name = ${first_name}, last_name = ${last_name}
      where id = ${id}`.execute(db)
  }
}
