import type { Resource } from '../contract/resource/resource.ts'
import { type JsonSchema, jsonSchemaOf, listOf, membersOf } from '../contract/schema/json-schema.ts'
import { writeOnlyFieldsOf } from '../contract/schema/outline.ts'
import { datesOf } from '../contract/values/dates.ts'
import { fieldOf } from '../convention/value.ts'

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
  /**
   * A body may hold the field, and no item does: a password. Default: true for a field of `create`
   * or `update` that `schema` lacks, where JSON Schema names their fields.
   */
  readonly writeOnly?: boolean
}

/** The columns of an adapter by field: a name or options. */
export type ColumnMap = { readonly [field: string]: string | ColumnOptions | undefined }

/** Returns the name of the column of a field. */
export type Naming = (field: string) => string

/** The table of an adapter, and the names and types of its columns. */
export interface ColumnPlan {
  readonly table: string
  readonly columns: ColumnMap
  readonly naming?: Naming | undefined
}

/** The values of a field, or the elements of a list. */
export interface ValueForm {
  readonly type: FieldType | undefined
  /** The text is base64, by `contentEncoding` in the schema. */
  readonly isBase64: boolean
  /** The text is a moment of RFC 3339, by `format` in the schema. */
  readonly isMoment: boolean
}

/** A field of a resource and its column. */
export interface ColumnField extends ValueForm {
  readonly name: string
  readonly column: string
  /** The text compares as a moment, by its type in the resource. */
  readonly isDate: boolean
  /** A null of the column is `null` in an item, not a missing field. */
  readonly isNullable: boolean
  /** A body may hold the field, and no item does. */
  readonly isWriteOnly: boolean
  /** The elements of the list, or `undefined` if the field may be something else than a list. */
  readonly element: ValueForm | undefined
}

/**
 * Returns the fields of a resource, `id` first: the fields of its schema and those of `columns`.
 *
 * @throws {TypeError} When neither names any field, and as {@link columnsOf}.
 */
export function columnFieldsOf(resource: Resource, plan: ColumnPlan): readonly ColumnField[] {
  const { columns } = plan
  const json = jsonSchemaOf(resource.schema)
  const found = json === undefined ? new Map<string, JsonSchema[]>() : propertiesOf(json)
  if (found.size === 0 && Object.keys(columns).length === 0) {
    throw new TypeError(
      `The schema of "${resource.name}" does not list its fields as JSON Schema: ` +
        `name them in "columns", as in { id: 'id', … }.`,
    )
  }
  const names = new Set(['id', ...found.keys(), ...Object.keys(columns)])
  const hidden = writeOnlyFieldsOf(resource)
  return [...columnsOf(plan, names)].map(([name, { column, type, writeOnly }]) => {
    const schemas = found.get(name) ?? []
    const form = formOf(schemas)
    const types = typesOf(schemas)
    const isList = types.every((type) => type === 'array' || type === 'null')
    const elements = isList ? formOf(elementsOf(schemas, json)) : undefined
    const isNullable = types.includes('null')
    const isDate = datesOf(resource).has(name)
    const isWriteOnly = writeOnly === true || hidden.has(name)
    const own = { name, column, type: type ?? form.type, isDate, isNullable, isWriteOnly }
    return { ...form, ...own, element: elements }
  })
}

interface NamedColumn {
  readonly column: string
  readonly type: FieldType | undefined
  readonly writeOnly: boolean | undefined
}

/**
 * Returns the columns of fields: named in `columns`, else by `naming`, else as the fields.
 *
 * @throws {TypeError} When `naming` returns no name, and when two fields have the same column.
 */
export function columnsOf(
  { table, columns, naming = (field) => field }: ColumnPlan,
  fields: Iterable<string>,
): ReadonlyMap<string, NamedColumn> {
  const named = new Map<string, NamedColumn>()
  const owners = new Map<string, string>()
  for (const field of fields) {
    const given = Object.hasOwn(columns, field) ? columns[field] : undefined
    const options: ColumnOptions = typeof given === 'string' ? { name: given } : (given ?? {})
    const { name: column = naming(field), type, writeOnly } = options
    if (typeof column !== 'string' || column === '') {
      throw new TypeError(
        `The field "${field}" has no column in "${table}": ` +
          'write a "naming" that returns a text for every field, as in (field) => field.',
      )
    }
    const owner = owners.get(column)
    if (owner !== undefined) {
      throw new TypeError(
        `The fields "${owner}" and "${field}" have the same column "${column}" of "${table}": ` +
          `name another, as in columns: { ${field}: '…' }.`,
      )
    }
    owners.set(column, field)
    named.set(field, { column, type, writeOnly })
  }
  return named
}

/**
 * Returns the snake case of a name: `createdAt` → `created_at`, `userID` → `user_id`, `HTMLBody` →
 * `html_body`. For the option `naming`.
 */
export function snakeCase(name: string): string {
  return name.replace(/(\p{Lu})(?=\p{Lu}\p{Ll})|([\p{Ll}\d])(?=\p{Lu})/gu, '$1$2_').toLowerCase()
}

function formOf(schemas: readonly JsonSchema[]): ValueForm {
  return {
    type: fieldTypeOf(typesOf(schemas)),
    isBase64: schemas.some((schema) => fieldOf(schema, 'contentEncoding') === 'base64'),
    isMoment: schemas.some((schema) => fieldOf(schema, 'format') === 'date-time'),
  }
}

function elementsOf(schemas: readonly JsonSchema[], root?: JsonSchema): readonly JsonSchema[] {
  return schemas.flatMap((schema) => {
    const elements = [fieldOf(schema, 'items'), ...listOf(fieldOf(schema, 'prefixItems'))]
    return elements.flatMap((element) => membersOf(Object(element), root))
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
