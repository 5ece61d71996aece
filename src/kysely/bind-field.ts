import type { Resource } from '../contract/resource/resource.ts'
import { decoderOf, listDecoderOf } from './codec.ts'
import type { Column, Family } from './engine.ts'
import { type ColumnField, type FieldType, fieldTypes, type ValueForm } from './field.ts'
import type { BoundField, BoundValue } from './table.ts'

/** The table of a field, for messages. */
interface Home {
  readonly table: string
  readonly writeTo: string | undefined
  readonly resource: Resource
}

/** Returns the fault of a field without a column. */
export function missing({ name, column }: ColumnField, { table, resource }: Home): string {
  return (
    `The table "${table}" has no column "${column}" for "${name}" of "${resource.name}": ` +
    'add it, or name another in "columns".'
  )
}

/** Returns the fault of a field with a column; `undefined` for none. */
export function issueOfField(
  field: BoundField,
  { table, writeTo, resource }: Home,
): string | undefined {
  const { name, column, type, stored, element } = field
  const { readOnly, sortable, searchable } = resource
  const typed = `The column "${column}" of "${table}" is of type ${stored.type}, `
  if (!takes(field)) return `${typed}but "${name}" holds ${type}: change one of them.`
  if (stored.family === 'list' && element === undefined) {
    return `${typed}but "${name}" holds other values than lists too: change one of them.`
  }
  if (element !== undefined && !(takes(element) && isScalar(element))) {
    return `${typed}but the elements of "${name}" hold ${element.type}: change one of them.`
  }
  if (stored.isComputed && !readOnly.includes(name)) {
    const reason =
      writeTo === undefined
        ? `The database computes "${column}"`
        : `The column "${column}" of "${table}" takes no value in "${writeTo}"`
    return `${reason}: name "${name}" in "readOnly" of "${resource.name}".`
  }
  const { stored: held, isBase64 } = element ?? field
  if (held.family === 'binary' && !isBase64) {
    return `${typed}which holds bytes: write z.base64() for "${name}", or store it as text.`
  }
  // An item holds bytes as base64, which does not sort as the bytes do.
  const content = contents[stored.family]
  return content !== undefined && ['id', ...sortable, ...searchable].includes(name)
    ? `The column "${column}" holds ${content}, so "${name}" of "${resource.name}" ` +
        'cannot be an id, sortable or searchable: store it as text.'
    : undefined
}

const contents: { readonly [Of in Family]?: string } = { binary: 'bytes', list: 'lists' }

/** The families of columns that can store each type. The first matching type is the default. */
const familiesOfType: Readonly<Record<FieldType, readonly Family[]>> = {
  text: ['text', 'date', 'time', 'timestamp', 'uuid', 'digits', 'binary', 'other', 'any'],
  number: ['number', 'any'],
  boolean: ['boolean', 'number', 'any'],
  json: ['json', 'text', 'any', 'list'],
}

function takes({ type, stored }: BoundValue): boolean {
  const isNumber = type === 'number' && takesNumbers(stored)
  return isNumber || familiesOfType[type].includes(stored.family)
}

// Texts of JSON as elements would surprise the other readers of the column.
function isScalar({ type, stored }: BoundValue): boolean {
  return type !== 'json' || stored.family === 'json'
}

// MySQL's `tinyint(1)` and every column of SQLite accept numbers.
function takesNumbers({ family, isWhole, isLoose }: Column): boolean {
  return family === 'boolean' && (isWhole || isLoose === true)
}

// The column as its field uses it. A number in a text field compares and sorts as text, and a list
// is the text of the database.
function asStored(column: Column, { type, isMoment }: ValueForm): Column {
  if (column.element !== undefined && type !== 'text') return { ...column, family: 'list' }
  const isNumber = (column.family === 'number' && column.type !== 'bit') || column.type === 'money'
  if (type === 'text' && isNumber) {
    // A rounded double of MySQL equals no text of its digits.
    const { isSingle = false, isDouble = false, scale } = column
    const isGuarded = isSingle || (isDouble && scale !== undefined)
    const form = { equalsExactly: false, ordersExactly: false, isGuarded }
    return { ...column, ...form, family: 'digits' }
  }
  return column.isClock && !isMoment ? { ...column, isClock: false } : column
}

/** Binds a field to its column. */
export function bindField(field: ColumnField, column: Column): BoundField {
  const bound = bindValue(field, column)
  const { family, element: stored } = bound.stored
  const isList = family === 'list' && stored !== undefined && field.element !== undefined
  const element = isList ? bindValue(field.element, stored) : undefined
  // No column has this name. In `order by`, an alias with the name of a column would replace that
  // column.
  const alias = `=${field.name}`
  const decode = element === undefined ? bound.decode : listDecoderOf(element.decode)
  return { ...field, ...bound, alias, decode, element }
}

function bindValue(form: ValueForm, column: Column): BoundValue {
  const stored = asStored(column, form)
  const types = fieldTypes.filter((type) => familiesOfType[type].includes(stored.family))
  const type = form.type ?? types[0] ?? 'text'
  return { ...form, type, stored, decode: decoderOf(type, stored) }
}
