import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const gita = '{"name":"Gita","birthdate":"1991-04-09"}'
const all = '200 [7 e-ada e-alan e-grace]'
const everyone = ['-employees/7', '-employees/e-ada', '-employees/e-alan', '-employees/e-grace']
const raw = { only: 'raw' } as const

describe('what is right is done', () => {
  attack(
    [
      ['GET /v1/employees', all, { holds: ['Ada Lovelace', 'Alan Turing'] }],
      ['GET /employees', all],
      ['GET /v1/employees/', all],
      ['GET /v1/employees?', all],
      ['GET /v1/employees/?', all],
      ['GET /v1/employees/?q=turing', '200 [e-alan]'],
      ['GET /v1/employees/e-ada', '200 e-ada'],
      ['GET /v1/employees/e-ada/', '200 e-ada'],
      ['GET /employees/e-ada', '200 e-ada'],
      ['GET /v1/employees/first', '200 7'],
      ['GET /v1/employees/first/', '200 7'],
      ['GET /v1/employees/last', '200 e-grace'],
      ['GET /v1/employees/count', '200 count 4'],
      ['GET /v1/employees/count/?q=a', '200 count 3'],
      ['GET /v1/companies/c-acme/employees', '200 [e-ada e-alan]'],
      ['GET /v1/companies/c-acme/employees/?sort=-birthdate', '200 [e-alan e-ada]'],
      ['GET /v1/companies/c-acme/employees/e-ada', '200 e-ada'],
      ['GET /v1/companies/c-acme/employees/count', '200 count 2'],
      ['GET /v1/companies/c-acme/customers/?q=Kay', '200 [k-kay]'],
      ['GET /v1/companies/c-umbra/employees', '200 []'],
      ['POST /v1/employees', '201 n1', { body: gita, changes: ['+employees/n1'], holds: ['"/v1/employees/n1"'] }],
      ['POST /v1/employees/', '201 n1', { body: gita, changes: ['+employees/n1'], holds: ['"/v1/employees/n1"'] }],
      ['POST /employees', '201 n1', { body: gita, changes: ['+employees/n1'], holds: ['"/v1/employees/n1"'] }],
      ['POST /v1/companies/c-acme/customers', '201 n1', { body: '{"name":"Mo"}', changes: ['+customers/n1'], holds: ['"/v1/companies/c-acme/customers/n1"'] }],
      ['PUT /v1/employees/e-ada', '200 e-ada', { body: gita, changes: ['~employees/e-ada'] }],
      ['PUT /v1/employees/e-ada', '200 e-ada', { body: gita, framing: 'chunked', changes: ['~employees/e-ada'] }],
      ['PUT /v1/employees', '200 [e-ada]', { body: '[{"id":"e-ada","name":"A","birthdate":"1815-12-10"}]', changes: ['~employees/e-ada'] }],
      ['PUT /v1/employees', '200 []', { body: '[]' }],
      ['DELETE /v1/employees/e-ada', '200 e-ada', { changes: ['-employees/e-ada'] }],
      ['DELETE /v1/employees', '200 deleted 4', { changes: everyone }],
      ['DELETE /employees', '200 deleted 4', { changes: everyone }],
      ['DELETE /v1/companies/c-acme/employees', '200 deleted 2', { changes: ['-employees/e-ada', '-employees/e-alan'] }],
      ['DELETE /v1/companies/c-umbra/employees', '200 deleted 0'],
      ['DELETE /v1/companies/c-umbra', '200 c-umbra', { changes: ['-companies/c-umbra'] }],
      ['DELETE /v1/companies/c-acme', '409 conflict'],
      ['DELETE /v1/companies', '409 conflict'],
      ['HEAD /v1/employees', '200'],
      ['OPTIONS /v1/employees', '200 allow'],
    ],
    ['memory', 'SQLite'],
  )
}) // biome-ignore format: rows

