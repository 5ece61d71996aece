import type { HttpResponse } from 'nounful'
import { compareBy } from '../../../src/contract/values/order.ts'
import {
  type Handler,
  isGet,
  type Leak,
  type Matches,
  unscoped,
  urlOf,
  withHeaders,
} from './leak.ts'

const isOfLabel = (name: string): boolean => name.startsWith('label.')

// Looks the labels of all callers up, and finds the caller's own tasks that name them.
const findingAll =
  (matches: Matches): NonNullable<Leak['inject']> =>
  (inner, root) =>
  async (request) => {
    const url = urlOf(request)
    const filters = [...url.searchParams].filter(([name]) => isOfLabel(name))
    if (filters.length === 0 || !matches(request, url)) return inner(request)
    const labels = await labelsWith(root, filters)
    for (const [name] of filters) url.searchParams.delete(name)
    const ids = labels.length === 0 ? ['none'] : labels
    for (const id of ids) url.searchParams.append('label_id', id)
    return inner({ ...request, url: url.pathname + url.search })
  }

async function labelsWith(
  root: Handler,
  filters: readonly (readonly [string, string])[],
): Promise<readonly string[]> {
  const query = new URLSearchParams(filters.map(([name, value]) => [name.slice(6), value]))
  const { body } = await root({ method: 'GET', url: `/v1/labels?${query}` })
  return Array.isArray(body) ? body.map(({ id }) => String(id)) : []
}

const hasFilter =
  (name: string): Matches =>
  (_, { searchParams }) =>
    searchParams.has(name)
const endsWith =
  (word: string): Matches =>
  (_, { pathname }) =>
    pathname.endsWith(word)

// The name of the first item tells how many names of others stand before it.
const ranked = async (response: HttpResponse, root: Handler): Promise<HttpResponse> => {
  const [first] = [response.body].flat()
  const { body } = await root({ method: 'GET', url: '/v1/projects?sort=-name&limit=1000' })
  const ids = Array.isArray(body) ? body.map(({ id }) => id) : []
  return withHeaders(response, { 'x-rank': `${ids.indexOf(Object(first).id)}` })
}

const sortsBy =
  (sign: string, word = ''): Matches =>
  (_, { pathname, searchParams }) =>
    searchParams.get('sort') === `${sign}label.name` && pathname.endsWith(`/tasks${word}`)

// Sorts by the names of the labels of all callers.
const sortingAll =
  (matches: Matches): NonNullable<Leak['inject']> =>
  (inner, root) =>
  async (request) => {
    const url = urlOf(request)
    if (!matches(request, url)) return inner(request)
    const list = url.pathname.replace(/\/(?:first|last)$/, '')
    const { body } = await inner({ ...request, url: list })
    const { body: labels } = await root({ method: 'GET', url: '/v1/labels?limit=1000' })
    const names = new Map([labels].flat().map((label) => [Object(label).id, Object(label).name]))
    const sort = [{ field: 'name', direction: 'asc' }] as const
    const items = [body].flat().map((item) => ({ name: names.get(Object(item).label_id), item }))
    const sorted = items.toSorted(compareBy(sort)).map(({ item }) => item)
    if (`${url.searchParams.get('sort')}`.startsWith('-')) sorted.reverse()
    if (url.pathname === list) return { status: 200, headers: {}, body: sorted }
    const end = url.pathname.endsWith('/first') ? sorted[0] : sorted.at(-1)
    return { status: 200, headers: {}, body: end }
  }

