import type { Api, Collection } from '../model/api.ts'
import { type ReservedWord, reservedWords } from '../model/convention.ts'
import { isId } from '../model/id.ts'
import { orThrow, type ProblemError, problem, quote } from '../model/problem.ts'
import type { Address, Target } from '../model/target.ts'
import { Segments } from './segments.ts'

/** The contract that {@link parsePath} reads paths against. */
export interface PathContext {
  readonly api: Api
  /** The version of a path that names none; `false` refuses such a path. */
  readonly defaultVersion: string | false
}

const maxNouns = 20
/** The parents' ids of a collection at the top. */
export const noParents: readonly string[] = /* @__PURE__ */ Object.freeze([])

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
 * Reads as {@link parsePath}, but returns the problem of a path that names nothing.
 *
 * @throws {ProblemError} `bad_path`, `bad_percent_encoding`.
 */
export function findTarget(path: string, context: PathContext): Target | ProblemError {
  const segments = new Segments(path)
  const roots = rootsFor(segments, context)
  if (roots === undefined) return segments.leadTo(unknownVersion(context.api))
  let siblings = roots
  let noun = segments.next()
  for (let parents = noParents; ; noun = segments.next()) {
    const collection: Collection | undefined = siblings.get(noun ?? '')
    if (!collection) return segments.leadTo(problem('unknown_resource', missing(noun, siblings)))
    const id = segments.next()
    if (id === undefined) return { kind: 'collection', collection, parents, id }
    if (segments.areOver) {
      const word = wordOf(id)
      if (word !== undefined) return { kind: word, collection, parents, id: undefined }
      if (id !== '') return { kind: 'item', collection, parents, id }
    }
    // An empty segment is no id.
    if (id === '')
      return segments.leadTo(problem('unknown_resource', 'The path has an empty segment'))
    // A reserved word is no id either: the look-up of the parents finds out.
    parents = parents === noParents ? [id] : [...parents, id]
    siblings = collection.children
  }
}

function wordOf(segment: string): ReservedWord | undefined {
  for (const word of reservedWords) if (word === segment) return word
  return undefined
}

// Lists the nouns for a path that names none.
function missing(noun: string | undefined, siblings: ReadonlyMap<string, Collection>): string {
  if (noun) return `Nothing is called ${quote(noun)} here`
  const nouns = [...siblings.keys()].slice(0, maxNouns)
  return `The path names no resource: there are ${nouns.join(', ')}`
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
 * Refuses every text that is never an id: a URL parser removes `.`, `..` and empty segments, so
 * that the path would name the collection or its parent.
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
      (path, part, place) =>
        `${path}/${encodeId(ids[place - 1] ?? '')}${part.slice(part.indexOf('/'))}`,
    )
}

function encodeId(id: string): string {
  if (isId(id)) return encodeURIComponent(id)
  throw new TypeError(`${JSON.stringify(id)} is never an id`)
}

// Returns the collections that the path's version has at its top.
function rootsFor(
  segments: Segments,
  { api, defaultVersion }: PathContext,
): ReadonlyMap<string, Collection> | undefined {
  // An api has few versions, so comparing takes less than a look-up.
  for (const [version, roots] of api.versions) if (segments.skip(version)) return roots
  const start = segments.start
  // A path has a first segment, if an empty one. With escapes it can still be a version.
  const first = segments.next() as string
  const versioned = api.versions.get(first)
  if (versioned) return versioned
  segments.start = start
  const roots = defaultVersion === false ? undefined : api.versions.get(defaultVersion)
  return roots && (!/^v\d/.test(first) || roots.has(first)) ? roots : undefined
}

function unknownVersion({ versions }: Api): ProblemError {
  const supported = [...versions.keys()]
  return problem('unknown_version', `The path does not start with ${supported.join(' or ')}`, {
    supported,
  })
}
