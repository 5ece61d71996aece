import { sql } from 'kysely'
import { type HttpResponse, handle, type Registry } from 'nounful'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService } from '../../examples/companies/stored.ts'
import { exampleRegistry } from '../support/companies.ts'
import { databaseOf, engines, has } from '../support/stores.ts'

// biome-ignore format: a row stays a line
const lists: [url: string, ids: string][] = [
  ['/employees?company_id=001&sort=name',                    '001 002 003'],
  ['/employees?company_id=001&company_id=002&sort=-id',      '005 004 003 002 001'],
  ['/employees?company_id:ne=001',                           '004 005 006'],
  ['/employees?company_id:null=true',                        '006'],
  ['/employees?company_id=nobody',                           ''],
  ['/employees?name=Ada%20Moreau',                           '001'],
  ['/employees?name=ada%20moreau',                           ''],
  ['/employees?name:startsWith=CHLO%C3%89',                  '003'],
  ['/employees?name:contains=_',                             ''],
  ['/employees?name:gt=D&sort=name',                         '004 005 006'],
  ['/employees?email=d.haas@globex.example',                 '004'],
  ['/employees?email:endsWith=@ACME.example&sort=-name',     '002 001'],
  ['/employees?email:null=true',                             '003 006'],
  ['/employees?birthdate=1990-01-31',                        '005'],
  ['/employees?birthdate:gte=1988-12-10&birthdate:lt=1996-07-14&sort=birthdate', '001 005 003'],
  ['/employees?created_at=2024-02-06T09:00:00%2B01:00',      '001'],
  ['/employees?created_at:gt=2024-09-02T12:20:00Z',          '006'],
  ['/employees?q=globex&name:ne=Emi%20Tanaka',               '004'],
  ['/employees?id=004&id=001&id=first',                      '001 004'],
  ['/employees?id:ne=001&id:ne=002&limit=2&offset=1',        '004 005'],
  ['/companies?name:gt=Acme%20Instruments&sort=-created_at', '003 002'],
  ['/companies?created_at:lte=2024-06-17T14:03:10Z',         '001 002'],
  ['/companies/001/employees?birthdate:lt=1989-01-01&sort=-birthdate', '001 002'],
  ['/companies/002/employees?id=001&id=004',                 '004'],
  ['/companies/001/customers?email:null=false',              '001'],
  ['/companies/001/customers?name:contains=LIGHT',           '002'],
  ['/companies/002/customers?email=orders@harbor.example',   ''],
]

const shown = ({ full_name, status, phone, ...others }: Record<string, unknown>) => ({
  ...others,
  name: full_name,
})

interface Tables {
  readonly setup: { id: string }
  readonly employees: { id: string; name: string; birthdate: string; created_at: string }
}

interface Named {
  readonly id: string
  readonly name: string
}

function defined(item: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined))
}

