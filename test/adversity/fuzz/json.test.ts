import { isDeepStrictEqual } from 'node:util'
import { defineApi, defineRegistry, defineResource, type HttpResponse, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ProblemBody, verdictOf } from '../../support/registry.ts'

// Every class of text that JSON parsers disagree about: valid, invalid, and either.

const notes = defineResource('notes', {
  schema: z.object({ id: z.string(), value: z.json() }),
  create: z.strictObject({ value: z.json() }),
})
const api = defineApi({ v1: { '/notes': notes } })
const registry = () =>
  defineRegistry(api)
    .onError((error) => {
      throw error
    })
    .adapters({ notes: memoryAdapter() })

const headers = { 'content-type': 'application/json' }
const post = async (body: string | Uint8Array): Promise<HttpResponse> =>
  await handle({ method: 'POST', url: '/v1/notes', headers, body }, registry())

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const wrapped = (text: string) => `{"value":${text}}`
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...encode(part)] : part)))
const utf16 = (text: string): Uint8Array =>
  Uint8Array.from([...text].flatMap((one) => [one.charCodeAt(0), 0]))
const shown = (text: string | Uint8Array) =>
  JSON.stringify(typeof text === 'string' ? text : String.fromCharCode(...text)).slice(0, 60)
const nest = (depth: number, end = ']') => '['.repeat(depth) + end.repeat(depth)

