import type { Resource } from '../contract/resource/resource.ts'
import type { Fix } from './engine/declarations.ts'
import type { Column, ColumnKind, TableDescription } from './engine/engine.ts'
import { asStored, type BoundField, type BoundValue, decoderOf, listDecoderOf } from './fields.ts'
import {
  type ColumnField,
  type FieldFold,
  type FieldType,
  type FoldMap,
  fieldTypes,
  foldsIn,
  type ValueForm,
} from './options.ts'

/** The kinds of columns that can store each type. The first matching type is the default. */
const kindsOfType: Readonly<Record<FieldType, readonly ColumnKind[]>> = {
  text: ['text', 'date', 'time', 'timestamp', 'uuid', 'digits', 'binary', 'enum', 'other', 'any'],
  number: ['number', 'any'],
  boolean: ['boolean', 'number', 'any'],
  json: ['json', 'text', 'any', 'list'],
}

/** Tells whether a column can hold the values of its field. */
export function takes({ type, stored }: BoundValue): boolean {
  const isNumber = type === 'number' && takesNumbers(stored)
  return isNumber || kindsOfType[type].includes(stored.kind)
}

// Texts of JSON as elements would surprise the other readers of the column.
/** Tells whether the elements of a list have columns of their own kind. */
export function isScalarElement({ type, stored }: BoundValue): boolean {
  return type !== 'json' || stored.kind === 'json'
}

// MySQL's `tinyint(1)` and every column of SQLite accept numbers.
function takesNumbers(column: Column): boolean {
  return column.kind === 'boolean' && (column.number ?? column.loose) !== undefined
}

/** Binds a field to its column. */
export function bindField(field: ColumnField, column: Column): BoundField {
  const bound = bindValue(field, column)
  const { stored } = bound
  const isList = stored.kind === 'list' && field.element !== undefined
  const element = isList ? bindValue(field.element, stored.element) : undefined
  // No column has this name. In `order by`, an alias with the name of a column would replace that
  // column.
  const alias = `=${field.name}`
  const decode = element === undefined ? bound.decode : listDecoderOf(element.decode)
  return { ...field, ...bound, alias, decode, element }
}

function bindValue(form: ValueForm, column: Column): BoundValue {
  const stored = asStored(column, form)
  const types = fieldTypes.filter((type) => kindsOfType[type].includes(stored.kind))
  const type = form.type ?? types[0] ?? 'text'
  return { ...form, type, stored, decode: decoderOf(type, stored) }
}

/** Binds the column of the fold of a field. No write fills it where `writes` is false. */
export function bindFold(base: BoundField, column: Column, writes: boolean): BoundField {
  const { name, stored } = base
  // A fold of the database is missing where its text is. Another program may leave out any other.
  const isNullable = stored.isNullable || (writes && column.isNullable)
  return {
    ...base,
    // No field has this name.
    name: `\0${name}`,
    alias: `==${name}`,
    column: column.name,
    foldOf: name,
    stored: { ...column, isNullable, ...(!writes && { origin: 'computed' }) },
    decode: undefined,
    element: undefined,
  }
}

/** A fold that its table cannot hold. */
interface FoldFault {
  readonly field: string
  readonly message: string
  /** Adds the column, if the table lacks it. */
  readonly fix?: (fixWriter: FoldWriter) => Fix | undefined
}

interface FoldWriter {
  addFold(field: ColumnField, column: string): Fix | undefined
}

/** The table of an adapter, and the columns of its folds. */
interface FoldPlan {
  readonly table: string
  readonly folded: FoldMap
}

/** A table whose folds are to be bound. */
interface FoldedTable {
  readonly resource: Resource
  readonly described: TableDescription
  readonly bound: readonly BoundField[]
}

/** Binds the folds of an adapter. Each fault says what the table or the option lacks. */
export function bindFolds(
  { table, folded }: FoldPlan,
  { resource, described, bound }: FoldedTable,
): { readonly folds: ReadonlyMap<string, BoundField>; readonly faults: readonly FoldFault[] } {
  const declared = foldsIn(folded)
  const folds = new Map<string, BoundField>()
  const baseOf = (field: string) => bound.find(({ name }) => name === field)
  const absent = (fold: FieldFold, message: string): FoldFault => {
    const base = baseOf(fold.field)
    const fix = base && ((fixWriter: FoldWriter) => fixWriter.addFold(base, fold.column))
    return { field: fold.field, message, ...(fix && { fix }) }
  }
  const unnamed = resource.folded
    .filter((field) => declared.every((fold) => fold.field !== field))
    .map((field) => ({ field, column: `${field}_folded`, writes: true }))
    .map((fold) => absent(fold, unnamedFault(fold, resource)))
  const faults = declared.flatMap((fold): readonly FoldFault[] => {
    const base = baseOf(fold.field)
    const column = described.columns.find(({ name }) => name === fold.column)
    const fault = faultOf(fold, { base, column, bound })
    const message = foldFault(fold, table, `${fault}`)
    if (fault !== undefined)
      return [column === undefined ? absent(fold, message) : { field: fold.field, message }]
    if (base && column) folds.set(fold.field, bindFold(base, column, fold.writes))
    return []
  })
  return { folds, faults: [...unnamed, ...faults] }
}

function unnamedFault({ field, column }: FieldFold, { name }: Resource): string {
  return (
    `"${name}" sorts "${field}" without case, by a column of its own: ` +
    `add it, and write folded: { ${field}: '${column}' }.`
  )
}

function foldFault({ field, column }: FieldFold, table: string, fault: string): string {
  return `The column "${column}" of "${table}" cannot hold the fold of "${field}": ${fault}.`
}

interface FoundColumns {
  readonly base: BoundField | undefined
  readonly column: Column | undefined
  readonly bound: readonly BoundField[]
}

function faultOf(
  { field, column: name, writes }: FieldFold,
  { base, column, bound }: FoundColumns,
): string | undefined {
  if (base?.type !== 'text' || !['text', 'enum'].includes(base.stored.kind))
    return `"${field}" is no text with a column of text`
  if (column === undefined) return 'add it, or name another'
  if (bound.some((other) => other.column === name)) return 'it holds a field, so name another'
  if (column.kind !== 'text') return `it is of type ${column.type}, so take text`
  if (!writes) return undefined
  if (column.origin === 'computed') return 'the database computes it, so write "writes: false"'
  if (!column.isNullable && base.stored.isNullable) return 'let it be null, as the text may be'
  return base.stored.origin === 'generated'
    ? 'the database has a default for the text, so let it compute the fold, with "writes: false"'
    : undefined
}
