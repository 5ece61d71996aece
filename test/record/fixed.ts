import type { HttpRequest } from 'nounful'
import { numbers, texts } from './values.ts'

const encode = encodeURIComponent
const authorization = 'Bearer amy'

/** A read by a caller who sees every field of a tenant. */
export const get = (url: string): HttpRequest => ({
  method: 'GET',
  url,
  headers: { authorization },
})

/** A write by the same caller. */
export function write(method: string, url: string, body: unknown, more: object = {}): HttpRequest {
  const headers = { authorization, 'content-type': 'application/json', ...more }
  return { method, url, headers, body: JSON.stringify(body) }
}

/** The items that every thousand begins with. */
export const seeds: readonly HttpRequest[] = [
  ...['Reds', 'Blues', 'Émile'].map((name, n) =>
    write('POST', '/v2/teams', { name, city: n === 0 ? null : texts[n] }),
  ),
  ...Array.from({ length: 9 }, (_, n) =>
    write('POST', '/v2/players', {
      full_name: texts[(n * 5) % texts.length],
      team_id: `t${1 + (n % 3)}`,
      ...(n % 3 === 1 && { rival_id: 'p1', rating: numbers[n], captain: n % 2 === 0 }),
      ...(n % 2 === 0 && { born: `19${90 + n}-01-01`, joined: `2020-01-0${n + 1}T00:00:00Z` }),
      shirt: n % 4 === 0 ? null : n,
      state: n % 2 === 0 ? 'active' : 'injured',
      salary: n * 100,
    }),
  ),
  write(
    'POST',
    '/v2/specimens',
    texts.map((name, n) => ({
      id: `s${(n * 17) % 36}${n % 7 === 0 ? 'x' : ''}`,
      name,
      ...(n % 3 !== 0 && { note: texts[(n * 7) % texts.length] }),
      ...(n % 4 !== 0 && { rank: numbers[n % numbers.length] }),
      ...(n % 2 !== 0 && { flag: n % 3 === 0 }),
      ...(n % 5 === 0 && { data: { born: 1815, works: ['Notes', { year: 1843, read: null }] } }),
    })),
  ),
]

/** A collection, with what a question may name of it. */
export interface Subject {
  readonly path: string
  readonly ids: readonly string[]
  readonly sortable: readonly string[]
  readonly searchable: readonly string[]
  /** Values of each field that a filter takes. */
  readonly values: Readonly<Record<string, readonly string[]>>
}

const specimens: Subject = {
  path: '/v2/specimens',
  ids: ['s0x', 's17', 's34', 's15', 'none'],
  sortable: ['name', 'note', 'rank', 'flag'],
  searchable: ['name', 'note'],
  values: { name: texts, note: texts, rank: numbers.map(String), flag: ['true', 'false'] },
}
/** A resource of its own, one below a parent, and a view. */
export const subjects: readonly Subject[] = [
  specimens,
  {
    path: '/v2/teams/t1/players',
    ids: ['p1', 'p4', 'p2', 'none'],
    sortable: ['full_name', 'shirt', 'rating', 'born', 'joined', 'state', 'captain'],
    searchable: ['full_name', 'state'],
    values: {
      full_name: texts.slice(0, 9),
      shirt: ['1', '3', '01', 'x'],
      state: ['active', 'injured', 'other'],
      born: ['1990-01-01', '1996-01-01', '1990'],
      joined: ['2020-01-01T00:00:00Z', '2020-01-05T00:00:00+00:00', 'x'],
      captain: ['true', 'false', '1'],
      salary: ['100', '600'],
    },
  },
  {
    path: '/v1/players',
    ids: ['p1', 'p2', 'p9', 'none'],
    sortable: ['name', 'number'],
    searchable: ['name'],
    values: { name: texts.slice(0, 9), number: ['1', '3', 'x'], active: ['true', 'false', 'yes'] },
  },
]

const words = ['', ' ', '%', '_', '*', '\\', "'", '.', 'a', 'A', 'é', 'ß', 'ss', 'Σ', 'σ', '10']
const reads = ['', '/count', '/first', '/last']
const ranges = [':gt', ':gte', ':lt', ':lte']
const parts = [':contains', ':startsWith', ':endsWith']

