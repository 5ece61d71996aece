import { createHash } from 'node:crypto'
import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  everything,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Registry,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { bodyOf, type Handler, urlOf, withHeaders } from './leak.ts'

const Worker = z.object({
  id: z.string(),
  name: z.string(),
  tenant_id: z.string(),
  salary: z.number().optional(),
  pin: z.string().optional(),
  boss_id: z.string().optional(),
  grade: z.enum(['a', 'b']).optional(),
  home: z.object({ city: z.string() }).optional(),
  skills: z.array(z.string()).optional(),
  version: z.number(),
})
const workers = defineResource('workers', {
  schema: Worker,
  create: Worker.omit({ id: true, tenant_id: true, version: true }),
  restricted: ['salary', 'pin', 'boss_id', 'grade', 'home', 'skills'],
  sortable: ['name', 'salary', 'pin'],
  searchable: ['name', 'pin'],
  filterable: ['name', 'salary', 'pin', 'boss_id', 'grade', 'home.city', 'skills'],
  countable: ['name', 'salary', 'grade'],
  references: { boss_id: 'workers' },
  revision: 'version',
  ownedBy: ['tenant_id'],
})
const Visit = z.object({ id: z.string(), text: z.string(), worker_id: z.string() })
const visits = defineResource('visits', {
  schema: Visit,
  create: Visit.omit({ id: true, worker_id: true }),
  references: { worker_id: 'workers' },
  ownedBy: 'parent',
})
const api = defineApi({ v1: { '/workers': workers, '/workers/:worker_id/visits': visits } })
const restricted = {
  workers: ['salary', 'pin', 'boss_id', 'grade', 'home', 'skills'],
} as const

/** Makes a service whose tenants do not see some fields; `root` does. */
export function hiddenService(): Registry {
  const registry = defineRegistry(api)
    .context(({ headers }) => {
      const tenant = /^Bearer (\w+)$/.exec(`${headers?.authorization}`)?.[1]
      return tenant === undefined ? undefined : { tenant }
    })
    .scope(({ tenant }) => (tenant === 'root' ? everything : { tenant_id: tenant }))
    .reveal(({ tenant }) => (tenant === 'root' ? restricted : {}))
    .adapters({ workers: memoryAdapter() as Adapter, visits: memoryAdapter() as Adapter } as never)
  return registry as never
}

/** A leak of a hidden field. */
export interface HiddenLeak {
  readonly name: string
  /** A part of the message. */
  readonly says: RegExp
  /** `revealed` answers as for a caller who sees every field. */
  readonly inject: (inner: Handler, revealed: Handler) => Handler
}

/** Makes a handler with a leak of a hidden field. */
export function plantHidden({ inject }: Pick<HiddenLeak, 'inject'>): {
  registry: Registry
  handler: Handler
} {
  const registry = hiddenService()
  const seeing = { ...registry, reveal: () => restricted }
  const inner: Handler = async (request) => handle(request, registry)
  const revealed: Handler = async (request) => handle(request, seeing)
  return { registry, handler: inject(inner, revealed) }
}

type Workers = readonly Readonly<Record<string, unknown>>[]

const names = [...restricted.workers]
const without = (item: unknown): unknown =>
  Object.fromEntries(
    Object.entries(Object(item)).filter(([name]) => !names.includes(name as 'pin')),
  )
const strip = (response: HttpResponse): HttpResponse => {
  const { body } = response
  if (Array.isArray(body)) return { ...response, body: body.map(without) }
  return response.status === 200 && Object(body).id
    ? { ...response, body: without(body) }
    : response
}

// Answers some requests with every field, and leaves the fields out of the response.
const asking =
  (matches: (request: HttpRequest, url: URL) => boolean): HiddenLeak['inject'] =>
  (inner, revealed) =>
  async (request) =>
    matches(request, urlOf(request)) ? strip(await revealed(request)) : inner(request)

// Answers some requests with every field.
const showing =
  (matches: (request: HttpRequest, url: URL) => boolean): HiddenLeak['inject'] =>
  (inner, revealed) =>
  (request) =>
    matches(request, urlOf(request)) ? revealed(request) : inner(request)

const isItem = ({ pathname }: URL) => /^\/v1\/workers\/[\w-]{36}$/.test(pathname)
const get = ({ method }: HttpRequest) => method === 'GET'

