import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatETags, parseETags, tagOf } from '../../src/wire/etag.ts'

describe('entity tags are quoted, as in RFC 9110 §8.8.3', () => {
  const headers = [
    ['*', '*'],
    ['""', ['']],
    ['"3"', ['3']],
    ['"3", "4"', ['3', '4']],
    ['"*"', ['*']],
    ['"a, b"', ['a, b']],
    ['"W/"', ['W/']],
  ] as const
  for (const [header, tags] of headers) {
    test(`reads and writes ${header || 'nothing'}`, () => {
      expect(parseETags(header, 'strong')).toEqual(tags)
      expect(parseETags(header, 'weak')).toEqual(tags)
      expect(formatETags(tags)).toBe(header)
    })
  }

  const reads = [
    [' * ', '*', '*'],
    ['W/"3"', [], ['3']],
    ['"3",W/"4" , "5"', ['3', '5'], ['3', '4', '5']],
    [' \t* ', '*', '*'],
    [' "3"  , W/"4"\t,"5" ', ['3', '5'], ['3', '4', '5']],
    ['W/""', [], ['']],
  ] as const
  for (const [header, strong, weak] of reads) {
    test(`reads ${header}`, () => {
      expect(parseETags(header, 'strong')).toEqual(strong)
      expect(parseETags(header, 'weak')).toEqual(weak)
    })
  }

  test('what was written is read', () => {
    const tag = fc.string({ unit: 'binary' }).filter((text) => !text.includes('"'))
    fc.assert(
      fc.property(fc.oneof(fc.constant('*' as const), fc.array(tag, { minLength: 1 })), (tags) => {
        expect(parseETags(formatETags(tags), 'strong')).toEqual(tags)
        expect(parseETags(formatETags(tags), 'weak')).toEqual(tags)
      }),
    )
  })
})

describe('any other text is unreadable', () => {
  const headers = [
    '',
    '3',
    '**',
    'x*',
    '"3',
    'x"3"',
    '"3"x',
    '"3" "4"',
    '"3"x,"4"',
    '"3",x"4"',
    '3, "4"',
    '"3",',
    '*, "3"',
    'w/"3"',
    'W /"3"',
  ]
  for (const header of headers) {
    test(header || 'nothing', () => {
      expect(parseETags(header, 'strong')).toBeUndefined()
      expect(parseETags(header, 'weak')).toBeUndefined()
    })
  }
})

describe('the tag of a version is printable', () => {
  const rows = [
    [3, '3'],
    ['3', '3'],
    ['2026-01-01T00:00:00Z', '2026-01-01T00%3A00%3A00Z'],
    ['a"b', 'a%22b'],
    ['ä\n', '%C3%A4%0A'],
    ['\ud800', '%EF%BF%BD'],
    [undefined, undefined],
    [null, undefined],
    [{ at: 3 }, undefined],
    [true, undefined],
  ] as const
  for (const [version, tag] of rows) {
    test(`of ${JSON.stringify(version)}`, () => expect(tagOf(version)).toBe(tag))
  }

  test('whatever the version is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '"', '\ud800', 'ä', '\0') }),
        (version) => {
          expect(tagOf(version)).toMatch(/^[!#-~]*$/)
        },
      ),
    )
  })
})