const escapes: readonly Row[] = [
  ...[
    '%', '%z', '%zz', '%2', '%u0041', '%-1', '%+1', '% 1', 'abc%', 'abc%4', '%%', '%25%', 'x%2g',
    '%0x41',
  ].flatMap((id): readonly Row[] => [
    [`GET /v1/employees/${id.replace(' ', '%20%')}`, '400 bad_percent_encoding'],
    [`DELETE /v1/employees/${id.replace(' ', '%20%')}`, '400 bad_percent_encoding'],
  ]),
  // Overlong, beyond Unicode, surrogates, cut off, alone.
  ...[
    '%C0%AF', '%C0%80', '%C1%BF', '%E0%80%AF', '%F0%80%80%AF', '%F4%90%80%80', '%F5%80%80%80',
    '%ED%A0%80', '%ED%BF%BF', '%ED%A0%BD%ED%B8%80', '%80', '%BF', '%FE', '%FF', '%C3', '%E2%82',
    '%F0%9F%98', '%C3%28', '%E2%28%A1', 'e-ada%FF', '%FFe-ada', '%A9',
  ].map((id): Row => [`GET /v1/employees/${id}`, '400 bad_percent_encoding']),
  ['GET /v1/%/x', '400 bad_percent_encoding'],
  ['GET /%/employees', '400 bad_percent_encoding'],
  ['GET /%C0%AF/employees', '400 bad_percent_encoding'],
  ['GET /v1/companies/%ff/employees', '400 bad_percent_encoding'],
  ['DELETE /v1/companies/%ff/employees', '400 bad_percent_encoding'],
  ['DELETE /v1/employees%', '400 bad_percent_encoding'],
  ['DELETE /v1/employees%C0', '400 bad_percent_encoding'],
  // NUL ends texts elsewhere.
  ['GET /v1/employees/e-ada%00', '400 bad_percent_encoding', { lacks: ['Lovelace'] }],
  ['GET /v1/employees/%00e-ada', '400 bad_percent_encoding'],
  ['GET /v1/employees/%00', '400 bad_percent_encoding'],
  ['DELETE /v1/employees/e-ada%00', '400 bad_percent_encoding'],
  ['DELETE /v1/employees%00', '400 bad_percent_encoding'],
  ['DELETE /v1/employees/%00', '400 bad_percent_encoding'],
  ['GET /v1%00/employees', '400 bad_percent_encoding'],
  // The server decodes a segment once, not twice.
  ['GET /v1/employees/%252e%252e', '404 not_found'],
  ['GET /v1/employees/%252F', '404 not_found'],
  ['GET /v1/employees/%2500', '404 not_found'],
  ['GET /v1/employees/%25zz', '404 not_found'],
  ['GET /v1/employees/e%252dada', '404 not_found'],
  ['GET /v1/employees/%2566irst', '404 not_found'],
  ['DELETE /v1/employees/%252e', '404 not_found'],
  ['DELETE /v1/employees/%2520', '404 not_found'],
  // An encoded delimiter is part of its segment.
  ['GET /v1/companies/c-acme%2Femployees', '404 not_found', { lacks: ['Lovelace'] }],
  ['GET /v1/companies%2Fc-acme/employees', '404 unknown_resource'],
  ['GET /v1/employees%2Fe-ada', '404 unknown_resource'],
  ['GET /v1%2Femployees', '404 unknown_version'],
  ['GET /v1%2femployees/e-ada', '404 unknown_version'],
  ['DELETE /v1%2Femployees', '404 unknown_version'],
  ['DELETE /v1/companies/c-acme%2Femployees', '404 not_found'],
  ['DELETE /v1/companies/c-acme%2Femployees%2Fe-ada', '404 not_found'],
  ['DELETE /v1/companies/%2e%2e%2Femployees', '404 not_found'],
  ['DELETE /v1/employees/..%2f', '404 not_found'],
  ['DELETE /v1/employees/..%2f..', '404 not_found'],
  ['DELETE /v1/employees/%2f', '404 not_found'],
  ['DELETE /v1/employees%3F', '404 unknown_resource'],
  ['DELETE /v1/employees%3Fq=ada', '404 unknown_resource'],
  ['DELETE /v1/employees%23', '404 unknown_resource'],
  ['DELETE /v1/employees%26', '404 unknown_resource'],
  ['DELETE /v1/employees%20', '404 unknown_resource'],
  ['DELETE /v1/employees%0d%0a', '404 unknown_resource'],
  ['DELETE /v1/employees%5c', '404 unknown_resource'],
  ['DELETE /v1/employees/%5c', '404 not_found'],
  ['GET /v1/employees/e-ada%0d%0aX-Injected:%201', '404 not_found'],
  ['GET /v1/employees/e-ada%0D%0ASet-Cookie:%20a', '404 not_found'],
  ['GET /v1/%0d%0aX-Injected:%201', '404 unknown_resource'],
  ['GET /v1/employees/a%5Cb', '404 not_found'],
  ['GET /v1/employees/e-ada%3Fq=x', '404 not_found'],
  ['GET /v1/employees/e-ada%23', '404 not_found'],
  // An encoded character means the same.
  ['GET /v1/employees/%65-ada', '200 e-ada'],
  ['GET /v1/employees/e%2Dada', '200 e-ada'],
  ['GET /%76%31/employees/e-ada', '200 e-ada'],
  ['GET /v1/%65mployees/e-ada', '200 e-ada'],
  ['GET /v1/%65%6D%70%6C%6F%79%65%65%73', all],
  ['GET /v1/employees/%63%6F%75%6E%74', '200 count 4'],
  ['GET /v1/employees/%66irst', '200 7'],
  ['GET /v1/employees/las%74', '200 e-grace'],
  ['GET /v1/employees/%37', '200 7'],
  ['DELETE /v1/employees/%66irst', '405 method_not_allowed'],
  ['DELETE /v1/employees/co%75nt', '405 method_not_allowed'],
  // A word must match exactly: no folding, no normalization, no trimming.
  ...[
    '%E2%80%8Bfirst', 'first%E2%80%8B', '%EF%BD%86irst', 'F%C4%B1rst', 'f%C4%B1rst', 'FIRST',
    'First', 'first%20', '%20first', 'first%09', 'firs%C5%A3', '%F0%9D%93%AFirst', 'f%C2%ADirst',
    'first%CC%81', '%D1%81ount', 'first.', 'first;', 'first,last', '%EF%BB%BFfirst', 'counts',
    'all', '*', 'search',
  ].map((id): Row => [`GET /v1/employees/${id}`, '404 not_found', { lacks: ['Lovelace'] }]),
  ...[
    '%7B%7B7*7%7D%7D', '$%7B7*7%7D', '%3Cscript%3E', "'%20OR%20'1'='1", '%25', '_', '%F0%9F%98%80',
    '%E2%80%AE', '%EF%BF%BD', '%EF%BF%BF', '%F4%8F%BF%BF',
  ].map((id): Row => [`GET /v1/companies/${id}/employees`, '404 parent_not_found']),
] // biome-ignore format: rows

