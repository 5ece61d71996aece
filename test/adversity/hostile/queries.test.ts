import { describe } from 'vitest'
import { attack, type Row } from './drive.ts'

const all = '200 [7 e-ada e-alan e-grace]'
const raw = { only: 'raw' } as const
const both = ['memory', 'SQLite'] as const

const unknown = [
  'foo=1', 'foo', '=', '=1', '?', '?q=ada', 'Q=ada', 'Sort=name', 'SORT=name', 'LIMIT=1', 'page=2',
  'size=1', 'per_page=1', 'cursor=x', 'select=name',
  'includes=company', 'expand=company', 'filter=x', 'filter[name]=Ada', 'where=1', '$filter=1',
  '$where=1', 'q[]=ada', 'q%5B%5D=ada', 'q[$ne]=1',
  'q%5B%24regex%5D=.*', 'q.x=1', 'q%20=ada', '%20q=ada', '+q=ada', 'q%00=ada', 'q%0a=ada',
  'sort[]=name', 'sort[0]=name', 'sort[name]=asc', 'order=asc', 'direction=desc', 'limit[]=1',
  '__proto__=x', '__proto__[admin]=1', '__proto__.admin=1', 'constructor=1',
  'constructor.prototype.x=1', 'constructor[prototype][x]=1', 'toString=1', 'hasOwnProperty=1',
  'prototype=1', 'length=1', 'callback=alert', 'jsonp=x', 'format=xml', '_format=json', 'debug=1',
  'admin=true', 'access_token=x', 'api_key=x', 'utm_source=x', '_=1', 'q=ada&foo', 'q=ada&foo=',
  'foo=1&q=ada', 'q=ada;sort=name&x', 'q%3D=ada', 'q%26=1', 'max-affected=1', 'prefer=x',
  'if-match=x', 'before=x', 'since=x', 'skip=1', 'first=1', 'count=1', '%EF%BD%91=ada',
  'so%72t%20=name',
] // biome-ignore format: words

// PUT takes no filter: a client that sends one wants to change fewer items.
const filters = ['id=e-ada', 'name=Ada', 'company_id=c-acme']
const onReads = ['offset=1', 'fields=name', ...filters]

