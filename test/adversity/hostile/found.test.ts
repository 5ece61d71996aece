import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const raw = { only: 'raw' } as const

// RFC 9110 §4.2: an authority has a host, and no user. A target without one deletes nothing.
const authorities: readonly Row[] = [
  '', '@', 'u@any.example', 'u:p@any.example', 'a@b@c', ':80', 'a:b', 'a:99999999', 'a%zz', '[::1',
  '::1', '[]', 'a:80:80',
].flatMap((authority): readonly Row[] => [
  [`DELETE http://${authority}/v1/employees`, '400 bad_path', raw],
  [`GET https://${authority}/v1/employees`, '400 bad_path', raw],
]) // biome-ignore format: rows

// Also a method that Node does not know is answered as everywhere.
const methods: readonly Row[] = [
  'Get', 'dELETE', 'DELETEX', 'XDELETE', 'DELET', 'FOO', '__proto__', 'constructor', 'toString',
  'D%45LETE', '1', '-',
].flatMap((method): readonly Row[] => [
  [`${method} /v1/employees`, '405 method_not_allowed', { ...(/^(?:get|delete)$/i.test(method) ? raw : {}), holds: ['"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"'] }],
  [`${method} /v1/employees/e-ada`, '405 method_not_allowed', /^(?:get|delete)$/i.test(method) ? raw : {}],
  [`${method} /v1/nowhere`, '404 unknown_resource', /^(?:get|delete)$/i.test(method) ? raw : {}],
  [`${method} /v1/employees/%zz`, '400 bad_percent_encoding', /^(?:get|delete)$/i.test(method) ? raw : {}],
]) // biome-ignore format: rows

const rest: readonly Row[] = [
  ...['application/json\u00a0', '\u00a0application/json', 'application/json\u00a0;charset=utf-8']
    .map((type): Row => [
      'POST /v1/employees',
      '400 unsupported_media_type',
      { body: '{"name":"Gita","birthdate":"1991-04-09"}', type },
    ]),
  ['HEAD /v1/employees/\u00e9', '400', raw],
  ['HEAD /v1/emp\u0001loyees', '400', raw],
  [`GET /v1/employees/${'a'.repeat(20_000)}`, '400 uri_too_long'],
  [`GET /v1/employees/${'a'.repeat(100_000)}`, '400 uri_too_long'],
  [`DELETE /v1/employees?${'a'.repeat(20_000)}`, '400 uri_too_long'],
] // biome-ignore format: rows

describe('an authority that cannot be names nothing', () => attack(authorities))
describe('a method that nobody knows is not allowed', () => attack(methods))
describe('what was found by trying is held', () => attack(rest))
