import { describe, expect, test } from 'vitest'
import { compareSchemas } from '../../src/schemas/schema-changes.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'

// The work of a comparison grows with the size of both schemas, not with the number of ways
// through them.

type Make = (size: number, text: JsonObject) => JsonObject
type Side = 'request' | 'item'

const [longer, shorter] = [
  { type: 'string', maxLength: 10 },
  { type: 'string', maxLength: 5 },
]

function objectOf(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties, required }
}

function times<Made>(size: number, make: (index: number) => Made): Made[] {
  return Array.from({ length: size }, (_, index) => make(index))
}

function fields(size: number, text: JsonObject): JsonObject {
  return Object.fromEntries(times(size, (index) => [`f${index}`, text]))
}

/** Levels that each refer to the one below, as one schema writes them. */
function levels(size: number, bottom: JsonObject, level: (below: JsonObject) => JsonObject) {
  const below = (index: number) => ({ $ref: `#/$defs/l${index - 1}` })
  const defs = times(size, (index) => [`l${index + 1}`, level(below(index + 1))])
  const $defs = { l0: bottom, ...Object.fromEntries(defs) }
  return { $ref: `#/$defs/l${size}`, $defs }
}

const twice: Make = (size, text) =>
  levels(size, objectOf({ text }, ['text']), (below) =>
    objectOf({ first: below, second: below }, ['first', 'second']),
  )

const twiceMerged: Make = (size, text) =>
  levels(size, objectOf({ text }), (below) => ({
    allOf: [below, objectOf({ inner: { allOf: [below] } })],
  }))

const chosen: Make = (size, text) =>
  levels(size, text, (below) => ({
    oneOf: [
      objectOf({ kind: { const: 'a' }, first: below }, ['kind']),
      objectOf({ kind: { const: 'b' }, second: below }, ['kind']),
    ],
  }))

const ring: Make = (size, text) => {
  const link = (index: number) => ({ $ref: `#/$defs/n${index % size}` })
  const node = (index: number) =>
    objectOf({
      text,
      next: link(index + 1),
      far: { anyOf: [link(index * 7 + 3), { type: 'null' }] },
      list: { type: 'array', items: link(index * 5 + 1) },
    })
  return {
    ...link(0),
    $defs: Object.fromEntries(times(size, (index) => [`n${index}`, node(index)])),
  }
}

const wide: Make = (size, text) => {
  const properties = fields(size, text)
  return objectOf(properties, Object.keys(properties))
}

const optional: Make = (size, text) => objectOf(fields(size, text))

const inUnion: Make = (size, text) => ({
  oneOf: [
    objectOf({ kind: { const: 'a' }, ...fields(size, text) }, ['kind']),
    objectOf({ kind: { const: 'b' } }, ['kind']),
  ],
})

const variants: Make = (size, text) => ({
  oneOf: times(size, (index) => objectOf({ kind: { const: `k${index}` }, text }, ['kind'])),
})

const listed: Make = (size, text) => {
  const start = text === longer ? 0 : size / 2
  return objectOf({ state: { enum: times(size, (index) => `s${index + start}`) } })
}

function nested(size: number, text: JsonObject): JsonObject {
  let schema = text
  for (let level = 0; level < size; level++) schema = objectOf({ inner: schema }, ['inner'])
  return schema
}

const renamed: Make = (size, text) => {
  const [start, properties] = [text === longer ? 'a' : 'b', Object.entries(fields(size, text))]
  return objectOf(Object.fromEntries(properties.map(([name, field]) => [start + name, field])))
}

const sides: readonly Side[] = ['request', 'item']

function msOf(make: Make, size: number, side: Side): number {
  const pair = { old: make(size, longer), new: make(size, shorter), side }
  const start = performance.now()
  compareSchemas(pair)
  return performance.now() - start
}

describe.each<readonly [string, Make, number, changes: number]>([
  ['one schema twice a level', twice, 30, 1],
  ['merged schemas twice a level', twiceMerged, 20, 1],
  ['alternatives twice a level', chosen, 20, 1],
  ['schemas that hold each other', ring, 40, 40],
  ['required fields', wide, 800, 800],
  ['optional fields', optional, 800, 800],
  ['fields of a union', inUnion, 400, 400],
  ['a union of many', variants, 150, 150],
  ['values of a list', listed, 2_000, 1_000],
  ['fields of other names', renamed, 400, 400],
])('%s', (_, make, size, changes) => {
  test.each(sides)('name all changes of the %s', (side) => {
    const found = compareSchemas({ old: make(size, longer), new: make(size, shorter), side })
    expect(found.length).toBeGreaterThanOrEqual(changes)
    const isChanged = (text: JsonObject) => (text === longer ? shorter : longer)
    const back = { old: make(size, isChanged(longer)), new: make(size, longer), side } as const
    const verdicts = [...found, ...compareSchemas(back)].map(({ verdict }) => verdict)
    expect(verdicts.some((verdict) => verdict !== 'fine')).toBe(true)
  })

  test.each(sides)('take time by their size in the %s', { retry: 2 }, (side) => {
    const least = (count: number) => Math.min(...times(2, () => msOf(make, Math.ceil(count), side)))
    const [half, whole] = [least(size / 2), least(size)]
    expect(whole).toBeLessThan(3 * half + 150)
    expect(whole).toBeLessThan(3_000)
  })
})

test('a value of 2^30 parts is not written', () => {
  const [change] = compareSchemas({
    old: twice(30, longer),
    new: twice(30, shorter),
    side: 'request',
  })
  expect(change).toMatchObject({
    verdict: 'breaking',
    because: 'the value that shows it is too long',
  })
})

test.each([60, 150, 1_000, 100_000])('%s levels end in a sentence, or an answer', (size) => {
  for (const side of sides) {
    const [change] = compareSchemas({ old: nested(size, longer), new: nested(size, shorter), side })
    const isDeep = change?.because === 'the schemas nest too deeply to compare'
    expect(isDeep).toBe(size > 60)
    expect(change?.verdict).toBe(isDeep ? 'depends' : side === 'request' ? 'breaking' : 'fine')
  }
})

test('each witness of many changes is of the old schema alone', () => {
  const changes = compareSchemas({
    old: wide(300, longer),
    new: wide(300, shorter),
    side: 'request',
  })
  for (const [index, { witness }] of changes.entries()) {
    const value: Record<string, string> = Object(witness?.value)
    expect(Object.keys(value)).toHaveLength(300)
    expect(Object.keys(value).filter((name) => value[name]?.length === 6)).toEqual([`f${index}`])
  }
})
