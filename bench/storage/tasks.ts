import { deepStrictEqual } from 'node:assert'
import { type Compilable, CompiledQuery, type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Condition } from '../../src/convention/filter-operators.ts'
import { employees } from '../../test/support/first-version.ts'
import { callerOf, type Task } from './call.ts'
import {
  columns,
  type Employee,
  people,
  person,
  type Row,
  rareWord,
  toEmployee,
  toRow,
} from './people.ts'
import { type Engine, fill, type Store } from './stores.ts'

const pageSize = 20
// Marks the rows that the tasks write.
const newBirthdate = '1900-01-01'
const now = '2026-01-02T03:04:05.000Z'

type Tables = { readonly employees: Row }

function callsOf({ db }: Store) {
  return callerOf(db, employees, {
    table: 'employees',
    onCreate: () => ({ created_at: now }) as object,
    // A search through a million rows may take longer than the default.
    timeout: 120_000,
  })
}

const sort = [
  { field: 'name', direction: 'asc' },
  { field: 'id', direction: 'asc' },
] as const

/** The tasks on a table of so many employees; those that only read come first. */
export async function tasksFor(store: Store, count: number): Promise<readonly Task[]> {
  return [
    ...(await readingTasks(store, count)),
    ...filterTasks(store, count),
    ...writingTasks(store, count),
  ]
}

// Spread over the table.
function numberOf(turn: number, count: number): number {
  return ((turn % 1000) * 7919 + 13) % count
}

async function readingTasks(store: Store, count: number): Promise<Task[]> {
  const { engine } = store
  const db = store.db.withTables<Tables>()
  const call = callsOf(store)
  const all = db.selectFrom('employees').select(columns)
  const sorted = all.orderBy('name').orderBy('id')
  const page = sorted.limit(pageSize)
  const descending = all.orderBy('name', 'desc').orderBy('id', 'desc').limit(1)
  const counted = db.selectFrom('employees').select(({ fn }) => fn.countAll().as('count'))
  const ids = Array.from({ length: 1000 }, (_, turn) => person(numberOf(turn, count)).id)
  const idAt = (turn: number) => ids[turn % 1000] ?? ''
  const row = Math.floor(count * 0.9)
  const { name, id } = await sorted
    .offset(row - 1)
    .limit(1)
    .executeTakeFirstOrThrow()
  const after = { name, id }
  const search = { q: rareWord, words: [rareWord] }
  const total = async (query: typeof counted) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const list = async (query: typeof all) => (await query.execute()).map(toEmployee)
  const first = async (query: typeof all) => (await list(query))[0]
  const limit = pageSize
  return [
    {
      name: 'read',
      nounful: (turn) => call('read', {}, { id: idAt(turn) }),
      kysely: (turn) => first(all.where('id', '=', idAt(turn))),
    },
    {
      name: 'list, 20 by name',
      nounful: () => call('list', { sort, limit }),
      kysely: () => list(page),
    },
    {
      name: 'list, 20 by name, q',
      nounful: () => call('list', { ...search, sort, limit }),
      kysely: () => list(page.where((builder) => has(engine, builder))),
    },
    {
      name: `page after row ${row}`,
      nounful: () => call('list', { sort, limit, after }),
      kysely: () => list(page.where((builder) => isAfter(engine, builder, after))),
      firstPage: () => call('list', { sort, limit }),
    },
    { name: 'count', nounful: () => call('count'), kysely: () => total(counted) },
    {
      name: 'count, q',
      nounful: () => call('count', search),
      kysely: () => total(counted.where((builder) => has(engine, builder))),
    },
    {
      name: 'count by company_id',
      nounful: () => call('countBy', { by: ['company_id'] }),
      kysely: () => grouped(db),
    },
    {
      name: 'first by name',
      nounful: () => call('first', { sort }),
      kysely: () => first(sorted.limit(1)),
    },
    {
      name: 'last by name',
      nounful: () => call('last', { sort }),
      kysely: () => first(descending),
    },
  ]
}

async function grouped(db: Db) {
  const groups = await db
    .selectFrom('employees')
    .select(({ fn }) => ['company_id', fn.countAll().as('count')])
    .groupBy('company_id')
    .orderBy('count', 'desc')
    .limit(1001)
    .execute()
  return groups.map(({ company_id, count }) => ({
    ...(company_id !== null && { company_id }),
    count: Number(count),
  }))
}

type Builder = ExpressionBuilder<Tables, 'employees'>

// The first idea, with other results beyond ASCII: 'ŁUKASZ' does not always find 'Łukasz'.
function has(engine: Engine, builder: Builder) {
  const pattern = `%${rareWord}%`
  const like = engine === 'postgres' ? sql`ilike` : sql`like`
  const on = (column: string) =>
    engine === 'mariadb' ? sql`lower(${sql.ref(column)})` : sql.ref(column)
  return builder.or([
    sql<boolean>`${on('name')} ${like} ${pattern}`,
    sql<boolean>`${on('email')} ${like} ${pattern}`,
  ])
}

