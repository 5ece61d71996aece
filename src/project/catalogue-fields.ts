import { isDay, isMoment } from '../convention/format.ts'
import type { CatalogueTable } from '../kysely/catalogue.ts'
import type { Column } from '../kysely/engine/engine.ts'
import type { ProjectField, ProjectId, ValueType } from './model.ts'

/** A column of a table, and the field that shows it. */
export interface CatalogueField {
  readonly column: Column
  readonly field: ProjectField
}

/** The fields of a table. */
export interface CatalogueFields {
  /** The field of the key is the first, and its name is `id`. */
  readonly fields: readonly CatalogueField[]
  /** The columns that no field shows, each with its reason. */
  readonly omitted: readonly (readonly [column: string, reason: string])[]
}

/** Returns the fields of a table whose items the values of one column identify. */
export function catalogueFields(table: CatalogueTable, key: string): CatalogueFields {
  const { columns } = table.description
  const usedNames = new Set(['id'])
  const identity = columns.filter(({ name }) => name === key)
  const otherColumns = columns.filter(({ name }) => name !== key)
  const omitted = otherColumns.flatMap((column) => {
    const reason = reasonToLeave(column)
    return reason === undefined ? [] : [[column.name, reason] as const]
  })
  const servedColumns = otherColumns.filter((column) => reasonToLeave(column) === undefined)
  const fields = [...identity, ...servedColumns].map((column) => {
    const name = column.name === key ? 'id' : freeName(fieldName(column.name), usedNames)
    return { column, field: fieldOf(column, name, table) }
  })
  return { fields, omitted }
}

// Returns why no field can show a column; `undefined` if one can.
function reasonToLeave({ type, kind }: Column): string | undefined {
  if (kind !== 'other') return undefined
  if (/^(?:geometry|point|linestring|polygon|multi\w+|geom\w*collection)$/i.test(type))
    return `is of type ${type}, whose values are no text`
  return /^ts(?:vector|query)$/.test(type)
    ? `is of type ${type}, which a search uses and no client`
    : undefined
}

/**
 * Returns the id of a table; text for a column that no id can be of.
 *
 * @param samples The first values of a column without a type.
 */
export function projectIdOf(column: Column, samples: readonly unknown[] = []): ProjectId | string {
  const { origin } = column
  const type = typeOf(column, samples)
  if (column.kind === 'any' && type.kind === 'text' && samples.some(isNumber))
    return 'holds numbers and texts, which no path tells apart'
  // A text that is no value of such a type is a fault of the database, not an unknown id.
  if (column.kind === 'other' && !texts.has(column.type)) return reasonOfKey(column)
  const inBody = origin === 'client' ? 'required' : 'refused'
  switch (type.kind) {
    case 'whole':
      return { kind: 'counted', inBody }
    case 'number':
      return { kind: 'number', inBody }
    case 'uuid':
      // The adapter makes a UUID where a body lacks it.
      return { kind: 'uuid', inBody: origin === 'computed' ? 'refused' : 'optional' }
    case 'text':
    case 'date':
    case 'time':
    case 'enumeration':
      return { kind: 'text', inBody }
    default:
      return reasonOfKey(column)
  }
}

function reasonOfKey({ type }: Column): string {
  return `is of type ${type || 'any'}, and no path holds such an id`
}

// A name that stands in a parameter and in a path.
function fieldName(column: string): string {
  const name = column.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+(?=[^_])|(?<=[^_])_+$/g, '')
  return /^\p{L}|^_/u.test(name) && name !== '__proto__' ? name : `field_${name}`
}

function freeName(name: string, usedNames: Set<string>): string {
  let free = name
  for (let next = 2; usedNames.has(free); next++) free = `${name}_${next}`
  usedNames.add(free)
  return free
}

function fieldOf(
  column: Column,
  name: string,
  { samples, documents, kind }: CatalogueTable,
): ProjectField {
  const { isNullable, origin, standard = '' } = column
  const isDocument = documents.has(column.name)
  const values = samples.get(column.name) ?? []
  const type: ValueType = isDocument ? { kind: 'json' } : typeOf(column, values)
  const isEmpty = isNullable && name !== 'id'
  // The database writes it at each write, or counts it.
  const isSet = origin === 'computed' || clocks.test(standard) || isCounted(column)
  const isRefused = isSet && kind === 'table'
  const isOptional = kind === 'table' && isFilled(column) && !isEmpty
  const inBody = isRefused ? 'refused' : isOptional ? 'optional' : 'required'
  const comments = commentsOf(column, name)
  return {
    name,
    ...(name !== column.name && { column: column.name }),
    type,
    isNullable: isEmpty,
    isOptional: isEmpty && kind === 'table' && inBody !== 'refused',
    inBody,
    ...(comments.length > 0 && { comment: comments.join(' ') }),
  }
}

