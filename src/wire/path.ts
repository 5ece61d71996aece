import type { Api, Collection } from '../model/api.ts'
import { type ReservedWord, reservedWords } from '../model/convention.ts'
import { isId } from '../model/id.ts'
import { orThrow, type ProblemError, problem, quote } from '../model/problem.ts'
import type { Address, Target } from '../model/target.ts'
import { Segments } from './segments.ts'

/** What {@link parsePath} reads paths against. */
export interface PathContext {
  readonly api: Api
  /** The version that a path without one means; `false` for none. */
  readonly defaultVersion: string | false
}

const maxNouns = 20
/** The ids of the parents of a collection that has none. */
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
 * As {@link parsePath}, but gives the problem of a path that names nothing.
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
    // An empty segment in the middle leaves no id: what follows is not there.
    if (id === '')
      return segments.leadTo(problem('unknown_resource', 'The path has an empty segment'))
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
 *
 * @throws {TypeError} For a text that is never an id, the target's own or a parent's.
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
 * URL parsers remove `.`, `..` and empty segments, so such a path would name the collection or its
 * parent: this function refuses every text that is never an id.
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

// What a path may go on with behind its version, or begin with where it names none.
function rootsFor(
  segments: Segments,
  { api, defaultVersion }: PathContext,
): ReadonlyMap<string, Collection> | undefined {
  // There are few, and to compare them takes less than to look one up.
  for (const [version, roots] of api.versions) if (segments.skip(version)) return roots
  const start = segments.start
  // There is one at least, if an empty one. It may be a version all the same, of escapes.
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
