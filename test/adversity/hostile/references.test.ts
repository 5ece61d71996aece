import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const acme = '"company":{"id":"c-acme","name":"Acme"'
const onTargets = (include: string): readonly string[] => [
  `GET /v1/employees?limit=2&${include}`,
  `GET /v1/employees/e-ada?${include}`,
  `GET /v1/employees/first?${include}`,
  `GET /v1/companies/c-acme/employees/last?${include}`,
]
const refused = (include: string, code: string, ...holds: readonly string[]): readonly Row[] =>
  onTargets(include).map(
    (request): Row => [request, `400 ${code}`, { holds, lacks: ['Acme', 'Lovelace'] }],
  )

const names = [
  'company_id', 'Company', 'COMPANY', 'companies', 'company,', ',company', ',', 'company,,company',
  'company,company_id', 'company,%20company', '%20company', 'company%20', '+company', '-company',
  'company.name', 'company.company', 'company.id', 'company/customers', 'company:eq', 'company;x',
  'company|name', 'company=1', '*', '**', '.', '..', '[company]', '[]', '{"company":1}',
  '"company"', '$company', '$%7B7*7%7D', '%7B%7B7*7%7D%7D', '@company', '!company', '1', '0',
  'true', 'null',
  'undefined', 'id', 'name', 'customers', 'employees', '__proto__', 'constructor', 'prototype',
  'toString', 'hasOwnProperty', '__proto__.company', 'company.__proto__', 'company%00', '%00',
  'company%0d%0aX-Injected:1', '%09company', "company'--", "company'%20or%201=1--",
  'company;drop%20table%20companies', '(select%20name%20from%20companies)', 'c%D0%BEmpany',
  '%EF%BD%83ompany', 'company%CC%81', '%F0%9F%98%80', 'comp%2561ny', '%2563ompany',
  'x'.repeat(2000), 'company%2Cx', 'company%EF%BC%8Ccompany',
] // biome-ignore format: words

const includes: readonly Row[] = [
  ...names.flatMap((name) => refused(`include=${name}`, 'bad_parameter', '"allowed":["company"]')),
  ...['include=company&include=x', 'include=x&include=company', 'include=&include=x'].flatMap(
    (query) => refused(query, 'bad_parameter', '"allowed":["company"]'),
  ),
  ...[
    `include=${'company,'.repeat(5).slice(0, -1)}`,
    `include=${','.repeat(1000)}`,
    `include=${'x,'.repeat(1000)}`,
    Array(5).fill('include=company').join('&'),
    Array(100).fill('include=x').join('&'),
  ].flatMap((query) => refused(query, 'bad_parameter', 'takes at most 4 names')),
  ...['include=%zz', 'include=%', 'include=%ED%A0%80', 'include=%C0%AE', 'include=%FF'].flatMap(
    (query) => refused(query, 'bad_percent_encoding'),
  ),
  ...[
    'Include=company', 'INCLUDE=company', 'includes=company', 'include[]=company',
    'include%5B%5D=company', 'include[0]=company', 'include.company=1', 'include:eq=company',
    'include%00=company', '%20include=company', 'include%20=company', 'inc%D6%81ude=company',
    'expand=company', 'embed=company', 'with=company', 'populate=company', '$expand=company',
  ].flatMap((query) => refused(query, 'unknown_parameter', '"include"')),
  ...['include=company', 'include=company&offset=0', 'include=company&limit='].map((query): Row => [
    `GET /v1/employees?${query}`, '400 bad_parameter', { lacks: ['Acme'] },
  ]),
  ['GET /v1/employees?include=company&limit=1001', '400 bad_parameter', { lacks: ['Acme'] }],
] // biome-ignore format: words

const taken: readonly Row[] = [
  ...[
    'include=company', 'include=comp%61ny', '%69nclude=company', 'include=company,company',
    'include=company%2Ccompany', 'include=company&include=company', 'include=company&include=',
    Array(4).fill('include=company').join('&'),
  ].map((query): Row => [`GET /v1/employees/e-ada?${query}`, '200 e-ada', { holds: [acme] }]),
  ['GET /v1/employees/e-ada?include=', '200 e-ada', { lacks: ['Acme'] }],
  ['GET /v1/employees/e-grace?include=company', '200 e-grace', { holds: ['"company":null'] }],
  ['GET /v1/employees/none?include=company', '404 not_found'],
  ['GET /v1/employees?include=company&limit=1000&fields=id', '200 [7 e-ada e-alan e-grace]', { holds: [acme] }],
] // biome-ignore format: a row stays a line

const elsewhere: readonly Row[] = [
  ...[
    'GET /v1/employees/count', 'GET /v1/companies', 'GET /v1/companies/c-acme',
    'GET /v1/companies/first', 'DELETE /v1/employees', 'DELETE /v1/employees/e-ada',
    'DELETE /v1/companies/c-acme/customers',
  ].map((request): Row => [
    `${request}?include=company`, '400 unknown_parameter', { lacks: ['Acme'] },
  ]),
  ...['POST /v1/employees', 'PUT /v1/employees/e-ada', 'PUT /v1/employees'].map((request): Row => [
    `${request}?include=company`, '400 unknown_parameter', { body: '[]', lacks: ['Acme'] },
  ]),
] // biome-ignore format: words

