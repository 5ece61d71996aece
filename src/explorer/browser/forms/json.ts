import { fieldOf, isRecord } from '../../../convention/value.ts'

/**
 * Returns a message about the first integer in a text that loses digits as a JSON number;
 * `undefined` for none.
 */
export function precisionLossIn(text: string): string | undefined {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[\d.]+(?:e[+-]?\d+)?/gi) ?? []
  const rounded = tokens.find((token) => /^\d+$/.test(token) && !isExact(token))
  return rounded === undefined
    ? undefined
    : `cannot hold ${rounded}: as a number that becomes ${Number(rounded)}`
}

// A text that JavaScript writes for the same number loses nothing.
function isExact(digits: string): boolean {
  const number = Number(digits)
  if (Number.isSafeInteger(number) || String(number) === digits) return true
  return Number.isFinite(number) && BigInt(number) === BigInt(digits)
}

/**
 * Returns the merge patch that changes a value into another; `undefined` for equal values. The
 * inverse of {@link patched}, but for a member that becomes `null`.
 *
 * @param before `undefined` for a missing member, like `after`.
 * @see RFC 7396
 */
export function patchOf(before: unknown, after: unknown): unknown {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined
  if (after === undefined) return null
  if (!isRecord(before) || !isRecord(after)) return after
  const members = Object.keys({ ...before, ...after })
    .map((name) => [name, patchOf(fieldOf(before, name), fieldOf(after, name))] as const)
    .filter(([, change]) => change !== undefined)
  // Only the order of the members differs.
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** Merges a patch into a value. `null` removes a member: it gives `undefined`. */
export function patched(before: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch ?? undefined
  const members = new Map(isRecord(before) ? Object.entries(before) : [])
  for (const [name, change] of Object.entries(patch)) {
    const value = patched(members.get(name), change)
    if (value === undefined) members.delete(name)
    else members.set(name, value)
  }
  return Object.fromEntries(members)
}
