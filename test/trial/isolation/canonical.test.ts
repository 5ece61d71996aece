import { describe, expect, test } from 'vitest'
import { canonicalOf } from '../../../src/trial/isolation/exchange.ts'

describe('the id of an item is replaced', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [id: string, text: string, expected: string])[] = [
    ['order-2', '{"id":"order-2"}',          '{"id":"<id>"}'],
    ['order-2', '{"id":"order-25"}',         '{"id":"order-25"}'],
    ['order-2', '/orders/order-2/lines',     '/orders/<id>/lines'],
    ['order-2', 'order-25, order-2 and',     'order-25, <id> and'],
    ['order-2', 'order-2order-2',            '<id><id>'],
    ['a b',     '/orders/a%20b?x=a b',       '/orders/<id>?x=<id>'],
    ['abc',     '"abcd"',                    '"<id>d"'],
    ['7',       '{"id":7,"n":"77","m":"7"}', '{"id":<id>,"n":"77","m":"<id>"}'],
  ]
  test.each(rows)('%s in %s', (id, text, expected) => {
    const replacements = [[id, '<id>']] as const
    const response = { status: 200, headers: {}, text, json: undefined }
    expect(canonicalOf(response, { replacements }).text).toBe(expected)
  })
})
