import {
  byId,
  type Change,
  type ChangeMany,
  type Judge,
  noQuery,
  type Operation,
  type Query,
  type Scope,
  type SortField,
} from '../../contract/resource/operation.ts'
import { filtersOf } from '../../contract/schema/filter.ts'
import { compareBy, compareValues, positionOf } from '../../contract/values/order.ts'
import { wordsOf } from '../../contract/values/search.ts'
import type { Comparison, Condition, FilterValue } from '../../convention/filter-operators.ts'
import type { OperationKind } from '../../convention/operations.ts'
import { foldedSpecimens, type NewSpecimen, type Specimen, specimens } from './specimens.ts'

/** The parts of an operation that a check sets. */
export interface OperationInput {
  readonly kind: OperationKind
  readonly scope?: Scope
  readonly id?: string
  readonly item?: NewSpecimen
  readonly items?: readonly Specimen[]
  /** Calls `createMany`. */
  readonly drafts?: readonly NewSpecimen[]
  readonly q?: string
  readonly where?: readonly Condition[]
  /** Joins, as the adapter gets them. Default: none. */
  readonly related?: Query['related']
  /** `['name', '-rank']`: name ascending, then rank descending, then the id. */
  readonly sort?: readonly string[]
  /** The selection of the items that `owner_id` names, whose fields `sort` calls `owner.name`. */
  readonly owners?: object
  /** The texts of the resource sort without case. Default: by code point. */
  readonly isFolded?: boolean
  readonly limit?: number | undefined
  readonly offset?: number
  /** The last item of the previous page, or its fields up to a cut text. */
  readonly after?: Partial<Specimen> | undefined
  /** Calls `countBy`. */
  readonly by?: readonly string[]
  readonly maxAffected?: number
  readonly ifRevision?: unknown
  readonly signal?: AbortSignal
  /** For `modifyMany`. */
  readonly ids?: readonly string[]
  /** Calls `modify`. */
  readonly change?: Change<Specimen>
  /** Calls `modifyMany`. */
  readonly changeMany?: ChangeMany<Specimen>
  /** Calls `remove` for an id, else `removeMany`. */
  readonly judge?: Judge<Specimen>
}

/** The parts of an operation that lists items. */
export type ListInput = Omit<OperationInput, 'kind'>

const never = new AbortController().signal

/** Creates the operation that the core would pass to an adapter. Shares nothing with the input. */
export function toOperation(input: OperationInput): Operation {
  const { kind, id, q = '', where = [], limit, offset = 0, after, maxAffected, ifRevision } = input
  const { signal = never } = input
  const scope: Scope = structuredClone(input.scope ?? {})
  const owners = singleOwners(scope)
  const sort = orderOf(input.sort).map((field) => typed(field, input))
  const resource = input.isFolded ? foldedSpecimens : specimens
  return {
    kind,
    resource,
    version: 'v1',
    path: templateOf(owners),
    scope,
    // An adapter finds nothing by the resource of a parent. Several owners are no parents.
    parents: Object.values(owners).map((id) => ({ resource, id })),
    id,
    query: {
      ...noQuery,
      q,
      words: wordsOf(q),
      where: structuredClone(where),
      sort,
      limit,
      offset,
      after: after === undefined ? undefined : positionOf(after, sort),
      by: input.by?.slice(),
      related: input.related,
    },
    // A request under an owner has the scope's fields in its items.
    item: input.item === undefined ? undefined : { ...structuredClone(input.item), ...owners },
    items: (input.items ?? input.drafts)?.map((item) => ({ ...structuredClone(item), ...owners })),
    ids: input.ids?.slice(),
    isDryRun: false,
    isDeprecated: false,
    maxAffected,
    ifRevision,
    signal,
  }
}

/** Returns a condition as the core makes it: of the field's type, with each value once, sorted. */
export function conditionOn(
  field: string,
  is: Comparison,
  values: readonly FilterValue[] = [],
): Condition {
  const type = filtersOf(specimens).get(field)?.field.type ?? 'text'
  const sorted = [...new Set(values)].sort(compareValues)
  return { field, is, values: sorted, type: type === 'id' ? 'text' : type }
}

/** Returns conditions on a field: each comparison with each value alone. */
export function conditionsOn(
  field: string,
  comparisons: readonly Comparison[],
  values: readonly FilterValue[],
): readonly Condition[] {
  return comparisons.flatMap((is) => values.map((value) => conditionOn(field, is, [value])))
}

/** The order of a selection of owners. */
export const ownerFields: readonly string[] = ['name', 'note', 'rank', 'flag']

function typed(sortField: SortField, { isFolded, owners }: OperationInput): SortField {
  const [as = '', name] = sortField.field.split('.')
  if (name !== undefined && owners !== undefined) {
    const join = { field: 'owner_id', selection: owners, place: ownerFields.indexOf(name) }
    return { ...sortField, related: { as, name, join } }
  }
  const isText = foldedSpecimens.folded.includes(sortField.field)
  return isFolded && isText ? { ...sortField, type: 'folded' } : sortField
}

// `['-rank']` → rank descending, then id ascending.
function orderOf(sort: readonly string[] = []): readonly SortField[] {
  const fields = sort.map(
    (text): SortField =>
      text.startsWith('-')
        ? { field: text.slice(1), direction: 'desc' }
        : { field: text, direction: 'asc' },
  )
  const isTotal = fields.some(({ field }) => field === 'id')
  return isTotal ? fields : [...fields, ...byId.map((field) => ({ ...field }))]
}

/** Sorts items as a list has to, by `['-rank']` for example, and then by id. */
export function sortSpecimens(
  items: readonly Specimen[],
  sort?: readonly string[],
): readonly Specimen[] {
  return items.toSorted(compareBy(orderOf(sort)))
}

// The fields of a scope with one value. A new item names one of several owners itself.
function singleOwners(scope: Scope): Readonly<Record<string, string | number>> {
  const owners: Record<string, string | number> = {}
  for (const [field, value] of Object.entries(scope)) {
    if (typeof value === 'string' || typeof value === 'number') owners[field] = value
  }
  return owners
}

function templateOf(owners: object): string {
  const parts = Object.keys(owners).map((field) => `/${field.replace(/_id$/, '')}s/:${field}`)
  return `${parts.join('')}/specimens`
}
