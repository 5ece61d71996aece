import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { kyselyAdapter, sqliteDialect } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const text = z.string()
const Firm = z.object({ id: text, tenant_id: text, name: text })
const Task = z.object({
  id: text,
  tenant_id: text,
  firm_id: text,
  title: text,
  state: z.enum(['open', 'done']),
  pay: z.int().optional(),
  revision: z.int(),
})
const set = { id: true, tenant_id: true } as const

/** The api whose tasks reference firms by the name of one version. */
function apiWith(to: 'firms_v2' | 'firms') {
  const firms = defineResource('firms_v2', {
    schema: Firm,
    create: Firm.omit(set),
    ownedBy: ['tenant_id'],
  })
  const firms_v1 = defineView('firms', firms, {
    schema: Firm.omit({ name: true }).extend({ label: text }),
    create: z.object({ label: text }),
    fields: { label: 'name' },
  })
  const tasks = defineResource('tasks_v2', {
    schema: Task,
    create: Task.omit({ ...set, revision: true }),
    ownedBy: ['tenant_id'],
    restricted: ['pay'],
    revision: 'revision',
    idempotent: true,
    bounded: true,
    maxLimit: 3,
    total: true,
    sortable: ['title'],
    filterable: ['state', 'title'],
    searchable: ['title'],
    references: { firm_id: to },
    without: ['updateMany'],
  })
  const Shown = z.object({
    id: text,
    tenant_id: text,
    company_id: text,
    name: text,
    is_open: z.boolean(),
    wage: z.int().optional(),
    revision: z.int(),
  })
  const tasks_v1 = defineView('tasks', tasks, {
    schema: Shown,
    create: Shown.omit({ ...set, revision: true }),
    offers: ['updateMany'],
    fields: {
      company_id: 'firm_id',
      name: 'title',
      is_open: { of: 'state', values: { open: true, done: false } },
      wage: 'pay',
    },
  })
  return defineApi({
    v1: { '/firms': firms_v1, '/firms/:company_id/tasks': tasks_v1, '/tasks': tasks_v1 },
    v2: { '/firms': firms, '/firms/:firm_id/tasks': tasks, '/tasks': tasks },
  })
}

async function sqlite() {
  const db = new Kysely<unknown>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) })
  const firms = sql`create table firms (id text primary key, tenant_id text, name text not null)`
  await firms.execute(db)
  await sql`create table tasks (id text primary key, tenant_id text not null, firm_id text not null,
    title text not null, state text not null, pay integer, revision integer not null,
    gone text)`.execute(db)
  return {
    firms_v2: kyselyAdapter<never>(db, { table: 'firms' }),
    tasks_v2: kyselyAdapter<never>(db, { table: 'tasks', softDelete: 'gone' }),
  }
}

const stores = {
  memory: async () => ({ firms_v2: memoryAdapter<never>(), tasks_v2: memoryAdapter<never>() }),
  sqlite,
}

async function service(store: keyof typeof stores, to: 'firms_v2' | 'firms') {
  const registry = Reflect.apply(
    defineRegistry(apiWith(to), { defaultVersion: 'v2' })
      .context(({ headers }) => ({ who: String(headers?.who) }))
      .scope(({ who }) => ({ tenant_id: who.slice(0, 1) }))
      .reveal(({ who }) => (who.endsWith('hr') ? { tasks_v2: ['pay'] } : {})).adapters,
    null,
    [await stores[store]()],
  )
  const ask = async (who: string, line: string, sent?: unknown, more: object = {}) => {
    const [method = '', url = ''] = line.split(' ')
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
    const headers = { who, 'content-type': 'application/json', ...more }
    const {
      status,
      headers: got,
      body: answer,
    } = await handle({ method, url, headers, ...body }, registry)
    return { status, headers: got, body: JSON.parse(JSON.stringify(answer ?? null)) }
  }
  const firm = await ask('a', 'POST /v2/firms', { name: 'Acme' })
  return { ask, firm: String(firm.body.id) }
}

