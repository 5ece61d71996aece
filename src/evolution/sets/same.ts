import { isRecord } from '../../model/declared.ts'
import { fieldOf } from '../../model/value.ts'

/** Tells whether two JSON values are equal: `1.0` is `1`, and the order of members does not count. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    return one.every((value, index) => isSame(value, other[index]))
  }
  if (!isRecord(one) || !isRecord(other)) return false
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every(
    (name) => Object.hasOwn(other, name) && isSame(one[name], fieldOf(other, name)),
  )
}

/** Returns the length of a text in code points, as JSON Schema counts it. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
