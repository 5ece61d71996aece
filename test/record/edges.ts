import type { HttpRequest } from 'nounful'
import { get, type Subject, subjects, write } from './fixed.ts'
import { numbers, texts } from './values.ts'

// A text may be cut within a character.
const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const reads = ['', '/count', '/first', '/last']
const ends = ['', '/first', '/count']

/** Stands in a URL for the link to the next page of the response before. */
export const nextPage = '<next>'

function withHeader(url: string, name: string, value: string): HttpRequest {
  const request = get(url)
  return { ...request, headers: { ...request.headers, [name]: value } }
}

function hexOf(id: string): string {
  return id.charCodeAt(0).toString(16)
}

/** Ends of URLs whose paths are nearly right. */
function paths({ ids: [id = ''] }: Subject): readonly string[] {
  return [
    ...['/LAST', '/a%2Fb', '/%20', `/${'x'.repeat(300)}`, `/${id};x=1`, `//${id}`],
    ...[`/%25${hexOf(id)}`, '/%2566irst', `/%${hexOf(id)}${id.slice(1)}`, '/count/x', '/last/x'],
    ...[`/${id}/nounful_no`, `/${id}/x/y`, `/${id}/first`, `/${id}/count`, `/${id}//`],
    ...['/nounful_no', '/0', '/null', '/-1', '/undefined', '/__proto__', '/constructor', '/*'],
  ]
}

/** Ends of URLs with parameters in the wrong place, twice, or in other letters. */
function parameters({ ids: [id = ''], sortable: [field = ''] }: Subject): readonly string[] {
  const misplaced = ['q=a', 'sort=id', 'limit=1', 'offset=1', 'after=x', 'dry_run=true', 'id=1']
  return [
    ...misplaced.flatMap((parameter) => reads.map((read) => `${read}?${parameter}`)),
    ...misplaced.map((parameter) => `/${id}?${parameter}`),
    ...['offset=1&offset=1', 'sort=id&sort=-id', 'after=a&after=b', 'fields=id&fields=id'].map(
      (twice) => `?${twice}`,
    ),
    ...[
      'limit%5B%5D=1',
      'Q=a',
      'SORT=id',
      'nounful_no',
      '&',
      '&&limit=1',
      '=',
      '=1',
      'limit',
      'q',
    ].flatMap((query) => ends.map((end) => `${end}?${query}`)),
    ...['x', '', '%00', 'W10', 'eyJ9', 'bnVsbA', 'W251bGxd', 'e30'].flatMap((cursor) =>
      ['', '&limit=1', `&sort=${field}`, '&offset=1'].map((more) => `?after=${cursor}${more}`),
    ),
    ...['%201', '99999999999999999999', '-0', '1,2', 'null', '1000', '2', '3'].map(
      (limit) => `?limit=${limit}`,
    ),
    ...['', '1.5', '01', '+1', '1e1', '2', '3'].flatMap((offset) =>
      ['', '&limit=1', '&limit=2&sort=-id'].map((more) => `?offset=${offset}${more}`),
    ),
  ]
}

/** Ends of URLs with orders that are refused, or have many fields. */
function orders({ sortable, values }: Subject): readonly string[] {
  const [field = '', second = ''] = sortable
  const faults = [
    ...['nounful_no', `${field},`, `,${field}`, `${field},-${field}`, `+${field}`, ` ${field}`],
    ...[field.toUpperCase(), `${field}:desc`, '-', 'constructor', `${field};${second}`],
    ...[Object.keys(values).join(), ['id', ...sortable].join(), [...sortable, 'id'].join()],
  ]
  return [
    ...faults.flatMap((sort) =>
      ['', '/first', '/last'].map((read) => `${read}?sort=${encode(sort)}`),
    ),
    ...sortable.flatMap((first) =>
      sortable.flatMap((then) => [
        `?sort=-${first},-${then},-id`,
        `?sort=${first}&sort=-${then}`,
        `?sort=-${first},${then}&limit=2`,
      ]),
    ),
  ]
}

/** Ends of URLs that search for words in other letters, pairs of them, and values elsewhere. */
function searches({ searchable, values }: Subject): readonly string[] {
  const words = searchable.flatMap((field) => values[field] ?? []).slice(0, 12)
  const forms = words.flatMap((word) => [
    ...[word.toUpperCase(), word.toLowerCase(), word.slice(1), word.slice(0, 2), `${word} `],
    ...[`${word} ${word}`, `${word} nounful_no`, `${word} a`],
  ])
  const elsewhere = Object.values(values).flatMap((list) => list.slice(0, 3))
  return [
    ...[...new Set([...forms, ...elsewhere])].flatMap((q) =>
      reads.map((read) => `${read}?q=${encode(q)}`),
    ),
    ...['a+b', 'x+y', 'c+b+a', 'Ann+Lee', 'Lee%20Ann'].flatMap((q) =>
      ends.map((end) => `${end}?q=${q}`),
    ),
  ]
}

