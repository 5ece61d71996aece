import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { formatHttpDate, parseHttpDate } from '../../src/wire/http-date.ts'
import {
  type Announcement,
  formatAnnouncement,
  formatDeprecation,
  parseAnnouncement,
  parseDeprecation,
} from '../../src/wire/lifecycle.ts'

const lastSecond = Date.parse('9999-12-31T23:59:59Z') / 1000
const moment = fc.nat({ max: lastSecond })

describe('Deprecation is a date of RFC 9651, as in RFC 9745', () => {
  const both: readonly (readonly [string, number])[] = [
    ['@1793491200', 1_793_491_200],
    ['@0', 0],
    ['@-1', -1],
    ['@253402300799', lastSecond],
  ]
  for (const [text, seconds] of both) {
    test(`reads and writes ${text}`, () => {
      expect(parseDeprecation(text)).toBe(seconds)
      expect(formatDeprecation(seconds)).toBe(text)
    })
  }

  const reads: readonly (readonly [string, number | undefined])[] = [
    ['  @1 ', 1],
    ['@-0', 0],
    ['@1;a', 1],
    ['@1; a=1;b=-1.5;c="x\\"y";d=tok/en;e=:YQ==:;*f=?0;g=@2;h=%"a%c3"', 1],
    ['@1; a=', undefined],
    ['@1 ;a', undefined],
    ['@1; A', undefined],
    ['@1;a="b', undefined],
    ['@1.5', undefined],
    ['@1234567890123456', undefined],
    ['@', undefined],
    ['1793491200', undefined],
    ['true', undefined],
    ['?1', undefined],
    ['Sun, 01 Nov 2026 00:00:00 GMT', undefined],
    ['@1, @2', undefined],
    ['', undefined],
  ]
  for (const [text, seconds] of reads) {
    test(`reads ${text || 'nothing'}`, () => expect(parseDeprecation(text)).toBe(seconds))
  }

  test('is read at once, however long', () => {
    expect(parseDeprecation(`@1${'; a'.repeat(50_000)},`)).toBeUndefined()
    expect(parseDeprecation(`@1;a="${'\\"'.repeat(50_000)}`)).toBeUndefined()
  })
})

describe('Sunset is a date of HTTP, as in RFC 8594', () => {
  const both: readonly (readonly [string, number])[] = [
    ['Mon, 01 Nov 2027 00:00:00 GMT', 1_825_027_200],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Fri, 31 Dec 9999 23:59:59 GMT', lastSecond],
  ]
  for (const [text, seconds] of both) {
    test(`reads and writes ${text}`, () => {
      expect(parseHttpDate(text)).toBe(seconds)
      expect(formatHttpDate(seconds)).toBe(text)
    })
  }

  // RFC 9110 §5.6.7: two forms that only a reader knows.
  const reads: readonly (readonly [string, number | undefined])[] = [
    ['Sunday, 06-Nov-94 08:49:37 GMT', 784_111_777],
    ['Sun Nov  6 08:49:37 1994', 784_111_777],
    ['Sun, 06 Nov 1994 08:49:37 UTC', undefined],
    ['Sun, 06 Nov 1994 08:49:37 +0000', undefined],
    ['Sun, 6 Nov 1994 08:49:37 GMT', undefined],
    ['Sun, 06 Nov 1994 08:49:99 GMT', undefined],
    ['Sun, 06 Nov 1994 29:49:37 GMT', undefined],
    ['1994-11-06', undefined],
    ['@784111777', undefined],
    ['', undefined],
  ]
  for (const [text, seconds] of reads) {
    test(`reads ${text || 'nothing'}`, () => expect(parseHttpDate(text)).toBe(seconds))
  }

  test('is read alike wherever it is read', () => {
    vi.stubEnv('TZ', 'Asia/Kolkata')
    for (const [text, seconds] of [...both, ...reads]) expect(parseHttpDate(text)).toBe(seconds)
    vi.unstubAllEnvs()
  })
})

describe('an announcement is three headers', () => {
  const none = { sunsetAt: undefined, successor: undefined, docs: undefined }
  const docs = 'https://example.com/v1-to-v2'
  const both: readonly (readonly [object, Announcement])[] = [
    [{ deprecation: '@1793491200' }, { ...none, deprecatedAt: 1_793_491_200 }],
    [
      {
        deprecation: '@1793491200',
        sunset: 'Mon, 01 Nov 2027 00:00:00 GMT',
        link:
          '</v2/employees/7>; rel="successor-version", ' +
          `<${docs}>; rel="deprecation"; type="text/html", <${docs}>; rel="sunset"`,
      },
      {
        deprecatedAt: 1_793_491_200,
        sunsetAt: 1_825_027_200,
        successor: '/v2/employees/7',
        docs,
      },
    ],
    [
      { deprecation: '@1', link: '</v2/a>; rel="successor-version"' },
      { ...none, deprecatedAt: 1, successor: '/v2/a' },
    ],
    [
      { deprecation: '@1', link: '</a>; rel="deprecation"; type="text/html", </a>; rel="sunset"' },
      { ...none, deprecatedAt: 1, docs: '/a' },
    ],
  ]
  for (const [headers, announcement] of both) {
    test(`reads and writes ${JSON.stringify(headers).slice(0, 90)}`, () => {
      expect(parseAnnouncement(headers)).toEqual(announcement)
      expect(formatAnnouncement(announcement)).toEqual(headers)
    })
  }

  const reads: readonly (readonly [object, Announcement | undefined])[] = [
    [{}, undefined],
    [{ deprecation: 'true', sunset: 'Mon, 01 Nov 2027 00:00:00 GMT' }, undefined],
    [
      { deprecation: '@1', sunset: 'soon', link: 'x' },
      { ...none, deprecatedAt: 1 },
    ],
    [
      { deprecation: '@1', link: '</v1/a?after=b>; rel="next", </v2/a>; rel=successor-version' },
      { ...none, deprecatedAt: 1, successor: '/v2/a' },
    ],
  ]
  for (const [headers, announcement] of reads) {
    test(`reads ${JSON.stringify(headers).slice(0, 90)}`, () =>
      expect(parseAnnouncement(headers)).toEqual(announcement))
  }

  test('what was written is read', () => {
    const path = fc.webPath().map((text) => `/v2${text}`)
    const announcements = fc.record({
      deprecatedAt: moment,
      sunsetAt: fc.option(moment, { nil: undefined }),
      successor: fc.option(path, { nil: undefined }),
      docs: fc.option(fc.webUrl(), { nil: undefined }),
    })
    fc.assert(
      fc.property(announcements, (announcement) => {
        expect(parseAnnouncement(formatAnnouncement(announcement))).toEqual(announcement)
      }),
    )
  })
})
