import { defineApi, defineRegistry, defineResource } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { type ReactAdminDataProvider, reactAdminDataProvider } from 'nounful/react-admin'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idsOf, type ReachableExample, startExample, stores } from './example.ts'

const pagination = { page: 1, perPage: 2 }
const sort = { field: 'name', order: 'ASC' } as const

describe.each(stores)('react-admin on the example with %s', (store) => {
  let provider: ReactAdminDataProvider
  let example: ReachableExample
  beforeAll(async () => {
    example = await startExample(store)
    provider = reactAdminDataProvider({ ...example.options, version: 'v1' })
  }, 30_000)
  afterAll(() => example.close())

  // biome-ignore format: a row stays a line
  test.each([
    [1, 'name', 'ASC', {}, '001 002', 6],
    [3, 'name', 'ASC', {}, '005 006', 6],
    [4, 'name', 'ASC', {}, '', 6],
    [1, 'name', 'DESC', {}, '006 005', 6],
    [1, 'id', 'DESC', { company_id: '001' }, '003 002', 3],
    [2, 'id', 'DESC', { company_id: '001' }, '001', 3],
    [1, 'name', 'ASC', { q: 'globex' }, '004 005', 2],
    [1, 'name', 'ASC', { q: undefined, 'name:contains': 'da' }, '001', 1],
    [1, 'birthdate', 'ASC', { 'birthdate:gte': '1990-01-01', 'birthdate:lt': '1996-01-01' }, '005 003', 2],
    [1, 'name', 'ASC', { id: ['002', '005', '009'] }, '002 005', 2],
    [1, 'name', 'ASC', { 'company_id:null': true }, '006', 1],
    [1, 'name', 'ASC', { 'company_id:ne': ['001', '002'], q: 'ada' }, '', 0],
    [1, 'name', 'ASC', { company: { 'name:contains': 'GLOB', name: null } }, '004 005', 2],
  ] as const)('getList: page %i by %s %s of %j', async (page, field, order, filter, ids, total) => {
    const list = await provider.getList('employees', {
      pagination: { page, perPage: 2 },
      sort: { field, order },
      filter,
    })
    expect({ ...list, data: idsOf(list.data) }).toEqual({ data: ids, total })
  })

  test('getList has defaults', async () => {
    const { data, total } = await provider.getList('employees', {})
    expect([data.length, total]).toEqual([6, 6])
  })

  test('getOne, getMany and getManyReference give records', async () => {
    const { data: ada } = await provider.getOne('employees', { id: '001' })
    expect(ada).toMatchObject({ id: '001', name: 'Ada Moreau', company_id: '001' })
    const many = await provider.getMany('employees', { ids: ['005', 'none', '001'] })
    expect(idsOf(many.data)).toBe('005 001')
    expect(await provider.getMany('employees', { ids: [] })).toEqual({ data: [] })
    const reference = { target: 'company_id', id: '001', pagination, sort }
    const staff = await provider.getManyReference('employees', { ...reference, filter: {} })
    expect({ ...staff, data: idsOf(staff.data) }).toEqual({ data: '001 002', total: 3 })
    const filter = { 'name:startsWith': 'b' }
    const some = await provider.getManyReference('employees', { ...reference, filter })
    expect({ ...some, data: idsOf(some.data) }).toEqual({ data: '002', total: 1 })
  })

  test('records are created, changed and deleted', async () => {
    const names = ['Ida', 'Bo', 'Gita']
    const made = await Promise.all(
      names.map((name) => provider.create('companies', { data: { name } })),
    )
    const [ida, bo, gita] = made.map(({ data }) => data)
    if (!ida || !bo || !gita) throw new Error('Three records are missing')
    const params = { id: ida.id, data: { name: 'Ida Lund' }, previousData: ida }
    const updated = await provider.update('companies', params)
    expect(updated).toEqual({ data: { ...ida, name: 'Ida Lund' } })
    const ids = [bo.id, gita.id]
    expect(await provider.updateMany('companies', { ids, data: { name: 'B' } })).toEqual({
      data: ids,
    })
    const named = await provider.getList('companies', { filter: { name: 'B' } })
    expect(named.total).toBe(2)
    expect(await provider.delete('companies', { id: ida.id })).toEqual(updated)
    expect(await provider.deleteMany('companies', { ids })).toEqual({ data: ids })
    expect(await provider.getMany('companies', { ids })).toEqual({ data: [] })
  })

  test('an update keeps what another one changed meanwhile', async () => {
    const email = 'gita@x.example'
    const given = { name: 'Gita', birthdate: '1991-04-09', email, company_id: '001' }
    const { data: previousData } = await provider.create('employees', { data: given })
    const { id } = previousData
    const update = (changes: object) =>
      provider.update('employees', { id, data: { ...previousData, ...changes }, previousData })
    await update({ name: 'Gita Rao' })
    await update({ email: null })
    const { email: _, ...rest } = previousData
    expect(await update({})).toEqual({ data: { ...rest, name: 'Gita Rao' } })
    const moved = provider.updateMany('employees', {
      ids: [id, '001'],
      data: { company_id: '009' },
    })
    await expect(moved).rejects.toMatchObject({ status: 422, code: 'validation_failed' })
    const gone = provider.deleteMany('employees', { ids: ['none', id] })
    await expect(gone).rejects.toMatchObject({ status: 404, code: 'not_found' })
    expect(await provider.getMany('employees', { ids: [id] })).toEqual({ data: [] })
  })

  test('an update needs no previous record', async () => {
    const { data } = await provider.create('companies', { data: { name: 'Una' } })
    const { id } = data
    const update = (changes: object) =>
      Reflect.apply(provider.update, provider, ['companies', { id, data: changes }])
    expect(await update({ ...data, name: 'Una Lund' })).toEqual({
      data: { ...data, name: 'Una Lund' },
    })
    expect(await update({ name: 'Una' })).toEqual({ data })
    await provider.delete('companies', { id })
  })

  test('a path of nouns and ids is a resource', async () => {
    const resource = 'companies/001/employees'
    const { data, total } = await provider.getList(resource, { sort, filter: { q: 'ada' } })
    expect([idsOf(data), total]).toEqual(['001', 1])
    const draft = { name: 'Gita', birthdate: '1991-04-09' }
    const { data: gita } = await provider.create(resource, { data: draft })
    expect(gita).toMatchObject({ ...draft, company_id: '001' })
    await provider.deleteMany(resource, { ids: [gita.id] })
    for (const path of ['companies/001', 'companies/001/read', 'companies/001/employees/', ''])
      await expect(provider.getList(path, {})).rejects.toThrow(`Unknown resource "${path}"`)
  })

  test('getManyReference lists a nested path', async () => {
    const nested = ['/companies/:company_id/customers', '/companies/:company_id/employees']
    const nester = reactAdminDataProvider({ ...example.options, version: 'v1', nested })
    const reference = { target: 'company_id', pagination, sort, filter: {} }
    const staff = await nester.getManyReference('employees', { ...reference, id: '002' })
    expect({ ...staff, data: idsOf(staff.data) }).toEqual({ data: '004 005', total: 2 })
    const path = await nester.getManyReference('companies/002/employees', {
      ...reference,
      id: '002',
    })
    expect(path).toEqual(staff)
    const missing = nester.getManyReference('customers', { ...reference, id: 'a/b' })
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'parent_not_found' })
  })

  test('meta selects fields, includes items and repeats a creation', async () => {
    const meta = { fields: ['name', 'company_id'], include: ['company'] }
    const whole = { id: '001', name: 'Ada Moreau', company_id: '001', company: { id: '001' } }
    const list = { pagination, filter: { id: '001' }, meta }
    expect((await provider.getList('employees', list)).data).toMatchObject([whole])
    expect((await provider.getOne('employees', { id: '001', meta })).data).toMatchObject(whole)
    const { data: many } = await provider.getMany('employees', { ids: ['001'], meta })
    expect(Object.keys(many[0] ?? {}).toSorted()).toEqual(Object.keys(whole).toSorted())
    const key = { data: { name: 'Key' }, meta: { idempotencyKey: 'once' } }
    const { data: first } = await provider.create('companies', key)
    expect(await provider.create('companies', key)).toEqual({ data: first })
    await provider.delete('companies', { id: first.id, meta: { headers: { 'x-a': 'b' } } })
  })

  test('an aborted signal ends a list', async () => {
    const signal = AbortSignal.abort(new Error('left'))
    expect(provider.supportAbortSignal).toBe(true)
    await expect(provider.getList('employees', { signal })).rejects.toThrow('left')
  })

  test('faults stand beside their fields', async () => {
    const invalid = provider.create('employees', { data: { name: '', birthdate: 'x' } })
    await expect(invalid).rejects.toMatchObject({
      status: 422,
      body: { errors: { name: expect.any(String), birthdate: expect.any(String) } },
    })
  })

  test('a fault throws the problem', async () => {
    const missing = provider.getOne('employees', { id: 'none' })
    await expect(missing).rejects.toMatchObject({ status: 404, code: 'not_found' })
    const unknown = provider.getList('employees', { filter: { nmae: 'x' } })
    await expect(unknown).rejects.toMatchObject({ status: 400, code: 'unknown_parameter' })
    await expect(provider.getList('no/noun', {})).rejects.toThrow('Unknown resource "no/noun"')
  })
})

