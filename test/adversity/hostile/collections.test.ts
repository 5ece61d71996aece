import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const both = ['memory', 'SQLite'] as const
const json = JSON.stringify
const item = (id: unknown, more: object = {}) => ({
  id,
  name: 'Changed',
  birthdate: '1990-01-01',
  ...more,
})
const bulk = (items: readonly unknown[], verdict: string, more: object = {}): Row => [
  'PUT /v1/employees',
  verdict,
  { body: json(items), ...more },
]
const acme = '/v1/companies/c-acme/employees' // biome-ignore format: short ones
const ofAcme = ['-employees/e-ada', '-employees/e-alan']
const all = ['-employees/7', ...ofAcme, '-employees/e-grace']

const bulks: readonly Row[] = [
  bulk([item('e-ada'), item('e-alan')], '200 [e-ada e-alan]', { changes: ['~employees/e-ada', '~employees/e-alan'] }),
  bulk([item('e-alan'), item('e-ada')], '200 [e-alan e-ada]', { changes: ['~employees/e-ada', '~employees/e-alan'] }),
  bulk([], '200 []'),
  // One that is wrong, and none is changed, wherever it stands.
  ...[
    [item('e-alan', { name: '' }), '422 validation_failed'],
    [item('e-alan', { birthdate: 'x' }), '422 validation_failed'],
    [item('e-alan', { role: 'admin' }), '422 validation_failed'],
    [item('e-nobody'), '404 not_found'],
    [item('e-ada'), '422 validation_failed'],
    [item('e-ada', { name: 'Other' }), '422 validation_failed'],
    [{ name: 'x', birthdate: '1990-01-01' }, '422 validation_failed'],
    [null, '422 validation_failed'],
    [1, '422 validation_failed'],
    ['e-alan', '422 validation_failed'],
    [true, '422 validation_failed'],
    [[], '422 validation_failed'],
    [[item('e-alan')], '422 validation_failed'],
    [{}, '422 validation_failed'],
    ...[
      null, true, false, [], ['e-alan'], ['e-ada', 'e-alan'], {}, { toString: 'e-alan' },
      { $ne: 1 }, 1, 7, 0, -1, 1.5,
    ].map((id) => [item(id), '422 validation_failed'] as const),
    ...[
      '', ' ', 'e-ada ', ' e-ada', 'E-ADA', 'e-ada\u200b', 'first', 'count', '.', '..', '__proto__',
      'constructor', '*', '%', 'e-alan,e-grace', 'a'.repeat(256),
    ].map((id) => [item(id), '404 not_found'] as const),
    [item('e-alan', { created_at: '1999-01-01T00:00:00Z' }), '422 validation_failed'],
    [item('e-alan', { created_at: null }), '422 validation_failed'],
    [item('e-alan', { company_id: 'c-nobody' }), '422 validation_failed'],
    [item('e-alan', { company_id: null }), '422 validation_failed'],
  ].flatMap(([wrong, verdict]): readonly Row[] => [
    bulk([item('e-ada'), wrong], verdict as string),
    bulk([wrong, item('e-ada')], verdict as string),
  ]),
  ...[
    '{}', 'null', 'true', '1', '"e-ada"', json(item('e-ada')),
    '{"0":{"id":"e-ada","name":"Changed","birthdate":"1990-01-01"},"length":1}', '{"items":[]}',
    '{"data":[]}',
  ].map((body): Row => ['PUT /v1/employees', '422 validation_failed', { body }]),
  bulk([item('e-ada', { name: '' }), item('e-alan', { birthdate: 'x' }), item(1)], '422 validation_failed', { holds: ['/0/name', '/1/birthdate', '/2/id'] }),
  bulk([item('e-x'), item('e-y'), item('e-ada')], '404 not_found'),
  bulk(Array.from({ length: 1000 }, (_, n) => item(`x${n}`)), '404 not_found'),
  bulk(Array.from({ length: 1001 }, (_, n) => item(`x${n}`)), '400 bulk_too_large'),
  bulk(Array.from({ length: 1001 }, () => item('e-ada')), '400 bulk_too_large'),
  bulk(Array.from({ length: 1000 }, () => ({})), '422 validation_failed'),
  ['PUT /v1/employees', '400 bulk_too_large', { body: `[{}${',{}'.repeat(99_999)}]` }],
  ['PUT /v1/employees', '400 bulk_too_large', { body: `[1${',1'.repeat(400_000)}]` }],
  ['PUT /v1/employees', '400 body_too_large', { body: json(Array.from({ length: 30_000 }, () => item('e-ada'))) }],
  ['PUT /v1/employees?id=e-ada', '400 unknown_parameter', { body: json([item('e-ada')]) }],
  ['PUT /v1/employees?upsert', '400 unknown_parameter', { body: json([item('e-new')]) }],
  ['PUT /v1/employees/', '400 bad_path', { body: json([item('e-ada')]) }],
  ['PUT /v1/employees', '400 body_missing', { body: '' }],
  // An item of another parent is missing.
  [`PUT ${acme}`, '404 not_found', { body: json([item('e-ada'), item('e-grace')]) }],
  [`PUT ${acme}`, '404 not_found', { body: json([item('7')]) }],
  [`PUT ${acme}`, '422 validation_failed', { body: json([item('e-ada', { company_id: 'c-globex' })]) }],
  [`PUT ${acme}`, '422 validation_failed', { body: json([item('e-ada', { company_id: null })]) }],
  [`PUT ${acme}`, '200 [e-ada]', { body: json([item('e-ada', { company_id: 'c-acme' })]), changes: ['~employees/e-ada'] }],
  [`PUT ${acme}`, '200 [e-ada]', { body: json([item('e-ada')]), changes: ['~employees/e-ada'], holds: ['c-acme'] }],
  ['PUT /v1/companies/c-nobody/employees', '404 parent_not_found', { body: json([item('e-ada')]) }],
  ['PUT /v1/companies/c-nobody/employees', '404 parent_not_found', { body: '[]' }],
  ['PUT /v1/companies/c-umbra/employees', '404 not_found', { body: json([item('e-ada', { company_id: 'c-umbra' })]) }],
] // biome-ignore format: rows

