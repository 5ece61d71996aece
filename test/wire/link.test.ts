import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatLink, isCut, parseLink } from '../../src/wire/link.ts'

describe('a Link header holds links by relation, as in RFC 8288', () => {
  const headers = [
    ['', {}],
    ['</v1/employees?limit=2&after=abc>; rel="next"', { next: '/v1/employees?limit=2&after=abc' }],
    ['</a?sort=b,c>; rel="next", </d>; rel="prev"', { next: '/a?sort=b,c', prev: '/d' }],
    ['<>; rel="self"', { self: '' }],
    ['</a>; rel="constructor"', { constructor: '/a' }],
  ] as const
  for (const [header, links] of headers) {
    test(`reads and writes ${header || 'nothing'}`, () => {
      expect(parseLink(header)).toEqual(links)
      expect(formatLink({ ...links })).toBe(header)
    })
  }

  const reads = [
    ['</a>;rel=next', { next: '/a' }],
    ['</a> ; REL = "next" ; title="b"', { next: '/a' }],
    ['</a>; rel="next last"', { next: '/a', last: '/a' }],
    ['</a>; title="x, </b>; rel=prev"; rel="next"', { next: '/a' }],
    ['</a>; title="; rel=\\"prev"; rel="next"', { next: '/a' }],
    ['</a>; rel="next", </b>; rel="next"', { next: '/a' }],
    ['</a>; title="no relation", </b>; rel="next"', { next: '/b' }],
    ['</a>', {}],
    ['</a>; rel=""', {}],
    ['/a; rel="next"', {}],
    ['</a; rel="next"', {}],
    ['<a<b>; rel="next"', { next: 'b' }],
  ] as const
  for (const [header, links] of reads) {
    test(`reads ${header}`, () => expect(parseLink(header)).toEqual(links))
  }

  test.each([
    [undefined, false],
    ['</v2/notes>; rel="successor-version"', false],
    ['</v1/notes?after=a>; rel="next"', true],
    ['</v1/notes?after=a>; rel="next", </v2/notes>; rel="successor-version"', true],
  ])('a list is cut where %s has a next page', (link, expected) => {
    expect(isCut(link === undefined ? {} : { link })).toBe(expected)
  })

  test('a prototype word is a relation like others', () => {
    expect(Object.entries(parseLink('</a>; rel="__proto__"'))).toEqual([['__proto__', '/a']])
  })

  test('what was written is read', () => {
    const relation = fc.string({ unit: fc.constantFrom(...'abc-.:/'), minLength: 1 })
    const url = fc.string({ unit: 'binary' }).filter((text) => !/[<>]/.test(text))
    fc.assert(
      fc.property(fc.dictionary(relation, url, { noNullPrototype: true }), (links) => {
        expect(parseLink(formatLink(links))).toEqual(links)
      }),
    )
  })

  test('thousands of brackets are read at once', () => {
    expect(parseLink('<'.repeat(50_000))).toEqual({})
    expect(parseLink(`</a>${'; '.repeat(50_000)}`)).toEqual({})
  })
})
