/**
 * The convention as data. Everything else in the library (routing, `Allow`, parameters, problems,
 * documents, clients) loops over these tables; nothing repeats them.
 */

/** The twelve statuses: nothing else is ever sent, and a thirteenth does not compile. */
export const statuses = [200, 201, 400, 401, 403, 404, 405, 409, 422, 429, 500, 503] as const

/** One of the twelve statuses. */
export type Status = (typeof statuses)[number]

/** The words that may stand where an id would; they are never ids. */
export const reservedWords = ['first', 'last', 'count'] as const

/** `first`, `last` or `count`. */
export type ReservedWord = (typeof reservedWords)[number]

/** What a path can name: a collection, one of its items, or a reserved word after it. */
export type TargetKind = 'collection' | 'item' | ReservedWord

/** The query parameters. Which operation takes which stands in {@link operations}. */
export const parameters = ['q', 'sort', 'limit', 'after'] as const

/** The name of a query parameter. */
export type ParameterName = (typeof parameters)[number]

interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly target: TargetKind
  readonly status: Status
  /** What the body holds. */
  readonly takes: 'nothing' | 'item' | 'items'
  readonly gives: 'items' | 'item' | 'count' | 'deleted'
  readonly parameters: readonly ParameterName[]
}

/**
 * The ten operations. HEAD is GET without the body; OPTIONS describes every target.
 * A method that no row gives for a target is answered 405.
 */
// biome-ignore format: a row stays a line
export const operations = {
  list:       { method: 'GET',    target: 'collection', status: 200, takes: 'nothing', gives: 'items',   parameters: ['q', 'sort', 'limit', 'after'] },
  create:     { method: 'POST',   target: 'collection', status: 201, takes: 'item',    gives: 'item',    parameters: [] },
  updateMany: { method: 'PUT',    target: 'collection', status: 200, takes: 'items',   gives: 'items',   parameters: [] },
  deleteAll:  { method: 'DELETE', target: 'collection', status: 200, takes: 'nothing', gives: 'deleted', parameters: [] },
  read:       { method: 'GET',    target: 'item',       status: 200, takes: 'nothing', gives: 'item',    parameters: [] },
  update:     { method: 'PUT',    target: 'item',       status: 200, takes: 'item',    gives: 'item',    parameters: [] },
  delete:     { method: 'DELETE', target: 'item',       status: 200, takes: 'nothing', gives: 'item',    parameters: [] },
  first:      { method: 'GET',    target: 'first',      status: 200, takes: 'nothing', gives: 'item',    parameters: ['q', 'sort'] },
  last:       { method: 'GET',    target: 'last',       status: 200, takes: 'nothing', gives: 'item',    parameters: ['q', 'sort'] },
  count:      { method: 'GET',    target: 'count',      status: 200, takes: 'nothing', gives: 'count',   parameters: ['q'] },
} as const satisfies Record<string, OperationRow>

/** The ten words for what can be done, the same in adapters, clients and documents. */
export type OperationKind = keyof typeof operations

/** All kinds, in the order of the table. */
export const operationKinds = Object.keys(operations) as readonly OperationKind[]

interface ProblemRow {
  readonly status: Status
  readonly title: string
}

/**
 * Every problem there is, by code. The status says what kind of fault it is (400: wrong as sent,
 * 422: well-formed but against the declaration, 409: against the state), the code which one.
 */
// biome-ignore format: a row stays a line
export const problems = {
  bad_request:            { status: 400, title: 'Bad request' },
  bad_path:               { status: 400, title: 'Bad path' },
  bad_percent_encoding:   { status: 400, title: 'Bad percent-encoding' },
  bad_host:               { status: 400, title: 'Bad host' },
  uri_too_long:           { status: 400, title: 'URI too long' },
  headers_too_large:      { status: 400, title: 'Headers too large' },
  request_timeout:        { status: 400, title: 'Request timeout' },
  expectation_failed:     { status: 400, title: 'Expectation failed' },
  unknown_parameter:      { status: 400, title: 'Unknown parameter' },
  repeated_parameter:     { status: 400, title: 'Repeated parameter' },
  bad_parameter:          { status: 400, title: 'Bad parameter' },
  sort_invalid:           { status: 400, title: 'Invalid sort' },
  sort_unknown_field:     { status: 400, title: 'Unknown sort field' },
  sort_duplicate_field:   { status: 400, title: 'Duplicate sort field' },
  invalid_cursor:         { status: 400, title: 'Invalid cursor' },
  unsupported_media_type: { status: 400, title: 'Unsupported media type' },
  unsupported_encoding:   { status: 400, title: 'Unsupported encoding' },
  body_missing:           { status: 400, title: 'Body missing' },
  body_not_allowed:       { status: 400, title: 'Body not allowed' },
  body_too_large:         { status: 400, title: 'Body too large' },
  json_invalid:           { status: 400, title: 'Invalid JSON' },
  json_too_deep:          { status: 400, title: 'JSON too deep' },
  json_duplicate_key:     { status: 400, title: 'Duplicate JSON key' },
  json_forbidden_key:     { status: 400, title: 'Forbidden JSON key' },
  bulk_too_large:         { status: 400, title: 'Too many items' },
  unauthenticated:        { status: 401, title: 'Unauthenticated' },
  forbidden:              { status: 403, title: 'Forbidden' },
  unknown_version:        { status: 404, title: 'Unknown version' },
  unknown_resource:       { status: 404, title: 'Unknown resource' },
  parent_not_found:       { status: 404, title: 'Parent not found' },
  not_found:              { status: 404, title: 'Not found' },
  empty_collection:       { status: 404, title: 'Empty collection' },
  method_not_allowed:     { status: 405, title: 'Method not allowed' },
  conflict:               { status: 409, title: 'Conflict' },
  id_mismatch:            { status: 409, title: 'Id mismatch' },
  precondition_failed:    { status: 409, title: 'Precondition failed' },
  too_many_affected:      { status: 409, title: 'Too many affected' },
  validation_failed:      { status: 422, title: 'Validation failed' },
  reserved_id:            { status: 422, title: 'Reserved id' },
  rate_limited:           { status: 429, title: 'Rate limited' },
  internal_error:         { status: 500, title: 'Internal error' },
  unavailable:            { status: 503, title: 'Unavailable' },
} as const satisfies Record<string, ProblemRow>

/** The closed set of problem codes. */
export type ProblemCode = keyof typeof problems

/** The bounds on what a client may send and what an error may answer; each is an option of the registry. */
export interface Limits {
  /** Bytes of a request target, path and query together. Default 4,096. */
  readonly target: number
  /** Parents that a path template may have. Default 8. */
  readonly nesting: number
  /** Bytes of a request body. Default 1,048,576. */
  readonly body: number
  /** Levels of arrays and objects in a JSON body. Default 32. */
  readonly depth: number
  /** Items of one bulk update. Default 1,000. */
  readonly bulk: number
  /** Issues named in one problem. Default 50. */
  readonly issues: number
  /** Bytes of a problem document. Default 65,536. */
  readonly problem: number
}

/** The limits where the registry sets none. */
export const defaultLimits: Limits = {
  target: 4096,
  nesting: 8,
  body: 1_048_576,
  depth: 32,
  bulk: 1000,
  issues: 50,
  problem: 65_536,
}

/** The most items of a page where the resource sets none. */
export const defaultMaxLimit = 1000

/** The most sort fields of a request. */
export const maxSortFields = 8

/** The most characters of a search. */
export const maxSearchLength = 256

/** The most characters of an id. */
export const maxIdLength = 255
