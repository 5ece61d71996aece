import { anything, type Field, type Outline } from '../../contract/schema/outline.ts'
import { fieldOf, isSame } from '../../convention/value.ts'

const any: Field = Object.freeze({ outline: anything, isRequired: false })

/** A value inside an item: its declaration, its field and its depth. */
export interface Level {
  readonly outline: Outline
  /** For messages; `''` for the item itself. */
  readonly field: string
  readonly depth: number
  readonly faults: FieldFaults
  /** For messages: the giver of the item. Default: an adapter or a middleware. */
  readonly giver?: string
}

/** A field of an item that breaks its declaration, with the error that says how. */
export type FieldFault = readonly [field: string, error: unknown]

/** The faults of an item that was stored so. A fault of the adapter is thrown instead. */
export class FieldFaults {
  /**
   * The item that the adapter had to store. `'stored'` for an item that the request only reads,
   * `'new'` for one that it creates.
   */
  source: object | 'stored' | 'deleted' | 'new' | undefined = undefined
  /** The first missing value inside the field that is being screened. */
  inner: TypeError | undefined = undefined
  all: FieldFault[] = []

  /** Begins with another item. */
  begin(source: FieldFaults['source']): void {
    this.source = source
    this.inner = undefined
    if (this.all.length > 0) this.all = []
  }

  /**
   * Adds the fault of a field.
   *
   * @throws The error, where the adapter stored something else than it was given.
   */
  add(field: string, value: unknown, error: unknown): void {
    const { source } = this
    const isAsGiven =
      typeof source === 'object'
        ? isSame(fieldOf(source, field), value)
        : source === 'stored' || source === 'deleted'
    if (!isAsGiven) throw error
    this.all.push([field, error])
  }
}

// A cycle has no end. JSON.stringify gives up some levels later.
const maxDepth = 1000

/**
 * Returns an object as JSON may carry it: without the fields that the schema does not declare. A
 * field of a stored item leaves as `null` where it has no value although the schema requires it. A
 * deleted item has `null` for a value that JSON cannot carry, too.
 *
 * @throws {TypeError} For a value that JSON cannot carry, and for a required field without a value
 *   that the adapter did not store as given.
 */
export function screenObject(value: object, level: Level): unknown {
  if (level.depth > maxDepth) throw unwritable('something without an end', level.field)
  if (ArrayBuffer.isView(value)) throw unwritable('bytes', level.field)
  const { toJSON } = value as { readonly toJSON?: unknown }
  if (typeof toJSON === 'function') return screenWritten(toJSON.call(value, level.field), level)
  if (Array.isArray(value)) return screenArray(value, level)
  const screened = screenFields(value, level)
  if (screened === value && !isPlain(value) && isEmpty(value)) {
    throw unwritable('an object that JSON would write as {}', level.field)
  }
  return screened
}

// As JSON.stringify does: it does not call toJSON of a toJSON's result.
function screenWritten(value: unknown, level: Level): unknown {
  if (value === undefined || value === null) {
    throw unwritable('an object whose toJSON gives nothing', level.field)
  }
  if (typeof value !== 'object') return screenScalar(value, level.field)
  if (Array.isArray(value)) return screenArray(value, level)
  return screenFields(value, level)
}

type Fields = Readonly<Record<string, unknown>>

function screenFields(value: object, level: Level): object {
  const { outline, depth, faults } = level
  const { fields, required, hidden } = outline
  let missing = required
  let copy: [string, unknown][] | undefined
  // The fastest way through an object. It looks for inherited fields only if they matter.
  for (const field in value) {
    const declared = fields === undefined ? anyBut(hidden, field) : fields.get(field)
    if (declared === undefined) {
      if (Object.hasOwn(value, field)) copy ??= entriesBefore(field, value)
      continue
    }
    const member = (value as Fields)[field]
    if (declared.isRequired && member !== undefined) missing--
    if (isPlainScalar(member)) {
      if (copy !== undefined && Object.hasOwn(value, field)) copy.push([field, member])
      continue
    }
    if (!Object.hasOwn(value, field)) continue
    const inside = { outline: declared.outline, field, depth: depth + 1, faults }
    const screened = depth === 0 ? screenField(member, inside) : screenMember(member, inside)
    if (copy === undefined && screened !== member) copy = entriesBefore(field, value)
    if (copy !== undefined && screened !== undefined) copy.push([field, screened])
  }
  if (missing > 0) copy = withMissing(value, copy, level)
  // An assignment would set the prototype for `__proto__`.
  return copy === undefined ? value : Object.fromEntries(copy)
}

