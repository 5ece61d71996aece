import { type JsonSchema, jsonSchemaOf, listOf, membersOf } from '../model/json-schema.ts'
import { fieldOf } from '../model/operation.ts'
import type { Resource } from '../model/resource.ts'

/** What a field of an item may hold. */
export const fieldTypes = ['text', 'number', 'boolean', 'json'] as const

/** What a field of an item holds. */
export type FieldType = (typeof fieldTypes)[number]

/** How one field is stored, where that is not what the contract says. */
export interface ColumnOptions {
  /** The column's name. Default: the field's. */
  readonly name?: string
  /** Default: what the schema says, else what the database says of the column. */
  readonly type?: FieldType
}

/** The columns of an adapter by field: the name of one, or all that is to be said. */
export type ColumnMap = { readonly [field: string]: string | ColumnOptions | undefined }

/** A field of a resource and the column it is stored in. */
export interface ColumnField {
  readonly name: string
  readonly column: string
  readonly type: FieldType | undefined
  /** Its text is base64, as the schema says by `contentEncoding`. */
  readonly isBase64: boolean
  /** Its text is a moment of RFC 3339, as the schema says by `format`. */
  readonly isMoment: boolean
  /** The column's nothing is `null` in an item, not a missing field. */
  readonly isNullable: boolean
}

/**
 * The fields of a resource's items, `id` first: those its schema tells of, and those that `columns` names.
 *
 * @throws {TypeError} When neither says what an item holds.
 */
export function columnFieldsOf(resource: Resource, columns: ColumnMap): readonly ColumnField[] {
  const json = jsonSchemaOf(resource.schema)
  const found = json === undefined ? new Map<string, JsonSchema[]>() : propertiesOf(json)
  if (found.size === 0 && Object.keys(columns).length === 0) {
    throw new TypeError(
      `The schema of "${resource.name}" does not tell its fields as JSON Schema: name them in the kyselyAdapter's "columns", as in { id: 'id', … }.`,
    )
  }
  const names = new Set(['id', ...found.keys(), ...Object.keys(columns)])
  return [...names].map((name) => {
    const { name: column = name, type } = optionsOf(
      Object.hasOwn(columns, name) ? columns[name] : undefined,
    )
    const schemas = found.get(name) ?? []
    const types = typesOf(schemas)
    return {
      name,
      column,
      type: type ?? fieldTypeOf(types),
      isBase64: schemas.some((schema) => fieldOf(schema, 'contentEncoding') === 'base64'),
      isMoment: schemas.some((schema) => fieldOf(schema, 'format') === 'date-time'),
      isNullable: types.includes('null'),
    }
  })
}

function optionsOf(column: ColumnMap[string]): ColumnOptions {
  return typeof column === 'string' ? { name: column } : (column ?? {})
}

// A field may be declared in several members of a union: what holds of any of them may come.
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
    const values = [...listOf(fieldOf(schema, 'enum')), ...constantOf(schema)]
    return [...(typeof type === 'string' ? [type] : listOf(type)), ...values.map(typeOf)].map(
      String,
    )
  })
}

function constantOf(schema: JsonSchema): readonly unknown[] {
  return Object.hasOwn(schema, 'const') ? [fieldOf(schema, 'const')] : []
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}

const jsonTypes: Readonly<Record<string, FieldType>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

// What may be of two types can only be told apart as JSON.
function fieldTypeOf(types: readonly string[]): FieldType | undefined {
  const kinds = new Set(
    types.filter((type) => type !== 'null').map((type) => jsonTypes[type] ?? 'json'),
  )
  const [only] = kinds
  return kinds.size > 1 ? 'json' : only
}
