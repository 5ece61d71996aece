/**
 * The convention as data. Everything else in the library (routing, `Allow`, parameters, problems,
 * documents, clients) loops over these tables. No other file repeats them.
 */

/** The twelve statuses. The server sends no other; a thirteenth does not compile. */
export const statuses = [200, 201, 400, 401, 403, 404, 405, 409, 422, 429, 500, 503] as const

/** One of the twelve statuses. */
export type Status = (typeof statuses)[number]

/** The words that a path may have in place of an id. They are never ids. */
export const reservedWords = ['first', 'last', 'count'] as const

/** `first`, `last` or `count`. */
export type ReservedWord = (typeof reservedWords)[number]

/** The kind of a target: a collection, one of its items, or a reserved word after it. */
export type TargetKind = 'collection' | 'item' | ReservedWord

/** A query parameter. */
export interface ParameterRow {
  /**
   * How the value is written. `filters` is a parameter for each filter of the resource: `status`,
   * `birthdate:gte`. `fields` and `names` are lists: a client may repeat them. `flag`
   * is `true`, or absent.
   */
  readonly type: 'text' | 'fields' | 'integer' | 'cursor' | 'filters' | 'names' | 'flag'
  /** The bounds of an integer (default: from 1 to `maxLimit`), and the most names. */
  readonly least?: number
  readonly most?: number
  /** The things that `names` can name. */
  readonly names?: 'fields' | 'includes' | 'countable'
  /** An operation takes the parameter only where its collection has some of these. */
  readonly needs?: 'searchable' | 'includes' | 'countable'
}

/** The query parameters, in the order in which they are written. */
export const parameters = {
  q: { type: 'text', needs: 'searchable' },
  where: { type: 'filters' },
  sort: { type: 'fields' },
  limit: { type: 'integer' },
  offset: { type: 'integer', least: 0, most: 10_000 },
  after: { type: 'cursor' },
  fields: { type: 'names', names: 'fields', most: 100 },
  include: { type: 'names', names: 'includes', most: 4, needs: 'includes' },
  by: { type: 'names', names: 'countable', most: 2, needs: 'countable' },
  dry_run: { type: 'flag' },
} as const satisfies Record<string, ParameterRow>

/** The name of a query parameter. */
export type ParameterName = keyof typeof parameters

/** How a parameter's value is written. */
export type ParameterType = ParameterRow['type']

/** The names of the parameters of a type. */
export type ParameterOf<Type extends ParameterType> = {
  [Name in ParameterName]: (typeof parameters)[Name]['type'] extends Type ? Name : never
}[ParameterName]

/** All parameters, in the order of the table. */
export const parameterNames = /* @__PURE__ */ Object.keys(parameters) as readonly ParameterName[]

/**
 * `revision`: If-Match and If-None-Match. `bound`: the most items to delete, in Prefer. `key`:
 * Idempotency-Key, which makes a repetition safe.
 */
export type ConditionName = 'revision' | 'bound' | 'key'

interface BodyRow {
  /** An array, with an entry for each item. */
  readonly isMany: boolean
  /** Merge patches of stored items (RFC 7396), not whole items. */
  readonly isPatch: boolean
  /** The adapter's method for an array of such bodies; `undefined`: the operation takes none. */
  readonly orMany: 'createMany' | undefined
  /** The media types that declare it. The first is the one that clients send. */
  readonly types: readonly string[]
}

/** The bodies of requests. */
// biome-ignore format: a row stays a line
export const bodies = {
  itemOrItems: { isMany: false, isPatch: false, orMany: 'createMany', types: ['application/json'] },
  item:        { isMany: false, isPatch: false, orMany: undefined,    types: ['application/json'] },
  items:       { isMany: true,  isPatch: false, orMany: undefined,    types: ['application/json'] },
  patch:       { isMany: false, isPatch: true,  orMany: undefined,    types: ['application/merge-patch+json', 'application/json'] },
  patches:     { isMany: true,  isPatch: true,  orMany: undefined,    types: ['application/json'] },
} as const satisfies Record<string, BodyRow>

/** The name of a body. */
export type BodyName = keyof typeof bodies

interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly target: TargetKind
  readonly status: Status
  /** The body of the request. */
  readonly takes: 'nothing' | BodyName
  /** The content of the response's body. */
  readonly gives: 'items' | 'item' | 'count' | 'deleted'
  readonly parameters: readonly ParameterName[]
  /** The operation changes nothing (RFC 9110 §9.2.1). */
  readonly safe: boolean
  /** A repeated request has no further effect (RFC 9110 §9.2.2). */
  readonly idempotent: boolean
  /** A client can ask for the number of all matching items beside the page: `count=exact`. */
  readonly counts: boolean
  /** The conditions that a client can set for the effect. */
  readonly conditions: readonly ConditionName[]
  /**
   * The client selects the items by conditions in a query, and bounds their number. Its method has
   * another kind for a request without a query.
   */
  readonly selects: boolean
  /** The problem of an absent item; `undefined` where every answer exists. */
  readonly absent: 'not_found' | 'empty_collection' | undefined
}

/**
 * The thirteen operations. HEAD is GET without the body; OPTIONS describes every target.
 * The server answers 405 to a method that no row has for the target.
 */
