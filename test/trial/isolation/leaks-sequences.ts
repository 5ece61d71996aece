import { createHash } from 'node:crypto'
import type { HttpResponse } from 'nounful'
import { atForeign, bodyOf, countAt, isGet, isItem, type Leak, urlOf, withHeaders } from './leak.ts'

const tagOf = (body: unknown) => `"${createHash('md5').update(JSON.stringify(body)).digest('hex')}"`

/** Leaks that need several items, requests or callers. */
export const sequenceLeaks: readonly Leak[] = [
  {
    name: 'a crowd of more than 100 items',
    says: /GET \/v1\/projects/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      if (!isGet(request) || urlOf(request).pathname !== '/v1/projects') return response
      return (await countAt(root)) > 100 ? withHeaders(response, { 'x-many': 'yes' }) : response
    },
  },
  {
    name: 'a count of all writes',
    says: /\/v1\/.*x-writes differ/,
    inject: (inner) => {
      let writes = 0
      return async (request) => {
        if (!isGet(request)) writes++
        return withHeaders(await inner(request), { 'x-writes': `${writes}` })
      }
    },
  },
  {
    name: 'a cached count',
    says: /count/,
    inject: (inner) => {
      const cache = new Map<string, HttpResponse>()
      return async (request) => {
        if (!isGet(request) || !request.url.endsWith('/count')) return inner(request)
        const response = cache.get(request.url) ?? (await inner(request))
        cache.set(request.url, response)
        return response
      }
    },
  },
  {
    name: 'another last item, in a deprecated version',
    says: /last does not fit the list/,
    inject: (inner) => async (request) => {
      const url = request.url.replace(/\/last$/, '/first')
      const link = '</v2>; rel="successor-version"'
      return withHeaders(await inner({ ...request, url }), { link })
    },
  },
  {
    name: 'a caller kept in a global variable',
    says: /\/v1\//,
    inject: (inner) => {
      let authorization: unknown
      return async (request) => {
        authorization = request.headers?.authorization
        await Promise.resolve()
        return inner({
          ...request,
          headers: { ...request.headers, authorization: `${authorization}` },
        })
      }
    },
  },
  {
    name: 'an item that was',
    says: /\/v1\/projects\/.*status/,
    inject: (inner) => {
      const gone = new Set<string>()
      return async (request) => {
        const response = await inner(request)
        const { pathname } = urlOf(request)
        if (request.method === 'DELETE' && isItem.test(pathname) && response.status === 200)
          gone.add(pathname)
        return response.status === 404 && gone.has(pathname)
          ? { ...response, status: 410 as 404 }
          : response
      }
    },
  },
  {
    name: 'a 304 by the tag of any item',
    says: /\/v1\/projects/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      const { pathname } = urlOf(request)
      if (!isGet(request) || !isItem.test(pathname) || response.status !== 200) return response
      const { body } = await root({ method: 'GET', url: '/v1/projects' })
      const tags = [body].flat().map(tagOf)
      const tag = `${request.headers?.['if-none-match']}`
      return tags.includes(tag)
        ? { ...response, status: 304 as 200, body: undefined }
        : withHeaders(response, { etag: tagOf(response.body) })
    },
  },
  {
    name: 'a 412 by the tag of a foreign item',
    says: /\/v1\/labels\/.*status/,
    inject: atForeign(
      (response) => ({ ...response, status: 409 }),
      (request, url) =>
        /labels\/[^/]+$/.test(url.pathname) &&
        /^"\d+"$/.test(`${request.headers?.['if-match']}`) &&
        request.method === 'PATCH',
    ),
  },
  {
    name: 'a 304 of a list by the tag of all items',
    says: /\/v1\/projects/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      if (!isGet(request) || urlOf(request).pathname !== '/v1/projects' || response.status !== 200)
        return response
      const etag = tagOf(response.body)
      if (request.headers?.['if-none-match'] !== etag) return withHeaders(response, { etag })
      const all = await root(request)
      return tagOf(all.body) === etag
        ? { ...response, status: 304 as 200, body: undefined }
        : response
    },
  },
  {
    name: 'no authorization at all',
    says: /\/v1\//,
    inject: (inner, root) => (request) =>
      request.headers?.authorization === undefined ? root(request) : inner(request),
  },
  {
    name: 'a header that names the owner',
    says: /\/v1\//,
    inject: (inner) => (request) => {
      const owner = request.headers?.['x-tenant-id']
      if (owner === undefined) return inner(request)
      return inner({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${owner}` },
      })
    },
  },
  {
    name: 'a deletion by ids',
    says: /DELETE \/v1\/projects\?id=/,
    inject: (inner, root) => async (request) => {
      const id = urlOf(request).searchParams.get('id')
      if (request.method !== 'DELETE' || id === null) return inner(request)
      return root({ ...request, url: `/v1/projects/${id}` })
    },
  },
  {
    name: 'max-affected over all items',
    says: /DELETE \/v1\/labels/,
    inject: (inner, root) => async (request) => {
      const most = /max-affected=(\d+)/.exec(`${request.headers?.prefer}`)?.[1]
      if (request.method !== 'DELETE' || request.url !== '/v1/labels' || most === undefined)
        return inner(request)
      const { body } = await root({ method: 'GET', url: '/v1/labels' })
      return [body].flat().length > Number(most)
        ? { status: 409, headers: {}, body: {} }
        : inner(request)
    },
  },
  {
    name: 'a bulk of which a half is stored',
    says: /PUT \/v1\/projects/,
    inject:
      (inner, _, { exists }) =>
      async (request) => {
        const response = await inner(request)
        const entries: unknown = bodyOf(request)
        const isBulk = request.method === 'PUT' && Array.isArray(entries)
        if (!isBulk || response.status !== 404) return response
        const known = await Promise.all(entries.map(({ id }) => exists(`/v1/projects/${id}`)))
        if (known.includes(false)) return response
        for (const entry of entries) {
          const url = `/v1/projects/${entry.id}`
          await inner({ ...request, url, body: JSON.stringify(entry) })
        }
        return response
      },
  },
  {
    name: 'a write that changes another collection',
    found: 'writes change nothing of other callers',
    says: /a write of another collection changes/,
    inject: (inner, root) => async (request) => {
      const { pathname } = urlOf(request)
      if (request.method === 'DELETE' && pathname.startsWith('/v1/labels/')) {
        const { body } = await root({ method: 'GET', url: '/v1/projects' })
        const headers = { 'content-type': 'application/json' }
        const patch = { method: 'PATCH', headers, body: '{"rank":9}' }
        for (const { id } of [body].flat().map(Object))
          await root({ ...patch, url: `/v1/projects/${id}` })
      }
      return inner(request)
    },
  },
  {
    name: 'a conflict that holds a foreign value',
    says: /POST \/v1\/labels/,
    inject: (inner, root) => async (request) => {
      const name = Object(bodyOf(request)).name
      if (request.method !== 'POST' || request.url !== '/v1/labels' || typeof name !== 'string')
        return inner(request)
      const { body } = await root({
        method: 'GET',
        url: `/v1/labels?name=${encodeURIComponent(name)}`,
      })
      const [other] = [body].flat().map(Object)
      if (other?.id === undefined || `Bearer ${other.tenant_id}` === request.headers?.authorization)
        return inner(request)
      return {
        status: 409,
        headers: {},
        body: { code: 'conflict', detail: `is taken in ${other.tenant_id}` },
      }
    },
  },
  {
    name: 'a header of chance and foreign ids',
    says: /x-trace/,
    inject: (inner, root) => async (request) => {
      const { body } = await root({ method: 'GET', url: '/v1/projects' })
      const ids = [body].flat().map((one) => Object(one).id)
      return withHeaders(await inner(request), { 'x-trace': `${Math.random()} ${ids}` })
    },
  },
  {
    name: 'the tag of a new item',
    says: /POST \/v1\/projects.*etag/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      if (request.method !== 'POST' || response.status !== 201) return response
      return withHeaders(response, { etag: `"${await countAt(root)}"` })
    },
  },
]
