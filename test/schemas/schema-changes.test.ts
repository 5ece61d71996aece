import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compareSchemas } from '../../src/schemas/schema-changes.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'

type Side = 'request' | 'item'
type Row = readonly [
  name: string,
  old: z.ZodType,
  after: z.ZodType,
  side: Side,
  forth: readonly string[],
  back: readonly string[],
]

function written(schema: z.ZodType, side: Side): JsonObject {
  const io = side === 'request' ? 'input' : 'output'
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io })))
}

function changesOf(old: JsonObject, after: JsonObject, side: Side): readonly string[] {
  return compareSchemas({ old, new: after, side }).map(
    ({ verdict, rule, at }) => `${verdict} ${rule} ${at}`,
  )
}

const named = (name: z.ZodType) => z.object({ name })
const name = z.string()

const rows: readonly Row[] = [
  ['are none for equal schemas', named(name), named(name), 'request', [], []],
  [
    'name a shorter text',
    named(name.max(80)),
    named(name.max(60)),
    'request',
    ['breaking max-length-lowered /name'],
    ['fine max-length-raised /name'],
  ],
  [
    'name a longer least',
    named(name),
    named(name.min(1)),
    'request',
    ['breaking min-length-raised /name'],
    ['fine min-length-lowered /name'],
  ],
  [
    'doubt a longer text of an item',
    named(name.max(60)),
    named(name.max(80)),
    'item',
    ['depends bound-loosened /name'],
    ['fine bound-tightened /name'],
  ],
  [
    'name a higher minimum',
    z.object({ age: z.number().min(0) }),
    z.object({ age: z.number().min(18) }),
    'request',
    ['breaking minimum-raised /age'],
    ['fine minimum-lowered /age'],
  ],
  [
    'name a lower maximum',
    z.object({ age: z.number().max(9) }),
    z.object({ age: z.number().lt(9) }),
    'request',
    ['breaking maximum-lowered /age'],
    ['fine maximum-raised /age'],
  ],
  [
    'name a removed value',
    z.object({ state: z.enum(['open', 'closed']) }),
    z.object({ state: z.enum(['open']) }),
    'request',
    ['breaking enum-removed /state'],
    ['fine enum-added /state'],
  ],
  [
    'name a value that is new in items',
    z.object({ state: z.enum(['open']) }),
    z.object({ state: z.enum(['open', 'closed']) }),
    'item',
    ['breaking enum-added /state'],
    ['fine enum-removed /state'],
  ],
  [
    'name another constant',
    z.object({ kind: z.literal('a') }),
    z.object({ kind: z.literal('b') }),
    'request',
    ['breaking const-changed /kind'],
    ['breaking const-changed /kind'],
  ],
  [
    'name a list that closes a text',
    named(name),
    named(z.enum(['a', 'b'])),
    'request',
    ['breaking became-enum /name'],
    ['fine enum-opened /name'],
  ],
  [
    'name a field that becomes required',
    z.object({ name: name.optional() }),
    z.object({ name }),
    'request',
    ['breaking field-became-required /name'],
    ['fine field-became-optional /name'],
  ],
  [
    'name a field that becomes optional in items',
    z.object({ name }),
    z.object({ name: name.optional() }),
    'item',
    ['breaking field-became-optional /name'],
    ['fine field-became-required /name'],
  ],
  [
    'name a new optional field',
    z.object({ name }),
    z.object({ name, nick: name.optional() }),
    'request',
    ['fine field-added /nick'],
    ['breaking field-removed /nick'],
  ],
  [
    'name a new required field',
    z.object({ name }),
    z.object({ name, nick: name }),
    'request',
    ['breaking field-required-added /nick'],
    ['breaking field-removed /nick'],
  ],
  [
    'name a new field with a default',
    z.object({ name }),
    z.object({ name, nick: name.default('x') }),
    'request',
    ['fine field-default-added /nick'],
    ['breaking field-removed /nick'],
  ],
  [
    'name a field that leaves items',
    z.object({ name, nick: name }),
    z.object({ name }),
    'item',
    ['breaking field-removed /nick'],
    ['fine field-added /nick'],
  ],
  [
    'name null that a request loses',
    named(name.nullable()),
    named(name),
    'request',
    ['breaking became-not-nullable /name'],
    ['fine became-nullable /name'],
  ],
  [
    'name null that an item gains',
    named(name),
    named(name.nullable()),
    'item',
    ['breaking became-nullable /name'],
    ['fine became-not-nullable /name'],
  ],
  [
    'name a narrower type',
    z.object({ size: z.number() }),
    z.object({ size: z.int() }),
    'request',
    ['breaking type-narrowed /size'],
    ['fine type-widened /size'],
  ],
  [
    'name another type',
    z.object({ size: z.number() }),
    z.object({ size: z.string() }),
    'request',
    ['breaking type-changed /size'],
    ['breaking type-changed /size'],
  ],
  [
    'name a new format',
    named(name),
    named(z.email()),
    'request',
    ['breaking format-set /name'],
    ['fine format-dropped /name'],
  ],
  [
    'name another format',
    z.object({ on: z.iso.date() }),
    z.object({ on: z.iso.datetime() }),
    'item',
    ['breaking format-changed /on'],
    ['breaking format-changed /on'],
  ],
  [
    'name a new pattern',
    named(name),
    named(name.regex(/^[a-z]+$/)),
    'request',
    ['breaking pattern-set /name'],
    ['fine pattern-dropped /name'],
  ],
  [
    'name fewer elements',
    z.object({ tags: z.array(name) }),
    z.object({ tags: z.array(name).max(3) }),
    'request',
    ['breaking max-items-lowered /tags'],
    ['fine max-items-raised /tags'],
  ],
  [
    'point into elements',
    z.object({ tags: z.array(named(name)) }),
    z.object({ tags: z.array(named(name.max(3))) }),
    'request',
    ['breaking max-length-lowered /tags/-/name'],
    ['fine max-length-raised /tags/-/name'],
  ],
  [
    'point into tuples',
    z.object({ at: z.tuple([z.number(), z.number()]) }),
    z.object({ at: z.tuple([z.number(), z.number().min(0)]) }),
    'request',
    ['breaking minimum-raised /at/1'],
    ['fine minimum-lowered /at/1'],
  ],
  [
    'name fields that a body refuses now',
    z.object({ name }),
    z.strictObject({ name }),
    'request',
    ['breaking unknown-fields-refused '],
    ['fine unknown-fields-taken '],
  ],
  [
    'name a default',
    z.object({ size: z.int().default(1) }),
    z.object({ size: z.int().default(2) }),
    'request',
    ['depends default-changed /size'],
    ['depends default-changed /size'],
  ],
  [
    'name a removed alternative',
    z.union([named(name), z.object({ size: z.int() })]),
    named(name),
    'request',
    ['breaking alternative-removed '],
    ['fine alternative-added '],
  ],
  [
    'pair the variants of a union by constants',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: name.max(9) }),
      z.object({ kind: z.literal('b'), y: name }),
    ]),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('b'), y: name }),
      z.object({ kind: z.literal('a'), x: name.max(8) }),
    ]),
    'request',
    ['breaking max-length-lowered /x'],
    ['fine max-length-raised /x'],
  ],
]

