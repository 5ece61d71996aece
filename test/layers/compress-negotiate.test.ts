import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { negotiate } from '../../src/layers/compress.ts'

const both = ['br', 'gzip'] as const

describe('Accept-Encoding', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [header: string | undefined, coding: string | undefined])[] = [
    [undefined,                                'none'],
    ['',                                       'none'],
    [' , ,',                                   'none'],
    ['gzip',                                   'gzip'],
    ['GZip',                                   'gzip'],
    ['x-gzip',                                 'gzip'],
    ['br',                                     'br'],
    ['gzip, deflate, br, zstd',                'br'],
    ['gzip,br;q=0.9',                          'gzip'],
    ['gzip;q=0.5, br;q=0.5',                   'br'],
    ['gzip ; Q=0.8 ,\tbr\t;\tq=0.799',         'gzip'],
    ['br;q=0, gzip;q=0.001',                   'gzip'],
    ['gzip;q=0',                               'none'],
    ['gzip;q=0.000',                           'none'],
    ['gzip, gzip;q=0',                         'none'],
    ['deflate, zstd, compress',                'none'],
    ['identity',                               'none'],
    ['identity, gzip',                         'gzip'],
    ['identity;q=1, gzip;q=0.5',               'none'],
    ['identity;q=0.5, gzip;q=1.000',           'gzip'],
    ['identity;q=0',                           'none'],
    ['identity;q=0, gzip',                     'gzip'],
    ['*',                                      'gzip'],
    ['*;q=0',                                  'none'],
    ['*;q=0, br',                              'br'],
    ['gzip;q=0, *',                            'none'],
    ['br;q=0.5, *',                            'gzip'],
    // Malformed.
    ['gzip;q=2',                               'none'],
    ['gzip;q=0.1234',                          'none'],
    ['gzip;q=.5',                              'none'],
    ['gzip;q=',                                'none'],
    ['gzip;q=-1',                              'none'],
    ['gzip;level=9',                           'none'],
    ['gzip br',                                'none'],
    ['gzip;q=1;q=0',                           'none'],
    [';q=1',                                   'none'],
    ['br, gzip;q=high',                        'none'],
  ]
  for (const [header, coding] of rows) {
    test(`${JSON.stringify(header)} means ${coding}`, () => {
      expect(negotiate(header, both) ?? 'none').toBe(coding)
    })
  }

  test('never chooses what the runtime lacks', () => {
    expect(negotiate('br, gzip;q=0.1', ['gzip'])).toBe('gzip')
    expect(negotiate('br', ['gzip'])).toBeUndefined()
    expect(negotiate('br, gzip', [])).toBeUndefined()
  })

  test('of any text names a coding that it holds, or none', () => {
    const word = fc.constantFrom('gzip', 'br', '*', 'identity', ';', 'q=', '0', '1', '.', ',', ' ')
    const texts = fc.oneof(
      fc.string(),
      fc.array(word).map((words) => words.join('')),
    )
    fc.assert(
      fc.property(texts, (header) => {
        const coding = negotiate(header, both)
        if (coding === undefined) return
        expect(header.toLowerCase()).toMatch(coding === 'br' ? /br/ : /gzip|\*/)
      }),
    )
  })

  test('of 16 KiB takes no time', () => {
    for (const part of [' ', ';', 'gzip ', '\t;\t', 'q=', ','])
      expect(negotiate(`a${part.repeat(16_384 / part.length)}!;`, both)).toBeUndefined()
  }, 1000)
})