/** Each rule of the parameters, on one subject. */
const rules: readonly ((subject: Subject) => readonly string[])[] = [
  () => ['/', '/count/', '/first/', '//', '//count', '/%', '/%zz', '/%ff', '?q=%', '?sort=%ff'],
  () => ['/..', '/.', '/%2e%2e', '/../x', '/%66irst', '/c%6Funt', '/FIRST', '/Count', '/first/x'],
  ({ ids }) =>
    ids.flatMap((id) => ['', '/', '.json', '%00', '%2Fx', '/x'].map((end) => `/${id}${end}`)),
  ({ ids }) => ids.map((id) => `/${id}?include=team,rival`),
  ({ ids }) => [`?${ids.map((id) => `id=${id}`).join('&')}`, `?id:ne=${ids[0]}&id:ne=${ids[1]}`],
  () =>
    reads.flatMap((read) =>
      ['nounful_no=1', 'limit=1', 'sort=id', 'fields=id'].map((p) => `${read}?${p}`),
    ),
  () =>
    ['limit=1&limit=2', 'q=a&q=b', 'LIMIT=1', 'limit[]=1', 'li%6Dit=1'].map((query) => `?${query}`),
  ({ sortable }) =>
    ['id', ...sortable]
      .flatMap((field) => [
        ...[`${field}`, `-${field}`, `${field},id`, `${field},${field}`, `-${field},-id`],
        ...sortable.flatMap((second) => [
          `${field},${second}`,
          `-${field},${second}`,
          `${field},-${second}`,
        ]),
      ])
      .flatMap((sort) => ['', '/first', '/last'].map((read) => `${read}?sort=${sort}`)),
  () =>
    ['nounful_no', '', ',', '-', '--id', '+id', 'id:asc', '__proto__'].map(
      (sort) => `?sort=${sort}`,
    ),
  () => [...words, ...texts].flatMap((word) => reads.map((read) => `${read}?q=${encode(word)}`)),
  () => ['a'.repeat(300), '%00', '%0a', 'a%07', 'c+b'].map((q) => `?q=${q}`),
  () =>
    ['0', '-1', '1.5', 'a', '', '1001', '01', '+1', '1e1', '0x1', '1', '5'].map(
      (n) => `?limit=${n}`,
    ),
  () =>
    ['0', '1', '9', '10000', '10001', '-1', 'a'].flatMap((n) => [
      `?offset=${n}`,
      `?offset=${n}&limit=2`,
    ]),
  ({ values }) =>
    Object.entries(values)
      .flatMap(([field, list]) => [
        ...list.flatMap((value) =>
          ['', ':ne', ...ranges].map((operator) => `${field}${operator}=${encode(value)}`),
        ),
        ...words.flatMap((word) => parts.map((operator) => `${field}${operator}=${encode(word)}`)),
        ...['true', 'false', '1', ''].map((value) => `${field}:null=${value}`),
        list.map((value) => `${field}=${encode(value)}`).join('&'),
        list.map((value) => `${field}:ne=${encode(value)}`).join('&'),
      ])
      .flatMap((filter) => ['', '/count'].map((read) => `${read}?${filter}`)),
  ({ values }) =>
    Object.entries(values).flatMap(([field, [value = '']], n, all) =>
      all
        .slice(n + 1)
        .flatMap(([second, list]) =>
          list
            .slice(0, 4)
            .map(
              (text) => `?${field}:ne=${encode(value)}&${second}=${encode(text)}&sort=-id&limit=3`,
            ),
        ),
    ),
  () => [20, 21, 100, 101].map((count) => `?${Array(count).fill('id=0').join('&')}`),
  ({ values }) =>
    [...Object.keys(values), '', ',', 'id,', 'nounful_no'].flatMap((field) =>
      ['', '/first'].map((read) => `${read}?fields=${field}`),
    ),
  () =>
    ['team', 'rival', 'team,rival', 'team_id', 'nounful_no', ''].flatMap((name) =>
      ['', '/first', '/count', '?limit=1&'].map(
        (read) => `${read}${read.includes('?') ? '' : '?'}include=${name}`,
      ),
    ),
]

const methods = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'nounful',
  'get',
  'LOCK',
  'PROPFIND',
  'QUERY',
  'PUT',
  'PATCH',
]

/** The writes of the specimens, with the reads that show what they store. */
function writes(): HttpRequest[] {
  const { path, ids } = specimens
  const many = ids.map((id) => ({ id, name: 'many' }))
  const bulks = [many, many.slice(0, 3), many.slice(0, 2).toReversed(), [], [many[0], many[0]]]
  return [
    ...ids.flatMap((id) => [
      write('PUT', `${path}/${id}`, { name: 'put', rank: 3 }),
      get(`${path}/${id}`),
    ]),
    ...ids.flatMap((id) =>
      [{ note: null }, { data: { born: null } }, {}, { name: 'n', data: { a: [1] } }].map((patch) =>
        write('PATCH', `${path}/${id}`, patch),
      ),
    ),
    ...bulks.flatMap((bulk) => ['PUT', 'PATCH', 'POST'].map((method) => write(method, path, bulk))),
    ...['"1"', '*', '"x"', 'x'].flatMap((tag) =>
      ['if-match', 'if-none-match'].map((name) =>
        write('PATCH', '/v2/players/p1', { shirt: 5 }, { [name]: tag }),
      ),
    ),
    ...ids.map((id) => ({ method: 'DELETE', url: `${path}/${id}`, headers: { authorization } })),
    get(path),
    { method: 'DELETE', url: path, headers: { authorization } },
    get(`${path}/count`),
  ]
}

/** The questions that need no chance, the same for each store. */
export const fixed: readonly HttpRequest[] = [
  ...subjects.flatMap((subject) => [
    ...rules.flatMap((rule) => rule(subject)).map((end) => get(subject.path + end)),
    ...methods.flatMap((method) =>
      [...reads, `/${subject.ids[0]}`].map((end) => ({ ...get(subject.path + end), method })),
    ),
    ...['count=exact', 'return=minimal', 'nounful'].map((prefer) => ({
      ...get(`${subject.path}?limit=1`),
      headers: { authorization, prefer },
    })),
  ]),
  ...writes(),
]
