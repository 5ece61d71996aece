import { METHODS } from 'node:http'
import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const gita = '{"name":"Gita","birthdate":"1991-04-09"}'
const all = '200 [7 e-ada e-alan e-grace]'
const raw = { only: 'raw' } as const
const secret = [['x-secret', 's3cret']] as const
const ours = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT'])
const others = METHODS.filter((method) => !ours.has(method))

const known: readonly Row[] = [
  ...others.flatMap((method): readonly Row[] => {
    const only = method === 'TRACE' ? raw : {}
    return [
      [`${method} /v1/employees`, '405 method_not_allowed', { ...only, fields: secret, lacks: ['s3cret'], holds: ['"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"'] }],
      [`${method} /v1/employees/e-ada`, '405 method_not_allowed', { ...only, holds: ['"GET, HEAD, PUT, PATCH, DELETE, OPTIONS"'] }],
      [`${method} /v1/nowhere`, '404 unknown_resource', only],
    ]
  }),
  ['PATCH /v1/employees', '400 unsupported_media_type', { body: '[]', type: 'application/json-patch+json' }],
  ['PATCH /v1/employees', '400 unsupported_media_type', { body: '[]', type: 'application/merge-patch+json' }],
  ['PATCH /v1/employees/e-ada', '400 unsupported_media_type', { body: '[]', type: 'application/json-patch+json' }],
  ['QUERY /v1/employees', '405 method_not_allowed', { body: '{"q":"ada"}' }],
  ['MOVE /v1/employees/e-ada', '405 method_not_allowed', { fields: [['destination', '/v1/employees/e-alan'], ['overwrite', 'T']] }],
  ['COPY /v1/employees', '405 method_not_allowed', { fields: [['destination', '/v1/companies'], ['depth', 'infinity']] }],
  ['POST /v1/employees/e-ada', '405 method_not_allowed', { body: gita, holds: ['"GET, HEAD, PUT, PATCH, DELETE, OPTIONS"'] }],
  ['POST /v1/employees/e-nobody', '405 method_not_allowed', { body: gita }],
  ['POST /v1/employees/e-ada/', '405 method_not_allowed', { body: '[' }],
  ['POST /v1/companies/c-nobody/employees/x', '405 method_not_allowed', { body: gita }],
  ['TRACE /v1/employees', '405 method_not_allowed', { ...raw, body: 'x' }],
  ['TRACE /', '405 method_not_allowed', raw],
  // There is no tunnel.
  ['CONNECT evil.example:443', '400 bad_path', raw],
  ['CONNECT /v1/employees', '400 bad_path', raw],
  ['CONNECT http://other.example/v1/employees', '400 bad_path', raw],
  ['OPTIONS *', '200 allow', { ...raw, holds: ['/v1/employees'] }],
  ['GET *', '400 bad_path', raw],
  ['DELETE *', '400 bad_path', raw],
  ['PUT *', '400 bad_path', { ...raw, body: '[]' }],
] // biome-ignore format: rows

const spelled: readonly Row[] = [
  'DELETE\t', 'DELETE\u00a0', 'D\u0000ELETE', '\u0000', '', ' ', 'GET,DELETE', 'GET;DELETE',
  'PUT\u000b', '"GET"',
].map((method): Row => [`${method} /v1/employees`, '', raw]) // biome-ignore format: words

const quiet: readonly Row[] = [
  ['HEAD /v1/employees', '200'],
  ['HEAD /v1/employees/e-ada', '200'],
  ['HEAD /v1/employees/e-nobody', '404'],
  ['HEAD /v1/employees?sort=bogus', '400'],
  ['HEAD /v1/employees?foo=1', '400'],
  ['HEAD /v1/employees/%zz', '400'],
  ['HEAD /v1/nowhere', '404'],
  ['HEAD /v2/employees', '404'],
  ['HEAD /v1/companies/c-globex/employees/e-ada', '404'],
  ['HEAD /v1/employees?q=ada', '200'],
  ['HEAD /v1/employees?limit=1', '200', { holds: ['rel=\\"next\\"'] }],
  ['HEAD /v1/employees', '400', { ...raw, body: '{}' }],
  ['HEAD /v1/employees/..', '400', raw],
  ['OPTIONS /v1/employees', '200 allow', { holds: ['"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"'] }],
  ['OPTIONS /v1/employees/', '200 allow'],
  ['OPTIONS /v1/employees/e-ada', '200 allow', { holds: ['"GET, HEAD, PUT, PATCH, DELETE, OPTIONS"'] }],
  ['OPTIONS /v1/employees/e-nobody', '200 allow', { lacks: ['POST'] }],
  ['OPTIONS /v1/companies/c-nobody/employees', '200 allow'],
  ['OPTIONS /v1/employees?x=%zz&sort=bogus', '200 allow'],
  ['OPTIONS /v1/employees', '200 allow', { body: '{', type: 'text/plain' }],
  ['OPTIONS /v1/employees', '200 allow', { fields: [['access-control-request-method', 'DELETE'], ['origin', 'https://evil.example']] }],
  ['OPTIONS /v1/nowhere', '404 unknown_resource'],
  ['OPTIONS /v2/employees', '404 unknown_version'],
  ['OPTIONS /v1/employees/%zz', '400 bad_percent_encoding'],
  ['OPTIONS /', '200 allow'],
] // biome-ignore format: rows

