import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const users = defineResource('users', { schema: z.object({ id: z.string() }) })
const task = { text: z.string().max(5), slot: z.int(), owner_id: z.string() }
const made = { made_by: z.string() }

/** The same tasks with a revision and without, each as stored and as a view of them. */
function apiOf(hasRevision: boolean) {
  const revision = hasRevision ? { rev: z.int() } : {}
  const tasks = defineResource('tasks', {
    schema: z.object({ id: z.string(), ...task, ...made, ...revision }),
    create: z.object({ id: z.string().optional(), ...task }),
    update: z.object(task),
    readOnly: ['made_by'],
    filled: ['made_by'],
    references: { owner_id: 'users' },
    ...(hasRevision && { revision: 'rev' as never }),
  })
  const view = defineView('tasks_v1', tasks, {
    schema: z.object({ id: z.string(), ...task, ...made, ...revision }),
    create: z.object({ id: z.string().optional(), ...task }),
    update: z.object(task),
  })
  return defineApi({
    v1: { '/tasks': view, '/users': users },
    v2: { '/tasks': tasks, '/users': users },
  })
}

const stored = ['a', 'b'].map((id, slot) => ({ id, text: id, slot, owner_id: 'u', made_by: 'x' }))

async function adaptersIn(store: string, hasRevision: boolean) {
  const items = stored.map((item) => (hasRevision ? { ...item, rev: 4 } : item))
  if (store === 'memory')
    return {
      tasks: memoryAdapter({ items, unique: ['slot'] } as never),
      users: memoryAdapter({ items: [{ id: 'u' }] }),
    }
  const db = new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) })
  const rev = sql.raw(hasRevision ? ', rev integer not null default 4' : '')
  await sql`create table users (id text primary key)`.execute(db)
  await sql`insert into users values ('u')`.execute(db)
  await sql`create table tasks (id text primary key, text text not null,
    slot integer not null unique, owner_id text not null references users (id),
    made_by text not null ${rev})`.execute(db)
  for (const { id, text, slot } of stored)
    await sql`insert into tasks (id, text, slot, owner_id, made_by)
      values (${id}, ${text}, ${slot}, 'u', 'x')`.execute(db)
  return {
    tasks: kyselyAdapter(db, { table: 'tasks' }),
    users: kyselyAdapter(db, { table: 'users' }),
  }
}

const good = { text: 'new', slot: 7, owner_id: 'u' }
const long = { ...good, text: 'too long' }
const lost = { ...good, owner_id: 'nobody' }
const taken = { ...good, slot: 1 }
const forged = { ...good, made_by: 'me' }
const old = { rev: 3 }

/** The faults of a body for the item "a", and its answer. */
type Row = readonly [name: string, body: object, verdict: string, pointer: string]
// biome-ignore format: a row stays a line
const rows: readonly Row[] = [
  ['a text that is too long',               long,                          '422 validation_failed', '/text'],
  ['the same, and a taken value',           { ...long, slot: 1 },          '422 validation_failed', '/text'],
  ['the same, and an absent reference',     { ...long, owner_id: 'no' },   '422 validation_failed', '/text'],
  ['an absent reference',                   lost,                          '422 validation_failed', '/owner_id'],
  ['the same, and a taken value',           { ...lost, slot: 1 },          '422 validation_failed', '/owner_id'],
  ['a read-only field',                     forged,                        '422 validation_failed', '/made_by'],
  ['the same, and a taken value',           { ...forged, slot: 1 },        '422 validation_failed', '/made_by'],
  ['a taken value',                         taken,                         '409 conflict',          '/slot'],
]
// biome-ignore format: a row stays a line
const revised: readonly Row[] = [
  ['an old revision',                       { ...good, ...old },           '409 precondition_failed', '/rev'],
  ['the same, and a long text',             { ...long, ...old },           '422 validation_failed', '/text'],
  ['the same, and an absent reference',     { ...lost, ...old },           '422 validation_failed', '/owner_id'],
  ['the same, and a read-only field',       { ...forged, ...old },         '422 validation_failed', '/made_by'],
  ['the same, and a taken value',           { ...taken, ...old },          '409 precondition_failed', '/rev'],
]

const b = { ...stored[1], text: 'bb' }
const { made_by: _, ...second } = b

/** The ways of a body: alone, and in an array before and after another item. */
const ways = [
  ['an item', '/a', (body: object) => body, ''],
  ['the first of two items', '', (body: object) => [{ ...body, id: 'a' }, second], '/0'],
  ['the last of two items', '', (body: object) => [second, { ...body, id: 'a' }], '/1'],
] as const

describe.each(['memory', 'sqlite'])('%s', (store) => {
  for (const hasRevision of [true, false]) {
    for (const version of ['v1', 'v2'] as const) {
      for (const method of ['PUT', 'PATCH'] as const) {
        for (const [way, path, bodyOf, at] of ways) {
          const kind = hasRevision ? 'with a revision' : 'without one'
          test(`${method} of ${way} in ${version} ${kind} names 422 before 409`, async () => {
            const api = apiOf(hasRevision)
            const adapters = await adaptersIn(store, hasRevision)
            const registry = defineRegistry(api, { defaultVersion: false }).adapters(
              adapters as never,
            )
            for (const [name, body, verdict, pointer] of hasRevision
              ? [...rows, ...revised]
              : rows) {
              const headers = { 'content-type': 'application/json' }
              const sent = { method, url: `/${version}/tasks${path}`, headers }
              const { status, body: told } = await handle(
                { ...sent, body: JSON.stringify(bodyOf(body)) },
                registry,
              )
              const { code, issues } = Object(told)
              expect([name, `${status} ${code}`, issues?.[0]?.pointer]).toEqual([
                name,
                verdict,
                at + pointer,
              ])
            }
          })
        }
      }
    }
  }
})

test('an If-Match that fails comes after the body', async () => {
  const adapters = await adaptersIn('memory', true)
  const registry = defineRegistry(apiOf(true), { defaultVersion: false }).adapters(
    adapters as never,
  )
  for (const method of ['PUT', 'PATCH']) {
    for (const [body, verdict] of [
      [good, '409 precondition_failed'],
      [long, '422 validation_failed'],
      [lost, '422 validation_failed'],
      [{ ...long, id: 'b' }, '422 validation_failed'],
      [{ ...good, id: 'b' }, '409 id_mismatch'],
    ] as const) {
      const headers = { 'content-type': 'application/json', 'if-match': '"3"' }
      const sent = { method, url: '/v2/tasks/a', headers, body: JSON.stringify(body) }
      const { status, body: told } = await handle(sent, registry)
      expect(`${status} ${Object(told).code}`).toBe(verdict)
    }
  }
})
