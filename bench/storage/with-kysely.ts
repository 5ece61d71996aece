import { type Compilable, type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Employee, type Row, toEmployee, toRow } from './people.ts'
import type { EngineName, Place as Where } from './place.ts'
import { type Place, pageSize, type Way } from './way.ts'

type Tables = { readonly employees: Row }

const columns = ['id', 'name', 'birthdate', 'email', 'company_id', 'created_at'] as const

/** Kysely's query builder, written by an engineer who knows the database. */
export function withKysely({ db: untyped, engine }: Where): Way {
  const db = untyped.withTables<Tables>()
  const all = db.selectFrom('employees').select(columns)
  const sorted = () => all.orderBy('name').orderBy('id').limit(pageSize)
  const toItem = (row: Row | undefined) => row && toEmployee(row)
  const counted = db.selectFrom('employees').select(({ fn }) => fn.countAll().as('count'))
  return {
    read: async (id) => toItem(await all.where('id', '=', id).executeTakeFirst()),
    list: async () => (await sorted().execute()).map(toEmployee),
    search: async (word) =>
      (
        await sorted()
          .where((builder) => has(engine, builder, word))
          .execute()
      ).map(toEmployee),
    page: async (after) =>
      (
        await sorted()
          .where((builder) => isAfter(engine, builder, after))
          .execute()
      ).map(toEmployee),
    count: async () => Number((await counted.executeTakeFirstOrThrow()).count),
    countFound: async (word) => {
      const { count } = await counted
        .where((builder) => has(engine, builder, word))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    first: async () => toItem(await all.orderBy('name').orderBy('id').limit(1).executeTakeFirst()),
    last: async () =>
      toItem(await all.orderBy('name', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()),
    create: async (item) => {
      const values = toRow({ ...item, id: uuidv7(), created_at: new Date().toISOString() })
      const insert = db.insertInto('employees').values(values).returning(columns)
      return (await writtenBy(db, insert)) ?? { ...item, id: '', created_at: '' }
    },
    ...writing(db, engine),
  }
}

function writing(
  db: Kysely<Tables>,
  engine: EngineName,
): Pick<Way, 'update' | 'updateMany' | 'delete'> {
  return {
    update: (item) =>
      engine === 'mariadb'
        ? db.transaction().execute((transaction) => replace(transaction, engine, item))
        : replace(db, engine, item),
    updateMany: (items) =>
      db.transaction().execute(async (transaction) => {
        const stored = transaction
          .selectFrom('employees')
          .select('id')
          .where(
            'id',
            'in',
            items.map(({ id }) => id),
          )
          .orderBy('id')
        const found = await (engine === 'sqlite' ? stored : stored.forUpdate()).execute()
        if (found.length < items.length) throw new Error('Not all of them are there.')
        const updated: (Employee | undefined)[] = []
        for (const item of items) updated.push(await replace(transaction, engine, item))
        return updated
      }),
    delete: (id) =>
      writtenBy(db, db.deleteFrom('employees').where('id', '=', id).returning(columns)),
  }
}

// Kysely assumes that MariaDB returns no rows for writes, unless the statement is sent as it is.
async function writtenBy(
  db: Kysely<Tables>,
  statement: Compilable<Row>,
): Promise<Employee | undefined> {
  const { rows } = await db.executeQuery(statement.compile())
  return rows[0] && toEmployee(rows[0])
}

async function replace(
  db: Kysely<Tables>,
  engine: EngineName,
  item: Employee,
): Promise<Employee | undefined> {
  const { id, created_at, ...values } = toRow(item)
  const update = db.updateTable('employees').set(values).where('id', '=', id)
  if (engine !== 'mariadb') {
    const row = await update.returning(columns).executeTakeFirst()
    return row && toEmployee(row)
  }
  await update.execute()
  const row = await db
    .selectFrom('employees')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toEmployee(row)
}

type Builder = ExpressionBuilder<Tables, 'employees'>

// The first idea, with other results beyond ASCII: 'ŁUKASZ' does not always find 'Łukasz'.
function has(engine: EngineName, builder: Builder, word: string) {
  const pattern = `%${word}%`
  if (engine === 'mariadb') {
    const lower = pattern.toLowerCase()
    return builder.or([
      sql<boolean>`lower(name) like ${lower}`,
      sql<boolean>`lower(email) like ${lower}`,
    ])
  }
  const like = engine === 'postgres' ? 'ilike' : 'like'
  return builder.or([builder('name', like, pattern), builder('email', like, pattern)])
}

function isAfter(engine: EngineName, builder: Builder, { name, id }: Place) {
  if (engine !== 'mariadb') {
    return builder(builder.refTuple('name', 'id'), '>', builder.tuple(name, id))
  }
  // MariaDB finds no start in an index for a comparison of rows.
  return builder.and([
    builder('name', '>=', name),
    builder.or([
      builder('name', '>', name),
      builder.and([builder('name', '=', name), builder('id', '>', id)]),
    ]),
  ])
}
