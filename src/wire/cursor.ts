import type { Scalar } from '../model/operation.ts'
import { invalidCursor } from '../model/problem.ts'

/**
 * Reads a cursor: the values of the sort fields at the end of a page. The inverse of {@link
 * formatCursor}.
 *
 * @param query The path and query that the cursor has to belong to; `undefined` refuses every
 *   cursor.
 * @throws {ProblemError} `invalid_cursor` for another text, and for the cursor of another query.
 */
export function parseCursor(text: string, query: string | undefined): readonly Scalar[] {
  if (query === undefined) throw invalidCursor()
  const values = readParts(text)?.slice(1)
  // Exact text only, so that a position has one cursor.
  if (values && formatCursor(values, query) === text) return values
  throw invalidCursor()
}

/**
 * Writes the position at the end of a page as text for URLs, bound to a query. The inverse of
 * {@link parseCursor}.
 *
 * The binding catches mistakes, not attacks: a cursor gives no access to further items.
 */
export function formatCursor(values: readonly Scalar[], query: string): string {
  const text = JSON.stringify([fingerprint(query), ...values])
  const base64 = btoa(toBinary(text))
  const end = base64.indexOf('=')
  return (end < 0 ? base64 : base64.slice(0, end)).replaceAll('+', '-').replaceAll('/', '_')
}

const ascii = /^[ -~]*$/

// Turns each byte of UTF-8 into a character. ASCII stays as it is.
function toBinary(text: string): string {
  if (ascii.test(text)) return text
  let binary = ''
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte)
  return binary
}

function fromBinary(binary: string): string {
  if (ascii.test(binary)) return binary
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return new TextDecoder().decode(bytes)
}

// The base64 of every `["` begins so.
const beginning = 'Wy'

function readParts(text: string): readonly Scalar[] | undefined {
  if (!text.startsWith(beginning)) return undefined
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const parts: unknown = JSON.parse(fromBinary(binary))
    return Array.isArray(parts) && parts.every(isScalar) ? parts : undefined
  } catch {
    return undefined
  }
}

// Every value of JSON but arrays and objects.
function isScalar(value: unknown): value is Scalar {
  return Object(value) !== value
}

// FNV-1a, 32 bits: it tells queries apart, and is short enough for a URL.
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}
