import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/contract/schema/schema.ts'
import { accepts } from '../../src/sets/accepts.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { readSet } from '../../src/sets/read-set.ts'
import { isSubset } from '../../src/sets/subset.ts'
import { judgeOf } from './judge.ts'
import { pair, schema, value } from './random-schemas.ts'

// `RUNS=20000 npx vitest run test/sets/subset-laws.test.ts` tries harder.
const numRuns = Number(process.env.RUNS ?? 100)
const timeout = 10_000 + numRuns * 200
// Measured in 20,000 pairs: see the last test.
const mostUnknown = 0.02
const values = fc.array(value, { minLength: 12, maxLength: 12, size: 'max' })

// Values of the first that the second refuses: nobody knows one where the answer is yes.
function counterexamples(
  one: JsonObject,
  other: JsonObject,
  samples: readonly Json[],
): readonly Json[] {
  const [isOld, isNew] = [judgeOf(one), judgeOf(other)]
  return samples.filter((sample) => isOld(sample) === true && isNew(sample) === false)
}

describe('the answer for random schemas', () => {
  test('is no with a witness for Ajv', { timeout }, () => {
    const property = fc.property(pair, ([one, other]) => {
      const answer = isSubset(one, other)
      if (answer.answer !== 'no') return
      const { witness } = answer
      const judged = [judgeOf(one)(witness) ?? true, judgeOf(other)(witness) ?? false]
      expect({ witness, judged }).toEqual({ witness, judged: [true, false] })
    })
    fc.assert(property, { numRuns })
  })

  test('is yes without counterexample', { timeout }, () => {
    const property = fc.property(pair, values, ([one, other], samples) => {
      if (isSubset(one, other).answer !== 'yes') return
      const found = isSubset(one, false)
      const all = found.answer === 'no' ? [...samples, found.witness] : samples
      expect(counterexamples(one, other, all)).toEqual([])
    })
    fc.assert(property, { numRuns })
  })

  test('is yes for the schema itself', { timeout }, () => {
    const property = fc.property(schema, (one) => {
      expect(isSubset(one, structuredClone(one))).toEqual({ answer: 'yes' })
    })
    fc.assert(property, { numRuns })
  })

  test('is yes for a part and a choice', { timeout }, () => {
    const property = fc.property(pair, ([one, other]) => {
      const { $defs = {} } = one
      const answers = [
        isSubset({ allOf: [one, other], $defs }, one),
        isSubset(one, { anyOf: [other, one], $defs }),
      ]
      expect(answers).toEqual([{ answer: 'yes' }, { answer: 'yes' }])
    })
    fc.assert(property, { numRuns })
  })

  test('is seldom unknown', { timeout }, () => {
    const all = fc.sample(pair, { numRuns: Math.max(500, numRuns), seed: 1 })
    const unknown = all.filter(([one, other]) => isSubset(one, other).answer === 'unknown')
    expect(unknown.length / all.length).toBeLessThan(mostUnknown)
  })
})

describe('a set', () => {
  test('has the values that Ajv takes', { timeout }, () => {
    const property = fc.property(schema, values, (one, samples) => {
      const [isIn, set] = [judgeOf(one), readSet(one)]
      for (const sample of samples) {
        const [own, judged] = [accepts(set, sample), isIn(sample)]
        if (own !== undefined && judged !== undefined)
          expect({ sample, own }).toEqual({ sample, own: judged })
      }
    })
    fc.assert(property, { numRuns })
  })
})