describe('escapes are read once, strictly', () => attack(escapes))

const shapes: readonly Row[] = [
  ...[
    '/v1/employees/e-ada/..', '/v1/employees/e-ada/.', '/v1/employees/..', '/v1/employees/.',
    '/v1/employees/./e-ada', '/../v1/employees', '/./v1/employees', '/v1/./employees',
    '/v1/../v1/employees', '/v1/employees/%2e', '/v1/employees/%2E', '/v1/employees/%2e%2e',
    '/v1/employees/.%2e', '/v1/employees/%2e.', '/v1/%2e%2e/%2e%2e/etc/passwd',
    '/v1/companies/%2e%2e/employees', '/v1/companies/../employees', '/v1/companies/./employees',
    '/v1/companies/c-acme/employees/..', '/v1/companies/c-acme/employees/../..',
    '/v1/employees/e-ada/../', '/..', '/.', '/v1/..', '/v1/employees/../../..',
    '/v1/companies/c-acme/../c-globex/employees',
  ].flatMap((target) => ['GET', 'PUT', 'DELETE', 'OPTIONS']
    .map((method): Row => [`${method} ${target}`, '400 bad_path', raw])),
  ...[
    '//v1/employees', '/v1//employees', '/v1/employees//', '/v1/employees//e-ada', '///', '//',
    '/v1/companies/c-acme//employees', '/v1/companies//employees', '//employees', '/v1/companies//',
    '/v1//', '/v1/employees/e-ada//', '/v1/companies/c-acme/employees//', '/v1/employees///',
    '/v1/companies//c-acme',
  ].flatMap((target): readonly Row[] => [
    // A URL parser takes two slashes at the start for a host.
    [`GET ${target}`, '404 unknown_resource', target.startsWith('//') ? raw : {}],
    [`DELETE ${target}`, '404 unknown_resource', target.startsWith('//') ? raw : {}],
    [`PUT ${target}`, '404 unknown_resource', { body: '[]', ...(target.startsWith('//') ? raw : {}) }],
  ]),
  ...['/', '/v1', '/v1/'].flatMap((target): readonly Row[] => [
    [`GET ${target}`, '200', { lacks: ['Lovelace', 'Kay'] }],
    [`DELETE ${target}`, '405 method_not_allowed'],
  ]),
  ...[
    '/nowhere', '/v1/nowhere', '/v1/nowhere/1', '/v1/Employees',
    '/v1/EMPLOYEES', '/V1/employees', '/v1/employee', '/v1/getEmployees', '/v1/employees;v=1',
    '/v1/employees;jsessionid=1', '/v1/employees.json', '/v1/employees.xml/e-ada',
    '/v1/employees,companies', '/v1/*', '/v1/employees*', '/v1/:noun', '/v1/customers',
    '/v1/customers/k-kay', '/v1/employees/e-ada/companies', '/v1/employees/e-ada/e-alan',
    '/v1/companies/c-acme/companies', '/v1/companies/c-acme/nowhere',
    '/v1/companies/c-acme/employees/e-ada/customers', '/v1/__proto__', '/v1/constructor',
    '/v1/prototype', '/v1/toString', '/v1/hasOwnProperty', '/v1/__defineGetter__', '/v1/valueOf',
    '/__proto__/employees', '/constructor/employees', '/v1/companies/c-acme/__proto__',
    '/v1/companies/c-acme/constructor', '/employees/v1/employees/x', '/api/v1/employees',
    '/v1/employees/e-ada/first', '/v1/employees/first/e-ada', '/v1/employees/count/count', '/first',
    '/count', '/v1/first', '/index.php', '/.env', '/.git/config', '/v1/%C3%A9mployees',
    '/v1/%D0%B5mployees', '/v1/employees%CC%81', '/v1/%20employees', '/v1/employees%09', '/v1/~',
    '/v1/@employees', '/favicon.ico', '/v1/employees+companies', '/v1/employees&companies',
  ].flatMap((target): readonly Row[] => [
    [`GET ${target}`, '404 unknown_resource', { lacks: ['Lovelace', 'Kay'] }],
    [`DELETE ${target}`, '404 unknown_resource'],
  ]),
  ...[
    '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__',
    'valueOf', 'length', 'null', 'undefined', 'NaN', '[object%20Object]', 'true', '-0', '-1', '%20',
    '%09', 'e-ada.json', 'e-ada;v=1', 'e-ada,e-alan', 'e-ada*', '*', '%25', '_', 'e-ad_', 'E-ADA',
    'e-ada%20', '%20e-ada', 'e-ada%0a', '07', '7.0', '7e0', '+7', '%2B7', '0x7', '7%20',
    '%EF%BC%97', '%D9%A7', "7'--", '...', '2147483648', '9223372036854775808', '1e999',
    '00000000-0000-0000-0000-000000000000', 'a'.repeat(255), 'a'.repeat(256),
    '%F0%9F%98%80'.repeat(255), '%F0%9F%98%80'.repeat(256), '~', '(', ':', '@', '&', '=', '$1', '!',
  ].flatMap((id): readonly Row[] => [
    [`GET /v1/employees/${id}`, '404 not_found', { lacks: ['Lovelace'] }],
    [`DELETE /v1/employees/${id}`, '404 not_found'],
    [`PUT /v1/employees/${id}`, '404 not_found', { body: gita }],
    [`GET /v1/companies/${id}/employees`, '404 parent_not_found'],
    [`DELETE /v1/companies/${id}/employees`, '404 parent_not_found'],
  ]),
  ...[
    '/v1/employees\\e-ada', '/v1\\employees', '/v1/companies\\c-acme\\employees', '/v1/employees\\',
    '/v1/employees\\..', '/v1/employees#first', '/v1/employees#', '/v1/employees/e-ada#', '#', '/#',
    '/v1/employees?q=a#b', '/v1/employees?#',
  ].flatMap((target): readonly Row[] => [
    [`GET ${target}`, target === '#' ? '400 bad_request' : '400 bad_path', raw],
    [`DELETE ${target}`, target === '#' ? '400 bad_request' : '400 bad_path', raw],
  ]),
  // Long, but not for long.
  [`GET /v1/employees/${'a'.repeat(4097 - 14)}`, '400 uri_too_long'],
  [`GET /v1/employees/${'a'.repeat(4096 - 14)}`, '404 not_found'],
  [`GET /v1/employees/${'a'.repeat(12_000)}`, '400 uri_too_long'],
  [`GET /v1${'/a'.repeat(4000)}`, '400 uri_too_long'],
  [`GET /v1${'/a'.repeat(2000)}`, '404 unknown_resource'],
  [`GET ${'/v1'.repeat(1000)}`, '404 unknown_resource'],
  [`GET /v1/employees/${'%2e'.repeat(1300)}`, '404 not_found'],
  [`GET /v1/companies/${'%F0%9F%98%80'.repeat(300)}/employees?limit=1`, '404 parent_not_found'],
  [`GET /v1/employees/${'%zz'.repeat(1300)}`, '400 bad_percent_encoding'],
  [`GET /v1/companies/c-acme${'/employees/7'.repeat(300)}`, '404 unknown_resource'],
  [`DELETE /v1/employees?${'&'.repeat(5000)}`, '400 uri_too_long'],
  // RFC 9112 §3.2.2
  ['GET http://other.example/v1/employees', all, raw],
  ['GET HTTP://other.example:80/v1/employees?q=ada', '200 [e-ada]', raw],
  ['GET https://other.example/v1/employees/e-ada', '200 e-ada', raw],
  ['GET http://other.example', '200', raw],
  ['GET http://other.example?q=x', '400 unknown_parameter', raw],
  ['GET ftp://other.example/v1/employees', '400 bad_path', raw],
  ['GET file:///v1/employees', '400 bad_path', raw],
  ['DELETE http://other.example/v1/employees/', '400 bad_path', raw],
  ['DELETE http://other.example/v1/employees/..', '400 bad_path', raw],
  ['DELETE http://other.example/v1/employees?', '400 bad_parameter', raw],
  ['DELETE http://other.example//v1/employees', '404 unknown_resource', raw],
  ['DELETE http://other.example/http://other.example/v1/employees', '404 unknown_resource', raw],
] // biome-ignore format: rows