// URL parsers make the path behind the arrow of each of them; its sender named an item below.
const shortened: readonly Row[] = [
  '/v1/employees/..', '/v1/companies/c-acme/..', '/v1/companies/c-acme/employees/..',
  '/v1/companies/c-acme/employees/e-ada/..', '/v1/employees/.', '/v1/employees/e-ada/.',
  '/v1/companies/c-acme/employees/.', '/v1/employees/e-ada/x/..',
  '/v1/companies/c-acme/employees/%2e%2E', '/v1/employees/e-ada/', '/v1/companies/c-acme/',
].map((path) => new URL(path, 'http://x').pathname).flatMap((path): readonly Row[] => [
  [`DELETE ${path}`, path === '/v1/' ? '405 method_not_allowed' : '400 bad_path'],
  [`PUT ${path}`, path === '/v1/' ? '405 method_not_allowed' : '400 bad_path', { body: json({ name: 'Changed', birthdate: '1990-01-01' }) }],
  [`PATCH ${path}`, path === '/v1/' ? '405 method_not_allowed' : '400 bad_path', { body: json({ name: 'Changed' }) }],
]) // biome-ignore format: rows

const clearings: readonly Row[] = [
  ['DELETE /v1/employees', '200 deleted 4', { changes: all }],
  [`DELETE ${acme}`, '200 deleted 2', { changes: ofAcme }],
  ['DELETE /v1/companies/c-acme/customers', '200 deleted 1', { changes: ['-customers/k-kay'] }],
  ['DELETE /v1/companies/c-umbra/customers', '200 deleted 0'],
  ['DELETE /v1/companies/c-nobody/employees', '404 parent_not_found'],
  ['DELETE /v1/companies/c-acme', '409 conflict'],
  ['DELETE /v1/companies', '409 conflict'],
  ...[
    '?sort=name', '?limit=1', '?limit=0', '?after=x', '?ids=e-ada,e-alan', '?filter=x',
    '?all=true', '?confirm=yes', '?force', '?=', '?a=b&c=d', '?%20', '?+', '?;', '?_',
    '?max-affected=1', '?prefer=max-affected=1', '?where[id]=7', '?*', '??', '???q=x', '?/', '?..',
  ].flatMap((search): readonly Row[] => [
    [`DELETE /v1/employees${search}`, '400 unknown_parameter'],
    [`DELETE ${acme}${search}`, '400 unknown_parameter'],
  ]),
  // Nothing is selected, so nothing may go.
  ...['?', '?&', '?&&', '?&&&&', '?q=', '?q', '?&q='].flatMap((search): readonly Row[] => [
    [`DELETE /v1/employees${search}`, '400 bad_parameter'],
    [`DELETE ${acme}${search}`, '400 bad_parameter'],
  ]),
  ...['?q=turing', '?id=e-ada', '?company_id=c-acme'].flatMap((search): readonly Row[] => [
    [`DELETE /v1/employees${search}`, '409 too_many_affected'],
    [`DELETE ${acme}${search}`, '409 too_many_affected'],
  ]),
  ...[
    'max-affected=0', 'max-affected=3', 'MAX-AFFECTED=3', 'Max-Affected="3"', 'max-affected = 3',
    'max-affected=003', 'wait=1, max-affected=3', 'max-affected=3;x=y',
    'return=minimal,max-affected=3', 'max-affected=3, max-affected=99',
    'handling=strict; x, max-affected=3',
  ].map((prefer): Row => [
    'DELETE /v1/employees',
    '409 too_many_affected',
    { fields: [['prefer', prefer]] },
  ]),
  ...[
    'max-affected=4', 'max-affected=5', 'max-affected=999999999999999', 'max-affected="4"',
    'return=minimal', 'respond-async', 'wait=1', '', ',', ',,,', 'handling=strict', 'max=1',
    'affected=1', 'max_affected=1', 'x="', '=', ';',
  ].map((prefer): Row => [
    'DELETE /v1/employees',
    '200 deleted 4',
    { fields: [['prefer', prefer]], changes: all },
  ]),
  ...[
    'max-affected', 'max-affected=', 'max-affected=-1', 'max-affected=+1', 'max-affected=1.0',
    'max-affected=1e3', 'max-affected=0x1', 'max-affected=x', 'max-affected=""', 'max-affected="x"',
    'max-affected=Infinity', 'max-affected=NaN', 'max-affected=1234567890123456', 'max-affected: 1',
    'x;max-affected=1', 'x="max-affected=1"', 'max-affected-2=1', 'x-max-affected=1',
    'max-affected*=1', "max-affected='1'", 'handling=strict; max-affected=1',
    'return=minimal max-affected=1', 'max-affected=\u00b2', 'max-affected=1_0', 'max-affected=null',
  ].map((prefer): Row => [
    'DELETE /v1/employees',
    '400 bad_request',
    { fields: [['prefer', prefer]] },
  ]),
  ['DELETE /v1/employees', '409 too_many_affected', { fields: [['prefer', 'wait=1'], ['prefer', 'max-affected=1']] }],
  ['DELETE /v1/employees', '409 too_many_affected', { fields: [['prefer', 'max-affected=1'], ['prefer', 'max-affected=9']] }],
  [`DELETE ${acme}`, '409 too_many_affected', { fields: [['prefer', 'max-affected=1']] }],
  [`DELETE ${acme}`, '200 deleted 2', { fields: [['prefer', 'max-affected=2']], changes: ofAcme }],
  ['DELETE /v1/companies/c-umbra/employees', '200 deleted 0', { fields: [['prefer', 'max-affected=0']] }],
  ['DELETE /v1/companies/c-nobody/employees', '404 parent_not_found', { fields: [['prefer', 'max-affected=0']] }],
] // biome-ignore format: rows

