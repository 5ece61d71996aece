import { type ProblemCode, problemStatuses } from './operations.ts'

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

/** The sentence of a problem whose author gives none: the title says no more than the code. */
export const details: { readonly [Code in ProblemCode]: string } = {
  bad_request: 'The server cannot read this request.',
  bad_path: 'The server cannot read the path.',
  bad_percent_encoding: 'The URL holds an escape that is not UTF-8.',
  bad_host: 'The header field "host" is missing, or names no host of this server.',
  uri_too_long: 'The URL is longer than the server reads.',
  headers_too_large: 'The header fields are larger than the server reads.',
  request_timeout: 'The request did not arrive in time.',
  expectation_failed: 'The server does not do what "expect" asks for.',
  unknown_parameter: 'The request has a parameter that the server does not know.',
  repeated_parameter: 'A parameter stands more than once.',
  bad_parameter: 'A parameter has a value that the server does not take.',
  sort_invalid: 'The server cannot read "sort".',
  sort_unknown_field: 'The server cannot sort by this field.',
  sort_duplicate_field: '"sort" names a field twice.',
  invalid_cursor: '"after" is no cursor of this query.',
  unsupported_media_type: 'The server does not take the media type of the body.',
  unsupported_encoding: 'The server does not take the encoding of the body.',
  body_missing: 'This request needs a body.',
  body_not_allowed: 'This request takes no body.',
  body_too_large: 'The body is larger than the server reads.',
  json_invalid: 'The body is no JSON.',
  json_too_deep: 'The body is nested deeper than the server reads.',
  json_duplicate_key: 'The body has a key twice in one object.',
  json_forbidden_key: 'The body has the key "__proto__".',
  bulk_too_large: 'The body has more items than the server takes at once.',
  idempotency_unsupported: 'This request takes no "idempotency-key".',
  unauthenticated: 'This request needs valid credentials.',
  forbidden: 'You may not do this.',
  unknown_version: 'The path names no version of this API.',
  unknown_resource: 'The path names no resource.',
  parent_not_found: 'A parent in the path does not exist.',
  not_found: 'The item does not exist.',
  empty_collection: 'No item matches.',
  retired_version: 'This version has ended.',
  method_not_allowed: 'This method is not allowed here.',
  conflict: 'The change contradicts what is stored.',
  id_mismatch: 'The id in the body is not the id in the path.',
  precondition_failed: 'The item has changed since you read it.',
  too_many_affected: 'This would affect more items than you allow: raise "max-affected".',
  validation_failed: 'The body does not fit the resource.',
  reserved_id: 'No item can have this id.',
  idempotency_mismatch: 'This "idempotency-key" belongs to another item.',
  rate_limited: 'Too many requests in a short time: wait, and try again.',
  internal_error: 'The server failed: its log has more by the request id.',
  unavailable: 'The service cannot answer now: try again later.',
}

/** Every problem with its status and title. `convention/checks.ts` says where each one occurs. */
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
