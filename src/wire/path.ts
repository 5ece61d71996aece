import type { Methods } from '../contract/resource/adapter.ts'
import type { Address, Api, Collection, Target } from '../contract/resource/api.ts'
import type { HttpRequest } from '../contract/resource/http.ts'
import { isId } from '../contract/resource/id.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { nearestTo } from '../convention/nearest.ts'
import { reservedWords } from '../convention/operations.ts'
import { orThrow, ProblemError, problem, quote } from '../convention/problem.ts'
import { decodeOrEmpty, decodePercent } from './percent.ts'

/** The contract that {@link parsePath} reads paths against. */
export interface PathContext {
  readonly api: Api
  /** The version of a path that names none; `false` refuses such a path. */
  readonly defaultVersion: string | false
}

const maxNouns = 20

/**
 * Reads a path: `/v1/companies/7/customers/count` → the customers of v1 under the companies,
 * parents `['7']`, kind `count`. The inverse of {@link formatPath}. One trailing slash is ignored.
 *
 * @param path Percent-encoded, without query.
 * @throws {ProblemError} `bad_path` for `.` and `..` segments and characters that a path cannot
 *   hold, `bad_percent_encoding`, `unknown_version`, `retired_version`, `unknown_resource`.
 * @see RFC 3986 §3.3; docs/requests.md, C1.1 to C1.7, C2.1 to C2.3, C7.5
 */
export function parsePath(path: string, context: PathContext): Target {
  return orThrow(findTarget(path, context))
}

/**
 * Reads as {@link parsePath}, but returns the problem of a path that names nothing.
 *
 * @throws {ProblemError} `bad_path`, `bad_percent_encoding`.
 */
function findTarget(path: string, context: PathContext): Target | ProblemError {
  const segments = segmentsOf(path)
  const versioned = context.api.versions.get(segments[0] as string)
  const roots = versioned ?? defaultRoots(segments[0] as string, context)
  if (roots === undefined) return versionProblem(segments[0] as string, context.api)
  let siblings = roots
  let parents: readonly string[] = []
  for (let index = versioned ? 1 : 0; ; index += 2) {
    const noun = segments[index]
    const collection = siblings.get(noun ?? '')
    if (!collection) return problem('unknown_resource', unknownNounText(segments, index, siblings))
    const id = segments[index + 1]
    if (id === undefined) return { kind: 'collection', collection, parents, id }
    if (id === '')
      return problem('unknown_resource', 'The path has an empty segment: an id is missing.')
    if (index + 2 === segments.length) {
      for (const word of reservedWords) {
        if (word === id) return { kind: word, collection, parents, id: undefined }
      }
      return { kind: 'item', collection, parents, id }
    }
    // A reserved word is no id either: the look-up of the parents finds out.
    parents = [...parents, id]
    siblings = collection.children
  }
}

const [slash, percent, backslash, hash] = [0x2f, 0x25, 0x5c, 0x23]
const [dot, space, del] = [0x2e, 0x20, 0x7f]

// Decodes each segment after the split: an encoded slash is part of an id. One scan of char codes
// takes half the time of a split and regular expressions (a read: 110 against 210 ns).
function segmentsOf(path: string): readonly string[] {
  if (path.charCodeAt(0) !== slash) throw problem('bad_path', 'A path starts with "/".')
  const { length } = path
  const end = length > 1 && path.charCodeAt(length - 1) === slash ? length - 1 : length
  const segments: string[] = []
  let start = 1
  let isPlain = true
  for (let at = 1; at <= end; at++) {
    const code = at < end ? path.charCodeAt(at) : slash
    // Most characters of a path.
    if (code > slash && code < del && code !== backslash) continue
    if (code === slash) {
      const text = path.slice(start, at)
      segments.push(isPlain ? text : readSegment(text))
      start = at + 1
      isPlain = true
    } else if (code === percent || code === dot) isPlain = false
    else if (code <= space || code >= del || code === backslash || code === hash) {
      throw problem('bad_path', 'The path holds a character that has to be percent-encoded.')
    }
  }
  return segments
}

function readSegment(text: string): string {
  const segment = text.includes('%') ? decodePercent(text, 'path') : text
  if (segment.includes('\0'))
    throw problem('bad_percent_encoding', 'The path holds NUL, which no id can have.')
  if (segment !== '.' && segment !== '..') return segment
  throw problem('bad_path', 'A path holds no "." and no "..": write the whole path.')
}

/** Returns the collections that a path without a version may begin with; `undefined` for none. */
export function defaultRoots(
  first: string,
  { api, defaultVersion }: PathContext,
): ReadonlyMap<string, Collection> | undefined {
  const roots = defaultVersion === false ? undefined : api.versions.get(defaultVersion)
  return roots && (!/^v\d/.test(first) || roots.has(first)) ? roots : undefined
}