const nested: readonly Row[] = [
  ...[
    'c-nobody', 'C-ACME', 'c-acme%20', 'e-ada', 'first', '__proto__', 'constructor', '%25', '*',
    'null', 'undefined', '%20', 'c-acme,c-globex',
  ].flatMap((id): readonly Row[] => {
    const path = `/v1/companies/${id}/employees`
    return [
      [`GET ${path}`, '404 parent_not_found'],
      [`GET ${path}/first`, '404 parent_not_found'],
      [`GET ${path}/count`, '404 parent_not_found'],
      [`GET ${path}/e-ada`, '404 parent_not_found'],
      [`GET ${path}?q=x&limit=1`, '404 parent_not_found'],
      [`POST ${path}`, '404 parent_not_found', { body: '{"name":"Orphan","birthdate":"1990-01-01"}' }],
      [`PUT ${path}/e-ada`, '404 parent_not_found', { body: '{"name":"x","birthdate":"1990-01-01"}' }],
      [`DELETE ${path}`, '404 parent_not_found'],
      [`DELETE ${path}/e-ada`, '404 parent_not_found'],
      [`HEAD ${path}`, '404'],
      [`GET /v1/companies/${id}/customers`, '404 parent_not_found'],
      [`POST /v1/companies/${id}/customers`, '404 parent_not_found', { body: '{"name":"Orphan"}' }],
    ]
  }),
  // Under another parent, an item is as if it were not there.
  ['GET /v1/companies/c-globex/employees/e-ada', '404 not_found'],
  ['HEAD /v1/companies/c-globex/employees/e-ada', '404'],
  ['PUT /v1/companies/c-globex/employees/e-ada', '404 not_found', { body: '{"name":"x","birthdate":"1990-01-01"}' }],
  ['PUT /v1/companies/c-globex/employees/e-ada', '404 not_found', { body: '{"name":"x","birthdate":"1990-01-01","company_id":"c-globex"}' }],
  ['DELETE /v1/companies/c-globex/employees/e-ada', '404 not_found'],
  ['DELETE /v1/companies/c-acme/employees/e-grace', '404 not_found'],
  ['DELETE /v1/companies/c-acme/customers/k-lee', '404 not_found'],
  ['DELETE /v1/companies/c-acme/customers/e-ada', '404 not_found'],
  ['GET /v1/companies/c-acme/customers/e-ada', '404 not_found'],
  ['GET /v1/companies/c-acme/employees?q=seven', '200 []'],
  ['GET /v1/companies/c-acme/employees/last?sort=-name', '200 e-ada'],
  // A path and a body that both name the company must agree.
  ...['c-globex', 'c-nobody', '', 'C-ACME', 'c-acme ', null, 1, [], ['c-acme'], {}]
    .flatMap((company_id): readonly Row[] => {
      const body = json({ name: 'Two Bosses', birthdate: '1990-01-01', company_id })
      return [
        [`POST ${acme}`, '422 validation_failed', { body }],
        [`PUT ${acme}/e-ada`, '422 validation_failed', { body }],
      ]
    }),
  [`POST ${acme}`, '201 n1', { body: '{"name":"One Boss","birthdate":"1990-01-01","company_id":"c-acme"}', changes: ['+employees/n1'], holds: ['"/v1/companies/c-acme/employees/n1"'] }],
  [`POST ${acme}`, '201 n1', { body: '{"name":"One Boss","birthdate":"1990-01-01"}', changes: ['+employees/n1'], holds: ['"company_id":"c-acme"'] }],
  [`POST ${acme}/`, '201 n1', { body: '{"name":"One Boss","birthdate":"1990-01-01"}', changes: ['+employees/n1'], holds: ['"/v1/companies/c-acme/employees/n1"'] }],
  [`PUT ${acme}/e-ada`, '200 e-ada', { body: '{"name":"Ada King","birthdate":"1815-12-10"}', changes: ['~employees/e-ada'], holds: ['"company_id":"c-acme"'] }],
  [`DELETE ${acme}/e-ada`, '200 e-ada', { changes: ['-employees/e-ada'] }],
  ['PUT /v1/employees/e-ada', '200 e-ada', { body: '{"name":"Moved","birthdate":"1990-01-01","company_id":"c-globex"}', changes: ['~employees/e-ada'] }],
  // The response names the first fault in the order of checks.
  ['POST /v1/companies/c-nobody/customers?x=1', '400 unknown_parameter', { body: '{' }],
  ['POST /v1/companies/c-nobody/customers', '400 json_invalid', { body: '{' }],
  ['POST /v1/companies/c-nobody/customers', '422 validation_failed', { body: '{}' }],
  ['PUT /v1/companies/c-nobody/employees/e-ada?x', '400 unknown_parameter', { body: '{' }],
  ['PATCH /v1/companies/c-nobody/employees/e-ada?x', '400 unknown_parameter', { body: '{' }],
] // biome-ignore format: rows

