import {
  type OperationKind,
  operationKinds,
  operations,
  type ParameterName,
  parameters as table,
} from '../model/convention.ts'
import type { Query } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import type { Resource } from '../model/resource.ts'
import type { Target } from '../model/target.ts'
import { toQuery } from './page.ts'
import type { ParameterRules, Parameters } from './parameters.ts'
import { namesOf, parseQuery } from './query.ts'

/** The parameters of a request, and the query that they mean. */
export interface Meaning {
  readonly parameters: Parameters
  readonly query: Query
}

/**
 * Returns the parameters that an operation on a resource takes, as clients write them: `q` needs
 * searchable fields, and each filter is one.
 */
export function parametersFor(kind: OperationKind, resource: Resource): readonly string[] {
  return namesOf(rulesFor(kind, resource))
}

function rulesFor(kind: OperationKind, resource: Resource): ParameterRules {
  const { sortable, maxLimit } = resource
  return { takes: rowsFor(kind, resource), sortable, maxLimit, resource }
}

/** Returns the rows of the parameters that an operation on a resource takes. */
export function rowsFor(kind: OperationKind, { searchable }: Resource): readonly ParameterName[] {
  const names = operations[kind].parameters
  return searchable.length > 0 ? names : (unsearchable.get(kind) as typeof names)
}

const unsearchable: ReadonlyMap<OperationKind, readonly ParameterName[]> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ operationKinds.map((kind) => [
    kind,
    operations[kind].parameters.filter((name) => !('needs' in table[name])),
  ]),
)

/**
 * Reads the query of a request for a target.
 *
 * @param search Percent-encoded, without the `?`.
 * @throws {ProblemError} `bad_path` for a character that a query cannot hold, and the codes of
 *   `parseQuery` and `toQuery`.
 */
export function meaningOf(search: string, kind: OperationKind, target: Target): Meaning {
  const { resource } = target.collection
  const known = meanings.get(resource)?.get(kind)?.get(search)
  if (known) return known
  if (!/^[!"$-~]*$/.test(search)) {
    throw problem('bad_path', 'The query holds a character that has to be percent-encoded')
  }
  const parameters = parseQuery(search, rulesFor(kind, resource))
  const meaning = frozen({ parameters, query: toQuery(parameters, target) })
  // Searches, filters and cursors vary too much to keep.
  const { q, where, after } = parameters
  const isKept = q === undefined && where === undefined && after === undefined
  if (isKept && search.length <= maxKeptLength) remember(search, kind, resource, meaning)
  return meaning
}

type Meanings = Map<string, Meaning>

const meanings = new WeakMap<Resource, Map<OperationKind, Meanings>>()

// For each operation of a resource. Clients use few orders and lengths, but many spellings.
const maxKept = 64
const maxKeptLength = 256

function remember(search: string, kind: OperationKind, resource: Resource, meaning: Meaning): void {
  const ofResource = meanings.get(resource) ?? new Map<OperationKind, Meanings>()
  const known: Meanings = ofResource.get(kind) ?? new Map()
  meanings.set(resource, ofResource.set(kind, known))
  if (known.size >= maxKept) known.clear()
  known.set(search, meaning)
}

// Several requests share it, so none may change it.
function frozen(meaning: Meaning): Meaning {
  const { parameters, query } = meaning
  for (const sortField of query.sort) Object.freeze(sortField)
  for (const part of [
    parameters.sort,
    parameters.fields,
    parameters,
    query.sort,
    query.words,
    query,
    meaning,
  ]) {
    Object.freeze(part)
  }
  return meaning
}
