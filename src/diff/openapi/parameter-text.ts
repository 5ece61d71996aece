import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject, type JsonObject } from '../../sets/canonical.ts'
import { childOf, elementsOf, type ParameterForm, type ParameterPair } from './api-document.ts'
import type { PlacedChange, SchemaComparison } from './pairs.ts'
import { type OwnedPair, type OwnedSchema, resolveTop, type SchemaUse } from './schema-book.ts'

/** Compares the texts of a parameter, or of a header. */
export function textChanges(
  schemas: SchemaComparison,
  { old, new: next }: ParameterPair,
  use: SchemaUse,
): readonly PlacedChange[] {
  const adjust = (owned: OwnedPair) => alignTexts(owned, { form: next.form, use })
  return schemas.compare({ old: old.schema, new: next.schema, use, adjust })
}

/** The form of a text, and the direction of the comparison. */
interface TextForm {
  readonly form: ParameterForm
  readonly use: SchemaUse
}

/**
 * Makes two schemas of a parameter or a header comparable. Their values are texts: the text `5` is
 * an integer and a string, and one value is a list of one. `null` has no text, and a default is no
 * value.
 */
function alignTexts(pair: OwnedPair, { form, use }: TextForm): OwnedPair {
  if (form.mediaType !== undefined) return pair
  const old = textual(pair.old)
  const next = textual(pair.new)
  // The texts of one side must be among those of the other.
  return use === 'request'
    ? { old: { ...old, schema: alignedText(old.schema, next.schema, form) }, new: next }
    : { old, new: { ...next, schema: alignedText(next.schema, old.schema, form) } }
}

function alignedText(schema: JsonObject, model: JsonObject, form: ParameterForm): JsonObject {
  const isList = typesOf(model).join() === 'array'
  if (isList && typesOf(schema).join() === 'array') {
    return { ...schema, items: aligned(itemsOf(schema), itemsOf(model)) }
  }
  // A comma within a text would make two values of it.
  const isSafe = form.style === 'form' && form.isExploded
  const isOne = isScalar(schema) && (isSafe || !typesOf(schema).includes('string'))
  return isList && isOne ? listOfOne(aligned(schema, itemsOf(model))) : aligned(schema, model)
}

function textual(owned: OwnedSchema): OwnedSchema {
  const { default: _, ...schema } = resolveTop(owned)
  const types = typesOf(schema)
  if (!types.includes('null')) return { ...owned, schema: withoutNull(schema) }
  const nonNull = types.filter((type) => type !== 'null')
  return {
    ...owned,
    schema: withoutNull({ ...schema, type: nonNull.length === 1 ? String(nonNull[0]) : nonNull }),
  }
}

function withoutNull(schema: JsonObject): JsonObject {
  const values = childOf(schema, 'enum')
  const choices = childOf(schema, 'anyOf')
  const [only, ...more] = elementsOf(choices).filter((choice) => childOf(choice, 'type') !== 'null')
  if (Array.isArray(values) && values.includes(null)) {
    return { ...schema, enum: elementsOf(values).filter((value) => value !== null) }
  }
  return isJsonObject(only) && more.length === 0 && Object.keys(schema).length === 1 ? only : schema
}

function typesOf(schema: Json | undefined): readonly string[] {
  const type = childOf(schema, 'type')
  return (Array.isArray(type) ? type : type === undefined ? [] : [type]).map(String)
}

function isScalar(schema: JsonObject): boolean {
  const types = typesOf(schema)
  return types.length > 0 && types.every((type) => Object.hasOwn(texts, type))
}

function itemsOf(schema: JsonObject): JsonObject {
  const items = childOf(schema, 'items')
  return isJsonObject(items) ? items : {}
}

function listOfOne(items: JsonObject): JsonObject {
  return { type: 'array', items, minItems: 1, maxItems: 1 }
}

// The texts of the types that are no strings.
const texts: { readonly [type: string]: JsonObject } = {
  string: {},
  integer: { pattern: '^-?(?:0|[1-9][0-9]*)$' },
  number: { pattern: '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$' },
  boolean: { enum: ['true', 'false'] },
}

function aligned(schema: JsonObject, model: JsonObject): JsonObject {
  const from = typesOf(schema)
  const to = typesOf(model)
  const values = childOf(schema, 'enum')
  if (from.length === 0 || from.every((type) => to.includes(type))) return schema
  if (to.join() === 'string' && isScalar(schema)) {
    if (Array.isArray(values)) return { type: 'string', enum: elementsOf(values).map(textOf) }
    const kinds = from.map((type) => ({ type: 'string', ...texts[type] }))
    return kinds.length === 1 ? (kinds[0] ?? schema) : { anyOf: kinds }
  }
  if (from.join() !== 'string' || !Array.isArray(values) || !isScalar(model)) return schema
  const read = elementsOf(values).map(readText)
  return read.some((value) => typeof value === 'string') ? schema : { type: to, enum: read }
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

// A number that reads `05` or `1.0` has another text.
function readText(text: Json): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  const value = Number(text)
  return Number.isFinite(value) && String(value) === text ? value : text
}
