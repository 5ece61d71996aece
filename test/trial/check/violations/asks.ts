import type { HttpRequest } from 'nounful'
import type { Violation } from '../faulty-server.ts'
import {
  answering,
  codeIn,
  fine,
  type Injected,
  type Item,
  isList,
  listing,
  parameterIn,
  pathOf,
  sending,
  stripped,
} from './tools.ts'

const namesIn = ({ url }: HttpRequest) => [...new URLSearchParams(url.split('?')[1] ?? '').keys()]
const valuesIn = ({ url }: HttpRequest, name: string) =>
  new URLSearchParams(url.split('?')[1] ?? '').getAll(name)
const has = (pattern: RegExp) => (request: HttpRequest) =>
  isList(request) && namesIn(request).some((name) => pattern.test(name))
const isEqual = has(/^(?:name|nick|shirt|injured)$/)
const isUnequal = has(/^(?:name|nick|shirt|injured):ne$/)
const isPart = has(/:(?:contains|startsWith|endsWith)$/)
const isById = has(/^id$/)
const isFiltered = has(/^(?:id|name|nick|shirt|injured)(?::|$)/)
const textsIn = (request: HttpRequest) => {
  const name = namesIn(request).find((one) => /:(?:contains|startsWith|endsWith)$/.test(one)) ?? ''
  return { field: name.split(':')[0] ?? '', text: parameterIn(request, name) ?? '' }
}
const withItem = (item: Item) => (items: readonly Item[]) =>
  items.some(({ id }) => id === item.id)
    ? items
    : [...items, item].toSorted((one, other) => (one.id < other.id ? -1 : 1))
const anna = { id: 'p2', name: 'anna Berg', team_id: 't1' }
const without = (id: string) => (items: readonly Item[]) => items.filter((item) => item.id !== id)

// What most faults of filters break along with their own rule.
const also = [
  'filter-equal',
  'filter-any',
  'filter-unequal',
  'filter-together',
  'filter-everywhere',
  'filter-pages',
  'count-exact',
]

// What breaks where a server ignores a filter, or takes one for another.
const faults = ['filter-repeated', 'filter-bounds', 'filter-type']

/** Leaves parameters out of some requests. */
function ignoring(pattern: RegExp, isMeant: (request: HttpRequest) => boolean): Violation {
  return sending(isMeant, (request) => stripped(request, pattern))
}

/** Ignores the parameters that a response faults. */
function forgiving(code: string, pattern: RegExp): Violation {
  return answering(
    (request, reply) => codeIn(reply) === code && pattern.test(request.url),
    () => fine([]),
  )
}

/** Changes the headers of lists whose total a client asks for. */
function counting(change: (headers: Readonly<Record<string, string>>) => Record<string, string>) {
  return answering(
    (request, reply) => isList(request) && 'x-total-count' in reply.headers,
    (reply) => ({ ...reply, headers: change(reply.headers) }),
  )
}

