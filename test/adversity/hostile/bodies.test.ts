import { gzipSync } from 'node:zlib'
import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const gita = '{"name":"Gita","birthdate":"1991-04-09"}'
const all = '200 [7 e-ada e-alan e-grace]'
const raw = { only: 'raw' } as const
const created = { changes: ['+employees/n1'] }
const post = (body: string | Uint8Array, verdict: string, more: object = {}): Row => [
  'POST /v1/employees',
  verdict,
  { body, ...more },
]
const bytes = (...octets: readonly number[]) => Uint8Array.from(octets)
const around = (...octets: readonly number[]) =>
  Buffer.concat([
    Buffer.from('{"name":"'),
    bytes(...octets),
    Buffer.from('","birthdate":"1990-01-01"}'),
  ])
const utf16 = (text: string) => Buffer.from(text, 'utf16le') // biome-ignore format: short ones

const right = [
  'application/json', 'Application/JSON', 'APPLICATION/JSON', 'application/json;charset=utf-8', 'application/json; charset=utf-8', 'application/json; charset=UTF-8', 'application/json ; charset="utf-8"', 'application/json;\tcharset=utf-8',
  'application/json; charset="UTF-8"', 'application/json;', 'application/json;;', 'application/json; ;charset=utf-8', 'application/json; CHARSET=utf-8', 'application/json; x=y', 'application/json; charset=utf-8; x="a;b\\"c"', 'application/json; profile="https://example.com/;x=\'y\'"', ' application/json ', '\tapplication/json\t', 'application/json; version=2',
] // biome-ignore format: words
const wrong = [
  'text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'multipart/form-data', 'text/html', 'application/xml', 'text/plain; application/json', 'text/plain;application/json', 'text/plain, application/json', 'application/json, text/plain',
  'application/json,application/json', 'application/jsonp', 'application/json5', 'application/json-seq', 'application/x-json', 'application/javascript', 'xapplication/json', 'application/jsonx', 'application/json/', 'application/ json', 'application /json', 'application', 'json', '/json', 'application/', '', ';', ';charset=utf-8',
  'application/json; charset=latin1', 'application/json; charset=iso-8859-1', 'application/json; charset=utf-16', 'application/json; charset=utf-16le', 'application/json; charset=utf-32', 'application/json; charset=utf-7', 'application/json; charset=utf8', 'application/json; charset=us-ascii', 'application/json; charset=', 'application/json; charset=""', 'application/json; charset',
  'application/json; charset =utf-8', 'application/json; charset= utf-8', "application/json; charset='utf-8'", 'application/json; charset="utf-8', 'application/json; charset=utf-8"', 'application/json; charset=utf-8; charset=utf-8', 'application/json; charset=utf-8; charset=utf-16', 'application/json; charset=utf-16; charset=utf-8', 'application/json; charset=utf-8, x', 'application/json; =', 'application/json; =x',
  'application/json; x', 'application/json; x="', 'application/json charset=utf-8', 'application/json: charset=utf-8', 'application/json? charset=utf-8', 'application/vnd.api+json', 'application/merge-patch+json', 'application/json-patch+json', 'application/problem+json', 'application/ld+json', 'application/hal+json', 'application/json+x', 'application/*', '*/*', '*', 'constructor', '__proto__', 'toString', 'application/__proto__',
  'application/json\u00e9', '\u00efapplication/json', 'application/json; charset=utf-8; x=\u00e9', `application/json${';'.repeat(8000)}x`, `application/json; x="${'\\'.repeat(8000)}`, `application/json;${' '.repeat(8000)}x`, `application/json; ${'a=b;'.repeat(2000)}`, `${'a'.repeat(8000)}/json`, `application/json; x=${'"'.repeat(255)}`,
] // biome-ignore format: words