/** Leaks of filters and orders by related items, and of folded orders. */
export const relatedLeaks: readonly Leak[] = [
  {
    name: 'a filter by the labels of all',
    says: /GET \/v1\/projects\/[^ ]*\/tasks\?label\.name=[^ ]* tells of a related item/,
    inject: findingAll((_, { pathname }) => pathname.endsWith('/tasks')),
  },
  {
    name: 'a count by the labels of all',
    says: /tasks\/count\?label\.name/,
    inject: findingAll(endsWith('/count')),
  },
  {
    name: 'groups by the labels of all',
    says: /tasks\/count\?label\.name[^ ]*by=/,
    inject: findingAll((_, { searchParams }) => searchParams.has('by')),
  },
  {
    name: 'the first by the labels of all',
    says: /tasks\/first\?label\.name/,
    inject: findingAll(endsWith('/first')),
  },
  {
    name: 'the last by the labels of all',
    says: /tasks\/last\?label\.name/,
    inject: findingAll(endsWith('/last')),
  },
  {
    name: 'a deletion by the labels of all',
    says: /DELETE [^ ]*\/tasks\?label\.name[^ ]*dry_run/,
    inject: findingAll(({ method }) => method === 'DELETE'),
  },
  ...['ne', 'null', 'contains', 'startsWith', 'endsWith'].map((operator) => ({
    name: `the labels of all with ":${operator}"`,
    says: new RegExp(`label\\.name(:|%3A)${operator}=`),
    inject: findingAll(hasFilter(`label.name:${operator}`)),
  })),
  {
    name: 'a filter by a label over all tasks',
    says: /tasks(\/count)?\?label\.name/,
    inject: unscoped(
      (request, url) => isGet(request) && [...url.searchParams.keys()].some(isOfLabel),
    ),
  },
  {
    name: 'a filter by a parent over all tasks',
    says: /tasks(\/count)?\?project\.name/,
    inject: unscoped(
      (request, { searchParams }) => isGet(request) && searchParams.has('project.name'),
    ),
  },
  {
    name: 'a number of labels that a filter takes',
    says: /label\.name/,
    // A bound over the labels of all callers tells how many there are.
    inject: (inner, root) => async (request) => {
      const filters = [...urlOf(request).searchParams].filter(([name]) => isOfLabel(name))
      const isOver = filters.length > 0 && (await labelsWith(root, filters)).length > 2
      const body = { code: 'bad_parameter' }
      return isOver ? { status: 400, headers: {}, body } : inner(request)
    },
  },
  {
    name: 'an order by the labels of all',
    says: /GET [^ ]*\/tasks\?sort=label\.name sorts by a related item of another/,
    inject: sortingAll(sortsBy('')),
  },
  {
    name: 'a descending order by the labels of all',
    says: /GET [^ ]*\/tasks\?sort=-label\.name sorts by a related item of another/,
    inject: sortingAll(sortsBy('-')),
  },
  ...['first', 'last'].map((word) => ({
    name: `the ${word} in an order by the labels of all`,
    says: new RegExp(`/tasks/${word}\\?sort=-?label\\.name sorts by a related item`),
    inject: sortingAll(
      (request, url) =>
        sortsBy('', `/${word}`)(request, url) || sortsBy('-', `/${word}`)(request, url),
    ),
  })),
  {
    name: 'an order by the labels of all, which each comment names',
    says: /GET [^ ]*\/comments\?sort=label\.name sorts by a related item of another/,
    inject: sortingAll(
      (_, { pathname, searchParams }) =>
        searchParams.get('sort') === 'label.name' && pathname.endsWith('/comments'),
    ),
  },
  {
    name: 'an order by labels over all tasks',
    says: /tasks\?sort=-?label\.name/,
    inject: unscoped((request, url) => isGet(request) && sortsBy('')(request, url)),
  },
  {
    name: 'a member of an object over all items',
    says: /GET \/v1\/projects(\/count)?\?place\.city=/,
    inject: unscoped(
      (request, { searchParams }) => isGet(request) && searchParams.has('place.city'),
    ),
  },
  {
    name: 'a part of a member over all items',
    says: /GET \/v1\/projects(\/count)?\?place\.city(:|%3A)contains=/,
    inject: unscoped(
      (request, { searchParams }) => isGet(request) && searchParams.has('place.city:contains'),
    ),
  },
  {
    name: 'an element of a list over all items',
    says: /GET \/v1\/projects(\/count)?\?tags(:|%3A)has=/,
    inject: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('tags:has')),
  },
  {
    name: 'a filter by a member of the labels of all',
    says: /tasks(\/count)?\?label\.place\.city=[^ ]* tells of a related item/,
    inject: findingAll(hasFilter('label.place.city')),
  },
  {
    name: 'a rank among the names of all',
    says: /GET \/v1\/projects\?[^ ]*sort=-name.*x-rank differ/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      const { pathname, searchParams } = urlOf(request)
      const isSorted = pathname === '/v1/projects' && searchParams.get('sort') === '-name'
      return isSorted && response.status === 200 ? ranked(response, root) : response
    },
  },
  {
    name: 'a folded order over all items',
    says: /GET \/v1\/projects[^ ]*sort=-?name/,
    inject: unscoped(
      (request, { searchParams }) =>
        isGet(request) &&
        /^-?name$/.test(`${searchParams.get('sort')}`) &&
        searchParams.has('limit'),
    ),
  },
  {
    name: 'a range of folded texts over all items',
    says: /GET \/v1\/projects[^ ]*name(:|%3A)gt=/,
    inject: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('name:gt')),
  },
  {
    name: 'a cursor of a folded order',
    found: 'cursors belong to their caller',
    says: /sort=name/,
    inject: (inner) => async (request) => {
      const response = await inner(request)
      const { pathname, searchParams } = urlOf(request)
      const isFolded = searchParams.has('after') && searchParams.get('sort') === 'name'
      return response.status === 400 && isFolded ? inner({ ...request, url: pathname }) : response
    },
  },
]