const born = { birthdate: '1990-01-01' }
const changing = { changes: ['~employees/e-ada', '~employees/e-alan'] }

/** Bulks of patches and of new items: each is wrong as a whole if one part is. */
const patches: readonly Row[] = [
  ['PATCH /v1/employees', '200 [e-alan e-ada]', { body: json([{ id: 'e-alan', name: 'A' }, { id: 'e-ada', name: 'B' }]), ...changing }],
  ['PATCH /v1/employees', '200 [e-ada e-alan]', { body: json([{ id: 'e-ada' }, { id: 'e-alan', company_id: null }]), changes: ['~employees/e-alan'] }],
  ['PATCH /v1/employees', '200 [e-ada]', { body: '[{"id":"e-ada"}]' }],
  ['PATCH /v1/employees', '200 []', { body: '[]' }],
  ...[
    [{ id: 'e-nobody', name: 'x' }, '404 not_found'],
    [{ id: 'E-ADA', name: 'x' }, '404 not_found'],
    [{ id: 'first', name: 'x' }, '404 not_found'],
    ...[
      { name: 'x' }, { id: null }, { id: 1 }, { id: 'e-ada', name: 'x' }, null, 1, [], 'e-alan',
      { id: 'e-alan', name: '' }, { id: 'e-alan', name: null }, { id: 'e-alan', name: ['x'] },
      { id: 'e-alan', birthdate: 'x' }, { id: 'e-alan', role: 'admin' },
      { id: 'e-alan', created_at: null }, { id: 'e-alan', created_at: '1999-01-01T00:00:00Z' },
      { id: 'e-alan', company_id: 'c-nobody' }, { id: 'e-alan', company_id: { $ne: 1 } },
      { id: 'e-alan', constructor: { prototype: 1 } },
    ].map((wrong) => [wrong, '422 validation_failed'] as const),
  ].flatMap(([wrong, verdict]): readonly Row[] => [
    ['PATCH /v1/employees', verdict as string, { body: json([{ id: 'e-ada', name: 'A' }, wrong]) }],
    ['PATCH /v1/employees', verdict as string, { body: json([wrong, { id: 'e-ada', name: 'A' }]) }],
  ]),
  ['PATCH /v1/employees/e-ada', '409 id_mismatch', { body: '{"id":"e-alan","name":"x"}' }],
  ['PATCH /v1/employees/e-ada', '200 e-ada', { body: '{}' }],
  ['PATCH /v1/employees/e-nobody', '404 not_found', { body: '{"name":"x"}' }],
  [`PATCH ${acme}/e-grace`, '404 not_found', { body: '{"name":"x"}' }],
  [`PATCH ${acme}`, '404 not_found', { body: '[{"id":"e-ada","name":"x"},{"id":"e-grace","name":"x"}]' }],
  [`PATCH ${acme}/e-ada`, '422 validation_failed', { body: '{"company_id":"c-globex"}' }],
  [`PATCH ${acme}/e-ada`, '422 validation_failed', { body: '{"company_id":null}' }],
] // biome-ignore format: rows

