import {
  type HttpRequest,
  type HttpResponse,
  headerOf,
  type Layer,
} from '../contract/resource/http.ts'
import { whenReady } from '../convention/awaitable.ts'
import { checkLists, checkOptions } from '../convention/declaration.ts'
import { operations } from '../convention/operations.ts'
import { jsonType } from '../wire/body.ts'
import { withVary } from './vary.ts'

/** Options of {@link cors}. */
export interface CorsOptions {
  /** The origins of pages that may use the API: `['https://app.example']`, or `'*'` for all. */
  readonly origins: readonly string[] | '*'
  /** Browsers may send cookies and HTTP authentication. Needs a list of origins. Default: false. */
  readonly credentials?: boolean
  /** Request headers of your own that pages may send. Default: none. */
  readonly headers?: readonly string[]
  /** Seconds that a browser may keep the answer to its preflight. Default: 600. */
  readonly maxAge?: number
}

const optionNames: Record<keyof CorsOptions, true> = {
  origins: true,
  credentials: true,
  headers: true,
  maxAge: true,
}

// Clients of the convention send and read these, beyond the headers of every page (Fetch §3.2).
const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
]
const responseHeaders = [
  'Accept-Patch',
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Total-Count',
].join(', ')

/**
 * Makes a layer that lets pages of other origins use the API:
 * `layers: [cors({ origins: ['https://app.example'] })]`. Put it first, so that the responses of
 * all other layers carry its headers. It answers a preflight as `OPTIONS`, but always with 200: no
 * credentials needed. It never opens the API to public pages in a private network.
 *
 * @throws {TypeError} For an invalid option.
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export function cors(options: CorsOptions): Layer {
  checkCors(options)
  const { origins, credentials = false, headers = [], maxAge = 600 } = options
  const credentialHeaders: Readonly<Record<string, string>> = credentials
    ? { 'access-control-allow-credentials': 'true' }
    : {}
  const preflightHeaders = {
    'access-control-allow-headers': [...requestHeaders, ...headers].join(', '),
    'access-control-max-age': `${maxAge}`,
  }
  const withHeaders = (request: HttpRequest, response: HttpResponse): HttpResponse => {
    const origin = headerOf(request, 'origin')
    if (origin === undefined || (origins !== '*' && !origins.includes(origin))) return response
    const allowed = {
      ...credentialHeaders,
      'access-control-allow-origin': origins === '*' ? '*' : origin,
    }
    if (!isPreflight(request)) {
      return withHeaderFields(response, {
        ...allowed,
        'access-control-expose-headers': responseHeaders,
      })
    }
    // After a preflight without 2xx, a browser would hide the problem of the request from the page.
    const preflight = response.status === 200 ? response : successfulPreflight(response)
    const { allow = '' } = preflight.headers
    return withHeaderFields(preflight, {
      ...allowed,
      ...preflightHeaders,
      'access-control-allow-methods': allow,
    })
  }
  return (request, answer) =>
    whenReady(answer(request), (inner) => {
      // A cache must not give one origin's response to another.
      const response = origins === '*' ? inner : withVary(inner, 'Origin')
      return withHeaders(request, response)
    })
}

function successfulPreflight(response: HttpResponse): HttpResponse {
  const methods = new Set(Object.values(operations).map(({ method }) => method))
  const headers = { 'content-type': jsonType, allow: ['HEAD', ...methods].join(', ') }
  return withHeaderFields({ ...response, status: 200, body: {}, problem: undefined }, headers)
}

function isPreflight(request: HttpRequest): boolean {
  return (
    request.method === 'OPTIONS' && headerOf(request, 'access-control-request-method') !== undefined
  )
}

function withHeaderFields(response: HttpResponse, headers: HttpResponse['headers']): HttpResponse {
  return { ...response, headers: { ...response.headers, ...headers } }
}

function checkCors(options: CorsOptions): void {
  checkOptions('cors()', options, optionNames)
  checkLists('cors()', options, ['headers'])
  const { headers = [], maxAge = 600 } = options
  const invalid = headers.find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name))
  const fault =
    faultOfOrigins(options) ??
    (invalid === undefined ? undefined : `takes header names: "${invalid}" is none`) ??
    (Number.isInteger(maxAge) && maxAge >= 0
      ? undefined
      : `has a "maxAge" of ${maxAge}: write seconds, a whole number from 0`)
  if (fault !== undefined) throw new TypeError(`cors() ${fault}.`)
}

function faultOfOrigins({ origins, credentials = false }: CorsOptions): string | undefined {
  if (origins === '*') {
    return credentials ? 'with credentials needs a list of "origins"' : undefined
  }
  if (!Array.isArray(origins)) {
    return `needs "origins": write ['https://app.example'], or '*'`
  }
  const invalid = origins.find((origin) => !isOrigin(origin))
  return invalid === undefined
    ? undefined
    : `takes origins, scheme and host alone, as in "https://app.example": "${invalid}" is none`
}

// A browser sends exactly this form.
function isOrigin(text: unknown): boolean {
  try {
    const { origin } = new URL(String(text))
    return origin === text && origin !== 'null'
  } catch {
    return false
  }
}
