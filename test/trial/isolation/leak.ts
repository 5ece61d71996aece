import { type HttpRequest, type HttpResponse, handle, type Registry } from 'nounful'
import { type Adapters, tenantService } from './service.ts'

/** Answers a request; the leaks stand around it. */
export type Handler = (request: HttpRequest) => Promise<HttpResponse>

/** A leak injected on purpose. */
export interface Leak {
  readonly name: string
  /** The check that finds it; default: the comparison. */
  readonly found?: string
  /** A part of the message: the request that shows the leak. */
  readonly says: RegExp
  /** Changes the handler of a correct service. `root` answers without any scope. */
  readonly inject?: (inner: Handler, root: Handler, facts: Facts) => Handler
  /** Makes wrong adapters. Default: those of the correct service. */
  readonly adapters?: () => Partial<Adapters>
}

type Inject = NonNullable<Leak['inject']>

/** What a leaky handler knows. */
interface Facts {
  /** Tells whether an item exists, whoever owns it. */
  readonly exists: (path: string) => Promise<boolean>
}

/** Makes a handler with a leak. */
export function plantLeak({ inject, adapters }: Pick<Leak, 'inject' | 'adapters'>): {
  registry: Registry
  handler: Handler
} {
  const registry = tenantService(adapters?.()) as unknown as Registry
  const inner: Handler = async (request) => handle(request, registry)
  const root: Handler = (request) =>
    inner({ ...request, headers: { ...request.headers, authorization: 'Bearer root' } })
  const exists = async (path: string) => (await root({ method: 'GET', url: path })).status === 200
  return { registry, handler: inject?.(inner, root, { exists }) ?? inner }
}

/** Tells whether a leak is in the answer to a request. */
export type Matches = (request: HttpRequest, url: URL) => boolean

/** Reads the URL of a request. */
export const urlOf = ({ url }: HttpRequest) => new URL(url, 'http://localhost')
/** Reads the body of a request. */
export const bodyOf = ({ body }: HttpRequest): unknown => {
  try {
    return JSON.parse(`${body}`)
  } catch {
    return undefined
  }
}

/** Answers some requests without the scope. */
export const unscoped =
  (matches: Matches): Inject =>
  (inner, root) =>
  (request) =>
    matches(request, urlOf(request)) ? root(request) : inner(request)

/** Tells a GET. */
export const isGet = ({ method }: HttpRequest) => method === 'GET'
/** The path of a project. */
export const isItem = /^\/v1\/projects\/([\w-]{36})$/
/** Tells a request for a project. */
export const ofItem: Matches = (_, { pathname }) => isItem.test(pathname)
/** Adds headers to a response. */
export const withHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>>) => ({
  ...response,
  headers: { ...response.headers, ...headers },
})

/** Changes the 404 of an item that another caller owns. */
export const atForeign =
  (
    change: (response: HttpResponse, request: HttpRequest) => HttpResponse,
    matches: Matches = ofItem,
  ): Inject =>
  (inner, _, { exists }) =>
  async (request) => {
    const response = await inner(request)
    const url = urlOf(request)
    const isHidden = response.status === 404 && matches(request, url)
    return isHidden && (await exists(url.pathname)) ? change(response, request) : response
  }

/** Counts the projects of all callers. */
export const countAt = async (root: Handler): Promise<number> =>
  Number(Object((await root({ method: 'GET', url: '/v1/projects/count' })).body).count)
