import type { Collection, Target } from '../contract/resource/api.ts'
import type { HttpRequest, HttpResponse } from '../contract/resource/http.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { filterPathOf, queriedSchemasOf } from '../contract/schema/filter.ts'
import { fieldNamesOf } from '../contract/schema/outline.ts'
import { maxConditions, maxFilterValues } from '../convention/filter-operators.ts'
import { bodyOf } from '../convention/kinds.ts'
import { operations, type ParameterRow, parameters } from '../convention/operations.ts'
import { jsonType } from '../wire/body.ts'
import { addEndHeaders } from '../wire/deprecation.ts'
import { parametersFor } from '../wire/meaning.ts'
import { methodsFor } from '../wire/path.ts'

/**
 * Answers OPTIONS: the methods of a target (`Allow`), and what they take, as JSON. It authorizes
 * and reads nothing, and judges no parameters: browsers ask about the URL that they will use.
 *
 * @see RFC 9110 §9.3.7
 */
export function describe(target: Target, request: HttpRequest, registry: Registry): HttpResponse {
  const { kind, collection } = target
  const { resource, version, path } = collection
  const { kinds, allow } = methodsFor(target, registry)
  const body = {
    resource: resource.name,
    version,
    defaultVersion: registry.defaultVersion || null,
    path,
    ...describeDeprecation(collection.deprecation),
    target: kind,
    operations: [...new Set(kinds.values())].map((kind) => ({
      kind,
      method: operations[kind].method,
      parameters: parametersFor(kind, collection),
    })),
    sortable: resource.sortable,
    searchable: resource.searchable,
    filterable: resource.filterable.map(({ name }) => name),
    ...describeNamed(resource),
    schemas: queriedSchemasOf(resource),
    fields: fieldNamesOf(resource) ?? null,
    references: describeReferences(collection, registry),
    readOnly: resource.readOnly,
    keep: resource.keep,
    ...describeStates(resource),
    ownedBy: resource.ownedBy ?? null,
    restricted: resource.restricted,
    bounded: collection.resource.bounded,
    ...describeCreation(resource, kinds.get('POST') === 'create'),
    total: totals.get(resource.total),
    limits: limitsOf(resource, registry),
  }
  const headers = { allow, ...patchTypes(kinds), 'content-type': jsonType }
  const response: HttpResponse = { status: 200, headers, body }
  const { deprecation } = collection
  return deprecation === undefined
    ? response
    : addEndHeaders(response, deprecation, { request, registry, target })
}

// A resource without folds or groups has no such member.
function describeNamed({ folded, countable }: Collection['resource']) {
  return { ...(folded.length > 0 && { folded }), ...(countable.length > 0 && { countable }) }
}

// A resource without states has no such member.
function describeStates({ states }: Collection['resource']) {
  return states && { states: { ...states, moves: Object.fromEntries(states.moves) } }
}

// Most resources have no PUT that creates, and then no such member.
function describeCreation({ idempotent, putCreates }: Collection['resource'], creates: boolean) {
  return { idempotent: idempotent && creates, ...(putCreates && { putCreates }) }
}

// By the option `total` of the resource.
const totals = /* @__PURE__ */ new Map([
  [true, 'always'],
  [undefined, 'requested'],
  [false, 'never'],
])

function limitsOf(
  { maxLimit, defaultLimit, countable }: Collection['resource'],
  { limits }: Registry,
) {
  return {
    limit: maxLimit,
    defaultLimit: defaultLimit ?? null,
    ...maxValues,
    ...(countable.length > 0 && { by: parameters.by.most }),
    filters: maxConditions,
    filterValues: maxFilterValues,
    body: limits.body,
    bulk: limits.bulk,
  }
}

/** Writes the announced end of a version or a path for OPTIONS. */
export function describeDeprecation(deprecation: Collection['deprecation']) {
  if (deprecation === undefined) return {}
  const { deprecated, sunset = null, successor = null, docs = null } = deprecation
  return { deprecated, sunset, successor, docs }
}

// Only a reference by whose items the storage can sort has the member `sortable`, and only one with
// filters or orders for some callers has `restricted`.
function describeReferences({ place, references, related }: Collection, { bindings }: Registry) {
  return references.map((mounted) => {
    const { field, to, as, isIncludable, target } = mounted
    const { filterable, sortable, restricted } = target.resource
    const isJoined = bindings[place]?.joined.includes(mounted)
    const isRelated = related.some(({ reference }) => reference === mounted)
    const sorted = isJoined ? sortable.filter((name) => name !== 'id') : []
    const filtered = isRelated ? filterable.map(({ name }) => filterPathOf(name).field) : []
    const named = restricted.filter((name) => [...sorted, ...filtered].includes(name))
    return {
      ...{ field, to, include: isIncludable ? as : null },
      ...(sorted.length + named.length > 0 && { as }),
      ...(sorted.length > 0 && { sortable: sorted }),
      ...(named.length > 0 && { restricted: named }),
    }
  })
}

// RFC 5789 §3.1.
function patchTypes(kinds: ReturnType<typeof methodsFor>['kinds']): HttpResponse['headers'] {
  const kind = kinds.get('PATCH')
  const body = kind && bodyOf(kind)
  return body ? { 'accept-patch': body.types.join(', ') } : {}
}

// The greatest values of the parameters with bounds of their own: `offset`.
const maxValues = Object.fromEntries(
  Object.entries<ParameterRow>(parameters).flatMap(([name, { most, needs }]) =>
    most === undefined || needs === 'countable' ? [] : [[name, most]],
  ),
)

/**
 * Answers `OPTIONS *`, which asks about the server.
 *
 * @see RFC 9110 §9.3.7
 */
export function describeApi({ api, defaultVersion }: Registry): HttpResponse {
  const { lifecycle, retired } = api
  const paths = api.collections.map(({ version, path }) => `/${version}${path}`)
  const methods = Object.values(operations).map(({ method }) => method)
  const allow = [...new Set(['GET', 'HEAD', ...methods, 'OPTIONS'])].join(', ')
  const body = {
    paths,
    defaultVersion: defaultVersion || null,
    ...(lifecycle.size > 0 && { lifecycle: rowsOf(lifecycle, describeDeprecation) }),
    ...(retired.size > 0 && { retired: rowsOf(retired, (row) => row) }),
  }
  return { status: 200, headers: { allow, 'content-type': jsonType }, body }
}

function rowsOf<Row>(rows: ReadonlyMap<string, Row>, write: (row: Row) => object): object {
  return Object.fromEntries([...rows].map(([name, row]) => [name, write(row)]))
}
