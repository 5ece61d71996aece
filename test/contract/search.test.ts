import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCase } from '../../src/contract/values/order.ts'
import { matching, wordsOf } from '../../src/contract/values/search.ts'

describe('a search is split at white space', () => {
  const rows = [
    ['ann', ['ann']],
    [' Ann  lee ', ['Ann', 'lee']],
    ['a\u00a0b\u3000c\ufeffd', ['a', 'b', 'c', 'd']],
    ['a,b', ['a,b']],
    ['', []],
    [' \u2028 ', []],
  ] as const
  for (const [q, words] of rows) {
    test(`${JSON.stringify(q)} has ${words.length} words`, () => expect(wordsOf(q)).toEqual(words))
  }
})

describe('case is ignored in all of Unicode', () => {
  const same = [
    ['ann', 'ANN'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['ς', 'σ'],
    ['ﬀ', 'FF'],
    ['ǆ', 'ǅ'],
    ['𐐨', '𐐀'],
    ['K', 'k'],
  ] as const
  for (const [one, other] of same) {
    test(`${one} is ${other}`, () => expect(foldCase(one)).toBe(foldCase(other)))
  }

  const different = [
    ['a', 'ä'],
    ['a', 'ａ'],
    ['1', '١'],
  ] as const
  for (const [one, other] of different) {
    test(`${one} is not ${other}`, () => expect(foldCase(one)).not.toBe(foldCase(other)))
  }

  test('text equals its upper and lower case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(foldCase(text.toUpperCase())).toBe(foldCase(text))
        expect(foldCase(text.toLowerCase())).toBe(foldCase(text))
      }),
    )
  })
})

describe('an item matches when every word is found', () => {
  const ann = { name: 'Ann Lee', email: 'ann@EXAMPLE.com', rank: 42, note: '100%_*"' }
  const rows = [
    [[], true],
    [['ann'], true],
    [['LEE', 'example'], true],
    [['lee', 'bo'], false],
    [['nn l'], true],
    [['leeann'], false],
    [['42'], false],
    [['%_*"'], true],
    [['10%'], false],
    [['.'], true],
  ] as const
  for (const [words, isMatch] of rows) {
    test(`${JSON.stringify(words)}: ${isMatch}`, () => {
      expect(matching(words, ['name', 'email', 'rank', 'note'])(ann)).toBe(isMatch)
    })
  }

  test('in a searchable field only', () => {
    expect(matching(['example'], ['name'])(ann)).toBe(false)
    expect(matching(['ann'], [])(ann)).toBe(false)
    expect(matching([], [])(ann)).toBe(true)
  })

  test('in one field, not across two', () => {
    const fields = ['name', 'email']
    for (const word of ['leeann', 'lee ann', 'lee\tann']) {
      expect(matching([word], fields)(ann)).toBe(false)
    }
  })

  test('in text only', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (word) => {
        expect(matching([word], ['rank', 'none'])(ann)).toBe(false)
      }),
    )
  })

  test('in its own fields only', () => {
    expect(matching(['function'], ['constructor', 'toString', '__proto__'])({})).toBe(false)
  })
})
