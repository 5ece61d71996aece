import type { Registry } from 'nounful'
import { explorer } from 'nounful/explorer'
import { openApiAt } from 'nounful/openapi'
import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const info = { title: 'Companies', version: '1.0.0' }
const documents = (registry: Registry) => [
  openApiAt('/openapi.json', registry, { info }),
  explorer(registry),
]

const both = ['memory', 'SQLite'] as const
const json = JSON.stringify
const raw = { only: 'raw' } as const
const parsed = { only: 'fetch' } as const
const ada = json({ name: 'Ada King', birthdate: '1815-12-10' })
const bulk = json([{ id: 'e-ada', name: 'Ada King', birthdate: '1815-12-10' }])
const wiped = json({ name: 'Wiped', birthdate: '1990-01-01' })

// Texts in place of an id, as programs without one, or with one of another kind, send them.
const blanks = [
  '%20', '%09', '%0a', '%0d%0a', '%C2%A0', '%E2%80%83', '%E3%80%80', '%E2%80%8B', '%EF%BB%BF',
  '%C2%AD', '%7F', '%C2%85', '%20%20', '+', '-', '_', '~', '*', '**', '%25', '%2A', '%3F', '%23',
  '%26', '%3D', '%2C', '%3B', '%5C', '%22%22', "''", '%7B%7D', '%5B%5D', '{}', '[]', '{id}', ':id',
  '%7Bid%7D', '$%7Bid%7D', '<id>', 'null', 'undefined', 'NaN', 'None', 'nil', 'false', 'true', '0',
  '-1', '-0', '[object%20Object]', '[object%20Promise]', '()=%3E1', 'all', 'ALL', 'any', 'me',
  'self', 'bulk', 'search', 'e-ada,e-alan', 'e-ada;e-alan', 'e-ada%20e-alan', 'e-ada|e-alan', 'e-*',
  'e-%25', '1-9', '..%2f', '%2f', '%2f..', '..%5c', '.%2f', '...', '%252e', '%252e%252e', '%2E%20',
  '.%C2%A0', ';', ';x=1', '.;', '..;', '..;x=1', ',', '%EF%BC%8E', '%EF%BC%8E%EF%BC%8E',
  '%E2%80%A4', '%E2%80%A6', '%E3%80%82', '%EF%BC%8F', '%E2%88%95', '%E2%81%84',
] // biome-ignore format: words

const blank: readonly Row[] = blanks.flatMap((id): readonly Row[] => [
  [`DELETE /v1/employees/${id}`, '404 not_found'],
  [`DELETE /v1/employees/${id}/`, '400 bad_path'],
  [`DELETE /v1/companies/c-acme/employees/${id}`, '404 not_found'],
  [`DELETE /v1/companies/${id}/employees`, '404 parent_not_found'],
  [`DELETE /v1/companies/${id}/customers/k-kay`, '404 parent_not_found'],
  [`PUT /v1/employees/${id}`, '404 not_found', { body: wiped }],
  [`PUT /v1/employees/${id}`, '422 validation_failed', { body: bulk }],
  [`PUT /v1/companies/${id}/employees`, '404 parent_not_found', { body: bulk }],
]) // biome-ignore format: rows

// An id that came out empty.
const empty: readonly Row[] = [
  '/v1/employees/', '/employees/', '/v1/companies/', '/v1/companies/c-acme/employees/',
  '/v1/companies/c-acme/customers/', '/v1/%65mployees/',
].flatMap((path): readonly Row[] => [
  [`DELETE ${path}`, '400 bad_path'],
  [`DELETE ${path}?`, '400 bad_path'],
  [`DELETE ${path}?q=x`, '400 bad_path'],
  [`DELETE ${path}`, '400 bad_path', { fields: [['prefer', 'max-affected=99']] }],
  [`DELETE ${path}`, '400 bad_path', { fields: [['if-match', '*']] }],
  [`DELETE ${path}`, '400 bad_path', { fields: [['accept', 'text/html']] }],
  [`DELETE ${path}`, '400 bad_path', { body: '{}' }],
  [`PUT ${path}`, '400 bad_path', { body: wiped }],
  [`PUT ${path}`, '400 bad_path', { body: bulk }],
  [`PUT ${path}`, '400 bad_path', { body: '[]' }],
  [`PUT ${path}?id=e-ada`, '400 bad_path', { body: wiped }],
  [`DELETE ${path.slice(0, -1)}//`, '404 unknown_resource'],
  [`DELETE ${path.slice(0, -1)}%2F`, '404 unknown_resource'],
  [`DELETE http://any.example${path}`, '400 bad_path', raw],
  [`DELETE ${path}.`, '400 bad_path', raw],
  [`DELETE ${path}..`, '400 bad_path', raw],
  [`DELETE ${path}%2e`, '400 bad_path', raw],
  [`DELETE ${path}%2e%2E`, '400 bad_path', raw],
  [`DELETE ${path}#`, '400 bad_path', raw],
  [`DELETE ${path}\\`, '400 bad_path', raw],
  [`DELETE ${path}./`, '400 bad_path', raw],
  [`DELETE ${path} `, '400 bad_path', raw],
]) // biome-ignore format: rows

