import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'
import { companies, customers, employees } from './sample.ts'

/**
 * Creates missing tables, fills them with the sample data once, and adds the columns of version 2
 * to tables of version 1. Several processes may do so at once, and again after a failure.
 */
export async function createTables({ db, textType }: Database): Promise<void> {
  if (await areThere(db)) return
  const text = sql.raw(await textType())
  const id = sql`id ${text} primary key not null`
  const company = sql`company_id ${text}`
  const key = sql`foreign key (company_id) references companies (id)`
  const tables = [
    sql`setup (${id})`,
    sql`companies (${id}, name ${text} not null, created_at ${text} not null)`,
    sql`employees (${id}, name ${text} not null, birthdate ${text} not null, email ${text},
      ${company}, created_at ${text} not null, ${key})`,
    sql`customers (${id}, name ${text} not null, email ${text}, ${company} not null, ${key})`,
  ]
  for (const table of tables) await sql`create table if not exists ${table}`.execute(db)
  for (const column of [sql`status ${text} default 'active' not null`, sql`phone ${text}`]) {
    await unless(/already exists|duplicate column name/i, sql`alter table employees add ${column}`)
  }
  await createIndexes(db)
  await fill(db)
  await unless(isTaken, sql`insert into setup values ('v2')`)

  async function unless(fault: RegExp, statement: RawBuilder<unknown>): Promise<void> {
    try {
      await statement.execute(db)
    } catch (error) {
      if (!fault.test(String(error))) throw error
    }
  }
}

const isTaken = /UNIQUE|unique|Duplicate entry/

// The last written row, read first: some databases block writers for an index that exists.
async function areThere(db: Kysely<unknown>): Promise<boolean> {
  try {
    const { rows } = await sql`select id from setup where id = 'v2'`.execute(db)
    return rows.length > 0
  } catch {
    return false
  }
}

// One for each order of a list, both ways, as ids ascend in either, and one for each other filter.
const indexes: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['companies', ['name', 'id']],
  ['companies', ['name desc', 'id']],
  ['companies', ['created_at', 'id']],
  ['companies', ['created_at desc', 'id']],
  ['employees', ['name', 'id']],
  ['employees', ['name desc', 'id']],
  ['employees', ['birthdate', 'id']],
  ['employees', ['birthdate desc', 'id']],
  ['employees', ['created_at', 'id']],
  ['employees', ['created_at desc', 'id']],
  ['employees', ['company_id', 'id']],
  ['employees', ['email', 'id']],
  ['employees', ['status', 'id']],
  ['customers', ['company_id', 'id']],
  ['customers', ['company_id', 'email', 'id']],
  ['customers', ['company_id', 'name', 'id']],
  ['customers', ['company_id', 'name desc', 'id']],
]

/** Makes the indexes of the tables where they are missing. */
export async function createIndexes(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of indexes) await createIndex(db, table, columns)
}

// Some databases lack "create index if not exists", but all report an index that exists.
async function createIndex(
  db: Kysely<unknown>,
  table: string,
  columns: readonly string[],
): Promise<void> {
  const name = [table, 'by', ...columns.slice(0, -1)].join('_').replace(' ', '_')
  const parts = columns.map((column) => {
    const direction = column.endsWith(' desc') ? 'desc' : 'asc'
    return sql`${sql.ref(column.replace(' desc', ''))} ${sql.raw(direction)}`
  })
  try {
    await sql`create index ${sql.id(name)} on ${sql.table(table)} (${sql.join(parts)})`.execute(db)
  } catch (error) {
    if (!/already exists|Duplicate key name/.test(String(error))) throw error
  }
}

async function fill(db: Kysely<unknown>): Promise<void> {
  const tables = db.withTables<Record<'setup' | 'companies' | 'employees' | 'customers', object>>()
  try {
    await tables.transaction().execute(async (transaction) => {
      // A second process waits here, and then gets a unique violation.
      await transaction.insertInto('setup').values({ id: 'sample' }).execute()
      for (const item of companies) await transaction.insertInto('companies').values(item).execute()
      for (const item of employees) await transaction.insertInto('employees').values(item).execute()
      for (const item of customers) await transaction.insertInto('customers').values(item).execute()
    })
  } catch (error) {
    if (!isTaken.test(String(error))) throw error
  }
}