describe.each(['memory', ...engines.filter(has)] as const)('the example on %s', (place) => {
  let registry: Registry
  let close = async (): Promise<void> => undefined
  beforeAll(async () => {
    if (place === 'memory') registry = await exampleRegistry()
    else {
      const database = await databaseOf(place)
      const service = await openService(database.url)
      registry = service.registry
      close = async () => {
        await service.close()
        await database.drop()
      }
      await service.ready
    }
  }, 30_000)
  afterAll(() => close())

  async function get(url: string, headers = {}): Promise<HttpResponse> {
    return handle({ method: 'GET', url: `/v1${url}`, headers }, registry)
  }

  async function send(line: string, item?: object, key?: string): Promise<HttpResponse> {
    const [method = '', url = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const body = item && JSON.stringify(item)
    return handle({ method, url: `/v1${url}`, headers, body }, registry)
  }

  for (const [url, ids] of lists) {
    test(url, async () => {
      const { status, body } = await get(url)
      expect(status, JSON.stringify(body)).toBe(200)
      const items = body as readonly { readonly id: string }[]
      expect(items.map(({ id }) => id).join(' ')).toBe(ids)
      if (url.includes('limit')) return
      const [path, search] = url.split('?')
      const filters = search?.replace(/&sort=.*/, '')
      const number = items.length
      expect((await get(`${path}/count?${filters}`)).body).toEqual({ count: number })
      const first = await get(`${path}/first?${search}`)
      expect(first).toMatchObject(number === 0 ? { status: 404 } : { body: items[0] })
      const last = await get(`${path}/last?${search}`)
      expect(last).toMatchObject(number === 0 ? { status: 404 } : { body: items.at(-1) })
    })
  }

  test('a list has the fields that a client names', async () => {
    for (const path of ['/employees', '/companies', '/companies/001/customers']) {
      const items = (await get(`${path}?fields=name`)).body as readonly object[]
      expect(items.length).toBeGreaterThan(1)
      for (const item of items) expect(Object.keys(item).sort()).toEqual(['id', 'name'])
    }
    const ada = await get('/employees/001?fields=birthdate&fields=email')
    const { id, birthdate, email, ...others } = ada.body as Record<string, unknown>
    expect([id, birthdate, email]).toEqual(['001', '1988-12-10', 'ada.moreau@acme.example'])
    expect(others).toEqual({})
    expect((await get('/companies/last?fields=created_at')).body).toEqual({
      id: '003',
      created_at: '2025-01-20T08:30:00.000Z',
    })
  })

  test('a list includes the company of each item', async () => {
    const [acme, globex] = (await get('/companies?limit=2')).body as readonly object[]
    const { body } = await get('/employees?include=company&fields=name&limit=4&offset=2')
    expect(body).toEqual([
      { id: '003', name: 'Chloé Lindqvist', company: acme },
      { id: '004', name: 'Dmitri Haas', company: globex },
      { id: '005', name: 'Emi Tanaka', company: globex },
      { id: '006', name: 'Farid Nasser', company: null },
    ])
    const ends = [
      '/employees/001',
      '/companies/001/employees/first',
      '/companies/001/customers/last',
    ]
    for (const url of ends) {
      expect((await get(`${url}?include=company`)).body).toMatchObject({ company: acme })
    }
    const { headers } = await get('/companies/002/customers?include=company&limit=1')
    expect(headers.link).toBe('</v2/companies/002/customers>; rel="successor-version"')
    const page = await get('/employees?include=company&limit=5')
    const next = /<\/v1([^>]*)>/.exec(`${page.headers.link}`)?.[1] ?? ''
    expect((await get(next)).body).toMatchObject([{ id: '006', company: null }])
  })

  test('an employee works for a company that there is', async () => {
    const { headers, body } = await send('POST /employees', {
      name: 'Gita Rao',
      birthdate: '1991-04-09',
      company_id: '003',
    })
    const url = `${headers.location}`.slice('/v1'.length)
    const kept = await send('DELETE /companies/003')
    expect(kept).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (const company_id of ['004', '', 'first']) {
      const refused = await send(`PUT ${url}`, { ...(body as object), company_id })
      const issues = [{ pointer: '/company_id', code: 'reference_not_found' }]
      expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed', issues } })
    }
    const read = (await get(`${url}?include=company`)).body as object
    const updated = await send(`PUT ${url}`, { ...read, name: 'Gita Lund' })
    expect(updated).toMatchObject({ status: 200, body: { name: 'Gita Lund', company_id: '003' } })
    expect(updated.body).not.toHaveProperty('company')
    expect((await send(`DELETE ${url}`)).status).toBe(200)
  })

  async function hire(...names: readonly string[]): Promise<readonly Named[]> {
    const staff = names.map((name) => ({ name, birthdate: '1991-04-09', email: 'x@y.example' }))
    const { status, body } = await send('POST /companies/001/employees', staff)
    expect(status, JSON.stringify(body)).toBe(201)
    return body as readonly Named[]
  }

  async function dismiss(staff: readonly Named[]): Promise<void> {
    for (const { id } of staff) expect((await send(`DELETE /employees/${id}`)).status).toBe(200)
  }

  // biome-ignore format: a row stays a line
  const patches: [patch: object, changes: object | string][] = [
    [{},                                                {}],
    [{ name: 'Gita Rao' },                              { name: 'Gita Rao' }],
    [{ email: null },                                   { email: undefined }],
    [{ birthdate: '1991-04-10', company_id: '002' },    { birthdate: '1991-04-10', company_id: '002' }],
    [{ company_id: null },                              { company_id: undefined }],
    [{ name: '' },                                      '/name'],
    [{ name: null },                                    '/name'],
    [{ birthdate: '1991-02-30' },                       '/birthdate'],
    [{ company_id: '009' },                             '/company_id'],
    [{ created_at: '2026-01-01T00:00:00Z' },            '/created_at'],
    [{ salary: 1 },                                     '/salary'],
  ]
  for (const [patch, changes] of patches) {
    test(`PATCH takes ${JSON.stringify(patch)}, or names the fault`, async () => {
      const [gita, hans] = await hire('Gita', 'Hans')
      if (!gita || !hans) throw new Error('Nobody was hired')
      const others = [{ id: hans.id, name: 'Hanna' }]
      const many = [...others, { id: gita.id, ...patch }]
      for (const query of ['?dry_run=true', '']) {
        const one = await send(`PATCH /employees/${gita.id}${query}`, patch)
        const all = await send(`PATCH /employees${query}`, many)
        if (typeof changes === 'string') {
          expect(one).toMatchObject({ status: 422, body: { issues: [{ pointer: changes }] } })
          const issues = [{ pointer: `/1${changes}` }]
          expect(all).toMatchObject({ status: 422, body: { issues } })
        } else {
          const { id, ...whole } = defined({ ...gita, ...changes })
          expect(one).toMatchObject({ status: 200, body: { ...whole, id } })
          expect(all.body).toMatchObject([{ ...hans, name: 'Hanna' }, whole])
        }
        const isKept = typeof changes === 'string' || query !== ''
        const expected = isKept ? gita : defined({ ...gita, ...changes })
        expect((await get(`/employees/${gita.id}`)).body).toEqual(expected)
        const { name } = (await get(`/employees/${hans.id}`)).body as Named
        expect(name).toBe(isKept ? 'Hans' : 'Hanna')
      }
      await dismiss([gita, hans])
    })
  }

  test('two patches at once keep both changes', async () => {
    const [gita] = await hire('Gita')
    const url = `PATCH /employees/${gita?.id}`
    const changes = { name: 'Gita Rao', email: 'gita@acme.example', birthdate: '1991-04-10' }
    const patched = await Promise.all(
      Object.entries(changes).map(([field, value]) => send(url, { [field]: value })),
    )
    expect(patched.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await get(`/employees/${gita?.id}`)).body).toEqual({ ...gita, ...changes })
    await dismiss(gita ? [gita] : [])
  })

  test('POST creates all items of an array or none', async () => {
    const url = '/companies/003/customers'
    const items = [{ name: 'Kay' }, { name: 'Bo', email: 'bo@x.example' }, { name: 'Cy' }]
    const faults = [...items, { name: '' }, { name: 'Di', id: 'x' }]
    const refused = await send(`POST ${url}`, faults)
    const issues = [{ pointer: '/3/name' }, { pointer: '/4/id' }]
    expect(refused).toMatchObject({ status: 422, body: { issues } })
    const tried = await send(`POST ${url}?dry_run=true`, items)
    expect(tried.body).toEqual(items.map((item) => ({ ...item, company_id: '003' })))
    expect((await get(`${url}/count`)).body).toEqual({ count: 0 })
    const created = await send(`POST ${url}`, items)
    expect(created).toMatchObject({ status: 201, body: items })
    expect(created.headers.location).toBeUndefined()
    expect((await get(url)).body).toEqual(created.body)
    expect((await send(`POST ${url}`, [])).body).toEqual([])
    expect((await send(`DELETE ${url}`)).body).toEqual({ deleted: 3 })
  })

  // biome-ignore format: a row stays a line
  const keyed: [path: string, item: object, other: object][] = [
    ['/companies',               { name: 'Zinnia' },                             { name: 'Aster' }],
    ['/employees',               { name: 'Gita', birthdate: '1991-04-09' },      { name: 'Gita', birthdate: '1991-04-10' }],
    ['/companies/002/employees', { name: 'Hans', birthdate: '1991-04-09' },      { name: 'Hans', birthdate: '1991-04-09', email: 'h@x.example' }],
    ['/companies/002/customers', { name: 'Kay', email: 'kay@x.example' },        { name: 'Kay', email: 'k@x.example' }],
  ]
  for (const [path, item, other] of keyed) {
    test(`POST ${path} with a key creates one item`, async () => {
      const before = (await get(`${path}/count`)).body as { readonly count: number }
      const key = `a key of ${path}`.replaceAll(' ', '-')
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send(`POST ${path}`, item, key)),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      const [location, ...locations] = new Set(answers.map(({ headers }) => headers.location))
      expect(locations).toEqual([])
      const replays = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')
      expect(replays.length).toBe(19)
      expect((await get(`${path}/count`)).body).toEqual({ count: before.count + 1 })
      const quoted = await send(`POST ${path}`, item, `"${key}"`)
      expect(quoted).toMatchObject({ status: 201, headers: { location }, body: item })
      const mismatch = await send(`POST ${path}`, other, key)
      expect(mismatch).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } })
      const apart = await send(`POST ${path}`, item, `${key}-2`)
      expect(apart).toMatchObject({ status: 201 })
      expect(apart.headers.location).not.toBe(location)
      expect(apart.headers['idempotency-replayed']).toBeUndefined()
      for (const { headers } of [quoted, apart]) {
        const url = `${headers.location}`.slice('/v1'.length)
        expect((await send(`DELETE ${url}`)).status).toBe(200)
      }
      expect((await get(`${path}/count`)).body).toEqual(before)
    })
  }

  test('a dry run of POST and PUT stores nothing', async () => {
    const item = { name: 'Gita', birthdate: '1991-04-09', company_id: '001' }
    const tried = await send('POST /employees?dry_run=true', item)
    expect([tried.status, tried.headers.location, tried.body]).toEqual([200, undefined, item])
    const unknown = await send('POST /employees?dry_run=true', { ...item, company_id: '009' })
    expect(unknown).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    const put = await send('PUT /employees/001?dry_run=true', item)
    expect(put).toMatchObject({ status: 200, body: { ...item, id: '001' } })
    const many = await send('PUT /employees?dry_run=true', [{ ...item, id: '001' }])
    expect(many).toMatchObject({ status: 200, body: [{ ...item, id: '001' }] })
    expect((await get('/employees/001')).body).toMatchObject({ name: 'Ada Moreau' })
    expect((await get('/employees/count')).body).toEqual({ count: 6 })
    const one = await send('DELETE /employees/001?dry_run=true')
    expect(one).toMatchObject({ status: 400, body: { code: 'unknown_parameter' } })
    const all = await send('DELETE /employees?dry_run=true')
    expect(all).toMatchObject({ status: 400, body: { code: 'bad_parameter' } })
  })

  test('companies tell their total, employees on demand', async () => {
    expect((await get('/companies?limit=1')).headers['x-total-count']).toBe('3')
    expect((await get('/employees?limit=1')).headers['x-total-count']).toBeUndefined()
    const url = '/employees?company_id=001&limit=1&offset=1'
    const { headers } = await get(url, { prefer: 'count=exact' })
    expect([headers['x-total-count'], headers['preference-applied']]).toEqual(['3', 'count=exact'])
  })

  // biome-ignore format: a row stays a line
  const faults: [url: string, code: string][] = [
    ['/employees?company=001',             'unknown_parameter'],
    ['/employees?company_id:gt=001',       'unknown_parameter'],
    ['/employees?birthdate=yesterday',     'bad_parameter'],
    ['/employees?birthdate:contains=1990', 'unknown_parameter'],
    ['/companies?email=x',                 'unknown_parameter'],
    ['/companies/001/customers?company_id=001', 'unknown_parameter'],
    ['/employees?fields=salary',           'bad_parameter'],
    ['/employees?offset=20',               'bad_parameter'],
    ['/employees?include=company',         'bad_parameter'],
    ['/employees/001?include=companies',   'bad_parameter'],
    ['/companies/001?include=employees',   'unknown_parameter'],
    ['/employees/001?company_id=001',      'unknown_parameter'],
  ]
  for (const [url, code] of faults) {
    test(`${url} is ${code}`, async () => {
      expect(await get(url)).toMatchObject({ status: 400, body: { code } })
    })
  }

  test('both versions show the same items', async () => {
    const items = async (url: string): Promise<Record<string, unknown>[]> => {
      const { body } = await handle({ method: 'GET', url }, registry)
      return (body as Record<string, unknown>[]).map(defined)
    }
    for (const [query, one, other] of [
      ['sort=%&limit=3', 'name', 'full_name'],
      ['sort=-%,id', 'name', 'full_name'],
      ['q=acme&sort=birthdate', '', ''],
      ['%:contains=a&company_id:null=false', 'name', 'full_name'],
    ] as const) {
      const old = await items(`/employees?${query.replace('%', one)}`)
      const now = await items(`/v2/employees?${query.replace('%', other)}`)
      expect(old.length).toBeGreaterThan(0)
      expect(now.map(shown)).toEqual(old)
    }
    expect(await items('/v2/companies')).toEqual(await items('/v1/companies'))
    const path = '/companies/001/employees?sort=-birthdate'
    expect((await items(`/v2${path}`)).map(shown)).toEqual(await items(`/v1${path}`))
  })

  test('a client of version 1 keeps what version 2 adds', async () => {
    const ask = async (line: string, body?: object) => {
      const [method = '', url = ''] = line.split(' ')
      const headers = { 'content-type': 'application/json' }
      const given = await handle(
        { method, url, headers, ...(body && { body: JSON.stringify(body) }) },
        registry,
      )
      return defined(Object(given.body))
    }
    const made = await ask('POST /v1/employees', { name: 'Ida', birthdate: '1990-01-01' })
    expect(made).toEqual({
      id: expect.anything(),
      name: 'Ida',
      birthdate: '1990-01-01',
      created_at: expect.anything(),
    })
    const path = `employees/${made.id}`
    const { name, ...others } = made
    const stored = { ...others, full_name: 'Ida', status: 'active', phone: null }
    expect(await ask(`GET /v2/${path}`)).toEqual(stored)
    await ask(`PATCH /v2/${path}`, { status: 'left', phone: '+31 20' })
    const put = { name: 'Ida Lund', birthdate: '1990-01-02' }
    expect(await ask(`PUT /v1/${path}`, put)).toEqual({ ...made, ...put })
    expect(await ask(`GET /v2/${path}`)).toEqual({
      ...stored,
      full_name: 'Ida Lund',
      birthdate: '1990-01-02',
      status: 'left',
      phone: '+31 20',
    })
    expect(await ask('GET /v2/employees/count?status=left')).toEqual({ count: 1 })
    expect(await ask(`DELETE /v2/${path}`)).toMatchObject({ phone: '+31 20' })
    expect(await ask(`GET /v1/${path}`)).toMatchObject({ status: 404 })
  })
})

