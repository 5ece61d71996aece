import {
  type FilterField,
  type FilterOperator,
  type FilterType,
  type FilterValue,
  filterOperatorNames,
  filterOperators,
  filterTypes,
} from '../../convention/filter-operators.ts'
import {
  type ParameterName,
  type ParameterOf,
  parameterNames,
  parameters,
} from '../../convention/operations.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import { isJsonSchema, type JsonSchema, jsonSchemaOf, listOf, membersOf } from './json-schema.ts'
import type { StandardSchema } from './schema.ts'

/** A filter that a resource takes: one operator on one field. */
export interface Filter {
  readonly field: FilterField
  readonly operator: FilterOperator
}

/** The option `filterable`: names, or names with their types. */
export type FilterableOption = readonly string[] | Readonly<Record<string, FilterType>>

const ids: FilterField = /* @__PURE__ */ Object.freeze({
  name: 'id',
  type: 'id',
  values: undefined,
})

/** A field, or a member of the object in it, which a filter compares. */
interface FilterPath {
  readonly field: string
  readonly member: string | undefined
}

/** Reads the name of a filter's field: `address.city` names the member `city` of `address`. */
export function filterPathOf(name: string): FilterPath {
  const dot = name.indexOf('.')
  return dot < 0
    ? { field: name, member: undefined }
    : { field: name.slice(0, dot), member: name.slice(dot + 1) }
}

/** Returns the parameter of a filter: `status`, `birthdate:gte`. */
export function filterNameOf(field: string, operator: FilterOperator): string {
  return operator === 'eq' ? field : `${field}:${operator}`
}

/** Tells whether a client writes a parameter for each filter in place of this one. */
export function isFilters(name: ParameterName): name is ParameterOf<'filters'> {
  return parameters[name].type === 'filters'
}

/** A resource with its filters. */
export interface FilteredResource {
  readonly filterable: readonly FilterField[]
  readonly sortable: readonly string[]
  readonly searchable: readonly string[]
}

const cache = new WeakMap<FilteredResource, ReadonlyMap<string, Filter>>()

/**
 * Returns the filters that a resource takes, by parameter. Their order is canonical: the fields as
 * declared, `id` first unless it is declared, each with its operators.
 */
export function filtersOf(resource: FilteredResource): ReadonlyMap<string, Filter> {
  const cached = cache.get(resource)
  if (cached) return cached
  const { filterable } = resource
  const hasId = filterable.some(({ name }) => name === 'id')
  const filters = new Map<string, Filter>()
  for (const field of hasId ? filterable : [ids, ...filterable]) {
    for (const operator of filterOperatorNames) {
      const isTaken = hasId || field !== ids || filterOperators[operator].repeats
      if (isTaken && takes(resource, field, operator))
        filters.set(filterNameOf(field.name, operator), { field, operator })
    }
  }
  cache.set(resource, filters)
  return filters
}

function takes(
  resource: FilteredResource,
  { name, type, isList }: FilterField,
  operator: FilterOperator,
): boolean {
  const { needs, takes } = filterOperators[operator]
  if ((isList === true) !== (takes === 'element')) return false
  // Every item has an id.
  if (name === 'id' && operator === 'null') return false
  // No option but "filterable" names a member of an object.
  const isMember = filterPathOf(name).member !== undefined
  if (needs === 'sortable')
    return type !== 'boolean' && (isMember || resource.sortable.includes(name))
  if (needs === 'searchable') return isMember ? type === 'text' : resource.searchable.includes(name)
  return true
}

/**
 * Reads the option `filterable`: the type of each field, by the JSON Schema of the resource's
 * schema unless the option tells it.
 *
 * Returns the fault and what to write instead, as text, for an option that cannot be read.
 */
export function readFilterable(
  filterable: FilterableOption,
  schema: StandardSchema,
): readonly FilterField[] | string {
  const isByType = isRecord(filterable)
  if (!isByType && !Array.isArray(filterable)) {
    return 'needs a list as "filterable": write "filterable: [\'status\']"'
  }
  const types = isByType ? filterable : {}
  const names: readonly string[] = isByType ? Object.keys(filterable) : filterable
  const json = names.length === 0 ? undefined : jsonSchemaOf(schema)
  const fields: FilterField[] = []
  for (const [index, name] of names.entries()) {
    const isTwice = names.indexOf(name) < index
    const fault = isTwice ? 'names a field twice in "filterable": name it once' : faultOfName(name)
    const field = fault ?? (name === 'id' ? ids : fieldIn(json, name, fieldOf(types, name)))
    if (typeof field === 'string') return field
    fields.push(field)
  }
  return fields
}