// biome-ignore format: a row stays a line
export const operations = {
  list:       { method: 'GET',    target: 'collection', status: 200, takes: 'nothing',     gives: 'items',   parameters: ['q', 'where', 'sort', 'limit', 'offset', 'after', 'fields', 'include'],  safe: true,  idempotent: true,  counts: true,  conditions: [],                     selects: false, absent: undefined },
  create:     { method: 'POST',   target: 'collection', status: 201, takes: 'itemOrItems', gives: 'item',    parameters: ['dry_run'],                                                             safe: false, idempotent: false, counts: false, conditions: ['key'],                selects: false, absent: undefined },
  updateMany: { method: 'PUT',    target: 'collection', status: 200, takes: 'items',       gives: 'items',   parameters: ['dry_run'],                                                             safe: false, idempotent: true,  counts: false, conditions: ['revision'],           selects: false, absent: 'not_found' },
  patchMany:  { method: 'PATCH',  target: 'collection', status: 200, takes: 'patches',     gives: 'items',   parameters: ['dry_run'],                                                             safe: false, idempotent: true,  counts: false, conditions: ['revision'],           selects: false, absent: 'not_found' },
  deleteAll:  { method: 'DELETE', target: 'collection', status: 200, takes: 'nothing',     gives: 'deleted', parameters: [],                                                                       safe: false, idempotent: true,  counts: false, conditions: ['revision', 'bound'],  selects: false, absent: undefined },
  deleteMany: { method: 'DELETE', target: 'collection', status: 200, takes: 'nothing',     gives: 'deleted', parameters: ['q', 'where', 'dry_run'],                                                 safe: false, idempotent: true,  counts: false, conditions: ['revision', 'bound'],  selects: true,  absent: undefined },
  read:       { method: 'GET',    target: 'item',       status: 200, takes: 'nothing',     gives: 'item',    parameters: ['fields', 'include'],                                                    safe: true,  idempotent: true,  counts: false, conditions: [],                     selects: false, absent: 'not_found' },
  update:     { method: 'PUT',    target: 'item',       status: 200, takes: 'item',        gives: 'item',    parameters: ['dry_run'],                                                             safe: false, idempotent: true,  counts: false, conditions: ['revision'],           selects: false, absent: 'not_found' },
  patch:      { method: 'PATCH',  target: 'item',       status: 200, takes: 'patch',       gives: 'item',    parameters: ['dry_run'],                                                             safe: false, idempotent: true,  counts: false, conditions: ['revision'],           selects: false, absent: 'not_found' },
  delete:     { method: 'DELETE', target: 'item',       status: 200, takes: 'nothing',     gives: 'item',    parameters: [],                                                                       safe: false, idempotent: true,  counts: false, conditions: ['revision'],           selects: false, absent: 'not_found' },
  first:      { method: 'GET',    target: 'first',      status: 200, takes: 'nothing',     gives: 'item',    parameters: ['q', 'where', 'sort', 'fields', 'include'],                              safe: true,  idempotent: true,  counts: false, conditions: [],                     selects: false, absent: 'empty_collection' },
  last:       { method: 'GET',    target: 'last',       status: 200, takes: 'nothing',     gives: 'item',    parameters: ['q', 'where', 'sort', 'fields', 'include'],                              safe: true,  idempotent: true,  counts: false, conditions: [],                     selects: false, absent: 'empty_collection' },
  count:      { method: 'GET',    target: 'count',      status: 200, takes: 'nothing',     gives: 'count',   parameters: ['q', 'where', 'by'],                                                     safe: true,  idempotent: true,  counts: false, conditions: [],                     selects: false, absent: undefined },
} as const satisfies Record<string, OperationRow>

/** The name of an operation, the same in adapters, clients and documents. */
export type OperationKind = keyof typeof operations

/** All kinds, in the order of the table. */
export const operationKinds = /* @__PURE__ */ Object.keys(operations) as readonly OperationKind[]

/**
 * The status of each problem. The server uses 400 for a request that is wrong as sent.
 * It uses 422 for a body that breaks the declaration, 409 for a change that stored data forbids.
 */
export const problemStatuses = {
  bad_request: 400,
  bad_path: 400,
  bad_percent_encoding: 400,
  bad_host: 400,
  uri_too_long: 400,
  headers_too_large: 400,
  request_timeout: 400,
  expectation_failed: 400,
  unknown_parameter: 400,
  repeated_parameter: 400,
  bad_parameter: 400,
  sort_invalid: 400,
  sort_unknown_field: 400,
  sort_duplicate_field: 400,
  invalid_cursor: 400,
  unsupported_media_type: 400,
  unsupported_encoding: 400,
  body_missing: 400,
  body_not_allowed: 400,
  body_too_large: 400,
  json_invalid: 400,
  json_too_deep: 400,
  json_duplicate_key: 400,
  json_forbidden_key: 400,
  bulk_too_large: 400,
  idempotency_unsupported: 400,
  unauthenticated: 401,
  forbidden: 403,
  unknown_version: 404,
  retired_version: 404,
  unknown_resource: 404,
  parent_not_found: 404,
  not_found: 404,
  empty_collection: 404,
  method_not_allowed: 405,
  conflict: 409,
  id_mismatch: 409,
  precondition_failed: 409,
  too_many_affected: 409,
  validation_failed: 422,
  reserved_id: 422,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<string, Status>

/** The closed set of problem codes. */
export type ProblemCode = keyof typeof problemStatuses
