import type { Api, Collection } from '../model/api.ts'
import { type ReservedWord, reservedWords } from '../model/convention.ts'
import { orThrow, type ProblemError, problem, quote } from '../model/problem.ts'
import { decodePercent } from './percent.ts'

/** What a path names: a collection, one of its items, or a reserved word after it. */
export type Target = Place<Collection>

/** What a target's path is written from: less of a collection than a {@link Target} has, so that who has no contract can write one too. */
export type Address = Place<Pick<Collection, 'version' | 'path'>>

type Place<Mounted> = {
  readonly collection: Mounted
  /** The ids of the collection's parents, outermost first, decoded. */
  readonly parents: readonly string[]
} & (
  | { readonly kind: 'collection' | ReservedWord; readonly id: undefined }
  | { readonly kind: 'item'; readonly id: string }
)

/** What {@link parsePath} reads paths against. */
export interface PathContext {
  readonly api: Api
  /** The version that a path without one means; `false` for none. */
  readonly unversioned: string | false
}

const [slash, percent, backslash, hash] = [0x2f, 0x25, 0x5c, 0x23]
const [dot, space, del] = [0x2e, 0x20, 0x7f]
const maxNouns = 20
const noParents: readonly string[] = /* @__PURE__ */ Object.freeze([])

/**
 * Reads a path: `/v1/companies/7/customers/count` → the customers of v1 under the companies, parents `['7']`, kind `count`.
 * The inverse of {@link formatPath}. One trailing slash is ignored.
 *
 * @param path Percent-encoded, without query.
 * @throws {ProblemError} `bad_path` for `.` and `..` segments and characters that a path cannot hold,
 *   `bad_percent_encoding`, `unknown_version`, `unknown_resource`.
 * @see RFC 3986 §3.3; docs/requests.md, "Paths" and "Versions"
 */
export function parsePath(path: string, context: PathContext): Target {
  return orThrow(findTarget(path, context))
}

/**
 * As {@link parsePath}, but gives the problem of a path that names nothing.
 *
 * @throws {ProblemError} `bad_path`, `bad_percent_encoding`.
 */
export function findTarget(path: string, { api, unversioned }: PathContext): Target | ProblemError {
  const segments = splitPath(path)
  // There is one at least, if an empty one.
  const first = segments[0] as string
  const versioned = api.versions.get(first)
  const roots = versioned ?? rootsWithout(first, { api, unversioned })
  if (roots === undefined) return unknownVersion(api)
  let siblings = roots
  let parents = noParents
  for (let at = versioned ? 1 : 0; ; at += 2) {
    const collection = siblings.get(segments[at] ?? '')
    if (!collection) return problem('unknown_resource', missing(segments[at], siblings))
    const id = segments[at + 1]
    if (id === undefined) return { kind: 'collection', collection, parents, id }
    const word = wordOf(id)
    if (segments.length === at + 2) {
      if (word !== undefined) return { kind: word, collection, parents, id: undefined }
      if (id !== '') return { kind: 'item', collection, parents, id }
    }
    // An empty segment in the middle leaves no id: what follows is not there.
    if (id === '') return problem('unknown_resource', 'The path has an empty segment')
    // A reserved word in the middle is no id either, but whether parents are there is asked later.
    parents = parents === noParents ? [id] : [...parents, id]
    siblings = collection.children
  }
}

function wordOf(segment: string): ReservedWord | undefined {
  for (const word of reservedWords) if (word === segment) return word
  return undefined
}

// Whoever asks for the top gets to know what there is; whoever asks for something else knows what it is called.
function missing(noun: string | undefined, siblings: ReadonlyMap<string, Collection>): string {
  if (noun) return `Nothing is called ${quote(noun)} here`
  const nouns = [...siblings.keys()].slice(0, maxNouns)
  return `The path names no resource: there are ${nouns.join(', ')}`
}

/**
 * Writes a target's canonical path: with version, every id percent-encoded, no trailing slash.
 * The inverse of {@link parsePath}.
 */
export function formatPath({ kind, collection, parents, id }: Address): string {
  const { version, path: template } = collection
  const path = `/${version}${template.includes('/:') ? withIds(template, parents) : template}`
  if (kind === 'collection') return path
  return `${path}/${kind === 'item' ? encodeId(id) : kind}`
}

// A template begins and ends with a noun.
function withIds(template: string, ids: readonly string[]): string {
  return template
    .split('/:')
    .reduce(
      (path, part, place) => `${path}/${encodeId(ids[place - 1])}${part.slice(part.indexOf('/'))}`,
    )
}

function encodeId(id: string | undefined): string {
  if (id === undefined) throw new TypeError('A parent has no id.')
  return encodeURIComponent(id)
}

/** Tells whether a path is written with the one trailing slash that is ignored. */
export function hasTrailingSlash(path: string): boolean {
  return path.charCodeAt(path.length - 1) === slash
}

function rootsWithout(
  first: string,
  { api, unversioned }: PathContext,
): ReadonlyMap<string, Collection> | undefined {
  const roots = unversioned === false ? undefined : api.versions.get(unversioned)
  return roots && (!/^v\d/.test(first) || roots.has(first)) ? roots : undefined
}

function unknownVersion({ versions }: Api): ProblemError {
  const supported = [...versions.keys()]
  return problem('unknown_version', `The path does not start with ${supported.join(' or ')}`, {
    supported,
  })
}

// Split first, decode after: an encoded slash is part of an id.
function splitPath(path: string): string[] {
  if (path.charCodeAt(0) !== slash) throw problem('bad_path', 'A path starts with "/"')
  const segments: string[] = []
  const end = hasTrailingSlash(path) ? path.length - 1 : path.length
  let start = 1
  let encoded = false
  for (let at = 1; at < end; at++) {
    const code = path.charCodeAt(at)
    // Most of a path is above it.
    if (code > slash && code < del && code !== backslash) continue
    if (code === slash) {
      segments.push(readSegment(path.slice(start, at), encoded))
      start = at + 1
      encoded = false
    } else if (code === percent) encoded = true
    else if (code <= space || code >= del || code === backslash || code === hash) {
      throw problem('bad_path', 'The path holds a character that has to be percent-encoded')
    }
  }
  segments.push(readSegment(path.slice(start, end), encoded))
  return segments
}

function readSegment(text: string, encoded: boolean): string {
  const segment = encoded ? decodeSegment(text) : text
  if (segment.charCodeAt(0) === dot && (segment === '.' || segment === '..')) {
    throw problem('bad_path', 'A path holds no "." and ".." segments')
  }
  return segment
}

function decodeSegment(segment: string): string {
  const text = decodePercent(segment, 'path')
  if (text.includes('\0')) throw problem('bad_percent_encoding', 'The path holds NUL')
  return text
}
