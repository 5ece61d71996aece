import type { Shape } from '../contract/resource/resource.ts'
import { filterNameOf } from '../contract/schema/filter.ts'
import type {
  FilterOperator,
  FilterValue,
  filterOperators,
} from '../convention/filter-operators.ts'
import type { WrittenPair } from '../wire/filter.ts'
import { isPlainObject } from './options.ts'

/**
 * Filters by field: `{ status: ['new', 'open'], birthdate: { gte: '1990-01-01' } }`. An item
 * matches when it meets all of them. A list matches any of its values; `null: true` matches an item
 * without a value. `undefined` leaves a filter out.
 */
export type Where<S extends Shape = Shape> = {
  readonly [Field in S['filterable'] | 'id']?: FilterOn<S, Field, ValueOf<S['item'], Field>>
}

type FilterOn<S extends Shape, Field, Value> =
  | Value
  | readonly Value[]
  | {
      readonly [Operator in OperatorOn<S, Field, Value>]?:
        | Operand<Rows[Operator], Value>
        | undefined
    }
  | undefined

type Rows = typeof filterOperators

// The type of a field in a schema of another library can be unknown.
type ValueOf<Item, Field> = Field extends keyof Item
  ? unknown extends Item[Field]
    ? FilterValue
    : Exclude<Item[Field], null | undefined>
  : FilterValue

// As `filtersOf` has it for the server. The lists of operators do not depend on the field: the
// compiler computes them once.
type OperatorOn<S extends Shape, Field, Value> =
  | OperatorWith<'repeats', true>
  | (Field extends S['filterable']
      ?
          | (Field extends 'id' ? never : OperatorWith<'needs', 'filterable'>)
          | (Field extends S['searchable'] ? OperatorWith<'needs', 'searchable'> : never)
          | (Field extends S['sortable'] ? RangeOperator<Value> : never)
      : never)

type RangeOperator<Value> = [Value] extends [boolean] ? never : OperatorWith<'needs', 'sortable'>

type OperatorWith<Member extends 'repeats' | 'needs', Content> = {
  [Operator in FilterOperator]: Rows[Operator][Member] extends Content ? Operator : never
}[FilterOperator]

type Operand<Row extends Rows[FilterOperator], Value> = Row['takes'] extends 'boolean'
  ? boolean
  : Row['takes'] extends 'text'
    ? string
    : Row['repeats'] extends true
      ? Value | readonly Value[]
      : Value

/**
 * Writes filters as parameters: `{ status: ['new', 'open'] }` → `status=new`, `status=open`. Leaves
 * out `undefined`, and an empty list of `ne`.
 *
 * The server refuses an unknown operator.
 *
 * @throws {TypeError} For an empty list, and a value that is not text, a number or a boolean.
 */
export function pairsOfWhere(where: unknown): readonly WrittenPair[] {
  if (!isPlainObject(where)) throw new TypeError(`"where" is ${where}: use { field: value }`)
  return Object.entries(where).flatMap(([field, condition]) => {
    const isValue = typeof condition !== 'object' || Array.isArray(condition)
    const byOperator: unknown = isValue ? { eq: condition } : condition
    if (!isPlainObject(byOperator)) {
      throw new TypeError(`"${field}" is ${condition}: use a value, a list, or { null: true }`)
    }
    return Object.entries(byOperator).flatMap(([operator, value]) => {
      if (value === undefined) return []
      const name = filterNameOf(field, operator as FilterOperator)
      const values: unknown[] = [value].flat()
      // Without its empty list, a request would select every item.
      const isValid = (values[0] !== undefined || operator === 'ne') && values.every(isFilterValue)
      if (!isValid) throw new TypeError(`"${name}" is [${values}]: use text, numbers or booleans`)
      return values.map((single) => [name, `${single}`] as const)
    })
  })
}

function isFilterValue(value: unknown): boolean {
  return /^(string|number|boolean)$/.test(typeof value)
}
