import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpBody, HttpRequest } from '../../src/contract/resource/http.ts'
import { defaultLimits } from '../../src/convention/limits.ts'
import { bodyTooLarge, problem } from '../../src/convention/problem.ts'
import { formatBody, jsonType, parseBody, refuseAnyBody } from '../../src/wire/body.ts'
import { codeOf, problemOf, thrownBy } from '../contract/thrown.ts'
import { isHeld } from '../support/held.ts'

const limits = { ...defaultLimits, body: 20, depth: 2 }
const bytes = (text: string) => new TextEncoder().encode(text)

function request(body: HttpBody | undefined, type: string | undefined = jsonType): HttpRequest {
  return { method: 'POST', url: '/employees', headers: { 'content-type': type }, body }
}

describe('a body is JSON in UTF-8', () => {
  const bodies = [
    ['{"name":"Ann"}', { name: 'Ann' }],
    ['[1,"ä😀"]', [1, 'ä😀']],
    ['null', null],
  ] as const
  for (const [text, value] of bodies) {
    test(`reads and writes ${text}`, () => {
      expect(formatBody(value)).toEqual({ headers: { 'content-type': jsonType }, body: text })
      expect(parseBody(request(text), limits)).toEqual(value)
      expect(parseBody(request(bytes(text)), limits)).toEqual(value)
      expect(
        parseBody(
          request(() => text),
          limits,
        ),
      ).toEqual(value)
    })
  }

  const reads: readonly (readonly [string, HttpBody, unknown])[] = [
    ['a parsed object', { name: 'Ann' }, { name: 'Ann' }],
    ['a parsed array', [1], [1]],
    ['an empty object', {}, {}],
    ['a function that gives bytes', () => bytes('{}'), {}],
    ['a function that gives an object', () => ({ a: 1 }), { a: 1 }],
    ['a text of just the limit', `"${'a'.repeat(18)}"`, 'a'.repeat(18)],
    ['bytes of just the limit', bytes(`"${'ä'.repeat(9)}"`), 'ä'.repeat(9)],
  ]
  for (const [name, body, value] of reads) {
    test(`reads ${name}`, () => expect(parseBody(request(body), limits)).toEqual(value))
  }

  test('reads what comes later', async () => {
    const body = parseBody(
      request((limit) => Promise.resolve(`{"limit":${limit}}`)),
      limits,
    )
    expect(body).toBeInstanceOf(Promise)
    expect(await body).toEqual({ limit: 20 })
  })

  test('passes on what its reader throws', async () => {
    const tooLarge = bodyTooLarge(1)
    const read = () => Promise.reject(tooLarge)
    await expect(parseBody(request(read), limits)).rejects.toBe(tooLarge)
  })

  const refuses: readonly (readonly [string, HttpBody | undefined, string])[] = [
    ['no body', undefined, 'body_missing'],
    ['an empty text', '', 'body_missing'],
    ['no bytes', new Uint8Array(), 'body_missing'],
    ['a reader of nothing', () => '', 'body_missing'],
    ['white space', ' ', 'json_invalid'],
    ['a byte order mark', '\ufeff{}', 'json_invalid'],
    ['a byte order mark in bytes', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), 'json_invalid'],
    ['UTF-16', Uint8Array.of(0x7b, 0, 0x7d, 0), 'json_invalid'],
    ['Latin-1', Uint8Array.of(0x22, 0xe4, 0x22), 'json_invalid'],
    ['an overlong slash', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), 'json_invalid'],
    ['an encoded surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'json_invalid'],
    ['a cut character', Uint8Array.of(0x22, 0xf0, 0x9f, 0x98, 0x22), 'json_invalid'],
    ['a form', 'name=Ann', 'json_invalid'],
    ['a key twice', '{"a":1,"a":2}', 'json_duplicate_key'],
    ['a forbidden key', '{"__proto__":1}', 'json_forbidden_key'],
    ['a deep text', '[[[]]]', 'json_too_deep'],
    ['a deep value', [[[]]], 'json_too_deep'],
    ['a forbidden key in a value', JSON.parse('{"__proto__":1}'), 'json_forbidden_key'],
    ['a lone surrogate in a value', { a: '\ud800' }, 'validation_failed'],
    ['a text over the limit', `"${'a'.repeat(19)}"`, 'body_too_large'],
    ['a text over the limit in bytes', `"${'ä'.repeat(10)}"`, 'body_too_large'],
    ['bytes over the limit', bytes(`"${'a'.repeat(19)}"`), 'body_too_large'],
    ['a reader that ignores the limit', () => `"${'a'.repeat(19)}"`, 'body_too_large'],
  ]
  for (const [name, body, code] of refuses) {
    test(`refuses ${name}`, () => {
      expect(codeOf(() => parseBody(request(body), limits))).toBe(code)
    })
  }

  test('tells octets that are no text from text that is no JSON', () => {
    const messageOf = (body: HttpBody) => problemOf(() => parseBody(request(body), limits)).message
    expect(messageOf(Uint8Array.of(0x22, 0xe4, 0x22))).toBe('The body is not valid UTF-8.')
    expect(messageOf('{')).toBe('Invalid JSON at line 1, column 2: expected a key in quotes.')
  })

  const lengths = [
    ['20', undefined],
    ['21', 'body_too_large'],
    ['1e9', 'body_too_large'],
    ['none', undefined],
  ] as const
  for (const [length, code] of lengths) {
    test(`content-length ${length}: ${code ?? 'read'}`, () => {
      const headers = { 'content-type': jsonType, 'content-length': length }
      const read = () => parseBody({ ...request('{}'), headers }, limits)
      if (code === undefined) expect(read()).toEqual({})
      else expect(codeOf(read)).toBe(code)
    })
  }

  test('what was written is read', () => {
    const json = fc
      .jsonValue()
      .filter((value) => isHeld(value) && !/\\u0000|__proto__/.test(JSON.stringify(value)))
    fc.assert(
      fc.property(json, (value) => {
        const { headers, body } = formatBody(value)
        const read = parseBody({ method: 'PUT', url: '/', headers, body }, defaultLimits)
        expect(read).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('a body is declared application/json', () => {
  const types = [
    'application/json',
    'Application/JSON',
    ' application/json ',
    'application/json;',
    'application/json ; ;\t;',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; CHARSET="Utf-8" ',
    'application/json; profile="a;b, \\"c\\""; charset=utf-8; version=1',
    `application/json${';'.repeat(240)}`,
  ]
  for (const type of types) {
    test(`as ${JSON.stringify(type.slice(0, 60))}`, () => {
      expect(parseBody(request('{}', type), limits)).toEqual({})
    })
  }

  const others = [
    '',
    ';',
    'text/plain',
    'application/jsonp',
    'application/problem+json',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=application/json',
    'text/plain; application/json',
    'text/html, application/json',
    'application/json, application/json',
    'application/json charset=utf-8',
    'application/json; charset',
    'application/json; charset=',
    'application/json; charset=""',
    'application/json; charset=utf8',
    'application/json; charset=utf-8x',
    'application/json; charset=x-utf-8',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset="utf-8',
    "application/json; charset='utf-8'",
    'application/json; charset = utf-8',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json; charset=utf-8; charset=latin1',
    'application/json; charset=utf-8 x',
    'application/json; ü=1',
    `application/json${';'.repeat(241)}`,
    `application/json${';'.repeat(10_000)}`,
    `application/json; a="${'\\"'.repeat(10_000)}`,
    'аpplication/json',
    'application/json\0',
  ]
  for (const type of others) {
    test(`not as ${JSON.stringify(type.slice(0, 60))}`, () => {
      expect(codeOf(() => parseBody(request('{}', type), limits))).toBe('unsupported_media_type')
    })
  }

  test('not by saying nothing', () => {
    const silent = { method: 'POST', url: '/', body: '{}' }
    expect(codeOf(() => parseBody(silent, limits))).toBe('unsupported_media_type')
    expect(codeOf(() => parseBody({ ...silent, headers: {} }, limits))).toBe(
      'unsupported_media_type',
    )
  })

  test('not twice', () => {
    const headers = { 'content-type': [jsonType, 'text/plain'] }
    expect(codeOf(() => parseBody({ ...request('{}'), headers }, limits))).toBe(
      'unsupported_media_type',
    )
  })

  const encodings = [
    ['identity', undefined],
    ['Identity', undefined],
    ['gzip', 'unsupported_encoding'],
    ['identity, gzip', 'unsupported_encoding'],
    ['', undefined],
    [' , ', undefined],
  ] as const
  for (const [encoding, code] of encodings) {
    test(`content-encoding ${JSON.stringify(encoding)}: ${code ?? 'read'}`, () => {
      const headers = { 'content-type': jsonType, 'content-encoding': encoding }
      const read = () => parseBody({ ...request('{}'), headers }, limits)
      if (code === undefined) expect(read()).toEqual({})
      else expect(codeOf(read)).toBe(code)
    })
  }
})

describe('an operation without a body refuses one', () => {
  const fine: readonly (HttpBody | undefined)[] = [undefined, '', new Uint8Array(), () => '']
  for (const body of fine) {
    test(`not ${typeof body} of nothing`, () => {
      expect(refuseAnyBody(request(body))).toBeUndefined()
    })
  }

  test('not nothing that comes later', async () => {
    expect(await refuseAnyBody(request(() => Promise.resolve('')))).toBeUndefined()
  })

  const large = () => {
    throw bodyTooLarge(0)
  }
  const others: readonly (readonly [string, HttpBody])[] = [
    ['a text', '{}'],
    ['white space', ' '],
    ['bytes', Uint8Array.of(0)],
    ['an object', {}],
    ['a reader of a text', () => 'x'],
    ['a reader that stops at once', large],
  ]
  for (const [name, body] of others) {
    test(`as ${name}`, () => {
      expect(codeOf(() => refuseAnyBody(request(body)))).toBe('body_not_allowed')
    })
  }

  test('as a text that comes later', async () => {
    const code = 'body_not_allowed'
    await expect(refuseAnyBody(request(async () => 'x'))).rejects.toMatchObject({ code })
    await expect(refuseAnyBody(request(async () => large()))).rejects.toMatchObject({ code })
  })

  for (const error of [problem('request_timeout'), new Error('cut')]) {
    test(`and passes on ${error.message}`, () => {
      const read = () => {
        throw error
      }
      expect(thrownBy(() => refuseAnyBody(request(read)))).toBe(error)
    })
  }
})
