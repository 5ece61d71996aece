import type { Condition } from '../../convention/filter-operators.ts'
import type { Link } from '../resource/link.ts'
import { meeting } from './search.ts'

/** Tells whether a store can filter by a field through its link. */
export function isFilterable({ of, isPlain, table, absent }: Link): boolean {
  return of.length === 1 && (isPlain || table !== undefined || absent !== undefined)
}

/**
 * Returns the base conditions for a condition on a field of a view. An item meets all of them if
 * the view of it meets the condition.
 *
 * @param link As {@link isFilterable}.
 * @see docs/requests.md, C7.2
 */
export function conditionsThrough(
  { of, table, absent }: Link,
  condition: Condition,
): readonly Condition[] {
  const tests = testsThrough({ table, absent }, condition)
  return tests.map((test) => ({ ...condition, field: String(of[0]), ...test }))
}

type Test = Pick<Condition, 'is' | 'values'>

function testsThrough(
  { table, absent }: Pick<Link, 'table' | 'absent'>,
  condition: Condition,
): readonly Test[] {
  if (table !== undefined) return conditionsOfTable(condition, table)
  const { field, is, values } = condition
  if (absent === undefined) return [{ is, values }]
  const isAbsent = meeting([{ ...condition, is: 'in' }])({ [field]: absent })
  return conditionsOfAbsent(condition, isAbsent)
}

// A value that reads as null is missing in the view.
function conditionsOfTable(
  { is, values }: Condition,
  table: NonNullable<Link['table']>,
): readonly Test[] {
  const baseValuesOf = (viewValues: readonly unknown[]) =>
    viewValues.flatMap((value) => table.get(value) ?? []) as Condition['values']
  const missing = baseValuesOf([null])
  if (missing.length === 0 || is === 'in' || is === 'notIn')
    return [{ is, values: baseValuesOf(values) }]
  if (is === 'present')
    return [
      { is, values },
      { is: 'notIn', values: missing },
    ]
  return [{ is: 'inOrMissing', values: [...baseValuesOf(values), ...missing] }]
}

// A missing value reads as what stands for it, so no item of the view lacks one.
function conditionsOfAbsent({ is, values }: Condition, hasAbsent: boolean): readonly Test[] {
  if (is === 'missing') return [{ is: 'in', values: [] }]
  if (is === 'present') return []
  if (is !== 'notIn') return [{ is: hasAbsent ? 'inOrMissing' : 'in', values }]
  const test: Test = { is, values }
  return hasAbsent ? [test, { is: 'present', values: [] }] : [test]
}
