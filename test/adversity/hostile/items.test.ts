import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const both = ['memory', 'SQLite'] as const
const json = JSON.stringify
const created = { changes: ['+employees/n1'] }
const gita = { name: 'Gita', birthdate: '1991-04-09' }
const ada = { name: 'Ada King', birthdate: '1815-12-10' }
const post = (body: unknown, verdict: string, more: object = {}): Row => [
  'POST /v1/employees',
  verdict,
  { body: json(body), ...more },
]
const put = (body: unknown, verdict: string, more: object = {}): Row => [
  'PUT /v1/employees/e-ada',
  verdict,
  { body: json(body), ...more },
]

const values: readonly Row[] = [
  ...[
    undefined, null, '', 1, 0, true, false, [], ['x'], {}, { toString: 'x' }, 'a'.repeat(201),
    '😀'.repeat(201), 'e\u0301'.repeat(101), '\ud800', 'a\0',
  ].flatMap((name): readonly Row[] => [
    post(
      { ...gita, name },
      '422 validation_failed',
      name === '\ud800' || name === 'a\0' ? {} : { holds: ['/name'] },
    ),
    put({ ...gita, name }, '422 validation_failed'),
  ]),
  ...[
    undefined, null, '', 'today', 'x', 0, 19900101, -1, true, [], {}, ['1990-01-01'], '1990',
    '1990-01', '1990-1-1', '1990-00-10', '1990-13-01', '1990-01-00', '1990-01-32', '1990-02-30',
    '1991-02-29', '1900-02-29', '1990-04-31', '19900101', '1990/01/01', '01/02/1990',
    '1990-01-01T00:00:00Z', '1990-01-01 ', ' 1990-01-01', '１990-01-01', '1990‐01‐01', '+1990-01-01',
    '-1990-01-01', '+010000-01-01', '10000-01-01', '1990-01-01\n', '1990-W01-1', '1990-001',
    'Infinity', '9'.repeat(10_000),
  ].map((birthdate): Row => post(
    { ...gita, birthdate },
    '422 validation_failed',
    { holds: ['/birthdate'] },
  )),
  ...['2000-02-29', '1996-02-29', '0001-01-01', '9999-12-31']
    .map((birthdate): Row => post({ ...gita, birthdate }, '201 n1', created)),
  ...[
    null, '', 1, [], {}, 'x', 'a@', '@b.example', 'a@b', 'a b@c.example', 'a@b.example\n',
    'a@b..example', 'a@b.example,c@d.example', 'a@b.example\r\nBcc: x',
    `${'a'.repeat(250)}@b.example`, 'é@b.example', '<a@b.example>',
  ].map((email): Row => post({ ...gita, email }, '422 validation_failed', { holds: ['/email'] })),
  ...[
    '\u202egnp.exe', '\ufeffx', 'x\ufeff', '<script>alert(1)</script>', '$\u007b7*7}{{7*7}}',
    '=cmd|calc', '+1', '@x', 'a"b\\c/d', "'; drop table employees;--", "O'Hara", '%', '_', '\\',
    '\u2028\u2029', 'שלום', '日本', '👨‍👩‍👧', 'e\u0301', 'é', '\u200b', '\uffff', '\u{10ffff}', ' ',
    ' x ', '\t', '\u007f', '\u0085', 'null', 'undefined', '__proto__', '0', 'NaN', 'a'.repeat(200),
    '😀'.repeat(200), '😀'.repeat(100), 'ﷺ', 'İ', '\u0001', '\r\nX-Injected: 1',
  ].map((name): Row => post({ ...gita, name }, '201 n1', { ...created, holds: [json(name)] })),
  ...[
    { role: 'admin' }, { is_admin: true }, { password: 'x' }, { version: 1 }, { deleted: 1 },
    { n1: 1 }, { employer: { id: 'c-acme' } }, { role: 'admin', is_admin: true, x: 1 },
  ].flatMap((more): readonly Row[] => [
    post({ ...gita, ...more }, '422 validation_failed'),
    put({ ...gita, ...more }, '422 validation_failed'),
  ]),
  // The item of a reference: refused when new, taken back by a PUT.
  post({ ...gita, company: { id: 'c-acme' } }, '422 validation_failed'),
  put({ ...gita, company: { id: 'c-acme' } }, '200 e-ada', { changes: ['~employees/e-ada'] }),
  // The server's own fields: refused when new, taken back unchanged.
  ...['1999-01-01T00:00:00Z', '2026-01-02T03:04:05.000Z', null, 0, '', 'x'].map((created_at): Row =>
    post({ ...gita, created_at }, '422 validation_failed', { lacks: ['1999'] })),
  ...[
    '1999-01-01T00:00:00Z', '2026-01-02T03:04:05.001Z', '2026-01-02T03:04:05+01:00',
    '2026-01-02', null, 0, '', 'x', {},
  ].map((created_at): Row => put({ ...gita, created_at }, '422 validation_failed')),
  // The same moment, written otherwise.
  ...['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000+00:00'].map((created_at): Row =>
    put({ ...ada, created_at }, '200 e-ada', {
      changes: ['~employees/e-ada'],
      holds: ['"created_at":"2026-01-02T03:04:05.000Z"'],
    })),
  put({ ...ada, created_at: '2026-01-02T03:04:05.000Z' }, '200 e-ada', { changes: ['~employees/e-ada'] }),
  put({ id: 'e-ada', ...ada, created_at: '2026-01-02T03:04:05.000Z', company_id: 'c-acme' }, '200 e-ada', { changes: ['~employees/e-ada'] }),
  // A reference.
  ...[
    'c-nobody', '', ' ', 'C-ACME', 'c-acme ', ' c-acme', 'c-acme\u200b', 'e-ada', 'first', '..',
    '__proto__', 'constructor', 'a'.repeat(256), 'a'.repeat(300),
  ].map((company_id): Row => post({ ...gita, company_id }, '422 validation_failed')),
  ...[null, 1, true, [], ['c-acme'], {}, { id: 'c-acme' }].map((company_id): Row => post(
    { ...gita, company_id },
    '422 validation_failed',
    { holds: ['/company_id'] },
  )),
  post({ ...gita, company_id: 'c-acme' }, '201 n1', created),
  // All that is wrong is said at once.
  post({ name: '', birthdate: 'x', email: 'y', foo: 1 }, '422 validation_failed', { holds: ['/name', '/birthdate', '/email'] }),
  post({}, '422 validation_failed', { holds: ['/name', '/birthdate'] }),
  put({}, '422 validation_failed', { holds: ['/name', '/birthdate'] }),
  post(Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`x${n}`, n])), '422 validation_failed'),
] // biome-ignore format: rows

