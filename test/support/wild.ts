import fc from 'fast-check'
import type { HttpRequest } from 'nounful'
import { sequence } from './requests.ts'
import { anyOf, text } from './texts.ts'

/** Anything, most of it what breaks things. */
const piece = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  // biome-ignore format: one list
  {
    weight: 6,
    arbitrary: anyOf(
      '/', '//', '?', '??', '&', '&&', '=', ';', ',', '#', '%', '%2', '%zz', '%00', '%2F', '%2f..',
      '%C0%AF', '%ED%A0%80', '%F0%9F%98%80', '+', '.', '..', '/..', '/.', '%2e%2e', '\\', '\0',
      '\r\n', '\r\nx: y', ' ', '\t', '"', "'", '`', '{', '}', '[', ']', '[]', ':', '@', '*', '$',
      '|', '<script>', '__proto__', 'constructor', 'toString', 'first', 'last', 'count', 'v1', 'v2',
      'null', 'undefined', 'NaN', '-1', '1e400', '1e3', '0', '\ufeff', '\u2028', '\ud800', 'é',
      '%c3%a9', '𐐀', 'x'.repeat(300), '/a'.repeat(300), '%61'.repeat(1500), '('.repeat(50), 'q=a',
      'sort=-', 'sort=label,label', 'limit=0', 'limit=1', 'limit=1001', 'after=x', 'x=1', 'q=a&q=b',
    ),
  },
)
/** A few words that keep a request in shape. */
const part = fc.array(piece, { minLength: 1, maxLength: 2 }).map((parts) => parts.join(''))

const method = fc.oneof(
  { weight: 9, arbitrary: anyOf('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS') },
  {
    weight: 2,
    arbitrary: anyOf(
      'PATCH', 'TRACE', 'CONNECT', 'get', 'QUERY', '', 'G T', 'M'.repeat(3000), '__proto__',
    ),
  }, // biome-ignore format: one list
  { weight: 1, arbitrary: part },
)

/** A header that means something, or nothing. */
const header: fc.Arbitrary<readonly [name: string, value: string | string[]]> = fc.oneof(
  fc.tuple(
    anyOf('content-type'),
    anyOf(
      'application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON ; CHARSET="UTF-8"',
      'text/plain', 'application/json; charset=latin1', 'application/json,text/html',
      'multipart/form-data', '', ';', `application/json${';'.repeat(200)}`, 'application/json;a="b',
      'application/problem+json', 'application/json;charset=utf-8;charset=utf-8',
    ), // biome-ignore format: one list
  ),
  fc.tuple(
    anyOf('if-match', 'if-none-match'),
    anyOf(
      '*',
      '"1"',
      'W/"1"',
      '"2", "1"',
      '"',
      '""',
      '*, "1"',
      ',',
      '1',
      `${'"a",'.repeat(500)}"1"`,
    ),
  ),
  fc.tuple(
    anyOf('prefer'),
    anyOf(
      'max-affected=0', 'max-affected=1', 'max-affected=100', 'max-affected', 'max-affected=-1',
      'max-affected=1e3', 'MAX-AFFECTED="2"', 'wait, max-affected=2;x=y', 'x="max-affected=1',
      `max-affected=${'9'.repeat(99)}`,
    ), // biome-ignore format: one list
  ),
  fc.tuple(anyOf('content-length'), anyOf('0', '1', '-1', 'x', '1048577', '99999999999999999999')),
  fc.tuple(anyOf('content-encoding'), anyOf('gzip', 'identity', 'IDENTITY', 'br, gzip', '')),
  fc.tuple(
    anyOf(
      'accept', 'content-range', 'range', 'expect', 'host', 'x-http-method-override',
      'if-modified-since', 'transfer-encoding', 'authorization', 'cookie', 'x-request-id',
    ), // biome-ignore format: one list
    fc.oneof(part, anyOf('DELETE', 'bytes=0-1', 'text/html', '100-continue', '')),
  ),
  fc.tuple(part, part),
  fc.tuple(
    anyOf('If-Match', 'content-type', 'prefer', '__proto__'),
    fc.array(part, { maxLength: 3 }),
  ),
)

