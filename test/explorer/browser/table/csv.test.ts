import { describe, expect, test } from 'vitest'
import { csvOf } from '../../../../src/explorer/browser/table/csv.ts'

describe('a line of CSV', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [value: unknown, cell: string])[] = [
    [undefined,             ''],
    [null,                  ''],
    ['',                    ''],
    ['plain é',             'plain é'],
    ['a "b", c',            '"a ""b"", c"'],
    ['two\nlines',          '"two\nlines"'],
    [-1.5,                  '-1.5'],
    [true,                  'true'],
    ['=1+1',                "'=1+1"],
    ['+49 30',              "'+49 30"],
    ['-x, y',               `"'-x, y"`],
    ['@sum',                "'@sum"],
    ['\t=1',                "'\t=1"],
    [['a', 1],              '"[""a"",1]"'],
    [{ a: null },           '"{""a"":null}"'],
  ]
  test.each(rows)('writes %j as %j', (value, cell) => {
    expect(csvOf([{ id: 'x', value }], ['id', 'value'])).toBe(`x,${cell}\r\n`)
  })

  test('takes no member that the item inherits', () => {
    expect(csvOf([{ id: 'x' }, 7], ['id', 'toString'])).toBe('x,\r\n,\r\n')
  })
})
