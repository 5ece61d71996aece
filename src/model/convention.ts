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

/** The parameters that hold a list: a client may repeat them, and the values make one list. */
export const listParameters: readonly ParameterName[] = ['sort']

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

/**
 * Every problem there is: its code, and the status it is answered with. The status says what kind of fault it is (400: wrong
 * as sent, 422: well-formed but against the declaration, 409: against the state), the code which one.
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
  unauthenticated: 401,
  forbidden: 403,
  unknown_version: 404,
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
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const satisfies Record<string, Status>

/** The closed set of problem codes. */
export type ProblemCode = keyof typeof problemStatuses

// Where the title is not the code in words. Apart from the statuses, since clients need no titles.
const titles: { readonly [code: string]: string } = {
  bad_percent_encoding: 'Bad percent-encoding',
  uri_too_long: 'URI too long',
  sort_invalid: 'Invalid sort',
  sort_unknown_field: 'Unknown sort field',
  sort_duplicate_field: 'Duplicate sort field',
  json_invalid: 'Invalid JSON',
  json_too_deep: 'JSON too deep',
  json_duplicate_key: 'Duplicate JSON key',
  json_forbidden_key: 'Forbidden JSON key',
  bulk_too_large: 'Too many items',
} satisfies Partial<Record<ProblemCode, string>>

/** Every problem by its code, with its title. */
export const problems: {
  readonly [Code in ProblemCode]: {
    readonly status: (typeof problemStatuses)[Code]
    readonly title: string
  }
} = /* @__PURE__ */ withTitles(problemStatuses)

function withTitles<Statuses extends Readonly<Record<string, Status>>>(
  given: Statuses,
): {
  readonly [Code in keyof Statuses]: { readonly status: Statuses[Code]; readonly title: string }
} {
  const rows = Object.entries(given).map(([code, status]) => {
    const words = code.replaceAll('_', ' ')
    const title = titles[code] ?? words.charAt(0).toUpperCase() + words.slice(1)
    return [code, { status, title }]
  })
  return Object.fromEntries(rows)
}

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
  /** Different keys in a JSON body, in all its objects together. Default 5,000. */
  readonly keys: number
  /** Values in a JSON body: fields, elements, and the objects and arrays they are in. Default 50,000. */
  readonly values: number
  /** Items of one bulk update. Default 1,000. */
  readonly bulk: number
  /** Issues named in one problem. Default 50. */
  readonly issues: number
  /** Bytes of a problem document. Default 65,536. */
  readonly problem: number
  /**
   * Milliseconds that context, middleware, validators and adapter may take together, not counted while the body arrives; then
   * their signal is aborted. A list that comes item by item has as long for each slice. Default 30,000.
   */
  readonly time: number
  /** Milliseconds in which a body has to arrive. Default 60,000. */
  readonly arrival: number
}

/** The limits where the registry sets none. */
export const defaultLimits: Limits = {
  target: 4096,
  nesting: 8,
  body: 1_048_576,
  depth: 32,
  keys: 5000,
  values: 50_000,
  bulk: 1000,
  issues: 50,
  problem: 65_536,
  time: 30_000,
  arrival: 60_000,
}

/** The most items of a page where the resource sets none. */
export const defaultMaxLimit = 1000

/** The most sort fields of a request. */
export const maxSortFields = 8

/** The most characters of a search. */
export const maxSearchLength = 256

/** The most characters of an id. */
export const maxIdLength = 255
