import type { Collection, Target } from '../contract/resource/api.ts'
import type { Query } from '../contract/resource/operation.ts'
import {
  type OperationKind,
  operations,
  type ParameterName,
  type ParameterRow,
  parameters as table,
} from '../convention/operations.ts'
import { problem } from '../convention/problem.ts'
import { toQuery } from './page.ts'
import type { ParameterRules, Parameters } from './parameters.ts'
import { namesOf, parseQuery } from './query.ts'

/** The parameters of a request, and the query that they mean. */
export interface Meaning {
  readonly parameters: Parameters
  readonly query: Query
}

/**
 * Returns the parameters that an operation on a collection takes, as clients write them: `q` needs
 * searchable fields, and each filter is one.
 */
export function parametersFor(kind: OperationKind, collection: Asked): readonly string[] {
  return namesOf(rulesFor(kind, collection))
}

/** The part of a collection that its parameters depend on. */
type Asked = Pick<Collection, 'resource' | 'includes'>

function rulesFor(kind: OperationKind, collection: Asked): ParameterRules {
  const { resource, includes } = collection
  const { sortable, maxLimit } = resource
  const reason = reasons.get(kind)
  return { takes: rowsFor(kind, collection), sortable, maxLimit, resource, includes, reason }
}

// A client that sends one wants something else than the server would do.
const reasons: ReadonlyMap<OperationKind, string> = /* @__PURE__ */ new Map([
  ['delete', 'DELETE of an item takes none: it deletes the item in the path.'],
  ['deleteAll', 'DELETE of a collection takes none: it deletes every item.'],
])

/** Returns the rows of the parameters that an operation on a collection takes. */
export function rowsFor(kind: OperationKind, collection: Asked): readonly ParameterName[] {
  const { resource, includes } = collection
  const has = { searchable: resource.searchable.length > 0, includes: includes.length > 0 }
  return operations[kind].parameters.filter((name) => {
    const row: ParameterRow = table[name]
    // Own needs only, also where an attacker changed `Object.prototype`.
    const needs = Object.hasOwn(row, 'needs') ? row.needs : undefined
    return needs === undefined || has[needs]
  })
}

/**
 * Reads the query of a request for a target.
 *
 * @param search Percent-encoded, without the `?`.
 * @throws {ProblemError} `bad_path` for a character that a query cannot hold, and the codes of
 *   `parseQuery` and `toQuery`.
 */
export function meaningOf(search: string, kind: OperationKind, target: Target): Meaning {
  const { collection } = target
  const cached = meanings.get(collection)?.get(kind)?.get(search)
  if (cached) return cached
  if (!/^[!"$-~]*$/.test(search)) {
    throw problem('bad_path', 'The query holds a character that has to be percent-encoded.')
  }
  const parameters = parseQuery(search, rulesFor(kind, collection))
  const meaning = frozen({ parameters, query: toQuery(parameters, target) })
  // Searches, filters and cursors vary too much to keep.
  const { q, where, after } = parameters
  const isKept = q === undefined && where === undefined && after === undefined
  if (isKept && search.length <= maxKeptLength) remember(search, kind, collection, meaning)
  return meaning
}

type Meanings = Map<string, Meaning>

const meanings = new WeakMap<Collection, Map<OperationKind, Meanings>>()

// For each operation of a collection. Clients use few orders and lengths, but many spellings.
const maxKept = 64
const maxKeptLength = 256

function remember(
  search: string,
  kind: OperationKind,
  collection: Collection,
  meaning: Meaning,
): void {
  const byKind = meanings.get(collection) ?? new Map<OperationKind, Meanings>()
  const bySearch: Meanings = byKind.get(kind) ?? new Map()
  meanings.set(collection, byKind.set(kind, bySearch))
  if (bySearch.size >= maxKept) bySearch.clear()
  bySearch.set(search, meaning)
}

// Several requests share it, so none may change it.
function frozen(meaning: Meaning): Meaning {
  const { parameters, query } = meaning
  for (const sortField of query.sort) Object.freeze(sortField)
  for (const object of [
    parameters.sort,
    parameters.fields,
    parameters.include,
    parameters,
    query.sort,
    query.words,
    query,
    meaning,
  ]) {
    Object.freeze(object)
  }
  return meaning
}