const types: readonly Row[] = [
  ...right.map((type): Row => post(gita, '201 n1', { type, ...created })),
  ...right.map((type): Row => post('{"name":""}', '422 validation_failed', { type })),
  ...wrong.flatMap((type): readonly Row[] => [
    post(gita, '400 unsupported_media_type', { type }),
    ['PUT /v1/employees/e-ada', '400 unsupported_media_type', { body: gita, type }],
    ['PUT /v1/employees', '400 unsupported_media_type', { body: '[]', type }],
  ]),
  post(gita, '400 unsupported_media_type', { type: null }),
  ['PUT /v1/employees', '400 unsupported_media_type', { body: '[]', type: null }],
  ['POST /v1/employees', '400 unsupported_media_type'],
  ['PUT /v1/employees/e-ada', '400 unsupported_media_type'],
  ...[['text/plain', 'application/json'], ['application/json', 'text/plain'], ['application/json', 'application/json'], ['application/json', ''], ['', 'application/json']]
    .map((pair): Row => post(gita, '400 unsupported_media_type', { type: null, fields: pair.map((type) => ['content-type', type]) })),
  ...['gzip', 'deflate', 'br', 'zstd', 'compress', 'x-gzip', 'identity, gzip', 'gzip, identity', 'gzip,gzip', '*', 'chunked', 'x', ' ', 'identity;q=1', 'null', 'aes128gcm']
    .map((coding): Row => post(coding === 'gzip' ? gzipSync(gita) : gita, '400 unsupported_encoding', { fields: [['content-encoding', coding]] })),
  ...['identity', 'Identity', 'IDENTITY'].map((coding): Row => post(gita, '201 n1', { fields: [['content-encoding', coding]], ...created })),
  ...['*/*', 'application/*', 'application/json', 'application/problem+json', 'text/html', 'text/plain', 'image/png', 'application/xml', 'application/json;q=0', '*/*;q=0', '', ',', ',,,,', ';', 'x', '/', 'q=1', 'application/json;q=2', 'application/json;q=x', 'application/json; version=2', `${'a/b,'.repeat(2000)}`, ','.repeat(8000), '"'.repeat(1000)]
    .flatMap((accept): readonly Row[] => [
      ['GET /v1/employees', all, { fields: [['accept', accept]] }],
      ['GET /v1/employees/e-nobody', '404 not_found', { fields: [['accept', accept]] }],
    ]),
  ...([['accept-charset', 'utf-16'], ['accept-encoding', 'identity;q=0, *;q=0'], ['accept-encoding', 'gzip, br'], ['accept-language', '*;q=x'], ['te', 'trailers'], ['cache-control', 'only-if-cached'], ['max-forwards', '0'], ['cookie', 'a=b; __proto__=x'], ['authorization', 'Basic !!!'], ['x', '\u00e9\u00ff'], ['__proto__', 'x'], ['constructor', 'x'], ['toString', 'x'], ['x', `${'a'.repeat(8000)}`]] as const)
    .map((field): Row => ['GET /v1/employees', all, { fields: [field] }]),
] // biome-ignore format: rows

