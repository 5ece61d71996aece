import type { FilterType } from '../../convention/filter-operators.ts'
import { isSameMoment, storedDate } from '../../convention/format.ts'
import { fieldOf } from '../../convention/value.ts'
import type { SortField } from '../resource/operation.ts'
import type { Resource } from '../resource/resource.ts'
import { declaredOf } from '../resource/variant.ts'
import { filterPathOf, schemasOf, typeOfSchemas } from '../schema/filter.ts'
import { jsonSchemaOf, membersOf } from '../schema/json-schema.ts'

/** The types of text that compare as moments. */
export type DateType = Exclude<NonNullable<SortField['type']>, 'folded'>

type DatedResource = Pick<Resource, 'filterable' | 'schema'>

const cache = new WeakMap<DatedResource, ReadonlyMap<string, DateType>>()

/**
 * Returns the fields of a resource whose texts compare as moments, by `filterable` and by `format`
 * in its JSON Schema. An id is never one.
 */
export function datesOf(variant: DatedResource): ReadonlyMap<string, DateType> {
  const cached = cache.get(variant)
  if (cached) return cached
  const resource = declaredOf(variant)
  if (resource !== variant) return datesOf(resource)
  const json = jsonSchemaOf(resource.schema)
  const members = json === undefined ? [] : membersOf(json)
  const names = new Set(
    members.flatMap((member) => Object.keys(Object(fieldOf(member, 'properties')))),
  )
  const types = new Map<string, FilterType | 'id' | undefined>()
  if (json !== undefined)
    for (const name of names) types.set(name, typeOfSchemas(schemasOf(json, name)))
  for (const { name, type, isList } of resource.filterable)
    if (!isList && filterPathOf(name).member === undefined) types.set(name, type)
  types.delete('id')
  const dates = new Map<string, DateType>()
  for (const [name, type] of types) {
    if (type === 'date' || type === 'date-time') dates.set(name, type)
  }
  cache.set(resource, dates)
  return dates
}

/** Tells whether two values of a field are texts of one moment. */
export function isSameDate(
  field: string,
  [value, other]: readonly [unknown, unknown],
  resource: DatedResource,
): boolean {
  return datesOf(resource).has(field) && isSameMoment(value, other)
}

/** The issue with a date that {@link storedDate} cannot write. */
export const unstorableDate = {
  code: 'unrepresentable',
  message: 'needs a year from 1 to 9999 and at most 3 digits after the second',
} as const

/** Returns the fields of an item that {@link storedDate} cannot write. */
export function unstorableDatesIn(item: object, resource: DatedResource): readonly string[] {
  return [...datesOf(resource).keys()].filter((name) => {
    const value = fieldOf(item, name)
    return typeof value === 'string' && storedDate(value) === undefined
  })
}

/** Returns an item with each date in the form of {@link storedDate}; the item itself if it has. */
export function withStoredDates<Fields extends object>(
  item: Fields,
  resource: DatedResource,
): Fields {
  const changed: Record<string, string> = {}
  for (const name of datesOf(resource).keys()) {
    const value = fieldOf(item, name)
    const stored = typeof value === 'string' ? storedDate(value) : undefined
    if (stored !== undefined && stored !== value) changed[name] = stored
  }
  return Object.keys(changed).length === 0 ? item : { ...item, ...changed }
}
