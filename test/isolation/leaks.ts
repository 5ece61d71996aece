import { type HttpRequest, type HttpResponse, handle, type Registry } from 'nounful'
import { tenantService } from './service.ts'

/** Answers a request; the leaks stand around it. */
type Handler = (request: HttpRequest) => Promise<HttpResponse>

/** A leak planted on purpose. */
export interface Leak {
  readonly name: string
  /** The check that finds it; default: the comparison. */
  readonly found?: string
  /** A part of the message: the request that shows the leak. */
  readonly says: RegExp
  /** Changes the handler of a correct service. `root` answers without any scope. */
  readonly plant: (inner: Handler, root: Handler, facts: Facts) => Handler
}

/** What a leaky handler knows. */
interface Facts {
  /** Tells whether an item exists, whoever owns it. */
  readonly exists: (path: string) => Promise<boolean>
}

/** Makes a handler with a leak. */
export function plantLeak({ plant }: Pick<Leak, 'plant'>): {
  registry: Registry
  handler: Handler
} {
  const registry = tenantService() as unknown as Registry
  const inner: Handler = async (request) => handle(request, registry)
  const root: Handler = (request) =>
    inner({ ...request, headers: { ...request.headers, authorization: 'Bearer root' } })
  const exists = async (path: string) => (await root({ method: 'GET', url: path })).status === 200
  return { registry, handler: plant(inner, root, { exists }) }
}

type Matches = (request: HttpRequest, url: URL) => boolean

const urlOf = ({ url }: HttpRequest) => new URL(url, 'http://localhost')
const bodyOf = ({ body }: HttpRequest): unknown => {
  try {
    return JSON.parse(`${body}`)
  } catch {
    return undefined
  }
}

// Answers some requests without the scope.
const unscoped =
  (matches: Matches): Leak['plant'] =>
  (inner, root) =>
  (request) =>
    matches(request, urlOf(request)) ? root(request) : inner(request)

const isGet = ({ method }: HttpRequest) => method === 'GET'
const isItem = /^\/v1\/projects\/([\w-]{36})$/
const ofItem: Matches = (_, { pathname }) => isItem.test(pathname)
const withHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>>) => ({
  ...response,
  headers: { ...response.headers, ...headers },
})

// Changes the 404 of an item that another caller owns.
const atForeign =
  (
    change: (response: HttpResponse, request: HttpRequest) => HttpResponse,
    matches: Matches = ofItem,
  ): Leak['plant'] =>
  (inner, _, { exists }) =>
  async (request) => {
    const response = await inner(request)
    const url = urlOf(request)
    const isHidden = response.status === 404 && matches(request, url)
    return isHidden && (await exists(url.pathname)) ? change(response, request) : response
  }

const countAt = async (root: Handler): Promise<number> =>
  Number(Object((await root({ method: 'GET', url: '/v1/projects/count' })).body).count)

