import { describe, expect, test } from 'vitest'
import { escapeControls, escapeLines } from '../../src/convention/escape.ts'

describe('a terminal gets no control character of a text', () => {
  // biome-ignore format: a row stays a line
  const rows: [text: string, inLine: string, inLines: string][] = [
    ['employees',         'employees',            'employees'],
    ['a\nb',              'a\\u000ab',            'a\nb'],
    ['\u001b[31mred',     '\\u001b[31mred',       '\\u001b[31mred'],
    ['a\r\u0007\u009b',   'a\\u000d\\u0007\\u009b', 'a\\u000d\\u0007\\u009b'],
    ['Łódź 😀',           'Łódź 😀',              'Łódź 😀'],
  ]
  test.each(rows)('%j', (text, inLine, inLines) => {
    expect([escapeControls(text), escapeLines(text)]).toEqual([inLine, inLines])
  })
})
