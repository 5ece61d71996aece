import type { ProvenCollection } from './catalog.ts'
import type { CallerRequest } from './exchange.ts'
import type { Tree, TreeItem } from './tree.ts'

/** A request of the caller who must learn nothing. */
export interface Question {
  readonly collection: ProvenCollection
  /** Builds the request; a write gets an item of the caller that nothing else uses. */
  readonly build: (fresh: TreeItem) => CallerRequest
  /** The request needs such an item. */
  readonly isFresh: boolean
  /** The request names an item of the other caller as a reference or an owner. */
  readonly isNaming?: boolean
  /** The caller who asks, unless it is the asker. */
  readonly caller?: 'nobody'
}

/** The facts from which the questions are made. They differ in ids only, from world to world. */
export interface QuestionFacts {
  readonly own: Tree
  /** The other caller's items, or items that never were. */
  readonly foreign: Tree
  /** Items of the other caller that were there before both worlds. */
  readonly past: Tree
  /** A text in every item of the other caller. */
  readonly mark: string
  /** Fields of the other caller's items that the server set from the caller. */
  readonly owners: Readonly<Record<string, unknown>>
  /** The beginning of an idempotency key. The other caller has used it, or no caller. */
  readonly key: string
  /** The asker's items are new in each world. */
  readonly isReseeded?: boolean
}

/** A place to ask about: a collection below parents. */
export interface Asked {
  readonly collection: ProvenCollection
  readonly path: string
}

/** Asks with a plain request. */
export function plainly({ collection }: Asked, request: CallerRequest): Question {
  return { collection, build: () => request, isFresh: false }
}

/** Asks with an item of the caller's own. */
export function freshly(
  { collection }: Asked,
  build: (fresh: TreeItem) => CallerRequest,
): Question {
  return { collection, build, isFresh: true }
}

/** Returns the idempotency key of a request to a collection. */
export function keyFor({ resource }: ProvenCollection, key: string): string {
  return `"${key}-${resource}"`
}

/** Writes a query: `[['sort', 'name']]` → `?sort=name`. */
export function queryText(pairs: readonly (readonly [string, unknown])[]): string {
  const written = pairs.map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`)
  return written.length === 0 ? '' : `?${written.join('&')}`
}