describe('react-admin on another service', () => {
  const Row = z.object({ id: z.string(), size: z.int(), revision: z.int() })
  const rows = defineResource('rows', {
    schema: Row,
    create: Row.pick({ size: true }),
    revision: 'revision',
    readOnly: ['revision'],
    sortable: ['size'],
  })
  const lines = defineResource('lines', { schema: Row, total: false })
  const items = Array.from({ length: 10_070 }, (_, at) => {
    return { id: `${at}`.padStart(5, '0'), size: at % 7, revision: 1 }
  })
  const registry = defineRegistry(defineApi({ v1: { '/rows': rows, '/lines': lines } })).adapters({
    rows: memoryAdapter({ items }),
    lines: { list: () => items.slice(0, 3) },
  })
  const options = { baseUrl: 'http://rows.example', fetch: toFetchHandler(registry) }

  const openRows = () => reactAdminDataProvider({ ...options, version: 'v1' })

  test('a list has page numbers up to 10,000 rows', async () => {
    const provider = openRows()
    const at = (page: number) => provider.getList('rows', { pagination: { page, perPage: 30 } })
    expect(await at(334)).toEqual({ data: items.slice(333 * 30, 334 * 30), total: items.length })
    await expect(at(336)).rejects.toMatchObject({ status: 400, code: 'bad_parameter' })
  })

  test('a list without a total has pageInfo', async () => {
    const { data, ...rest } = await openRows().getList('lines', { pagination })
    expect(data).toHaveLength(2)
    expect(rest).toEqual({ pageInfo: { hasNextPage: true, hasPreviousPage: false } })
  })

  test('an update after another one of a revision is refused', async () => {
    const provider = openRows()
    const { data: previousData } = await provider.getOne('rows', { id: '00001' })
    const update = (size: number) =>
      provider.update('rows', { id: '00001', data: { ...previousData, size }, previousData })
    expect(await update(8)).toMatchObject({ data: { size: 8, revision: 2 } })
    const other = { id: '00001', meta: { ifRevision: 1 } }
    await expect(provider.delete('rows', other)).rejects.toMatchObject({ statusCode: 409 })
    await expect(update(9)).rejects.toMatchObject({ status: 409, code: 'precondition_failed' })
    await expect(update(1)).rejects.toMatchObject({ status: 409, code: 'precondition_failed' })
  })
})
