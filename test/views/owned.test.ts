import { defineApi, defineRegistry, defineResource, defineView, everything, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Stored = z.object({
  id: z.string(),
  tenant_id: z.string(),
  title: z.string(),
  state: z.enum(['open', 'done']),
  salary: z.int().optional(),
})
const notes = defineResource('notes', {
  schema: Stored,
  create: Stored.omit({ id: true, tenant_id: true }),
  ownedBy: ['tenant_id'],
  restricted: ['salary'],
  sortable: ['title', 'salary'],
  searchable: ['title'],
  filterable: ['title', 'state', 'salary'],
})
const Shown = z.object({
  id: z.string(),
  org: z.string(),
  name: z.string(),
  is_done: z.boolean(),
  pay: z.int().optional(),
})
const notes_v1 = defineView('notes_v1', notes, {
  schema: Shown,
  create: Shown.omit({ id: true, org: true }),
  sortable: ['name', 'pay'],
  searchable: ['name'],
  filterable: ['name', 'is_done', 'pay'],
  fields: {
    org: 'tenant_id',
    name: 'title',
    is_done: { of: 'state', values: { open: false, done: true } },
    pay: 'salary',
  },
})
// No version has the resource that is stored.
const api = defineApi({ v1: { '/notes': notes_v1 } })

function service() {
  const items = ['a', 'b'].flatMap((tenant_id) =>
    (['open', 'done'] as const).map((state, place) => ({
      id: `${tenant_id}${place}`,
      tenant_id,
      title: `of ${tenant_id} ${place}`,
      state,
      salary: 100 - place,
    })),
  )
  const registry = defineRegistry(api)
    .context(({ headers = {} }) => ({ who: String(headers.who) }))
    .scope(({ who }) => (who === 'ops' ? everything : { tenant_id: who.slice(0, 1) }))
    .reveal(({ who }) => (who.endsWith('hr') ? { notes: ['salary'] } : {}))
    .adapters({ notes: memoryAdapter({ items }) })
  return async (who: string, line: string, sent?: unknown) => {
    const [method = '', url = ''] = line.split(' ')
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
    const headers = { who, 'content-type': 'application/json' }
    const { status, body: given } = await handle({ method, url, headers, ...body }, registry)
    return { status, body: given }
  }
}

describe('a view of an owned resource', () => {
  test('shows the items of its caller', async () => {
    const ask = service()
    expect(await ask('a', 'GET /v1/notes')).toEqual({
      status: 200,
      body: [
        { id: 'a0', org: 'a', name: 'of a 0', is_done: false },
        { id: 'a1', org: 'a', name: 'of a 1', is_done: true },
      ],
    })
    expect((await ask('ops', 'GET /v1/notes/count')).body).toEqual({ count: 4 })
    expect((await ask('a', 'GET /v1/notes/b0')).status).toBe(404)
    expect((await ask('a', 'PUT /v1/notes/b0', { name: 'x', is_done: true })).status).toBe(404)
    expect(await ask('a', 'POST /v1/notes', { name: 'x', is_done: true, org: 'b' })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/org', code: 'scope_mismatch' }] },
    })
    expect(await ask('a', 'POST /v1/notes', { name: 'x', is_done: true })).toMatchObject({
      status: 201,
      body: { org: 'a', name: 'x', is_done: true },
    })
  })

  test('filters by a table', async () => {
    const ask = service()
    const ids = async (query: string) =>
      Object(await ask('ops', `GET /v1/notes?${query}`)).body.map(({ id }: { id: string }) => id)
    expect(await ids('is_done=true')).toEqual(['a1', 'b1'])
    expect(await ids('is_done:ne=true')).toEqual(['a0', 'b0'])
    expect(await ids('is_done:null=false&sort=-name')).toEqual(['b1', 'b0', 'a1', 'a0'])
    expect(await ids('name=of%20a%200&name=of%20b%201')).toEqual(['a0', 'b1'])
    expect(await ids('q=of%20b&limit=1')).toEqual(['b0'])
  })

  test('shows restricted fields to those who may see them', async () => {
    const ask = service()
    expect((await ask('ahr', 'GET /v1/notes/a0')).body).toMatchObject({ pay: 100 })
    expect((await ask('a', 'GET /v1/notes?sort=pay')).status).toBe(400)
    expect((await ask('a', 'GET /v1/notes?pay=100')).status).toBe(400)
    expect(await ask('a', 'PUT /v1/notes/a0', { name: 'x', is_done: true, pay: 1 })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/pay' }] },
    })
    expect((await ask('a', 'PUT /v1/notes/a0', { name: 'x', is_done: true })).status).toBe(200)
    expect((await ask('ahr', 'GET /v1/notes/a0')).body).toEqual({
      id: 'a0',
      org: 'a',
      name: 'x',
      is_done: true,
      pay: 100,
    })
  })

  test('has no name of the resource in what a client gets', async () => {
    const ask = service()
    for (const line of ['OPTIONS /v1/notes', 'GET /v1/notes?sort=x', 'GET /v1/notes?x=1']) {
      const { body } = await ask('ahr', line)
      expect(JSON.stringify(body)).not.toMatch(/tenant_id|salary|state/)
    }
  })
})

test('a view may name the owner as its base does', async () => {
  const Plain = Stored.pick({ id: true, tenant_id: true, title: true })
  const shown = { schema: Plain, create: Plain, without: ['create'] } as const
  const plain = defineView('notes_v0', notes, { ...shown, hidden: { state: 'open' } })
  const items = ['a', 'b'].map((tenant_id) => ({
    ...{ id: tenant_id, tenant_id, title: `of ${tenant_id}` },
    state: 'open' as const,
  }))
  const registry = defineRegistry(defineApi({ v1: { '/notes': plain } }))
    .context(() => ({}))
    .scope(() => ({ tenant_id: 'a' }))
    .adapters({ notes: memoryAdapter({ items }) })
  const { body } = await handle({ method: 'GET', url: '/v1/notes' }, registry)
  expect(body).toEqual([{ id: 'a', tenant_id: 'a', title: 'of a' }])
})