function isAfter(engine: Engine, builder: Builder, { name, id }: { name: string; id: string }) {
  if (engine !== 'mariadb') {
    return builder(builder.refTuple('name', 'id'), '>', builder.tuple(name, id))
  }
  // MariaDB finds no start in an index for a comparison of rows.
  return sql<boolean>`name >= ${name} and (name > ${name} or name = ${name} and id > ${id})`
}

interface Filter {
  readonly name: string
  readonly where: readonly Condition[]
  readonly sort: readonly string[]
  readonly after?: Readonly<Record<string, string>>
  /** The condition by hand. */
  readonly text: ReturnType<typeof sql>
}

function filtersFor(engine: Engine, count: number): readonly Filter[] {
  const company = { field: 'company_id', is: 'in', values: ['002'], type: 'text' } as const
  const born = { field: 'birthdate', is: 'gte', values: ['1980-06-01'], type: 'date' } as const
  const word = { field: 'email', is: 'startsWith', values: ['ada.'], type: 'text' } as const
  const { id } = person(count >> 1)
  const day = '1985-01-02'
  const later =
    engine === 'mariadb'
      ? sql`birthdate >= ${day} and (birthdate > ${day} or birthdate = ${day} and id > ${id})`
      : sql`(birthdate, id) > (${day}, ${id})`
  const [equal, range] = [sql`company_id = ${'002'}`, sql`birthdate >= ${'1980-06-01'}`]
  const byId = { where: [company], sort: ['id'] }
  const byDay = { where: [born], sort: ['birthdate', 'id'] }
  return [
    { name: 'equal', ...byId, text: equal },
    { name: 'equal, cursor', ...byId, after: { id }, text: sql`${equal} and id > ${id}` },
    { name: 'range', ...byDay, text: range },
    {
      ...{ name: 'range, cursor', ...byDay, after: { birthdate: day, id } },
      text: sql`${range} and ${later}`,
    },
    { ...byDay, name: 'range, equal', where: [born, company], text: sql`${range} and ${equal}` },
    {
      ...{ ...byId, name: 'equal, startsWith', where: [company, word] },
      text: sql`${equal} and email like ${'ada.%'}`,
    },
  ]
}

function filterTasks(store: Store, count: number): Task[] {
  const call = callsOf(store)
  return filtersFor(store.engine, count).map(({ name, where, sort, after, text }) => {
    const order = sql.raw(sort.join(', '))
    const query = sql<Row>`select ${sql.raw(columns.join(', '))} from employees
      where ${text} order by ${order} limit ${sql.lit(pageSize)}`.compile(store.db)
    const fields = sort.map((field) => ({ field, direction: 'asc' }) as const)
    return {
      name: `filter: ${name}`,
      nounful: () => call('list', { where, sort: fields, limit: pageSize, after }),
      kysely: async () => (await store.db.executeQuery(query)).rows.map(toEmployee),
    }
  })
}

function writingTasks(store: Store, count: number): Task[] {
  const { engine } = store
  const db = store.db.withTables<Tables>()
  const call = callsOf(store)
  const cleanup = async () => {
    await db.deleteFrom('employees').where('birthdate', '=', newBirthdate).execute()
  }
  const changed = (turn: number, at = turn): Employee => {
    const item = person(numberOf(at, count))
    return { ...item, name: `${item.name} ${turn}` }
  }
  const draftOf = ({ id: _, created_at: __, ...draft }: Employee) => draft
  const newcomer = draftOf({ ...person(1), birthdate: newBirthdate })
  const drafts = people(count, count + 1000).map((item) =>
    draftOf({ ...item, birthdate: newBirthdate }),
  )
  const insert = async (items: readonly (typeof newcomer)[], on = db) => {
    const values = items.map((item) => toRow({ ...item, id: uuidv7(), created_at: now }))
    return written(on, on.insertInto('employees').values(values).returning(columns))
  }
  const itemsAt = (turn: number) =>
    Array.from({ length: pageSize }, (_, at) => changed(turn, turn * pageSize + at))
  const nameOf = (item: unknown) => ({ ...(item as Employee), id: '', created_at: '' })
  return [
    {
      name: 'create',
      nounful: (turn) => call('create', {}, { item: { ...newcomer, name: `Zed ${turn}` } }),
      kysely: async (turn) => (await insert([{ ...newcomer, name: `Zed ${turn}` }]))[0],
      cleanup,
      comparable: nameOf,
    },
    {
      name: 'createMany, 1,000',
      nounful: () => call('createMany', {}, { items: drafts }),
      kysely: () => db.transaction().execute((transaction) => insert(drafts, transaction)),
      cleanup,
      comparable: (items) => (items as Employee[]).map(nameOf),
    },
    {
      name: 'update',
      nounful: (turn) => call('update', {}, { id: changed(turn).id, item: changed(turn) }),
      kysely: (turn) =>
        engine === 'mariadb'
          ? db.transaction().execute((transaction) => replace(transaction, engine, changed(turn)))
          : replace(db, engine, changed(turn)),
    },
    {
      name: `updateMany, ${pageSize}`,
      nounful: (turn) => call('updateMany', {}, { items: itemsAt(turn) }),
      kysely: (turn) =>
        db.transaction().execute((transaction) => replaceAll(transaction, engine, itemsAt(turn))),
    },
    {
      name: 'delete',
      nounful: (turn) => call('delete', {}, { id: spareId(turn) }),
      kysely: async (turn) => {
        const statement = db.deleteFrom('employees').where('id', '=', spareId(turn))
        return (await written(db, statement.returning(columns)))[0]
      },
      prepare: (start, length) => fillSpare(store, [start, length], 'Gone'),
      cleanup,
    },
    deletingTask(store, cleanup),
  ]
}