/** The leaks. */
export const leaks: readonly Leak[] = [
  {
    name: 'count without scope',
    says: /GET \/v1\/projects\/count/,
    plant: unscoped((_, { pathname }) => pathname === '/v1/projects/count'),
  },
  {
    name: 'last without scope',
    says: /GET \/v1\/projects\/last/,
    plant: unscoped((_, { pathname }) => pathname === '/v1/projects/last'),
  },
  {
    name: 'a sort over all items',
    says: /GET \/v1\/projects\?sort=/,
    plant: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('sort')),
  },
  {
    name: 'a search over all items',
    says: /GET \/v1\/projects\?q=/,
    plant: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('q')),
  },
  {
    name: 'a filter over all items',
    says: /GET \/v1\/projects(\/count)?\?name/,
    plant: unscoped((request, { searchParams }) => isGet(request) && searchParams.has('name')),
  },
  {
    name: 'a total over all items',
    says: /GET \/v1\/projects.*x-total-count differ/,
    plant: (inner, root) => async (request) => {
      const response = await inner(request)
      if (response.headers['x-total-count'] === undefined) return response
      const { headers } = await root(request)
      return withHeaders(response, { 'x-total-count': headers['x-total-count'] ?? '0' })
    },
  },
  {
    name: 'a conflict that names a hidden item',
    says: /POST \/v1\/labels/,
    plant: (inner, root) => async (request) => {
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
    name: 'a parent outside the scope',
    says: /GET \/v1\/projects\/[^/]+\/tasks/,
    plant: unscoped((request, { pathname }) => isGet(request) && /\/tasks$/.test(pathname)),
  },
  {
    name: 'a grandparent outside the scope',
    says: /GET \/v1\/projects\/[^/]+\/tasks\/[^/]+\/comments/,
    plant: unscoped((request, { pathname }) => isGet(request) && /\/comments$/.test(pathname)),
  },
  {
    name: 'a cache that callers share',
    says: /GET \/v1\/projects\/[^/ ]+/,
    plant: (inner) => {
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
    plant: atForeign((response) => ({ ...response, status: 403 })),
  },
  {
    name: 'another text in the detail',
    says: /\/v1\/projects\/.*: body differ/,
    plant: atForeign((response) => ({
      ...response,
      body: { ...Object(response.body), detail: 'not yours' },
    })),
  },
  {
    name: 'another header',
    says: /x-owner differ/,
    plant: atForeign((response) => withHeaders(response, { 'x-owner': 'other' })),
  },
  {
    name: '304 for a foreign item',
    says: /GET \/v1\/projects\/.*status.* differ/,
    plant: atForeign(
      (response) => ({ ...response, status: 304 as 200, body: undefined }),
      (request, url) => ofItem(request, url) && request.headers?.['if-none-match'] !== undefined,
    ),
  },
  {
    name: 'a bulk PUT that writes a foreign item',
    says: /PUT \/v1\/projects changes/,
    found: 'writes change nothing of other callers',
    plant: (inner, root) => async (request) => {
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
    plant:
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
    plant: unscoped(({ method, url }) => method === 'DELETE' && url === '/v1/labels'),
  },
  {
    name: 'a reference check outside the scope',
    says: /POST \/v1\/projects\/[^/]+\/tasks/,
    plant:
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
    name: 'an include outside the scope',
    says: /GET \/v1\/projects\/[^/]+\/tasks\/[^/]+\?include=label/,
    // The reference is stored unchecked, and the referenced item is read without the scope.
    plant: (inner, root) => {
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
    plant: (inner) => async (request) => {
      const response = await inner(request)
      if (response.status !== 400 || !urlOf(request).searchParams.has('after')) return response
      return inner({ ...request, url: urlOf(request).pathname })
    },
  },
  {
    name: 'a create that takes the owner of the body',
    says: /POST \/v1\/projects changes/,
    found: 'writes change nothing of other callers',
    plant: unscoped((request, { search }) => {
      const isCreate = request.method === 'POST' && request.url.startsWith('/v1/projects')
      return isCreate && search === '' && Object(bodyOf(request)).tenant_id !== undefined
    }),
  },
  {
    name: 'a PUT that moves an item',
    says: /PUT \/v1\/projects\/[^/ ]+ changes/,
    found: 'writes change nothing of other callers',
    plant: unscoped((request, { search }) => {
      const isUpdate = request.method === 'PUT' && isItem.test(request.url)
      return isUpdate && search === '' && Object(bodyOf(request)).tenant_id !== undefined
    }),
  },
  {
    name: 'a PATCH of a foreign item',
    says: /PATCH \/v1\/projects\/[^/ ]+ changes/,
    found: 'writes change nothing of other callers',
    plant: unscoped(({ method, url }) => method === 'PATCH' && isItem.test(url)),
  },
  {
    name: 'an idempotency key that callers share',
    says: /POST \/v1\/projects/,
    plant: (inner) => {
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
    name: 'OPTIONS that tells a count',
    says: /OPTIONS \/v1\/projects.*: body differ/,
    plant: (inner, root) => async (request) => {
      const response = await inner(request)
      if (request.method !== 'OPTIONS' || request.url !== '/v1/projects') return response
      return { ...response, body: { ...Object(response.body), items: await countAt(root) } }
    },
  },
  {
    name: 'the content-length of HEAD',
    says: /HEAD \/v1\/projects.*content-length differ/,
    plant: (inner, root) => async (request) => {
      const response = await inner(request)
      if (request.method !== 'HEAD' || request.url !== '/v1/projects') return response
      const { body } = await root({ ...request, method: 'GET' })
      return withHeaders(response, { 'content-length': `${JSON.stringify(body).length}` })
    },
  },
  {
    name: 'a dry run that reads outside the scope',
    says: /PATCH \/v1\/projects\/[^ ]+dry_run=true/,
    plant: unscoped(
      ({ method }, { search, pathname }) =>
        method === 'PATCH' && search === '?dry_run=true' && isItem.test(pathname),
    ),
  },
  {
    name: 'a location that tells a count',
    says: /POST \/v1\/projects.*location differ/,
    plant: (inner, root) => async (request) => {
      const response = await inner(request)
      const { location } = response.headers
      if (location === undefined) return response
      return withHeaders(response, { location: `${location}?of=${await countAt(root)}` })
    },
  },
  {
    name: 'a body judged before a foreign item',
    says: /PUT \/v1\/projects\/[^ ]+ .*status/,
    plant:
      (inner, _, { exists }) =>
      async (request) => {
        const response = await inner(request)
        const isPut = request.method === 'PUT' && isItem.test(request.url)
        if (!isPut || response.status !== 422) return response
        return (await exists(request.url)) ? response : { ...response, status: 404 }
      },
  },
]