/** Ends of URLs with filters that are refused, and with filters beside other parameters. */
function filters({ values }: Subject): readonly string[] {
  const names = [
    'nounful_no:ne',
    'id:nounful_no',
    'id:',
    'id:eq',
    'id:ne:ne',
    '__proto__',
    'id[ne]',
  ]
  const faults = [
    ...[':null=yes', ':null=TRUE', ':null=', ':contains=', ':gt=abc', ':gt=', '=', '=abc', '=01'],
    ...['=0x1', '=yes', '=TRUE', '=1.0', '=1e0', '= 1', '=x,y', '=null', ':EQ=1', ':nounful_no=1'],
  ]
  const twice = [':gt', ':null', ':contains', ':startsWith']
  const plain = Object.entries(values).flatMap(([field, list]) =>
    list.slice(0, 3).map((value) => `${field}:ne=${encode(value)}`),
  )
  return [
    ...names.flatMap((name) => ends.map((end) => `${end}?${name}=1`)),
    ...Object.entries(values).flatMap(([field, [value = '']]) => [
      ...faults.flatMap((fault) => ['', '/count'].map((read) => `${read}?${field}${fault}`)),
      ...twice.map((is) => `?${field}${is}=${encode(value)}&${field}${is}=${encode(`${value}x`)}`),
      `?${field}:startsWith=${'a'.repeat(300)}`,
      ...['/first', '/last'].map((read) => `${read}?${field}=${encode(value)}`),
    ]),
    ...plain.flatMap((filter) =>
      ['sort=-id', 'limit=1', 'q=a', 'offset=1', 'fields=id', 'nounful_no=1'].map(
        (more) => `?${filter}&${more}`,
      ),
    ),
    ...[19, 20, 21, 22].map((count) => `?${cycled(plain, count).join('&')}`),
  ]
}

function cycled(list: readonly string[], count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => list[index % list.length] ?? '')
}

/** Ends of URLs with ids, fields and included items beside other parameters. */
function selections({ ids, values }: Subject): readonly string[] {
  const [id = '', second = ''] = ids
  const [field = '', then = ''] = Object.keys(values)
  const fields = [
    ...[`id,${field}`, `${field},id`, `${field},${field}`, `${field},${then}`, '__proto__'],
    ...[`${field},nounful_no`, cycled(['id'], 101).join(), Object.keys(values).join()],
  ]
  return [
    ...[`?id=${id}&id=none`, '?id=none', `?id=${id}&id=${id}`, '?id=', `?id=${id},${second}`],
    `?${ids
      .toReversed()
      .map((each) => `id=${each}`)
      .join('&')}`,
    ...[...Object.keys(values), ...fields].flatMap((each) =>
      [`/${id}`, '/last'].map((read) => `${read}?fields=${each}`),
    ),
    ...fields.flatMap((each) => ['', '/first'].map((read) => `${read}?fields=${each}`)),
    ...['team', 'rival', 'team,rival', 'rival,team', 'team,team', 'team,'].flatMap((name) =>
      ['&fields=id', '&limit=1', '&sort=-id', '&q=a', '&id=p1'].map(
        (more) => `?include=${name}${more}`,
      ),
    ),
    ...['team&include=rival', 'team,nounful_no', '%00', 'TEAM'].flatMap((name) =>
      ['', '/last', `/${id}`].map((read) => `${read}?include=${name}`),
    ),
  ]
}

/** Requests with headers that a read takes or ignores, and with a body. */
function headed({ path, ids: [id = ''] }: Subject): readonly HttpRequest[] {
  const urls = [path, `${path}/${id}`, `${path}/first`, `${path}/count`, `${path}?limit=1&q=a`]
  const headers: readonly (readonly [name: string, values: readonly string[]])[] = [
    ['prefer', ['count=exact', 'wait=1', 'count=planned', 'count=exact, wait=1', 'max-affected=1']],
    ['if-none-match', ['"1"', '*', 'W/"1"', '"x"', 'x', '"1", "2"']],
    ['if-match', ['"1"', '*', 'W/"1"', '"x"', 'x']],
    ['accept', ['application/json', 'text/csv', '*/*', 'application/xml;q=0.1', '', 'text/html']],
    ['range', ['bytes=0-1', 'items=0-1']],
    ['idempotency-key', ['key', '']],
  ]
  return [
    ...headers.flatMap(([name, list]) =>
      list.flatMap((value) => urls.map((url) => withHeader(url, name, value))),
    ),
    ...urls.map((url) => ({ ...write('GET', url, {}), body: '{}' })),
    ...urls.map((url) => ({ ...get(url), body: 'x' })),
  ]
}