function faultOfName(name: string): string | undefined {
  const { field, member } = filterPathOf(name)
  if (field === '__proto__' || member === '__proto__') {
    return 'names a field "__proto__" in "filterable": objects lose such a field, name it otherwise'
  }
  const written = parameterNames.filter((parameter) => !isFilters(parameter))
  if (written.some((parameter) => parameter === name)) {
    return `cannot filter by "${name}": a parameter has this name. Rename the field`
  }
  return /^[^:]+$/.test(name)
    ? undefined
    : `cannot filter by "${name}": use a field name without a colon`
}

function fieldIn(
  json: JsonSchema | undefined,
  name: string,
  declared: unknown,
): FilterField | string {
  if (declared !== undefined && !filterTypes.includes(declared as FilterType)) {
    return `filters "${name}" as "${declared}": use ${filterTypes.join(', ')}`
  }
  const found = schemasAt(json ?? {}, name)
  if (typeof found === 'string') return found
  const elements = json && elementsOf(found, json)
  if (elements && name.includes('.'))
    return `cannot filter by "${name}", a list in an object: name a member with one value`
  const schemas = elements ?? found
  const values = valuesOf(schemas)
  const schemaType = typeOfSchemas(schemas, values)
  const type = (declared as FilterType | undefined) ?? schemaType
  if (type !== undefined && schemaType !== undefined && basisOf(schemaType) !== basisOf(type)) {
    return (
      `filters "${name}" as "${type}", but its schema says ${schemaType}: ` +
      `write "${schemaType}"`
    )
  }
  if (type !== undefined)
    return Object.freeze({ name, type, values, ...(elements && { isList: true as const }) })
  const key = name.includes('.') ? `'${name}'` : name
  const example = `filterable: { ${key}: 'text' }`
  return schemas.length === 0
    ? `cannot filter by "${name}": its schema tells no type of it. Write ${example}`
    : `cannot filter by "${name}": it is neither text nor number nor boolean, and no list of one ` +
        'of them. Name other fields'
}

/**
 * Returns why a field has no groups to count, with the remedy; `undefined` for a scalar, and where
 * the schema tells no type.
 */
export function faultOfGrouping(name: string, schema: StandardSchema): string | undefined {
  if (name === 'count') {
    return 'counts by "count", the name of the numbers of its groups: rename the field'
  }
  if (name.includes(',')) return `counts by "${name}": use a field name without a comma`
  const json = jsonSchemaOf(schema)
  const schemas = json === undefined ? [] : schemasOf(json, name)
  const telling = schemas.flatMap(typesOf)
  return telling.every((type) => scalarTypes.includes(type))
    ? undefined
    : `counts by "${name}", which is neither text nor number nor boolean: name other fields`
}

const scalarTypes = ['string', 'number', 'integer', 'boolean']

// The type of the values in JSON. A schema need not tell the format of a text.
function basisOf(type: FilterType): string {
  return type === 'number' || type === 'integer' ? 'number' : type === 'boolean' ? type : 'text'
}

/** Returns the types of a field, and its values if its schema lists them. */
export function typesAndValuesOf(
  schema: StandardSchema,
  name: string,
): { readonly types: readonly string[]; readonly values: readonly FilterValue[] | undefined } {
  const schemas = schemasOf(jsonSchemaOf(schema) ?? {}, name)
  return { types: schemas.flatMap(typesOf), values: valuesOf(schemas) }
}

/** Returns the schemas of a list's elements; `undefined` for another field than a list. */
function elementsOf(
  schemas: readonly JsonSchema[],
  root: JsonSchema,
): readonly JsonSchema[] | undefined {
  const telling = schemas.filter((schema) => typesOf(schema).length > 0)
  const areLists = telling.every((schema) => typesOf(schema).every((type) => type === 'array'))
  if (telling.length === 0 || !areLists) return undefined
  const items = telling.map((schema) => fieldOf(schema, 'items'))
  return items.flatMap((item) => (isJsonSchema(item) ? membersOf(item, root) : []))
}

// The schemas of a field, or of a member of its object; the fault of the name as text.
function schemasAt(json: JsonSchema, name: string): readonly JsonSchema[] | string {
  const own = schemasOf(json, name)
  const { field, member } = filterPathOf(name)
  if (member === undefined) return own
  const fault = own.length > 0 ? 'which has a dot in its name: rename the field' : faultOf(member)
  if (fault !== undefined) return `cannot filter by "${name}", ${fault}`
  const objects = schemasOf(json, field)
  return objects.flatMap(typesOf).every((type) => type === 'object')
    ? objects.flatMap((object) => schemasIn(object, member, json))
    : `cannot filter by "${name}": "${field}" is no object. Name a field, or a member of an object`
}

