import { type HttpResponse, handle, type Registry } from 'nounful'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../examples/companies/database.ts'
import { openService, type StoredService } from '../../examples/companies/stored.ts'
import { databaseOf, engines, has } from '../support/stores.ts'
import { addColumns, fillParts, thirdVersion } from './third-version.ts'

type Sent = Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[]

const asking =
  (registry: Registry) =>
  async (line: string, sent?: Sent, given = {}): Promise<HttpResponse & { body: object }> => {
    const [method = '', url = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json', ...given }
    const response = await handle({ method, url, headers, body: JSON.stringify(sent) }, registry)
    return { ...response, body: Object(response.body) }
  }

const next = ({ headers }: HttpResponse): string => /<([^>]*)>/.exec(`${headers.link}`)?.[1] ?? ''

describe.each(engines.filter(has))('the example with a third version on %s', (engine) => {
  let close = async (): Promise<void> => undefined
  let old: StoredService
  let registry: Registry
  let db: Parameters<typeof thirdVersion>[0]

  beforeAll(async () => {
    const database = await databaseOf(engine)
    old = await openService(database.url)
    await old.ready
    const opened = await openDatabase(database.url)
    db = opened.db
    await addColumns(opened)
    await fillParts(db)
    registry = thirdVersion(db)
    await registry.ready()
    close = async () => {
      await old.close()
      await db.destroy()
      await database.drop()
    }
  }, 60_000)
  afterAll(() => close())

  const before = (...call: Parameters<ReturnType<typeof asking>>) => asking(old.registry)(...call)
  const after = (...call: Parameters<ReturnType<typeof asking>>) => asking(registry)(...call)

  // biome-ignore format: a row stays a line
  const lists = [
    'sort=NAME', 'sort=-NAME&limit=3', 'sort=birthdate', 'q=ada%20moreau', 'q=MOREAU', 'q=globex',
    'NAME=Ada%20Moreau', 'NAME:startsWith=B', 'NAME:gt=D&sort=NAME', 'email:null=true',
    'company_id=001&fields=NAME', 'include=company&limit=2', 'sort=country', 'country=US',
  ]
  test.each(lists)('%s is as before in versions 1 and 2', async (query) => {
    for (const [version, name] of [
      ['v1', 'name'],
      ['v2', 'full_name'],
    ]) {
      const line = `GET /${version}/employees?${query.replaceAll('NAME', `${name}`)}`
      expect(await after(line)).toEqual(await before(line))
    }
  })

  test('cursors, ids and keys of the older program stay', async () => {
    const page = await before('GET /v1/employees?sort=-name&limit=2')
    expect(await after(`GET ${next(page)}`)).toEqual(await before(`GET ${next(page)}`))
    const key = { 'idempotency-key': '"0190b9a0-0000-7000-8000-00000000000a"' }
    const sent = { full_name: 'Gil Moss', birthdate: '1990-01-01', status: 'left', phone: null }
    const made = await before('POST /v2/companies/001/employees', sent, key)
    const again = await after('POST /v2/companies/001/employees', sent, key)
    expect(again).toMatchObject({ status: 201, body: made.body })
    expect(again.headers['idempotency-replayed']).toBe('true')
    const { id } = made.body as { id: string }
    expect(await after(`DELETE /v2/employees/${id}`)).toMatchObject({ status: 200 })
  })

  test('each version sorts and filters by its own form of a name', async () => {
    const ids = async (line: string) => {
      const { status, body } = await after(line)
      expect(status, JSON.stringify(body)).toBe(200)
      return (body as readonly { readonly id: string }[]).map(({ id }) => id).join(' ')
    }
    expect(await ids('GET /v2/employees?sort=full_name')).toBe('001 002 003 004 005 006')
    expect(await ids('GET /v3/employees?sort=last_name')).toBe('004 003 001 006 002 005')
    expect(await ids('GET /v3/employees?last_name=Moreau&country=US')).toBe('001')
    expect(await ids('GET /v3/employees?q=moreau')).toBe('001')
  })

  test('a write of each version keeps both forms in step', async () => {
    const sent = {
      full_name: 'Ana María Soto',
      birthdate: '1990-02-03',
      status: 'left',
      phone: '1',
    }
    const { body: made } = await after('POST /v2/companies/001/employees', sent)
    const { id } = made as { id: string }
    const third = async () => (await after(`GET /v3/employees/${id}`)).body
    const second = async () => (await after(`GET /v2/employees/${id}`)).body
    const parts = { first_name: 'Ana María', last_name: 'Soto', country: 'US' }
    expect(await third()).toMatchObject({ ...parts, contact: { phone: '1' } })
    expect(await third()).not.toHaveProperty('full_name')

    await after(`PATCH /v3/employees/${id}`, { last_name: 'de la Cruz', country: 'CL' })
    expect(await second()).toMatchObject({ ...sent, full_name: 'Ana María de la Cruz' })
    await after(`PATCH /v1/employees/${id}`, { birthdate: '1990-02-04' })
    expect(await third()).toMatchObject({ last_name: 'de la Cruz', birthdate: '1990-02-04' })

    const whole = { name: 'Bo Low', birthdate: '1990-02-03', company_id: '001' }
    await after(`PUT /v1/employees/${id}`, whole)
    expect(await third()).toMatchObject({ first_name: 'Bo', last_name: 'Low', country: 'CL' })
    expect(await second()).toMatchObject({ status: 'left', phone: '1' })

    await after('PUT /v3/employees', [
      { ...parts, id, birthdate: '1990-02-03', contact: { phone: null } },
    ])
    expect(await second()).toMatchObject({ full_name: 'Ana María Soto', phone: null })
    await after('PATCH /v2/employees', [{ id, full_name: 'Cher' }])
    expect(await third()).toMatchObject({ first_name: 'Cher', last_name: '', country: 'US' })
    expect(await after(`DELETE /v1/employees/${id}`)).toMatchObject({ status: 200 })
  })

  test('a new item of version 3 has the fields of the others', async () => {
    const sent = {
      first_name: 'Ines',
      last_name: 'Sá',
      birthdate: '1990-01-01',
      country: 'PT',
      contact: { phone: '7' },
    }
    const tried = await after('POST /v3/employees?dry_run=true', sent)
    expect(tried).toMatchObject({ status: 200, body: sent })
    const { status, body } = await after('POST /v3/employees', [sent, sent])
    expect({ status, body }).toMatchObject({ status: 201, body: [sent, sent] })
    for (const { id } of body as readonly { readonly id: string }[]) {
      const { body: shown } = await after(`GET /v2/employees/${id}`)
      expect(shown).toMatchObject({ full_name: 'Ines Sá', status: 'active', phone: '7' })
      await after(`DELETE /v3/employees/${id}`)
    }
  })

  test('what an older program writes meanwhile is filled in', async () => {
    const sent = { name: 'Zoe Young', birthdate: '1990-01-01' }
    const { body } = await before('POST /v1/employees', sent)
    await before('PATCH /v1/employees/002', { name: 'Ben Osei' })
    const { id } = body as { id: string }
    const third = async (id: string) => (await after(`GET /v3/employees/${id}`)).body
    expect(await third(id)).toMatchObject({ first_name: '', last_name: '', country: 'US' })
    expect(await third('002')).toMatchObject({ last_name: 'Okafor' })
    await fillParts(db)
    expect(await third(id)).toMatchObject({ first_name: 'Zoe', last_name: 'Young' })
    expect(await third('002')).toMatchObject({ last_name: 'Osei' })
    await after('PATCH /v1/employees/002', { name: 'Ben Okafor' })
    await after(`DELETE /v1/employees/${id}`)
  })
})
