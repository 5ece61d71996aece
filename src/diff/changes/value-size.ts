import type { Json } from '../../contract/schema/schema.ts'

// A value of schemas that share parts may have 2^n parts.
const mostParts = 20_000

const sizes = new WeakMap<object, number>()

/** Tells whether a value has few enough parts to be shown. */
export function isShowable(value: Json): boolean {
  return sizeOf(value) <= mostParts
}

/** Returns an object with one member more, or another one: also `__proto__`. */
export function withMember(object: Json, name: string, member: Json): Json {
  const members = new Map<string, Json>(Object.entries(Object(object)))
  return Object.fromEntries(members.set(name, member))
}

function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = Object.values(value).reduce<number>((sum, part) => sum + sizeOf(part), 1)
  sizes.set(value, size)
  return size
}
