import type { OperationKind } from '../model/convention.ts'
import type { Query } from '../model/operation.ts'
import type { Resource } from '../model/resource.ts'
import type { Parameters } from './query.ts'

/** What the query of a request says, and what that means. */
export interface Meaning {
  readonly parameters: Parameters
  readonly query: Query
}

type Meanings = Map<string, Meaning>

const meanings = new WeakMap<Resource, Map<OperationKind, Meanings>>()

// Of each operation on a resource. Clients ask for few orders and lengths of pages, but choose how they write them.
const most = 64
const longest = 256

/** Gives what a query, percent-encoded, has meant to an operation before; `undefined` where that is not known any more. */
export function recall(
  search: string,
  kind: OperationKind,
  resource: Resource,
): Meaning | undefined {
  return meanings.get(resource)?.get(kind)?.get(search)
}

/** Freezes what a query means, and keeps it for those who ask the same; not what somebody has searched for, nor where a page begins. */
export function remember(
  search: string,
  kind: OperationKind,
  resource: Resource,
  meaning: Meaning,
): void {
  const { parameters } = frozen(meaning)
  if (search.length > longest || parameters.q !== undefined || parameters.after !== undefined)
    return
  const known = knownOf(kind, resource)
  if (known.size >= most) known.clear()
  known.set(search, meaning)
}

function knownOf(kind: OperationKind, resource: Resource): Meanings {
  const ofResource = meanings.get(resource) ?? new Map<OperationKind, Meanings>()
  const known: Meanings = ofResource.get(kind) ?? new Map()
  meanings.set(resource, ofResource.set(kind, known))
  return known
}

// Nobody is to change what others will be given.
function frozen(meaning: Meaning): Meaning {
  const { parameters, query } = meaning
  for (const sortField of query.sort) Object.freeze(sortField)
  for (const part of [parameters.sort, parameters, query.sort, query.words, query, meaning]) {
    Object.freeze(part)
  }
  return meaning
}