const rows = (['memory', 'sqlite'] as const).flatMap((store) =>
  (['firms_v2', 'firms'] as const).map((to) => [store, to] as const),
)

describe('a view of an owned, restricted, versioned resource', () => {
  test.each(rows)('includes in each version: %s, %s', async (store, to) => {
    const { ask, firm } = await service(store, to)
    const sent = { company_id: firm, name: 'Roof', is_open: true }
    const { body } = await ask('a', 'POST /v1/tasks', sent)
    const old = await ask('a', `GET /v1/tasks/${body.id}?include=company`)
    expect(old.body.company).toEqual({ id: firm, tenant_id: 'a', label: 'Acme' })
    const now = await ask('a', `GET /v2/tasks/${body.id}?include=firm`)
    expect(now.body.firm).toEqual({ id: firm, tenant_id: 'a', name: 'Acme' })
    const foreign = await ask('b', 'POST /v1/tasks', sent)
    expect([foreign.status, foreign.body.issues[0].pointer]).toEqual([422, '/company_id'])
  })

  test.each(rows)('keeps one item in each version: %s, %s', async (store, to) => {
    const { ask, firm } = await service(store, to)
    const key = { 'idempotency-key': '"k"' }
    const sent = { company_id: firm, name: 'Roof', is_open: true }
    const first = await ask('a', 'POST /v1/tasks', sent, key)
    const again = await ask('a', 'POST /v1/tasks', sent, key)
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    const { id } = first.body
    const tags = async () =>
      Promise.all(
        ['v1', 'v2'].map(async (v) => (await ask('a', `GET /${v}/tasks/${id}`)).headers.etag),
      )
    expect(new Set(await tags()).size).toBe(1)
    const [tag] = await tags()
    await ask('ahr', `PATCH /v2/tasks/${id}`, { pay: 7 })
    const stale = await ask('a', `PATCH /v1/tasks/${id}`, { name: 'x' }, { 'if-match': tag })
    expect(stale.status).toBe(409)
    const dry = await ask('a', `PUT /v1/tasks/${id}?dry_run=true`, { ...sent, is_open: false })
    expect([dry.status, dry.body.is_open]).toEqual([200, false])
    const many = await ask('a', 'PUT /v1/tasks', [{ ...first.body, is_open: false, revision: 2 }])
    expect([many.status, many.body[0]?.wage]).toEqual([200, undefined])
    const seen = await ask('ahr', `GET /v2/tasks/${id}`)
    expect(seen.body).toMatchObject({ state: 'done', pay: 7, title: 'Roof' })
    expect((await ask('a', 'PUT /v2/tasks', [seen.body])).status).toBe(405)
  })

  test.each(rows)('holds limits, bounds and deletions: %s, %s', async (store, to) => {
    const { ask, firm } = await service(store, to)
    const all = ['a', 'b', 'c', 'd'].map((name) => ({
      name,
      is_open: name < 'c',
      company_id: firm,
    }))
    expect((await ask('a', `POST /v1/firms/${firm}/tasks`, all)).status).toBe(201)
    const page = await ask('a', 'GET /v1/tasks?sort=-name&is_open=true&limit=1')
    expect([page.body[0].name, page.headers['x-total-count']]).toEqual(['b', '2'])
    expect((await ask('a', 'GET /v1/tasks?limit=4')).status).toBe(400)
    for (const version of ['v1', 'v2'])
      expect((await ask('a', `DELETE /${version}/tasks`)).status).toBe(409)
    const { body } = await ask('a', 'GET /v1/tasks/first?sort=name')
    expect((await ask('a', `DELETE /v1/tasks/${body.id}`)).body).toEqual(body)
    for (const version of ['v1', 'v2'])
      expect((await ask('a', `GET /${version}/tasks/${body.id}`)).status).toBe(404)
    const gone = await ask('a', 'DELETE /v1/tasks', undefined, { prefer: 'max-affected=3' })
    expect(gone.body).toEqual({ deleted: 3 })
    expect((await ask('a', 'GET /v2/tasks/count')).body).toEqual({ count: 0 })
  })
})
