import type { Collection, RelatedResource, Target } from '../contract/resource/api.ts'
import { byId, noQuery, type Query, type SortField } from '../contract/resource/operation.ts'
import { ownerFieldsOf, type Resource } from '../contract/resource/resource.ts'
import type { Caller } from '../contract/values/caller.ts'
import { datesOf } from '../contract/values/dates.ts'
import { wordsOf } from '../contract/values/search.ts'
import {
  type OperationKind,
  operations,
  type ParameterName,
  type ParameterRow,
  parameters as table,
} from '../convention/operations.ts'
import { invalidCursor, type ProblemError, problem } from '../convention/problem.ts'
import { formatCursor, isBoundTo, parseCursor, readPosition, valuesIn, valuesOf } from './cursor.ts'
import { bindingOf, hasPath, relatedFieldOf, splitRelated, toPageParameters } from './page.ts'
import {
  checkIncluding,
  checkOffset,
  noParameters,
  type ParameterRules,
  type Parameters,
} from './parameters.ts'
import { namesOf, parseQuery } from './query.ts'

/** The parameters of a request, and the query that they mean. */
export interface Meaning {
  readonly parameters: Parameters
  readonly query: Query
}

/** The meaning of a request without parameters. */
export const noMeaning: Meaning = /* @__PURE__ */ Object.freeze({
  parameters: noParameters,
  query: noQuery,
})

/**
 * Returns the parameters that an operation on a collection takes, as clients write them: `q` needs
 * searchable fields, and each filter is one.
 */
export function parametersFor(kind: OperationKind, collection: ParameterSource): readonly string[] {
  return namesOf(rulesFor(kind, collection))
}

/** The members of a collection that decide which parameters it takes. */
type ParameterSource = Pick<Collection, 'resource' | 'includes'> &
  Partial<Pick<Collection, 'related'>>

function rulesFor(kind: OperationKind, collection: ParameterSource): ParameterRules {
  const { resource, includes, related = [] } = collection
  const { sortable, maxLimit } = resource
  const reason = reasons.get(kind)
  const takes = rowsFor(kind, collection)
  return { takes, sortable, maxLimit, resource, related, includes, reason }
}

/** Everything about the query of an operation on a collection that is known before a request. */
export interface QueryRules extends ParameterRules {
  readonly kind: OperationKind
  /** The sort fields that compare in another way than by their values. */
  readonly sortTypes: SortTypes
  /** The meanings of common queries, as clients write them. */
  readonly meanings: Map<string, Meaning>
}

type SortTypes = ReadonlyMap<string, NonNullable<SortField['type']>>

const noTypes: SortTypes = /* @__PURE__ */ new Map()
const rulesByCollection = new WeakMap<ParameterSource, Map<OperationKind, QueryRules>>()

/** Returns the rules for the query of an operation on a collection. */
export function queryRulesFor(kind: OperationKind, collection: ParameterSource): QueryRules {
  const rulesByKind = rulesByCollection.get(collection) ?? new Map<OperationKind, QueryRules>()
  rulesByCollection.set(collection, rulesByKind)
  const cached = rulesByKind.get(kind)
  if (cached) return cached
  const rules = rulesFor(kind, collection)
  const sortTypes = rules.takes.includes('sort') ? sortTypesOf(collection) : noTypes
  const queryRules: QueryRules = { ...rules, kind, sortTypes, meanings: new Map() }
  rulesByKind.set(kind, queryRules)
  return queryRules
}

function sortTypesOf({ resource, related = [] }: ParameterSource): SortTypes {
  const types = typesIn(resource)
  if (related.length === 0) return types
  const relatedTypes = related.flatMap(({ reference: { as }, resource: target }) =>
    [...typesIn(target)].map(([field, type]) => [`${as}.${field}`, type] as const),
  )
  return new Map([...types, ...relatedTypes])
}

function typesIn(resource: Resource): SortTypes {
  const dates = datesOf(resource)
  const { folded } = resource
  return folded.length === 0
    ? dates
    : new Map([...dates, ...folded.map((field) => [field, 'folded'] as const)])
}

// A client that sends one wants something else than the server would do.
const reasons: ReadonlyMap<OperationKind, string> = /* @__PURE__ */ new Map([
  ['delete', 'DELETE of an item takes none: it deletes the item in the path.'],
  ['deleteAll', 'DELETE of a collection takes none: it deletes every item.'],
])