/** Valid texts, and their values. */
const taken: readonly (readonly [text: string, value: unknown])[] = [
  // Arrays
  ['[[]   ]', [[]]],
  ['[]', []],
  ['[""]', ['']],
  ['["a"]', ['a']],
  ['[false]', [false]],
  ['[null, 1, "1", {}]', [null, 1, '1', {}]],
  ['[null]', [null]],
  ['[1\n]', [1]],
  [' [1]', [1]],
  ['[1,null,null,null,2]', [1, null, null, null, 2]],
  ['[2] ', [2]],
  ['[ 1 , 2 ]', [1, 2]],
  ['[[[[[[[[[[1]]]]]]]]]]', [[[[[[[[[[1]]]]]]]]]]],
  [' [] ', []],
  ['\t\r\n [\t\r\n ]\t\r\n ', []],
  // Numbers
  ['[123e65]', [123e65]],
  ['[0e+1]', [0]],
  ['[0e1]', [0]],
  ['[ 4]', [4]],
  ['[-0.000000000000000000000000000000000000000000000000000000000000000000000000000001]', [-1e-78]],
  ['[20e1]', [200]],
  ['[123123e100000000]'.replace('e100000000', 'e100'), [123123e100]],
  ['[-0]', [-0]],
  ['[-0.0]', [-0]],
  ['[-123]', [-123]],
  ['[-1]', [-1]],
  ['[1E22]', [1e22]],
  ['[1E-2]', [0.01]],
  ['[1E+2]', [100]],
  ['[123e45]', [123e45]],
  ['[123.456e78]', [123.456e78]],
  ['[1e-2]', [0.01]],
  ['[1e+2]', [100]],
  ['[123]', [123]],
  ['[123.456789]', [123.456789]],
  ['[0]', [0]],
  ['[0.0]', [0]],
  ['[0.5e0]', [0.5]],
  ['[9007199254740991]', [9007199254740991]],
  ['[-9007199254740991]', [-9007199254740991]],
  ['[1.7976931348623157e308]', [Number.MAX_VALUE]],
  ['[5e-324]', [Number.MIN_VALUE]],
  ['[0.1]', [0.1]],
  ['[1e0]', [1]],
  ['[1e00]', [1]],
  ['[1E00000000000000000001]', [10]],
  ['[10,100]', [10, 100]],
  // Objects
  ['{}', {}],
  ['{"":0}', { '': 0 }],
  ['{"a":[]}', { a: [] }],
  ['{"asd":"sdf", "dfg":"fgh"}', { asd: 'sdf', dfg: 'fgh' }],
  ['{"asd":"sdf"}', { asd: 'sdf' }],
  ['{ "min": -1.0e+28, "max": 1.0e+28 }', { min: -1e28, max: 1e28 }],
  [
    '{"x":[{"id": "xxxxxxxxxxxxxxxxxxxx"}], "id": "yyyy"}',
    { x: [{ id: 'xxxxxxxxxxxxxxxxxxxx' }], id: 'yyyy' },
  ],
  ['{"a":"\\u041f\\u043e\\u043b"}', { a: 'Пол' }],
  ['{\n"a": "b"\n}', { a: 'b' }],
  ['{"a":{"a":{"a":1}},"b":{"a":1}}', { a: { a: { a: 1 } }, b: { a: 1 } }],
  ['{"a" : 1 , "b"\t:\n2}', { a: 1, b: 2 }],
  ['{"\\u0061\\t\\"\\\\":1}', { 'a\t"\\': 1 }],
  ['{"constructor":{"prototype":{"a":1}}}', { constructor: { prototype: { a: 1 } } }],
  ['{"toString":1,"hasOwnProperty":2,"valueOf":3}', { toString: 1, hasOwnProperty: 2, valueOf: 3 }],
  ['{"A":1,"a":2}', { A: 1, a: 2 }],
  ['{"é":1,"e\u0301":2}', { é: 1, 'e\u0301': 2 }],
  // Text
  ['["\\u0060\\u012a\\u12AB"]', ['`Īካ']],
  ['["\\uD801\\udc37"]', ['𐐷']],
  ['["\\ud83d\\ude39\\ud83d\\udc8d"]', ['😹💍']],
  ['["\\"\\\\\\/\\b\\f\\n\\r\\t"]', ['"\\/\b\f\n\r\t']],
  ['["\\\\u0000"]', ['\\u0000']],
  ['["\\""]', ['"']],
  ['["\\\\a"]', ['\\a']],
  ['["\\\\n"]', ['\\n']],
  ['["\\u0012"]', ['\u0012']],
  ['["\\uFFFF"]', ['\uffff']],
  ['["asd"]', ['asd']],
  ['[ "asd"]', ['asd']],
  ['["\\uDBFF\\uDFFF"]', ['\u{10ffff}']],
  ['["new\\u00A0line"]', ['new\u00a0line']],
  ['["\u{10ffff}"]', ['\u{10ffff}']],
  ['["\uffff"]', ['\uffff']],
  ['["\\u002c"]', [',']],
  ['["π"]', ['π']],
  ['["\u{1bfff}"]', ['\u{1bfff}']],
  ['["asd "]', ['asd ']],
  ['" "', ' '],
  ['["\\uD834\\uDd1e"]', ['𝄞']],
  ['["\\u0821"]', ['ࠡ']],
  ['["\\u0123"]', ['ģ']],
  ['["\u2028\u2029"]', ['\u2028\u2029']],
  ['["\\u0061\\u30af\\u30EA\\u30b9"]', ['aクリス']],
  ['["new\\u000Aline"]', ['new\nline']],
  ['["\u007f"]', ['\u007f']],
  ['["\\uA66D"]', ['ꙭ']],
  ['["\\u005C"]', ['\\']],
  ['["\\u0022"]', ['"']],
  ['["⍂㈴⍂"]', ['⍂㈴⍂']],
  ['["\\u200B\\u2064\\uFDD0\\uFFFE"]', ['\u200b\u2064\ufdd0\ufffe']],
  ['["\\ufeff\ufeff"]', ['\ufeff\ufeff']],
  ['["€𝄞"]', ['€𝄞']],
  ['["a\u007fa"]', ['a\u007fa']],
  ['["/* no */ // comment"]', ['/* no */ // comment']],
  ['"[[[{{{,,,:::"', '[[[{{{,,,:::'],
  // By itself
  ['false', false],
  ['42', 42],
  ['-0.1', -0.1],
  ['null', null],
  ['"asd"', 'asd'],
  ['true', true],
  ['""', ''],
  ['["a"]\n', ['a']],
  [' \n true\r\n\t', true],
  [nest(31), JSON.parse(nest(31))],
]

