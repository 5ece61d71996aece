import { memberNameOf } from '../../contract/declare/field-tables.ts'
import { type FilterOperator, filterOperatorNames } from '../../convention/filter-operators.ts'
import { parameterNames } from '../../convention/operations.ts'
import { listMember, memberOf, type OfferedReference, referencesIn, stringsIn } from './message.ts'

/** A filter of a server, as OPTIONS names it. */
export interface OfferedFilter {
  /** As a client writes it: `birthdate:gte`. */
  readonly name: string
  readonly field: string
  readonly operator: FilterOperator
}

/** A filter by a field of a related item: `company.name:contains`. */
export interface RelatedFilter extends OfferedFilter {
  /** The field of the related item: `name`. */
  readonly field: string
  readonly reference: OfferedReference
}

/** Returns the parameters of a list as a client writes them, with every filter. */
export function listParametersIn(description: unknown): readonly string[] {
  const operations = listMember(description, 'operations')
  const list = operations.find((operation) => memberOf(operation, 'kind') === 'list')
  return stringsIn(list, 'parameters') ?? []
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

/** Returns the filters by fields of related items. */
export function relatedFiltersIn(description: unknown): readonly RelatedFilter[] {
  const references = referencesIn(description)
  if (references.length === 0) return []
  const own = new Set(stringsIn(description, 'filterable'))
  return listParametersIn(description)
    .flatMap(filterIn)
    .flatMap((filter) => {
      const dot = filter.field.indexOf('.')
      // An object of the item's own may have a member, too.
      if (dot < 1 || own.has(filter.field)) return []
      const member = filter.field.slice(0, dot)
      const reference = references.find(
        ({ field, include = memberNameOf(field) }) => include === member,
      )
      return reference === undefined
        ? []
        : [{ ...filter, field: filter.field.slice(dot + 1), reference }]
    })
}
