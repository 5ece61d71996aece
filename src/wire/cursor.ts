import type { Scalar } from '../model/operation.ts'
import { problem } from '../model/problem.ts'

/**
 * Reads a cursor: the values of the sort fields where a page ended. The inverse of {@link formatCursor}.
 *
 * @param query The path and query the cursor must have been made for.
 * @param length How many values the query's order has.
 * @throws {ProblemError} `invalid_cursor` when it is no cursor, or that of another query.
 */
export function parseCursor(text: string, query: string, length: number): readonly Scalar[] {
  const parts = readParts(text)
  // Exact text only, so that one place has one cursor.
  if (parts && formatCursor(parts.slice(1), query) === text && parts.length === length + 1)
    return parts.slice(1)
  throw problem('invalid_cursor', 'The cursor is not one this query has given', {
    issues: [
      { parameter: 'after', code: 'invalid_cursor', message: 'is not a cursor of this query' },
    ],
  })
}

/**
 * Writes the place where a page ended as a text for URLs, bound to a query. The inverse of {@link parseCursor}.
 *
 * The binding catches mistakes, not attacks: a cursor says where to go on, never what may be seen.
 */
export function formatCursor(values: readonly Scalar[], query: string): string {
  const text = JSON.stringify([fingerprint(query), ...values])
  const base64 = btoa(toBinary(text))
  const end = base64.indexOf('=')
  return (end < 0 ? base64 : base64.slice(0, end)).replaceAll('+', '-').replaceAll('/', '_')
}

// The bytes of UTF-8 as characters, which those of ASCII are already.
function toBinary(text: string): string {
  if (/^[ -~]*$/.test(text)) return text
  const bytes = new TextEncoder().encode(text)
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

function readParts(text: string): readonly Scalar[] | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
    const parts: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return Array.isArray(parts) && parts.every(isScalar) ? parts : undefined
  } catch {
    return undefined
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

// FNV-1a, 32 bits: enough to tell a cursor of another query, short enough for a URL.
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}