const names = [
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-method',
  '_method',
  'method',
]
const overridden: readonly Row[] = [
  ...names.flatMap((name): readonly Row[] => [
    ['GET /v1/employees/e-ada', '200 e-ada', { fields: [[name, 'DELETE']] }],
    ['GET /v1/employees', all, { fields: [[name, 'DELETE']] }],
    ['POST /v1/employees', '201 n1', { body: gita, fields: [[name, 'DELETE']], changes: ['+employees/n1'] }],
    ['POST /v1/employees', '201 n1', { body: gita, fields: [[name, 'PUT']], changes: ['+employees/n1'] }],
    ['POST /v1/employees/e-ada', '405 method_not_allowed', { body: gita, fields: [[name, 'PUT']] }],
    ['HEAD /v1/employees', '200', { fields: [[name, 'DELETE']] }],
    ['OPTIONS /v1/employees', '200 allow', { fields: [[name, 'DELETE']] }],
    ['PATCH /v1/employees', '200 []', { body: '[]', fields: [[name, 'DELETE']] }],
  ]),
  ...['_method', '_METHOD', 'method', 'X-HTTP-Method-Override'].flatMap((name): readonly Row[] => [
    [`POST /v1/employees?${name}=DELETE`, '400 unknown_parameter', { body: gita }],
    [`GET /v1/employees?${name}=DELETE`, '400 unknown_parameter'],
    [`GET /v1/employees/e-ada?${name}=DELETE`, '400 unknown_parameter'],
    [`DELETE /v1/employees?${name}=GET`, '400 unknown_parameter'],
  ]),
  ['POST /v1/employees', '422 validation_failed', { body: '{"name":"x","birthdate":"1990-01-01","_method":"DELETE"}' }],
  ['POST /v1/employees', '400 unsupported_media_type', { body: '_method=DELETE', type: 'application/x-www-form-urlencoded' }],
  // No header names another target either.
  ...[
    'x-original-url', 'x-rewrite-url', 'x-forwarded-uri', 'x-forwarded-path', 'content-location',
    'location', 'destination', 'referer', 'x-forwarded-prefix', 'x-script-name', 'x-original-uri',
  ].flatMap((name): readonly Row[] => [
    ['GET /v1/employees/e-ada', '200 e-ada', { fields: [[name, '/v1/companies']] }],
    ['DELETE /v1/employees/e-ada', '200 e-ada', { fields: [[name, '/v1/employees']], changes: ['-employees/e-ada'] }],
    ['DELETE /v1/employees/e-nobody', '404 not_found', { fields: [[name, '/v1/employees/e-ada']] }],
    ['POST /v1/employees', '201 n1', { body: gita, fields: [[name, '/evil']], changes: ['+employees/n1'], holds: ['"/v1/employees/n1"'], lacks: ['evil'] }],
  ]),
  [
    'POST /v1/employees',
    '201 n1',
    {
      ...raw,
      body: gita,
      changes: ['+employees/n1'],
      holds: ['"/v1/employees/n1"'],
      lacks: ['evil', 'javascript'],
      fields: [
        ['x-forwarded-host', 'evil.example'], ['x-forwarded-proto', 'javascript'],
        ['forwarded', 'host=evil.example'], ['x-host', 'evil'],
      ],
    },
  ],
  ['GET /v1/employees?limit=1', '200 [7]', { fields: [['x-forwarded-host', 'evil.example'], ['x-forwarded-prefix', '/evil']], lacks: ['evil'], holds: ['</v1/employees?'] }],
  ['GET /v1/employees', all, { fields: [['origin', 'https://evil.example']] }],
  ['GET /v1/employees', all, { fields: [['origin', 'null'], ['sec-fetch-site', 'cross-site']] }],
] // biome-ignore format: rows

describe('methods that nobody knows are refused', () => attack(known))
describe('a method is its exact text', () =>
  attack(spelled.map(([request, , more]) => [request, '400 bad_request', more] as Row)))
describe('HEAD and OPTIONS tell, and change nothing', () => attack(quiet))
describe('no header and no parameter is a method', () => attack(overridden))
