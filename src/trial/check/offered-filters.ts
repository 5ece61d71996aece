import { type FilterOperator, filterOperatorNames } from '../../convention/filter-operators.ts'
import { parameterNames } from '../../convention/operations.ts'

/** A filter of a server, as OPTIONS names it. */
export interface OfferedFilter {
  /** As a client writes it: `birthdate:gte`. */
  readonly name: string
  readonly field: string
  readonly operator: FilterOperator
}

/** A filter by a field of a related item: `company.name:contains`. */
export interface RelatedFilter<Reference> extends OfferedFilter {
  /** The field of the related item: `name`. */
  readonly field: string
  readonly reference: Reference
}

/** Returns the filter of a parameter: `birthdate:gte`; `[]` for a parameter that is none. */
export function filterIn(name: string): readonly OfferedFilter[] {
  if (parameterNames.some((parameter) => parameter === name)) return []
  const [field = '', ending = 'eq', ...endings] = name.split(':')
  const operator = filterOperatorNames.find((name) => name === ending)
  return field === '' || operator === undefined || endings.length > 0
    ? []
    : [{ name, field, operator }]
}

/** The parameters and references of a list, as OPTIONS tells them. */
interface ToldList<Reference> {
  readonly parameters: readonly string[]
  readonly references: readonly Reference[]
  /** The fields of the items that have filters. */
  readonly filterable: readonly string[]
}

/** Returns the filters by fields of related items. */
export function relatedFiltersOf<Reference extends { readonly as: string }>({
  parameters,
  references,
  filterable,
}: ToldList<Reference>): readonly RelatedFilter<Reference>[] {
  return parameters.flatMap(filterIn).flatMap((filter) => {
    const dot = filter.field.indexOf('.')
    // An object of the item's own may have a member, too.
    if (dot < 1 || filterable.includes(filter.field)) return []
    const member = filter.field.slice(0, dot)
    const reference = references.find(({ as }) => as === member)
    return reference === undefined
      ? []
      : [{ ...filter, field: filter.field.slice(dot + 1), reference }]
  })
}
