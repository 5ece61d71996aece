import { describe, expect, test } from 'vitest'
import { precisionLossIn } from '../../../../src/explorer/browser/forms/json.ts'

const exact = [
  '0',
  '007',
  '-0',
  '9007199254740992',
  '-9007199254740991',
  '12345678901234567000',
  `1${'0'.repeat(22)}`,
  '1e308',
  '0.1',
  '12345678901234567890.5',
  '"9007199254740993"',
  '{"9007199254740993": "a \\" 9007199254740993"}',
  'no number',
]
const rounded: readonly (readonly [text: string, digits: string])[] = [
  ['9007199254740993', '9007199254740993'],
  ['-9007199254740993', '9007199254740993'],
  ['[1, {"a": 12345678901234567890}]', '12345678901234567890'],
  [`1${'0'.repeat(400)}`, `1${'0'.repeat(400)}`],
]

describe('a lost precision', () => {
  test.each(exact)('lets %s pass', (text) => {
    expect(precisionLossIn(text)).toBeUndefined()
  })

  test.each(rounded)('finds what %s would lose', (text, digits) => {
    expect(precisionLossIn(text)).toContain(`cannot hold ${digits}`)
  })
})
