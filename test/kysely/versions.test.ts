import { sql } from 'kysely'
import { defineRegistry, handle, type Registry } from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { describe, expect, test } from 'vitest'
import { sameItemsIn } from '../support/same-items.ts'
import { databaseOf, type Engine, engines, has } from '../support/stores.ts'
import { api } from '../support/versions.ts'

const types = {
  sqlite: { text: 'text', json: 'text' },
  postgres: { text: 'text collate "C"', json: 'jsonb' },
  mariadb: { text: 'varchar(100) collate utf8mb4_bin', json: 'json' },
} as const

async function open(engine: Engine) {
  const { db, drop } = await databaseOf<unknown>(engine)
  const { text, json } = types[engine]
  const column = (name: string, type: string = text) => `${name} ${type}`
  const people = [
    `${column('id')} primary key`,
    column('company_id'),
    ...['first_name', 'last_name', 'state'].map((name) => `${column(name)} not null`),
    `${column('address', json)} not null`,
    column('country'),
    'cents int not null',
    column('email'),
    `${column('heading')} not null`,
    'revision int not null',
    `${column('created_at')} not null`,
  ]
  const companies = [`${column('id')} primary key`, column('title'), column('plan')]
  await sql`create table people (${sql.raw(people.join(', '))})`.execute(db)
  await sql`create table companies (${sql.raw(companies.join(', '))})`.execute(db)
  await sql`insert into companies values ('c1', 'One', 'gold')`.execute(db)
  const onCreate = () => ({ created_at: '2026-01-01T00:00:00Z' })
  const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({
    people: kyselyAdapter(db, { table: 'people', onCreate }),
    companies: kyselyAdapter(db, { table: 'companies' }),
  })
  await registry.ready()
  return { registry, drop }
}

const ask = async (registry: Registry, line: string, sent?: unknown) => {
  const [method = '', url = ''] = line.split(' ')
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
  const headers = { 'content-type': 'application/json' }
  const { status, body: given } = await handle({ method, url, headers, ...body }, registry)
  return { status, body: given as Record<string, unknown> & { id: string } }
}

const person = {
  first_name: 'Ada',
  last_name: 'King',
  state: 'archived',
  address: { street: 'Main St', city: 'Rome' },
  cents: 1234,
  email: 'ada@example.org',
  heading: 'Countess',
  company_id: 'c1',
}

describe.each(engines.filter(has))('views on %s', (engine) => {
  test('write what they say, and keep the rest', async () => {
    const { registry, drop } = await open(engine)
    const { body: before } = await ask(registry, 'POST /v3/people', person)
    const { id } = before
    const v1 = `/v1/people/${id}`
    const { body: seen } = await ask(registry, `GET ${v1}`)
    expect(seen).toEqual({
      id,
      firm_id: 'c1',
      given: 'Ada',
      family: 'King',
      present: false,
      label: 'Countess',
      tag: 1,
      created_at: '2026-01-01T00:00:00Z',
    })
    expect(await ask(registry, `PUT ${v1}`, seen)).toMatchObject({ status: 200, body: seen })
    expect((await ask(registry, `GET /v3/people/${id}`)).body).toEqual(before)
    await ask(registry, `PATCH ${v1}`, { family: 'Byron' })
    await ask(registry, `PUT /v2/people`, [
      { ...(await ask(registry, `GET /v2/people/${id}`)).body, city: 'Paris', price: '0.05' },
    ])
    expect((await ask(registry, `GET /v3/people/${id}`)).body).toEqual({
      ...before,
      last_name: 'Byron',
      address: { street: 'Main St', city: 'Paris' },
      cents: 5,
      revision: 3,
    })
    const faulty = await ask(registry, 'PUT /v1/people', [
      { id, given: 'x', family: 'a b', present: true, label: 'x'.repeat(21), firm_id: 'c1' },
    ])
    expect(faulty).toMatchObject({
      status: 422,
      body: { issues: [{ pointer: '/0/given' }, { pointer: '/0/family' }] },
    })
    await drop()
  })

  test('have the same items in the same order', async () => {
    const { registry, drop } = await open(engine)
    for (let turn = 0; turn < 12; turn++) {
      const names = { first_name: `Ada${turn % 3}`, last_name: turn % 2 === 0 ? 'King' : '' }
      const heading = ['King', 'a', 'B', 'é'][turn % 4]
      expect(
        (await ask(registry, 'POST /v3/people', { ...person, ...names, heading })).status,
      ).toBe(201)
    }
    await sameItemsIn(registry)
    await drop()
  })

  test('lose nothing to writers of another version', async () => {
    const { registry, drop } = await open(engine)
    const { id } = (await ask(registry, 'POST /v3/people', person)).body
    const rounds = Number(process.env.ROUNDS ?? 50)
    for (let round = 0; round < rounds; round++) {
      const city = `city ${round}`
      const heading = `heading ${round}`
      const { body: seen } = await ask(registry, `GET /v1/people/${id}`)
      const { tag: _, ...old } = seen
      const { body: newer } = await ask(registry, `GET /v2/people/${id}`)
      const statuses = await Promise.all([
        ask(registry, `PUT /v1/people/${id}`, { ...old, given: `given${round}` }),
        ask(registry, `PATCH /v2/people/${id}`, { city }),
        ask(registry, `PATCH /v3/people/${id}`, { email: `a${round}@b.co` }),
        ask(registry, `PATCH /v2/people/${id}`, { headline: heading }),
      ])
      expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const { body } = await ask(registry, `GET /v3/people/${id}`)
      expect(body).toMatchObject({
        first_name: `given${round}`,
        email: `a${round}@b.co`,
        address: { street: 'Main St', city },
      })
      // A PUT of v1 says the label too: it is the old one or the new one.
      expect([heading, newer.headline]).toContain(body.heading)
    }
    await drop()
  })
})
