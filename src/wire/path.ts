import type { Address, Api, Collection, Target } from '../contract/resource/api.ts'
import { isId } from '../contract/resource/id.ts'
import { nearestTo } from '../convention/nearest.ts'
import { reservedWords } from '../convention/operations.ts'
import { orThrow, type ProblemError, problem, quote } from '../convention/problem.ts'
import { decodePercent } from './percent.ts'

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
export function findTarget(path: string, context: PathContext): Target | ProblemError {
  const segments = segmentsOf(path)
  const versioned = context.api.versions.get(segments[0] as string)
  const roots = versioned ?? defaultRoots(segments[0] as string, context)
  if (roots === undefined) return noVersion(segments[0] as string, context.api)
  let siblings = roots
  let parents: readonly string[] = []
  for (let index = versioned ? 1 : 0; ; index += 2) {
    const noun = segments[index]
    const collection = siblings.get(noun ?? '')
    if (!collection) return problem('unknown_resource', missing(segments, index, siblings))
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

// Lists the nouns for a path that names none.
function missing(
  segments: readonly string[],
  index: number,
  siblings: ReadonlyMap<string, Collection>,
): string {
  const noun = segments[index]
  const nouns = [...siblings.keys()]
  if (!noun) return `The path names no resource. Resources here: ${listed(nouns)}.`
  const name = nearestTo(noun, nouns) ?? ''
  const near = siblings.get(name)
  if (near === undefined)
    return nouns.length === 0
      ? `No resource ${quote(noun)}: nothing stands below an item here.`
      : `No resource ${quote(noun)}. Resources here: ${listed(nouns)}.`
  const ids = segments.slice(0, index).map(encodeURIComponent).join('/')
  const start = index % 2 === 0 ? [near.version, ids] : [ids]
  const path = ['', ...start, name].filter((segment, at) => at === 0 || segment !== '')
  return `No resource ${quote(noun)}. Did you mean ${quote(path.join('/'))}?`
}

function listed(nouns: readonly string[]): string {
  return nouns.slice(0, maxNouns).join(', ') + (nouns.length > maxNouns ? ', …' : '')
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
      (path, segment, place) =>
        `${path}/${encodeId(ids[place - 1] ?? '')}${segment.slice(segment.indexOf('/'))}`,
    )
}

function encodeId(id: string): string {
  if (isId(id)) return encodeURIComponent(id)
  throw new TypeError(`${JSON.stringify(id)} is never an id`)
}

function noVersion(first: string, { versions, retired }: Api): ProblemError {
  const supported = [...versions.keys()]
  const row = retired.get(first)
  if (row === undefined) {
    const start = `start the path with ${oneOf(supported.map((version) => `/${version}`))}.`
    const detail = first ? `No version ${quote(first)}: ${start}` : `No version: ${start}`
    return problem('unknown_version', detail, { supported })
  }
  const { since, sunset, successor = oneOf(supported) } = row
  const ended = since === undefined ? 'has ended' : `ended on ${since}`
  const members = sunset === undefined ? { supported } : { supported, sunset }
  return problem('retired_version', `Version ${first} ${ended}: use ${successor}.`, members)
}

// `v1, v2 or v3`.
function oneOf(names: readonly string[]): string {
  const allButLast = names.slice(0, -1).join(', ')
  return `${allButLast}${allButLast && ' or '}${names.at(-1)}`
}
