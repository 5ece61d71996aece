import type { Shape } from '../contract/resource/resource.ts'
import { filterNameOf } from '../contract/schema/filter.ts'
import {
  type FilterOperator,
  type FilterValue,
  filterOperators,
} from '../convention/filter-operators.ts'
import type { WrittenPair } from '../wire/filter.ts'
import { isPlainObject } from './options.ts'

/**
 * Filters by field: `{ status: ['new', 'open'], birthdate: { gte: '1990-01-01' } }`. An item
 * matches when it meets all of them. A list matches any of its values; `null: true` matches an item
 * without a value. `undefined` leaves a filter out. `{ company: { name: 'Acme' } }` filters by a
 * field of the related item, as `{ 'company.name': 'Acme' }` does.
 */
export type Where<S extends Shape = Shape, OfRelated = unknown> = OwnFilters<S> &
  OfRelated & { readonly id?: FilterOn<S, 'id', S['item']['id']> }

// Alike for an item and for those that it names: the compiler computes it once.
type OwnFilters<S extends Shape> = {
  readonly [Field in
    | Exclude<S['filterable'], 'id'>
    | ObjectIn<S['filterable']>]?: Field extends S['filterable']
    ? FilterOn<S, Field, ValueOf<S['item'], Field>>
    : MembersOf<S, Field> | undefined
}

// `address.city` is the member `city` of `address`.
type ObjectIn<Name> = Name extends `${infer Field}.${string}` ? Field : never

type MembersOf<S extends Shape, Field extends string> = {
  readonly [Path in S['filterable'] as Path extends `${Field}.${infer Member}`
    ? Member
    : never]?: FilterOn<S, Path, ValueOf<S['item'], Path>>
}

/** The shapes of related items, by member. */
export type Shapes = Readonly<Record<string, Shape>>

/** The filters of related items: by member and field, or by path. */
export type RelatedFilters<Related extends Shapes> = {
  // The compiler allows any member of an object type without members.
  readonly [Member in keyof Related]?:
    | ([Related[Member]['filterable']] extends [never] ? never : OwnFilters<Related[Member]>)
    | undefined
} & {
  readonly [Path in PathIn<Related>]?: Path extends `${infer Member}.${infer Field}`
    ? FilterOn<Related[Member], Field, ValueOf<Related[Member]['item'], Field>>
    : never
}

/** The fields of related items to sort by: `company.name`. */
export type RelatedOrder<
  Related extends Shapes,
  Member extends keyof Related & string = keyof Related & string,
> = Member extends unknown ? `${Member}.${Exclude<Related[Member]['sortable'], 'id'>}` : never

type PathIn<
  Related extends Shapes,
  Member extends keyof Related & string = keyof Related & string,
> = Member extends unknown ? `${Member}.${Exclude<Related[Member]['filterable'], 'id'>}` : never

type FilterOn<S extends Shape, Field, Value> = [Value] extends [readonly (infer Element)[]]
  ? FilterOnList<Exclude<Element, null>>
  :
      | Value
      | readonly Value[]
      | {
          readonly [Operator in OperatorOn<S, Field, Value>]?:
            | Operand<Rows[Operator], Value>
            | undefined
        }
      | undefined

type FilterOnList<Element> =
  | { readonly [Operator in ListOperator]?: Element | readonly Element[] | undefined }
  | undefined

type Rows = typeof filterOperators

// The type of a field in a schema of another library can be unknown.
type ValueOf<Item, Field> = Field extends keyof Item
  ? unknown extends Item[Field]
    ? FilterValue
    : Exclude<Item[Field], null | undefined>
  : Field extends `${infer Own}.${infer Member}`
    ? Own extends keyof Item
      ? ValueOf<NonNullable<Item[Own]>, Member>
      : FilterValue
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
          | (Field extends `${string}.${string}` ? MemberOperator<Value> : never)
      : never)

type MemberOperator<Value> =
  | RangeOperator<Value>
  | ([Value] extends [string] ? OperatorWith<'needs', 'searchable'> : never)

type RangeOperator<Value> = [Value] extends [boolean] ? never : OperatorWith<'needs', 'sortable'>

type OperatorWith<Member extends 'repeats' | 'needs', Content> = {
  [Operator in Exclude<FilterOperator, ListOperator>]: Rows[Operator][Member] extends Content
    ? Operator
    : never
}[Exclude<FilterOperator, ListOperator>]

type ListOperator = {
  [Operator in FilterOperator]: Rows[Operator]['takes'] extends 'element' ? Operator : never
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
 * out `undefined`, and an empty list of `ne`. A key that is no operator names a member: `{ company:
 * { name: 'Acme' } }` → `company.name=Acme`.
 *
 * The server refuses an unknown member.
 *
 * @throws {TypeError} For an empty list, and a value that is not text, a number or a boolean.
 */
export function pairsOfWhere(where: unknown): readonly WrittenPair[] {
  if (!isPlainObject(where)) throw new TypeError(`"where" is ${where}: use { field: value }`)
  return Object.entries(where).flatMap(([field, condition]) => pairsOfField(field, condition))
}

function pairsOfField(field: string, condition: unknown): readonly WrittenPair[] {
  const isValue = typeof condition !== 'object' || Array.isArray(condition)
  const byOperator: unknown = isValue ? { eq: condition } : condition
  if (!isPlainObject(byOperator)) {
    throw new TypeError(`"${field}" is ${condition}: use a value, a list, or { null: true }`)
  }
  return Object.entries(byOperator).flatMap(([operator, value]) => {
    if (!isOperator(operator)) return pairsOfField(`${field}.${operator}`, value)
    if (value === undefined) return []
    const name = filterNameOf(field, operator)
    const values: unknown[] = [value].flat()
    // Without its empty list, a request would select every item.
    const isValid = (values[0] !== undefined || operator === 'ne') && values.every(isFilterValue)
    if (!isValid) throw new TypeError(`"${name}" is [${values}]: use text, numbers or booleans`)
    return values.map((single) => [name, `${single}`] as const)
  })
}

// The client knows no fields. The path names a field that an operator has the name of.
function isOperator(name: string): name is FilterOperator {
  return Object.hasOwn(filterOperators, name)
}

function isFilterValue(value: unknown): boolean {
  return /^(string|number|boolean)$/.test(typeof value)
}
