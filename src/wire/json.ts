import type { Limits } from '../convention/limits.ts'
import { type Issue, type ProblemError, problem, quote } from '../convention/problem.ts'
import { faultOfValue, fieldOf } from '../convention/value.ts'
import {
  type BodyLimits,
  closeArray,
  closeObject,
  colon,
  doubleQuote,
  endOfString,
  findJsonFault,
  openArray,
  openObject,
  readJson,
  refuseCostly,
  wideNumbersIn,
} from './json-text.ts'
import { formatPointer } from './pointer.ts'

/**
 * Reads JSON strictly: no value deeper than the limit, no repeated key, no `__proto__`. Numbers fit
 * a double, and texts are Unicode. The inverse of {@link formatJson}.
 *
 * @throws {ProblemError} `body_too_large` for too many values or different keys, `bulk_too_large`
 *   for too many items. `json_invalid`, `json_too_deep`, `json_duplicate_key`,
 *   `json_forbidden_key`. `validation_failed` with all texts that no database can store (NUL, lone
 *   surrogates) and all whole numbers that a double would change in `issues`.
 * @see RFC 8259; RFC 7493 §2
 */
export function parseJson(text: string, limits: BodyLimits & Pick<Limits, 'issues'>): unknown {
  // The shortest key takes four characters, the shortest value two.
  if (text.length > Math.min(4 * limits.keys, 2 * limits.values)) refuseCostly(text, limits)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidJson(text)
  }
  // No escape, no lone surrogate.
  const isPlain = !text.includes('\\') && text.isWellFormed()
  if (isPlain && hasColonForEachKey(text, keysIn(value, limits.depth))) return value
  const { isHuge, hasEscapedKey } = scanJson(text, limits.depth)
  // V8 13.6 (Node 24) can mistake a key with an escape for a key of an earlier text.
  if (hasEscapedKey) value = readJson(text)
  // Only an escape brings in a lone surrogate, unless the text was never encoded.
  const isOdd = isHuge || text.includes('\\u') || !text.isWellFormed()
  const issues = manyDigits.test(text) ? issuesOfNumbers(text) : []
  if (isOdd) issues.push(...issuesOfValues(value, limits))
  refuse(issues.slice(0, limits.issues))
  return value
}

// No shorter number is beyond the whole numbers that a double holds.
const manyDigits = /\d{16}/

function issuesOfNumbers(text: string): Issue[] {
  return wideNumbersIn(text).map((path) => ({
    pointer: formatPointer(path),
    code: 'unrepresentable',
    message: 'has more digits than a double holds: the server would change it',
  }))
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
}

/** Writes JSON. The inverse of {@link parseJson}. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value)
}

/**
 * Checks a value that another parser read, as far as it still shows.
 *
 * @throws {ProblemError} As {@link parseJson}.
 */
export function checkValues(value: unknown, limits: Pick<Limits, 'depth' | 'issues'>): void {
  refuse(issuesOfValues(value, limits))
}

function issuesOfValues(
  value: unknown,
  limits: Pick<Limits, 'depth' | 'issues'>,
): readonly Issue[] {
  const issues: Issue[] = []
  const path: PropertyKey[] = []
  const visit = (node: unknown): void => {
    const message = faultOfValue(node)
    if (message !== undefined && issues.length < limits.issues) {
      issues.push({ pointer: formatPointer(path), code: 'unstorable', message })
    }
    if (typeof node !== 'object' || node === null) return
    if (path.length >= limits.depth) throw tooDeep(limits.depth)
    // Keys alone: pairs would take half of the time.
    for (const key of Object.keys(node)) {
      if (key === '__proto__') throw forbiddenKey()
      path.push(key)
      if (!Array.isArray(node)) visit(key)
      visit(fieldOf(node, key))
      path.pop()
    }
  }
  visit(value)
  return issues
}

// For text without escapes. With more colons than keys, an object has a key twice.
function hasColonForEachKey(text: string, keys: number): boolean {
  let all = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) all++
  // Colons within strings are rare, so the exact count comes second.
  return all === keys || colonsIn(text) === keys
}

function colonsIn(text: string): number {
  let colons = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === doubleQuote) at = text.indexOf('"', at + 1)
    else if (code === colon) colons++
  }
  return colons
}

// Returns `NaN` where only the text itself can tell.
function keysIn(value: unknown, depth: number): number {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  if (depth <= 0) return Number.NaN
  let keys = 0
  if (Array.isArray(value)) {
    for (const element of value) keys += keysIn(element, depth - 1)
    return keys
  }
  // Own keys: an inherited key could make up for a repeated one.
  for (const key of Object.keys(value)) {
    if (key === '__proto__') return Number.NaN
    keys += 1 + keysIn((value as Readonly<Record<string, unknown>>)[key], depth - 1)
  }
  return keys
}

const [digit0, digit9, letterE] = [0x30, 0x39, 0x65]
// No double has more digits before its point.
const maxDigits = 308

/** The parts of a text that `JSON.parse` can read wrong. */
interface ScanResult {
  /** A number may be beyond a double. */
  readonly isHuge: boolean
  readonly hasEscapedKey: boolean
}

/** Scans valid JSON for the faults that `JSON.parse` lets pass. */
function scanJson(text: string, depth: number): ScanResult {
  const keys: (Set<string> | undefined)[] = []
  let last = ''
  let digits = 0
  let isHuge = false
  let hasEscapedKey = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= digit0 && code <= digit9) {
      digits++
      isHuge ||= digits > maxDigits || (text.charCodeAt(at + 1) | 0x20) === letterE
      continue
    }
    digits = 0
    if (code === doubleQuote) {
      const end = endOfString(text, at)
      last = text.slice(at, end)
      at = end - 1
    } else if (code === colon) {
      hasEscapedKey ||= last.includes('\\')
      addKey(keys, last)
    } else if (code === openObject || code === openArray) {
      if (keys.length >= depth) throw tooDeep(depth)
      // The first key makes the set: most arrays and many objects have no key.
      keys.push(undefined)
    } else if (code === closeObject || code === closeArray) keys.pop()
  }
  return { isHuge, hasEscapedKey }
}

function addKey(all: (Set<string> | undefined)[], literal: string): void {
  const innermost = all.length - 1
  const keys = all[innermost] ?? new Set()
  all[innermost] = keys
  const key: string = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1)
  if (key === '__proto__') throw forbiddenKey()
  if (keys.has(key))
    throw problem('json_duplicate_key', `The body has the key ${quote(key)} twice in one object.`)
  keys.add(key)
}

function invalidJson(text: string): ProblemError {
  const { line, column, expected } = findJsonFault(text)
  const detail = `Invalid JSON at line ${line}, column ${column}: expected ${expected}.`
  return problem('json_invalid', detail)
}

function tooDeep(depth: number): ProblemError {
  return problem('json_too_deep', `The body is nested more than ${depth} levels deep.`)
}

function forbiddenKey(): ProblemError {
  return problem('json_forbidden_key', 'The body has the key "__proto__": leave it out.')
}