// The item of a deletion is gone: no value may hide that.
function screenField(value: unknown, level: Level): unknown {
  const { faults, field } = level
  try {
    const screened = screenMember(value, level)
    const { inner } = faults
    faults.inner = undefined
    if (inner !== undefined) faults.add(field, value, inner)
    return screened
  } catch (error) {
    if (faults.source !== 'deleted') throw error
    faults.all.push([field, error])
    return null
  }
}

// JSON inside an item leaves as stored, so that no form and no list of its members changes.
function withMissing(
  value: object,
  copy: [string, unknown][] | undefined,
  { outline: { fields = none }, depth, giver, faults }: Level,
): [string, unknown][] | undefined {
  const isMissing = ([name, { isRequired }]: readonly [string, Field]): boolean =>
    isRequired && fieldOf(value, name) === undefined
  const names = [...fields].filter(isMissing).map(([name]) => name)
  const error = incomplete(names, giver)
  if (depth > 0) {
    faults.inner ??= error
    return copy
  }
  for (const name of names) faults.add(name, undefined, error)
  const entries = copy ?? Object.entries(value)
  return [...entries, ...names.map((name): [string, unknown] => [name, null])]
}

const none: ReadonlyMap<string, Field> = new Map()

function anyBut(hidden: Outline['hidden'], field: string): Field | undefined {
  return hidden?.has(field) ? undefined : any
}

// An undeclared field may have a getter, so it is not even read.
function entriesBefore(field: string, value: object): [string, unknown][] {
  const names = Object.keys(value)
  return names.slice(0, names.indexOf(field)).map((name) => [name, Reflect.get(value, name)])
}

function screenArray(
  values: readonly unknown[],
  { outline, field, depth, faults }: Level,
): unknown {
  const level = { outline: outline.elements ?? anything, field, depth: depth + 1, faults }
  let copy: unknown[] | undefined
  // By index: forEach steps over holes.
  for (let at = 0; at < values.length; at++) {
    const member = values[at]
    if (member === undefined) throw unwritable('an array with a hole', field)
    const screened = screenMember(member, level)
    if (copy === undefined && screened !== member) copy = values.slice(0, at)
    copy?.push(screened)
  }
  return copy ?? values
}

function screenMember(member: unknown, level: Level): unknown {
  if (member === undefined) return undefined
  return typeof member === 'object' && member !== null
    ? screenObject(member, level)
    : screenScalar(member, level.field)
}

function screenScalar(value: unknown, field: string): unknown {
  if (isPlainScalar(value)) return value
  throw unwritable(typeof value === 'number' ? String(value) : `a ${typeof value}`, field)
}

/** Returns whether JSON carries a value as it is: text, a boolean, a finite number or `null`. */
export function isPlainScalar(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value)
    default:
      return value === null
  }
}

function isEmpty(value: object): boolean {
  for (const field in value) if (Object.hasOwn(value, field)) return false
  return true
}

/** Returns whether an object is plain, of any realm. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function incomplete(
  names: readonly string[],
  giver = 'An adapter or a middleware gave',
): TypeError {
  const quoted = names.map((name) => `"${name}"`).join(', ')
  return new TypeError(`${giver} an item without ${quoted}, which the schema requires.`)
}

/** Makes the error of a value that JSON cannot carry. */
export function unwritable(what: string, field: string): TypeError {
  const place = field === '' ? '' : ` in "${field}"`
  return new TypeError(`An adapter or a middleware gave ${what}${place}: JSON has no such value.`)
}
