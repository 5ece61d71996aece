import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodePercent } from '../../src/wire/percent.ts'
import { codeOf, problemOf } from '../contract/thrown.ts'

describe('percent-encoding is decoded once, strictly', () => {
  const rows = [
    ['', ''],
    ['a b+c', 'a b+c'],
    ['%20', ' '],
    ['%2F', '/'],
    ['%2f', '/'],
    ['%252F', '%2F'],
    ['%00', '\0'],
    ['%F0%9F%98%80', '😀'],
    ['%EF%BF%BD', '\ufffd'],
    ['%EF%BB%BF', '\ufeff'],
  ] as const
  for (const [text, decoded] of rows) {
    test(`reads ${JSON.stringify(text)}`, () => expect(decodePercent(text, 'path')).toBe(decoded))
  }

  const broken = {
    'a percent sign alone': '%',
    'one digit': '%2',
    'no digits': '%zz',
    'a full-width digit': '%2０',
    'a legacy Unicode escape': '%u0041',
    'an overlong slash': '%C0%AF',
    'an overlong NUL': '%C0%80',
    'a longer overlong slash': '%E0%80%AF',
    'a lone continuation': '%80',
    'a cut character': '%F0%9F%98',
    'a character with a gap': '%F0%9F 98%80',
    'a high surrogate': '%ED%A0%80',
    'a pair of surrogates': '%ED%A0%BD%ED%B8%80',
    'a code point beyond Unicode': '%F4%90%80%80',
    'Latin-1': '%E9',
    'the octet FF': '%FF',
  }
  for (const [name, text] of Object.entries(broken)) {
    test(`refuses ${name}`, () => {
      expect(codeOf(() => decodePercent(text, 'path'))).toBe('bad_percent_encoding')
    })
  }

  test('the message says what was read', () => {
    expect(problemOf(() => decodePercent('%', 'query')).message).toMatch(/^The query holds/)
  })

  test('what was encoded is decoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodePercent(encodeURIComponent(text), 'path')).toBe(text)
      }),
    )
  })
})
