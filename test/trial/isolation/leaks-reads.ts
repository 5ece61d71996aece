import type { HttpResponse } from 'nounful'
import {
  atForeign,
  bodyOf,
  countAt,
  isGet,
  type Leak,
  ofItem,
  unscoped,
  urlOf,
  withHeaders,
} from './leak.ts'

/** Leaks of reads. */
export const readLeaks: readonly Leak[] = [
  {
    name: 'count without scope',
    says: /GET \/v1\/projects\/count/,
    inject: unscoped((_, { pathname }) => pathname === '/v1/projects/count'),
  },
  {
    name: 'groups without scope',
    says: /GET \/v1\/projects\/count\?by=/,
    inject: unscoped((_, { searchParams }) => searchParams.has('by')),
  },
  {
    name: 'last without scope',
    says: /GET \/v1\/projects\/last/,
    inject: unscoped((_, { pathname }) => pathname === '/v1/projects/last'),
  },
  {
    name: 'a sort over all items',
    says: /GET \/v1\/projects\?sort=/,
    inject: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('sort')),
  },
  {
    name: 'a search over all items',
    says: /GET \/v1\/projects\?q=/,
    inject: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('q')),
  },
  {
    name: 'a filter over all items',
    says: /GET \/v1\/projects(\/count)?\?name/,
    inject: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('name')),
  },
  {
    name: 'a total over all items',
    says: /GET \/v1\/projects.*x-total-count differ/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      if (response.headers['x-total-count'] === undefined) return response
      const { headers } = await root(request)
      return withHeaders(response, { 'x-total-count': headers['x-total-count'] ?? '0' })
    },
  },
  {
    name: 'a parent outside the scope',
    says: /GET \/v1\/projects\/[^/]+\/tasks/,
    inject: unscoped((request, { pathname }) => isGet(request) && /\/tasks$/.test(pathname)),
  },
  {
    name: 'a grandparent outside the scope',
    says: /GET \/v1\/projects\/[^/]+\/tasks\/[^/]+\/comments/,
    inject: unscoped((request, { pathname }) => isGet(request) && /\/comments$/.test(pathname)),
  },
  {
    name: 'a cache that callers share',
    says: /GET \/v1\/projects\/[^/ ]+/,
    inject: (inner) => {
      const cache = new Map<string, HttpResponse>()
      return async (request) => {
        if (!isGet(request) || !ofItem(request, urlOf(request))) return inner(request)
        const known = cache.get(request.url)
        const response = known ?? (await inner(request))
        if (response.status === 200) cache.set(request.url, response)
        return response
      }
    },
  },
  {
    name: '403 instead of 404',
    says: /GET \/v1\/projects\/.*status differ/,
    inject: atForeign((response) => ({ ...response, status: 403 })),
  },
  {
    name: 'another text in the detail',
    says: /\/v1\/projects\/.*: body differ/,
    inject: atForeign((response) => ({
      ...response,
      body: { ...Object(response.body), detail: 'not yours' },
    })),
  },
  {
    name: 'another header',
    says: /x-owner differ/,
    inject: atForeign((response) => withHeaders(response, { 'x-owner': 'other' })),
  },
  {
    name: '304 for a foreign item',
    says: /GET \/v1\/projects\/.*status.* differ/,
    inject: atForeign(
      (response) => ({ ...response, status: 304 as 200, body: undefined }),
      (request, url) => ofItem(request, url) && request.headers?.['if-none-match'] !== undefined,
    ),
  },
  {
    name: 'an include outside the scope',
    says: /GET \/v1\/projects\/[^/]+\/tasks\/[^/]+\?include=label/,
    // The reference is stored unchecked, and the referenced item is read without the scope.
    inject: (inner, root) => {
      const links = new Map<string, string>()
      return async (request) => {
        const url = urlOf(request)
        const body = Object(bodyOf(request))
        if (request.method === 'POST' && /\/tasks$/.test(url.pathname) && body.label_id) {
          const { label_id, ...rest } = body
          const response = await inner({ ...request, body: JSON.stringify(rest) })
          const id = Object(response.body).id
          if (response.status === 201 && id !== undefined) links.set(id, label_id)
          return response
        }
        const response = await inner(request)
        const label = links.get(`${url.pathname.split('/').at(-1)}`)
        if (url.searchParams.get('include') !== 'label' || label === undefined) return response
        const { status, body: found } = await root({ method: 'GET', url: `/v1/labels/${label}` })
        return { ...response, body: { ...Object(response.body), label: status === 200 && found } }
      }
    },
  },
  {
    name: 'a cursor of another caller',
    says: /GET \/v1\/\w+\?limit=1&after=… accepts/,
    found: 'cursors belong to their caller',
    inject: (inner) => async (request) => {
      const response = await inner(request)
      if (response.status !== 400 || !urlOf(request).searchParams.has('after')) return response
      return inner({ ...request, url: urlOf(request).pathname })
    },
  },
  {
    name: 'OPTIONS that tells a count',
    says: /OPTIONS \/v1\/projects.*: body differ/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      if (request.method !== 'OPTIONS' || request.url !== '/v1/projects') return response
      return { ...response, body: { ...Object(response.body), items: await countAt(root) } }
    },
  },
  {
    name: 'the content-length of HEAD',
    says: /HEAD \/v1\/projects.*content-length differ/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      if (request.method !== 'HEAD' || request.url !== '/v1/projects') return response
      const { body } = await root({ ...request, method: 'GET' })
      return withHeaders(response, { 'content-length': `${JSON.stringify(body).length}` })
    },
  },
]

