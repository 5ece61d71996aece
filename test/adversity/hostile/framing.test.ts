import { type RunningServer, serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { statuses } from '../../../src/convention/operations.ts'
import { companiesRegistry, employees } from '../../support/companies.ts'
import { exchange } from '../../support/socket.ts'

const gita = '{"name":"Gita","birthdate":"1991-04-09"}'
const host = 'Host: any.localhost'
const json = 'Content-Type: application/json'
const chunked = 'Transfer-Encoding: chunked'
const length = `Content-Length: ${gita.length}`
const size = gita.length.toString(16)
const whole = `${size}\r\n${gita}\r\n0\r\n\r\n`

/** A head of these lines, and what follows it. */
const message = (lines: readonly string[], rest = '') => `${lines.join('\r\n')}\r\n\r\n${rest}`
const get = (...lines: readonly string[]) => message(['GET /v1/employees HTTP/1.1', host, ...lines])
const first = (line: string) => message([line, host])
const post = (lines: readonly string[], rest = '') =>
  message(['POST /v1/employees HTTP/1.1', host, json, ...lines], rest)
const remove = (...lines: readonly string[]) =>
  message(['DELETE /v1/employees HTTP/1.1', host, ...lines])
const count = message(['GET /v1/employees/count HTTP/1.1', host])
const head = message(['HEAD /v1/employees HTTP/1.1', host])

/** Bytes, and their verdicts; a refusal is the last response. `+`: one more item is stored. */
type Row = readonly [bytes: string, ...verdicts: readonly string[]]

const bad = '400 bad_request'
const noHost = '400 bad_host'

const bodies: readonly Row[] = [
  [post([length], gita), '201', '+'],
  [post([chunked], whole), '201', '+'],
  [post(['Transfer-Encoding: Chunked'], whole), '201', '+'],
  [post(['TRANSFER-ENCODING: CHUNKED'], whole), '201', '+'],
  [post([chunked], `1\r\n{\r\n${(gita.length - 1).toString(16)}\r\n${gita.slice(1)}\r\n0\r\n\r\n`), '201', '+'],
  [post([chunked], `${size.toUpperCase()}\r\n${gita}\r\n000\r\n\r\n`), '201', '+'],
  [post([chunked], `000${size}\r\n${gita}\r\n0\r\n\r\n`), '201', '+'],
  [post([chunked], `${size};ext=1\r\n${gita}\r\n0;x\r\n\r\n`), '201', '+'],
  [post([chunked], `${size}\r\n${gita}\r\n0\r\nX-Trailer: 1\r\nContent-Type: text/plain\r\nHost: evil\r\n\r\n`), '201', '+'],
  [post([chunked], '0\r\n\r\n'), '400 body_missing'],
  [post(['Content-Length: 0']), '400 body_missing'],
  [post([]), '400 body_missing'],
  [post([length, `Content-Length: ${gita.length}`], gita), bad],
  [post(['Content-Length: 5', 'Content-Length: 6'], 'hello!'), bad],
  [post([length, chunked], whole), bad],
  [post([chunked, length], whole), bad],
  [post(['Content-Length: 42', chunked], '0\r\n\r\n'), bad],
  ...[
    '0x28', '-1', '+40', '40.0', '4e1', '40 40', '40,40', '40, 40', '40;', '"40"', 'x', '', ' ',
    '99999999999999999999999', '18446744073709551616', '4\u00b2', '４０', '40\u0000', '\u000b40',
  ].map((value): Row => [post([`Content-Length: ${value}`], gita), bad]),
  ...[
    'gzip, chunked', 'gzip', 'deflate, chunked', 'identity', 'identity, chunked',
    'chunked, identity', 'chunked, chunked', 'chunked, gzip', 'xchunked', 'chunkedx', 'chunk',
    '"chunked"', 'chunked;x=1', 'chunked,', ',chunked', '', 'x', 'chunked\u000b', '\u00a0chunked',
    'chunked\u00a0',
  ].map((value): Row => [post([`Transfer-Encoding: ${value}`], whole), bad]),
  [post([chunked, chunked], whole), bad],
  [post([chunked, 'Transfer-Encoding: gzip'], whole), bad],
  [post(['Transfer-Encoding : chunked'], whole), bad],
  [post([' Transfer-Encoding: chunked'], whole), bad],
  [post(['Transfer-Encoding:\r\n chunked'], whole), bad],
  [post(['Content-Length : 40'], gita), bad],
  [post(['Content-Length: 2\r\n 0'], gita), bad],
  ...[
    `zz\r\n${gita}`, `-1\r\n${gita}`, `0x28\r\n${gita}`, `+28\r\n${gita}`, ` 28\r\n${gita}`,
    `28 \r\n${gita}`, `"28"\r\n${gita}`, `\r\n${gita}`, `;x\r\n${gita}`, `28\n${gita}`,
    `28\r${gita}`, `28;\nx\r\n${gita}`, `28;a=\u0000\r\n${gita}`, `${'f'.repeat(17)}\r\n${gita}`,
    `5\r\nhello!\r\n0`, `${size}\r\n${gita}0`, `${size}\r\n${gita}\n0`,
    `${size}\r\n${gita}\r\n0\r\nbad trailer\r\n`, `${size}\r\n${gita}\r\n0\r\n: x\r\n`,
    `${size}\r\n${gita}\r\n0\r\nX\u0000: 1\r\n`,
  ].map((rest): Row => [post([chunked], `${rest}\r\n\r\n`), bad]),
  [post([chunked], `5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`), bad],
  [post([length, 'Expect: 100-continue'], gita), '201', '+'],
  [post([length, 'Expect: 100-CONTINUE'], gita), '201', '+'],
  ...['200-ok', '100-continue, x', 'x', '100', '100-continue;q=1', '"100-continue"']
    .map((value): Row => [post([length, `Expect: ${value}`], gita), '400 expectation_failed']),
  [post(['Content-Length: 9999999', 'Expect: 100-continue']), '400 body_too_large'],
  [post(['Content-Length: 9999999'], gita), '400 body_too_large'],
  [post(['Content-Type: text/plain', length], gita), '400 unsupported_media_type'],
  [`${remove('Content-Length: 2')}{}`, '400 body_not_allowed'],
  [`${remove(chunked)}2\r\n{}\r\n0\r\n\r\n`, '400 body_not_allowed'],
  [`${remove('Content-Length: 5', 'Content-Length: 0')}hello`, bad],
  [`${remove(chunked, 'Content-Length: 0')}0\r\n\r\n`, bad],
  [remove('Transfer-Encoding: identity'), bad],
  [remove('Expect: 200-ok'), '400 expectation_failed'],
] // biome-ignore format: rows

const heads: readonly Row[] = [
  [get(), '200'],
  [get('Connection: close'), '200'],
  [get('host2: x'), '200'],
  [message(['GET /v1/employees HTTP/1.0']), '200'],
  [message(['GET /v1/employees HTTP/1.0', host, host]), noHost],
  [message(['POST /v1/employees HTTP/1.0', host, json, chunked], whole), bad],
  [message(['GET /v1/employees HTTP/1.1']), noHost],
  [message(['DELETE /v1/employees HTTP/1.1']), noHost],
  [get('Host: b'), noHost],
  [get(host), noHost],
  [get('HOST: '), noHost],
  [message(['DELETE /v1/employees HTTP/1.1', 'Host: a', 'Host: b']), noHost],
  ...['a b', 'a/b', 'http://a', 'a@b', 'a:b', 'a:80:80', 'a,b c', '[::1', '::1]', 'a\\b', '<a>', 'a"', 'a?b', 'a#b', '{a}', 'a^', 'a|b', '\u00e9.example', 'a:80x', 'a: 80', 'user:pw@a'].map((name): Row => [message(['DELETE /v1/employees HTTP/1.1', `Host: ${name}`]), noHost]),
  ...[
    'a', 'A.EXAMPLE', 'a:80', 'a:', '[::1]', '[::1]:80', '127.0.0.1:3000', 'a_b', 'xn--e1afmkfd',
    '%41', "a!$&'()*+,;=b", '',
  ].map((name): Row => [message(['GET /v1/employees HTTP/1.1', `Host: ${name}`]), '200']),
  ...[
    'GET /v1/employees HTTP/2.0', 'GET /v1/employees HTTP/9.9', 'GET /v1/employees HTTP/1.2',
    'GET /v1/employees HTTP/0.9', 'GET /v1/employees HTTP/1', 'GET /v1/employees HTTP/11',
    'GET /v1/employees http/1.1', 'GET /v1/employees HTTPS/1.1', 'GET /v1/employees HTTP/1.1x',
    'GET /v1/employees HTTP/1.10', 'GET /v1/employees HTTP /1.1', 'GET /v1/employees ICE/1.0',
    'GET /v1/employees', 'GET', 'GET ', 'GET  HTTP/1.1', 'GET HTTP/1.1',
    'GET v1/employees HTTP/1.1', 'GET ?q=a HTTP/1.1', 'GET /v1/employees\u0000 HTTP/1.1',
    'GET /v1/emp\u0001loyees HTTP/1.1', 'GET /v1/employees/a\u007fb HTTP/1.1',
    'GET /v1/employees/\u00e9 HTTP/1.1', 'GET /v1/employees/a\tb HTTP/1.1',
    'GET /v1/employees/a b HTTP/1.1', 'GET\t/v1/employees HTTP/1.1', 'GET /v1/employees\tHTTP/1.1',
    ' GET /v1/employees HTTP/1.1', '\tGET /v1/employees HTTP/1.1',
    '\u0000GET /v1/employees HTTP/1.1', 'GET\u0000 /v1/employees HTTP/1.1',
    'DELETE /v1/employees HTTP/2.0', 'DELETE /v1/employees /7 HTTP/1.1',
    'DELETE /v1/employees HTTP/1.1 x', 'PRI * HTTP/2.0', 'FOO', 'HTTP/1.1 200 OK', 'EHLO a',
    'SSH-2.0-x', '{"a":1}', '\u0016\u0003\u0001', 'GET /v1/employees HTTP/1.1\rX: 1',
    'DELETE /v1/employees\rX HTTP/1.1', 'GET https HTTP/1.1', 'GET : HTTP/1.1', 'GET a:b HTTP/1.1',
  ].map((line): Row => [first(line), '400']),
  ...[
    'X : 1', ' X: 1', '\tX: 1', 'X', ': 1', 'X\u0000: 1', 'X: a\u0000b', 'X: a\u0001b',
    'X: a\u007fb', 'X\u00e9: 1', 'X y: 1', 'X\r: 1', 'X: a\rb', '(X): 1', 'X@: 1', 'X/: 1',
    'X[]: 1', '"X": 1', '{X}: 1', 'X;: 1', 'X: 1\r\n y', 'X: 1\r\n\ty', '=: 1', '<X>: 1',
    '\u0000: 1',
  ].flatMap((line): readonly Row[] => [[get(line), bad], [remove(line), bad]]),
  [get('X: \u00e9\u00ff'), '200'],
  [get('__proto__: x', 'constructor: y', 'toString: z', 'hasOwnProperty: 1'), '200'],
  [get('X:', 'Y: ', 'Z:\t', "!#$%&'*+-.^_`|~: 1"), '200'],
  [get('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==', 'Sec-WebSocket-Version: 13'), '200'],
  [get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'), '200'],
  [get('Connection: x, y, host, content-length'), '200'],
  [get(`X: ${'a'.repeat(20_000)}`), '400 headers_too_large'],
  [get(...Array.from({ length: 3000 }, (_, n) => `X${n}: 1`)), '400 headers_too_large'],
  [get(`${'X'.repeat(20_000)}: 1`), '400 headers_too_large'],
  [remove(`X: ${'a'.repeat(20_000)}`), '400 headers_too_large'],
  [`\r\n\r\n${get()}`, '200'],
  [get().replaceAll('\r\n', '\n'), '400'],
  [get().replace('\r\n', '\n'), '400'],
  [get().replaceAll('\r\n', '\r'), '400'],
] // biome-ignore format: rows

const sequences: readonly Row[] = [
  [get() + count, '200', '200'],
  [head + count, '200', '200'],
  [get() + head + count + head, '200', '200', '200', '200'],
  [get('Connection: close') + remove(), '200'],
  [message(['GET /v1/employees HTTP/1.0']) + remove(), '200'],
  [first('GET /v1/employees/%zz HTTP/1.1') + count, '400 bad_percent_encoding', '200'],
  [post(['Content-Length: 5'], 'hello') + count, '400 json_invalid', '200'],
  [post([chunked], '5\r\nhello\r\n0\r\n\r\n') + count, '400 json_invalid', '200'],
  [`${remove('Content-Length: 2')}{}${count}`, '400 body_not_allowed', '200'],
  // The server does not read on after a refusal, least of all the bytes of a body.
  [get('X\u0000: 1') + remove(), bad],
  [get(host) + remove(), noHost],
  [get() + first('GET /v1/employees HTTP/2.0') + remove(), '200', '400'],
  [`${get()}\u0000${remove()}`, '200', bad],
  [post(['Content-Length: 0', chunked], `0\r\n\r\n${remove()}`), bad],
  [post(['Content-Length: 6', chunked], `0\r\n\r\n${remove()}`), bad],
  [post(['Transfer-Encoding: xchunked'], `0\r\n\r\n${remove()}`), bad],
  [post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${remove()}`), bad],
  [post([`Content-Length: ${remove().length}`], remove()), '400 json_invalid'],
  [post([`Content-Length: ${remove().length}`, 'Content-Encoding: gzip'], remove()), '400 unsupported_encoding'],
  [message(['GET /v1/employees HTTP/1.1', host, `Content-Length: ${remove().length}`], remove()), '400 body_not_allowed'],
  [message(['HEAD /v1/employees HTTP/1.1', host, `Content-Length: ${remove().length}`], remove()), '400'],
  [message(['CONNECT any.example:80 HTTP/1.1', host], remove()), '400 bad_path'],
  [message(['OPTIONS /v1/employees HTTP/1.1', host, `Content-Length: ${remove().length}`], remove()) + count, '200', '200'],
  [post(['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk', length], gita), '201', '+'],
  [post(['Connection: Upgrade', 'Upgrade: h2c', chunked], whole), '201', '+'],
  [get('Expect: x') + remove(), '400 expectation_failed'],
] // biome-ignore format: rows

let server: RunningServer
beforeAll(async () => {
  server = await serve(companiesRegistry(), { port: 0, hosts: '*' })
})
afterAll(() => server.close())

async function countOf(): Promise<number> {
  const { answers } = await exchange(server.port, count)
  return JSON.parse(answers[0]?.text ?? '{}').count
}

describe.each([
  ['a body is framed one way', bodies],
  ['a head is HTTP/1.1', heads],
  ['requests follow one another, never a refusal', sequences],
])('%s', (_, rows) => {
  test.each(
    rows.map(
      ([bytes, ...verdicts]) => [JSON.stringify(bytes).slice(1, 150), bytes, verdicts] as const,
    ),
  )('%s', async (_, bytes, verdicts) => {
    const before = await countOf()
    const expected = verdicts.filter((verdict) => verdict !== '+')
    const heads = [
      ...bytes.matchAll(/(?:^|\r\n)(GET|HEAD|POST|DELETE|OPTIONS|CONNECT) \/?/g),
    ].flatMap(([, method], place) => (method === 'HEAD' ? [place] : []))
    // A surplus response on an open connection would be late: the count after it gives it time.
    const { answers } = await exchange(server.port, bytes, { count: expected.length, heads })
    const after = await countOf()
    const given = answers.map(({ status, text }, place) => {
      expect(statuses).toContain(status)
      const code = text === '' ? '' : (JSON.parse(text).code ?? '')
      return expected[place]?.includes(' ') ? `${status} ${code}` : `${status}`
    })
    expect(given).toEqual(expected)
    expect(after - before).toBe(verdicts.includes('+') ? 1 : 0)
  })
})

test('what was there is there at the end', async () => {
  expect(await countOf()).toBeGreaterThanOrEqual(employees.length)
})
