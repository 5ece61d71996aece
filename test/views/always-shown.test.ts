import fc from 'fast-check'
import { defineResource, defineView, type Resource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ask, serviceOf } from '../support/things.ts'
import '../support/properties.ts'

/** A schema with values that cover its kinds. */
interface Kind {
  readonly schema: z.ZodType
  readonly values: readonly unknown[]
}

const kind = (schema: z.ZodType, ...values: readonly unknown[]): Kind => ({ schema, values })
const optional = ({ schema, values }: Kind) => kind(schema.optional(), ...values, undefined)
const nullable = ({ schema, values }: Kind) => kind(schema.nullable(), ...values, null)
const nullish = (base: Kind) => optional(nullable(base))
const same = (base: Kind) => base

const text = kind(z.string(), '', 'a', 'a b')
const word = kind(z.enum(['a', 'b']), 'a', 'b')
const letter = kind(z.literal('a'), 'a')
const scalars = [
  text,
  word,
  letter,
  kind(z.int(), 0, 7, 8),
  kind(z.literal([0, 7]), 0, 7),
  kind(z.number(), 0, 0.5),
  kind(z.boolean(), true, false),
  kind(z.null(), null),
  kind(z.union([z.string(), z.int()]), 'a', 1),
  kind(z.array(z.string()), [], ['a']),
]
const city = (base: Kind) =>
  kind(
    z.object({ city: base.schema }),
    ...base.values.map((value) => (value === undefined ? {} : { city: value })),
  )
const objects = [
  ...scalars.flatMap((base) => [city(base), city(optional(base)), city(nullable(base))]),
  kind(z.record(z.string(), z.string()), {}, { city: 'a' }, { city: 'c' }),
  kind(
    z.union([z.object({ city: z.string() }), z.object({ town: z.string() })]),
    { city: 'a' },
    { city: 'c' },
    { town: 'b' },
  ),
]
const wrappers = [same, optional, nullable, nullish]
const anyKind = (bases: readonly Kind[]) =>
  fc
    .tuple(fc.constantFrom(...bases), fc.constantFrom(...wrappers))
    .map(([base, wrap]) => wrap(base))
const stored = fc.record({
  one: anyKind([...scalars, ...objects]),
  two: anyKind([text, word]),
})
const split = 'last'
const forms = [
  'one',
  'two',
  { of: 'two', values: { a: true, b: false } },
  { of: 'two', values: { a: 'x', b: 'y' } },
  { of: 'two', values: { a: 1, b: 2, c: 3 } },
  { of: 'one', values: { true: 'a', false: 'b' } },
  { of: 'one', values: { 0: 'a', 7: 'b' } },
  { of: 'one', absent: 'a' },
  { of: 'two', absent: 'none' },
  { join: ['one', 'two'], split },
  { join: ['two', 'two'], split },
  { part: 0, of: 'one', split },
  { part: 1, of: 'two', split },
  { in: 'one', field: 'city' },
  { always: null },
  { always: 'a' },
]
const view = fc.record({
  form: fc.constantFrom(...forms),
  shown: anyKind(scalars),
})

interface World {
  readonly stored: { readonly one: Kind; readonly two: Kind }
  readonly view: { readonly form: (typeof forms)[number]; readonly shown: Kind }
}

function baseOf({ stored: { one, two } }: World): Resource {
  const schema = z.object({ id: z.string(), one: one.schema, two: two.schema })
  return Reflect.apply(defineResource, null, ['things', { schema, create: schema }])
}

function viewOf({ view: { form, shown } }: World, of: Resource): Resource {
  const schema = z.object({ id: z.string(), x: shown.schema })
  const declared = { schema, fields: { x: form }, readOnly: ['x'], without: ['create'] }
  return Reflect.apply(defineView, null, ['things_v1', of, declared])
}

// Every value of each kind, beside each of the other.
const itemsOf = ({ stored: { one, two } }: World) =>
  one.values.flatMap((first) =>
    two.values.map((second) => JSON.parse(JSON.stringify({ one: first, two: second }))),
  )

function refusal(world: World): string | undefined {
  try {
    viewOf(world, baseOf(world))
    return undefined
  } catch (error) {
    return String(error)
  }
}

const world = fc.record({ stored, view })
const runs = { numRuns: Number(process.env.RUNS ?? 300) }
const timeout = 15_000 + runs.numRuns * 200

describe('whatever the stored resource takes', { timeout }, () => {
  test('every version can show', () =>
    fc.assert(
      fc.asyncProperty(world, async (made) => {
        fc.pre(refusal(made) === undefined)
        const base = baseOf(made)
        const shown = viewOf(made, base)
        const registry = serviceOf(shown, base)
        const create = async (item: object, id: string) =>
          expect((await ask(registry, 'POST /v2/things', { ...item, id })).status).toBe(201)
        for (const [at, item] of itemsOf(made).entries()) {
          await create(item, `i${at}`)
          const put = await ask(registry, 'PUT /v2/things/i0', { ...item, id: 'i0' })
          expect(put.status).toBe(200)
        }
        const list = await ask(registry, 'GET /v1/things')
        const first = await ask(registry, 'GET /v1/things/first')
        const read = await ask(registry, 'GET /v1/things/i0')
        const removed = await ask(registry, 'DELETE /v1/things/i0')
        expect([list, first, read, removed].map(({ status }) => status)).toEqual(Array(4).fill(200))
        for (const item of [...(list.body as object[]), first.body, read.body, removed.body]) {
          const { issues } = await shown.schema['~standard'].validate(item)
          expect([item, issues]).toEqual([item, undefined])
        }
      }),
      runs,
    ))

  test('no view is refused that shows all of it', () =>
    fc.assert(
      fc.property(world, (made) => {
        const message = refusal(made)
        fc.pre(message !== undefined)
        const { form, shown } = made.view
        const isShown = (item: Fields): boolean => {
          const value = shownBy(form, item)
          // A missing value reads as null.
          return [value, value ?? null].some((one) => shown.schema.safeParse(one).success)
        }
        const witness = itemsOf(made).find((item) => !isShown(item))
        expect(witness, `${JSON.stringify(form)}: ${message}`).toBeDefined()
      }),
      runs,
    ))
})

type Fields = Readonly<Record<string, unknown>>

// What a form shows of an item, said again in other words.
function shownBy(form: (typeof forms)[number], item: Fields): unknown {
  if (typeof form === 'string') return item[form]
  if ('always' in form) return form.always
  if ('in' in form) return Object(item[String(form.in)])[String(form.field)]
  if ('join' in form) {
    const parts = form.join.map((name) => item[name]).filter((part) => (part ?? null) !== null)
    const texts = parts.filter((part) => typeof part === 'string' && part !== '')
    return parts.length === 0 ? undefined : texts.join(' ')
  }
  const value = item[String(form.of)]
  if ('absent' in form) return value ?? form.absent
  if (value === undefined || value === null) return value
  if ('values' in form)
    return Object.hasOwn(form.values, String(value)) ? Object(form.values)[String(value)] : noRow
  if (typeof value !== 'string') return value
  const at = value.lastIndexOf(' ')
  const parts = at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)]
  return 'part' in form ? parts[Number(form.part)] : value
}

const noRow = Symbol('no row')
