import type { ProblemCode } from './convention.ts'

interface CheckRow {
  readonly name: string
  /** What the check asks, as a sentence. */
  readonly rule: string
  /** The problems that it finds. */
  readonly codes: readonly ProblemCode[]
}

/**
 * The checks a request goes through, in their fixed order: of several faults the first is answered. Each problem belongs to one of them.
 *
 * @see docs/requests.md, "Answers"
 */
// biome-ignore format: a row stays a line
export const checks = [
  { name: 'request', rule: 'The request is HTTP with one host, arrives in time, and its headers are not too large.',
    codes: ['bad_host', 'headers_too_large', 'request_timeout', 'expectation_failed'] },
  { name: 'path', rule: 'The path is not too long, its escapes are UTF-8, and it holds no "." or "..". PUT, PATCH and DELETE have no trailing slash.',
    codes: ['bad_path', 'bad_percent_encoding', 'uri_too_long'] },
  { name: 'version', rule: 'The first segment is a version there is, or the path goes without one where that is served.',
    codes: ['unknown_version'] },
  { name: 'resource', rule: 'Nouns and ids in turn name a collection, an item of it, or its first, last or count.',
    codes: ['unknown_resource'] },
  { name: 'method', rule: 'The method means an operation that the resource offers on this target.',
    codes: ['method_not_allowed'] },
  { name: 'authorization', rule: 'The context and the middleware let the caller do it.',
    codes: ['unauthenticated', 'forbidden', 'rate_limited'] },
  { name: 'parameters', rule: 'Each parameter is one the operation takes, given once, with a value it can have; conditions in headers can be read.',
    codes: ['unknown_parameter', 'repeated_parameter', 'bad_parameter', 'sort_invalid', 'sort_unknown_field', 'sort_duplicate_field', 'invalid_cursor', 'bad_request'] },
  { name: 'body', rule: 'There is a body where one belongs and only there; it is declared and valid JSON, and meets the schema.',
    codes: ['unsupported_media_type', 'unsupported_encoding', 'body_missing', 'body_not_allowed', 'body_too_large', 'json_invalid', 'json_too_deep',
      'json_duplicate_key', 'json_forbidden_key', 'bulk_too_large', 'validation_failed', 'reserved_id'] },
  { name: 'parent', rule: 'Every item that the path leads through is there.',
    codes: ['parent_not_found'] },
  { name: 'item', rule: 'The item that is asked for is there, inside its scope.',
    codes: ['not_found', 'empty_collection'] },
  { name: 'conflict', rule: 'Nothing that is stored stands against it: ids agree, conditions hold, no more is affected than allowed.',
    codes: ['conflict', 'id_mismatch', 'precondition_failed', 'too_many_affected'] },
  { name: 'answer', rule: 'The storage does what it was asked.',
    codes: ['internal_error', 'unavailable'] },
] as const satisfies readonly CheckRow[]

/** One of the {@link checks}. */
export type Check = (typeof checks)[number]

/** The name of a check: `path`, `version`, … */
export type CheckName = Check['name']

/** The check that finds a problem. */
export function checkFor(code: ProblemCode): Check {
  // Every code has one; a test holds the table complete.
  return checks.find(({ codes }) => codes.some((own) => own === code)) as Check
}
