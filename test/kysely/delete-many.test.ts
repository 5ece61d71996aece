import { type Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { d1Dialect, kyselyAdapter } from 'nounful/kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { d1Of } from '../support/d1.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'

const Task = z.object({ id: z.string(), title: z.string(), list_id: z.string() })
const tasks = defineResource('tasks', {
  schema: Task,
  create: Task,
  searchable: ['title'],
  filterable: ['title'],
})
const lists = defineResource('lists', { schema: z.object({ id: z.string() }) })
const api = defineApi({
  v1: { '/tasks': tasks, '/lists': lists, '/lists/:list_id/tasks': tasks },
})

interface Store {
  readonly engine: Engine
  readonly dialect?: Parameters<typeof databaseOf>[1]
}

const stores: readonly (readonly [name: string, store: Store])[] = [
  ...engines.filter(has).map((engine) => [engine, { engine }] as const),
  ['d1', { engine: 'sqlite', dialect: { sqlite: (file) => d1Dialect(d1Of(file)) } }],
]

describe.each(stores)('what matches in %s', (name, { engine, dialect }) => {
  let db: Kysely<unknown>
  let drop: () => Promise<void>
  const send = async (method: string, url: string, most?: number, options: object = {}) => {
    const registry = defineRegistry(api).adapters({
      lists: kyselyAdapter(db, { table: 'lists' }),
      tasks: kyselyAdapter(db, { table: 'tasks', ...options }),
    })
    const headers = most === undefined ? {} : { prefer: `max-affected=${most}` }
    const { status, body } = await handle({ method, url: `/v1${url}`, headers }, registry)
    return status === 200 ? body : Object(body).code
  }
  const left = async () => {
    const { rows } = await sql<{ id: string }>`select id from tasks order by id`.execute(db)
    return rows.map(({ id }) => id).join('')
  }

  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>(engine, dialect))
    const text = engine === 'mariadb' ? 'varchar(40)' : 'text'
    for (const statement of [
      `create table lists (id ${text} primary key)`,
      `create table tasks (id ${text} primary key, title ${text} not null,
        list_id ${text} not null references lists (id))`,
      `create table notes (task_id ${text} not null references tasks (id))`,
      `create table stars (task_id ${text} not null references tasks (id) on delete cascade)`,
      "create view seen as select * from tasks where title <> 'hidden'",
      "insert into lists values ('1'), ('2')",
    ])
      await sql.raw(statement).execute(db)
  }, 60_000)

  beforeEach(async () => {
    await sql`delete from notes`.execute(db)
    await sql`delete from tasks`.execute(db)
    await sql`insert into tasks values ('a', 'Write', '1'), ('b', 'Write tests', '1'),
      ('c', 'Read', '2'), ('d', 'Write', '2'), ('e', 'hidden', '2')`.execute(db)
  })

  afterAll(() => drop())

  test('goes below its parent only', async () => {
    expect(await send('DELETE', '/lists/1/tasks?q=write', 2)).toEqual({ deleted: 2 })
    expect(await left()).toBe('cde')
    expect(await send('DELETE', '/lists/1/tasks?id:ne=x', 9)).toEqual({ deleted: 0 })
    expect(await send('DELETE', '/lists/3/tasks?id:ne=x', 9)).toBe('parent_not_found')
    expect(await left()).toBe('cde')
  })

  test('stays where a foreign key keeps one, and counts no row of a cascade', async () => {
    await sql`insert into notes values ('d')`.execute(db)
    expect(await send('DELETE', '/tasks?title=Write', 9)).toBe('conflict')
    expect(await left()).toBe('abcde')
    await sql`delete from notes`.execute(db)
    await sql`insert into stars values ('d')`.execute(db)
    expect(await send('DELETE', '/tasks?title=Write', 9)).toEqual({ deleted: 2 })
    await sql`insert into stars values ('c')`.execute(db)
    expect(await send('DELETE', '/lists/2/tasks', 2)).toEqual({ deleted: 2 })
    expect((await sql`select * from stars`.execute(db)).rows).toEqual([])
  })

  test('goes from the table below a view, as the view shows it', async () => {
    if (name === 'd1') return
    const options = { table: 'seen', writeTo: 'tasks' }
    expect(await send('DELETE', '/tasks?id=d&id=e', 1, options)).toEqual({ deleted: 1 })
    expect(await send('DELETE', '/tasks?id:ne=a', 1, options)).toBe('too_many_affected')
    expect(await left()).toBe('abce')
  })

  test.runIf(engine === 'postgres')('stays where a trigger keeps it', async () => {
    await sql`create function keep() returns trigger language plpgsql as
      $$ begin if old.title = 'hidden' then return null; end if; return old; end $$`.execute(db)
    await sql`create trigger keep before delete on tasks for each row
      execute function keep()`.execute(db)
    expect(await send('DELETE', '/tasks?title=hidden', 5)).toEqual({ deleted: 0 })
    expect(await send('DELETE', '/tasks?id:ne=a', 4)).toEqual({ deleted: 3 })
    expect(await left()).toBe('ae')
    await sql`drop trigger keep on tasks`.execute(db)
  })

  test('goes where a condition of the user looks at the same table', async () => {
    if (name === 'd1') return
    const lowest = sql`(select min(id) from tasks)`
    const options = { visible: () => sql<boolean>`id > ${lowest}` }
    expect(await send('DELETE', '/tasks?title=Write', 1, options)).toEqual({ deleted: 1 })
    expect(await send('DELETE', '/tasks?id:ne=x', 2, options)).toBe('too_many_affected')
    const search = { search: () => sql<boolean>`id = ${lowest}` }
    expect(await send('DELETE', '/tasks?q=lowest', 2, search)).toEqual({ deleted: 1 })
    expect(await left()).toBe('bce')
  })

  test('goes once, and at most as many as allowed, beside other writes', async () => {
    await sql`insert into tasks values ${sql.join(
      Array.from({ length: 40 }, (_, n) => sql`(${`x${n}`}, ${'crowd'}, ${n % 2 ? '1' : '2'})`),
    )}`.execute(db)
    const ids = Array.from({ length: 8 }, (_, n) => [n, n + 1, n + 2, n + 3])
    const deletions = ids.map((numbers) =>
      send('DELETE', `/tasks?${numbers.map((n) => `id=x${n}`).join('&')}`, 4),
    )
    const creations = [50, 51, 52].map((n) =>
      sql`insert into tasks values (${`x${n}`}, 'crowd', '1')`.execute(db),
    )
    const answers = await Promise.all([...deletions, send('DELETE', '/tasks?title=crowd', 3)])
    await Promise.all(creations)
    expect(answers.at(-1)).toBe('too_many_affected')
    const counts = answers.slice(0, -1).map((answer) => Object(answer).deleted)
    expect(Math.max(...counts)).toBeLessThanOrEqual(4)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(11)
    expect(await send('GET', '/tasks/count?title=crowd')).toEqual({ count: 32 })
  })

  test('goes at most as many as allowed beside creates by twenty clients', async () => {
    const registry = defineRegistry(api).adapters({
      lists: kyselyAdapter(db, { table: 'lists' }),
      tasks: kyselyAdapter(db, { table: 'tasks' }),
    })
    const create = async (id: string, title: string) => {
      const body = JSON.stringify({ id, title, list_id: '1' })
      const headers = { 'content-type': 'application/json' }
      const request = { method: 'POST', url: '/v1/tasks', headers, body }
      return (await handle(request, registry)).status
    }
    for (let round = 0; round < 5; round++) {
      const query = `title=crowd${round}`
      const most = 4 + round * 4
      const remove = () => send('DELETE', `/tasks?${query}`, most)
      const tries = Array.from({ length: 24 }, (_, n) =>
        n % 6 === 5 ? remove() : create(`r${round}-${n}`, `crowd${round}`),
      )
      const answers = await Promise.all(tries)
      expect(answers.filter((answer) => answer === 201)).toHaveLength(20)
      const removals = answers.filter((answer) => answer !== 201 && answer !== 'too_many_affected')
      const counts = removals.map((answer) => Object(answer).deleted)
      expect(counts.filter((count) => !(count <= most))).toEqual([])
      const rest = counts.reduce((sum, count) => sum - count, 20)
      expect(await send('GET', `/tasks/count?${query}`)).toEqual({ count: rest })
      if (rest > 0)
        expect(await send('DELETE', `/tasks?${query}`, rest - 1)).toBe('too_many_affected')
      expect(await send('DELETE', `/tasks?${query}`, rest)).toEqual({ deleted: rest })
      expect(await left()).toBe('abcde')
    }
  })

  test.runIf(engine === 'mariadb')('is found by an index, whatever the condition', async () => {
    const Part = z.object({ id: z.string(), name: z.string(), whole_id: z.string().nullable() })
    const parts = defineResource('parts', {
      ...{ schema: Part, filterable: ['name'], references: { whole_id: 'parts' } },
    })
    const text = 'varchar(40) collate utf8mb4_bin'
    await sql`create table parts (id ${sql.raw(text)} primary key, name ${sql.raw(text)},
      whole_id ${sql.raw(text)}, index (name), index (whole_id))`.execute(db)
    await sql`insert into parts select seq, concat('n', seq), seq div 10
      from seq_1_to_5000`.execute(db)
    await db.connection().execute(async (connection) => {
      const registry = defineRegistry(defineApi({ v1: { '/parts': parts } })).adapters({
        parts: kyselyAdapter(connection, { table: 'parts' }),
      })
      const headers = { prefer: 'max-affected=20' }
      for (const [filter, deleted] of [
        ['name=n77&name=n78', 2],
        ['whole.name=n99', 10],
      ] as const) {
        const request = { method: 'DELETE', url: `/v1/parts?${filter}`, headers }
        // The first request looks the table up.
        await handle({ ...request, url: '/v1/parts?name=none' }, registry)
        await sql`flush status`.execute(connection)
        expect((await handle(request, registry)).body).toEqual({ deleted })
        const status = await sql<{ Variable_name: string; Value: string }>`
          show session status where Variable_name in ('Handler_read_rnd_next', 'Handler_read_next')
        `.execute(connection)
        const reads = status.rows.map(({ Value }) => Number(Value))
        expect([filter, reads.reduce((sum, number) => sum + number, 0) < 500]).toEqual([
          filter,
          true,
        ])
      }
    })
  })

  test('keeps its rows with a soft delete', async () => {
    if (name === 'd1') return
    const moment = { sqlite: 'text', postgres: 'timestamptz', mariadb: 'datetime(3)' }[engine]
    await sql.raw(`alter table tasks add column deleted_at ${moment}`).execute(db)
    const options = { softDelete: 'deleted_at' }
    expect(await send('DELETE', '/tasks?title=Write', 2, options)).toEqual({ deleted: 2 })
    expect(await send('DELETE', '/tasks?title=Write', 0, options)).toEqual({ deleted: 0 })
    expect(await send('GET', '/tasks/count', undefined, options)).toEqual({ count: 3 })
    expect(await left()).toBe('abcde')
  })
})