const noJson = [
  ' ',
  '\n',
  '\t\r\n ',
  '{',
  '}',
  '[',
  ']',
  '{"name":"x"',
  '{"name":"x",}',
  '{,}',
  '{"a":1,,"b":2}',
  '[1,]',
  '[,1]',
  '{name:"x"}',
  "{'name':'x'}",
  '{"name":\'x\'}',
  '{"name"}',
  '{"name":}',
  '{:1}',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{"a":1}}',
  '{"a":1}]',
  '{"a":1}{"b":2}',
  '{} {}',
  '{}x',
  '{}\0',
  '{"a":1};',
  '//c\n{}',
  '/*c*/{"name":"x"}',
  '{}//',
  '#',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":-Infinity}',
  '{"a":undefined}',
  'undefined',
  'NaN',
  '{"a":True}',
  '{"a":TRUE}',
  '{"a":nul}',
  '{"a":0x10}',
  '{"a":01}',
  '{"a":-01}',
  '{"a":+1}',
  '{"a":.5}',
  '{"a":1.}',
  '{"a":1.e1}',
  '{"a":1e}',
  '{"a":1e+}',
  '{"a":--1}',
  '{"a":-}',
  '{"a":1_000}',
  '{"a":1n}',
  '{"a":0o7}',
  '{"a":0b1}',
  '{"a":1,5}',
  '{"a":"\t"}',
  '{"a":"\n"}',
  '{"a":"\r"}',
  '{"a":"\0"}',
  '{"a":"\u001f"}',
  '{"a":"\\x41"}',
  '{"a":"\\u12"}',
  '{"a":"\\u123g"}',
  '{"a":"\\u{41}"}',
  '{"a":"\\"}',
  '{"a":"\\a"}',
  '{"a":"\\\'"}',
  '{"a":"\\\n"}',
  '{"a":"',
  '"',
  '"\\',
  '{"a":"b',
  '{"a',
  '<xml/>',
  'name=x',
  'name=x&birthdate=1990-01-01',
  '\0',
  '\u0007',
  '\v{}',
  '\f{}',
  '\u00a0{}',
  '{\u00a0}',
  '\u2028{}',
  '\u3000{}',
  '\ufeff',
  '\ufeff{}',
  `\ufeff${gita}`,
  '{}\ufeff',
  '(1)',
  '`x`',
  '{"a":`x`}',
  '{"a":function(){}}',
  '...',
  '-',
  '+',
  '.',
  ',',
  ':',
  '1 2',
  '00',
  '"a" "b"',
  ")]}',\n{}",
  'while(1);{}',
  '{"a":1,"b"',
  '{"\\u00"}',
  '["a",',
  '[[]',
  '[{}',
  '{"a":[}',
  '{"a":{]',
  '[1}',
  '\u{1f600}',
  '{"a":\'"\'}',
]

