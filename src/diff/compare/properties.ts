import { filterNameOf, schemasOf } from '../../contract/schema/filter.ts'
import { listOf, membersOf, propertiesOf, typesOf } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import type { FilterType } from '../../convention/filter-operators.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import { type JsonObject, sortedTexts } from '../../sets/canonical.ts'
import { parsePointer } from '../../wire/pointer.ts'
import type { SnapshotFilter, SnapshotResource } from '../snapshot.ts'

/** A field of a JSON Schema. */
export interface Property {
  /** A schema of its own: it has the definitions that its references need. */
  readonly schema: JsonObject
  readonly isRequired: boolean
  /** The schema is one object, so nothing else says more of the field. */
  readonly isPlain: boolean
}

/** Returns a field of a JSON Schema; `undefined` for a field that it does not name. */
export function propertyOf(root: JsonObject, name: string): Property | undefined {
  const members = membersOf(root)
  const objects = members.filter((member) => isRecord(fieldOf(member, 'properties')))
  const sources = schemasOf(root, name)
  const properties = objects.flatMap((object) => {
    const property = fieldOf(Object(fieldOf(object, 'properties')), name)
    return isRecord(property) ? [property] : []
  })
  const [only] = properties
  if (sources.length === 0 || only === undefined) return undefined
  const schema = properties.length === 1 ? only : { anyOf: properties }
  const isRequired = objects.every((object) => listOf(fieldOf(object, 'required')).includes(name))
  return { schema: withDefinitions(schema, root), isRequired, isPlain: objects.length === 1 }
}

/** Returns the fields that a JSON Schema names, in order. */
export function fieldsIn(schema: JsonObject): readonly string[] {
  return sortedTexts(
    membersOf(schema)
      .flatMap(propertiesOf)
      .map(([name]) => name),
  )
}

/** Gives a part of a JSON Schema the definitions of the whole. */
function withDefinitions(schema: object, root: JsonObject): JsonObject {
  const definitions = ['$defs', 'definitions'].filter((key) => Object.hasOwn(root, key))
  // A part of JSON is JSON.
  return Object.fromEntries([
    ...Object.entries(schema),
    ...definitions.map((key) => [key, root[key]]),
  ]) as JsonObject
}

/** Returns the schema at a JSON Pointer into the values of a schema; `undefined` for none. */
export function schemaAt(root: JsonObject, pointer: string): JsonObject | undefined {
  let schema: JsonObject | undefined = root
  for (const key of parsePointer(pointer)) {
    if (schema === undefined) return undefined
    const items: unknown = schema.items
    schema =
      key === '-' && isRecord(items)
        ? withDefinitions(items, root)
        : propertyOf(schema, key)?.schema
  }
  return schema
}

/** Returns the fields that a JSON Schema of an object requires. */
export function requiredIn({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Returns a JSON Schema that requires some fields no longer. */
export function withoutRequired(schema: JsonObject, names: readonly string[]): JsonObject {
  const required = requiredIn(schema)
  const remaining = required.filter((name) => !names.includes(name))
  return remaining.length === required.length ? schema : { ...schema, required: remaining }
}

/** Returns a JSON Schema that neither names nor requires a field. */
export function withoutField(schema: JsonObject, name: string): JsonObject {
  const { properties } = schema
  if (!isRecord(properties) || !Object.hasOwn(properties, name)) return schema
  const remaining = Object.entries(properties).filter(([field]) => field !== name)
  return {
    ...withoutRequired(schema, [name]),
    properties: Object.fromEntries(remaining),
  } as JsonObject
}

/** The form of a link in a snapshot. */
export type LinkForm =
  | { readonly form: 'plain'; readonly of: string }
  | { readonly form: 'values'; readonly of: string; readonly values: JsonObject }
  | { readonly form: 'absent'; readonly of: string; readonly absent: Json }
  | { readonly form: 'member'; readonly of: string; readonly member: string }
  | { readonly form: 'join'; readonly of: readonly string[] }
  | { readonly form: 'part'; readonly of: string; readonly index: number }
  | { readonly form: 'always'; readonly value: Json }
  | { readonly form: 'function'; readonly of: string }

/** Reads the link of a field of a view. A field without a link has one of its own name. */
export function linkFormOf({ fields }: SnapshotResource, field: string): LinkForm {
  const link = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (typeof link === 'string') return { form: 'plain', of: link }
  if (!isRecord(link)) return { form: 'plain', of: field }
  const { of, values, absent, join, part: index, in: object, field: member, always } = link
  if (always !== undefined) return { form: 'always', value: always as Json }
  if (Array.isArray(join)) return { form: 'join', of: listOf(join).map(String) }
  if (typeof object === 'string') return { form: 'member', of: object, member: String(member) }
  const source = String(of)
  if (isRecord(values)) return { form: 'values', of: source, values: values as JsonObject }
  if (absent !== undefined) return { form: 'absent', of: source, absent: absent as Json }
  if (typeof index === 'number') return { form: 'part', of: source, index }
  return { form: 'function', of: source }
}

/** Returns the source fields of a link. */
export function sourcesOf(link: LinkForm): readonly string[] {
  if (link.form === 'always') return []
  return link.form === 'join' ? link.of : [link.of]
}

/** A row of a table of values: what is stored, and what the view shows. */
export interface TableRow {
  readonly stored: Json
  readonly viewValue: Json
}

/** Returns the rows of a table of values. Its keys are text, whatever the field's type. */
export function tableRows(values: JsonObject, schema: JsonObject): readonly TableRow[] {
  const types = membersOf(schema).flatMap(typesOf)
  const storedOf = (key: string): Json => {
    if (types.includes('boolean')) return key === 'true'
    return types.includes('number') || types.includes('integer') ? Number(key) : key
  }
  return Object.entries(values).map(([key, viewValue]) => ({ stored: storedOf(key), viewValue }))
}

/** An option that names fields. */
export type FieldsOption =
  | 'sortable'
  | 'searchable'
  | 'filterable'
  | 'countable'
  | 'folded'
  | 'readOnly'
  | 'keep'
  | 'restricted'

/** Returns the fields that an option names. */
export function fieldsOf(resource: SnapshotResource, option: FieldsOption): readonly string[] {
  return option === 'filterable' ? Object.keys(resource.filterable) : (resource[option] ?? [])
}

// Values of each type, of which no other type but text takes all.
// biome-ignore format: a row stays a line
const samples: { readonly [Type in FilterType]: readonly string[] } = {
  'text':      ['a', 'zzzz', '7'],
  'number':    ['2.5', '-7', '1e300'],
  'integer':   ['7', '-70001'],
  'boolean':   ['true', 'false'],
  'date':      ['2026-11-01', '1901-02-03'],
  'date-time': ['2026-11-01T12:00:00Z', '1901-02-03T04:05:06Z'],
  'time':      ['12:00:00', '04:05:06'],
  'uuid':      ['0190163d-8694-739b-aea5-966c26f8ad91', '6ba7b810-9dad-41d1-80b4-00c04fd430c8'],
}

/** Returns values that a filter takes, as texts. Ids are compared elsewhere: none. */
export function filterSamples(filter: SnapshotFilter | undefined): readonly string[] {
  if (filter === undefined || filter.type === 'id') return []
  const { type, values } = filter
  return values === null ? samples[type] : sortedTexts(values.map(String))
}

/** Returns the parameter that finds the items with a value in a field. */
export function equalityOf(field: string, filter: SnapshotFilter | undefined): string {
  return filterNameOf(field, filter?.isList === true ? 'has' : 'eq')
}