const ids: readonly Row[] = [
  // No contract of the example lets a client choose an id: nothing is stored.
  ...[
    'first', 'last', 'count', '.', '..', '', '\u0000', '\u001f', '\u007f', '\u0085', '\ud800',
    '\r\nSet-Cookie: a', 'a'.repeat(256), '😀'.repeat(256), 'x'.repeat(5000),
  ].map((id): Row => post(
    { ...gita, id },
    /[\0\ud800]/.test(id) ? '422 validation_failed' : '422 reserved_id',
  )),
  ...[
    'mine', 'e-ada', 'e-ada ', ' e-ada', 'E-ADA', '日本', 'a/b', '../x', '%2e%2e', 'a?b', 'a#b',
    'a b', '"', '<b>', '\\', '__proto__', 'constructor', 'toString', '7', '1', '-1', '1e3', 'null',
    '*', ';', '\u200b', '\ufeff', '\u202e', 'a'.repeat(255), 'n1',
  ].map((id): Row => post({ ...gita, id }, '422 validation_failed')),
  ...[
    1, 0, -1, 1.5, 1e21, true, false, null, [], ['e-ada'], {}, { $ne: null }, { toString: 'e-ada' },
  ].map((id): Row => post({ ...gita, id }, '422 validation_failed')),
  // Two ids are one, or nothing is done.
  ...['e-alan', 'e-nobody', 'e-ada ', ' e-ada', 'E-ADA', '', 'first', '..', 'e-ada\u200b', 'é']
    .map((id): Row => put({ ...ada, id }, '409 id_mismatch')),
  ...[1, true, null, [], ['e-ada'], {}, { toString: 'e-ada' }]
    .map((id): Row => put({ ...ada, id }, '409 id_mismatch')),
  put({ ...ada, id: 'e-ada' }, '200 e-ada', { changes: ['~employees/e-ada'] }),
  ['PUT /v1/employees/7', '409 id_mismatch', { body: json({ ...ada, id: 7 }) }],
  ['PUT /v1/employees/e-nobody', '404 not_found', { body: json({ ...ada, id: 'e-nobody' }) }],
  ['PUT /v1/employees/e-nobody', '404 not_found', { body: json(ada) }],
  ['PUT /v1/employees/e-ada', '422 validation_failed', { body: json([{ ...ada, id: 'e-ada' }]) }],
  ['PUT /v1/employees/e-ada', '422 validation_failed', { body: json({ id: 'e-ada' }) }],
  ['PUT /v1/employees/', '400 bad_path', { body: json(ada) }],
  ['PUT /v1/employees/%20', '404 not_found', { body: json(ada) }],
  ['PUT /v1/employees/undefined', '404 not_found', { body: json(ada) }],
  // Conditions: nothing here has a version, so that no tag can match.
  ...[
    '"1"', '"no-such"', 'W/"1"', '"1", "2"', '"*"', '""', '" "',
  ].flatMap((tag): readonly Row[] => [
    put(ada, '409 precondition_failed', { fields: [['if-match', tag]] }),
    ['DELETE /v1/employees/e-ada', '409 precondition_failed', { fields: [['if-match', tag]] }],
    ['DELETE /v1/employees', '409 precondition_failed', { fields: [['if-match', tag]] }],
    ['PUT /v1/employees', '409 precondition_failed', { body: json([{ ...ada, id: 'e-ada' }]), fields: [['if-match', tag]] }],
  ]),
  put(ada, '200 e-ada', { fields: [['if-match', '*']], changes: ['~employees/e-ada'] }),
  put(ada, '409 precondition_failed', { fields: [['if-none-match', '*']] }),
  ['DELETE /v1/employees/e-ada', '409 precondition_failed', { fields: [['if-none-match', '*']] }],
  ...['"', 'x', '', '*, "1"', 'w/"1"', '"1" "2"', '1', '\u00e9'].flatMap((tag): readonly Row[] => [
    put(ada, '400 bad_request', { fields: [['if-match', tag]] }),
    ['DELETE /v1/employees/e-ada', '400 bad_request', { fields: [['if-match', tag]] }],
    ['DELETE /v1/employees', '400 bad_request', { fields: [['if-match', tag]] }],
    ['PUT /v1/employees', '400 bad_request', { body: json([{ ...ada, id: 'e-ada' }]), fields: [['if-match', tag]] }],
  ]),
  ...['x', '', '"1', ',', '"1" x', '1'].flatMap((tag): readonly Row[] => [
    put(ada, '400 bad_request', { fields: [['if-none-match', tag]] }),
    ['DELETE /v1/employees/e-ada', '400 bad_request', { fields: [['if-none-match', tag]] }],
    ['DELETE /v1/employees', '400 bad_request', { fields: [['if-none-match', tag]] }],
  ]),
  ['PUT /v1/employees/e-nobody', '404 not_found', { body: json(ada), fields: [['if-match', '*']] }],
  ['PUT /v1/employees/e-nobody', '404 not_found', { body: json(ada), fields: [['if-none-match', '*']] }],
  ...['bytes 0-1/2', '', 'items 0-1/4', 'x', 'bytes */4'].flatMap((range): readonly Row[] => [
    put(ada, '400 bad_request', { fields: [['content-range', range]] }),
    ['PUT /v1/employees', '400 bad_request', { body: '[]', fields: [['content-range', range]] }],
  ]),
  ...[
    ['range', 'bytes=0-5'],
    ['range', 'items=0-1'],
    ['if-range', '"1"'],
    ['if-match', '"1"'],
    ['if-none-match', '*'],
    ['if-modified-since', 'Thu, 01 Jan 2099 00:00:00 GMT'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['if-match', 'x'],
  ].map((field): Row => [
    'GET /v1/employees/e-ada',
    '200 e-ada',
    { fields: [field as [string, string]] },
  ]),
] // biome-ignore format: rows

describe('what an item cannot be is refused', () => attack(values, both))
describe('an id is one text, and only the server gives it', () => attack(ids, both))