const json = fc.oneof(
  fc.json(),
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify([value, { id: value }])),
  anyOf(
    '', ' ', '[]', '{}', 'null', '[[[[', '{"a":1,"a":2}', '{"__proto__":{"id":1}}',
    '[{"id":{"toString":1}}]', '{"id":"first","name":"a"}', '"\\ud800"', '{"name":"\\u0000"}',
    '[1e400]', '{"":0,"\\\\":1}', '{"name":"a","\\u0062":1}', '['.repeat(3000),
    `{"name":"${'x'.repeat(3000)}"}`, `[${'{},'.repeat(1200)}{}]`,
    `{${Array.from({ length: 300 }, (_, at) => `"k${at}":${at}`)}}`,
  ), // biome-ignore format: one list
)
const body: fc.Arbitrary<HttpRequest['body']> = fc.oneof(
  fc.constant(undefined),
  json,
  part,
  fc.uint8Array({ maxLength: 20 }),
  json.map((given) => new TextEncoder().encode(given)),
)

/** As a client would write it, most of the time. */
const inUrl = fc.oneof(
  { weight: 2, arbitrary: piece.map((given) => encodeURIComponent(given.toWellFormed())) },
  { weight: 1, arbitrary: part },
)

/** The place of a change in a text, as a part of its length. */
const place = fc.double({ min: 0, max: 1, noNaN: true })

/** A change of a valid request. */
type Mutation = (request: HttpRequest) => HttpRequest

const none: Mutation = (request) => request
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(none) },
  {
    weight: 1,
    arbitrary: method.map(
      (method): Mutation =>
        (request) => ({ ...request, method }),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(place, piece, anyOf(0, 0, 1, 3, 1000)).map(
      ([at, given, gone]): Mutation =>
        (request) => ({
          ...request,
          url: splice(request.url, at, { given, gone }),
        }),
    ),
  },
  {
    weight: 2,
    arbitrary: inUrl.map(
      (given): Mutation =>
        (request) => ({
          ...request,
          url: `${request.url}${request.url.includes('?') ? '&' : '?'}${given}`,
        }),
    ),
  },
  {
    weight: 3,
    arbitrary: header.map(
      ([name, value]): Mutation =>
        (request) => ({ ...request, headers: { ...request.headers, [name]: value } }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(place, piece, anyOf(0, 1, 3, 1000)).map(
      ([at, given, gone]): Mutation =>
        (request) =>
          typeof request.body === 'string'
            ? { ...request, body: splice(request.body, at, { given, gone }) }
            : request,
    ),
  },
  {
    weight: 2,
    arbitrary: body.map(
      (body): Mutation =>
        (request) => ({ ...request, body }),
    ),
  },
)

function splice(
  text: string,
  at: number,
  { given, gone }: { readonly given: string; readonly gone: number },
): string {
  const start = Math.round(at * text.length)
  return text.slice(0, start) + given + text.slice(start + gone)
}

/** A request that has little to do with the convention. */
const arbitrary: fc.Arbitrary<HttpRequest> = fc.record({
  method,
  url: fc.oneof(
    part.map((given) => `/${given}`),
    fc.array(inUrl, { maxLength: 4 }).map((parts) => `/v1/${parts.join('/')}`),
    part,
    anyOf('*', '', '/', 'http://x', 'https://x/v1/parts?q=a', 'HTTP://[::1', 'x:/v1/parts'),
  ),
  headers: fc.array(header, { maxLength: 4 }).map((all) => Object.fromEntries(all)),
  body,
})

/** A series of requests for the resources of peers.ts: most have a fault, and a few are random. */
export const wildRequests: fc.Arbitrary<readonly HttpRequest[]> = fc
  .tuple(
    sequence,
    fc.array(fc.array(mutation, { maxLength: 2 }), { minLength: 40, maxLength: 40, size: 'max' }),
    fc.array(arbitrary, { maxLength: 4 }),
  )
  .map(([steps, mutations, others]) => [
    ...steps.flatMap((step, place) =>
      'goOn' in step
        ? (others[step.goOn] ?? [])
        : (mutations[place] ?? []).reduce((request, mutate) => mutate(request), step),
    ),
    ...others,
  ])
