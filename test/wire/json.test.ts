import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isProblem } from '../../src/convention/problem.ts'
import { checkValues, formatJson, parseJson } from '../../src/wire/json.ts'
import { codeOf, problemOf, thrownBy } from '../contract/thrown.ts'
import { isHeld } from '../support/held.ts'

const limits = { depth: 4, issues: 3, keys: 6, values: 30, bulk: 20 }
const parse = (text: string) => parseJson(text, limits)

describe('JSON is read strictly, as in RFC 8259', () => {
  const texts = [
    ['null', null],
    ['true', true],
    ['-0.5', -0.5],
    ['""', ''],
    ['"😀 ä"', '😀 ä'],
    ['[]', []],
    ['{}', {}],
    ['{"a":1,"b":[{"a":2},{"a":3}]}', { a: 1, b: [{ a: 2 }, { a: 3 }] }],
    [
      '{"constructor":1,"toString":2,"hasOwnProperty":3}',
      { constructor: 1, toString: 2, hasOwnProperty: 3 },
    ],
    ['{"":{"":{"":{}}}}', { '': { '': { '': {} } } }],
    ['[[[[]]]]', [[[[]]]]],
    ['"[[[[[[{{{"', '[[[[[[{{{'],
    ['{"a\\"":1,"a":2}', { 'a"': 1, a: 2 }],
    ['{"a":"a","b":"a"}', { a: 'a', b: 'a' }],
    ['[1.7976931348623157e+308]', [Number.MAX_VALUE]],
    ['"__proto__"', '__proto__'],
  ] as const
  for (const [text, value] of texts) {
    test(`reads and writes ${text}`, () => {
      expect(parse(text)).toEqual(value)
      expect(formatJson(value)).toBe(text)
    })
  }

  const reads = [
    [' \t\n\r1 ', 1],
    ['1e2', 100],
    ['1E+2', 100],
    ['1e-400', 0],
    ['"\\u0041\\ud83d\\ude00"', 'A😀'],
    ['"a\\/b"', 'a/b'],
    ['{"\\u0061":1,"b":2}', { a: 1, b: 2 }],
    ['{"a\\\\":1,"a\\\\\\"":2}', { 'a\\': 1, 'a\\"': 2 }],
    [`${2n ** 1000n}`, 2 ** 1000],
    ['9007199254740992', 2 ** 53],
    ['[-18014398509481984]', [-(2 ** 54)]],
    ['[36028797018963970,-36028797018963968]', [2 ** 55, -(2 ** 55)]],
    ['{"a":9007199254740993.0,"b":9007199254740993e0}', { a: 2 ** 53, b: 2 ** 53 }],
    ['{"9007199254740993":"9007199254740993"}', { '9007199254740993': '9007199254740993' }],
    ['{"a\\u0041":"\\"9007199254740993"}', { aA: '"9007199254740993' }],
    [`0.${'1'.repeat(400)}`, Number(`0.${'1'.repeat(400)}`)],
    ['"e1e400"', 'e1e400'],
  ] as const
  for (const [text, value] of reads) {
    test(`reads ${text.slice(0, 30)}`, () => expect(parse(text)).toEqual(value))
  }

  const invalid = [
    '', ' ', '{', '{]', "{'a':1}", '{"a":1,}', '[1,]', '01', '.5', '+1', 'NaN', 'Infinity',
    '-Infinity', 'undefined', '0x10', '1_000', '"a', '"\t"', '"a\0b"', '"\\x41"', '"\\u12"',
    '\ufeff{}', '{}{}', '{} x', '// no\n{}', '\u00a0{}', '"\n"', '['.repeat(100_000),
  ] // biome-ignore format: one list
  for (const text of invalid) {
    test(`refuses ${JSON.stringify(text.slice(0, 20))}`, () => {
      expect(codeOf(() => parse(text))).toBe('json_invalid')
    })
  }

  const refuses = [
    ['{"a":1,"a":1}', 'json_duplicate_key'],
    ['{"a":1,"b":2,"a":3}', 'json_duplicate_key'],
    ['{"a":1,"\\u0061":2}', 'json_duplicate_key'],
    ['{"\\u00e4":1,"ä":2}', 'json_duplicate_key'],
    ['{"\\/":1,"/":2}', 'json_duplicate_key'],
    ['{"":1,"":2}', 'json_duplicate_key'],
    ['{"a":{"b":1},"a":2}', 'json_duplicate_key'],
    ['[{"b":[{"c":1,"c":2}]}]', 'json_duplicate_key'],
    ['{"a" :1 , "a"\n:2}', 'json_duplicate_key'],
    ['{"constructor":1,"constructor":2}', 'json_duplicate_key'],
    ['{"__proto__":1}', 'json_forbidden_key'],
    ['{"\\u005f_proto__":1}', 'json_forbidden_key'],
    ['{"\\u005F\\u005Fproto\\u005f\\u005f":{}}', 'json_forbidden_key'],
    ['[{"a":{"__proto__":{"isAdmin":true}}}]', 'json_forbidden_key'],
    ['[[[[[]]]]]', 'json_too_deep'],
    ['{"a":{"a":{"a":{"a":{}}}}}', 'json_too_deep'],
    ['[{"a":[{"a":[1]}]}]', 'json_too_deep'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'json_too_deep'],
    ['1e400', 'validation_failed'],
    ['9e400', 'validation_failed'],
    ['-1E400', 'validation_failed'],
    ['[1.5e+309]', 'validation_failed'],
    [`1${'0'.repeat(309)}`, 'validation_failed'],
    ['9'.repeat(309), 'validation_failed'],
    [`[-2${'0'.repeat(308)}.5]`, 'validation_failed'],
    ['"\\u0000"', 'validation_failed'],
    ['"\\ud800"', 'validation_failed'],
    ['"\\uDC00\\uD800"', 'validation_failed'],
    ['"\ud800"', 'validation_failed'],
    ['{"\\u0000":1}', 'validation_failed'],
    ['{"\\udfff":1}', 'validation_failed'],
  ] as const
  for (const [text, code] of refuses) {
    test(`refuses ${JSON.stringify(text.slice(0, 40))}`, () =>
      expect(codeOf(() => parse(text))).toBe(code))
  }

  test('the depth is counted exactly', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(
      parseJson(nested(32), { depth: 32, issues: 1, keys: 100, values: 100, bulk: 100 }),
    ).toBeDefined()
    expect(
      codeOf(() =>
        parseJson(nested(33), { depth: 32, issues: 1, keys: 100, values: 100, bulk: 100 }),
      ),
    ).toBe('json_too_deep')
    expect(problemOf(() => parse(nested(5))).message).toBe(
      'The body is nested more than 4 levels deep.',
    )
  })

  test('holds so many values', () => {
    const list = (length: number) => `[${Array.from({ length }, () => '{}').join()}]`
    expect(parse(list(29))).toHaveLength(29)
    expect(codeOf(() => parse(list(30)))).toBe('bulk_too_large')
    expect(codeOf(() => parse(`[[${list(30)}]]`))).toBe('body_too_large')
    expect(parse(`[ ${'[ ],'.repeat(28)}1]`)).toHaveLength(29)
    expect(codeOf(() => parse(`[${'[1],'.repeat(15)}1]`))).toBe('body_too_large')
    expect(parse(`["${','.repeat(99)}",{"a":"[[[[[[[{{{{{{{"}]`)).toHaveLength(2)
    expect(codeOf(() => parse(','.repeat(61)))).toBe('body_too_large')
  })

  test('holds numbers that can be read', () => {
    expect(parseJson(`[${2n ** 900n}]`, limits)).toEqual([2 ** 900])
    expect(codeOf(() => parse(`[${'1'.repeat(1000)}]`))).toBe('validation_failed')
    expect(codeOf(() => parse(`[${'1'.repeat(1001)} ]`))).toBe('json_invalid')
    expect(parse(`["${'1'.repeat(2000)}"]`)).toHaveLength(1)
  })

  test('holds so many different keys', () => {
    const few = '{"a":1,"b":{"a":1,"c":[{"b":2}]},"d":{"e":{},"f":{}}}'
    expect(parse(few)).toEqual(JSON.parse(few))
    expect(codeOf(() => parse(few.replace('{},"f"', '{"g":1},"f"')))).toBe('body_too_large')
    // The same key again, and colons in texts, are no more keys.
    const same = `[${Array.from({ length: 9 }, () => '{"a":"x:y:\\":z"}').join()}]`
    expect(parse(same)).toHaveLength(9)
    // Said before it is known to be JSON at all, as that is what would take long.
    const open = '{"a":{"b":1,"c":1,"d":1,"e":1,"f":1,"g":'
    expect(codeOf(() => parse(open))).toBe('body_too_large')
    // Too deep is a fault of its own.
    expect(codeOf(() => parse(`[[[[[{"h":1,${open.slice(1)}`))).toBe('json_invalid')
    expect(codeOf(() => parse('{"a:::::::::'))).toBe('json_invalid')
  })

  test('brothers do not add to the depth', () => {
    expect(parse(`[${'[],{},'.repeat(14)}0]`)).toHaveLength(29)
  })

  test('the message quotes the key, cut', () => {
    const key = 'k'.repeat(1000)
    const { message } = problemOf(() => parse(`{"${key}":1,"${key}":2}`))
    expect(message).toBe(`The body has the key "${key.slice(0, 64)}…" twice in one object.`)
  })

  test('a look for huge numbers is linear', () => {
    const numbers = `[${Array.from({ length: 20 }, () => '1'.repeat(999)).join()}]`
    expect(codeOf(() => parse(numbers))).toBe('validation_failed')
  })

  const storable = (value: unknown) => !/\\u0000|__proto__/.test(JSON.stringify(value))
  const json = fc
    .jsonValue({ maxDepth: 4, stringUnit: 'binary' })
    .filter((value) => storable(value) && isHeld(value))

  test('what was written is read', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = formatJson(value)
        expect(
          parseJson(text, { depth: 32, issues: 1, keys: 100, values: 100, bulk: 100 }),
        ).toEqual(JSON.parse(text))
      }),
    )
  })

  test('anything else is refused with a problem', () => {
    const pieces = fc.constantFrom(
      '{', '}', '[', ']', '"', ':', ',', '\\', '\\u', 'd800', '__proto__', '1e', '999', 'a', 'null',
    ) // biome-ignore format: one list
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: pieces }), fc.json())
    fc.assert(
      fc.property(text, (body) => {
        try {
          expect(parse(body)).toEqual(JSON.parse(body))
        } catch (error) {
          if (!isProblem(error)) throw error
          expect([400, 422]).toContain(error.status)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('every value that cannot be stored is named', () => {
  const rows = [
    ['1e400', '', 'must be a number within the range of a double'],
    ['[1,[-1e400]]', '/1/0', 'must be a number within the range of a double'],
    ['{"a":{"b/c":"\\u0000"}}', '/a/b~1c', 'must not hold NUL'],
    ['{"a":["\\ud800x"]}', '/a/0', 'must not hold a lone surrogate'],
    ['{"a\\u0000":1}', '/a\0', 'must not hold NUL'],
  ] as const
  for (const [text, pointer, message] of rows) {
    test(`in ${text}`, () => {
      expect(problemOf(() => parse(text)).members.issues).toEqual([
        { pointer, code: 'unstorable', message },
      ])
    })
  }

  // biome-ignore format: a row stays a line
  const wide: readonly (readonly [text: string, ...pointers: string[]])[] = [
    ['9007199254740993',                        ''],
    ['[-9007199254740993]',                     '/0'],
    ['[36028797018963969]',                     '/0'],
    ['{"a":[1,{"b/c":12345678901234567890}]}',  '/a/1/b~1c'],
    ['[9007199254740993,1,9007199254740995]',   '/0', '/2'],
    ['{"a\\n":9007199254740993}',               '/a\n'],
    ['100000000000000000000000000000',          ''],
    ['[9007199254740993,"\\u0000"]',            '/0', '/1'],
    ['[9007199254740993,1e999]',                '/0', '/1'],
  ]
  for (const [text, ...pointers] of wide) {
    test(`in ${text}`, () => {
      const { issues = [] } = problemOf(() => parse(text)).members
      expect(issues.map(({ pointer }) => pointer)).toEqual(pointers)
      expect(issues[0]).toMatchObject({ code: 'unrepresentable' })
    })
  }

  test('a whole number that a double changes is named', () => {
    const limit = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(), limit), (whole) => {
        const isHeld = BigInt(Number(whole)) === whole
        if (isHeld) expect(parse(`[${whole}]`)).toEqual([Number(whole)])
        else expect(codeOf(() => parse(`[${whole}]`))).toBe('validation_failed')
      }),
    )
  })

  test('up to the limit', () => {
    const { issues } = problemOf(() => parse('[1e400,"\\u0000","\\ud800",1e400]')).members
    expect(issues?.map(({ pointer }) => pointer)).toEqual(['/0', '/1', '/2'])
  })
})

describe('a value that something else parsed is checked', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const rows = [
    [{ a: [1, 'a', null, true, { b: undefined }] }, undefined],
    [[[[[]]]], undefined],
    [[[[[[]]]]], 'json_too_deep'],
    [cyclic, 'json_too_deep'],
    [JSON.parse('{"a":{"__proto__":1}}'), 'json_forbidden_key'],
    [{ a: Number.NaN }, 'validation_failed'],
    [{ a: 'b\0' }, 'validation_failed'],
    [['\udc00'], 'validation_failed'],
    [Number.NEGATIVE_INFINITY, 'validation_failed'],
  ] as const
  for (const [place, [value, code]] of rows.entries()) {
    test(`row ${place}: ${code ?? 'fine'}`, () => {
      if (code === undefined) expect(checkValues(value, limits)).toBeUndefined()
      else expect(thrownBy(() => checkValues(value, limits))).toMatchObject({ code })
    })
  }
})