// Targets that a URL parser shortens: the server sees only the rest.
const normalized: readonly Row[] = [
  ...[
    '/v1/employees/.', '/v1/employees/%2e', '/v1/employees/%2E', '/v1/employees/./',
    '/v1/employees/e-ada/..', '/v1/employees/e-ada/%2e%2e', '/v1/employees/e-ada/.%2E',
    '/v1/employees/e-ada/../', '/v1/companies/c-acme/employees/.',
    '/v1/companies/c-acme/employees/x/..', '/v1/companies/c-acme/..',
    '/v1/companies/c-acme/employees/../..', '/v1/employees/\t', '/v1/employees/\n',
    '/v1/employees/ ',
  ].flatMap((target): readonly Row[] => [
    [`DELETE ${target}`, '400 bad_path', parsed],
    [`PUT ${target}`, '400 bad_path', { ...parsed, body: bulk }],
  ]),
  ['DELETE /v1/employees/\\', '404 unknown_resource', parsed],
  ['PUT /v1/employees/\\', '404 unknown_resource', { ...parsed, body: bulk }],
  ['DELETE /v1/employees/..', '405 method_not_allowed', parsed],
  ['DELETE /v1/employees/%2e%2e', '405 method_not_allowed', parsed],
  ['DELETE /v1/companies/./employees', '404 not_found', parsed],
  ['DELETE /v1/companies/c-acme/../employees', '404 not_found', parsed],
  ['DELETE /v1/employees#', '400 bad_path', parsed],
  ['DELETE /v1/employees#e-ada', '400 bad_path', parsed],
  ['DELETE /v1/employees/#e-ada', '400 bad_path', parsed],
  ['DELETE /v1/employees?#', '400 bad_path', parsed],
  ['DELETE /v1/employees/e-ada#', '400 bad_path', parsed],
] // biome-ignore format: rows