const clocks = /current_timestamp|\bnow\s*\(|datetime\s*\(|strftime|clock_timestamp|localtime/i

function isFilled({ origin, isNullable }: Column): boolean {
  return origin === 'generated' && !isNullable
}

// PostgreSQL's sequences and identities, which have no text of a default.
function isCounted({ origin, standard, kind }: Column): boolean {
  const isSequence = standard?.startsWith('nextval(') === true
  return kind === 'number' && origin === 'generated' && (isSequence || standard === undefined)
}

const secrets = /passw|secret|token|api_?key|salt$/i

function commentsOf(column: Column, name: string): readonly string[] {
  const isOwnForm = column.kind === 'other' && !texts.has(column.type)
  return [
    ...(secrets.test(name) ? ['Clients can read this: leave it out, if they must not.'] : []),
    ...(isOwnForm ? [`The database writes its type, ${column.type}, in a form of its own.`] : []),
  ]
}

const texts: ReadonlySet<string> = new Set(['citext', 'bpchar', 'name', 'uuid'])

/** Returns the values of a column. */
function typeOf(column: Column, samples: readonly unknown[]): ValueType {
  switch (column.kind) {
    case 'text':
      return column.loose === undefined ? textOf(column) : looseTextOf(column, samples)
    case 'number':
      return numberOf(column)
    case 'boolean':
      return { kind: 'boolean' }
    case 'timestamp':
      return { kind: 'moment' }
    case 'date':
    case 'time':
    case 'uuid':
    case 'json':
      return { kind: column.kind }
    case 'binary':
      return { kind: 'base64' }
    case 'enum':
      return { kind: 'enumeration', values: column.allowed }
    case 'list':
      return { kind: 'list', element: typeOf(column.element, []) }
    case 'other':
      return column.type === 'uuid' ? { kind: 'uuid' } : textOf(column)
    case 'any':
      return untypedOf(samples)
    case 'digits':
      return { kind: 'text' }
  }
}

// A column of a view that is an expression has no type.
function untypedOf(samples: readonly unknown[]): ValueType {
  const values = samples.filter((value) => value !== null)
  if (values.length === 0 || !values.every(isNumber)) return { kind: 'text' }
  return { kind: values.every(Number.isSafeInteger) ? 'whole' : 'number' }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}

type TextLike = Extract<Column, { readonly kind: 'text' | 'other' }>

// The length of a `text` of MySQL is one of bytes.
function textOf({ length, type }: TextLike): ValueType {
  return length !== undefined && /char$/i.test(type)
    ? { kind: 'text', maxLength: length }
    : { kind: 'text' }
}

// SQLite's types are hints: the first rows tell the form of dates.
function looseTextOf({ type, loose }: TextLike, samples: readonly unknown[]): ValueType {
  const [name = '', size = ''] = type.split('(')
  const [, length] = /char/i.test(name) ? (/^\s*(\d+)\s*\)/.exec(size) ?? []) : []
  if (length !== undefined) return { kind: 'text', maxLength: Number(length) }
  const values = samples.filter((value) => value !== null)
  const isAll = (isForm: (text: string) => boolean) =>
    values.every((value) => typeof value === 'string' && isForm(value))
  const isEmpty = values.length === 0
  const isStamp = /DATETIME|TIMESTAMP/i.test(type)
  if (loose?.isClock) return { kind: 'moment' }
  if (/DATE|TIMESTAMP/i.test(type)) {
    if (isAll(isDay) && !(isEmpty && isStamp)) return { kind: 'date' }
    if (isAll(isMoment)) return { kind: 'moment' }
  }
  return { kind: 'text' }
}

// A double holds all numbers of so many digits.
const mostDigits = 15

function numberOf({
  number: form,
  type,
  loose,
}: Extract<Column, { readonly kind: 'number' }>): ValueType {
  if (loose !== undefined) return { kind: /INT/i.test(type) ? 'whole' : 'number' }
  if (form.precision === 'whole') return { kind: 'whole' }
  if (form.precision !== 'exact') return { kind: 'number' }
  const { scale, integers = Number.POSITIVE_INFINITY } = form
  if (scale === undefined) return { kind: 'digits' }
  if (integers + scale <= mostDigits) return { kind: scale <= 0 ? 'whole' : 'number' }
  return { kind: 'decimal', scale: Math.max(scale, 0) }
}