// Suggests nouns for a path that names none.
function unknownNounText(
  segments: readonly string[],
  index: number,
  siblings: ReadonlyMap<string, Collection>,
): string {
  const noun = segments[index]
  const [names, text] = nounsByPlace.get(siblings) ?? nounsOf(siblings)
  if (!noun) return `The path names no resource. Resources here: ${text}.`
  const name = nearestTo(noun, names) ?? ''
  const near = siblings.get(name)
  if (near === undefined)
    return names.length === 0
      ? `No resource ${quote(noun)}: nothing stands below an item here.`
      : `No resource ${quote(noun)}. Resources here: ${text}.`
  const ids = segments.slice(0, index).map(encodeURIComponent).join('/')
  const start = index % 2 === 0 ? [near.version, ids] : [ids]
  const path = ['', ...start, name].filter((segment, index) => index === 0 || segment !== '')
  return `No resource ${quote(noun)}. Did you mean ${quote(path.join('/'))}?`
}

/** The nouns that may stand at a place of a path, and a text of the first ones. */
type Nouns = readonly [names: readonly string[], text: string]

// A scanner asks for unknown paths again and again.
const nounsByPlace = new WeakMap<ReadonlyMap<string, Collection>, Nouns>()

function nounsOf(siblings: ReadonlyMap<string, Collection>): Nouns {
  const names = [...siblings.keys()]
  const more = names.length > maxNouns ? ', …' : ''
  const nouns: Nouns = [names, names.slice(0, maxNouns).join(', ') + more]
  nounsByPlace.set(siblings, nouns)
  return nouns
}

/**
 * Writes the canonical path of a target: with version, ids percent-encoded, no trailing slash.
 * The inverse of {@link parsePath}.
 *
 * @throws {TypeError} For a text that is never an id.
 */
export function formatPath({ kind, collection, parents, id }: Address): string {
  const { version, path: template } = collection
  const path = `/${version}${template.includes('/:') ? withIds(template, parents) : template}`
  if (kind === 'collection') return path
  return `${path}/${kind === 'item' ? encodeId(id) : kind}`
}

/**
 * Writes the path of an item: `itemPath('/v1/employees', 'a/b')` → `/v1/employees/a%2Fb`.
 *
 * Refuses every text that is never an id. A URL parser removes `.`, `..` and empty segments, and
 * the path would name the collection or its parent.
 *
 * @param collection The path of the collection, percent-encoded, without a trailing slash.
 * @throws {TypeError} For a reserved word, `.`, `..`, the empty text, more than 255 characters, a
 *   control character and a lone surrogate.
 */
export function itemPath(collection: string, id: string | number): string {
  return `${collection}/${encodeId(String(id))}`
}

// A template begins and ends with a noun.
function withIds(template: string, ids: readonly string[]): string {
  return template
    .split('/:')
    .reduce(
      (path, segment, index) =>
        `${path}/${encodeId(ids[index - 1] ?? '')}${segment.slice(segment.indexOf('/'))}`,
    )
}

function encodeId(id: string): string {
  if (isId(id)) return encodeURIComponent(id)
  throw new TypeError(`${JSON.stringify(id)} is never an id`)
}

function versionProblem(first: string, { versions, retired }: Api): ProblemError {
  const supported = [...versions.keys()]
  const row = retired.get(first)
  if (row === undefined) {
    const start = `start the path with ${joinWithOr(supported.map((version) => `/${version}`))}.`
    const detail = first ? `No version ${quote(first)}: ${start}` : `No version: ${start}`
    return problem('unknown_version', detail, { supported })
  }
  const { since, sunset, successor = joinWithOr(supported) } = row
  const ended = since === undefined ? 'has ended' : `ended on ${since}`
  const members = sunset === undefined ? { supported } : { supported, sunset }
  return problem('retired_version', `Version ${first} ${ended}: use ${successor}.`, members)
}

// `v1, v2 or v3`.
function joinWithOr(names: readonly string[]): string {
  const allButLast = names.slice(0, -1).join(', ')
  return `${allButLast}${allButLast && ' or '}${names.at(-1)}`
}