const controls = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code))
const spaces = [
  '\u0000', '\u000b', '\u000c', '\u0085', '\u00a0', '\u1680', '\u180e', '\u2003', '\u2028',
  '\u2029', '\u2060', '\u3000', '\ufeff',
] // biome-ignore format: one list

/** Texts that no parser may accept. */
// biome-ignore format: a table
const invalid: readonly string[] = [
  // Arrays
  '[1 true]', '["": 1]', '[""],', '[,1]', '[1,,2]', '["x",,]', '["x",]', '["x"]]', '["",]', '["x"',
  '[x', '[3[4]]', '[1:2]', '[,]', '[-]', '[   , ""]', '["a",\n4\n,1,', '[1,]', '["",,""]',
  '["\u000ba"\\f]', '[*]', '[""', '[1,', '[1,\n1\n,1', '[{}', '[', ']', '[]]', '[1}', '[{]',
  '[nul]', '[tru]', '[fals]', '[True]', '[TRUE]', '[None]', '[undefined]', '[NULL]', '[nil]',
  '[yes]', '[truefalse]', '[true false]',
  // Numbers
  '[++1234]', '[+1]', '[+Inf]', '[-01]', '[-1.0.]', '[-2.]', '[-NaN]', '[.-1]', '[.2e-3]',
  '[0.1.2]', '[0.3e+]', '[0.3e]', '[0.e1]', '[0E+]', '[0E]', '[0e+]', '[0e]', '[1.0e+]', '[1.0e-]',
  '[1.0e]', '[1 000.0]', '[1eE2]', '[2.e+3]', '[2.e-3]', '[2.e3]', '[9.e+]', '[Inf]', '[NaN]',
  '[\uff11]', '[1+2]', '[0x1]', '[0x42]', '[Infinity]', '[0e+-1]', '[-123.123foo]', '[-Infinity]',
  '[-foo]', '[- 1]', '[-012]', '[-.123]', '[-1x]', '[1ea]', '[1e\u00e5]', '[1.]', '[.123]',
  '[1.2a-3]', '[1.8011670033376514H-308]', '[012]', '[00]', '[-]', '[--1]', '[1e1.5]', '[1_000]',
  '[1,000.5.5]', '[1n]', '[0b1]', '[0o7]', '[1e--1]', '[1e+]', '[e1]', '[1 e1]', '[-0x1]',
  '[\u0661]', '[1f]', '[1L]', '[$1]', '[1%]', '-', '+',
  // Objects
  '["x", truth]', '{[: "x"}\n', '{"x", null}', '{"x"::"b"}', '{\ud83c\udde8\ud83c\udded}',
  '{"a":"a" 123}', "{key: 'value'}", '{"a" b}', '{:"b"}', '{"a" "b"}', '{"a":', '{"a"', '{1:1}',
  '{9999E9999:1}', '{null:null,null:null}', '{"id":0,,,,,}', "{'a':0}", '{"id":0,}',
  '{"a":"b"}/**/', '{"a":"b"}/**//', '{"a":"b"}//', '{"a":"b"}/', '{"a":"b",,"c":"d"}', '{a: "b"}',
  '{"a":"a', '{ "foo" : "bar", "a" }', '{"a":"b"}#', '{"a":1;"b":2}', '{"a"=1}', '{"a"=>1}',
  '{"a":1 "b":2}', '{,"a":1}', '{"a":}', '{"a"}', '{"a",}', '{true:1}', '{{}:1}', '{[]:1}',
  '{"a":1]', '{"a":[}', '{"a":(1)}', '{`a`:1}', '{"a":1}}',
  // Text
  '["\\uD800\\"]', '["\\uD800\\u"]', '["\\uD800\\u1"]', '["\\uD800\\u1x"]', '[\u00e9]', '["\\x00"]',
  '["\\\\\\"]', '["\\\t"]', '["\\\u{1f300}"]', '["\\"]', '["\\u00A"]', '["\\uD834\\uDd"]',
  '["\\uD800\\uD800\\x"]', '["\\u\u00e5"]', '["\\a"]', '["\\uqqqq"]', '["\\', '[\\u0020"asd"]',
  '[\\n]', '"', "['single quote']", 'abc', '["\\', '["\\UA66D"]', '"x"x"', '["a\nb"]', '["a\rb"]',
  '["\\0"]', '["\\v"]', '["\\\'"]', '["\\u{41}"]', '["\\u 041"]', '["\\u+041"]', '["\\u-041"]',
  '["\\101"]', '[`a`]', '[\u201ca\u201d]', '[a]', '["a" "b"]', '["a"+"b"]', '["a', 'a"', '[""a]',
  '["\\u004"', '["\\ud83d\\ude3"]', "['']", '[\\"a\\"]', '[/a/]',
  // By itself
  '[<null>]', '<.>', '[\u2060]', '[1]x', '[1]]', '["asd]', 'a\u00e5', '[True]', '1]', '{"x": true,',
  '[][]', ']', '\u00ef\u00bb\u00bf{}', '\u00ef\u00bb\u00bf', '[\u0000]', '2@', '{}}', '{"":',
  '{"a":/*comment*/"b"}', '{"a": true} "x"', "['", '[,', '[{', '["a', '["a"', '{', '{]', '{,', '{[',
  '{"a', "{'a'", '["\\{["\\{["\\{["\\{', '\u00e9', '*', '{"a":"b"}#{}', '[\\u000A""]', '[1',
  '[ false, nul', '[ true, fals', '[ false, tru', '{"asd":"asd"', '\u00e5', '//', '/**/', '/**/[]',
  '[]//', '[/**/]', '#', '<!--', '<a/>', '(1)', '[1] [2]', '1 2', ',', ':', ';', '=', '()', 'x',
  '\\', '\\u0031', '@', '{}{}', 'undefined', 'NaN', '[,'.repeat(1000), '[...[]]', 'new Date()',
  '{get a(){}}', 'function(){}', '[1];', 'a=[1]', ")]}',\n[]", 'while(1);[]', 'callback([])',
  '---\na: 1', 'a=1&b=2', '{"$": $}', '{"a":'.repeat(1000), '['.repeat(100_000),
  '[{"":'.repeat(50_000), '{'.repeat(1000), '}'.repeat(1000), '"'.repeat(1001), '['.repeat(33),
  `[${'1,'.repeat(1000)}]`, ...controls.map((control) => `["a${control}a"]`),
  ...controls.map((control) => `{"a${control}":1}`),
  ...spaces.flatMap((space) => [
    `${space}[]`, `[]${space}`, `[${space}1]`, `[1${space},2]`, `{${space}"a":1}`,
    `{"a"${space}:1}`, `[tr${space}ue]`, `[-${space}1]`,
  ]),
]

