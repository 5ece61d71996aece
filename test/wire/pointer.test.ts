import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPointer, parsePointer } from '../../src/wire/pointer.ts'

describe('a JSON Pointer leads to a value, as in RFC 6901', () => {
  const pointers = [
    ['', []],
    ['/', ['']],
    ['/name', ['name']],
    ['/3/name', ['3', 'name']],
    ['//', ['', '']],
    ['/a~1b', ['a/b']],
    ['/m~0n', ['m~n']],
    ['/~01', ['~1']],
    ['/~10', ['/0']],
    ['/__proto__', ['__proto__']],
    ['/a"b\\ c%', ['a"b\\ c%']],
    ['/😀', ['😀']],
  ] as const
  for (const [text, path] of pointers) {
    test(`reads and writes ${JSON.stringify(text)}`, () => {
      expect(parsePointer(text)).toEqual(path)
      expect(formatPointer(path)).toBe(text)
    })
  }

  test('numbers and symbols are written as text', () => {
    expect(formatPointer([3, 'name', Symbol('a/b')])).toBe('/3/name/Symbol(a~1b)')
  })

  test('what was written is read', () => {
    const key = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('~', '/', '0', '1') }))
    fc.assert(
      fc.property(fc.array(key), (path) => {
        expect(parsePointer(formatPointer(path))).toEqual(path)
      }),
    )
  })
})
