import { expect, test } from 'vitest'
import { nameItem } from '../../src/contract/values/words.ts'

// biome-ignore format: a row stays a line
const rows: [path: string, id: unknown, name: string][] = [
  ['/employees',                      '7',         'employee "7"'],
  ['/companies/:company_id/people',   7,           'person "7"'],
  ['/order_items',                    '"',         'order item "\\""'],
  ['/staff',                          '7',         'item "7" of staff'],
  ['/employees',                      { a: [1] },  'employee "{\\"a\\":[1]}"'],
]

test.each(rows)('an item of %s with the id %j is called %s', (path, id, name) => {
  expect(nameItem({ path }, id)).toBe(name)
})