// A lax schema takes a field that is gone, and drops it.
function expectRefused(old: z.ZodType, after: z.ZodType): void {
  const pair = { old: written(old, 'request'), new: written(after, 'request') }
  for (const change of compareSchemas({ ...pair, side: 'request' })) {
    if (change.verdict !== 'breaking') continue
    const { rule, witness } = change
    const sent = witness?.value
    const [was, is] = [old.safeParse(sent), after.safeParse(sent)]
    const isKept = is.success && (rule !== 'field-removed' || isDeepStrictEqual(is.data, sent))
    expect({ rule, sent, wasTaken: was.success, isKept }).toEqual({
      rule,
      sent,
      wasTaken: true,
      isKept: false,
    })
  }
}

describe('the changes of a schema', () => {
  test.each(rows)('%s', (_, old, after, side, forth, back) => {
    const [left, right] = [written(old, side), written(after, side)]
    expect([changesOf(left, right, side), changesOf(right, left, side)]).toEqual([forth, back])
    if (side === 'item') return
    expectRefused(old, after)
    expectRefused(after, old)
  })
})

describe('a pattern of names that is gone', () => {
  const open = { type: 'object', properties: { name: { type: 'string' } } }
  const tagged = { ...open, patternProperties: { '^x-': { type: 'string' } } }
  const lost = ['breaking field-removed /^x-']

  test.each([
    ['breaks a body', 'request', open, lost],
    ['breaks items', 'item', open, lost],
    [
      'breaks no body whose other members are wider',
      'request',
      { ...open, additionalProperties: {} },
      [],
    ],
  ] as const)('%s', (_, side, after, breaks) => {
    const found = changesOf(tagged, after, side).filter((text) => !text.startsWith('fine'))
    expect(found).toEqual(breaks)
    const back = changesOf(after, tagged, side).filter((text) => text.startsWith('breaking'))
    expect(back.filter((text) => text.includes('^x-'))).toEqual([])
  })

  test('has a witness with such a name', () => {
    const [change] = compareSchemas({ old: tagged, new: open, side: 'request' })
    expect(change?.witness?.value).toEqual({ 'x-': expect.any(String) })
  })
})