function faultOf(member: string): string | undefined {
  if (/^[^.'"\\\p{Cc}]+$/u.test(member)) return undefined
  return 'which is no member of an object: write one dot and no quotes, as in "address.city"'
}

function schemasIn(object: JsonSchema, name: string, root: JsonSchema): readonly JsonSchema[] {
  const property = fieldOf(Object(fieldOf(object, 'properties')), name)
  return isJsonSchema(property) ? membersOf(property, root) : []
}

/** Returns the schemas of a field, one for each alternative. */
export function schemasOf(json: JsonSchema, name: string): readonly JsonSchema[] {
  return membersOf(json).flatMap((member) => schemasIn(member, name, json))
}

/** Returns the JSON Schema of the values that a filter compares. An id is any text. */
export function schemaOfValues({ type, values }: Pick<FilterField, 'type' | 'values'>): object {
  const choices = values && { enum: values }
  if (type === 'text' || type === 'id') return { type: 'string', ...choices }
  const isPlain = type === 'number' || type === 'integer' || type === 'boolean'
  return isPlain ? { type, ...choices } : { type: 'string', format: type, ...choices }
}

const schemas = new WeakMap<object, Readonly<Record<string, object>>>()

/**
 * Returns the JSON Schemas of the fields to filter and to sort by, as far as a schema or an option
 * tells their types. Leaves out the id, and the fields that only some callers see.
 */
export function queriedSchemasOf(resource: QueriedResource): Readonly<Record<string, object>> {
  const cached = schemas.get(resource)
  if (cached) return cached
  const { filterable, sortable, restricted, schema } = resource
  const json = sortable.length === 0 ? undefined : jsonSchemaOf(schema)
  const fields = new Map<string, object>()
  for (const name of sortable) {
    const type = json && typeOfSchemas(schemasOf(json, name))
    if (type !== undefined) fields.set(name, schemaOfValues({ type, values: undefined }))
  }
  for (const field of filterable) {
    const values = schemaOfValues(field)
    fields.set(field.name, field.isList ? { type: 'array', items: values } : values)
  }
  for (const name of fields.keys())
    if (name === 'id' || restricted.includes(filterPathOf(name).field)) fields.delete(name)
  const result = Object.freeze(Object.fromEntries(fields))
  schemas.set(resource, result)
  return result
}

/** A resource whose items clients filter and sort. */
interface QueriedResource extends Pick<FilteredResource, 'filterable' | 'sortable'> {
  readonly restricted: readonly string[]
  readonly schema: StandardSchema
}

/** The types of a schema's own values, without `null`. */
function typesOf(schema: JsonSchema): readonly string[] {
  const type = fieldOf(schema, 'type')
  const types = typeof type === 'string' ? [type] : listOf(type)
  const names = types.length > 0 ? types : (ownValues(schema) ?? []).map((value) => typeof value)
  return names.filter((type) => type !== 'null').map(String)
}

function ownValues(schema: JsonSchema): readonly unknown[] | undefined {
  const list = Object.hasOwn(schema, 'const') ? [fieldOf(schema, 'const')] : fieldOf(schema, 'enum')
  return Array.isArray(list) ? list.filter((value) => value !== null) : undefined
}

// The values are closed if each alternative names its own.
function valuesOf(schemas: readonly JsonSchema[]): readonly FilterValue[] | undefined {
  const telling = schemas.filter((schema) => typesOf(schema).length > 0)
  const lists = telling.map(ownValues).filter((list) => list !== undefined)
  if (lists.length === 0 || lists.length < telling.length) return undefined
  const values = new Set(lists.flat())
  return [...values].filter((value) => isFilterValue(value))
}

function isFilterValue(value: unknown): value is FilterValue {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

const formats: readonly unknown[] = ['date', 'date-time', 'time', 'uuid']

/** Returns the type of a field by its schemas; `undefined` for several types and for none. */
export function typeOfSchemas(
  schemas: readonly JsonSchema[],
  values = valuesOf(schemas),
): FilterType | undefined {
  const types = [...new Set(schemas.flatMap(typesOf))]
  if (types.every((type) => type === 'number' || type === 'integer')) {
    return types.length === 0 ? undefined : types.length === 1 ? types[0] : 'number'
  }
  const [type] = types
  if (types.length > 1 || (type !== 'string' && type !== 'boolean')) return undefined
  if (type === 'boolean') return type
  // A text of another alternative needs not have the format.
  const texts = schemas.filter((schema) => typesOf(schema).length > 0)
  const named = new Set(texts.map((schema) => fieldOf(schema, 'format')))
  const [format] = named
  const isOnly = named.size === 1 && values === undefined && formats.includes(format)
  return isOnly ? (format as FilterType) : 'text'
}