const creations: readonly Row[] = [
  ['POST /v1/employees', '201 [n1 n2]', { body: json([{ name: 'x', ...born }, { name: 'y', ...born }]), changes: ['+employees/n1', '+employees/n2'], holds: ['"x"'] }],
  [`POST ${acme}`, '201 [n1 n2]', { body: json([{ name: 'x', ...born }, { name: 'y', ...born }]), changes: ['+employees/n1', '+employees/n2'], holds: ['"company_id":"c-acme"'] }],
  ['POST /v1/companies/c-nobody/employees', '404 parent_not_found', { body: json([{ name: 'x', ...born }]) }],
  ['POST /v1/companies/c-nobody/employees', '404 parent_not_found', { body: '[]' }],
  ...[
    { name: '', ...born }, { name: 'y' }, { name: 'y', birthdate: 'x' }, null, 1, 'x', [], {},
    { name: 'y', ...born, id: 'n9' }, { name: 'y', ...born, id: 'e-ada' },
    { name: 'y', ...born, created_at: '1999-01-01T00:00:00Z' },
    { name: 'y', ...born, role: 'admin' },
    { name: 'y', ...born, company_id: 'c-nobody' }, [{ name: 'y', ...born }],
  ].flatMap((wrong): readonly Row[] => [
    ['POST /v1/employees', '422 validation_failed', { body: json([{ name: 'x', ...born }, wrong]) }],
    ['POST /v1/employees', '422 validation_failed', { body: json([wrong, { name: 'x', ...born }]) }],
  ]),
] // biome-ignore format: rows

describe('a bulk is all or nothing, and exactly what it lists', () => attack(bulks, both))
describe('a bulk of patches is all or nothing', () => attack(patches, both))
describe('a bulk of new items is all or nothing', () => attack(creations, both))
describe('everything is deleted only when that is said', () => attack(clearings, both))
describe('what is under a parent stays there', () => attack(nested, both))
describe('a dot segment deletes and overwrites nothing', () => attack(shortened, both))
