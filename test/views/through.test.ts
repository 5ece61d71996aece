import { defineApi, defineRegistry, defineResource, defineView, handle } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const text = z.string()
const Organization = z.object({ id: text, legal_name: text, plan: text })
const Worker = z.object({ id: text, organization_id: text, full_name: text, mood: text })
const organizations = defineResource('organizations', {
  schema: Organization,
  create: Organization.partial({ id: true }),
})
const workers = defineResource('workers', {
  schema: Worker,
  create: Worker.partial({ id: true }),
  sortable: ['full_name'],
  references: { organization_id: 'organizations' },
})
const Company = z.object({ id: text, title: text })
const Clerk = z.object({ id: text, company_id: text, name: text })
const companies = defineView('companies', organizations, {
  schema: Company,
  create: Company.partial({ id: true }),
  fields: { title: 'legal_name' },
  hidden: { plan: 'free' },
})
const clerks = defineView('clerks', workers, {
  schema: Clerk,
  create: Clerk.partial({ id: true }),
  sortable: ['name'],
  idempotent: true,
  references: { company_id: 'companies' },
  fields: { company_id: 'organization_id', name: 'full_name' },
  hidden: { mood: 'calm' },
})
const api = defineApi({ v1: { '/companies': companies, '/clerks': clerks } })

function service() {
  const items = ['a', 'b', 'c'].map((id) => ({
    id,
    organization_id: 'o',
    full_name: `name of ${id}`,
    mood: `mood of ${id}`,
  }))
  const registry = defineRegistry(api).adapters({
    organizations: memoryAdapter({ items: [{ id: 'o', legal_name: 'Org', plan: 'gold' }] }),
    workers: memoryAdapter({ items }),
  })
  const ask = async (line: string, sent?: unknown, given = {}) => {
    const [method = '', url = ''] = line.split(' ')
    const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
    const headers = { 'content-type': 'application/json', ...given }
    return handle({ method, url: `/v1${url}`, headers, ...body }, registry)
  }
  return { registry, ask }
}

const clerk = (id: string, name = `name of ${id}`) => ({ id, company_id: 'o', name })
const ofBase = /organization|worker|full_name|legal_name|mood|plan/

describe('through a view', () => {
  test('a reference has to exist', async () => {
    const { ask } = service()
    expect(await ask('POST /clerks', { company_id: 'none', name: 'x' })).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/company_id' }] },
    })
    const gone = await ask('DELETE /companies/o')
    expect(gone.status).toBe(409)
    expect(JSON.stringify(gone.body)).not.toMatch(ofBase)
  })

  test('a list includes what its items reference', async () => {
    const { body } = await service().ask('GET /clerks/a?include=company')
    expect(body).toEqual({ ...clerk('a'), company: { id: 'o', title: 'Org' } })
  })

  test('a key makes one item only', async () => {
    const { ask } = service()
    const key = { 'idempotency-key': '"0190b9a0-0000-7000-8000-000000000000"' }
    const sent = { company_id: 'o', name: 'new' }
    const [one, two] = [await ask('POST /clerks', sent, key), await ask('POST /clerks', sent, key)]
    expect(one).toMatchObject({ status: 201, body: sent })
    expect(two).toMatchObject({ body: one.body })
    expect((await ask('GET /clerks/count')).body).toEqual({ count: 4 })
  })

  test('a list tells its total', async () => {
    const given = await service().ask('GET /clerks?limit=1', undefined, { prefer: 'count=exact' })
    expect(given).toMatchObject({ body: [clerk('a')], headers: { 'x-total-count': '3' } })
  })

  test('a trial run writes nothing', async () => {
    const { ask } = service()
    const sent = { company_id: 'o', name: 'new' }
    expect((await ask('PUT /clerks/a?dry_run=true', sent)).body).toEqual({ ...sent, id: 'a' })
    expect((await ask('GET /clerks/a')).body).toEqual(clerk('a'))
  })

  test('a client names the fields that it wants', async () => {
    const { ask } = service()
    expect((await ask('GET /clerks/a?fields=name')).body).toEqual({ id: 'a', name: 'name of a' })
    const refused = await ask('GET /clerks/a?fields=full_name')
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body).replaceAll('\\"full_name\\"', '')).not.toMatch(ofBase)
  })

  test('several items change at once', async () => {
    const { ask } = service()
    const all = [clerk('b', 'one'), clerk('a', 'two')]
    expect(await ask('PUT /clerks', all)).toMatchObject({ status: 200, body: all })
    const patched = [{ id: 'a', name: 'three' }]
    expect((await ask('PATCH /clerks', patched)).body).toEqual([clerk('a', 'three')])
    expect(await ask('POST /clerks', [clerk('d')])).toMatchObject({
      status: 201,
      body: [clerk('d')],
    })
    expect((await ask('PUT /clerks', [clerk('a'), clerk('none')])).status).toBe(404)
    expect((await ask('GET /clerks?sort=-name')).body).toEqual([
      clerk('a', 'three'),
      clerk('b', 'one'),
      clerk('d'),
      clerk('c'),
    ])
  })

  test('all items are deleted at once', async () => {
    const { ask } = service()
    const few = await ask('DELETE /clerks', undefined, { prefer: 'max-affected=2' })
    expect(few.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(few.body)).not.toMatch(ofBase)
    expect((await ask('DELETE /clerks')).status).toBeLessThan(300)
    expect((await ask('GET /clerks')).body).toEqual([])
  })

  test('nothing names what is beneath', async () => {
    const { ask, registry } = service()
    const { status, body } = await ask('OPTIONS /clerks')
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(ofBase)
    const document = toOpenApi(registry, { info: { title: 'Clerks', version: '1' } })
    expect(JSON.stringify(document)).not.toMatch(ofBase)
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const accept = { headers: { accept: 'text/html' } }
    const page = await fetch(new Request('https://example.com/v1/clerks', accept))
    const html = await page.text()
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(html).toContain('clerks')
    expect(html).not.toMatch(ofBase)
  })
})