// RFC 9110 §4.2.1, §4.2.4: with a host, without a user.
const absoluteSyntax =
  /^https?:\/\/((?:\[[\w.:]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?)((?:[/?#].*)?)$/is

/**
 * Takes the origin off a request target in absolute form (RFC 9112 §3.2.2):
 * `http://x:80/v1/notes?q=a` → `/v1/notes?q=a`. Returns every other text unchanged.
 */
export function withoutOrigin(url: string): string {
  if (url.charCodeAt(0) === 0x2f) return url
  const target = absoluteSyntax.exec(url)?.[2]
  if (target === undefined) return url
  return target.startsWith('/') ? target : `/${target}`
}

/** Returns host and port of a target in absolute form: `x:80`; `undefined` for any other. */
export function hostOf(url: string): string | undefined {
  return url.charCodeAt(0) === 0x2f ? undefined : absoluteSyntax.exec(url)?.[1]
}

/** Reads as {@link findRequestTarget}, but returns `undefined` for a path that names nothing. */
export function targetOfRequest(request: HttpRequest, registry: AnyRegistry): Target | undefined {
  try {
    const match = findRequestTarget(request, registry)
    return match instanceof ProblemError ? undefined : match.target
  } catch {
    // The core answers the fault of the path later.
    return undefined
  }
}

/** The target that a request names, and its query as the client wrote it. */
export interface RequestTarget {
  readonly target: Target
  /** Percent-encoded, without the `?`. */
  readonly search: string
  /** The method; `DELETE?` for a DELETE of a collection with a query, even an empty one. */
  readonly methodKey: string
}

/**
 * Reads the target of a request, and leaves its query unread. Returns the problem of a path that
 * names nothing, and of a method that a home document does not take.
 *
 * @throws {ProblemError} `uri_too_long`, `bad_path`, `bad_percent_encoding`.
 */
export function findRequestTarget(
  request: HttpRequest,
  registry: AnyRegistry,
): RequestTarget | ProblemError {
  const { url } = request
  const relative = url.charCodeAt(0) === 0x2f ? url : withoutOrigin(url)
  if (relative.length > registry.limits.target) {
    throw problem(
      'uri_too_long',
      `The request target has more than ${registry.limits.target} bytes.`,
    )
  }
  const question = relative.indexOf('?')
  const path = question < 0 ? relative : relative.slice(0, question)
  const { method } = request
  const target = findTarget(path, registry)
  if (target instanceof ProblemError) {
    const isRefusedHome =
      !documentAllow.split(', ').includes(method) && homeVersionOf(path, registry) !== undefined
    return isRefusedHome ? methodNotAllowed(request, documentAllow) : target
  }
  if (method !== 'GET' && method !== 'POST') refuseLeftovers(method, target, relative)
  if (question < 0) return { target, search: '', methodKey: method }
  const search = relative.slice(question + 1)
  if (method !== 'DELETE' || target.kind !== 'collection')
    return { target, search, methodKey: method }
  const methodKey = 'DELETE?'
  if (/^&*$/.test(search) && methodsFor(target, registry).kinds.get(methodKey) !== 'deleteMany')
    throw problem('bad_path', emptySelection)
  return { target, search, methodKey }
}

// Without its "?", the request would delete everything: no text may advise that.
const emptySelection =
  'DELETE of this collection takes no query, so the server deleted nothing: delete items by id.'

/** The `Allow` of a document: a home document, or one of a layer. */
export const documentAllow = 'GET, HEAD, OPTIONS'

/**
 * Returns the version whose home document a URL names: `/v1` → `v1`, `/` → `''` for the whole api;
 * `undefined` for any other URL, and where the registry has no home.
 */
export function homeVersionOf(url: string, { api, home }: AnyRegistry): string | undefined {
  const [path, segment = ''] = /^\/(?:([^/?]+)\/?)?(?![^?])/.exec(withoutOrigin(url)) ?? []
  if (path === undefined || !home) return undefined
  const version = decodeOrEmpty(segment)
  return segment === '' || api.versions.has(version) ? version : undefined
}

/** Makes the problem of a method that a target does not support. */
export function methodNotAllowed({ method }: HttpRequest, allow: string): ProblemError {
  // `Allow` names it for a request with a query.
  const isQueryMissing = method === 'DELETE' && allow.includes(method)
  const remedy = isQueryMissing ? 'send a filter, as in "?id=7", and' : 'use'
  const bound = isQueryMissing ? '"prefer: max-affected=N".' : `${allow}.`
  const detail = `${quote(method)} is not allowed here: ${remedy} ${bound}`
  return problem('method_not_allowed', detail, { allow })
}

// A URL parser makes `/employees/` of an empty id, so that the path names more than the client
// meant.
function refuseLeftovers(method: string, { kind }: Target, relative: string): void {
  const writes = method === 'PUT' || method === 'PATCH' || method === 'DELETE'
  if (!writes || (kind !== 'collection' && kind !== 'item')) return
  if (/^[^?]*\/(?:\?|$)/.test(relative)) {
    throw problem(
      'bad_path',
      `${method} takes no trailing slash: a URL parser leaves one where an id is "", "." or "..".`,
    )
  }
}

/** Returns the methods of a target that its resource and adapter support. */
export function methodsFor({ kind, collection }: Target, { bindings }: AnyRegistry): Methods {
  const methods = bindings[collection.place]?.methods.get(kind)
  return methods ?? { kinds: new Map(), allow: 'OPTIONS' }
}
