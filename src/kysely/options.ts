import type { Expression, Kysely, SqlBool } from 'kysely'
import type {
  AdapterShape,
  ChangingOperation,
  CreateOperation,
  Operation,
} from '../contract/resource/operation.ts'
import type { FieldOf, Resource } from '../contract/resource/resource.ts'
import { type JsonSchema, jsonSchemaOf, listOf, membersOf } from '../contract/schema/json-schema.ts'
import { writeOnlyFieldsOf } from '../contract/schema/outline.ts'
import { datesOf } from '../contract/values/dates.ts'
import type { Awaitable } from '../convention/awaitable.ts'
import { fieldOf } from '../convention/value.ts'

/** The most characters of a text in an index of MySQL. */
const maxTextOfKey = 255

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

/** The column of a fold that differs from the default. */
export interface FoldColumn {
  /** The name of the column. */
  readonly column: string
  /** The adapter writes the column. `false`: a trigger or the database does. Default: true. */
  readonly writes?: boolean
}

/** The columns of the folds of an adapter by field: a name or options. */
export type FoldMap = { readonly [field: string]: string | FoldColumn | undefined }

/** A fold of an adapter, by its field and its column. */
export interface FieldFold extends Required<FoldColumn> {
  readonly field: string
}

/** Returns the folds of the option `folded`. */
export function foldsIn(folded: FoldMap): readonly FieldFold[] {
  return Object.entries(folded).flatMap(([field, fold]) => {
    if (fold === undefined) return []
    const { column, writes = true } = typeof fold === 'string' ? { column: fold } : fold
    return [{ field, column, writes }]
  })
}

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
  /** No text is longer than an index of MySQL holds, by its schema. */
  readonly isShort: boolean
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
  const properties = json === undefined ? new Map<string, JsonSchema[]>() : propertiesOf(json)
  if (properties.size === 0 && Object.keys(columns).length === 0) {
    throw new TypeError(
      `The schema of "${resource.name}" does not list its fields as JSON Schema: ` +
        `name them in "columns", as in { id: 'id', … }.`,
    )
  }
  const names = new Set(['id', ...properties.keys(), ...Object.keys(columns)])
  const hidden = writeOnlyFieldsOf(resource)
  return [...columnsOf(plan, names)].map(([name, { column, type, writeOnly }]) => {
    const schemas = properties.get(name) ?? []
    const form = formOf(schemas)
    const types = typesOf(schemas)
    const isList = types.every((type) => type === 'array' || type === 'null')
    const elements = isList ? formOf(elementsOf(schemas, json)) : undefined
    const isNullable = types.includes('null')
    const isDate = datesOf(resource).has(name)
    const isWriteOnly = writeOnly === true || hidden.has(name)
    const base = { name, column, type: type ?? form.type, isDate, isNullable, isWriteOnly }
    return { ...form, ...base, element: elements }
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
    const entry = Object.hasOwn(columns, field) ? columns[field] : undefined
    const options: ColumnOptions = typeof entry === 'string' ? { name: entry } : (entry ?? {})
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
    isShort: schemas.length > 0 && schemas.every(isShortText),
  }
}