const parameters: readonly Row[] = [
  ...onReads.flatMap((search): readonly Row[] => [
    [
      `DELETE /v1/employees?${search}`,
      filters.includes(search) ? '409 too_many_affected' : '400 unknown_parameter',
    ],
    [`PUT /v1/employees?${search}`, '400 unknown_parameter', { body: '[]' }],
  ]),
  ...['offset=1', 'fields=password']
    .map((search): Row => [`GET /v1/employees?${search}`, '400 bad_parameter']),
  ...['offset=1', 'fields=name']
    .map((search): Row => [`GET /v1/employees/count?${search}`, '400 unknown_parameter']),
  ['GET /v1/employees?id=e-ada', '200 [e-ada]'],
  ['GET /v1/employees?id=e-ada&id=first&id=%00', '200 [e-ada]'],
  ['GET /v1/employees?name=Ada', '200 []'],
  ...unknown.flatMap((search): readonly Row[] => [
    [`GET /v1/employees?${search}`, '400 unknown_parameter', { lacks: ['Lovelace'] }],
    [`DELETE /v1/employees?${search}`, '400 unknown_parameter'],
    [`GET /v1/employees/count?${search}`, '400 unknown_parameter'],
  ]),
  ...['q=a&q=b', 'q=a&q=a', 'q&q', 'limit=1&limit=1', 'q=a&%71=b', 'after=x&after=x', 'q=&q=']
    .map((search): Row => [`GET /v1/employees?${search}`, '400 repeated_parameter']),
  ...['sort=name&sort=name', 'sort=name&sort=-name']
    .map((search): Row => [`GET /v1/employees?${search}`, '400 sort_duplicate_field']),
  ...[
    'limit=0', 'limit=-1', 'limit=', 'limit', 'limit=1.5', 'limit=1e3', 'limit=01', 'limit=+1',
    'limit=%2B1', 'limit=1001', 'limit=99999999999999999999', 'limit=NaN', 'limit=Infinity',
    'limit=0x10', 'limit=1%20', 'limit=%201', 'limit=one', 'limit=%D9%A1', 'limit=%EF%BC%91',
    'limit=1,2', 'limit=null', 'limit=true', 'limit=%00', "limit=1'", 'limit=1;', 'limit=1%00',
    'limit=[1]',
  ].map((search): Row => [`GET /v1/employees?${search}`, '400 bad_parameter']),
  ...[
    'after=', 'after', 'after=x', 'after=%00', 'after=eyJ9', 'after=null', "after='",
    'after=%F0%9F%98%80', 'after=__proto__', `after=${'A'.repeat(3000)}`, 'after=W10', 'after=e30',
    'after=bnVsbA', 'after=%2B%2F%3D', 'after=..%2F',
  ].map((search): Row => [`GET /v1/employees?${search}`, '400 invalid_cursor']),
  ...['%', '%zz', '%ff', '%C0%AF', '%ED%A0%80', '%u0041', 'a%', '%E2%82']
    .flatMap((value): readonly Row[] => [
      [`GET /v1/employees?q=${value}`, '400 bad_percent_encoding'],
      [`GET /v1/employees?sort=${value}`, '400 bad_percent_encoding'],
      [`GET /v1/employees?limit=${value}`, '400 bad_percent_encoding'],
      [`GET /v1/employees?${value}=1`, '400 bad_percent_encoding'],
      [`DELETE /v1/employees?${value}`, '400 bad_percent_encoding'],
    ]),
  ...[
    '', '?', '?&', '?&&', '?q=', '?q', '?sort=', '?sort', '?q=&sort=', '?&q=&', '?q=%20', '?q=+',
    '?q=%E2%80%83', '?q=%EF%BB%BF', '?limit=1000',
  ].map((search): Row => [`GET /v1/employees${search}`, all]),
  ['GET /v1/employees?limit=2', '200 [7 e-ada]', { holds: ['limit=2&after='] }],
  ['GET /v1/employees?limit=4', all, { lacks: ['next'] }],
  ['GET /v1/employees?%6Cimit=1', '200 [7]'],
  ['GET /v1/employees?q=a=b', '200 []'],
  ['GET /v1/employees?q=a?b', '200 []'],
  ['GET /v1/employees?q=a/../b', '200 []'],
  ['GET /v1/employees?q=a%26b', '200 []'],
  ['GET /v1/employees?q=a;b', '200 []'],
  ['GET /v1/employees?q=a,b', '200 []'],
  ['GET /v1/employees/e-ada?q=zzz', '400 unknown_parameter'],
  ['GET /v1/employees/e-ada?sort=name', '400 unknown_parameter'],
  ['GET /v1/employees/e-ada?', '200 e-ada'],
  ['GET /v1/employees/e-ada?fields=id', '200 e-ada'],
  ['POST /v1/employees?q=x', '400 unknown_parameter', { body: '{"name":"x","birthdate":"1990-01-01"}' }],
  ['PUT /v1/employees/e-ada?upsert=true', '400 unknown_parameter', { body: '{"name":"x","birthdate":"1990-01-01"}' }],
  ['PUT /v1/employees?q=ada', '400 unknown_parameter', { body: '[]' }],
  ['DELETE /v1/employees/e-ada?force=true', '400 unknown_parameter'],
  ['DELETE /v1/employees/e-ada?cascade', '400 unknown_parameter'],
  ['GET /v1/employees?q=\u00e9', '400 bad_request', raw],
  ['GET /v1/employees?q=a\u0000b', '400 bad_request', raw],
  ['GET /v1/employees?q=a\u007fb', '400 bad_request', raw],
  ['GET /v1/employees?q=a\tb', '400 bad_request', raw],
  ['GET /v1/employees?q=a b', '400 bad_request', raw],
  [`GET /v1/employees?${'a=1&'.repeat(1000)}`, '400 unknown_parameter'],
  [`GET /v1/employees?${'&'.repeat(4000)}`, all],
  [`GET /v1/employees?q=${'%25'.repeat(1300)}`, '400 bad_parameter'],
] // biome-ignore format: rows