/** JSON texts of references. */
const absent = [
  'c-none', 'C-ACME', 'c-acme ', ' c-acme', 'c-acm', 'c-acme0', 'first', 'last', 'count', '', ' ',
  '.', '..', '../companies/c-acme', 'c-acme/', 'c-acme/customers', '/v1/companies/c-acme',
  '%63-acme',
  'c%2Dacme', '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null',
  'undefined', 'true', '0', '1', '-1', '1e3', 'NaN', '*', '%', '_', 'c-_cme', 'c-%', 'c-acme%', '?',
  '$1', ':company_id', '{}', '[]', '[\\"c-acme\\"]', '{\\"id\\":\\"c-acme\\"}', "' or 1=1 --",
  "c-acme' --", '\\"; drop table companies; --', "c-acme'; delete from companies; --",
  'c-acm\\u0435', 'c-acme\\u0301', 'c-acme\\u00ad', 'c-acme\\u200b', '\\ufeffc-acme',
  'c\\u2010acme', '\\uff43-acme', '\\ud83d\\ude00', 'c-acme\\r\\nX-Injected: 1', '<script>', '=1+1',
  '#{7*7}', '{{7*7}}', '../../etc/passwd', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(100_000),
] // biome-ignore format: words
/** JSON texts that no store takes. */
const unstorable = ['c-acme\\u0000', '\\u0000', '\\ud800', 'c-acme\\udc00', '\\udc00\\ud800']
const untyped = [
  '1', '0', '-1', '1.5', '1e3', 'true', 'false', '[]', '["c-acme"]', '["c-acme","c-globex"]',
  '[["c-acme"]]', '{}', '{"id":"c-acme"}', '{"c-acme":1}', '{"toString":"c-acme"}', 'null',
  '{"$ne":null}', '{"length":1,"0":"c-acme"}', '[null]', `[${'"c-acme",'.repeat(999)}"c-acme"]`,
] // biome-ignore format: words

const employee = (company: string) => `"name":"x","birthdate":"1990-01-01","company_id":${company}`
const fault = { holds: ['"pointer":"/company_id"'], lacks: ['Acme'] }
const missing = { ...fault, holds: [...fault.holds, '"code":"reference_not_found"'] }

const writes: readonly Row[] = [
  ...[
    ...absent.map((id) => [`"${id}"`, missing] as const),
    ...unstorable.map((id) => [`"${id}"`, fault] as const),
    ...untyped.map((value) => [value, fault] as const),
  ].flatMap(([value, more]): readonly Row[] => [
    ['POST /v1/employees', '422 validation_failed', { ...more, body: `{${employee(value)}}` }],
    ['PUT /v1/employees/e-ada', '422 validation_failed', { ...more, body: `{${employee(value)}}` }],
    [
      'PUT /v1/employees',
      '422 validation_failed',
      {
        body: `[{"id":"7",${employee('"c-acme"')}},{"id":"e-ada",${employee(value)}}]`,
        holds: more.holds.map((text) => text.replace('"/company_id', '"/1/company_id')),
        lacks: ['"/0/company_id"'],
      },
    ],
  ]),
]

const post = (body: string, verdict: string, more: object = {}): Row => [
  'POST /v1/employees',
  verdict,
  { body, ...more },
]
const whole: readonly Row[] = [
  post(`{${employee('"c-acme"')}}`, '201 n1', { changes: ['+employees/n1'] }),
  post(`{${employee('"c-acme"')},"company_id":"c-none"}`, '400 json_duplicate_key'),
  post(`{${employee('"c-none"')},"company_id":"c-acme"}`, '400 json_duplicate_key'),
  post(`{${employee('"c-acme"')},"__proto__":{"company_id":"c-none"}}`, '400 json_forbidden_key'),
  post(`{${employee('"c-acme"')},"constructor":{"prototype":{}}}`, '422 validation_failed'),
  post(`{${employee('"c-acme"')},"Company_id":"c-none"}`, '422 validation_failed'),
  post(`{${employee('"c-acme"')},"company_id ":"c-none"}`, '422 validation_failed'),
  post(`{${employee('"c-none"')},"company":{"id":"c-none","name":"None"}}`, '422 validation_failed', { holds: ['"pointer":"/company"'] }),
  post(`{${employee('"c-acme')}}`, '400 json_invalid'),
  post(`{${employee("'c-acme'")}}`, '400 json_invalid'),
  post(`{${employee('NaN')}}`, '400 json_invalid'),
  post(`{${employee('"c\u0000"')}}`, '400 json_invalid'),
  ['POST /v1/companies/c-acme/employees', '422 validation_failed', { body: `{${employee('"c-globex"')}}` }],
  ['POST /v1/companies/c-none/employees', '404 parent_not_found', { body: `{${employee('"c-none"')}}` }],
  ['PUT /v1/employees/none', '404 not_found', { body: `{${employee('"c-none"')}}` }],
  ['PUT /v1/employees', '404 not_found', { body: `[{"id":"none",${employee('"c-none"')}}]` }],
  [
    'PUT /v1/employees/e-ada',
    '200 e-ada',
    {
      body: `{${employee('"c-acme"')},"company":{"id":"c-umbra","name":"Mine","__x":1}}`,
      changes: ['~employees/e-ada'],
      lacks: ['Mine', '"company":'],
    },
  ],
  [
    'PUT /v1/employees',
    '422 validation_failed',
    {
      body: `[${['7', 'e-ada', 'e-alan'].map((id) => `{"id":"${id}",${employee('"c-none"')}}`)}]`,
      holds: ['"/0/company_id"', '"/1/company_id"', '"/2/company_id"'],
    },
  ],
] // biome-ignore format: a row stays a line

const stores = ['memory', 'SQLite'] as const

describe('include takes the names of references', () => attack(includes))
describe('include adds what it names', () => attack(taken, stores))
describe('include is for reading items', () => attack(elsewhere))
describe('a reference is the id of an item', () => attack(writes, stores))
describe('a body refers to items or is refused whole', () => attack(whole, stores))
