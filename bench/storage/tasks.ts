import { type Compilable, CompiledQuery, type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Condition } from '../../src/convention/filter-operators.ts'
import { employees } from '../../test/support/first-version.ts'
import { callerOf, type Reading, type Task, tasksOf } from './call.ts'
import {
  columns,
  type Employee,
  itemsOf,
  person,
  type Row,
  rareWord,
  toEmployee,
  toRow,
} from './people.ts'
import { type Engine, fill, type Store } from './stores.ts'

const limit = 20
// Marks the rows that the tasks write.
const newBirthdate = '1900-01-01'
const now = '2026-01-02T03:04:05.000Z'

type Tables = { readonly employees: Row }
type Db = Kysely<Tables>

function callsOf({ db }: Store) {
  return callerOf(db, employees, {
    table: 'employees',
    onCreate: () => ({ created_at: now }) as object,
    // A search through a million rows may take longer than the default.
    timeout: 120_000,
  })
}

const ascending = (...fields: readonly string[]) =>
  fields.map((field) => ({ field, direction: 'asc' }) as const)
const sort = ascending('name', 'id')

/** The tasks on a table of so many employees; those that only read come first. */
export async function tasksFor(store: Store, count: number): Promise<readonly Task[]> {
  return [
    ...(await readingTasks(store, count)),
    ...filterTasks(store, count),
    ...writingTasks(store, count),
    deletingTask(store),
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
  const page = sorted.limit(limit)
  const descending = all.orderBy('name', 'desc').orderBy('id', 'desc').limit(1)
  const counted = db.selectFrom('employees').select(({ fn }) => fn.countAll().as('count'))
  const ids = Array.from({ length: 1000 }, (_, turn) => person(numberOf(turn, count)).id)
  const idAt = (turn: number) => ids[turn % 1000] ?? ''
  const row = Math.floor(count * 0.9)
  const before = sorted.offset(row - 1).limit(1)
  const { name, id } = await before.executeTakeFirstOrThrow()
  const after = { name, id }
  const search = { q: rareWord, words: [rareWord] }
  const query = { sort, limit }
  const total = async (query: typeof counted) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const first = async (query: typeof all) => (await itemsOf(query))[0]
  const firstPage = () => call('list', query)
  const hasWord = (builder: Builder) => has(engine, builder)
  const following = () => itemsOf(page.where((builder) => isAfter(engine, builder, after)))
  const readings: readonly Reading[] = [
    ['list, 20 by name', 'list', query, () => itemsOf(page)],
    ['list, 20 by name, q', 'list', { ...search, ...query }, () => itemsOf(page.where(hasWord))],
    [`page after row ${row}`, 'list', { ...query, after }, following, { firstPage }],
    ['count', 'count', {}, () => total(counted)],
    ['count, q', 'count', search, () => total(counted.where(hasWord))],
    ['count by company_id', 'countBy', { by: ['company_id'] }, () => grouped(db)],
    ['first by name', 'first', { sort }, () => first(sorted.limit(1))],
    ['last by name', 'last', { sort }, () => first(descending)],
  ]
  const read: Task = {
    name: 'read',
    nounful: (turn) => call('read', {}, { id: idAt(turn) }),
    byHand: (turn) => first(all.where('id', '=', idAt(turn))),
  }
  return [read, ...tasksOf(call, readings)]
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
  return builder.or(
    ['name', 'email'].map((column) => sql<boolean>`${on(column)} ${like} ${pattern}`),
  )
}

function isAfter(engine: Engine, builder: Builder, { name, id }: { name: string; id: string }) {
  if (engine !== 'mariadb') {
    return builder(builder.refTuple('name', 'id'), '>', builder.tuple(name, id))
  }
  // MariaDB finds no start in an index for a comparison of rows.
  return sql<boolean>`name >= ${name} and (name > ${name} or name = ${name} and id > ${id})`
}

type Filter = readonly [
  name: string,
  where: readonly Condition[],
  order: readonly string[],
  /** The condition by hand. */
  text: ReturnType<typeof sql>,
  after?: Readonly<Record<string, string>>,
]

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
  const byDay = ['birthdate', 'id']
  return [
    ['equal', [company], ['id'], equal],
    ['equal, cursor', [company], ['id'], sql`${equal} and id > ${id}`, { id }],
    ['range', [born], byDay, range],
    ['range, cursor', [born], byDay, sql`${range} and ${later}`, { birthdate: day, id }],
    ['range, equal', [born, company], byDay, sql`${range} and ${equal}`],
    ['equal, startsWith', [company, word], ['id'], sql`${equal} and email like ${'ada.%'}`],
  ]
}

function filterTasks(store: Store, count: number): Task[] {
  const { db, engine } = store
  const readings = filtersFor(engine, count).map(([name, where, order, text, after]): Reading => {
    const query = sql<Row>`select ${sql.raw(columns.join(', '))} from employees
      where ${text} order by ${sql.raw(order.join(', '))} limit ${sql.lit(limit)}`.compile(db)
    const byHand = async () => (await db.executeQuery(query)).rows.map(toEmployee)
    return [`filter: ${name}`, 'list', { where, sort: ascending(...order), limit, after }, byHand]
  })
  return tasksOf(callsOf(store), readings)
}