const changed: readonly Row[] = [
  // A question mark, a semicolon, a number sign that was not encoded cuts an id off.
  ['DELETE /v1/employees?7', '400 unknown_parameter'],
  ['DELETE /v1/employees/?7', '400 bad_path'],
  ['DELETE /v1/employees?/7', '400 unknown_parameter'],
  ['DELETE /v1/employees;7', '404 unknown_resource'],
  ['DELETE /v1/employees&7', '404 unknown_resource'],
  ['DELETE /v1/employees=7', '404 unknown_resource'],
  ['DELETE /v1/employees#7', '400 bad_path', raw],
  ['DELETE /v1/employees%007', '400 bad_percent_encoding'],
  ['DELETE /v1/employees%0a/7', '404 unknown_resource'],
  ['DELETE /v1/employees/7?x', '400 unknown_parameter'],
  ['DELETE /v1/employees/7;x', '404 not_found'],
  ['DELETE /v1/employees/7%20', '404 not_found'],
  ['DELETE /v1/employees/7%00', '400 bad_percent_encoding'],
  ['DELETE /v1/employees/7.json', '404 not_found'],
  ['DELETE /v1/employees/7,e-ada', '404 not_found'],
  ['DELETE /v1/employees/7/e-ada', '404 unknown_resource'],
  ['DELETE /v1/employees/7//', '404 unknown_resource'],
  ['DELETE /v1/employees//7', '404 unknown_resource'],
  ['DELETE /v1/employees/7', '200 7', { changes: ['-employees/7'] }],
  ['DELETE /v1/employees/%37', '200 7', { changes: ['-employees/7'] }],
  // Nothing but DELETE deletes, and nothing but PUT and PATCH changes.
  ...['DELETE', 'PUT'].map((method): Row => [
    'PATCH /v1/employees/e-ada',
    '200 e-ada',
    { body: ada, fields: [['x-http-method-override', method]], changes: ['~employees/e-ada'] },
  ]),
  ...['POST', 'PURGE', 'MOVE', 'UNLINK', 'REPORT', 'QUERY', 'LOCK']
    .flatMap((method): readonly Row[] => [
      [`${method} /v1/employees/e-ada`, '405 method_not_allowed', { body: ada, fields: [['x-http-method-override', 'DELETE']] }],
      [`${method} /v1/employees/e-ada`, '405 method_not_allowed', { body: ada, fields: [['x-http-method-override', 'PUT']] }],
    ]),
  ['POST /v1/employees', '422 validation_failed', { body: bulk }],
  ['POST /v1/employees', '422 validation_failed', { body: json({ id: 'e-ada', name: 'Overwritten', birthdate: '1990-01-01' }) }],
  ['PUT /v1/employees', '422 validation_failed', { body: ada }],
  ['PUT /v1/employees/e-ada', '422 validation_failed', { body: bulk }],
  ['PUT /v1/employees/e-new', '404 not_found', { body: ada }],
  ['PUT /v1/employees', '404 not_found', { body: json([{ id: 'e-new', name: 'New', birthdate: '1990-01-01' }]) }],
  ['PUT /v1/companies/c-acme', '422 validation_failed', { body: json({ name: 'Acme', employees: [], customers: [] }) }],
  ['PUT /v1/companies/c-acme', '200 c-acme', { body: json({ name: 'Acme!' }), changes: ['~companies/c-acme'] }],
  ['PUT /v1/employees/e-ada', '400 bad_request', { body: ada, fields: [['content-range', 'items 0-0/4']] }],
  ['DELETE /v1/employees/e-ada', '200 e-ada', { fields: [['range', 'items=0-3'], ['depth', 'infinity'], ['content-range', 'items 0-3/4']], changes: ['-employees/e-ada'] }],
  ...['GET', 'HEAD', 'OPTIONS'].flatMap((method): readonly Row[] => ['DELETE', 'PUT']
    .map((other): Row => [
      `${method} /v1/employees/e-ada`,
      method === 'HEAD' ? '200' : method === 'GET' ? '200 e-ada' : '200 allow',
      { fields: [['x-http-method-override', other], ['access-control-request-method', other]] },
    ])),
] // biome-ignore format: rows

const beside: readonly Row[] = ['DELETE', 'PUT', 'POST', 'PATCH', 'PURGE']
  .flatMap((method): readonly Row[] => [
    ...['/openapi.json', '/openapi.json?']
      .map((path): Row => [`${method} ${path}`, '405 method_not_allowed']),
    ...[
      '/openapi.json/', '/openapi.json/employees', '/_explorer', '/_explorer/',
      '/_explorer/script.js', '/_explorer/employees', '/%5fexplorer/employees', '/docs',
    ].map((path): Row => [`${method} ${path}`, '404 unknown_resource']),
    ...['/_explorer/../v1/employees', '/openapi.json/../v1/employees', '/v1/../openapi.json']
      .map((path): Row => [`${method} ${path}`, '400 bad_path', raw]),
  ]) // biome-ignore format: rows

// Browsers, as far as a page is what they want.
const asBrowser = (rows: readonly Row[]) =>
  rows.map(
    ([request, verdict, more]): Row => [
      request,
      verdict,
      { ...more, fields: [...(more?.fields ?? []), ['accept', 'text/html']] },
    ],
  )
const writes = (rows: readonly Row[]) =>
  rows.filter(([request]) => /^(?:PUT|DELETE|POST|PATCH|MOVE) /.test(request))

describe('what names nothing deletes nothing', () => attack([...blank, ...empty, ...normalized]))
describe('what names one thing changes nothing else', () => attack(changed, both))
describe('layers let no more through', () => {
  attack([...empty, ...normalized, ...changed, ...beside], ['memory'], documents)
  attack(asBrowser(writes([...empty, ...changed])), ['memory'], documents)
})
