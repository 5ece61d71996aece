import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/contract/schema/schema.ts'
import { compareSchemas } from '../../src/schemas/schema-changes.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { judgeOf } from '../sets/judge.ts'

// `RUNS=20000 npx vitest run test/schemas/schema-changes-laws.test.ts` tries harder.
const numRuns = Number(process.env.RUNS ?? 100)
const timeout = 10_000 + numRuns * 200

const count = fc.nat({ max: 3 })
const names = ['a', 'b', 'c']

function withKeywords(
  type: string,
  keywords: Record<string, fc.Arbitrary<Json>>,
): fc.Arbitrary<JsonObject> {
  return fc.record(keywords, { requiredKeys: [] }).map((own) => ({ type, ...own }))
}

const text = withKeywords('string', { minLength: count, maxLength: count })
const number = fc
  .constantFrom('number', 'integer')
  .chain((type) => withKeywords(type, { minimum: count, maximum: count }))
const listed: fc.Arbitrary<JsonObject> = fc
  .uniqueArray(fc.constantFrom<Json>('a', 'b', 1, null), { minLength: 1 })
  .map((values) => ({ enum: values }))

// A body as validators write it: closed or lax objects of few fields.
const body = fc.letrec<{ value: JsonObject; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    text,
    number,
    listed,
    fc.record({ anyOf: fc.array(tie('value'), { minLength: 1, maxLength: 3 }) }),
    withKeywords('array', { items: tie('value'), minItems: count, maxItems: count }),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.constantFrom(...names), tie('value'), { noNullPrototype: true }),
      fc.subarray(names),
      fc.boolean(),
    )
    .map(([properties, required, isClosed]) => ({
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      ...(isClosed && { additionalProperties: false }),
    })),
})).object

const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constantFrom<Json>('', 'a', 'b', 'abc', 0, 1, 1.5, 3, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...names), tie('value'), { noNullPrototype: true }),
})).object

/** Closes each object: clients send declared fields alone. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inner = Object.entries(schema).map(([name, one]) => [name, closed(one)] as const)
  const own = Object.fromEntries(inner)
  return own.type === 'object' ? { ...own, additionalProperties: false } : own
}

describe('the changes of random bodies', () => {
  test('have a witness that Ajv refuses', { timeout }, () => {
    const property = fc.property(body, body, (old, after) => {
      for (const { verdict, rule, witness } of compareSchemas({
        old,
        new: after,
        side: 'request',
      })) {
        if (verdict !== 'breaking') continue
        const sent = witness?.value ?? null
        const judged = { old: judgeOf(old)(sent), new: judgeOf(after)(sent) }
        const isDropped = rule === 'field-removed' && judged.new
        expect({ rule, sent, ...judged }).toEqual({ rule, sent, old: true, new: isDropped })
      }
    })
    fc.assert(property, { numRuns })
  })

  test('tell of each refusal', { timeout }, () => {
    const samples = fc.array(value, { minLength: 12, maxLength: 12, size: 'max' })
    const property = fc.property(body, body, samples, (old, after, values) => {
      const changes = compareSchemas({ old, new: after, side: 'request' })
      if (changes.some(({ verdict }) => verdict !== 'fine')) return
      const [isSent, isTaken] = [judgeOf(Object(closed(old))), judgeOf(after)]
      expect(values.filter((sent) => isSent(sent) === true && isTaken(sent) === false)).toEqual([])
    })
    fc.assert(property, { numRuns })
  })

  test('are none for the body itself', { timeout }, () => {
    const property = fc.property(body, fc.constantFrom('request', 'item'), (one, side) => {
      expect(compareSchemas({ old: one, new: structuredClone(one), side })).toEqual([])
    })
    fc.assert(property, { numRuns })
  })
})
