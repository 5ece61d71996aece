import type { Comparison, FilterType, FilterValue } from './filter-operators.ts'

/**
 * One condition of a query. A missing value (`null`, absent, an array, an object) meets `notIn`,
 * `missing` and `inOrMissing` only. A `date-time` compares as a moment; other text compares by
 * code point.
 */
export interface Condition<Field extends string = string> {
  readonly field: Field
  readonly is: Comparison
  /**
   * `in`, `notIn` and `inOrMissing`: any number. `missing` and `present`: none. Else one.
   * `contains`, `startsWith` and `endsWith` ignore case, as `q` does.
   */
  readonly values: readonly FilterValue[]
  readonly type: FilterType
}
