import type { Condition } from './condition.ts'
import type { Link } from './link.ts'

/** Tells whether a store can filter by a field through its link. */
export function isFilterable({ of, isPlain, table, absent }: Link): boolean {
  return of.length === 1 && (isPlain || table !== undefined || absent !== undefined)
}

/**
 * Returns the conditions beneath for a condition on a field of a view. An item meets all of them if
 * the view of it meets the condition.
 *
 * @param link As {@link isFilterable}.
 * @see docs/requests.md, C7.2
 */
export function conditionsThrough(
  { of, table, absent }: Link,
  condition: Condition,
): readonly Condition[] {
  const values: readonly unknown[] = condition.values
  const beneath = { ...condition, field: String(of[0]) }
  if (table !== undefined) {
    const known = values.flatMap((value) => table.get(value) ?? [])
    return [{ ...beneath, values: known as Condition['values'] }]
  }
  if (absent === undefined) return [beneath]
  return conditionsOfAbsent(condition, values.includes(absent)).map((one) => ({
    ...beneath,
    ...one,
  }))
}

type Asked = Pick<Condition, 'is' | 'values'>

// A missing value reads as what stands for it, so no item of the view lacks one.
function conditionsOfAbsent({ is, values }: Condition, hasAbsent: boolean): readonly Asked[] {
  if (is === 'missing') return [{ is: 'in', values: [] }]
  if (is === 'present') return []
  if (is !== 'notIn') return [{ is: hasAbsent ? 'inOrMissing' : 'in', values }]
  const others: Asked = { is, values }
  return hasAbsent ? [others, { is: 'present', values: [] }] : [others]
}
