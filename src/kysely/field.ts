import { datesOf } from '../model/dates.ts'
import { type JsonSchema, jsonSchemaOf, listOf, membersOf } from '../model/json-schema.ts'
import type { Resource } from '../model/resource.ts'
import { fieldOf } from '../model/value.ts'

/** The types of a field. */
export const fieldTypes = ['text', 'number', 'boolean', 'json'] as const

/** The type of a field. */
export type FieldType = (typeof fieldTypes)[number]

/** The storage of one field that differs from the contract. */
export interface ColumnOptions {
  /** The name of the column. Default: the name of the field. */
  readonly name?: string
  /** Default: the type in the schema, else the type of the column. */
  readonly type?: FieldType
}

/** The columns of an adapter by field: a name or options. */
export type ColumnMap = { readonly [field: string]: string | ColumnOptions | undefined }

/** A field of a resource and its column. */
export interface ColumnField {
  readonly name: string
  readonly column: string
  readonly type: FieldType | undefined
  /** The text is base64, by `contentEncoding` in the schema. */
  readonly isBase64: boolean
  /** The text is a moment of RFC 3339, by `format` in the schema. */
  readonly isMoment: boolean
  /** The text compares as a moment, by its type in the resource. */
  readonly isDate: boolean
  /** A null of the column is `null` in an item, not a missing field. */
  readonly isNullable: boolean
}

/**
 * Returns the fields of a resource, `id` first: the fields of its schema and those of `columns`.
 *
 * @throws {TypeError} When neither names any field.
 */
export function columnFieldsOf(resource: Resource, columns: ColumnMap): readonly ColumnField[] {
  const json = jsonSchemaOf(resource.schema)
  const found = json === undefined ? new Map<string, JsonSchema[]>() : propertiesOf(json)
  if (found.size === 0 && Object.keys(columns).length === 0) {
    throw new TypeError(
      `The schema of "${resource.name}" does not list its fields as JSON Schema: ` +
        `name them in "columns", as in { id: 'id', … }.`,
    )
  }
  const names = new Set(['id', ...found.keys(), ...Object.keys(columns)])
  return [...names].map((name) => {
    const given = Object.hasOwn(columns, name) ? columns[name] : undefined
    const options: ColumnOptions = typeof given === 'string' ? { name: given } : (given ?? {})
    const { name: column = name, type } = options
    const schemas = found.get(name) ?? []
    const types = typesOf(schemas)
    return {
      name,
      column,
      type: type ?? fieldTypeOf(types),
      isBase64: schemas.some((schema) => fieldOf(schema, 'contentEncoding') === 'base64'),
      isMoment: schemas.some((schema) => fieldOf(schema, 'format') === 'date-time'),
      isDate: datesOf(resource).has(name),
      isNullable: types.includes('null'),
    }
  })
}

// Several members of a union may declare a field. Each of their types may occur.
function propertiesOf(json: JsonSchema): Map<string, JsonSchema[]> {
  const properties = new Map<string, JsonSchema[]>()
  for (const member of membersOf(json)) {
    for (const [name, schema] of Object.entries(Object(fieldOf(member, 'properties')))) {
      properties.set(name, [...(properties.get(name) ?? []), ...membersOf(Object(schema), json)])
    }
  }
  return properties
}

function typesOf(schemas: readonly JsonSchema[]): readonly string[] {
  return schemas.flatMap((schema) => {
    const type = fieldOf(schema, 'type')
    const types = typeof type === 'string' ? [type] : listOf(type).map(String)
    const constant = Object.hasOwn(schema, 'const') ? [fieldOf(schema, 'const')] : []
    const values = [...listOf(fieldOf(schema, 'enum')), ...constant]
    return [...types, ...values.map((value) => (value === null ? 'null' : typeof value))]
  })
}

const jsonTypes: Readonly<Record<string, FieldType>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

// Only JSON can distinguish values of two types.
function fieldTypeOf(types: readonly string[]): FieldType | undefined {
  const present = types.filter((type) => type !== 'null')
  const kinds = new Set(present.map((type) => jsonTypes[type] ?? 'json'))
  const [only] = kinds
  return kinds.size > 1 ? 'json' : only
}
