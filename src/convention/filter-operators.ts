/** The types of a field that a filter compares. All but three are text. */
// biome-ignore format: one list
export const filterTypes = [
  'text', 'number', 'integer', 'boolean', 'date', 'date-time', 'time', 'uuid',
] as const

/** The type of a field that a filter compares. */
export type FilterType = (typeof filterTypes)[number]

/** A value that a filter compares a field with. */
export type FilterValue = string | number | boolean

/** The comparisons of conditions. */
// biome-ignore format: one list
export type Comparison =
  | 'in' | 'notIn' | 'inOrMissing' | 'missing' | 'present' | 'gt' | 'gte' | 'lt' | 'lte'
  | 'contains' | 'startsWith' | 'endsWith' | 'has'

interface FilterOperatorRow {
  /** The comparison of the condition. */
  readonly is: Comparison | readonly [whenTrue: Comparison, whenFalse: Comparison]
  /** The option of the resource that must name the field, beside `filterable`. */
  readonly needs: 'filterable' | 'sortable' | 'searchable'
  /**
   * A value of the field's type, a part of a text, or `true` or `false`. A list takes one of its
   * elements, and nothing else.
   */
  readonly takes: 'value' | 'text' | 'boolean' | 'element'
  /** A client may repeat the parameter; its values make one list. */
  readonly repeats: boolean
}

/** The filters on a field, in the order in which they are written: `f=v` is `eq`, else `f:ne=v`. */
// biome-ignore format: a row stays a line
export const filterOperators = {
  eq:         { is: 'in',                   needs: 'filterable', takes: 'value',   repeats: true },
  ne:         { is: 'notIn',                needs: 'filterable', takes: 'value',   repeats: true },
  null:       { is: ['missing', 'present'], needs: 'filterable', takes: 'boolean', repeats: false },
  gt:         { is: 'gt',                   needs: 'sortable',   takes: 'value',   repeats: false },
  gte:        { is: 'gte',                  needs: 'sortable',   takes: 'value',   repeats: false },
  lt:         { is: 'lt',                   needs: 'sortable',   takes: 'value',   repeats: false },
  lte:        { is: 'lte',                  needs: 'sortable',   takes: 'value',   repeats: false },
  contains:   { is: 'contains',             needs: 'searchable', takes: 'text',    repeats: false },
  startsWith: { is: 'startsWith',           needs: 'searchable', takes: 'text',    repeats: false },
  endsWith:   { is: 'endsWith',             needs: 'searchable', takes: 'text',    repeats: false },
  has:        { is: 'has',                  needs: 'filterable', takes: 'element', repeats: true },
} as const satisfies Record<string, FilterOperatorRow>

/** The name of a filter's operator: `eq`, `gte`, … */
export type FilterOperator = keyof typeof filterOperators

/** All operators, in the order of the table. */
export const filterOperatorNames = /* @__PURE__ */ Object.keys(
  filterOperators,
) as readonly FilterOperator[]

/** The most conditions of a request. */
export const maxConditions = 20

/** The most values of one filter. */
export const maxFilterValues = 100

/** A field that clients may filter by. */
export interface FilterField {
  /** The name; of a member of an object, the path: `address.city`. */
  readonly name: string
  /** `id`: the resource's ids, by its `id` schema. */
  readonly type: FilterType | 'id'
  /** The only values that the field can have, by `enum` and `const`. `undefined`: any. */
  readonly values: readonly FilterValue[] | undefined
  /** The field holds a list of values of the type. Default: one value. */
  readonly isList?: true
}

/**
 * One condition of a query. A missing value (`null`, absent, an array, an object) meets `notIn`,
 * `missing` and `inOrMissing` only. A list meets `has` if one of its elements is one of the values.
 * A `date-time` compares as a moment; other text compares by code point.
 */
export interface Condition<Field extends string = string> {
  readonly field: Field
  readonly is: Comparison
  /**
   * `in`, `notIn`, `inOrMissing` and `has`: any number. `missing` and `present`: none. Else one.
   * `contains`, `startsWith` and `endsWith` ignore case, as `q` does.
   */
  readonly values: readonly FilterValue[]
  readonly type: FilterType
  /** A range compares texts as a folded order does. Default: by code point. */
  readonly folded?: true
}
