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

interface ParameterRow {
  /** How the value is written. A parameter of `fields` is a list: a client may repeat it. */
  readonly type: 'text' | 'fields' | 'integer' | 'cursor'
  /**
   * The fields that the parameter works on: an operation takes it only where the resource names
   * some.
   */
  readonly needs?: 'searchable'
}

/** The query parameters, in the order in which they are written. */
export const parameters = {
  q: { type: 'text', needs: 'searchable' },
  sort: { type: 'fields' },
  limit: { type: 'integer' },
  after: { type: 'cursor' },
} as const satisfies Record<string, ParameterRow>

/** The name of a query parameter. */
export type ParameterName = keyof typeof parameters

/** How a parameter's value is written. */
export type ParameterType = ParameterRow['type']

/** All parameters, in the order of the table. */
export const parameterNames = Object.keys(parameters) as readonly ParameterName[]

/** `revision`: If-Match and If-None-Match. `bound`: the most items to delete, in Prefer. */
export type ConditionName = 'revision' | 'bound'

interface OperationRow {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly target: TargetKind
  readonly status: Status
  /** The content of the request's body. */
  readonly takes: 'nothing' | 'item' | 'items'
  /** The content of the response's body. */
  readonly gives: 'items' | 'item' | 'count' | 'deleted'
  readonly parameters: readonly ParameterName[]
  /** The operation changes nothing (RFC 9110 §9.2.1). */
  readonly safe: boolean
  /** A repeated request has no further effect (RFC 9110 §9.2.2). */
  readonly idempotent: boolean
  /** The conditions that a client can set for the effect. */
  readonly conditions: readonly ConditionName[]
  /** The problem of an absent item; `undefined` where every answer exists. */
  readonly absent: 'not_found' | 'empty_collection' | undefined
}

/**
 * The ten operations. HEAD is GET without the body; OPTIONS describes every target.
 * The server answers 405 to a method that no row has for the target.
 */
// biome-ignore format: a row stays a line
export const operations = {
  list:       { method: 'GET',    target: 'collection', status: 200, takes: 'nothing', gives: 'items',   parameters: ['q', 'sort', 'limit', 'after'], safe: true,  idempotent: true,  conditions: [],                     absent: undefined },
  create:     { method: 'POST',   target: 'collection', status: 201, takes: 'item',    gives: 'item',    parameters: [],                              safe: false, idempotent: false, conditions: [],                     absent: undefined },
  updateMany: { method: 'PUT',    target: 'collection', status: 200, takes: 'items',   gives: 'items',   parameters: [],                              safe: false, idempotent: true,  conditions: ['revision'],           absent: 'not_found' },
  deleteAll:  { method: 'DELETE', target: 'collection', status: 200, takes: 'nothing', gives: 'deleted', parameters: [],                              safe: false, idempotent: true,  conditions: ['revision', 'bound'],  absent: undefined },
  read:       { method: 'GET',    target: 'item',       status: 200, takes: 'nothing', gives: 'item',    parameters: [],                              safe: true,  idempotent: true,  conditions: [],                     absent: 'not_found' },
  update:     { method: 'PUT',    target: 'item',       status: 200, takes: 'item',    gives: 'item',    parameters: [],                              safe: false, idempotent: true,  conditions: ['revision'],           absent: 'not_found' },
  delete:     { method: 'DELETE', target: 'item',       status: 200, takes: 'nothing', gives: 'item',    parameters: [],                              safe: false, idempotent: true,  conditions: ['revision'],           absent: 'not_found' },
  first:      { method: 'GET',    target: 'first',      status: 200, takes: 'nothing', gives: 'item',    parameters: ['q', 'sort'],                   safe: true,  idempotent: true,  conditions: [],                     absent: 'empty_collection' },
  last:       { method: 'GET',    target: 'last',       status: 200, takes: 'nothing', gives: 'item',    parameters: ['q', 'sort'],                   safe: true,  idempotent: true,  conditions: [],                     absent: 'empty_collection' },
  count:      { method: 'GET',    target: 'count',      status: 200, takes: 'nothing', gives: 'count',   parameters: ['q'],                           safe: true,  idempotent: true,  conditions: [],                     absent: undefined },
} as const satisfies Record<string, OperationRow>

/** The name of an operation, the same in adapters, clients and documents. */
export type OperationKind = keyof typeof operations

/** All kinds, in the order of the table. */
export const operationKinds = Object.keys(operations) as readonly OperationKind[]

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

// The titles that are not the code in words. Apart from the statuses: a client needs no titles.
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

/** Every problem with its status and title. `model/checks.ts` says where each one occurs. */
export const problems: {
  readonly [Code in ProblemCode]: {
    readonly status: (typeof problemStatuses)[Code]
    readonly title: string
  }
} = /* @__PURE__ */ withTitles()

function withTitles(): typeof problems {
  const rows = Object.entries(problemStatuses).map(([code, status]) => {
    const words = code.replaceAll('_', ' ')
    return [code, { status, title: titles[code] ?? words.charAt(0).toUpperCase() + words.slice(1) }]
  })
  return Object.fromEntries(rows)
}

/** The default bounds on what a client may send and what an error may answer. */
export const defaultLimits = {
  /** Bytes of a request target, path and query together. Default 4,096. */
  target: 4096,
  /** Parents that a path template may have. Default 8. */
  nesting: 8,
  /** Bytes of a request body. Default 1,048,576. */
  body: 1_048_576,
  /** Levels of arrays and objects in a JSON body. Default 32. */
  depth: 32,
  /** Different keys in a JSON body, in all its objects together. Default 5,000. */
  keys: 5000,
  /** Values in a JSON body: fields, elements, objects and arrays. Default 50,000. */
  values: 50_000,
  /** Items of one bulk update. Default 1,000. */
  bulk: 1000,
  /** Issues named in one problem. Default 50. */
  issues: 50,
  /** Bytes of a problem document. Default 65,536. */
  problem: 65_536,
  /**
   * Milliseconds that context, middleware, validators and adapter may take together, without the
   * arrival of the body. Then the core aborts their signal. Each slice of a list that the adapter
   * gives item by item may take as long. Default 30,000.
   */
  time: 30_000,
  /** Milliseconds in which a body has to arrive. Default 60,000. */
  arrival: 60_000,
}

/** The bounds on what a client may send and what an error may answer; options of the registry. */
export type Limits = { readonly [Name in keyof typeof defaultLimits]: number }

/** The most items of a page where the resource sets none. */
export const defaultMaxLimit = 1000

/** The most sort fields of a request. */
export const maxSortFields = 8

/** The most characters of a search. */
export const maxSearchLength = 256

/** The most characters of an id. */
export const maxIdLength = 255