const texts: readonly Row[] = [
  ...noJson.flatMap((text): readonly Row[] => [
    post(text, '400 json_invalid'),
    ['PUT /v1/employees', '400 json_invalid', { body: text }],
  ]),
  ...['[', '{"name":', '{"a":[{"":'].map((text): Row => post(text.repeat(70_000), '400 json_invalid')),
  post(Buffer.from('{}').fill(0xff), '400 json_invalid'),
  ...[[0x80], [0xbf], [0xc0, 0xaf], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xed, 0xb0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xff], [0xfe], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc3, 0x28], [0xe9], [0xfc, 0x80, 0x80, 0x80, 0x80, 0x80]]
    .flatMap((octets): readonly Row[] => [post(around(...octets), '400 json_invalid'), post(around(...octets), '400 json_invalid', { framing: 'chunked' })]),
  ...[utf16(gita), Buffer.concat([bytes(0xff, 0xfe), utf16(gita)]), Buffer.concat([bytes(0xfe, 0xff), utf16(gita).swap16()]), Buffer.concat([bytes(0xff, 0xfe, 0, 0), utf16(gita)]), utf16(gita).swap16(), Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from(gita)]), Buffer.concat([bytes(0xef, 0xbb), Buffer.from(gita)]), gzipSync(gita), bytes(0), bytes(0x1f, 0x8b), bytes(0xef, 0xbb, 0xbf)]
    .map((body): Row => post(body, '400 json_invalid')),
  post('', '400 body_missing'),
  ['PUT /v1/employees', '400 body_missing', { body: '' }],
  ['PUT /v1/employees/e-ada', '400 body_missing', { body: '' }],
  post('', '400 body_missing', { framing: 'chunked' }),
  // The same key twice, however it is written, at whatever depth.
  ...['{"name":"a","name":"b"}', '{"name":"a","name":"a"}', '{"name":"a","n\\u0061me":"b"}', '{"\\u006eame":"a","name":"b"}', '{"a":{"b":1,"b":2}}', '[{"a":1,"a":2}]', '{"a":[[{"b":{},"b":[]}]]}', '{"":1,"":2}', '{"\\n":1,"\\u000a":2}', `{${'"k":1,'.repeat(40_000)}"k":1}`, '{"id":"e-ada","id":"e-alan","name":"x","birthdate":"1990-01-01"}', '{"toString":1,"toString":2}', '{"\\/":1,"/":2}', '{"\\ud83d\\ude00":1,"😀":2}']
    .flatMap((text): readonly Row[] => [
      post(text, '400 json_duplicate_key'),
      ['PUT /v1/employees', '400 json_duplicate_key', { body: text }],
    ]),
  ...['{"__proto__":1}', '{"__proto__":{"admin":true}}', '{"name":"x","birthdate":"1990-01-01","__proto__":{"admin":true}}', '{"\\u005f_proto__":null}', '{"\\u005f\\u005fproto\\u005f\\u005f":[]}', '{"a":{"__proto__":{}}}', '[{"__proto__":[]}]', '{"constructor":{"prototype":{"__proto__":1}}}', '{"a":[[[{"__proto__":1}]]]}']
    .flatMap((text): readonly Row[] => [
      post(text, '400 json_forbidden_key'),
      ['PUT /v1/employees', '400 json_forbidden_key', { body: text }],
      ['PUT /v1/employees/e-ada', '400 json_forbidden_key', { body: text }],
    ]),
  ...['{"__proto__ ":1}', '{"constructor":{"prototype":{"admin":true}}}', '{"prototype":1}', '{"toString":1}', '{"valueOf":1}', '{"hasOwnProperty":1}', '{"toJSON":"x"}', '{"then":1}', '{"length":1}', '{"__defineGetter__":1}', '{"__lookupSetter__":1}', '{"$where":"1"}', '{"$ne":null}', '{"role":"admin"}', '{"is_admin":true}', '{"name ":"x"}', '{"Name":"x"}', '{"":1}', '{"name.first":"x"}', '{"name[first]":"x"}', '{"birthDate":"1990-01-01"}', '{"nаme":"x"}', '{"_id":1}', '{"ID":1}', '{"__typename":"x"}', '{"companies":[]}', '{"\\u0000a":1}']
    .map((text): Row => post(text.replace('{', '{"name":"P","birthdate":"1990-01-01",'), '422 validation_failed')),
  post('{"name":"x","birthdate":"1990-01-01","constructor":{"prototype":{"polluted":1}}}', '422 validation_failed'),
  ...['null', 'true', 'false', '0', '-0', '1.5', '"x"', '""', '[]', '{}', '[{"name":"x","birthdate":"1990-01-01"}]', '[[]]', '["name"]', '{"data":{"name":"x","birthdate":"1990-01-01"}}', '{"0":{"name":"x"},"length":1}', '"{\\"name\\":\\"x\\"}"', '[null]']
    .flatMap((text): readonly Row[] => [
      post(text, '422 validation_failed'),
      ['PUT /v1/employees/e-ada', '422 validation_failed', { body: text }],
    ]),
  ...[33, 1000, 20_000].map((depth): Row => post(`${'['.repeat(depth)}${']'.repeat(depth)}`, '400 json_too_deep')),
  ...[33, 1000].map((depth): Row => post(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, '400 json_too_deep')),
  post(`{"birthdate":"1990-01-01","name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, '400 json_too_deep'),
  post(`${'['.repeat(32)}${']'.repeat(32)}`, '422 validation_failed'),
  ['PUT /v1/employees', '400 json_too_deep', { body: `${'['.repeat(33)}${']'.repeat(33)}` }],
  ...['1e400', '-1e400', '1e99999999', '9'.repeat(310), '12345678901234567890', '1e-400', '0.1e1', '-0', '1e1', '9007199254740993', '1E+2', '0e0', '9'.repeat(900)]
    .map((number): Row => post(`{"name":${number},"birthdate":"1990-01-01"}`, '422 validation_failed')),
  ...['\\ud800', '\\udc00', '\\udc00\\ud800', '\\u0000', 'a\\u0000b', '\\ud83dx', '\\uD800\\uD800'].map((text): Row => post(`{"name":"${text}","birthdate":"1990-01-01"}`, '422 validation_failed')),
  ...['\\ud800', '\\u0000'].map((text): Row => post(`{"${text}":1,"name":"x","birthdate":"1990-01-01"}`, '422 validation_failed')),
  post('\t\r\n {"name"\n:\t"Gita" , "birthdate":"1991-04-09"}\r\n ', '201 n1', created),
  post('{"n\\u0061me":"\\u0047ita","birthdate":"1991-04-09"}', '201 n1', created),
  post(`{"name":"Gita","birthdate":"1991-04-09"}${' '.repeat(1_048_576 - 40)}`, '201 n1', created),
  post(`{"name":"Gita","birthdate":"1991-04-09"}${' '.repeat(1_048_576 - 39)}`, '400 body_too_large'),
  post(`"${'a'.repeat(1_048_576)}"`, '400 body_too_large', { framing: 'chunked' }),
  post(`{"name":"x"${',"k":1'.repeat(40_000)}}`, '400 json_duplicate_key'),
  post(`{"name":"x","birthdate":"1990-01-01"${Array.from({ length: 4900 }, (_, n) => `,"k${n}":1`).join('')}}`, '422 validation_failed'),
  post(`{"${'k'.repeat(500_000)}":1}`, '422 validation_failed'),
  post(`{"name":"${'x'.repeat(1_000_000)}","birthdate":"1990-01-01"}`, '422 validation_failed'),
  post(`{"name":"x","email":"${'a'.repeat(100_000)}@${'b'.repeat(100_000)}","birthdate":"1990-01-01"}`, '422 validation_failed'),
  post(`{"name":"x","email":"${'a.'.repeat(100_000)}","birthdate":"${'1'.repeat(100_000)}"}`, '422 validation_failed'),
] // biome-ignore format: rows

const unwanted: readonly Row[] = [
  ...['{}', '[]', 'null', 'x', '\0', '[{"id":"e-ada"}]', ' '].flatMap((body): readonly Row[] => [
    ['DELETE /v1/employees', '400 body_not_allowed', { body }],
    ['DELETE /v1/employees', '400 body_not_allowed', { body, framing: 'chunked' }],
    ['DELETE /v1/employees', '400 body_not_allowed', { body, type: null }],
    ['DELETE /v1/employees/e-ada', '400 body_not_allowed', { body }],
    ['DELETE /v1/companies/c-acme/employees', '400 body_not_allowed', { body, type: 'text/plain' }],
    ['GET /v1/employees', '400 body_not_allowed', { ...raw, body }],
    ['GET /v1/employees/e-ada', '400 body_not_allowed', { ...raw, body, framing: 'chunked' }],
    ['GET /v1/employees/count', '400 body_not_allowed', { ...raw, body }],
  ]),
  ['DELETE /v1/employees', '400 body_not_allowed', { body: 'x'.repeat(2_000_000) }],
  ['DELETE /v1/employees/e-ada', '200 e-ada', { body: '', changes: ['-employees/e-ada'] }],
  ['DELETE /v1/employees/e-ada', '200 e-ada', { body: '', framing: 'chunked', changes: ['-employees/e-ada'] }],
  ['GET /v1/employees', all, { ...raw, body: '' }],
  ['DELETE /v1/employees/e-nobody', '400 body_not_allowed', { body: '{}' }],
] // biome-ignore format: rows

describe('a body is declared as JSON', () => attack(types))
describe('a body is JSON, strictly', () => attack(texts))
describe('a body that nobody wants is refused', () => attack(unwanted))
