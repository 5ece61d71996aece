import fc from 'fast-check'
import { defineRegistry, handle, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { sameItemsIn } from '../support/same-items.ts'
import { api, namesOfBase } from '../support/versions.ts'
import '../support/properties.ts'

type Fields = Record<string, unknown>

function service() {
  const onCreate = () => ({ created_at: '2026-01-01T00:00:00Z' })
  return defineRegistry(api, { defaultVersion: 'v1' }).adapters({
    people: memoryAdapter({ onCreate }),
    companies: memoryAdapter({ items: [{ id: 'c1', title: 'One', plan: 'gold' }] }),
  })
}

async function ask(registry: Registry, line: string, sent?: unknown) {
  const [method = '', url = ''] = line.split(' ')
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
  const headers = { 'content-type': 'application/json' }
  return handle({ method, url, headers, ...body }, registry)
}

const word = fc.constantFrom('Ada', 'King', '', 'of', 'Lovelace King', ' ', 'é')
const person = fc.record(
  {
    first_name: word,
    last_name: word,
    state: fc.constantFrom('active', 'left', 'archived'),
    address: fc.record({ street: word, city: word }, { requiredKeys: [] }),
    country: fc.constantFrom('US', 'CH'),
    cents: fc.integer({ min: 0, max: 100_000 }),
    email: fc.constantFrom(null, 'a@b.co'),
    heading: word,
    company_id: fc.constant('c1'),
  },
  { requiredKeys: ['first_name', 'last_name', 'state', 'address', 'cents', 'email', 'heading'] },
)
const name = fc.array(word, { maxLength: 3 }).map((words) => words.join(' '))
const bodies = {
  v1: fc.record(
    {
      given: name,
      family: word,
      present: fc.boolean(),
      label: fc.oneof(word, fc.constant('x'.repeat(21))),
      firm_id: fc.constantFrom('c1', 'nobody'),
    },
    { requiredKeys: ['given', 'family', 'present', 'label'] },
  ),
  v2: fc.record(
    {
      name,
      status: fc.constantFrom('here', 'gone'),
      city: word,
      country: fc.constantFrom('US', 'CH'),
      price: fc.constantFrom('0.00', '12.34', '01.10', '99999999999999999999.99'),
      fax: fc.constant(null),
      headline: word,
      firm_id: fc.constantFrom('c1'),
    },
    { requiredKeys: ['name', 'status', 'country', 'price', 'fax', 'headline'] },
  ),
} as const
const versions = ['v1', 'v2'] as const
const write = fc
  .constantFrom(...versions)
  .chain((version) =>
    fc.record({ version: fc.constant(version), body: bodies[version] as fc.Arbitrary<Fields> }),
  )

async function stored(registry: Registry, given: Fields) {
  const { body, status } = await ask(registry, 'POST /v3/people', given)
  expect(status).toBe(201)
  return body as Fields & { id: string }
}

const without = (item: unknown, ...names: string[]) =>
  Object.fromEntries(Object.entries(Object(item)).filter(([field]) => !names.includes(field)))

const runs = { numRuns: Number(process.env.RUNS ?? 100) }

const timeout = 15_000 + runs.numRuns * 500

describe('a view', { timeout }, () => {
  test('changes nothing when its client sends back what it read', () =>
    fc.assert(
      fc.asyncProperty(person, fc.constantFrom(...versions), async (given, version) => {
        const registry = service()
        const before = await stored(registry, given)
        const url = `/${version}/people/${before.id}`
        const { body: seen } = await ask(registry, `GET ${url}`)
        const { status } = await ask(registry, `PUT ${url}`, seen)
        expect(status).toBe(200)
        const { body: after } = await ask(registry, `GET /v3/people/${before.id}`)
        expect(after).toEqual(before)
      }),
      runs,
    ))

  test('gives back what was written, or writes nothing', () =>
    fc.assert(
      fc.asyncProperty(person, write, async (given, { version, body }) => {
        const registry = service()
        const before = await stored(registry, given)
        const url = `/${version}/people/${before.id}`
        const { status, body: answer } = await ask(registry, `PUT ${url}`, body)
        const { body: after } = await ask(registry, `GET /v3/people/${before.id}`)
        if (status === 200) {
          const { body: seen } = await ask(registry, `GET ${url}`)
          expect(without(seen, 'id', 'tag', 'created_at')).toEqual(body)
          expect(answer).toEqual(seen)
        } else {
          expect(status).toBe(422)
          expect(after).toEqual(before)
        }
      }),
      runs,
    ))

  test('keeps what it does not say', () =>
    fc.assert(
      fc.asyncProperty(person, write, async (given, { version, body }) => {
        const registry = service()
        const before = await stored(registry, given)
        const url = `/${version}/people/${before.id}`
        const { body: seen } = await ask(registry, `GET ${url}`)
        // Each field alone.
        for (const field of Object.keys(body)) {
          const old = (await ask(registry, `GET /v3/people/${before.id}`)).body
          const one = { ...without(seen, 'tag'), [field]: body[field] }
          await ask(registry, `PUT ${url}`, one)
          const { body: after } = await ask(registry, `GET /v3/people/${before.id}`)
          const known = ['revision', ...(reached[field] ?? [])]
          expect(without(after, ...known)).toEqual(without(old, ...known))
          await ask(registry, `PUT ${url}`, without(seen, 'tag'))
        }
      }),
      runs,
    ))

  test('tells of no field that it does not have', () =>
    fc.assert(
      fc.asyncProperty(
        person,
        write,
        fc.constantFrom('PUT', 'PATCH', 'POST', 'bulk'),
        tellsNothing,
      ),
      runs,
    ))

  test('has the same items in the same order as every version', () =>
    fc.assert(
      fc.asyncProperty(fc.array(person, { maxLength: 8 }), async (all) => {
        const registry = service()
        for (const given of all) await stored(registry, given)
        await sameItemsIn(registry)
      }),
      runs,
    ))
})

// The fields beneath that a write of one field may change.
const reached: Readonly<Record<string, readonly string[]>> = {
  given: ['first_name', 'last_name'],
  family: ['first_name', 'last_name'],
  name: ['first_name', 'last_name'],
  present: ['state'],
  status: ['state'],
  label: ['heading'],
  headline: ['heading'],
  firm_id: ['company_id'],
  city: ['address'],
  country: ['country'],
  price: ['cents'],
}

async function tellsNothing(
  given: Fields,
  { version, body }: { version: string; body: Fields },
  way: string,
) {
  const registry = service()
  const { id } = await stored(registry, given)
  const all = `/${version}/people`
  const { status, body: answer } =
    way === 'bulk'
      ? await ask(registry, `PUT ${all}`, [{ ...body, id }])
      : await ask(registry, way === 'POST' ? `POST ${all}` : `${way} ${all}/${id}`, body)
  expect([200, 201, 422]).toContain(status)
  const text = JSON.stringify(answer)
  for (const hidden of namesOfBase) expect(text).not.toContain(hidden)
  const { issues = [] } = Object(answer) as { issues?: readonly { pointer: string }[] }
  for (const { pointer } of issues) {
    const [, ...path] = pointer.split('/')
    const [field] = way === 'bulk' ? path.slice(1) : path
    // Every field that can be at fault is shown.
    expect(Object.keys(body)).toContain(field)
  }
}