function isShortText(schema: JsonSchema): boolean {
  const isListed = Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const')
  const isNull = fieldOf(schema, 'type') === 'null'
  // RFC 5321 §4.5.3.1.3: an address has at most 254.
  const isAddress = fieldOf(schema, 'format') === 'email'
  return isListed || isNull || isAddress || Number(fieldOf(schema, 'maxLength')) <= maxTextOfKey
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

/** A search as a client sends it. */
export interface SearchTerms {
  /** The text of the search. */
  readonly q: string
  /** The words of the search. */
  readonly words: readonly string[]
  /** The fields to search: those of `searchable` that the caller may see. */
  readonly fields: readonly string[]
}

/** Returns the SQL condition of the items that match a search. */
export type Search = (terms: SearchTerms) => Expression<SqlBool>

/**
 * A database, or a function that returns the database or transaction of a request. `ready()` calls
 * the function without a context: it checks the returned database, and none for `undefined`.
 */
export type DatabaseSource<Context = unknown, Tables = unknown> =
  | Kysely<Tables>
  | ((context: Context | undefined) => Kysely<Tables> | undefined)

/** The functions of an adapter that get the operation and the context of a request. */
export interface KyselyHooks {
  // TypeScript compares the parameters of a method in both directions, so that a function of any
  // shape fits.
  onCreate?(item: object, operation: Operation, context: unknown): Awaitable<object>
  onUpdate?(item: object, stored: object, operation: Operation, context: unknown): Awaitable<object>
  visible?(context: unknown, operation: Operation): Expression<SqlBool> | undefined
}

/** The options of {@link kyselyAdapter}. Only the table is required. */
export interface KyselyOptions<S extends AdapterShape> {
  /** The table, with its schema if the connection uses another one: `employees`, `hr.employees`. */
  readonly table: string
  /**
   * The columns with another name or type than their fields: `{ birthdate: 'born_on', tags: { type:
   * 'json' } }`. Name all fields if the resource's schema does not name them as JSON Schema.
   * Default: columns have the names of their fields. A field of `create` that `schema` lacks needs
   * a column here to be stored, and so does one that only `onCreate` and `onUpdate` set:
   * `{ updated_by: { writeOnly: true } }`. No response holds it.
   */
  readonly columns?: ColumnsOf<S>
  /**
   * Returns the column of a field that `columns` does not name: `snakeCase` for `created_at`
   * of `createdAt`. An option of its own, since a resource may have a field `naming`. Default: the
   * name of the field.
   */
  readonly naming?: Naming
  /**
   * The table that the adapter writes to, if `table` is a view over it. It makes the ids. Reads use
   * the view, whose other columns need `readOnly`. Default: `table`.
   */
  readonly writeTo?: string
  /**
   * The fields that identify an item of a view without a known unique key: `['id']` or
   * `['company_id', 'id']`. A table needs a unique key of its own. Default: the keys that the
   * database knows.
   */
  readonly key?: readonly FieldOf<S['item']>[]
  /**
   * Returns the id of a new item that has none. Default: the default of the column, else a UUID of
   * version 7.
   */
  readonly nextId?: () => S['item']['id']
  /**
   * Returns the fields that the server sets on a new item: `(item, operation, { user }) => ({
   * created_by: user })`. Gets the fields of `create` that `schema` lacks, too. Default: none.
   */
  readonly onCreate?: (
    item: S['create'],
    operation: CreateOperation<S>,
    context: S['context'],
  ) => Awaitable<SetFields<S>>
  /** Returns the fields that the server sets when an item is replaced or patched. Default: none. */
  readonly onUpdate?: (
    item: S['item'],
    stored: S['item'],
    operation: ChangingOperation<S>,
    context: S['context'],
  ) => Awaitable<SetFields<S>>
  /**
   * Returns the SQL condition of the items that exist for a caller, and `undefined` for all. It is
   * part of every statement. A write whose result does not meet it is the problem `forbidden`
   * (403). D1 does not take it. Default: all.
   */
  readonly visible?: (
    context: S['context'],
    operation: Operation<S>,
  ) => Expression<SqlBool> | undefined
  /**
   * The column of the moment when an item was deleted. A deletion sets it, and keeps the row. A
   * timestamp, text (RFC 3339), or a number of milliseconds since 1970. Default: a deletion removes
   * the row.
   */
  readonly softDelete?: string
  /**
   * The columns that hold the folds of `folded` fields: `{ name: 'name_folded' }`. The adapter
   * writes them, sorts and pages by them, and finds the start of a text by them. Write `{ name: {
   * column: 'name_folded', writes: false } }` where the database computes the column. Default:
   * none, and no `folded`.
   */
  readonly folded?: { readonly [Field in FieldOf<S['item']>]?: string | FoldColumn }
  /** Searches with an index. Default: LIKE finds every word in some searchable field. */
  readonly search?: Search
  /**
   * The milliseconds that an operation may take, with the wait for a connection. After that it is
   * the problem `unavailable` (503). Default 10,000.
   */
  readonly timeout?: number
}

type NameOf<S extends AdapterShape> = FieldOf<S['item']> | FieldOf<S['create']>

// A type of fields alone has no index signature.
type WithColumns<Fields, Value> = Fields & (object | { readonly [column: string]: Value })

type ColumnsOf<S extends AdapterShape> = WithColumns<
  { readonly [Field in NameOf<S>]?: string | ColumnOptions },
  string | ColumnOptions | undefined
>

/** Fields that the server sets, with columns that no item shows. */
type SetFields<S extends AdapterShape> = WithColumns<Partial<S['item'] & S['create']>, unknown>