const draftOf = ({ id: _, created_at: __, ...draft }: Employee) => draft
const nameOf = (item: unknown) => ({ ...Object(item), id: '', created_at: '' })

function writingTasks(store: Store, count: number): Task[] {
  const { engine } = store
  const db = store.db.withTables<Tables>()
  const call = callsOf(store)
  const cleanup = () => deleteNew(db)
  const changed = (turn: number, at = turn): Employee => {
    const item = person(numberOf(at, count))
    return { ...item, name: `${item.name} ${turn}` }
  }
  const draftAt = (number: number) => draftOf({ ...person(number), birthdate: newBirthdate })
  const newcomer = draftAt(1)
  const drafts = Array.from({ length: 1000 }, (_, place) => draftAt(count + place))
  const insert = (items: readonly (typeof newcomer)[], on = db) => {
    const values = items.map((item) => toRow({ ...item, id: uuidv7(), created_at: now }))
    return written(on, on.insertInto('employees').values(values).returning(columns))
  }
  const atOnce = <Result>(work: (on: Db) => Promise<Result>) => db.transaction().execute(work)
  const itemsAt = (turn: number) =>
    Array.from({ length: limit }, (_, at) => changed(turn, turn * limit + at))
  return [
    {
      ...{ name: 'create', cleanup, comparable: nameOf },
      nounful: (turn) => call('create', {}, { item: { ...newcomer, name: `Zed ${turn}` } }),
      byHand: async (turn) => (await insert([{ ...newcomer, name: `Zed ${turn}` }]))[0],
    },
    {
      ...{ name: 'createMany, 1,000', cleanup },
      nounful: () => call('createMany', {}, { items: drafts }),
      byHand: () => atOnce((on) => insert(drafts, on)),
      comparable: (items) => (items as Employee[]).map(nameOf),
    },
    {
      name: 'update',
      nounful: (turn) => call('update', {}, { id: changed(turn).id, item: changed(turn) }),
      byHand: (turn) =>
        engine === 'mariadb'
          ? atOnce((on) => replace(on, engine, changed(turn)))
          : replace(db, engine, changed(turn)),
    },
    {
      name: `updateMany, ${limit}`,
      nounful: (turn) => call('updateMany', {}, { items: itemsAt(turn) }),
      byHand: (turn) => atOnce((on) => replaceAll(on, engine, itemsAt(turn))),
    },
    {
      ...{ name: 'delete', cleanup },
      nounful: (turn) => call('delete', {}, { id: spareId(turn) }),
      byHand: async (turn) => {
        const statement = db.deleteFrom('employees').where('id', '=', spareId(turn))
        return (await written(db, statement.returning(columns)))[0]
      },
      prepare: (start, length) => fillSpare(store, [start, length], 'Gone'),
    },
  ]
}

function deletingTask(store: Store): Task {
  const call = callsOf(store)
  const db = store.db.withTables<Tables>()
  const count = 1000
  const nameAt = (turn: number) => `Gone ${turn}`
  return {
    name: 'deleteMany, 1,000',
    nounful: (turn) => {
      const named = { field: 'name', is: 'in', values: [nameAt(turn)], type: 'text' } as const
      return call('deleteMany', { where: [named] }, { maxAffected: count })
    },
    byHand: async (turn) => {
      const statement = db.deleteFrom('employees').where('name', '=', nameAt(turn))
      return Number((await statement.executeTakeFirst()).numDeletedRows)
    },
    prepare: async (start, length) => {
      for (let turn = start; turn < start + length; turn++) {
        await fillSpare(store, [turn * count, count], nameAt(turn))
      }
    },
    cleanup: () => deleteNew(db),
  }
}

function deleteNew(db: Db): Promise<unknown> {
  return db.deleteFrom('employees').where('birthdate', '=', newBirthdate).execute()
}

/** Inserts rows of numbers from a first one on, which tasks may delete. */
function fillSpare(
  store: Store,
  [first, count]: readonly [number, number],
  name: string,
): Promise<void> {
  const rowAt = (place: number) =>
    toRow({ ...person(place), id: spareId(first + place), name, birthdate: newBirthdate })
  return fill(store, 'employees', { count, rowAt })
}

function spareId(turn: number): string {
  return `spare ${String(turn).padStart(9, '0')}`
}

// Kysely assumes that MariaDB returns no rows for writes, unless the statement is sent as it is.
async function written(db: Db, statement: Compilable<Row>): Promise<Employee[]> {
  const { sql: text, parameters } = statement.compile()
  const returning = text.includes(' returning ') ? '' : ` returning ${columns.join(', ')}`
  const query = CompiledQuery.raw(text + returning, [...parameters])
  return (await db.executeQuery(query)).rows.map((row) => toEmployee(row as Row))
}

async function replace(db: Db, engine: Engine, item: Employee): Promise<Employee | undefined> {
  const { id, created_at, ...values } = toRow(item)
  const update = db.updateTable('employees').set(values).where('id', '=', id)
  if (engine !== 'mariadb') return (await itemsOf(update.returning(columns)))[0]
  await update.execute()
  return (await itemsOf(db.selectFrom('employees').select(columns).where('id', '=', id)))[0]
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
