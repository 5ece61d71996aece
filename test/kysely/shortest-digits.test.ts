import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isHalfway } from '../../src/kysely/engine/digits.ts'
import type { Column } from '../../src/kysely/engine/engine.ts'
import { postgres } from '../../src/kysely/engine/postgres.ts'
import { databaseOf, has } from '../support/stores.ts'
import '../support/properties.ts'

// Digits exactly halfway between two doubles, which JavaScript takes for the even one.
const halfway = [
  '1e+23', '9.5e+21', '1.9e+22', '3.8e+22', '5e+22', '7.6e+22', '9.2e+22', '1.4e+23', '2e+23',
  '2.8e+23', '4e+23', '5.6e+23', '8e+23', '1.6e+24', '3.2e+24', '6.4e+24',
] // biome-ignore format: words
const plain = [
  '0', '1', '-1', '0.1', '1e+22', '1e+24', '5e-324', '2.2250738585072014e-308', '1e-7', '9e+15',
  '9007199254740993', '9007199254740992', '1152921504606846976', '123456.789',
  '1.7976931348623157e+308', '0.30000000000000004', '1000000000000000', '999999999999999.9',
] // biome-ignore format: words

test.each([
  ...halfway.map((text) => [text, true] as const),
  ...plain.map((text) => [text, text === '9007199254740993'] as const),
])('%s is halfway to the next double: %s', (text, isHalf) => {
  expect(isHalfway(text, Number(text))).toBe(isHalf)
  expect(isHalfway(`-${text}`.replace('--', ''), -Number(text))).toBe(isHalf)
})

describe.runIf(has('postgres'))('PostgreSQL writes', () => {
  let db: Kysely<unknown>
  let drop: () => Promise<unknown>
  beforeAll(async () => {
    ;({ db, drop } = await databaseOf<unknown>('postgres'))
  }, 60_000)
  afterAll(() => drop())

  async function differencesOf(type: string, numbers: readonly number[]): Promise<unknown[]> {
    const name = type === 'float8' ? 'double precision' : 'real'
    const list = numbers.map((number) => `'${number}'::${name}`)
    const { rows } = await sql
      .raw<{ text: string }>(`select unnest(array[${list.join()}])::text as text`)
      .execute(db)
    const column = { type, kind: 'digits' } as Column
    return rows.filter(({ text }) => postgres.digits(column, text) !== text).map(({ text }) => text)
  }

  test('the digits that a double takes', async () => {
    const numbers = [...halfway, ...plain].map(Number)
    expect(await differencesOf('float8', [...numbers, ...numbers.map((each) => -each)])).toEqual([])
  })

  // Powers of two and of ten, and their multiples, lie near the borders.
  const even = fc
    .tuple(fc.integer({ min: -1074, max: 1023 }), fc.nat({ max: 99 }), fc.nat({ max: 99 }))
    .map(([power, factor, more]) => (factor * 2 ** 40 + more) * 2 ** (power - 40))
  const ten = fc
    .tuple(fc.nat({ max: 9999 }), fc.integer({ min: -300, max: 300 }))
    .map(([digits, power]) => Number(`${digits}e${power}`))
  const double = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), even, ten)
  const single = fc.float({ noNaN: true, noDefaultInfinity: true })

  test.each([
    ['float8', double],
    ['float4', single],
  ] as const)('the digits that any %s takes', { timeout: 60_000 }, async (type, number) => {
    const numbers = fc.array(
      number.filter((each) => Number.isFinite(each) && !Object.is(each, -0)),
      { minLength: 200, maxLength: 200 },
    )
    const property = fc.asyncProperty(numbers, async (list) => {
      expect(await differencesOf(type, list)).toEqual([])
    })
    await fc.assert(property, { numRuns: 5, seed: -1004913649 })
    await fc.assert(property, { numRuns: 20 })
  })
})
