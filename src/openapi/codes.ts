import {
  listParameters,
  operations,
  type ProblemCode,
  problems,
  reservedWords,
  type Status,
  statuses,
} from '../model/convention.ts'
import type { OperationAt, Service } from './source.ts'

/** An operation with the facts that decide which problems it can have. */
export interface ProblemContext extends OperationAt {
  readonly service: Pick<Service, 'isGuarded' | 'isBound' | 'kindsOf'>
  /** The option `security` is set: a gateway may authenticate clients. */
  readonly isSecured: boolean
}

type Condition = (about: ProblemContext) => boolean

const always: Condition = () => true
// Also for OPTIONS: errors in the head, and in the ids of a path.
const inHead: Condition = () => true
const inIds: Condition = () => true
const never: Condition = () => false
const takesBody: Condition = ({ kind }) => operations[kind].takes !== 'nothing'
const writes: Condition = ({ kind }) => operations[kind].method !== 'GET'
const takesSort: Condition = ({ parameters }) => parameters.includes('sort')
const isIdentified: Condition = ({ service, isSecured }) => service.isGuarded || isSecured

// A client may fill `{id}` with a reserved word, which allows GET at most.
const mayBeReserved: Condition = ({ kind, collection, service }) => {
  const { target, method } = operations[kind]
  const kinds = service.kindsOf(collection)
  return (
    target === 'item' && (method !== 'GET' || !reservedWords.every((word) => kinds.includes(word)))
  )
}

/** The condition for each problem at a known path and method. */
const conditions: Readonly<Record<ProblemCode, Condition>> = {
  // For a bad header, or a body that breaks off.
  bad_request: inHead,
  bad_path: inIds,
  bad_percent_encoding: inIds,
  bad_host: inHead,
  uri_too_long: inHead,
  headers_too_large: inHead,
  request_timeout: inHead,
  expectation_failed: inHead,
  unknown_parameter: always,
  repeated_parameter: ({ parameters }) => parameters.some((name) => !listParameters.includes(name)),
  bad_parameter: ({ parameters }) => parameters.some((name) => name === 'q' || name === 'limit'),
  sort_invalid: takesSort,
  sort_unknown_field: takesSort,
  // Without sortable fields, the first field is already unknown.
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
  // Every path of the document is known.
  unknown_version: never,
  unknown_resource: never,
  parent_not_found: ({ collection }) => collection.ancestors.length > 0,
  not_found: ({ kind }) => kind === 'updateMany' || operations[kind].target === 'item',
  empty_collection: ({ kind }) => kind === 'first' || kind === 'last',
  method_not_allowed: (about) => !about.service.isBound || mayBeReserved(about),
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
 * Returns the problems of an operation, in the order of the convention.
 *
 * @param more Further problems of middleware and adapters.
 */
export function codesFor(about: ProblemContext, more: readonly ProblemCode[]): CodesByStatus {
  return byStatus(codes.filter((code) => conditions[code](about) || more.includes(code)))
}

/** Returns the problems of OPTIONS at a path: only the head and the ids may be wrong. */
export function codesOfOptions(path: string): CodesByStatus {
  const reasons = path.includes('{') ? [inIds, inHead] : [inHead]
  return byStatus(reasons.flatMap((reason) => codes.filter((code) => conditions[code] === reason)))
}

function byStatus(some: readonly ProblemCode[]): CodesByStatus {
  const found = statuses.map(
    (status) => [status, some.filter((code) => problems[code].status === status)] as const,
  )
  return new Map(found.filter(([, codes]) => codes.length > 0))
}
