import { defineApi, defineRegistry, defineResource } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { type RefineDataProvider, type RefineFilter, refineDataProvider } from 'nounful/refine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idsOf, type ReachableExample, startExample, stores } from './example.ts'

const resource = 'employees'

function on(field: string, operator: string, value: unknown): RefineFilter {
  return { field, operator, value }
}

describe.each(stores)('refine on the example with %s', (store) => {
  let provider: RefineDataProvider
  let example: ReachableExample
  beforeAll(async () => {
    example = await startExample(store)
    provider = refineDataProvider({ ...example.options, version: 'v1' })
  }, 30_000)
  afterAll(() => example.close())

  // biome-ignore format: a row stays a line
  test.each<[filters: RefineFilter[], ids: string]>([
    [[],                                                                   '001 002 003 004 005 006'],
    [[on('company_id', 'eq', '001')],                                      '001 002 003'],
    [[on('company_id', 'ne', '001')],                                      '004 005 006'],
    [[on('company_id', 'in', ['001', '002']), on('q', 'eq', 'ha')],        '004'],
    [[on('company_id', 'nin', ['001', '002'])],                            '006'],
    [[on('company_id', 'null', true)],                                     '006'],
    [[on('email', 'nnull', true)],                                         '001 002 004 005'],
    [[on('birthdate', 'gt', '1990-01-31'), on('birthdate', 'lte', '1996-07-14')], '003 006'],
    [[on('birthdate', 'gte', '1990-01-31'), on('birthdate', 'lt', '1996-07-14')], '003 005'],
    [[on('name', 'contains', 'DA')],                                       '001'],
    [[on('name', 'startswith', 'b')],                                      '002'],
    [[on('email', 'endswith', '@acme.example')],                           '001 002'],
    [[on('q', 'contains', 'globex')],                                      '004 005'],
    [[on('company.name', 'contains', 'GLOB')],                             '004 005'],
    [[on('birthdate', 'between', ['1990-01-31', '1996-07-13'])],           '003 005'],
    [[on('company_id', 'ne', '001'), on('company_id', 'ne', '002')],       '006'],
    [[{ operator: 'or', value: [on('id', 'eq', '002'), on('id', 'in', ['004', '009'])] }], '002 004'],
    [[{ operator: 'and', value: [on('id', 'in', ['001', '004']), on('q', 'eq', 'ada')] }], '001'],
  ])('getList: %j', async (filters, ids) => {
    const { data, total } = await provider.getList({ resource, filters })
    expect([idsOf(data), total]).toEqual([ids, data.length])
  })

  // biome-ignore format: a row stays a line
  test.each([
    [{},                                   'asc',  '001 002 003 004 005 006'],
    [{ pageSize: 2 },                      'asc',  '001 002'],
    [{ currentPage: 3, pageSize: 2 },      'desc', '002 001'],
    [{ currentPage: 4, pageSize: 2 },      'asc',  ''],
    [{ pageSize: 2, mode: 'off' },         'desc', '006 005 004 003 002 001'],
    [{ currentPage: 2, mode: 'client' },   'asc',  '001 002 003 004 005 006'],
  ] as const)('getList: page %j, %s', async (pagination, order, ids) => {
    const sorters = [{ field: 'name', order }]
    const { data, total } = await provider.getList({ resource, pagination, sorters })
    expect([idsOf(data), total]).toEqual([ids, 6])
  })

  test('getOne and getMany give records', async () => {
    const { data: ada } = await provider.getOne({ resource, id: '001' })
    expect(ada).toMatchObject({ id: '001', name: 'Ada Moreau', company_id: '001' })
    const { data: many } = await provider.getMany({ resource, ids: ['005', 'none', '001'] })
    expect(idsOf(many)).toBe('005 001')
  })

  test('one record is created, changed and deleted', async () => {
    const variables = { name: 'Gita', birthdate: '1991-04-09', email: 'gita@x.example' }
    const { data: made } = await provider.create({ resource, variables })
    const { id = '' } = made
    expect(made).toMatchObject(variables)
    const changes = { name: 'Gita Rao', email: null }
    const { email: _, ...rest } = made
    const kept = { ...rest, name: 'Gita Rao' }
    const updated = await provider.update({ resource, id, variables: changes })
    expect(updated).toEqual({ data: kept })
    expect(await provider.deleteOne({ resource, id })).toEqual(updated)
    const missing = { code: 'not_found', statusCode: 404 }
    await expect(provider.getOne({ resource, id })).rejects.toMatchObject(missing)
    const invalid = provider.create({ resource, variables: { name: '' } })
    await expect(invalid).rejects.toMatchObject({ errors: { name: expect.any(String) } })
  })

  test('many records are created, changed and deleted', async () => {
    const resource = 'companies'
    const variables = [{ name: 'Ida' }, { name: 'Bo' }]
    const { data: made } = await provider.createMany({ resource, variables })
    expect(made).toMatchObject(variables)
    const ids = made.map(({ id = '' }) => id)
    const updated = await provider.updateMany({ resource, ids, variables: { name: 'Cy' } })
    expect(updated.data).toEqual(made.map((one) => ({ ...one, name: 'Cy' })))
    const none = provider.createMany({ resource, variables: [{ name: 'Di' }, {}] })
    await expect(none).rejects.toMatchObject({ members: { issues: [{ pointer: '/1/name' }] } })
    const gone = provider.deleteMany({ resource, ids: ['none'] })
    await expect(gone).rejects.toMatchObject({ code: 'not_found' })
    expect(await provider.deleteMany({ resource, ids })).toEqual(updated)
    expect(await provider.getMany({ resource, ids })).toEqual({ data: [] })
  })

  // biome-ignore format: a row stays a line
  test.each<[filter: RefineFilter, message: string]>([
    [on('name', 'containss', 'A'),                                'Unsupported filter "containss"'],
    [on('name', 'constructor', 'A'),                              'Unsupported filter "constructor"'],
    [{ operator: 'or', value: [] },                               'Unsupported filter "or"'],
    [{ operator: 'or', value: [on('id', 'ne', '1')] },            'Unsupported filter "or"'],
    [{ operator: 'or', value: [on('id', 'eq', '1'), on('name', 'eq', 'A')] }, 'Unsupported filter "or"'],
    [{ operator: 'and', value: [on('id', 'eq', '1'), on('id', 'eq', '2')] }, 'two filters "id"'],
    [on('nmae', 'eq', 'x'),                                       'nmae'],
  ])('getList refuses %j', async (filter, message) => {
    await expect(provider.getList({ resource, filters: [filter] })).rejects.toThrow(message)
    await expect(provider.getList({ resource: 'no/noun' })).rejects.toThrow('no/noun')
  })

  test('custom sends any request of the service', async () => {
    const url = `${provider.getApiUrl()}/employees`
    const query = { name: 'Ada Moreau' }
    const { data } = await provider.custom({ url, method: 'get', query })
    expect(data).toMatchObject([{ id: '001', name: 'Ada Moreau' }])
    const patch = {
      url: `${url}/001?dry_run=true`,
      method: 'patch',
      payload: { name: 'Eve' },
    } as const
    expect(await provider.custom(patch)).toMatchObject({ data: { id: '001', name: 'Eve' } })
    const headers = { prefer: 'max-affected=0' }
    const refused = provider.custom({ url, method: 'delete', headers })
    await expect(refused).rejects.toMatchObject({ statusCode: 409 })
    const invalid = provider.custom({ url, method: 'post', payload: { name: '' } })
    await expect(invalid).rejects.toMatchObject({ errors: { name: expect.any(String) } })
    const filters = [on('name', 'startswith', 'b')]
    const found = await provider.custom({ url: '/v1/employees', method: 'get', filters })
    expect(found).toMatchObject({ data: [{ id: '002' }] })
    const elsewhere = provider.custom({ url: 'https://other.example/x', method: 'get' })
    await expect(elsewhere).rejects.toThrow('Not of this service: https://other.example/x')
  })

  test('a path of nouns and ids is a resource, and meta selects fields', async () => {
    const meta = { fields: ['name'], queryContext: { signal: new AbortController().signal } }
    const { data, total } = await provider.getList({ resource: 'companies/002/employees', meta })
    expect([idsOf(data), total, Object.keys(data[0] ?? {}).length]).toEqual(['004 005', 2, 2])
    const left = { queryContext: { signal: AbortSignal.abort(new Error('left')) } }
    await expect(provider.getOne({ resource, id: '001', meta: left })).rejects.toThrow('left')
  })

  test('an update under an old revision is refused', async () => {
    const v2 = refineDataProvider({ ...example.options, version: 'v2' })
    const update = { resource: 'companies', id: '001', meta: { ifRevision: 'none' } }
    const refused = v2.update({ ...update, variables: { name: 'X' } })
    await expect(refused).rejects.toMatchObject({ statusCode: 409, code: 'precondition_failed' })
  })

  test('getApiUrl is the version', () => {
    expect(provider.getApiUrl()).toBe(`${example.options.baseUrl}/v1`)
  })
})

test('a list of all records has those of the later pages', async () => {
  const notes = defineResource('notes', { schema: z.object({ id: z.string() }), defaultLimit: 2 })
  const items = ['1', '2', '3', '4', '5'].map((id) => ({ id }))
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
    notes: memoryAdapter({ items }),
  })
  const handler = toFetchHandler(registry)
  const searches: string[] = []
  const fetch = async (request: Request) => {
    searches.push(new URL(request.url).search.replace(/after=.*/, 'after=…'))
    return handler(request)
  }
  const all = refineDataProvider({ baseUrl: 'http://notes.example', fetch, version: 'v1' })
  for (const mode of ['off', 'client'] as const)
    expect(await all.getList({ resource: 'notes', pagination: { mode }, sorters: [] })).toEqual({
      data: items,
      total: 5,
    })
  expect(searches.slice(0, 3)).toEqual(['', '?after=…', '?after=…'])
})
