import type { HttpResponse } from 'nounful'
import { bodyOf, countAt, isItem, type Leak, unscoped, urlOf, withHeaders } from './leak.ts'

/** Leaks of writes. */
export const writeLeaks: readonly Leak[] = [
  {
    name: 'a conflict that names a hidden item',
    says: /POST \/v1\/labels/,
    inject: (inner, root) => async (request) => {
      const name = Object(bodyOf(request)).name
      if (request.method !== 'POST' || urlOf(request).pathname !== '/v1/labels')
        return inner(request)
      const url = `/v1/labels?name=${encodeURIComponent(`${name}`)}`
      const { body } = await root({ method: 'GET', url })
      const [other] = [body].flat() as { id?: string }[]
      if (other?.id === undefined) return inner(request)
      const detail = `item ${other.id} has this name`
      return { status: 409, headers: {}, body: { code: 'conflict', detail } }
    },
  },
  {
    name: 'a bulk PUT that writes a foreign item',
    says: /PUT \/v1\/projects changes/,
    found: 'writes change nothing of other callers',
    inject: (inner, root) => async (request) => {
      const entries: unknown = bodyOf(request)
      const isBulk = request.method === 'PUT' && Array.isArray(entries)
      if (!isBulk || request.url !== '/v1/projects') return inner(request)
      for (const entry of entries) {
        const url = `/v1/projects/${Object(entry).id}`
        const { name } = Object(entry)
        const headers = { ...request.headers, 'content-type': 'application/merge-patch+json' }
        await root({ method: 'PATCH', url, headers, body: JSON.stringify({ name }) })
      }
      return inner(request)
    },
  },
  {
    name: 'a bulk that names unknown ids only',
    says: /(PUT|PATCH) \/v1\/projects/,
    inject:
      (inner, _, { exists }) =>
      async (request) => {
        const response = await inner(request)
        const entries: unknown = bodyOf(request)
        if (response.status !== 404 || !Array.isArray(entries)) return response
        const known = []
        for (const entry of entries) known.push(await exists(`/v1/projects/${Object(entry).id}`))
        const at = known.flatMap((is, index) => (is ? [] : [index]))
        return { ...response, body: { ...Object(response.body), detail: `unknown: ${at}` } }
      },
  },
  {
    name: 'a deletion of all without scope',
    says: /DELETE \/v1\/labels tells/,
    inject: unscoped(({ method, url }) => method === 'DELETE' && url === '/v1/labels'),
  },
  {
    name: 'a deletion of what matches that counts all items',
    says: /DELETE \/v1\/labels\?name.*dry_run=true tells/,
    inject: unscoped(
      ({ method }, { pathname, searchParams }) =>
        method === 'DELETE' && pathname === '/v1/labels' && searchParams.has('dry_run'),
    ),
  },
  {
    name: 'a reference check outside the scope',
    says: /POST \/v1\/projects\/[^/]+\/tasks/,
    inject:
      (inner, _, { exists }) =>
      async (request) => {
        const response = await inner(request)
        const id = Object(bodyOf(request)).label_id
        if (response.status !== 422 || typeof id !== 'string') return response
        if (!(await exists(`/v1/labels/${id}`))) return response
        return { ...response, body: { ...Object(response.body), detail: 'not your label' } }
      },
  },
  {
    name: 'a create that takes the owner of the body',
    says: /POST \/v1\/projects changes/,
    found: 'writes change nothing of other callers',
    inject: unscoped((request, { search }) => {
      const isCreate = request.method === 'POST' && request.url.startsWith('/v1/projects')
      return isCreate && search === '' && Object(bodyOf(request)).tenant_id !== undefined
    }),
  },
  {
    name: 'a PUT that moves an item',
    says: /PUT \/v1\/projects\/[^/ ]+ changes/,
    found: 'writes change nothing of other callers',
    inject: unscoped((request, { search }) => {
      const isUpdate = request.method === 'PUT' && isItem.test(request.url)
      return isUpdate && search === '' && Object(bodyOf(request)).tenant_id !== undefined
    }),
  },
  {
    name: 'a PATCH of a foreign item',
    says: /PATCH \/v1\/projects\/[^/ ]+ changes/,
    found: 'writes change nothing of other callers',
    inject: unscoped(({ method, url }) => method === 'PATCH' && isItem.test(url)),
  },
  {
    name: 'an idempotency key that callers share',
    says: /POST \/v1\/projects/,
    inject: (inner) => {
      const replies = new Map<string, HttpResponse>()
      return async (request) => {
        const key = request.headers?.['idempotency-key']
        if (typeof key !== 'string') return inner(request)
        const response = replies.get(key) ?? (await inner(request))
        replies.set(key, response)
        return response
      }
    },
  },
  {
    name: 'a dry run that reads outside the scope',
    says: /PATCH \/v1\/projects\/[^ ]+dry_run=true/,
    inject: unscoped(
      ({ method }, { search, pathname }) =>
        method === 'PATCH' && search === '?dry_run=true' && isItem.test(pathname),
    ),
  },
  {
    name: 'a location that tells a count',
    says: /POST \/v1\/projects.*location differ/,
    inject: (inner, root) => async (request) => {
      const response = await inner(request)
      const { location } = response.headers
      if (location === undefined) return response
      return withHeaders(response, { location: `${location}?of=${await countAt(root)}` })
    },
  },
  {
    name: 'a body judged before a foreign item',
    says: /PUT \/v1\/projects\/[^ ]+ .*status/,
    inject:
      (inner, _, { exists }) =>
      async (request) => {
        const response = await inner(request)
        const isPut = request.method === 'PUT' && isItem.test(request.url)
        if (!isPut || response.status !== 422) return response
        return (await exists(request.url)) ? response : { ...response, status: 404 }
      },
  },
]