/** Violations of filters, offsets, fields and totals. Reading finds them. */
export const asks: readonly Injected[] = [
  [
    'filter-equal',
    'filters are ignored',
    ignoring(/^\w+=/, isEqual),
    [...also, 'filter-exact', 'filter-type', 'filter-bounds'],
  ],
  ['filter-equal', 'an item is left out', listing(isEqual, without('p1')), also],
  [
    'filter-any',
    'the first value counts',
    sending(
      (request) => isEqual(request),
      (request) => {
        const [name = ''] = namesIn(request)
        const { length } = valuesIn(request, name)
        const url = request.url.split('&').slice(0, 1).join('')
        return length > 1 ? { ...request, url } : request
      },
    ),
    also,
  ],
  [
    'filter-exact',
    'case is ignored',
    answering(
      (request, { status }) => status === 200 && isEqual(request),
      async (reply, request, serve) => {
        const [name = ''] = namesIn(request)
        const value = parameterIn(request, name)?.toLowerCase()
        const { body } = await serve({ method: 'GET', url: pathOf(request) })
        const items = (body as Item[]).filter((item) => `${item[name]}`.toLowerCase() === value)
        return namesIn(request).length === 1 && value !== '7' ? { ...reply, body: items } : reply
      },
    ),
    also,
  ],
  ['filter-unequal', 'missing values are left out', listing(isUnequal, without('p2')), also],
  [
    'filter-unequal',
    'it is ignored',
    ignoring(/:ne=/, isUnequal),
    [...also, 'filter-bounds', 'filter-type'],
  ],
  ['filter-null', 'a missing value is none', listing(has(/:null$/), () => []), ['related-unequal']],
  [
    'filter-null',
    'both are all',
    ignoring(/:null=/, has(/:null$/)),
    [...faults, 'related-unequal'],
  ],
  ['filter-range', 'a range is ignored', ignoring(/:gt=/, has(/:gt$/)), faults],
  [
    'filter-range',
    'gte is gt',
    sending(has(/:gte$/), (request) => ({ ...request, url: request.url.replace(':gte', ':gt') })),
    ['filter-together', ...faults],
  ],
  [
    'filter-range',
    'missing values are within',
    listing(has(/^nick:lt$/), withItem(anna)),
    ['filter-bounds'],
  ],
  [
    'filter-part',
    'case counts',
    listing(isPart, (items, request) => {
      const { field, text } = textsIn(request)
      return items.filter((item) => `${item[field]}`.includes(text))
    }),
    ['related-part'],
  ],
  [
    'filter-part',
    'startsWith is contains',
    sending(has(/:startsWith$/), (request) => ({
      ...request,
      url: request.url.replace(':startsWith', ':contains'),
    })),
    ['filter-literal', ...faults, 'related-bounds'],
  ],
  [
    'filter-literal',
    'a percent sign is any text',
    ignoring(/:contains=/, (request) => /:contains=%25(?:&|$)/.test(request.url)),
  ],
  [
    'filter-together',
    'any of them is enough',
    answering(
      (request, { status }) => status === 200 && isFiltered(request),
      async (reply, request, serve) => {
        const [path = '', query = ''] = request.url.split('?')
        const pairs = query.split('&')
        const names = new Set(namesIn(request))
        if (pairs.length !== 2 || names.size !== 2 || /limit|sort|q=/.test(query)) return reply
        const ids = new Set<string>()
        for (const pair of pairs) {
          const { body } = await serve({ method: 'GET', url: `${path}?${pair}` })
          for (const { id } of body as Item[]) ids.add(id)
        }
        const { body } = await serve({ method: 'GET', url: path })
        return { ...reply, body: (body as Item[]).filter(({ id }) => ids.has(id)) }
      },
    ),
  ],
  [
    'filter-together',
    'the search wins',
    sending(
      (request) => isFiltered(request) && parameterIn(request, 'q') !== undefined,
      (request) => stripped(request, /^id/),
    ),
  ],
  [
    'filter-pages',
    'the link loses the filter',
    answering(
      (request, { headers }) => isFiltered(request) && headers.link !== undefined,
      (reply) => ({
        ...reply,
        headers: {
          ...reply.headers,
          link: `${reply.headers.link}`.replace(/(?:id|name|nick|shirt|injured)[^=]*=[^&>]*&/g, ''),
        },
      }),
    ),
  ],
  [
    'filter-pages',
    'the second page is empty',
    listing(
      (request) => isFiltered(request) && parameterIn(request, 'after') !== undefined,
      () => [],
    ),
  ],
  [
    'filter-everywhere',
    'count ignores filters',
    ignoring(/^(?:name|nick)/, ({ url }) => /\/count\?(?:name|nick)/.test(url)),
    ['count-exact'],
  ],
  [
    'filter-everywhere',
    'last ignores filters',
    ignoring(/^\w+(?::ne)?=/, ({ url }) => /\/last\?(?:name|nick|id)/.test(url)),
  ],
  [
    'filter-unknown',
    'an unknown operator is ignored',
    forgiving('unknown_parameter', /\?id(?:%3A|:)nounful_no/),
  ],
  [
    'filter-unknown',
    'an undeclared field is ignored',
    forgiving('unknown_parameter', /\?team_id=/),
  ],
  ['filter-type', 'a text is zero', forgiving('bad_parameter', /shirt=abc/)],
  ['filter-type', 'one is true', forgiving('bad_parameter', /injured=1/)],
  ['filter-type', 'an empty part is any text', forgiving('bad_parameter', /contains=(?:&|$)/)],
  [
    'filter-repeated',
    'the last one counts',
    forgiving('repeated_parameter', /shirt:gt=7&shirt:gt=7/),
  ],
  ['filter-bounds', 'any number of values', forgiving('bad_parameter', /(?:id=0&){100}/)],
  ['filter-bounds', 'any number of filters', forgiving('bad_parameter', /id=p1&.*nick:gte/)],
  [
    'filter-bounds',
    'a hundred values are too many',
    answering(
      ({ url }) => /(?:id=0&){99}/.test(url),
      () => ({ status: 400, headers: {}, body: { code: 'bad_parameter' } }),
    ),
    ['problem-type', 'problem-document', 'problem-members'],
  ],
  [
    'id-many',
    'ids are ignored',
    ignoring(/^id=/, isById),
    [...also, 'id-absent', 'cursor-bound', 'filter-bounds'],
  ],
  [
    'id-many',
    'in the order of the request',
    listing(isById, (items, request) => {
      const ids = valuesIn(request, 'id')
      return items.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    }),
  ],
  [
    'id-absent',
    'an absent id is not found',
    answering(isById, async (reply, request, serve) =>
      Array.isArray(reply.body) && reply.body.length === 0
        ? serve({ method: 'GET', url: `${pathOf(request)}/nounful_no` })
        : reply,
    ),
    [...also, 'filter-bounds'],
  ],
  ['id-unequal', 'it is ignored', ignoring(/^id:ne=/, has(/^id:ne$/)), [...also, 'filter-bounds']],
  ['id-unequal', 'it leaves out more', listing(has(/^id:ne$/), without('p5')), also],
  ['fields-only', 'all fields come', ignoring(/^fields=name/, (request) => isList(request))],
  [
    'fields-only',
    'the id goes too',
    answering(
      ({ url }, { status }) => status === 200 && /\/p1\?fields=name$/.test(url),
      (reply) => ({ ...reply, body: { name: Object(reply.body).name } }),
    ),
  ],
  [
    'fields-empty',
    'an empty list is no field',
    answering(
      ({ url }) => url.endsWith('?fields='),
      (reply) => ({ ...reply, body: { id: Object(reply.body).id } }),
    ),
  ],
  [
    'fields-no-etag',
    'a part has the tag of the whole',
    answering(
      ({ url }, { status }) => status === 200 && url.includes('fields='),
      (reply) => ({ ...reply, headers: { ...reply.headers, etag: '"1"' } }),
    ),
  ],
  ['fields-unknown', 'an unknown field is ignored', forgiving('bad_parameter', /fields=nounful/)],
  ['fields-bounds', 'any number of names', forgiving('bad_parameter', /fields=(?:id,){100}/)],
  [
    'offset-slices',
    'offset is ignored',
    ignoring(/^offset/, (request) => isList(request) && /limit=2&offset/.test(request.url)),
  ],
  [
    'offset-slices',
    'it counts from one',
    sending(
      ({ url }) => /limit=2&offset=[1-9]/.test(url),
      (request) => ({
        ...request,
        url: request.url.replace(/offset=(\d+)/, (_, offset) => `offset=${Number(offset) - 1}`),
      }),
    ),
  ],
  [
    'offset-next',
    'the link keeps the offset',
    answering(
      ({ url }, { headers }) => /offset=/.test(url) && headers.link !== undefined,
      (reply) => ({
        ...reply,
        headers: {
          ...reply.headers,
          link: `${reply.headers.link}`.replace('limit=', 'offset=1&limit='),
        },
      }),
    ),
  ],
  ['offset-bounds', 'any offset', forgiving('bad_parameter', /offset=10001/)],
  ['offset-bounds', 'less than nothing', forgiving('bad_parameter', /offset=-1/)],
  ['offset-alone', 'it stands alone', forgiving('bad_parameter', /\?offset=1$/)],
  ['offset-or-after', 'both count', forgiving('bad_parameter', /offset=1&after=/)],
  ['count-exact', 'the page counts', counting((headers) => ({ ...headers, 'x-total-count': '1' }))],
  ['count-exact', 'Vary is missing', counting(({ vary: _, ...headers }) => headers)],
  [
    'count-exact',
    'Preference-Applied is missing',
    counting(({ 'preference-applied': _, ...headers }) => headers),
  ],
  [
    'prefer-ignored',
    'an unknown preference is refused',
    answering(
      (request) => isList(request) && /nounful_no/.test(String(request.headers?.prefer)),
      async (_, request, serve) => serve({ ...request, url: `${request.url}?limit=0` }),
    ),
  ],
  [
    'sort-id',
    'descending is ascending',
    ignoring(/^sort=-id/, (request) => isList(request) && request.url.endsWith('sort=-id')),
  ],
]