/** Each method on each target. */
function methods({ path, ids: [id = ''] }: Subject): readonly HttpRequest[] {
  const targets = [
    '',
    '/first',
    '/count',
    `/${id}`,
    '/nounful_no',
    '//',
    '?nounful_no=1',
    '?sort=x',
  ]
  const listed = ['HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE', 'REPORT', 'CONNECT']
  return listed.flatMap((method) =>
    targets
      .filter((end) => method !== 'DELETE' || end !== '')
      .map((end) => ({ ...get(path + end), method })),
  )
}

/** Bodies that are no item, with every method that takes one. */
function bodies({ path, ids: [id = ''] }: Subject): readonly HttpRequest[] {
  const kinds: readonly unknown[] = [null, 1, 'x', true, [], [[]], [null], [1], {}, { nounful: 1 }]
  const broken = ['', '{', '{}}', '{"a":1,"a":2}', '{"__proto__":1}', "{'a':1}", '[1,]', '\u0000']
  const types = ['text/plain', 'application/json; charset=utf-16', 'application/merge-patch+json']
  const writes = [
    ['POST', path],
    ['PUT', `${path}/${id}`],
    ['PATCH', `${path}/${id}`],
    ['PUT', path],
    ['PATCH', path],
  ] as const
  return writes.flatMap(([method, url]) => [
    ...kinds.map((body) => write(method, url, body)),
    ...broken.map((body) => ({ ...write(method, url, {}), body })),
    ...types.map((type) => write(method, url, {}, { 'content-type': type })),
    ...['dry_run=true', 'dry_run=yes', 'limit=1'].map((query) =>
      write(method, `${url}?${query}`, {}),
    ),
  ])
}

/** Pages, each followed to its end, and cursors in other queries. */
function pages({ path, sortable }: Subject): readonly HttpRequest[] {
  const others = ['&limit=3', '&sort=-id', '&q=a', '&id=p1', '&nounful_no=1', 'x', '&offset=1']
  return [
    ...['id', ...sortable].flatMap((field) =>
      [field, `-${field}`].flatMap((sort) => [
        get(`${path}?sort=${sort}&limit=3`),
        ...Array.from({ length: 6 }, () => get(nextPage)),
      ]),
    ),
    ...others.flatMap((more) => [get(`${path}?limit=2`), get(`${nextPage}${more}`)]),
  ]
}

/** What each caller gets of the items of all. */
function callers({ path, ids }: Subject): readonly HttpRequest[] {
  const urls = [
    ...[...reads, '?limit=2', '?q=a', '?sort=-id', '?salary=100', '?fields=salary,id'],
    ...ids.map((id) => `/${id}`),
    ...ids.map((id) => `?id=${id}`),
  ]
  return ['Bearer ann', 'Bearer bob', 'Bearer both', 'Bearer ops', 'Bearer nobody', ''].flatMap(
    (authorization) =>
      urls.flatMap((url) =>
        ['GET', 'OPTIONS'].map((method) => ({
          method,
          url: path + url,
          headers: { authorization },
        })),
      ),
  )
}

/** Paths whose parents, versions or nouns are nearly right. */
const roots: readonly string[] = [
  ...[
    'nounful_no',
    't2',
    't3',
    'first',
    'count',
    'T1',
    '%741',
    '%00',
    't1%2F',
    '..',
    '.',
    '',
  ].flatMap((id) => [...reads, '/p1', '/p2', '/x'].map((end) => `/v2/teams/${id}/players${end}`)),
  ...['v3', 'v01', 'v1.0', 'V1', '1', 'v', 'v1x', 'v10', 'v0', 'v-1'].flatMap((version) =>
    ['', '/players', '/players/p1', '/teams/t1/players'].map((end) => `/${version}${end}`),
  ),
  ...['PLAYERS', 'player', 'nounful_no', 'playerss', '%70layers', 'players%20', 'teams/t1'].flatMap(
    (noun) => ['/v1', '/v2', ''].map((version) => `${version}/${noun}`),
  ),
  ...['', '/', '//', '/v1', '/v2/', '*', '/?q=a', '/v2?q=a', '/v2/teams//players', '/v2//teams'],
]

/** The requests of numbers that no column of a store keeps alike. */
const figures: readonly HttpRequest[] = [...numbers, 1e21, 5e-324, -0, 2 ** 53].flatMap(
  (rank, index) => [
    write('POST', '/v2/specimens', { id: `figure${index}`, name: texts[index], rank }),
    get(`/v2/specimens?rank=${encode(String(rank))}`),
    get(`/v2/specimens?rank:gte=${encode(String(rank))}&sort=rank`),
  ],
)

const rules = [paths, parameters, orders, searches, filters, selections]
const makers = [headed, methods, bodies, pages, callers]

/** Questions at the edges of the convention, the same for each store. */
export const edges: readonly HttpRequest[] = [
  ...subjects.flatMap((subject) => [
    ...rules.flatMap((rule) => rule(subject)).map((end) => get(subject.path + end)),
    ...makers.flatMap((make) => make(subject)),
  ]),
  ...roots.map(get),
  ...figures,
]
