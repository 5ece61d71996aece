import fc from 'fast-check'
import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compareSnapshots } from '../../src/diff/compare/snapshots.ts'
import { confirmChanges } from '../../src/diff/confirm.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { options } from './contracts.ts'

// Two services with contracts that differ a little. Where the gate lets the change pass, a client
// of the old contract sees no difference.

const numRuns = Number(process.env.RUNS ?? 100)

const types = {
  text: z.string(),
  short: z.string().max(3),
  long: z.string().min(2),
  letter: z.enum(['a', 'b']),
  letters: z.enum(['a', 'b', 'abc']),
  whole: z.int(),
  number: z.number(),
  small: z.number().max(5),
  flag: z.boolean(),
  nullable: z.string().nullable(),
  day: z.iso.date(),
  filled: z.string().default('a'),
  object: z.object({ a: z.string().optional() }),
  list: z.array(z.string()),
  either: z.union([z.string(), z.int()]),
}
const names = ['x', 'y', 'z'] as const
const field = fc.record({
  type: fc.constantFrom(...(Object.keys(types) as (keyof typeof types)[])),
  need: fc.constantFrom('required', 'optional', 'read-only'),
  isKept: fc.boolean(),
  isSortable: fc.boolean(),
  isFilterable: fc.boolean(),
  isSearchable: fc.boolean(),
})
const contract = fc.record({
  x: fc.option(field),
  y: fc.option(field),
  z: fc.option(field),
  isStrict: fc.boolean(),
  maxLimit: fc.constantFrom(5, 10),
  defaultLimit: fc.constantFrom(undefined, 2, 5),
  isBounded: fc.boolean(),
  isIdempotent: fc.boolean(),
  total: fc.boolean(),
  takesIds: fc.boolean(),
  writes: fc.constantFrom('all', 'no patch', 'no delete', 'one by one'),
  version: fc.constantFrom('v1', 'v2'),
})

type Contract = typeof contract extends fc.Arbitrary<infer Value> ? Value : never
type Field = NonNullable<Contract['x']>

const members = Object.keys(
  fc.sample(contract, { numRuns: 1, seed: 1 })[0] ?? {},
) as (keyof Contract)[]

/** A contract, and one that differs in some of its members. */
const pair = fc
  .tuple(contract, contract, fc.subarray(members, { minLength: 1, maxLength: 2 }))
  .map(([old, other, some]) => ({
    old,
    after: { ...old, ...Object.fromEntries(some.map((name) => [name, other[name]])) },
  }))

const value = fc.constantFrom<unknown>(
  '',
  'a',
  'b',
  'abc',
  'abcd',
  0,
  2.5,
  7,
  null,
  true,
  [],
  ['a'],
)
const body = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 3, noNullPrototype: true })

const request: fc.Arbitrary<HttpRequest> = fc.oneof(
  body.map((sent) => ({ method: 'POST', url: '', body: sent })),
  body.map((sent) => ({ method: 'POST', url: '', body: { ...sent, id: 'own' } })),
  body.map((sent) => ({ method: 'POST', url: '', body: [sent, sent] })),
  body.map((sent) => ({ method: 'PUT', url: '/n1', body: sent })),
  body.map((sent) => ({ method: 'PATCH', url: '/n1', body: sent })),
  body.map((sent) => ({ method: 'PUT', url: '', body: [{ ...sent, id: 'n1' }] })),
  body.map((sent) => ({ method: 'PATCH', url: '', body: [{ ...sent, id: 'n1' }] })),
  body.map((sent) => ({
    method: 'POST',
    url: '',
    body: sent,
    headers: { 'idempotency-key': 'k' },
  })),
  fc
    .constantFrom('', '/n1', '/first', '/last', '/count', '?q=a', '?limit=8', '?limit=3', '?sort=x')
    .map((url) => ({ method: 'GET', url })),
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('', ':ne', ':null', ':gt', ':contains'))
    .map(([name, filter]) => ({ method: 'GET', url: `?${name}${filter}=true` })),
  fc.constantFrom(...names).map((name) => ({ method: 'GET', url: `?sort=-${name}` })),
  fc.constantFrom('', '/n1').map((url) => ({ method: 'DELETE', url })),
  fc
    .tuple(fc.constantFrom('q=a', 'id=n1', ...names.map((name) => `${name}:null=true`)), fc.nat(2))
    .map(([query, most]) => ({
      method: 'DELETE',
      url: `?${query}`,
      headers: { prefer: `max-affected=${most}` },
    })),
)

