import { problem } from '../convention/problem.ts'

const bareSyntax = /^[!#-~][!-~]{0,254}$/
// A string of RFC 8941 §3.3.3.
const quotedSyntax = /^"((?:[ !#-[\]-~]|\\["\\]){1,510})"$/

/**
 * Reads an `Idempotency-Key`. A bare key and a quoted one are the same.
 *
 * @throws {ProblemError} `bad_request` unless it is 1 to 255 visible characters of ASCII.
 */
export function parseIdempotencyKey(header: string): string {
  const quoted = quotedSyntax.exec(header)?.[1]
  const key = quoted?.replace(/\\(.)/g, '$1') ?? header
  if (/^[!-~]{1,255}$/.test(key) && (quoted !== undefined || bareSyntax.test(header))) return key
  throw problem(
    'bad_request',
    '"idempotency-key" must be one key of 1 to 255 visible characters of ASCII.',
  )
}

/** Writes an `Idempotency-Key`. The inverse of {@link parseIdempotencyKey}. */
export function formatIdempotencyKey(key: string): string {
  return `"${key.replace(/["\\]/g, '\\$&')}"`
}