const searches: readonly Row[] = [
  // The characters of SQL, patterns and templates stand for themselves.
  ...[
    '%25', '_', '%27', '%22', '%5C', '100%25_', '100%25_Grace', 'per%27s', '%22x%22',
    '%5C%20Hopper', "'s",
  ].map((q): Row => [`GET /v1/employees?q=${q}`, '200 [e-grace]']),
  ...[
    '%25%25', '__', '*', '.*', '.', '?', '%3F', '$1', '%3A0', '@p', '%5Ba-z%5D', '^A', '%5E', '~',
    '%23%7B7*7%7D', '%7B%7B7*7%7D%7D', '$%7B7*7%7D', '%27%27', '%27;--', "'%20OR%201=1--",
    '%27)%20UNION%20SELECT%201,2,3--', '%27%20AND%20randomblob(100000000)--',
    'a%25%27%20ESCAPE%20%27', '%5C%25', '%5C_', '%5C%5C', '0x41', 'CHAR(65)', 'NULL', 'null',
    'undefined', 'true', '%E2%80%8B', '%E2%80%AE', '%EF%BF%BD', '%EF%BF%BF', '%F4%8F%BF%BF',
    '%F0%9F%98%80', '%D7%A9%D7%9C%D7%95%D7%9D', '%EF%B7%BA', '%C4%B0', '%C3%9F', '%CC%81', '%C2%AD',
    '%F0%9F%91%A8%E2%80%8D%F0%9F%91%A9', 'Ada,', 'ada%26', '%3Cscript%3E', '(', ')', '%5B', '%7B',
    '%7C', 'a%7Cb', '%2B%2B', '%EF%BC%A1da', '%D0%90da', '$ne', '$where', 'birthdate', '1815-12-10',
    'c-acme', 'e-ada', '2026',
  ].map((q): Row => [`GET /v1/employees?q=${q}`, '200 []', { lacks: ['Lovelace'] }]),
  ...[
    'ada', 'ADA', 'aDa', 'Ada%20Lovelace', 'Ada+Lovelace', 'lovelace+ada', '%20ada%20',
    'ada%E2%80%83love', 'ada+ada', 'a%64a', 'ada%C2%A0', 'da+lov',
  ].map((q): Row => [`GET /v1/employees?q=${q}`, '200 [e-ada]']),
  ...[
    '%00', 'ada%00', '%01', '%07', '%1B', '%7F', '%0A', 'ada%0D%0A', '%09', 'ada%09lovelace',
    '%C2%80', '%C2%9F',
  ].map((q): Row => [`GET /v1/employees?q=${q}`, '400 bad_parameter']),
  [`GET /v1/employees?q=${'a'.repeat(256)}`, '200 []'],
  [`GET /v1/employees?q=${'a'.repeat(257)}`, '400 bad_parameter'],
  [`GET /v1/employees?q=${'%F0%9F%98%80'.repeat(256)}`, '200 []'],
  [`GET /v1/employees?q=${'%F0%9F%98%80'.repeat(257)}`, '400 bad_parameter'],
  [`GET /v1/employees?q=${'%25'.repeat(256)}`, '200 []'],
  [`GET /v1/employees?q=${'a+'.repeat(128)}`, '200 [e-ada e-alan e-grace]'],
  [`GET /v1/employees?q=${'%25a'.repeat(128)}`, '200 []'],
  [`GET /v1/employees?q=${'%25a'.repeat(900)}`, '400 bad_parameter'],
  ['GET /v1/employees/count?q=%25', '200 count 1'],
  ['GET /v1/employees/first?q=%27', '200 e-grace'],
  ['GET /v1/employees/last?q=_', '200 e-grace'],
  ['GET /v1/employees/count?q=%00', '400 bad_parameter'],
  ['GET /v1/companies/c-acme/employees?q=a', '200 [e-ada e-alan]'],
  ['GET /v1/companies/c-acme/employees?q=%25', '200 []', { lacks: ['Grace'] }],
  ['GET /v1/companies/c-acme/employees/count?q=seven', '200 count 0'],
  ['GET /v1/companies/c-nobody/employees?q=a', '404 parent_not_found'],
] // biome-ignore format: rows