// V8 13.6 (Node 24) confuses a key that has an escape with a key at the same place of an earlier
// text. It does so if the source of the later key begins with the earlier one.
describe('what was read before', () => {
  const rows = [
    ['{"r1":0,"\\\\":1}', '{"r1":0,"\\"":1}', { r1: 0, '"': 1 }],
    ['{"r2":0,"\\\\":1}', '{"r2":0,"\\u0062":1}', { r2: 0, b: 1 }],
    [
      '{"r3":"x","\\\\u00":1}',
      '{"r3":"x","\\u00fcber":[{"a":"\\u00fc"}]}',
      { r3: 'x', über: [{ a: 'ü' }] },
    ],
    [
      '{"l":{"r4":1,"\\\\u":1}}',
      '{"l":{"r4":1,"\\u00e9t":{}},"m":[],"n":[[1,"a,]"],-1.5e3,true,null]}',
      { l: { r4: 1, ét: {} }, m: [], n: [[1, 'a,]'], -1500, true, null] },
    ],
    ['[{"r5":1,"\\\\":1}]', ' [ {"r5" : 1 , "\\u0062"\n:\t"\\"" } ] ', [{ r5: 1, b: '"' }]],
  ] as const
  test.each(rows)('%s does not change %s', (before, text, value) => {
    for (let times = 0; times < 3; times++) parse(before)
    expect(parse(text)).toEqual(value)
  })
})
