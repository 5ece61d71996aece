import { having, json, type Row, type Table } from './row.ts'

const gita = '{"name":"Gita Rao","birthdate":"1991-04-09"}'
const post = (body: string | Uint8Array, verdict: string): Row => [
  'POST',
  '/v1/employees',
  verdict,
  json(body),
]
const typed = (type: string, verdict: string): Row => [
  'POST',
  '/v1/employees',
  verdict,
  { fields: [['Content-Type', type]], body: gita },
]

/** Requests that are wrong as sent, but for their paths and their framing. */
export const faults: readonly Table[] = [
  {
    name: 'parameters',
    rows: [
      ['GET', '/v1/employees?x=1', '400 unknown_parameter'],
      ['GET', '/v1/employees?Q=a', '400 unknown_parameter'],
      ['GET', '/v1/employees?sort[]=name', '400 unknown_parameter'],
      ['GET', '/v1/employees?__proto__=1', '400 unknown_parameter'],
      ['GET', '/v1/employees?q=a&q=b', '400 repeated_parameter'],
      ['GET', '/v1/employees?limit=1&limit=1', '400 repeated_parameter'],
      ['GET', '/v1/employees?q=a&%71=b', '400 repeated_parameter'],
      ['GET', '/v1/employees?sort=email', '400 sort_unknown_field'],
      ['GET', '/v1/employees?sort=name,-name', '400 sort_duplicate_field'],
      ['GET', '/v1/employees?sort=,', '400 sort_invalid'],
      ['GET', '/v1/employees?limit=0', '400 bad_parameter'],
      ['GET', '/v1/employees?limit=1e3', '400 bad_parameter'],
      ['GET', '/v1/employees?limit=1001', '400 bad_parameter'],
      ['GET', '/v1/employees?after=x', '400 invalid_cursor'],
      ['GET', '/v1/employees?q=%', '400 bad_percent_encoding'],
      ['GET', '/v1/employees?q=%C0%AF', '400 bad_percent_encoding'],
      ['GET', '/v1/employees?q=%00', '400 bad_parameter'],
      ['GET', '/v1/employees?q=a;b', '200'],
      ['GET', `/v1/employees?q=${'a'.repeat(257)}`, '400 bad_parameter'],
      ['GET', '/v1/employees/001?sort=name', '400 unknown_parameter'],
      ['DELETE', '/v1/employees?q=', '400 bad_parameter'],
      ['OPTIONS', '/v1/employees/001?x=%zz', '200'],
    ],
  },
  {
    name: 'methods',
    rows: [
      ['POST', '/v1/employees/001', '405 method_not_allowed', json(gita)],
      ['PUT', '/v1/employees/count', '405 method_not_allowed', json(gita)],
      ['POST', '/v1/failures', '405 method_not_allowed', json('{}')],
      ['PATCH', '/v1/employees/first', '405 method_not_allowed', json('{}')],
      ['PROPFIND', '/v1/employees', '405 method_not_allowed'],
      ['MKCOL', '/v1/employees/001', '405 method_not_allowed'],
    ],
  },
  {
    name: 'media types',
    rows: [
      ['POST', '/v1/employees', '400 unsupported_media_type', { body: gita }],
      typed('text/plain', '400 unsupported_media_type'),
      typed('application/jsonp', '400 unsupported_media_type'),
      typed('application/json; charset=latin1', '400 unsupported_media_type'),
      typed('application/x-www-form-urlencoded', '400 unsupported_media_type'),
      typed('multipart/form-data; boundary=x', '400 unsupported_media_type'),
      typed('application/json; charset="utf-8"', '201'),
      typed('APPLICATION/JSON', '201'),
      [
        'POST',
        '/v1/employees',
        '400 unsupported_encoding',
        json(gita, ['Content-Encoding', 'gzip']),
      ],
      ['POST', '/v1/employees', '400 unsupported_encoding', json(gita, ['Content-Encoding', 'br'])],
      [
        'POST',
        '/v1/employees',
        '400 unsupported_media_type',
        json(gita, ['Content-Type', 'text/plain']),
      ],
      ['PUT', '/v1/employees/001', '400 bad_request', json(gita, ['Content-Range', 'bytes 0-1/2'])],
    ],
  },
  {
    name: 'JSON',
    rows: [
      post('', '400 body_missing'),
      ['POST', '/v1/employees', '400 body_missing', having(['Content-Type', 'application/json'])],
      post('{"name":"x",}', '400 json_invalid'),
      post('{name:1}', '400 json_invalid'),
      post('\ufeff{}', '400 json_invalid'),
      post('{"name":"a\nb"}', '400 json_invalid'),
      post(Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), '400 json_invalid'),
      post(Buffer.from('{"name":"x"}', 'utf16le'), '400 json_invalid'),
      post(`${'['.repeat(33)}${']'.repeat(33)}`, '400 json_too_deep'),
      post(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, '400 json_too_deep'),
      post('{"name":"x","name":"y"}', '400 json_duplicate_key'),
      post('{"name":"x","\\u006eame":"y"}', '400 json_duplicate_key'),
      post('{"name":"x","__proto__":{}}', '400 json_forbidden_key'),
      post('{"a":{"\\u005f_proto__":1}}', '400 json_forbidden_key'),
      post('{"name":"x","birthdate":"1990-01-01","constructor":1}', '422 validation_failed'),
      post('{"name":1e999,"birthdate":1}', '422 validation_failed'),
      ['PUT', '/v1/employees', '400 bulk_too_large', json(JSON.stringify(Array(1001).fill({})))],
    ],
  },
  {
    name: 'bodies where none belongs',
    rows: [
      ['DELETE', '/v1/employees', '400 body_not_allowed', json('[{"id":"001"}]')],
      ['DELETE', '/v1/employees/001', '400 body_not_allowed', json('{}')],
      ['DELETE', '/v1/employees', '400 body_not_allowed', json(['[', ']'])],
    ],
  },
  {
    name: 'bodies of GET',
    rows: [
      ['GET', '/v1/employees', '400 body_not_allowed', json('{}')],
      ['GET', '/v1/employees/001', '400 body_not_allowed', json(['{}'])],
      ['HEAD', '/v1/employees', '400', json('{}')],
    ],
  },
  {
    name: 'bodies that are too large',
    rows: [
      post(`"${'a'.repeat(1_048_576)}"`, '400 body_too_large'),
      ['POST', '/v1/employees', '400 body_too_large', json(Array(130).fill('a'.repeat(8192)))],
    ],
  },
  {
    name: 'what adapters throw',
    rows: [
      ['GET', '/v1/failures/thrown', '500 internal_error'],
      ['GET', '/v1/failures/rejected', '500 internal_error'],
      ['GET', '/v1/failures/unavailable', '503 unavailable'],
      ['GET', '/v1/failures/limited', '429 rate_limited'],
      ['GET', '/v1/failures/forbidden', '403 forbidden'],
      ['GET', '/v1/failures/unauthenticated', '401 unauthenticated'],
    ],
  },
]
