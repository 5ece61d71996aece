import fc from 'fast-check'
import { defineApi, defineResource } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ContractChange } from '../../src/diff/change.ts'
import { compareSnapshots } from '../../src/diff/compare/snapshots.ts'
import { confirmChanges } from '../../src/diff/confirm.ts'
import type { Snapshot } from '../../src/diff/snapshot.ts'
import { formatSnapshot, parseSnapshot } from '../../src/diff/snapshot-text.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { changesOf, options } from './contracts.ts'
import { itemPairs, requestPairs, rulePairs } from './rule-pairs.ts'

const types = {
  text: z.string(),
  short: z.string().max(3),
  long: z.string().min(2),
  letter: z.enum(['a', 'b']),
  letters: z.enum(['a', 'b', 'abc']),
  a: z.literal('a'),
  whole: z.int(),
  number: z.number(),
  large: z.number().min(3),
  step: z.number().multipleOf(2.5),
  flag: z.boolean(),
  nullable: z.string().nullable(),
  list: z.array(z.string()),
  one: z.array(z.string()).max(1),
  either: z.union([z.string(), z.int()]),
  object: z.object({ a: z.string().optional() }),
  strict: z.strictObject({ a: z.string() }),
}

const names = Object.keys(types) as readonly (keyof typeof types)[]
const typeName = fc.constantFrom(...names)
const field = fc.record({ type: typeName, need: fc.constantFrom('required', 'optional') })
const fields = fc.dictionary(fc.constantFrom('x', 'y', 'z'), field, {
  maxKeys: 3,
  noNullPrototype: true,
})
const contract = fc.record({
  fields,
  isStrict: fc.boolean(),
  sortable: fc.boolean(),
  maxLimit: fc.constantFrom(10, 20),
  keep: fc.boolean(),
})

type Declared = typeof contract extends fc.Arbitrary<infer Value> ? Value : never

function createOf({ fields, isStrict }: Declared) {
  const shape = Object.fromEntries(
    Object.entries(fields).map(([name, { type, need }]) => [
      name,
      need === 'optional' ? types[type].optional() : types[type],
    ]),
  )
  return isStrict ? z.strictObject(shape) : z.object(shape)
}

function apiOf(declared: Declared) {
  const create = createOf(declared)
  const { maxLimit, keep } = declared
  const optional = Object.entries(declared.fields).filter(([, { need }]) => need === 'optional')
  const notes = defineResource('notes', {
    schema: z.object({ id: z.string(), title: z.string().optional(), ...create.shape }),
    create: create as z.ZodType<object>,
    sortable: declared.sortable ? ['title'] : [],
    keep: keep ? (optional.map(([name]) => name) as never[]) : [],
    maxLimit,
  })
  return defineApi({ v1: { '/notes': notes } })
}

const snapshotFor = (declared: Declared): Snapshot =>
  snapshotOf(apiOf(declared), { nounful: '1.0.0' })

const value = fc.constantFrom<unknown>(
  '',
  'a',
  'b',
  'abc',
  'abcd',
  0,
  1,
  2.5,
  5,
  7,
  null,
  true,
  [],
  ['a'],
  ['a', 'b'],
  {},
  { a: 'a' },
  { b: 1 },
)
const body = fc.dictionary(fc.constantFrom('x', 'y', 'z'), value, {
  maxKeys: 3,
  noNullPrototype: true,
})

describe('two contracts', () => {
  test('have no changes if they are one', () => {
    fc.assert(
      fc.property(contract, (declared) => {
        expect(changesOf(snapshotFor(declared), snapshotFor(declared))).toEqual([])
      }),
    )
  })

  test('have a change from both sides if they differ', () => {
    fc.assert(
      fc.property(contract, contract, (one, other) => {
        const [old, after] = [snapshotFor(one), snapshotFor(other)]
        const isSame = formatSnapshot(old) === formatSnapshot(after)
        expect(changesOf(old, after).length === 0).toBe(isSame)
        expect(changesOf(after, old).length === 0).toBe(isSame)
      }),
    )
  })

  test('have one text each', () => {
    fc.assert(
      fc.property(contract, (declared) => {
        const text = formatSnapshot(snapshotFor(declared))
        expect(formatSnapshot(parseSnapshot(text))).toBe(text)
      }),
    )
  })
})

function hurts({ at, verdict }: ContractChange): boolean {
  return at.includes(' create') && verdict !== 'fine'
}

const numRuns = Number(process.env.RUNS ?? 30)

describe('the gate against the validators', { timeout: 20_000 + numRuns * 500 }, () => {
  test('a body that was fine still is if nothing breaks', async () => {
    await fc.assert(
      fc.asyncProperty(contract, contract, fc.array(body), async (one, other, bodies) => {
        const found = compareSnapshots(snapshotFor(one), snapshotFor(other), options)
        const changes = await confirmChanges(found, apiOf(other))
        fc.pre(!changes.some(hurts))
        const fine = bodies.filter((sent) => createOf(one).safeParse(sent).success)
        // A client sends the fields that the contract names.
        const known = fine.filter((sent) => Object.keys(sent).every((name) => name in one.fields))
        const refused = known.filter((sent) => !createOf(other).safeParse(sent).success)
        expect(refused).toEqual([])
      }),
      { numRuns },
    )
  })

  test('the witness of a break was fine, and is refused', async () => {
    await fc.assert(
      fc.asyncProperty(contract, contract, async (one, other) => {
        const found = compareSnapshots(snapshotFor(one), snapshotFor(other), options)
        const changes = await confirmChanges(found, apiOf(other))
        const breaks = changes.filter((change) => hurts(change) && change.verdict === 'breaking')
        for (const { rule, witness } of breaks) {
          expect(createOf(one).safeParse(witness?.body).success).toBe(true)
          const now = createOf(other).safeParse(witness?.body)
          // A lax schema drops the field.
          const isLost = /removed|renamed/.test(rule) && now.success
          if (isLost) expect(now.data).not.toEqual(witness?.body)
          else expect(now.success).toBe(false)
        }
      }),
      { numRuns },
    )
  })
})

test('no pair of rules breaks without a change the other way', () => {
  const pairs = [...rulePairs, ...requestPairs, ...itemPairs]
  const silent = pairs.filter(([, old, after]) => {
    const breaks = changesOf(old, after).some(({ verdict }) => verdict === 'breaking')
    return breaks && changesOf(after, old).length === 0
  })
  expect(silent.map(([rule]) => rule)).toEqual([])
})