/** More leaks of reads. */
export const moreReadLeaks: readonly Leak[] = [
  {
    name: 'two filters',
    says: /name=.*rank=/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('name') && s.has('rank')),
  },
  {
    name: 'a repeated filter',
    says: /name=.*name=/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.getAll('name').length > 1),
  },
  {
    name: 'a repeated id',
    says: /id=.*id=/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.getAll('id').length > 1),
  },
  {
    name: 'startsWith',
    says: /startsWith/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('name:startsWith')),
  },
  {
    name: 'gte',
    says: /gte/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('rank:gte')),
  },
  {
    name: 'q and sort',
    says: /q=.*sort=/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('q') && s.has('sort')),
  },
  {
    name: 'q and limit',
    says: /q=.*limit=/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('q') && s.has('limit')),
  },
  {
    name: 'filter and sort',
    says: /name/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('name') && s.has('sort')),
  },
  {
    name: 'filter and q',
    says: /name/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('name') && s.has('q')),
  },
  {
    name: 'first of a filter',
    says: /first/,
    inject: unscoped(
      (r, { searchParams: s, pathname: p }) => isGet(r) && s.has('name') && p.endsWith('first'),
    ),
  },
  {
    name: 'two sorts',
    says: /sort/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && !!s.get('sort')?.includes(',')),
  },
  {
    name: 'sort by id',
    says: /sort/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.get('sort') === '-id'),
  },
  {
    name: 'last of a sort',
    says: /last/,
    inject: unscoped(
      (r, { searchParams: s, pathname: p }) =>
        isGet(r) && s.has('sort') && p.endsWith('/projects/last'),
    ),
  },
  {
    name: 'fields and limit',
    says: /fields/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && s.has('fields') && s.has('limit')),
  },
  {
    name: 'first with fields',
    says: /fields/,
    inject: unscoped(
      (r, { searchParams: s, pathname: p }) => isGet(r) && s.has('fields') && p.endsWith('first'),
    ),
  },
  {
    name: 'HEAD of a search',
    says: /HEAD/,
    inject: (inner, root) => async (r) =>
      withHeaders(
        await inner(r),
        r.method === 'HEAD' && r.url.includes('q=') ? { 'x-count': `${await countAt(root)}` } : {},
      ),
  },
  {
    name: 'HEAD of the count',
    says: /HEAD/,
    inject: (inner, root) => async (r) =>
      withHeaders(
        await inner(r),
        r.method === 'HEAD' && r.url.endsWith('count')
          ? { 'x-count': `${await countAt(root)}` }
          : {},
      ),
  },
  {
    name: 'a slash at the end',
    says: /\//,
    inject: unscoped((r, { pathname: p }) => isGet(r) && p.endsWith('/')),
  },
  {
    name: 'an encoded id',
    says: /%/,
    inject: unscoped((r, { pathname: p }) => isGet(r) && /projects\/[^/]*%/.test(p)),
  },
  {
    name: 'a page for browsers',
    says: /\//,
    inject: unscoped((r) => isGet(r) && `${r.headers?.accept}`.includes('html')),
  },
  {
    name: 'a sort below a foreign parent',
    says: /sort/,
    inject: unscoped(
      (r, { searchParams: s, pathname: p }) => isGet(r) && /tasks$/.test(p) && s.has('sort'),
    ),
  },
  {
    name: 'a filter below a foreign parent',
    says: /title/,
    inject: unscoped(
      (r, { searchParams: s, pathname: p }) => isGet(r) && /tasks$/.test(p) && s.has('title'),
    ),
  },
  {
    name: 'a count of a search below a foreign parent',
    says: /q/,
    inject: unscoped(
      (r, { searchParams: s, pathname: p }) => isGet(r) && /tasks.count$/.test(p) && s.has('q'),
    ),
  },
  {
    name: 'include below a foreign parent',
    says: /include/,
    inject: unscoped(
      (r, { searchParams: s, pathname: p }) => isGet(r) && /tasks$/.test(p) && s.has('include'),
    ),
  },
  {
    name: 'a high limit',
    says: /limit/,
    inject: unscoped((r, { searchParams: s }) => isGet(r) && Number(s.get('limit')) > 500),
  },
  {
    name: 'a range',
    says: /content-range/,
    inject: (inner, root) => async (r) =>
      withHeaders(
        await inner(r),
        r.headers?.range ? { 'content-range': `items 0-0/${await countAt(root)}` } : {},
      ),
  },
  {
    name: 'a search ranked by all',
    says: /q=/,
    inject: (inner, root) => async (r) => {
      const response = await inner(r)
      if (!urlOf(r).searchParams.has('q') || !Array.isArray(response.body)) return response
      const { body } = await root(r)
      return [body].flat().length > response.body.length
        ? { ...response, body: response.body.toReversed() }
        : response
    },
  },
  {
    name: 'an offset over all',
    says: /offset/,
    inject: (inner, root) => async (r) => {
      const url = urlOf(r)
      const response = await inner(r)
      const offset = Number(url.searchParams.get('offset'))
      if (!offset || !Array.isArray(response.body)) return response
      const own = `Bearer`
      url.searchParams.delete('offset')
      url.searchParams.delete('limit')
      const { body } = await root({ ...r, url: url.pathname + url.search })
      const all = [body]
        .flat()
        .map(Object)
        .slice(offset, offset + Number(url.searchParams.get('limit') ?? 1))
      return {
        ...response,
        body: all.filter((i) => `${own} ${i.tenant_id}` === r.headers?.authorization),
      }
    },
  },
  {
    name: 'an include on a page',
    says: /include/,
    inject: (inner, root) => {
      const links = new Map<string, string>()
      return async (request) => {
        const url = urlOf(request)
        const body = Object(bodyOf(request))
        if (request.method === 'POST' && /\/tasks$/.test(url.pathname) && body.label_id) {
          const { label_id, ...rest } = body
          const response = await inner({ ...request, body: JSON.stringify(rest) })
          const id = Object(response.body).id
          if (response.status === 201 && id !== undefined) links.set(id, label_id)
          return response
        }
        const response = await inner(request)
        if (
          url.searchParams.get('include') !== 'label' ||
          !Array.isArray(response.body) ||
          !url.searchParams.has('limit')
        )
          return response
        const items = []
        for (const item of response.body) {
          const label = links.get(Object(item).id)
          const found =
            label === undefined
              ? undefined
              : await root({ method: 'GET', url: `/v1/labels/${label}` })
          items.push(found?.status === 200 ? { ...Object(item), label: found.body } : item)
        }
        return { ...response, body: items }
      }
    },
  },
  {
    name: 'a list with the page of all, with include',
    says: /include/,
    inject: (inner, root) => async (r) => {
      const response = await inner(r)
      const s = urlOf(r).searchParams
      return isGet(r) && s.has('include') && s.has('limit')
        ? withHeaders(response, { 'x-count': `${await countAt(root)}` })
        : response
    },
  },
  {
    name: 'issues after a foreign reference',
    says: /POST/,
    inject:
      (inner, _, { exists }) =>
      async (r) => {
        const response = await inner(r)
        const body = Object(bodyOf(r))
        if (
          response.status !== 422 ||
          typeof body.label_id !== 'string' ||
          typeof body.title === 'string'
        )
          return response
        return (await exists(`/v1/labels/${body.label_id}`))
          ? { ...response, body: { ...Object(response.body), detail: 'not yours' } }
          : response
      },
  },
  {
    name: 'a cursor of another sort',
    found: 'cursors belong to their caller',
    says: /sort/,
    inject: (inner) => async (request) => {
      const response = await inner(request)
      const s = urlOf(request).searchParams
      if (response.status !== 400 || !s.has('after') || !s.has('sort')) return response
      return inner({ ...request, url: urlOf(request).pathname })
    },
  },
]
