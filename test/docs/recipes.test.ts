import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { type HttpRequest, type HttpResponse, handle, type Registry } from 'nounful'
import { describe, expect, test, vi } from 'vitest'
import { databaseOf, dialectOf, has } from '../support/stores.ts'
import { read, writeSnippets } from './snippets.ts'

const paths = new Map(
  writeSnippets('docs/recipes.md', 'recipes').map(({ name, path }) => [name, path]),
)

async function load<Recipe = { readonly registry: Registry }>(name: string): Promise<Recipe> {
  return import(/* @vite-ignore */ String(paths.get(name)))
}

type Send = (
  method: string,
  url: string,
  body?: NonNullable<HttpRequest['body']>,
) => Promise<HttpResponse>

async function sender(name: string, authorization = ''): Promise<Send> {
  const { registry } = await load(name)
  return async (method, url, body) => {
    const headers = { authorization, 'content-type': 'application/json' }
    return handle({ method, url, headers, ...(body === undefined ? {} : { body }) }, registry)
  }
}

describe('recipes', () => {
  test('a table has filters, page numbers and a total', async () => {
    interface Recipe {
      tableOf(page: number, filters: string, size?: number): Promise<unknown>
    }
    const { tableOf } = await load<Recipe>('admin.ts')
    expect(await tableOf(1, 'status=new&status=open', 2)).toEqual({
      rows: [
        { id: '2', title: 'Fix the roof', due: '2026-02-01' },
        { id: '1', title: 'Paint the door', due: '2026-03-01' },
      ],
      pages: 2,
    })
    const hinges = { id: '4', title: 'Oil the hinges' }
    expect(await tableOf(2, 'status=new&status=open', 2)).toEqual({ rows: [hinges], pages: 2 })
    expect(await tableOf(3, 'status=new&status=open', 2)).toEqual({ rows: [], pages: 2 })
    expect(await tableOf(1, 'due:null=true')).toEqual({ rows: [hinges], pages: 1 })
    expect(await tableOf(1, 'title:startsWith=paint')).toMatchObject({ rows: [{ id: '1' }] })
    await expect(tableOf(1, 'status=old')).rejects.toThrow('bad_parameter')
    await expect(tableOf(1, 'stauts=new')).rejects.toThrow('unknown_parameter')
    await expect(tableOf(502, '')).rejects.toThrow('bad_parameter')
  })

  test('a tenant cannot tell another from none', async () => {
    const acme = await sender('tenancy.ts', 'Bearer a')
    const globex = await sender('tenancy.ts', 'Bearer g')
    const created = await acme('POST', '/v1/notes', { text: 'x' })
    expect(created).toMatchObject({ status: 201, body: { tenant_id: 'acme' } })
    const url = String(created.headers.location)
    expect((await acme('GET', '/v1/notes/count')).body).toEqual({ count: 1 })
    expect((await globex('GET', '/v1/notes/count?q=x')).body).toEqual({ count: 0 })
    expect((await globex('GET', '/v1/notes')).body).toEqual([])
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = method.startsWith('P') ? { text: 'y' } : undefined
      const other = await globex(method, url, body)
      expect(other.status).toBe(404)
      const id = url.slice('/v1/notes/'.length)
      const none = await globex(method, '/v1/notes/none', body)
      expect(JSON.stringify(other).replaceAll(id, 'none')).toBe(JSON.stringify(none))
    }
    expect((await globex('POST', '/v1/notes', { text: 'y', tenant_id: 'acme' })).status).toBe(422)
    expect((await globex('DELETE', '/v1/notes')).body).toEqual({ deleted: 0 })
    expect((await acme('GET', url)).body).toEqual(created.body)
    const refused = await (await sender('tenancy.ts'))('GET', '/v1/notes')
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  test('a role refuses kinds, a scope hides items', async () => {
    const [clerk, manager, till, auditor] = await Promise.all(
      ['clerk', 'manager', 'till', 'auditor'].map((name) => sender('roles.ts', `Bearer ${name}`)),
    )
    if (!clerk || !manager || !till || !auditor) throw new Error('A caller is missing')
    const north = String((await clerk('POST', '/v1/orders', { text: 'a' })).headers.location)
    const south = String((await till('POST', '/v1/orders', { text: 'b' })).headers.location)
    for (const url of [north, south, '/v1/orders/none'])
      expect((await clerk('DELETE', url)).status).toBe(403)
    for (const url of [south, '/v1/orders/none'])
      expect((await manager('DELETE', url)).status).toBe(404)
    expect((await till('GET', south)).status).toBe(403)
    expect((await auditor('GET', '/v1/orders/count')).body).toEqual({ count: 2 })
    expect((await auditor('DELETE', '/v1/orders')).status).toBe(403)
    expect((await manager('DELETE', '/v1/orders')).body).toEqual({ deleted: 1 })
    expect((await auditor('GET', south)).status).toBe(200)
  })

  test('everybody reads posts, their author writes them', async () => {
    const reader = await sender('posts.ts')
    const ann = await sender('posts.ts', 'Bearer a')
    const bob = await sender('posts.ts', 'Bearer b')
    const made = await ann('POST', '/v1/users/ann/posts', { text: 'hello' })
    expect(made).toMatchObject({ status: 201, body: { author_id: 'ann' } })
    const url = String(made.headers.location)
    for (const send of [reader, bob]) {
      expect((await send('GET', '/v1/posts?q=hello')).body).toEqual([made.body])
      expect((await send('POST', '/v1/posts', { text: 'x' })).status).toBe(405)
      const other = await send('PATCH', url, { text: 'x' })
      expect(other.status).toBe(404)
      const none = await send('PATCH', url.replace('ann', 'none'), { text: 'x' })
      expect(JSON.stringify(other).replaceAll('ann', 'none')).toBe(JSON.stringify(none))
    }
    expect((await ann('PATCH', url, { text: 'bye' })).status).toBe(200)
    expect((await reader('GET', '/v1/posts/count?q=bye')).body).toEqual({ count: 1 })
  })

  test('a password is stored as a hash, and never sent', async () => {
    const { file } = await load<{ readonly file: DatabaseSync }>('passwords.ts')
    const send = await sender('passwords.ts')
    const hashes = () => file.prepare('select password_hash as hash from users').all()
    const password = 'correct horse battery'
    const made = await send('POST', '/v1/users', { name: 'Ann', password })
    expect(made).toMatchObject({ status: 201, body: { name: 'Ann' } })
    expect(Object.keys(made.body as object)).toEqual(['id', 'name'])
    const [first] = hashes()
    expect(first?.hash).toMatch(/^[0-9a-f]{32}:[0-9a-f]{64}$/)
    const url = String(made.headers.location)
    expect((await send('PUT', url, { name: 'Anna' })).body).toMatchObject({ name: 'Anna' })
    expect((await send('PATCH', url, { name: 'Ann' })).status).toBe(200)
    expect(hashes()).toEqual([first])
    expect((await send('PATCH', url, { password: 'another long text' })).status).toBe(200)
    expect(hashes()).not.toEqual([first])
    const faults = ['?password=x', '?sort=password', '?fields=password', '?password:null=true']
    for (const query of faults) expect((await send('GET', `/v1/users${query}`)).status).toBe(400)
    expect((await send('GET', '/v1/users')).body).toEqual([made.body])
  })

  test('a cancellation cancels an open order, once', async () => {
    const send = await sender('cancellations.ts')
    const url = '/v1/orders/1/cancellations'
    expect((await send('POST', url, { reason: '' })).status).toBe(422)
    const created = await send('POST', url, { reason: 'too late' })
    expect(created).toMatchObject({ status: 201, body: { order_id: '1', reason: 'too late' } })
    expect((await send('GET', String(created.headers.location))).body).toEqual(created.body)
    expect((await send('GET', '/v1/orders/1')).body).toEqual({ id: '1', status: 'cancelled' })
    expect((await send('POST', url, { reason: 'again' })).status).toBe(409)
    const shipped = await send('POST', '/v1/orders/2/cancellations', { reason: 'x' })
    expect(shipped.body).toMatchObject({ code: 'conflict', detail: 'The order is shipped' })
    const missing = await send('POST', '/v1/orders/3/cancellations', { reason: 'x' })
    expect(missing.body).toMatchObject({ code: 'parent_not_found' })
    expect((await send('DELETE', url)).headers.allow).toBe('GET, HEAD, POST, OPTIONS')
  })

  test('a report takes parameters and responds as shown', async () => {
    const send = await sender('reports.ts')
    const shown = /`GET (\/v1\/monthly-sales\?\S+)` responds:\n\n```json\n(.*?)```/s
    const [, url = '', response = ''] = shown.exec(read('docs/recipes.md')) ?? []
    expect(await send('GET', url)).toMatchObject({ status: 200, body: JSON.parse(response) })
    const page = await send('GET', `${url}&limit=1`)
    expect(page.body).toHaveLength(1)
    expect(page.headers.link).toContain('rel="next"')
    const total = { prefer: 'count=exact' }
    const { registry } = await load('reports.ts')
    const counted = await handle({ method: 'GET', url, headers: total }, registry)
    expect(counted.headers['x-total-count']).toBe('2')
  })

  // biome-ignore format: a row stays a line
  const ofReport: readonly (readonly [line: string, verdict: string | number])[] = [
    ['GET /v1/monthly-sales',               200],
    ['GET /v1/monthly-sales/2026-02-south', 200],
    ['GET /v1/monthly-sales/2026-03-south', 'not_found'],
    ['GET /v1/monthly-sales?region=east',   'bad_parameter'],
    ['GET /v1/monthly-sales?cents=700',     'unknown_parameter'],
    ['GET /v1/monthly-sales/count',         'method_not_allowed'],
    ['POST /v1/monthly-sales',              'method_not_allowed'],
    ['DELETE /v1/monthly-sales',            'method_not_allowed'],
    ['PATCH /v1/monthly-sales/2026-01-north', 'method_not_allowed'],
  ]
  test.each(ofReport)('a report: %s is %s', async (line, verdict) => {
    const [method = '', url = ''] = line.split(' ')
    const { status, body } = await (await sender('reports.ts'))(method, url)
    expect(status === 200 ? status : Object(body).code).toBe(verdict)
  })

  test('health is 503 without a database', async () => {
    interface Recipe {
      readonly db: { destroy(): Promise<void> }
      fetch(request: Request): Promise<Response>
    }
    const { db, fetch } = await load<Recipe>('health.ts')
    const healthy = await fetch(new Request('http://x/health'))
    expect([healthy.status, await healthy.json()]).toEqual([200, { status: 'ok' }])
    expect((await fetch(new Request('http://x/v1/notes'))).status).toBe(200)
    await db.destroy()
    // The layer keeps a result for a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const ill = await fetch(new Request('http://x/health'))
    expect([ill.status, ill.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await ill.json()).toMatchObject({ code: 'unavailable' })
    expect(log).toHaveBeenCalledOnce()
    log.mockRestore()
  })

  test('a wiki responds as the table shows', async () => {
    const { registry } = await load('wiki.ts')
    const row = /^\| `(\w+) (\S+) ?(.*?)` \| `(\w+)` \| (\d+)(?: `(.*)`)? \|$/gm
    const rows = [...read('docs/recipes.md').matchAll(row)]
    expect(rows).toHaveLength(7)
    for (const [line, method = '', url = '', body = '', authorization, status, shown] of rows) {
      const prefer = method === 'DELETE' ? { prefer: 'max-affected=10' } : {}
      const headers = { authorization, 'content-type': 'application/json', ...prefer }
      const sent = body === '' ? {} : { body }
      const answer = await handle({ method, url, headers, ...sent }, registry)
      const { code } = Object(answer.body)
      const told = shown === undefined ? undefined : (code ?? JSON.stringify(answer.body))
      expect([line, answer.status, told]).toEqual([line, Number(status), shown])
    }
  })

  test('a soft delete hides the item and keeps the row', async () => {
    const { file } = await load<{ readonly file: DatabaseSync }>('soft-delete.ts')
    const send = await sender('soft-delete.ts')
    const milk = { slug: 'milk', text: 'Buy milk' }
    const created = await send('POST', '/v1/notes', milk)
    const url = String(created.headers.location)
    expect((await send('POST', '/v1/notes', milk)).status).toBe(409)
    expect((await send('DELETE', url)).body).toMatchObject(milk)
    expect((await send('GET', url)).status).toBe(404)
    expect((await send('GET', '/v1/notes')).body).toEqual([])
    expect((await send('POST', '/v1/notes', milk)).status).toBe(201)
    expect((await send('DELETE', '/v1/notes')).body).toEqual({ deleted: 1 })
    const rows = file.prepare('select slug from notes where deleted_at > 2026').all()
    expect(rows.map(({ slug }) => slug)).toEqual(['milk', 'milk'])
  })

  test('an item and its audit row are stored together', async () => {
    const { file } = await load<{ readonly file: DatabaseSync }>('audit.ts')
    const send = await sender('audit.ts', 'ann')
    const created = await send('POST', '/v1/notes', { text: 'milk' })
    expect(created.status).toBe(201)
    expect((await send('GET', '/v1/notes')).body).toEqual([created.body])
    expect(
      (await send('PUT', `${created.headers.location}?dry_run=true`, { text: 'tea' })).status,
    ).toBe(200)
    const audits = file.prepare('select author, kind, outcome from audits').all()
    const outcome = JSON.stringify({ gives: 'item', item: created.body })
    expect(audits.map((row) => ({ ...row }))).toEqual([{ author: 'ann', kind: 'create', outcome }])
    file.exec('drop table audits')
    const log = vi.spyOn(console, 'error').mockReturnValue()
    expect((await send('POST', '/v1/notes', { text: 'tea' })).status).toBe(500)
    expect((await send('DELETE', '/v1/notes')).status).toBe(500)
    log.mockRestore()
    expect((await send('GET', '/v1/notes')).body).toEqual([created.body])
  })

  test.runIf(has('postgres'))('row-level security hides rows of others', async () => {
    interface Recipe {
      createRegistry(db: Kysely<unknown>): Promise<Registry>
    }
    const { createRegistry } = await load<Recipe>('row-security.ts')
    const { db: owner, url, drop } = await databaseOf('postgres')
    const role = `r_${randomBytes(6).toString('hex')}`
    await sql.raw(`create role ${role} login`).execute(owner)
    await sql.raw(`grant create on schema public to ${role}`).execute(owner)
    const address = url.replace('//postgres@', `//${role}@`)
    const db = new Kysely<unknown>({ dialect: dialectOf('postgres', address) })
    const registry = await createRegistry(db)
    await registry.ready()
    const send = async (authorization: string, method: string, body?: HttpRequest['body']) => {
      const headers = { authorization, 'content-type': 'application/json' }
      const answer = await handle({ method, url: '/v1/notes', headers, body }, registry)
      return [answer.status, answer.body]
    }
    const [status, note] = await send('ann', 'POST', { text: 'x' })
    expect(status).toBe(201)
    expect(await send('ann', 'GET')).toEqual([200, [note]])
    expect(await send('bob', 'GET')).toEqual([200, []])
    expect(await send('bob', 'DELETE')).toEqual([200, { deleted: 0 }])
    const forged = await send('bob', 'POST', { author: 'ann', text: 'y' })
    expect(forged).toEqual([422, expect.objectContaining({ code: 'validation_failed' })])
    // The policy alone: without a user no row is visible.
    const { rows } = await sql`select * from notes`.execute(db)
    expect(rows).toEqual([])
    expect(await send('ann', 'GET')).toEqual([200, [note]])
    await db.destroy()
    await drop()
  })

  test('a view joins and a trigger writes', async () => {
    const send = await sender('views.ts')
    expect((await send('GET', '/v1/contacts?q=acme')).body).toEqual([
      { id: '7', name: 'Ada', company: 'Acme' },
    ])
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await send(method, '/v1/contacts/7')).status).toBe(405)
    const changed = await send('PUT', '/v1/companies/1', { name: 'Acme Ltd' })
    expect(changed.body).toEqual({ id: '1', name: 'Acme Ltd', writes: 1 })
    expect((await send('GET', '/v1/contacts/7')).body).toMatchObject({ company: 'Acme Ltd' })
    const forced = await send('PUT', '/v1/companies/1', { name: 'Acme', writes: 9 })
    expect(forced.status).toBe(422)
    const created = await send('POST', '/v1/companies', { name: 'Globex' })
    expect(created.body).toMatchObject({ name: 'Globex', writes: 0 })
  })

  test('a payment books both accounts or none', async () => {
    const send = await sender('payments.ts')
    const paid = await send('POST', '/v1/payments', { source: 'a', target: 'b', cents: 60 })
    expect(paid.status).toBe(201)
    expect((await send('GET', String(paid.headers.location))).body).toEqual(paid.body)
    for (const target of ['b', 'none']) {
      const refused = await send('POST', '/v1/payments', {
        source: 'b',
        target,
        cents: target === 'b' ? 61 : 1,
      })
      expect(refused.body).toMatchObject({ code: 'conflict' })
    }
    const many = [{ source: 'a', target: 'b', cents: 1 }]
    expect((await send('POST', '/v1/payments', many)).status).toBe(422)
    for (const path of [`${paid.headers.location}`, '/v1/accounts/a'])
      expect((await send('PATCH', path, { cents: 1 })).status).toBe(405)
    expect((await send('GET', '/v1/accounts')).body).toEqual([
      { id: 'a', cents: 40 },
      { id: 'b', cents: 60 },
    ])
    expect((await send('GET', '/v1/payments/count')).body).toEqual({ count: 1 })
  })

  test('a table with other names serves fields', async () => {
    const send = await sender('legacy.ts')
    const ada = { id: 7, name: 'Ada Moreau', birthdate: '1988-12-10', tags: ['cook'] }
    expect((await send('GET', '/v1/employees?q=ada&sort=-birthdate')).body).toEqual([ada])
    const created = await send('POST', '/v1/employees', { name: 'Ben', tags: [] })
    expect(created).toMatchObject({ status: 201, body: { id: 8, name: 'Ben', tags: [] } })
    const { id: _, ...rest } = ada
    const changed = await send('PUT', '/v1/employees/7', { ...rest, tags: ['cook', 'baker'] })
    expect(changed.body).toMatchObject({ tags: ['cook', 'baker'] })
    expect((await send('GET', '/v1/employees?sort=EMP_NO')).status).toBe(400)
  })
})
