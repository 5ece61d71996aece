import type { OwnerValue, Scope } from './operation.ts'

/** Returns the scope of the items that are in both scopes. */
export function meet(one: Scope, other: Scope): Scope {
  const both: Record<string, OwnerValue | undefined> = { ...one }
  for (const [field, value] of Object.entries(other)) {
    both[field] = Object.hasOwn(one, field) ? common(one[field], value) : value
  }
  return both
}

function common(
  one: OwnerValue | undefined,
  other: OwnerValue | undefined,
): OwnerValue | undefined {
  if (one === other) return one
  const values = valuesOf(one).filter((value) => valuesOf(other).includes(value))
  return values.length === 1 ? values[0] : values
}

function valuesOf(value: OwnerValue | undefined): readonly (string | number)[] {
  if (value === undefined) return []
  return typeof value === 'object' ? value : [value]
}
