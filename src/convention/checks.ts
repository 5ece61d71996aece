import type { ProblemCode } from './operations.ts'

interface CheckRow {
  readonly name: string
  /** The rule that the check enforces, as a sentence. */
  readonly rule: string
}

/**
 * The checks of a request, in their fixed order. The server responds with the first problem.
 *
 * @see docs/requests.md, C5.3
 */
// biome-ignore format: a row stays a line
export const checks = [
  { name: 'request', rule: 'The request is HTTP with one host, arrives in time, and its headers are not too large.' },
  { name: 'path', rule: 'The path is not too long, its escapes are UTF-8, and it holds no "." or "..". PUT, PATCH and DELETE have no trailing slash.' },
  { name: 'version', rule: 'The first segment is a version of the api that has not ended, or the path names none and the api has a default version.' },
  { name: 'resource', rule: 'Nouns and ids in turn name a collection, an item of it, or its first, last or count.' },
  { name: 'method', rule: 'The method means an operation that the resource offers on this target.' },
  { name: 'authorization', rule: 'The context and the middleware permit the operation.' },
  { name: 'parameters', rule: 'The operation takes each parameter, once, with a valid value; conditions in headers are readable.' },
  { name: 'body', rule: 'The request has a body only where the operation takes one; the body is declared and valid JSON, and meets the schema.' },
  { name: 'parent', rule: 'Every parent in the path exists.' },
  { name: 'item', rule: 'The item exists, inside its scope.' },
  { name: 'rule', rule: 'The rule of the registry lets the caller do this to the item.' },
  { name: 'conflict', rule: 'The stored data permits it: ids agree, conditions hold, and no more items are affected than allowed.' },
  { name: 'answer', rule: 'The storage does its work.' },
] as const satisfies readonly CheckRow[]

/** One of the {@link checks}. */
export type RequestCheck = (typeof checks)[number]

/** The name of a check: `path`, `version`, … */
export type CheckName = RequestCheck['name']

interface ProblemRow {
  /** The check that finds the problem. */
  readonly check: CheckName
  /** The operations that can have it. `openapi/codes.ts` decides for each of them. */
  readonly occurs: string
}

/** Every problem, with the check that finds it and the operations that can have it. */
// biome-ignore format: a row stays a line
export const occurrences = {
  bad_request:           { check: 'parameters',    occurs: 'head' },
  bad_path:              { check: 'path',          occurs: 'path' },
  bad_percent_encoding:  { check: 'path',          occurs: 'path' },
  bad_host:              { check: 'request',       occurs: 'head' },
  uri_too_long:          { check: 'path',          occurs: 'head' },
  headers_too_large:     { check: 'request',       occurs: 'head' },
  request_timeout:       { check: 'request',       occurs: 'head' },
  expectation_failed:    { check: 'request',       occurs: 'head' },
  unknown_parameter:     { check: 'parameters',    occurs: 'always' },
  repeated_parameter:    { check: 'parameters',    occurs: 'single value' },
  bad_parameter:         { check: 'parameters',    occurs: 'value' },
  sort_invalid:          { check: 'parameters',    occurs: 'sort' },
  sort_unknown_field:    { check: 'parameters',    occurs: 'sort' },
  sort_duplicate_field:  { check: 'parameters',    occurs: 'sort' },
  invalid_cursor:        { check: 'parameters',    occurs: 'cursor' },
  unsupported_media_type: { check: 'body',         occurs: 'body' },
  unsupported_encoding:  { check: 'body',          occurs: 'body' },
  body_missing:          { check: 'body',          occurs: 'body' },
  body_not_allowed:      { check: 'body',          occurs: 'no body' },
  body_too_large:        { check: 'body',          occurs: 'body' },
  json_invalid:          { check: 'body',          occurs: 'body' },
  json_too_deep:         { check: 'body',          occurs: 'body' },
  json_duplicate_key:    { check: 'body',          occurs: 'body' },
  json_forbidden_key:    { check: 'body',          occurs: 'body' },
  bulk_too_large:        { check: 'body',          occurs: 'items' },
  idempotency_unsupported: { check: 'body',        occurs: 'unsupported key' },
  unauthenticated:       { check: 'authorization', occurs: 'caller' },
  forbidden:             { check: 'authorization', occurs: 'refusal' },
  unknown_version:       { check: 'version',       occurs: 'never' },
  retired_version:       { check: 'version',       occurs: 'never' },
  unknown_resource:      { check: 'resource',      occurs: 'never' },
  parent_not_found:      { check: 'parent',        occurs: 'parent' },
  not_found:             { check: 'item',          occurs: 'absent' },
  empty_collection:      { check: 'item',          occurs: 'absent' },
  method_not_allowed:    { check: 'method',        occurs: 'method' },
  conflict:              { check: 'conflict',      occurs: 'write' },
  id_mismatch:           { check: 'conflict',      occurs: 'replaced item' },
  precondition_failed:   { check: 'conflict',      occurs: 'condition' },
  too_many_affected:     { check: 'conflict',      occurs: 'bound' },
  validation_failed:     { check: 'body',          occurs: 'body' },
  reserved_id:           { check: 'body',          occurs: 'new item' },
  idempotency_mismatch:  { check: 'conflict',      occurs: 'key' },
  rate_limited:          { check: 'authorization', occurs: 'guard' },
  internal_error:        { check: 'answer',        occurs: 'always' },
  unavailable:           { check: 'answer',        occurs: 'always' },
} as const satisfies Record<ProblemCode, ProblemRow>

/** The operations that can have a problem, in a word or two. */
export type Occurrence = (typeof occurrences)[ProblemCode]['occurs']

/** Returns the check that finds a problem. */
export function checkFor(code: ProblemCode): RequestCheck {
  const { check } = occurrences[code]
  return checks.find(({ name }) => name === check) as RequestCheck
}