const sorts: readonly Row[] = [
  ...[',', ',name', 'name,', 'name,,birthdate', '-', '-,', 'name,-', ',,,,', '-,name']
    .map((sort): Row => [
      `GET /v1/employees?sort=${sort}`,
      '400 sort_invalid',
      { lacks: ['Lovelace'] },
    ]),
  [`GET /v1/employees?sort=${Array.from({ length: 9 }, (_, n) => `f${n}`).join()}`, '400 sort_invalid'],
  [`GET /v1/employees?sort=${'name,'.repeat(700)}name`, '400 sort_invalid'],
  [`GET /v1/employees?sort=${','.repeat(4000)}`, '400 sort_invalid'],
  ...[
    '--name', '+name', '%2Bname', '%20name', 'name%20', 'name%20desc', 'name%20asc', 'name%09',
    'name--', 'name;', 'name%00', '%00', 'name%0a', 'Name', 'NAME', 'bogus', 'email', 'password',
    '__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty',
    'length', 'name.first', 'name.length', 'employees.name', '1', '0', '-1', '*',
    '(select%201)', 'case%20when%201=1%20then%20name%20end', "name'", 'name%22', 'name`',
    '%5Bname%5D', '[name]', '{name}', 'name%2F**%2F', 'name%2Cbogus', 'name,bogus', 'bogus,name',
    '-bogus', 'n%C3%A4me', 'n%61me%20', 'null', 'undefined', 'NaN', 'true', 'name:desc', 'name:asc',
    'desc(name)', 'name%7Cdesc', 'name%3Bdrop%20table%20employees', 'random()', 'rowid',
    'name%20collate%20nocase', '%EF%BD%8Eame', 'nam%D0%B5', 'name%E2%80%8B', '%E2%88%92name',
    '%E2%80%93name', '%C2%ADname', 'name%25', '%2525', 'name%5C', 'name%20nulls%20first', '$name',
    ':name', '?', 'name=asc', 'q', '-%20name', '%ef%bb%bfname',
  ].map((sort): Row => [
    `GET /v1/employees?sort=${sort}`,
    '400 sort_unknown_field',
    { lacks: ['Lovelace', 'column'], holds: ['"allowed":["id","name","birthdate","created_at"]'] },
  ]),
  ...[
    'company_id', 'company', 'company.id', 'company.secret', '-company.', 'company.__proto__',
  ].map((sort): Row => [
    `GET /v1/employees?sort=${sort}`,
    '400 sort_unknown_field',
    { lacks: ['Lovelace', 'column'], holds: ['"company.name","company.created_at"]'] },
  ]),
  ...['name,name', 'name,-name', '-name,name', 'name,birthdate,name', 'name,n%61me']
    .map((sort): Row => [`GET /v1/employees?sort=${sort}`, '400 sort_duplicate_field']),
  ['GET /v1/employees?sort=name', '200 [e-grace e-ada e-alan 7]'],
  ['GET /v1/employees?sort=-name', '200 [7 e-alan e-ada e-grace]'],
  ['GET /v1/employees?sort=birthdate', '200 [e-ada e-grace e-alan 7]'],
  ['GET /v1/employees?sort=%2Dbirthdate', '200 [7 e-alan e-grace e-ada]'],
  ['GET /v1/employees?sort=name,-birthdate,-created_at', '200 [e-grace e-ada e-alan 7]'],
  ['GET /v1/employees?sort=name%2C-birthdate', '200 [e-grace e-ada e-alan 7]'],
  ['GET /v1/employees?sort=-id', '200 [e-grace e-alan e-ada 7]'],
  ['GET /v1/employees?sort=created_at', all],
  ['GET /v1/employees?sort=-created_at', all],
  ['GET /v1/employees?s%6Frt=n%61me', '200 [e-grace e-ada e-alan 7]'],
  ['GET /v1/employees/first?sort=-name', '200 7'],
  ['GET /v1/employees/last?sort=-name', '200 e-grace'],
  ['GET /v1/employees/last?sort=,', '400 sort_invalid'],
  ['GET /v1/companies/c-acme/employees?sort=bogus', '400 sort_unknown_field'],
  ['GET /v1/companies/c-acme/customers?sort=birthdate', '400 sort_unknown_field', { holds: ['"allowed":["id","name"]'] }],
  ['GET /v1/companies/c-acme/customers?sort=-name', '200 [k-kay]'],
  ['GET /v1/companies/c-nobody/employees?sort=bogus', '400 sort_unknown_field'],
  ['DELETE /v1/employees?sort=name', '400 unknown_parameter'],
  ['DELETE /v1/employees?limit=1', '400 unknown_parameter'],
  ['POST /v1/employees?sort=name', '400 unknown_parameter', { body: '{' }],
] // biome-ignore format: rows

describe('parameters are those there are', () => attack(parameters))
describe('a search is plain text', () => attack(searches, both))
describe('an order is of declared fields', () => attack(sorts, both))
