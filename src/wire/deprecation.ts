import type { Collection, Target } from '../contract/resource/api.ts'
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
import {
  defaultRoots,
  formatPath,
  homeVersionOf,
  methodsFor,
  type PathContext,
  targetOfRequest,
  withoutOrigin,
} from './path.ts'
import { decodeOrEmpty } from './percent.ts'

interface ReceivedRequest {
  readonly request: HttpRequest
  readonly registry: Registry
}

/** A received request, with what it names; `undefined` for nothing. */
interface Addressed extends ReceivedRequest {
  readonly target: Target | undefined
}

/** The end of a version or a path. */
type End = Deprecation | Retirement

/**
 * Adds the headers of a deprecated version or path to its response: `Deprecation`, `Sunset` and
 * `Link`.
 *
 * @see docs/requests.md, C7.4
 */
export function addEndHeaders(
  response: HttpResponse,
  end: End,
  { request, registry, target }: Addressed,
): HttpResponse {
  const { base = '' } = request
  const successor = target ? successorPathOf(target, registry) : homeSuccessorOf(request, registry)
  const links = formatEndLinks({
    successor: successor === undefined ? undefined : base + successor,
    docs: end.docs?.startsWith('/') ? base + end.docs : end.docs,
  })
  const headers = { ...response.headers, ...dateHeadersOf(end) }
  if (links === '') return { ...response, headers }
  return { ...response, headers: { ...headers, link: joinLinks(headers.link ?? '', links) } }
}

/**
 * Adds the headers as {@link addEndHeaders} does to a problem, whose request may name no target.
 * The problem of a retired version gets the `Link` to its page.
 */
export function addEndHeadersToProblem(
  response: HttpResponse,
  received: ReceivedRequest,
): HttpResponse {
  const end = endOfRequest(received)
  if (end === undefined) return response
  const target = targetOfRequest(received.request, received.registry)
  return addEndHeaders(response, end, { ...received, target })
}

/** Returns the end of the version or path of a request, even if its URL has other faults. */
export function endOfRequest({ request, registry }: ReceivedRequest): End | undefined {
  const { lifecycle, retired } = registry.api
  // Broken HTTP has no URL.
  if (lifecycle.size + retired.size === 0 || typeof request.url !== 'string') return undefined
  const { version = '', collection } = versionOfUrl(request.url, registry) ?? {}
  return collection ? collection.deprecation : (lifecycle.get(version) ?? retired.get(version))
}

// The headers that are the same in every response.
const dateHeaders = new WeakMap<End, AnnouncedHeaders>()
const noHeaders: AnnouncedHeaders = Object.freeze({})

function dateHeadersOf(end: End): AnnouncedHeaders {
  if (!('deprecatedAt' in end)) return noHeaders
  const cached = dateHeaders.get(end)
  if (cached) return cached
  const { deprecatedAt, sunsetAt } = end
  const dates = { deprecatedAt, sunsetAt, successor: undefined, docs: undefined }
  const headers = formatAnnouncement(dates)
  dateHeaders.set(end, headers)
  return headers
}

// The path of the same target in the succeeding version, if the target has any method there.
function successorPathOf(target: Target, registry: Registry): string | undefined {
  const { collection, parents, id } = target
  const { successor } = collection
  if (successor === undefined) return undefined
  const successorTarget: Target = { ...target, collection: successor }
  const hasIds = parents.every(isId) && (id === undefined || isId(id))
  if (!hasIds || methodsFor(successorTarget, registry).kinds.size === 0) return undefined
  const path = formatPath(successorTarget)
  return path.length <= registry.limits.target ? path : undefined
}

// The path of the home document of the succeeding version.
function homeSuccessorOf({ url }: HttpRequest, registry: Registry): string | undefined {
  const version = homeVersionOf(url, registry)
  const successor = version && registry.api.lifecycle.get(version)?.successor
  return successor && `/${successor}`
}

/** The version of a URL, and the collection that its path begins with. */
interface VersionOfUrl {
  /** Also a retired one. */
  readonly version: string
  readonly collection: Collection | undefined
}

// A path without a version has the default version only if it begins with a collection.
function versionOfUrl(url: string, context: PathContext): VersionOfUrl | undefined {
  const [path = ''] = withoutOrigin(url).split(/[?#]/, 1)
  const segments = path.split('/').slice(1).map(decodeOrEmpty)
  const [first = ''] = segments
  const { versions, retired } = context.api
  if (retired.has(first)) return { version: first, collection: undefined }
  const versionRoots = versions.get(first)
  const roots = versionRoots ?? defaultRoots(first, context)
  let collection: Collection | undefined
  for (let index = versionRoots ? 1 : 0; ; index += 2) {
    const child: Collection | undefined = (collection?.children ?? roots)?.get(
      segments[index] ?? '',
    )
    if (child === undefined) break
    collection = child
  }
  const version = versionRoots ? first : collection?.version
  return version === undefined ? undefined : { version, collection }
}
