import { type Specimen, specimens } from './specimens.ts'

/**
 * Tells whether two values are the same JSON, in any order of fields. An `undefined` field is
 * missing, and a `null` field is not.
 */
export function isSameJson(value: unknown, expected: unknown): boolean {
  if (value === expected) return true
  if (!isObject(value) || !isObject(expected) || Array.isArray(value) !== Array.isArray(expected)) {
    return false
  }
  if (Object.prototype.toString.call(value) !== Object.prototype.toString.call(expected))
    return false
  if (Array.isArray(value) && Array.isArray(expected) && value.length !== expected.length)
    return false
  const fields = new Set([...Object.keys(value), ...Object.keys(expected)])
  return [...fields].every((field) =>
    isSameJson(Reflect.get(value, field), Reflect.get(expected, field)),
  )
}

/** Returns an item or a list of items without their revisions, which the adapter chooses. */
export function withoutRevisions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRevisions)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([field]) => field !== specimens.revision))
}

/** Returns the ids of items. */
export function specimenIdsOf(items: readonly Specimen[]): readonly string[] {
  return items.map(({ id }) => id)
}

/** Tells whether a value is `null` or `undefined`. Both mean that the item does not exist. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

/** Writes a value for a message: as JSON if possible, cut after 1,000 characters. */
export function show(value: unknown): string {
  const text = isObject(value) || typeof value === 'string' ? toJson(value) : String(value)
  return text.length <= 1000 ? text : `${text.slice(0, 1000)}… (${text.length} characters)`
}

/** Tries to overwrite every part of a value. Frozen parts stay as they are. */
export function overwrite(value: unknown): void {
  if (!isObject(value)) return
  for (const field of Object.keys(value)) {
    overwrite(Reflect.get(value, field))
    Reflect.set(value, field, 'overwritten')
  }
  if (Array.isArray(value)) Reflect.set(value, 'length', 0)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function toJson(value: unknown): string {
  try {
    const plain = (_: string, member: unknown) =>
      typeof member === 'bigint' ? `${member}n` : member
    const text = JSON.stringify(value, plain) ?? String(value)
    return text.replace(/[\p{M}\p{Cf}]/gu, escapeOf)
  } catch {
    return String(value)
  }
}

// An invisible or combining character would make two texts look the same.
function escapeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`
}