// Adds to the response of an item a header made of the whole item.
const tagging =
  (name: string, make: (item: Record<string, unknown>) => string): HiddenLeak['inject'] =>
  (inner, revealed) =>
  async (request) => {
    const response = await inner(request)
    if (!get(request) || !isItem(urlOf(request)) || response.status !== 200) return response
    const { body } = await revealed({ ...request, url: urlOf(request).pathname })
    return withHeaders(response, { [name]: make(Object(body)) })
  }

const listOf = async (revealed: Handler, request: HttpRequest): Promise<Workers> => {
  const { body } = await revealed({ method: 'GET', url: '/v1/workers', headers: request.headers })
  return Array.isArray(body) ? body : []
}

/** The leaks of hidden fields. */
export const hiddenLeaks: readonly HiddenLeak[] = [
  {
    name: 'groups by a hidden field',
    says: /count\?by=(salary|grade)/,
    inject: showing((r, { searchParams }) => get(r) && searchParams.has('by')),
  },
  {
    name: 'a sort by a hidden field',
    says: /sort=salary/,
    inject: asking((r, { searchParams }) => get(r) && /salary/.test(`${searchParams.get('sort')}`)),
  },
  {
    name: 'a sort of the last item alone',
    says: /last\?sort=pin/,
    inject: asking(
      (_, { searchParams, pathname }) =>
        pathname.endsWith('/last') && searchParams.get('sort') === 'pin',
    ),
  },
  {
    name: 'a filter by a hidden field',
    says: /[?&]pin=/,
    inject: asking((r, { searchParams }) => get(r) && searchParams.has('pin')),
  },
  {
    name: 'a count of a hidden range',
    says: /count\?salary:gt=/,
    inject: asking(
      (_, { searchParams, pathname }) =>
        pathname.endsWith('/count') && searchParams.has('salary:gt'),
    ),
  },
  {
    name: 'a filter by a member of a hidden object',
    says: /workers(\/\w+)?\?home\.city=/,
    inject: asking((_, { searchParams }) => searchParams.has('home.city')),
  },
  {
    name: 'a filter by an element of a hidden list',
    says: /workers(\/\w+)?\?skills(:|%3A)has=/,
    inject: asking((_, { searchParams }) => searchParams.has('skills:has')),
  },
  {
    name: 'an order by a hidden field of a related item',
    says: /visits[^ ]*\?sort=-?worker\.salary/,
    inject: (inner, revealed) => async (request) => {
      const response = await inner(request)
      if (urlOf(request).searchParams.get('sort') !== 'worker.salary') return response
      const { body } = await revealed({ ...request, method: 'GET', url: '/v1/workers?sort=salary' })
      const ids = [body].flat().map((item) => Object(item).id)
      return withHeaders(response, { 'x-rank': ids.join() })
    },
  },
  {
    name: 'a filter by a hidden reference',
    says: /boss_id=/,
    inject: asking((r, { searchParams }) => get(r) && searchParams.has('boss_id')),
  },
  {
    name: 'a deletion by a hidden field',
    says: /DELETE \/v1\/workers\?pin=/,
    inject: asking((r, { searchParams }) => r.method === 'DELETE' && searchParams.has('pin')),
  },
  {
    name: 'a filter by a hidden field of a related item',
    says: /visits[^ ]*\?worker\.pin=/,
    inject: asking((r, { searchParams }) => get(r) && searchParams.has('worker.pin')),
  },
  {
    name: 'a deletion by a hidden field of a related item',
    says: /DELETE [^ ]*visits\?worker\.salary=/,
    inject: asking(
      (r, { searchParams }) => r.method === 'DELETE' && searchParams.has('worker.salary'),
    ),
  },
  {
    name: 'a search in a hidden field',
    says: /q=/,
    inject: asking((r, { searchParams }) => get(r) && searchParams.has('q')),
  },
  {
    name: 'a value in a list',
    says: /GET \/v1\/workers tells/,
    inject: showing((r, { pathname }) => get(r) && pathname === '/v1/workers'),
  },
  {
    name: 'a value in an item',
    says: /GET \/v1\/workers\/[\w-]+ tells/,
    inject: showing((r, url) => get(r) && isItem(url)),
  },
  {
    name: 'a value in the first item',
    says: /first/,
    inject: showing((_, { pathname }) => pathname.endsWith('/first')),
  },
  {
    name: 'a value in an included item',
    says: /visits\?include=worker tells/,
    inject: (inner, revealed) => async (request) => {
      const response = await inner(request)
      const { searchParams, pathname } = urlOf(request)
      if (!searchParams.has('include') || !pathname.endsWith('/visits')) return response
      const { headers = {} } = request
      const url = pathname.replace(/\/visits$/, '')
      const { body } = await revealed({ method: 'GET', url, headers })
      const visits = [response.body].flat().map((visit) => ({ ...Object(visit), worker: body }))
      return { ...response, body: visits }
    },
  },
  {
    name: 'a value by its name in fields',
    says: /fields=/,
    inject: showing((_, { searchParams }) => searchParams.has('fields')),
  },
  {
    name: 'a value in a cursor',
    says: /limit=1/,
    inject: (inner, revealed) => async (request) => {
      const response = await inner(request)
      const { link } = response.headers
      if (link === undefined) return response
      const all = await listOf(revealed, request)
      const cursor = Buffer.from(JSON.stringify([all[0]?.pin])).toString('base64url')
      return withHeaders(response, { link: `${link}, </v1/workers?before=${cursor}>; rel="prev"` })
    },
  },
  {
    name: 'a value in an ETag',
    says: /etag|holds the value/,
    inject: tagging('etag', ({ pin }) => `"${Buffer.from(`${pin}`).toString('hex')}"`),
  },
  {
    name: 'a digest of an item',
    says: /x-digest differ/,
    inject: tagging('x-digest', ({ version: _, ...item }) =>
      createHash('md5').update(JSON.stringify(item)).digest('hex'),
    ),
  },
  {
    name: 'the length of an item',
    says: /x-length differ/,
    inject: tagging(
      'x-length',
      ({ grade, boss_id }) => `${grade === 'a' ? 1 : 2}${boss_id ? 3 : 4}`,
    ),
  },
  {
    name: 'a value in the message of an issue',
    says: /(PATCH|PUT|POST) \/v1\/workers.*holds the value|differ/,
    inject: (inner, revealed) => async (request) => {
      const response = await inner(request)
      if (response.status !== 422 || !isItem(urlOf(request))) return response
      const { body } = await revealed({ ...request, method: 'GET', body: undefined } as never)
      const detail = `The pin is ${Object(body).pin}, not this.`
      return { ...response, body: { ...Object(response.body), detail } }
    },
  },
  {
    name: 'a write that is refused unless it is equal',
    says: /PATCH \/v1\/workers\/[\w-]+.*status/,
    inject: (inner, revealed) => async (request) => {
      const sent = Object(bodyOf(request))
      if (request.method !== 'PATCH' || !isItem(urlOf(request)) || !('pin' in sent))
        return inner(request)
      const { pathname: url } = urlOf(request)
      const { body } = await revealed({ method: 'GET', url, headers: request.headers } as never)
      if (Object(body).pin !== sent.pin) return inner(request)
      const { pin: _, ...rest } = sent
      return inner({ ...request, body: JSON.stringify(rest) })
    },
  },
  {
    name: 'a dry run that shows the whole item',
    says: /dry_run/,
    inject: (inner, revealed) => async (request) => {
      const { searchParams, pathname: url } = urlOf(request)
      if (!searchParams.has('dry_run') || !isItem(urlOf(request))) return inner(request)
      return revealed({ method: 'GET', url, headers: request.headers } as never)
    },
  },
  {
    name: 'a PUT that erases a hidden field',
    says: /A write of (alice|bob) changes the hidden "pin"/,
    inject: (inner, revealed) => async (request) => {
      const response = await inner(request)
      if (request.method !== 'PUT' || response.status !== 200 || !isItem(urlOf(request)))
        return response
      await revealed({ ...request, method: 'PATCH', body: '{"pin":null}' })
      return response
    },
  },
  {
    name: 'a list in the order of a hidden field',
    says: /GET \/v1\/workers tells/,
    inject: (inner, revealed) => async (request) => {
      const response = await inner(request)
      if (!get(request) || request.url !== '/v1/workers') return response
      const all = (await listOf(revealed, request)).toSorted(
        (one, other) => Number(one.salary ?? 0) - Number(other.salary ?? 0),
      )
      return { ...response, body: all.map(without) }
    },
  },
]