describe.each(engines.filter(has))('tables of version 1 on %s', (engine) => {
  test('get the columns of version 2 and keep their rows', async () => {
    const { db, url, drop } = await databaseOf<Tables>(engine)
    const text = {
      sqlite: 'text',
      postgres: 'text collate "C"',
      mariadb: 'varchar(255) character set utf8mb4 collate utf8mb4_nopad_bin',
    }[engine]
    await sql`create table setup (id ${sql.raw(text)} primary key)`.execute(db)
    await sql
      .raw(`create table companies (id ${text} primary key, name ${text} not null,
      created_at ${text} not null)`)
      .execute(db)
    await sql
      .raw(`create table employees (id ${text} primary key, name ${text} not null,
      birthdate ${text} not null, email ${text}, company_id ${text}, created_at ${text} not null,
      foreign key (company_id) references companies (id))`)
      .execute(db)
    await db.insertInto('setup').values({ id: 'sample' }).execute()
    const old = {
      id: '9',
      name: 'Old',
      birthdate: '1990-01-01',
      created_at: '2020-01-01T00:00:00Z',
    }
    await db.insertInto('employees').values(old).execute()
    // Two processes start at once.
    const services = await Promise.all([openService(url), openService(url)])
    for (const { registry, ready } of services) {
      await ready
      const { body } = await handle({ method: 'GET', url: '/v2/employees' }, registry)
      expect(body).toMatchObject([{ id: '9', full_name: 'Old', status: 'active', phone: null }])
    }
    for (const service of services) await service.close()
    await drop()
  }, 30_000)
})