describe('paths are taken as they are written', () => attack(shapes))

const versions: readonly Row[] = [
  ...[
    'v2', 'v0', 'v10', 'v11', 'v01', 'v001', 'v1.0', 'v1.', 'v1.0.0', 'v1e0', 'v1%20', 'v1_', 'v1a',
    'v1;', 'v1;a=b', 'v1,v2', 'v1-beta', 'v99999999999999999999', 'v19', 'v1%CC%81', 'v1%E2%80%8B',
    'v1!', 'v1~', 'v0x1', 'v1:',
  ].flatMap((version): readonly Row[] => [
    [`GET /${version}/employees`, '404 unknown_version', { holds: ['"supported":["v1"]'] }],
    [`DELETE /${version}/employees`, '404 unknown_version'],
    [`DELETE /${version}/employees/e-ada`, '404 unknown_version'],
  ]),
  // These do not even look like one, and so stand where a noun would.
  ...[
    'V1', 'V2', 'v', 'v-1', 'v+1', 'v%EF%BC%91', 'v%D9%A1', '1', '1.0', 'v%C2%B9', 'version1',
    'latest', 'current', 'v%20', '%20v1', '%EF%BD%961', 'v_1', 'vv1', 'api', 'null', 'undefined',
    'v~', '__proto__', 'vNaN', 'vInfinity',
  ].flatMap((version): readonly Row[] => [
    [`GET /${version}/employees`, '404 unknown_resource', { lacks: ['Lovelace'] }],
    [`DELETE /${version}/employees`, '404 unknown_resource'],
  ]),
  ['GET /v1/v1/employees', '404 unknown_resource'],
  ['GET /v%31/employees', all],
  ...['accept-version', 'x-api-version', 'api-version', 'version', 'x-version']
    .map((name): Row => ['GET /v1/employees', all, { fields: [[name, '2']] }]),
  ['GET /v1/employees', all, { fields: [['accept', 'application/vnd.example.v2+json']] }],
  ['GET /v1/employees', all, { fields: [['accept', 'application/json; version=2']] }],
  ['GET /v1/employees?version=2', '400 unknown_parameter'],
  ['GET /v1/employees?v=2', '400 unknown_parameter'],
] // biome-ignore format: rows

