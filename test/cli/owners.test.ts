import { sql } from 'kysely'
import { defineApi, defineRegistry, defineResource, everything } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { examineStorage } from '../../src/cli/doctor.ts'
import { explain } from '../../src/cli/explain/explain.ts'
import { formatRoutes, routesOf } from '../../src/cli/routes.ts'
import { databaseOf } from '../support/stores.ts'
import { tenancyIn } from '../support/tenancy.ts'

type Sent = string | undefined
type Row = readonly [method: string, url: string, body: Sent, status: number | undefined]

const { registry } = await tenancyIn('memory')

test('routes tell whose items are', () => {
  const whose = new Map(routesOf(registry).map(({ resource, ownedBy }) => [resource, ownedBy]))
  expect(Object.fromEntries(whose)).toEqual({
    tenants: [],
    users: ['tenant_id'],
    projects: ['tenant_id'],
    tasks: 'parent',
    notes: ['tenant_id'],
  })
  const [head = '', ...lines] = formatRoutes(routesOf(registry)).split('\n')
  expect(head).toMatch(/WHOSE$/)
  const ends = lines.flatMap((line) =>
    / (?:list|count) /.test(line) ? line.split(/ +/).at(-1) : [],
  )
  expect(new Set(ends)).toEqual(new Set(['everybody', 'tenant_id', 'parent']))
})

test('an api without owners has no such column', () => {
  const api = defineApi({
    v1: { '/notes': defineResource('notes', { schema: z.object({ id: z.string() }) }) },
  })
  expect(formatRoutes(routesOf(api))).not.toContain('WHOSE')
})

describe('explain stands for the owner that a request names', () => {
  const post = { 'content-type': 'application/json' }
  const body = (fields: object) => JSON.stringify({ id: 'x', name: 'x', ...fields })
  // biome-ignore format: a row stays a line
  const rows: readonly Row[] = [
    ['GET', '/projects', undefined, undefined],
    ['POST', '/projects', body({}), undefined],
    ['POST', '/projects', body({ tenant_id: 'b' }), undefined],
    ['POST', '/tenants/b/projects', body({}), undefined],
    ['POST', '/tenants/b/projects', body({ tenant_id: 'b' }), undefined],
    ['POST', '/tenants/b/projects', body({ tenant_id: 'a' }), 422],
    ['GET', '/projects/p/tasks', undefined, undefined],
  ]
  test.each(rows)('%s %s %s', async (method, url, body, status) => {
    const request = { method, url, headers: post, ...(body !== undefined && { body }) }
    const sent = method === 'GET' ? { method, url } : request
    expect((await explain(sent, registry)).response?.status).toBe(status)
    expect((await explain(sent, registry.api)).response?.status).toBe(status)
  })

  test('and names the scope among the checks', async () => {
    const { checks } = await explain({ method: 'GET', url: '/projects' }, registry)
    const asks = checks.find(({ name }) => name === 'authorization')?.asks
    expect(asks).toBe('the context, tenant_id, a middleware')
  })
})

test('OpenAPI needs no owner in a body', () => {
  const { tags, components } = toOpenApi(registry.api, { info: { title: 't', version: '1' } })
  const words = tags.map(({ description }) => description)
  expect(words).toContain('At `/v1/users`. A caller reaches the items with its own tenant_id.')
  expect(JSON.stringify(words)).toContain(
    'An item belongs to the owner of its parent. `project_id`',
  )
  const { NewUser } = Object(components.schemas)
  expect(NewUser.required).toEqual(['id', 'name'])
  expect(NewUser.properties.tenant_id.description).toMatch(/^The server sets it for a caller/)
})

test('doctor warns of a unique key that tells of other owners', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table notes (
    id text primary key, tenant_id text not null, email text not null unique,
    code text not null, unique (tenant_id, code)
  )`.execute(db)
  const text = z.string()
  const schema = z.object({ id: text, tenant_id: text, email: text, code: text })
  const api = defineApi({
    v1: { '/notes': defineResource('notes', { schema, ownedBy: ['tenant_id'] }) },
  })
  const registry = defineRegistry(api)
    .scope(() => everything)
    .adapters({ notes: kyselyAdapter(db, { table: 'notes' }) })
  const advice = (await examineStorage(registry)).flatMap((checkup) => checkup.advice)
  const told = advice.filter(({ message }) => message.includes('conflict'))
  expect(told).toEqual([
    {
      resource: 'notes',
      table: 'notes',
      field: 'email',
      message:
        'The unique key (email) has no tenant_id: ' +
        'a conflict tells a caller that another owner has the value.',
      fix: expect.stringMatching(/^create unique index .*\("tenant_id", "email"\);$/),
    },
  ])
  await drop()
})

test('a key of owner and id is enough below owners', async () => {
  const { db, drop } = await databaseOf<unknown>('sqlite')
  await sql`create table notes (
    id text not null, tenant_id text not null, primary key (tenant_id, id)
  )`.execute(db)
  const schema = z.object({ id: z.string(), tenant_id: z.string() })
  const api = defineApi({
    v1: { '/notes': defineResource('notes', { schema, ownedBy: ['tenant_id'] }) },
  })
  const registry = defineRegistry(api)
    .scope(() => ({ tenant_id: 'a' }))
    .adapters({ notes: kyselyAdapter(db, { table: 'notes' }) })
  await expect(registry.ready()).resolves.toBeUndefined()
  await drop()
})

test('explain takes a request for restricted fields, and asks who sees them', async () => {
  const schema = z.object({ id: z.string(), salary: z.number().optional() })
  const workers = defineResource('workers', {
    schema,
    sortable: ['salary'],
    restricted: ['salary'],
  })
  const registry = defineRegistry(defineApi({ v1: { '/workers': workers } }))
    .context(() => ({ isHr: false }))
    .reveal(({ isHr }) => (isHr ? { workers: ['salary'] } : {}))
    .adapters({ workers: { list: () => [] } })
  const request = { method: 'GET', url: '/workers?sort=salary' }
  const { response, checks } = await explain(request, registry)
  expect(response).toBeUndefined()
  const asks = checks.find(({ name }) => name === 'authorization')?.asks
  expect(asks).toBe('the context, salary')
})
