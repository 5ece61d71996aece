import type { Collection } from '../contract/resource/api.ts'
import type { Position, Query, Scalar, SortField } from '../contract/resource/operation.ts'
import { invalidCursor } from '../convention/problem.ts'
import { isSortValueIn } from './sort-value.ts'

/**
 * Reads the sort values at the end of a page from a cursor. The inverse of {@link formatCursor}.
 *
 * @param query The path and query of the cursor; `undefined` refuses every cursor.
 * @throws {ProblemError} `invalid_cursor` for another text, and for the cursor of another query.
 */
export function parseCursor(text: string, query: string | undefined): readonly Scalar[] {
  const values = valuesIn(text)
  // Exact text only, so that a position has one cursor.
  if (query !== undefined && isBoundTo(text, query)) return values
  throw invalidCursor()
}

/**
 * Reads the sort values of a cursor, whatever it is bound to; see {@link isBoundTo}.
 *
 * @throws {ProblemError} `invalid_cursor` for another text.
 */
export function valuesIn(text: string): readonly Scalar[] {
  const values = readParts(text)?.slice(1)
  if (values === undefined) throw invalidCursor()
  return values
}

/** Tells whether a cursor is the one of its values, bound to a query. */
export function isBoundTo(text: string, query: string): boolean {
  return formatCursor(valuesIn(text), query) === text
}

/**
 * Writes sort values as text for URLs, bound to a query. The inverse of {@link parseCursor}.
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

function readParts(text: string): readonly Scalar[] | undefined {
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

/** The least length of a cut text, in UTF-16 units: longer than any value of another type. */
export const minCutLength = 50

/** The members of a query that say where its page begins. */
type Beginning = Pick<Query, 'after' | 'isCut'>

/**
 * Reads the values of a cursor as the beginning of a page. The inverse of {@link valuesOf}.
 * Fewer values than fields mark a cursor that was cut: they end with the beginning of a text. The
 * later fields are then `null`, also the id.
 *
 * @throws {ProblemError} `invalid_cursor` for too many values, or too few.
 */
export function readPosition(values: readonly Scalar[], { sort }: Pick<Query, 'sort'>): Beginning {
  const after = toPosition(values, sort)
  if (values.length === sort.length && after.id !== null) return { after }
  const last = values.at(-1)
  const isCut = typeof last === 'string' && last.length >= minCutLength
  if (isCut && values.length < sort.length) return { after, isCut }
  throw invalidCursor()
}

/** Makes a position from values; `null` for fields without one. */
export function toPosition(values: readonly Scalar[], sort: readonly SortField[]): Position {
  return Object.fromEntries(sort.map(({ field }, index) => [field, values[index] ?? null]))
}

/** Returns the values of a position, up to a cut text. The inverse of {@link readPosition}. */
export function valuesOf(position: Position, { sort, isCut }: Query): readonly Scalar[] {
  const values = sort.map(({ field }) => position[field] ?? null)
  if (isCut !== true) return values
  return values.slice(0, 1 + values.findLastIndex((value) => value !== null))
}

/**
 * Returns the fields of a cursor's position whose values the schema refuses, with their values.
 * Only the storage knows whether it holds them.
 */
export function doubtsIn(
  query: Query,
  collection: Collection,
): readonly (readonly [SortField, Scalar])[] {
  const { after, sort } = query
  if (after === undefined) return none
  return valuesOf(after, query).flatMap((value, index) => {
    const sortField = sort[index] as SortField
    return isSortValueIn(collection, sortField, value) ? [] : [[sortField, value] as const]
  })
}

const none: readonly never[] = Object.freeze([])
