import type { Target } from '../contract/resource/api.ts'
import type { HttpRequest, HttpResponse } from '../contract/resource/http.ts'
import { isId } from '../contract/resource/id.ts'
import type { Deprecation, Retirement } from '../contract/resource/lifecycle.ts'
import type { Registry } from '../contract/resource/registry.ts'
import {
  type AnnouncedHeaders,
  formatAnnouncement,
  formatEndLinks,
  joinLinks,
} from './lifecycle.ts'
import { meantVersion } from './meant-version.ts'
import { formatPath } from './path.ts'
import { methodsFor, targetOf } from './request.ts'

interface Asked {
  readonly request: HttpRequest
  readonly registry: Registry
}

/**
 * Adds the headers of a deprecated version or path to its response: `Deprecation`, `Sunset` and
 * `Link`. Returns the response of any other target itself.
 *
 * @see docs/requests.md, C7.4
 */
export function announced(response: HttpResponse, target: Target, context: Asked): HttpResponse {
  const { deprecation } = target.collection
  if (deprecation === undefined) return response
  return withEnd(response, deprecation, { ...context, target })
}

/**
 * Adds the headers as {@link announced} does to a problem, whose request may name no target. The
 * problem of a retired version gets the `Link` to its page.
 */
export function announcedProblem(response: HttpResponse, context: Asked): HttpResponse {
  const end = endMeantBy(context)
  if (end === undefined) return response
  return withEnd(response, end, { ...context, target: targetOf(context.request, context.registry) })
}

/** Returns the end of the version or path that a request means, whatever is wrong with it. */
export function endMeantBy({ request, registry }: Asked): End | undefined {
  const { lifecycle, retired } = registry.api
  // Broken HTTP has no URL.
  if (lifecycle.size + retired.size === 0 || typeof request.url !== 'string') return undefined
  const { version = '', collection } = meantVersion(request.url, registry) ?? {}
  return collection ? collection.deprecation : (lifecycle.get(version) ?? retired.get(version))
}

type End = Deprecation | Retirement

function withEnd(
  response: HttpResponse,
  end: End,
  { request: { base = '' }, registry, target }: Asked & { readonly target: Target | undefined },
): HttpResponse {
  const to = target && successorOf(target, registry)
  const links = formatEndLinks({
    successor: to === undefined ? undefined : base + to,
    docs: end.docs?.startsWith('/') ? base + end.docs : end.docs,
  })
  const headers = { ...response.headers, ...datesOf(end) }
  if (links === '') return { ...response, headers }
  return { ...response, headers: { ...headers, link: joinLinks(headers.link ?? '', links) } }
}

// The headers that are the same in every response.
const headersOfEnd = new WeakMap<End, AnnouncedHeaders>()
const none: AnnouncedHeaders = Object.freeze({})

function datesOf(end: End): AnnouncedHeaders {
  if (!('deprecatedAt' in end)) return none
  const cached = headersOfEnd.get(end)
  if (cached) return cached
  const { deprecatedAt, sunsetAt } = end
  const dates = { deprecatedAt, sunsetAt, successor: undefined, docs: undefined }
  const headers = formatAnnouncement(dates)
  headersOfEnd.set(end, headers)
  return headers
}

// The same target in the version that takes the place of this one, if it has any method there.
function successorOf(target: Target, registry: Registry): string | undefined {
  const { collection, parents, id } = target
  const { successor } = collection
  if (successor === undefined) return undefined
  const to: Target = { ...target, collection: successor }
  const isNamed = parents.every(isId) && (id === undefined || isId(id))
  if (!isNamed || methodsFor(to, registry).kinds.size === 0) return undefined
  const path = formatPath(to)
  return path.length <= registry.limits.target ? path : undefined
}
