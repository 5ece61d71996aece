import {
  listParameters,
  operations,
  type ProblemCode,
  problems,
  reservedWords,
  type Status,
  statuses,
} from '../model/convention.ts'
import type { Service, Spot } from './source.ts'

/** What decides which problems an operation can be answered with. */
export interface Circumstances extends Spot {
  readonly service: Pick<Service, 'isGuarded' | 'isBound' | 'kindsOf'>
  /** Somebody else asks who is there: a gateway. */
  readonly isSecured: boolean
}

type Condition = (about: Circumstances) => boolean

const always: Condition = () => true
const never: Condition = () => false
const takesBody: Condition = ({ kind }) => operations[kind].takes !== 'nothing'
const writes: Condition = ({ kind }) => operations[kind].method !== 'GET'
const takesSort: Condition = ({ parameters }) => parameters.includes('sort')
const isIdentified: Condition = ({ service, isSecured }) => service.isGuarded || isSecured

// `{id}` may be filled with a reserved word, at which there is nothing but GET, and that not always.
const isReservedToo: Condition = ({ kind, collection, service }) => {
  const { target, method } = operations[kind]
  const kinds = service.kindsOf(collection)
  return (
    target === 'item' && (method !== 'GET' || !reservedWords.every((word) => kinds.includes(word)))
  )
}

/** When each problem can occur at a path and a method that there are. */
const conditions: Readonly<Record<ProblemCode, Condition>> = {
  // Of a header, or of a body that broke off.
  bad_request: always,
  bad_path: always,
  bad_percent_encoding: always,
  bad_host: always,
  uri_too_long: always,
  headers_too_large: always,
  request_timeout: always,
  expectation_failed: always,
  unknown_parameter: always,
  repeated_parameter: ({ parameters }) => parameters.some((name) => !listParameters.includes(name)),
  bad_parameter: ({ parameters }) => parameters.some((name) => name === 'q' || name === 'limit'),
  sort_invalid: takesSort,
  sort_unknown_field: takesSort,
  // Where nothing can be sorted by, the first of two is unknown already.
  sort_duplicate_field: (about) =>
    takesSort(about) && about.collection.resource.sortable.length > 0,
  invalid_cursor: ({ parameters }) => parameters.includes('after'),
  unsupported_media_type: takesBody,
  unsupported_encoding: takesBody,
  body_missing: takesBody,
  body_not_allowed: (about) => !takesBody(about),
  body_too_large: takesBody,
  json_invalid: takesBody,
  json_too_deep: takesBody,
  json_duplicate_key: takesBody,
  json_forbidden_key: takesBody,
  bulk_too_large: ({ kind }) => operations[kind].takes === 'items',
  unauthenticated: isIdentified,
  forbidden: isIdentified,
  // The path is one of the document's.
  unknown_version: never,
  unknown_resource: never,
  parent_not_found: ({ collection }) => collection.ancestors.length > 0,
  not_found: ({ kind }) => kind === 'updateMany' || operations[kind].target === 'item',
  empty_collection: ({ kind }) => kind === 'first' || kind === 'last',
  method_not_allowed: (about) => !about.service.isBound || isReservedToo(about),
  conflict: writes,
  id_mismatch: ({ kind }) => kind === 'update',
  precondition_failed: (about) => writes(about) && about.kind !== 'create',
  too_many_affected: ({ kind }) => kind === 'deleteAll',
  validation_failed: takesBody,
  reserved_id: ({ kind }) => kind === 'create',
  rate_limited: ({ service }) => service.isGuarded,
  internal_error: always,
  unavailable: always,
}

/** The codes of problems by their status. */
export type CodesByStatus = ReadonlyMap<Status, readonly ProblemCode[]>

const codes = Object.keys(problems) as readonly ProblemCode[]

/**
 * The problems that an operation can be answered with, in the order of the convention.
 *
 * @param more What middleware and adapters throw besides.
 */
export function codesFor(about: Circumstances, more: readonly ProblemCode[]): CodesByStatus {
  return byStatus(codes.filter((code) => conditions[code](about) || more.includes(code)))
}

const ofPaths = ['bad_path', 'bad_percent_encoding'] as const satisfies readonly ProblemCode[]
const ofDoors = [
  'bad_request',
  'bad_host',
  'uri_too_long',
  'headers_too_large',
  'request_timeout',
  'expectation_failed',
] as const satisfies readonly ProblemCode[]

/** The problems that OPTIONS can be answered with at a path: nothing but the ids in it may be wrong. */
export function codesOfOptions(path: string): CodesByStatus {
  return byStatus(path.includes('{') ? [...ofPaths, ...ofDoors] : ofDoors)
}

function byStatus(some: readonly ProblemCode[]): CodesByStatus {
  const found = statuses.map(
    (status) => [status, some.filter((code) => problems[code].status === status)] as const,
  )
  return new Map(found.filter(([, codes]) => codes.length > 0))
}