/**
 * Texts that some parsers accept, which must break nothing: the verdict as it is and as a field.
 */
// biome-ignore format: a table
const eitherWay: readonly (readonly [text: string, verdict: string])[] = [
  ['[123.456e-789]', '201'],
  ['[1e-400]', '201'],
  ['[-1e-10000000000000]', '201'],
  ['[-237462374673276894279832749832423479823246327846]', '422 validation_failed'],
  ['[100000000000000000000]', '201'],
  ['[-123123123123123123123123123123]', '422 validation_failed'],
  ['[9007199254740993]', '422 validation_failed'],
  ['[18446744073709551616]', '201'],
  // As JavaScript writes 2 ** 60.
  ['[1152921504606847000]', '201'],
  [`[0.${'1'.repeat(1000)}]`, '201'],
  [`[${'1'.repeat(308)}]`, '422 validation_failed'],
  [`[1${'0'.repeat(308)}]`, '422 validation_failed'],
  ['[0.4e00669999999999999999999999999999999999999999999999999999999999999999999999999999999999969999999006]', '422 validation_failed'],
  ['[-1e+9999]', '422 validation_failed'], ['[1.5e+9999]', '422 validation_failed'],
  ['[123123e100000]', '422 validation_failed'], ['[123123e100000000000]', '422 validation_failed'],
  ['[1.7976931348623159e308]', '422 validation_failed'],
  [`[1${'0'.repeat(309)}]`, '422 validation_failed'],
  [`[${'9'.repeat(900)}]`, '422 validation_failed'], ['["\\uD800"]', '422 validation_failed'],
  ['["\\uDADA"]', '422 validation_failed'], ['["\\uD888\\u1234"]', '422 validation_failed'],
  ['["\\uD800\\n"]', '422 validation_failed'], ['["\\uDd1ea"]', '422 validation_failed'],
  ['["\\uD800\\uD800\\n"]', '422 validation_failed'], ['["\\ud800abc"]', '422 validation_failed'],
  ['["\\uDd1e\\uD834"]', '422 validation_failed'], ['["\\uDFAA"]', '422 validation_failed'],
  ['{"\\uDFAA":0}', '422 validation_failed'],
  // The convention refuses these by name.
  ['["\\u0000"]', '422 validation_failed'],
  ['{"a\\u0000b":1}', '422 validation_failed'],
  ['["a\\u0000"]', '422 validation_failed'],
  ['{"a":"b","a":"c"}', '400 json_duplicate_key'],
  ['{"a":"b","a":"b"}', '400 json_duplicate_key'],
  ['{"a":1,"\\u0061":1}', '400 json_duplicate_key'],
  ['[{"":1,"":1}]', '400 json_duplicate_key'],
  ['{"a":{"b":1,"c":2,"b":3}}', '400 json_duplicate_key'],
  ['{"\\n":1,"\\u000a":2}', '400 json_duplicate_key'],
  ['{"__proto__":{}}', '400 json_forbidden_key'],
  ['{"\\u005f_proto__":null}', '400 json_forbidden_key'],
  ['[[{"__proto__":1}]]', '400 json_forbidden_key'],
  [nest(33), '400 json_too_deep'],
  [nest(500), '400 json_too_deep'],
  [nest(100_000), '400 json_too_deep'],
  [`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, '400 json_too_deep'],
]

const a = (code: number) => bytes('["', [code], '"]')
/** Texts that are no UTF-8, or that have another byte order mark. */
const bytewise: readonly Uint8Array[] = [
  ...[0x80, 0xbf, 0xc0, 0xc1, 0xe5, 0xe9, 0xf5, 0xfe, 0xff].map(a),
  bytes('["', [0xc0, 0xaf], '"]'),
  bytes('["', [0xe0, 0x80, 0xaf], '"]'),
  bytes('["', [0xe0, 0xff], '"]'),
  bytes('["', [0xed, 0xa0, 0x80], '"]'),
  bytes('["', [0xed, 0xa0, 0xb4, 0xed, 0xb4, 0x9e], '"]'),
  bytes('["', [0xf0, 0x80, 0x80, 0x80], '"]'),
  bytes('["', [0xf4, 0xbf, 0xbf, 0xbf], '"]'),
  bytes('["', [0xf8, 0x87, 0xbf, 0xbf, 0xbf], '"]'),
  bytes('["', [0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf], '"]'),
  bytes('["', [0xe6, 0x97, 0xa5, 0xd1, 0x88, 0xfa], '"]'),
  bytes('["', [0xf0, 0x9f, 0x98], '"]'),
  bytes('["', [0xc3], '"]'),
  bytes('["\\u', [0xe5], '"]'),
  bytes('["\\', [0xe5], '"]'),
  bytes('[', [0xe5], ']'),
  bytes('{"', [0xb9], '":"0",}'),
  bytes('{"', [0xff], '":1}'),
  bytes('[1', [0xe5], ']'),
  bytes('[1e', [0xe5], ']'),
  bytes('[0', [0xe5], ']'),
  bytes('[a', [0xe5], ']'),
  bytes([0xe5]),
  bytes([0xef, 0xbb, 0xbf]),
  bytes([0xef, 0xbb, 0xbf], '{"value":1}'),
  bytes([0xef, 0xbb], '{"value":1}'),
  bytes([0xfe, 0xff], '{"value":1}'),
  bytes([0xff, 0xfe]),
  bytes([0xff, 0xfe, 0, 0]),
  bytes([0xff, 0xfe], [...utf16('{"value":1}')]),
  utf16('{"value":1}'),
  bytes([0], [...utf16('{"value":1}')]),
  bytes([0x2b, 0x2f, 0x76, 0x38, 0x2d], '{"value":1}'),
  bytes([0, 0, 0xfe, 0xff], '{}'),
  bytes('{"value":1}', [0]),
  bytes([0], '{"value":1}'),
]

const refusals = ['400 json_invalid', '400 json_too_deep']

describe('what is JSON is taken', () => {
  for (const [text, value] of taken) {
    test(shown(text), async () => {
      for (const body of [wrapped(text), encode(wrapped(text))]) {
        const answer = await post(body)
        expect(verdictOf(answer)).toBe('201')
        expect(Reflect.get(Object(answer.body), 'value')).toEqual(value)
      }
      // No item by itself, but JSON nonetheless. An empty array creates nothing.
      const verdict = isDeepStrictEqual(value, []) ? '201' : '422 validation_failed'
      expect(verdictOf(await post(text))).toBe(verdict)
    })
  }
})

describe('what is no JSON is refused', () => {
  for (const text of new Set(invalid)) {
    test(shown(text), async () => {
      const bodies = [text, wrapped(text), `[${text}]`]
      for (const body of bodies) {
        expect(refusals, body.slice(0, 50)).toContain(verdictOf(await post(body)))
        if (body.isWellFormed())
          expect(refusals, body.slice(0, 50)).toContain(verdictOf(await post(encode(body))))
      }
    })
  }

  test.each(bytewise.map((body) => [shown(body), body] as const))('%s', async (_, body) => {
    expect(verdictOf(await post(body))).toBe('400 json_invalid')
  })

  // Cut off anywhere, nothing that is longer than a number means the same.
  test('a text that was cut off', async () => {
    const text = '{"value":[{"a\\u0061":"\\ud83d\\ude39"},[],-1.5e+3,true,null]}'
    expect(verdictOf(await post(text))).toBe('201')
    for (let end = 1; end < text.length; end++)
      expect(verdictOf(await post(text.slice(0, end)))).toBe('400 json_invalid')
  })

  test('a text with a byte that is none', async () => {
    const text = encode('{"value":["é",1]}')
    for (let at = 0; at <= text.length; at++) {
      const body = bytes([...text.slice(0, at)], [0xff], [...text.slice(at)])
      expect(verdictOf(await post(body))).toBe('400 json_invalid')
    }
  })
})

describe('what may be either is decided', () => {
  for (const [text, verdict] of eitherWay) {
    test(`${shown(text)}: ${verdict}`, async () => {
      expect(verdictOf(await post(wrapped(text)))).toBe(verdict)
      expect(verdictOf(await post(encode(wrapped(text))))).toBe(verdict)
      expect(verdictOf(await post(text))).toBe(
        verdict === '201' ? '422 validation_failed' : verdict,
      )
    })
  }

  test('a text that is no Unicode, handed over as such', async () => {
    const answer = await post('{"value":["\ud800"]}')
    expect(verdictOf(answer)).toBe('422 validation_failed')
    expect((answer.body as ProblemBody).issues).toMatchObject([{ pointer: '/value/0' }])
  })

  test.each(['', new Uint8Array()])('nothing is missing', async (body) => {
    expect(verdictOf(await post(body))).toBe('400 body_missing')
  })
})
