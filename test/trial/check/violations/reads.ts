import {
  always,
  answering,
  codeIn,
  fine,
  type Injected,
  type Item,
  isList,
  lenient,
  listing,
  parameterIn,
  pathOf,
  renamed,
  sending,
  stripped,
} from './tools.ts'

const sorts = [
  'sort-repeated',
  'first-is-first',
  'last-is-last',
  'pages-join',
  'scope-count',
  'limit-cuts',
  'cursor-any-limit',
  'list-order',
]
const searches = [
  'q-finds',
  'q-blank',
  'q-every-word',
  'q-ignores-case',
  'q-literal',
  'q-plus',
  'q-everywhere',
]
const byField = (field: string, compare: (one: unknown, other: unknown) => number) =>
  listing(
    (request) =>
      parameterIn(request, 'sort')?.includes(field) === true &&
      parameterIn(request, 'limit') === undefined,
    (items, request) => {
      const sign = parameterIn(request, 'sort')?.startsWith('-') ? -1 : 1
      return items.toSorted((one, other) => sign * compare(one[field], other[field]))
    },
  )
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Violations that reading finds. */
export const reads: readonly Injected[] = [
  ['list-is-array', 'a list is an object', listing(always, (items) => ({ items }))],
  [
    'list-is-array',
    'a search gives an object',
    listing(
      (request) => parameterIn(request, 'q') !== undefined,
      (items) => ({ items }),
    ),
    [...searches, 'q-bounds', 'filter-together'],
  ],
  [
    'list-order',
    'newest first',
    listing(
      (request) => !request.url.includes('?'),
      (items) => [...items].reverse(),
    ),
    [
      ...sorts,
      'q-blank',
      'trailing-slash',
      'sort-id',
      'filter-equal',
      'filter-any',
      'filter-unequal',
      'filter-null',
      'filter-range',
      'filter-part',
      'filter-literal',
      'filter-together',
      'filter-everywhere',
      'id-many',
      'id-absent',
      'id-unequal',
      'offset-slices',
      'offset-next',
      'fields-empty',
      'fields-only',
      'prefer-ignored',
      'filter-exact',
      'filter-pages',
    ],
  ],
  [
    'unknown-parameter',
    'an unknown parameter is ignored',
    answering(
      (request, reply) =>
        codeIn(reply) === 'unknown_parameter' && request.url.includes('nounful_no'),
      (_, request, serve) => serve(stripped(request, /^nounful_no/)),
    ),
    ['write-parameter', 'filter-unknown', 'related-unknown'],
  ],
  [
    'unknown-parameter',
    'without the allowed ones',
    answering(
      (_, reply) => codeIn(reply) === 'unknown_parameter',
      (reply) => {
        const { allowed, ...body } = Object(reply.body)
        return { ...reply, body }
      },
    ),
    ['filter-unknown', 'include-count', 'misplaced-parameter', 'parameter-names-exact'],
  ],
  [
    'misplaced-parameter',
    'count takes a limit',
    answering(
      (request, reply) => codeIn(reply) === 'unknown_parameter' && /limit=1$/.test(request.url),
      (_, request, serve) => serve(stripped(request, /^limit/)),
    ),
  ],
  [
    'repeated-parameter',
    'the last one counts',
    answering(
      (_, reply) => codeIn(reply) === 'repeated_parameter',
      (_, request, serve) => serve({ ...request, url: request.url.replace('limit=1&', '') }),
    ),
  ],
  [
    'parameter-names-exact',
    'brackets are taken',
    answering(
      (request) => request.url.includes('limit%5B'),
      (_, request, serve) => serve(stripped(request, /^limit/)),
    ),
  ],
  [
    'item-by-id',
    'an item is wrapped',
    answering(
      (request, { status }) => status === 200 && /\/p\d$/.test(request.url),
      (reply) => ({ ...reply, body: { data: reply.body } }),
    ),
  ],
  [
    'item-by-id',
    'an item has a field more',
    answering(
      (request, { status }) => status === 200 && /\/p\d$/.test(request.url),
      (reply) => ({ ...reply, body: { ...Object(reply.body), more: 1 } }),
    ),
  ],
  [
    'unknown-id',
    'nothing is an empty object',
    lenient(
      'not_found',
      {},
      ({ method, url }) => method === 'GET' && /t1\/players\/nounful_no/.test(url),
    ),
    ['head'],
  ],
  [
    'first-is-first',
    'first ignores sort',
    sending(
      ({ url }) => url.includes('/first?sort=') && !url.includes('nounful_no'),
      (request) => stripped(request, /^sort/),
    ),
  ],
  [
    'last-is-last',
    'last is first',
    sending(
      ({ url }) => /\/last(?!\/)/.test(url),
      (request) => ({ ...request, url: request.url.replace('/last', '/first') }),
    ),
    ['q-everywhere', 'scope-count', 'filter-everywhere', 'related-everywhere'],
  ],
  [
    'count-agrees',
    'a count is text',
    answering(
      (request, { status }) => status === 200 && /c(?:o|%6F)unt$/.test(pathOf(request)),
      (reply) => ({ ...reply, body: { count: `${Reflect.get(Object(reply.body), 'count')}` } }),
    ),
    [
      'q-everywhere',
      'filter-everywhere',
      'reserved-words',
      'scope-count',
      'count-by',
      'related-everywhere',
    ],
  ],
  [
    'count-agrees',
    'a count is one less',
    answering(
      (request, { status }) => status === 200 && /c(?:o|%6F)unt$/.test(pathOf(request)),
      (reply) => ({
        ...reply,
        body: { count: Number(Reflect.get(Object(reply.body), 'count')) - 1 },
      }),
    ),
    [
      ...['q-everywhere', 'scope-count', 'filter-everywhere', 'count-exact', 'reserved-words'],
      'count-by',
      'related-everywhere',
    ],
  ],
  [
    'count-by',
    'groups come in another order',
    answering(
      ({ url }, { status }) => status === 200 && url.includes('count?by='),
      (reply) => {
        const { count, groups = [] } = Object(reply.body)
        return { ...reply, body: { count, groups: groups.toReversed() } }
      },
    ),
  ],
  [
    'count-by',
    'items without a value have no group',
    answering(
      ({ url }, { status }) => status === 200 && url.includes('count?by='),
      (reply) => {
        const { count, groups = [] } = Object(reply.body)
        const known = (group: object) => !Object.values(group).includes(null)
        return { ...reply, body: { count, groups: groups.filter(known) } }
      },
    ),
  ],
  [
    'count-by',
    'groups ignore filters',
    sending(
      ({ url }) => url.includes('count?by='),
      (request) => stripped(request, /^(?!by=)/),
    ),
  ],
  [
    'count-by-fault',
    'an unknown field gives no groups',
    answering(
      ({ url }, { status }) => status === 400 && url.includes('count?by='),
      (_, request, serve) => serve(stripped(request, /^by/)),
    ),
  ],
  [
    'empty-collection',
    'nothing is null',
    lenient('empty_collection', null),
    ['related-everywhere'],
  ],
  [
    'sort-unknown-field',
    'an unknown field is ignored',
    answering(
      (_, reply) => codeIn(reply) === 'sort_unknown_field',
      (_, request, serve) => serve(stripped(request, /^sort/)),
    ),
  ],
  [
    'sort-empty-item',
    'an empty field is ignored',
    lenient('sort_invalid', [], ({ url }) => !url.includes('name,name')),
  ],
  ['sort-duplicate', 'a field twice is ignored', lenient('sort_duplicate_field')],
  [
    'sort-too-many',
    'nine fields are taken',
    answering(
      (request) => (parameterIn(request, 'sort')?.split(',').length ?? 0) > 8,
      () => fine([]),
    ),
  ],
  [
    'sort-repeated',
    'the last sort counts',
    sending(
      ({ url }) => /sort=\w+&sort=/.test(url),
      (request) => ({ ...request, url: request.url.replace(/sort=\w+&/, '') }),
    ),
  ],
  [
    'sort-empty',
    'an empty sort is refused',
    answering(
      (request) => request.url.endsWith('?sort='),
      (_, request, serve) => serve({ ...request, url: `${pathOf(request)}?sort=,` }),
    ),
  ],
  [
    'sort-ascending',
    'everything sorts descending',
    sending(
      ({ url }) => /sort=(?!-|nounful|,|$)[^,&]*$/.test(url) && !url.includes('limit'),
      (request) => ({ ...request, url: request.url.replace('sort=', 'sort=-') }),
    ),
    [...sorts, 'sort-text', 'sort-missing', 'sort-ties', 'sort-several', 'sort-id'],
  ],
  [
    'sort-descending',
    'the minus is ignored',
    sending(
      ({ url }) => /sort=-[a-z]/.test(url) && !url.includes('limit'),
      (request) => ({ ...request, url: request.url.replace('sort=-', 'sort=') }),
    ),
    [
      ...sorts,
      'sort-text',
      'sort-missing',
      'sort-ties',
      'sort-several',
      'sort-id',
      'offset-slices',
      'filter-pages',
    ],
  ],
  [
    'sort-missing',
    'missing values come first',
    byField('shirt', (one, other) => Number(one ?? -1) - Number(other ?? -1)),
    [...sorts, 'sort-several'],
  ],
  [
    'sort-text',
    'text ignores case',
    byField('name', (one, other) => textOf(one).localeCompare(textOf(other))),
    [...sorts, 'sort-several', 'offset-slices', 'filter-pages'],
  ],
  [
    'sort-text',
    'text is in the order of UTF-16',
    byField('nick', (one, other) =>
      one === undefined ? 1 : other === undefined ? -1 : textOf(one) < textOf(other) ? -1 : 1,
    ),
    [...sorts, 'sort-missing', 'sort-several', 'offset-slices'],
  ],
  [
    'sort-ties',
    'ties are the other way round',
    listing(
      (request) => parameterIn(request, 'sort') === 'name' && !request.url.includes('limit'),
      (items) =>
        items.toSorted((one, other) =>
          one.name === other.name ? (one.id < other.id ? 1 : -1) : 0,
        ),
    ),
    sorts,
  ],
  [
    'sort-several',
    'only the first field counts',
    sending(
      ({ url }) => /sort=[a-z]+,-[a-z]+$/.test(url) && !/([a-z]+),-\1$/.test(url),
      (request) => ({ ...request, url: request.url.replace(/,-.*/, '') }),
    ),
  ],
  [
    'q-finds',
    'q is ignored',
    sending(
      (request) =>
        isList(request) &&
        /[?&]q=[a-zA-Z%]/.test(request.url) &&
        !/q=(?:a{256,}|%07|%zz|%20$|%2?[^0-9a-zA-Z])/.test(request.url) &&
        !request.url.includes('limit'),
      (request) => stripped(request, /^q=/),
    ),
    ['q-everywhere', 'q-ignores-case', 'q-literal', 'q-every-word', 'q-plus', 'filter-together'],
  ],
  [
    'q-finds',
    'one field is not searched',
    listing(
      (request) => parameterIn(request, 'q') === 'zed',
      (items) => items.filter(({ name }) => /zed/i.test(textOf(name))),
    ),
    ['q-every-word', 'q-ignores-case', 'q-everywhere'],
  ],
  [
    'q-ignores-case',
    'case counts',
    listing(
      (request) => /^[A-Z]+$/.test(parameterIn(request, 'q') ?? ''),
      () => [],
    ),
  ],
  [
    'q-every-word',
    'one of the words is enough',
    sending(
      (request) => isList(request) && /q=[^&]*%20[^&]/.test(request.url),
      (request) => ({ ...request, url: request.url.replace(/%20.*/, '') }),
    ),
    ['q-plus'],
  ],
  [
    'q-blank',
    'a blank search finds nothing',
    listing(
      (request) => /^ +$/.test(parameterIn(request, 'q') ?? ''),
      () => [],
    ),
  ],
  [
    'q-literal',
    'a percent sign finds everything',
    sending(
      (request) => isList(request) && parameterIn(request, 'q') === '%',
      (request) => stripped(request, /^q=/),
    ),
  ],
  [
    'q-bounds',
    'a search may be of any length',
    lenient('bad_parameter', [], ({ url }) => /[?&]q=/.test(url)),
  ],
  [
    'q-plus',
    'a plus is a plus',
    sending(
      ({ url }) => /q=[^&]*[^&]\+/.test(url),
      (request) => ({ ...request, url: request.url.replaceAll('+', '%2B') }),
    ),
  ],
  [
    'q-everywhere',
    'count ignores q',
    sending(
      ({ url }) => /\/count\?q=/.test(url),
      (request) => stripped(request, /^q=/),
    ),
  ],
  [
    'limit-bounds',
    'limit 0 is all',
    lenient('bad_parameter', [], ({ url }) => /limit=0/.test(url)),
  ],
  [
    'limit-bounds',
    'a huge limit is lowered',
    lenient('bad_parameter', [], ({ url }) => /limit=9{9}/.test(url)),
  ],
  [
    'limit-cuts',
    'limit is ignored',
    sending(
      (request) =>
        isList(request) &&
        /limit=\d+(?:&|$)/.test(request.url) &&
        !/limit=(?:0|9{9}|1&limit)|after|cursor/.test(request.url),
      (request) => stripped(request, /^limit/),
    ),
    [
      'next-link',
      'next-keeps-query',
      'filter-pages',
      'head',
      'offset-slices',
      'offset-next',
      'include-adds',
      'include-several',
      'include-pages',
      'related-equal',
      'related-unequal',
      'related-part',
      'related-everywhere',
      'related-order',
    ],
  ],
  [
    'next-link',
    'there is no link',
    answering(
      (_, { headers }) => headers.link !== undefined,
      (reply) => {
        const { link, ...headers } = reply.headers
        return { ...reply, headers }
      },
    ),
    ['offset-next', 'next-keeps-query', 'filter-pages', 'related-everywhere'],
  ],
  [
    'next-link',
    'the last page has a link',
    answering(
      (request, { headers }) =>
        isList(request) && parameterIn(request, 'limit') === '5' && headers.link === undefined,
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, link: '</v1/teams/t1/players?limit=5&after=x>; rel="next"' },
      }),
    ),
    ['cursor-any-limit'],
  ],
  [
    'next-keeps-query',
    'the link loses sort',
    answering(
      (_, { headers }) => headers.link?.includes('sort=') === true,
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, link: `${reply.headers.link}`.replace(/sort=[^&]*&/, '') },
      }),
    ),
    ['pages-join', 'filter-pages'],
  ],
  [
    'pages-join',
    'pages overlap',
    listing(
      (request) => request.url.includes('after=') && parameterIn(request, 'limit') === '2',
      (items) => [{ id: 'p1' }, ...items].slice(0, items.length),
    ),
    ['filter-pages'],
  ],
  [
    'pages-join',
    'pages lose an item',
    listing(
      (request) => request.url.includes('after=') && parameterIn(request, 'limit') === '2',
      (items: readonly Item[]) => items.slice(1),
    ),
    ['filter-pages'],
  ],
  [
    'cursor-invalid',
    'an invalid cursor starts anew',
    answering(
      (_, reply) => codeIn(reply) === 'invalid_cursor',
      (_, request, serve) => serve(stripped(request, /^after/)),
    ),
    ['cursor-bound'],
  ],
  [
    'cursor-bound',
    'a cursor of another query is taken',
    lenient('invalid_cursor', [], ({ url }) => /sort=|q=/.test(url)),
  ],
  [
    'cursor-any-limit',
    'a cursor is bound to its limit',
    renamed((request) => /limit=5.*after|after.*limit=5/.test(request.url), 400, 'invalid_cursor'),
  ],
]