function fieldsOf(declared: Contract): readonly (readonly [string, Field])[] {
  return names.flatMap((name) => (declared[name] === null ? [] : [[name, declared[name]] as const]))
}

function schemasOf(declared: Contract) {
  const shape = (isNew: boolean) =>
    Object.fromEntries(
      fieldsOf(declared)
        .filter(([, { need }]) => !isNew || need !== 'read-only')
        .map(([name, { type, need }]) => {
          return [name, need === 'required' ? types[type] : types[type].optional()]
        }),
    )
  const ids: z.ZodRawShape = declared.takesIds ? { id: z.string().optional() } : {}
  const object = declared.isStrict ? z.strictObject : z.object
  return {
    schema: z.object({ id: z.string(), ...shape(false) }),
    create: object({ ...ids, ...shape(true) }),
  }
}

const withouts = {
  all: [],
  'no patch': ['patch', 'patchMany'],
  'no delete': ['delete', 'deleteAll'],
  'one by one': ['updateMany', 'patchMany'],
} as const

function serviceOf(declared: Contract) {
  const fields = fieldsOf(declared)
  const { schema, create } = schemasOf(declared)
  const named = (is: (field: Field) => boolean): never[] =>
    fields.filter(([, field]) => is(field)).map(([name]) => name as never)
  const isText = ({ type }: Field) => ['text', 'short', 'long', 'nullable'].includes(type)
  const isScalar = ({ type }: Field) => !['list', 'either', 'object'].includes(type)
  const notes = defineResource('notes', {
    schema,
    create: create as z.ZodType<object>,
    sortable: named((one) => one.isSortable && isScalar(one)),
    filterable: named((one) => one.isFilterable && isScalar(one)),
    searchable: named((one) => one.isSearchable && isText(one)),
    keep: named((one) => one.isKept && one.need === 'optional'),
    readOnly: named((one) => one.need === 'read-only'),
    maxLimit: declared.maxLimit,
    ...(declared.defaultLimit !== undefined && { defaultLimit: declared.defaultLimit }),
    bounded: declared.isBounded && declared.writes !== 'no delete',
    idempotent: declared.isIdempotent,
    total: declared.total,
    without: withouts[declared.writes],
  })
  const { version } = declared
  const api = defineApi({
    v1: { '/notes': notes },
    ...(version === 'v2' && { v2: { '/notes': notes } }),
  })
  let made = 0
  const adapter = memoryAdapter({ nextId: () => `n${++made}` })
  const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({
    notes: adapter as never,
  })
  return { api, schema, registry, snapshot: snapshotOf(registry, { nounful: '1.0.0' }) }
}

interface Difference {
  readonly sent: HttpRequest
  readonly was: number
  readonly is: number
}

/** Sends a request to both services, and returns how the new one differs for an old client. */
async function differenceOf(
  sent: HttpRequest,
  [old, after]: readonly [ReturnType<typeof serviceOf>, ReturnType<typeof serviceOf>],
): Promise<Difference | undefined> {
  const { status: was } = await handle(sent, old.registry)
  const { status: is, body } = await handle(sent, after.registry)
  if (was >= 400) return undefined
  const items = [body].flat().filter((item) => Object(item).id !== undefined)
  const isKnown = items.every((item) => old.schema.safeParse(item).success)
  return was === is && isKnown ? undefined : { sent, was, is }
}

// A client sends the fields that its contract names.
function isNamed({ body = {} }: HttpRequest, old: Contract): boolean {
  const sent = [body].flat().flatMap((item) => Object.keys(Object(item)))
  const known = ['id', ...fieldsOf(old).map(([name]) => name)]
  return sent.every((name) => known.includes(name))
}

test('an old client sees no difference where nothing breaks', {
  timeout: 20_000 + numRuns * 500,
}, async () => {
  const script = fc.array(request, { minLength: 10, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(pair, script, async ({ old, after }, requests) => {
      const services = [serviceOf(old), serviceOf(after)] as const
      const [before, now] = services.map(({ snapshot }) => snapshot)
      const found = before && now ? compareSnapshots(before, now, options) : []
      const changes = await confirmChanges(found, services[1].api)
      fc.pre(changes.length > 0 && changes.every(({ verdict }) => verdict === 'fine'))
      for (const { url, ...rest } of requests.filter((one) => isNamed(one, old))) {
        const difference = await differenceOf({ ...rest, url: `/v1/notes${url}` }, services)
        expect(difference).toBeUndefined()
      }
    }),
    { numRuns },
  )
})