const deletedCount = 1000

function deletingTask(store: Store, cleanup: () => Promise<void>): Task {
  const call = callsOf(store)
  const db = store.db.withTables<Tables>()
  const nameAt = (turn: number) => `Gone ${turn}`
  return {
    name: 'deleteMany, 1,000',
    nounful: (turn) => {
      const named = { field: 'name', is: 'in', values: [nameAt(turn)], type: 'text' } as const
      return call('deleteMany', { where: [named] }, { maxAffected: deletedCount })
    },
    kysely: async (turn) => {
      const statement = db.deleteFrom('employees').where('name', '=', nameAt(turn))
      return Number((await statement.executeTakeFirst()).numDeletedRows)
    },
    prepare: async (start, length) => {
      for (let turn = start; turn < start + length; turn++) {
        await fillSpare(store, [turn * deletedCount, deletedCount], nameAt(turn))
      }
    },
    cleanup,
  }
}

/** Inserts rows of numbers from a first one on, which tasks may delete. */
function fillSpare(
  store: Store,
  [first, length]: readonly [number, number],
  name: string,
): Promise<void> {
  const rows = Array.from({ length }, (_, place) => {
    const id = spareId(first + place)
    return { ...toRow({ ...person(place), id, name, birthdate: newBirthdate }) }
  })
  return fill({ ...store, upkeep: [] }, 'employees', rows)
}

function spareId(turn: number): string {
  return `spare ${String(turn).padStart(9, '0')}`
}

type Db = Kysely<Tables>

// Kysely assumes that MariaDB returns no rows for writes, unless the statement is sent as it is.
async function written(db: Db, statement: Compilable<Row>): Promise<Employee[]> {
  return (await db.executeQuery(CompiledQuery.raw(...textOf(statement)))).rows.map((row) =>
    toEmployee(row as Row),
  )
}

function textOf(statement: Compilable<Row>): [string, unknown[]] {
  const { sql: text, parameters } = statement.compile()
  const returning = text.includes(' returning ') ? '' : ` returning ${columns.join(', ')}`
  return [text + returning, [...parameters]]
}

async function replace(db: Db, engine: Engine, item: Employee): Promise<Employee | undefined> {
  const { id, created_at, ...values } = toRow(item)
  const update = db.updateTable('employees').set(values).where('id', '=', id)
  if (engine !== 'mariadb') {
    const row = await update.returning(columns).executeTakeFirst()
    return row && toEmployee(row)
  }
  await update.execute()
  const read = db.selectFrom('employees').select(columns).where('id', '=', id)
  const row = await read.executeTakeFirst()
  return row && toEmployee(row)
}

async function replaceAll(db: Db, engine: Engine, items: readonly Employee[]) {
  const ids = items.map(({ id }) => id)
  const rows = db.selectFrom('employees').select('id').where('id', 'in', ids).orderBy('id')
  const locked = await (engine === 'sqlite' ? rows : rows.forUpdate()).execute()
  if (locked.length < items.length) throw new Error('A row is missing.')
  const updated: (Employee | undefined)[] = []
  for (const item of items) updated.push(await replace(db, engine, item))
  return updated
}

// Turns that no measurement has.
const apart = 900_000_000

/**
 * Checks that both ways of a task give the same results.
 *
 * @throws {AssertionError} When they differ.
 */
export async function compareResults(task: Task): Promise<void> {
  const { comparable = (result: unknown) => result } = task
  for (const turn of [0, 1, 2, 17, 503]) {
    await task.prepare?.(apart + turn, 1)
    const actual = comparable(await task.nounful(apart + turn))
    await task.prepare?.(apart + turn, 1)
    deepStrictEqual(actual, comparable(await task.kysely(apart + turn)), task.name)
    if (actual === undefined) throw new Error(`"${task.name}" gives nothing.`)
  }
  await task.cleanup?.()
}