/** Returns the rows of the parameters that an operation on a collection takes. */
export function rowsFor(
  kind: OperationKind,
  collection: ParameterSource,
): readonly ParameterName[] {
  const { resource, includes } = collection
  const { searchable, countable } = resource
  const has = {
    searchable: searchable.length > 0,
    includes: includes.length > 0,
    countable: countable.length > 0,
  }
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
export function meaningOf(search: string, rules: QueryRules, target: Target): Meaning {
  const { meanings } = rules
  const cached = meanings.get(search)
  if (cached) return cached
  if (!/^[!"$-~]*$/.test(search)) {
    throw problem('bad_path', 'The query holds a character that has to be percent-encoded.')
  }
  const parameters = parseQuery(search, rules)
  const meaning = freeze({ parameters, query: toQuery(parameters, target, rules.sortTypes) })
  // Searches, filters and cursors vary too much to cache.
  const { q, where, after } = parameters
  const isCommon = q === undefined && where === undefined && after === undefined
  if (isCommon && search.length <= maxCachedLength) {
    if (meanings.size >= maxCached) meanings.clear()
    meanings.set(search, meaning)
  }
  return meaning
}

// For each operation of a collection. Clients use few orders and lengths, but many spellings.
const maxCached = 64
const maxCachedLength = 256

// Several requests share it, so none may change it.
function freeze(meaning: Meaning): Meaning {
  const { parameters, query } = meaning
  for (const sortField of query.sort) Object.freeze(sortField)
  for (const object of [
    parameters.sort,
    parameters.fields,
    parameters.include,
    parameters.by,
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

/**
 * Returns the meaning of parameters for a target: the words of the search, a total order, the
 * position to go on from. The inverse of {@link toParameters}.
 *
 * @param sortTypes The fields that compare in another way. Default: those of the resource.
 * @throws {ProblemError} `invalid_cursor`.
 */
export function toQuery(
  parameters: Parameters,
  target: Target,
  sortTypes: SortTypes = sortTypesOf(target.collection),
): Query {
  const { resource, related } = target.collection
  const defaultLimit = target.kind === 'collection' ? resource.defaultLimit : undefined
  if (isEmpty(parameters)) {
    return defaultLimit === undefined ? noQuery : Object.freeze({ ...noQuery, limit: defaultLimit })
  }
  const { q = '', where = noQuery.where, sort, limit = defaultLimit, ...selection } = parameters
  const { offset, after, fields, include, dry_run: _, ...extra } = selection
  if (offset !== undefined) checkOffset(limit, after)
  if (include !== undefined && target.kind === 'collection') checkIncluding({ where, limit })
  const query = {
    ...extra,
    q,
    words: q === '' ? noQuery.words : wordsOf(q),
    where,
    related: undefined,
    sort: totalOrder(sort, sortTypes, related),
    ...(related.length > 0 && splitRelated({ where, sort }, related)),
    limit,
    offset: offset ?? 0,
    after: undefined,
    fields,
    include,
  }
  if (after === undefined) return query
  // The core compares the binding of an owned resource once it knows the caller.
  const isOwned = ownerFieldsOf(resource).length > 0
  // The server never wrote a cursor for a parent that cannot exist.
  const binding = hasPath(target) ? bindingOf(query, target) : undefined
  const values = isOwned && binding !== undefined ? valuesIn(after) : parseCursor(after, binding)
  return { ...query, ...readPosition(values, query) }
}

function isEmpty({ q, ...parameters }: Parameters): boolean {
  return !q && Object.values(parameters).every((value) => value === undefined)
}

/** Ends an order with the id, and tells the types of its fields and the related ones. */
export function totalOrder(
  sort: readonly SortField[] | undefined,
  sortTypes: SortTypes,
  related: readonly RelatedResource[] = [],
): readonly SortField[] {
  if (sort === undefined) return byId
  const order = sort.map((sortField) => {
    const { field } = sortField
    const type = sortTypes.get(field)
    const typed = type === undefined ? sortField : { ...sortField, type }
    const relatedField = related.length === 0 ? undefined : relatedFieldOf(field, related)
    return relatedField === undefined ? typed : { ...typed, related: relatedField }
  })
  return sort.some(({ field }) => field === 'id') ? order : [...order, ...byId]
}

/** Returns the parameters of a query. The inverse of {@link toQuery}. */
export function toParameters(query: Query, target: Target): Parameters {
  const { after } = query
  return {
    ...toPageParameters(query),
    offset: query.offset || undefined,
    after:
      after === undefined
        ? undefined
        : formatCursor(valuesOf(after, query), bindingOf(query, target)),
  }
}

/**
 * Returns `invalid_cursor` for the cursor of another caller, and of another query of an owned
 * resource, which {@link toQuery} could not compare.
 */
export function faultOfCursor(
  cursor: string,
  query: Query,
  { target, caller }: { readonly target: Target; readonly caller: Caller },
): ProblemError | undefined {
  return isBoundTo(cursor, bindingOf(query, target, caller)) ? undefined : invalidCursor()
}

/**
 * Makes a query for a request with faulty parameters. Reading a member throws the fault, so that
 * authorization, which reads none, comes first.
 */
export function throwingQuery(fault: ProblemError): Query {
  const refuse = {
    enumerable: true,
    get(): never {
      throw fault
    },
  }
  return Object.create(null, {
    q: refuse,
    words: refuse,
    where: refuse,
    related: { enumerable: true, value: undefined },
    sort: refuse,
    limit: refuse,
    offset: refuse,
    after: refuse,
    fields: refuse,
    include: refuse,
    by: refuse,
  })
}
