import type { HttpResponse } from 'nounful'
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

/** Leaks of filters by related items, and of folded orders. */
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
