import { type JsonSchema, jsonSchemaOf } from '../model/json-schema.ts'
import { fieldOf, type Outcome } from '../model/operation.ts'
import { anything, type Field, type Outline, outlineOf } from '../model/outline.ts'
import type { Resource } from '../model/resource.ts'
import { isStream, itemsIn, type Part, Parts } from '../model/stream.ts'

// Schemas are read when the first item leaves, not when they are declared: a start with many resources stays quick.
const places = new WeakMap<Resource, Place>()

/**
 * Looks through what is about to leave: fields that the schema does not name are left out, where it tells which it names, and
 * values that JSON cannot carry, or would silently carry as something else, are refused.
 *
 * @throws {TypeError} For a field that the schema requires and that is not there, `NaN`, `Infinity`, `bigint`, functions, symbols, `undefined` in an array, objects that JSON would write as
 *   `{}` (`Map`, `Set`, `Promise`, …), bytes, and what holds itself or is nested too deep.
 */
export function screen(outcome: Outcome, resource: Resource): Outcome {
  if (outcome.gives !== 'item' && outcome.gives !== 'items') return outcome
  const top = topOf(resource)
  if (outcome.gives === 'item') {
    const item = screenItem(outcome.item, top)
    return item === outcome.item ? outcome : { gives: 'item', item }
  }
  const { items } = outcome
  return {
    gives: 'items',
    items: isStream(items) ? new Parts(screenEach(items, top)) : screenItems(items, top),
    // A middleware's own outcome may have none.
    next: Object.hasOwn(outcome, 'next') ? outcome.next : undefined,
  }
}

async function* screenEach(
  items: AsyncIterable<object>,
  top: Place,
): AsyncGenerator<Part<object>, void> {
  const parts: AsyncIterable<Part<object>> = items instanceof Parts ? items.parts() : items
  for await (const part of parts) {
    yield Array.isArray(part) ? screenItems(itemsIn(part), top) : screenItem(part, top)
  }
}

function screenItems(items: readonly object[], top: Place): readonly object[] {
  let kept: object[] | undefined
  for (let place = 0; place < items.length; place++) {
    const item = items[place]
    const screened = screenItem(item, top)
    if (kept === undefined && screened !== item) kept = items.slice(0, place)
    kept?.push(screened)
  }
  return kept ?? items
}

function screenItem(item: unknown, top: Place): object {
  if (typeof item === 'object' && item !== null) {
    const screened = screenObject(item, top)
    if (typeof screened === 'object' && screened !== null) return screened
  }
  throw unwritable('something that is no object', '')
}

// Where every item of a resource begins.
function topOf(resource: Resource): Place {
  let top = places.get(resource)
  if (top === undefined) {
    const schema: JsonSchema | undefined = jsonSchemaOf(resource.schema)
    const outline = schema === undefined ? anything : outlineOf(schema)
    top = { outline, field: '', depth: 0 }
    places.set(resource, top)
  }
  return top
}

const any: Field = Object.freeze({ outline: anything, isRequired: false })

interface Place {
  readonly outline: Outline
  /** The field it is in, for messages. */
  readonly field: string
  readonly depth: number
}

// What holds itself has no end; JSON.stringify gives up some levels later.
const maxDepth = 1000

function screenObject(value: object, place: Place): unknown {
  if (place.depth > maxDepth) throw unwritable('something without an end', place.field)
  if (ArrayBuffer.isView(value)) throw unwritable('bytes', place.field)
  const { toJSON } = value as { readonly toJSON?: unknown }
  if (typeof toJSON === 'function') return screenWritten(toJSON.call(value, place.field), place)
  if (Array.isArray(value)) return screenArray(value, place)
  const kept = screenFields(value, place)
  if (kept === value && !isPlain(value) && isEmpty(value)) {
    throw unwritable('an object that JSON would write as {}', place.field)
  }
  return kept
}

// As JSON.stringify does: what toJSON gives is not asked for its own toJSON.
function screenWritten(value: unknown, place: Place): unknown {
  if (value === undefined || value === null) {
    throw unwritable('an object whose toJSON gives nothing', place.field)
  }
  if (typeof value !== 'object') return screenScalar(value, place.field)
  if (Array.isArray(value)) return screenArray(value, place)
  return screenFields(value, place)
}

type Fields = Readonly<Record<string, unknown>>

function screenFields(value: object, { outline: { fields, required }, depth }: Place): object {
  let missing = required
  let kept: [string, unknown][] | undefined
  // The fastest way through an object; what it inherits is told apart only where it would make a difference.
  for (const field in value) {
    const declared = fields === undefined ? any : fields.get(field)
    if (declared === undefined) {
      if (Object.hasOwn(value, field)) kept ??= entriesBefore(field, value)
      continue
    }
    const part = (value as Fields)[field]
    if (declared.isRequired && part !== undefined) missing--
    if (isPlainScalar(part)) {
      if (kept !== undefined && Object.hasOwn(value, field)) kept.push([field, part])
      continue
    }
    if (!Object.hasOwn(value, field)) continue
    const screened = screenPart(part, { outline: declared.outline, field, depth: depth + 1 })
    if (kept === undefined && screened !== part) kept = entriesBefore(field, value)
    if (kept !== undefined && screened !== undefined) kept.push([field, screened])
  }
  if (missing > 0) throw incomplete(value, fields)
  // Not by assignment, which takes `__proto__` for something else.
  return kept === undefined ? value : Object.fromEntries(kept)
}

// What nobody declared is not even read: it may be made when it is asked for.
function entriesBefore(field: string, value: object): [string, unknown][] {
  const names = Object.keys(value)
  return names.slice(0, names.indexOf(field)).map((name) => [name, Reflect.get(value, name)])
}

function screenArray(values: readonly unknown[], { outline, field, depth }: Place): unknown {
  const place = { outline: outline.elements ?? anything, field, depth: depth + 1 }
  let kept: unknown[] | undefined
  // By place, not by forEach, which steps over holes.
  for (let at = 0; at < values.length; at++) {
    const part = values[at]
    if (part === undefined) throw unwritable('an array with nothing in a place', field)
    const screened = screenPart(part, place)
    if (kept === undefined && screened !== part) kept = values.slice(0, at)
    kept?.push(screened)
  }
  return kept ?? values
}

function screenPart(part: unknown, place: Place): unknown {
  if (part === undefined) return undefined
  return typeof part === 'object' && part !== null
    ? screenObject(part, place)
    : screenScalar(part, place.field)
}

function screenScalar(value: unknown, field: string): unknown {
  if (isPlainScalar(value)) return value
  throw unwritable(typeof value === 'number' ? String(value) : `a ${typeof value}`, field)
}

function isPlainScalar(value: unknown): boolean {
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

// Of any realm.
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

function incomplete(value: object, fields: Outline['fields'] = new Map()): TypeError {
  const names = [...fields]
    .filter(([name, { isRequired }]) => isRequired && fieldOf(value, name) === undefined)
    .map(([name]) => `"${name}"`)
  return new TypeError(
    `An adapter or a middleware gave an item without ${names.join(', ')}: the schema says that it is there.`,
  )
}

function unwritable(what: string, field: string): TypeError {
  const place = field === '' ? '' : ` in "${field}"`
  return new TypeError(`An adapter or a middleware gave ${what}${place}: JSON has no such value.`)
}