describe('a version is its exact text', () => attack(versions))

const reserved: readonly Row[] = [
  ...['first', 'last', 'count'].flatMap((word) =>
    ['POST', 'PUT', 'DELETE', 'PATCH'].flatMap((method): readonly Row[] => {
      const more = { lacks: ['DELETE', 'PUT', 'POST,'], holds: ['GET, HEAD, OPTIONS'] }
      return [
        [`${method} /v1/employees/${word}`, '405 method_not_allowed', method === 'DELETE' ? { holds: more.holds } : { body: gita, holds: more.holds }],
        [`${method} /v1/companies/c-acme/employees/${word}`, '405 method_not_allowed', { holds: more.holds }],
      ]
    }),
  ),
  ['DELETE /v1/employees/first/', '405 method_not_allowed'],
  ['DELETE /v1/employees/count?', '405 method_not_allowed'],
  ['GET /v1/companies/count/employees', '404 parent_not_found'],
  ['GET /v1/companies/first/employees', '404 parent_not_found', { lacks: ['Lovelace'] }],
  ['GET /v1/companies/last/employees/count', '404 parent_not_found'],
  ['DELETE /v1/companies/first/employees', '404 parent_not_found'],
  ['DELETE /v1/companies/last/customers', '404 parent_not_found'],
  ['POST /v1/companies/first/employees', '404 parent_not_found', { body: gita }],
  ['PUT /v1/companies/count/employees', '404 parent_not_found', { body: '[]' }],
  ['GET /v1/companies/c-umbra/employees/first', '404 empty_collection'],
  ['GET /v1/companies/c-umbra/employees/last', '404 empty_collection'],
  ['GET /v1/companies/c-umbra/employees/count', '200 count 0'],
  ['GET /v1/companies/c-nobody/employees/first', '404 parent_not_found'],
  ['GET /v1/companies/c-nobody/employees/count', '404 parent_not_found'],
  ['GET /v1/employees/first?q=zzzz', '404 empty_collection'],
  ['GET /v1/employees/count?q=zzzz', '200 count 0'],
  ['GET /v1/employees/first?sort=-birthdate', '200 7'],
  ['GET /v1/employees/last?sort=-birthdate', '200 e-ada'],
  ['GET /v1/employees/first?sort=bogus', '400 sort_unknown_field'],
  ['GET /v1/employees/count?sort=name', '400 unknown_parameter'],
  ['GET /v1/employees/count?sort=bogus', '400 unknown_parameter'],
  ['GET /v1/employees/first?limit=2', '400 unknown_parameter'],
  ['GET /v1/employees/count?limit=2', '400 unknown_parameter'],
  ['GET /v1/employees/count?after=x', '400 unknown_parameter'],
  ...['first', 'last', 'count', '.', '..', '\\u0066irst'].map((id): Row => [
    'POST /v1/employees',
    '422 reserved_id',
    { body: `{"id":"${id}","name":"Shadow","birthdate":"1990-01-01"}` },
  ]),
  ['PUT /v1/employees/e-ada', '409 id_mismatch', { body: '{"id":"first","name":"Shadow","birthdate":"1990-01-01"}' }],
  ['PUT /v1/employees', '404 not_found', { body: '[{"id":"first","name":"Shadow","birthdate":"1990-01-01"}]' }],
  ['HEAD /v1/employees/count', '200'],
  ['HEAD /v1/employees/first', '200'],
  ['HEAD /v1/companies/c-umbra/employees/first', '404'],
  ['OPTIONS /v1/employees/first', '200 allow', { holds: ['"GET, HEAD, OPTIONS"'] }],
] // biome-ignore format: rows

describe('reserved words are read, never written', () => attack(reserved))
