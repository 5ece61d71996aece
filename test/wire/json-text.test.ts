import { expect, test } from 'vitest'
import { findJsonFault } from '../../src/wire/json-text.ts'

// biome-ignore format: a row stays a line
const rows: readonly (readonly [text: string, line: number, column: number, expected: string])[] = [
  ['{',                  1, 2,  'a key in quotes'],
  ['{name: 1}',          1, 2,  'a key in quotes'],
  ["{'name': 1}",        1, 2,  'a key in quotes'],
  ['{"a" 1}',            1, 6,  '":" after the key'],
  ['{"a": }',            1, 7,  'a value'],
  ['{"a": 1,}',          1, 9,  'a key in quotes'],
  ['{"a": 1 "b": 2}',    1, 9,  '"," or "}"'],
  ['{"a": {"b": [1}}',   1, 15, '"," or "]"'],
  ['[1, 2',              1, 6,  '"," or "]"'],
  ['[',                  1, 2,  'a value or "]"'],
  ['[1,]',               1, 4,  'a value'],
  ['[,]',                1, 2,  'a value or "]"'],
  ['{\n  "a": nul\n}',   2, 8,  'a value'],
  ['{"a": NaN}',         1, 7,  'a value'],
  ['{"a": 01}',          1, 7,  'a value'],
  ['"a',                 1, 1,  'a string that ends, with escapes for control characters'],
  ['{"a": "\u0001"}',    1, 7,  'a string that ends, with escapes for control characters'],
  ['{} x',               1, 4,  'the end of the body'],
  ['[[], {}] ]',         1, 10, 'the end of the body'],
  [' ',                  1, 2,  'a value'],
  ['['.repeat(100_000),  1, 100_001, 'a value or "]"'],
]
test.each(rows)('%j is no JSON at line %i, column %i', (text, line, column, expected) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(findJsonFault(text)).toEqual({ line, column, expected })
})
