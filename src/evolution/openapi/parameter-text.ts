import type { Json } from '../../model/schema.ts'
import type { JsonObject } from '../snapshot.ts'
import type { ApiParameter } from './api-document.ts'
import { childOf, elementsOf, isJsonObject } from './json-node.ts'
import { type OwnedSchema, resolveTop } from './schema-book.ts'

/** The schemas of a parameter in both documents. */
export interface TextPair {
  readonly old: OwnedSchema
  readonly new: OwnedSchema
}

/**
 * Makes two schemas of a parameter comparable. A parameter is text: the text `5` is an integer and
 * a string, and one value is a list of one. `null` has no text, and a default is no value.
 */
export function alignTexts(
  pair: TextPair,
  parameters: { readonly old: ApiParameter; readonly new: ApiParameter },
): TextPair {
  if (parameters.new.form.mediaType !== undefined) return pair
  const old = textual(pair.old)
  const next = textual(pair.new)
  const isList = typesOf(next.schema).join() === 'array'
  const { style, isExploded } = parameters.new.form
  const isOne = isScalar(old.schema) && isList && (isExploded || style !== 'form')
  const schema = isOne ? listOfOne(aligned(old.schema, itemsOf(next.schema))) : undefined
  return {
    old: { ...old, schema: schema ?? alignedDeep(old.schema, next.schema) },
    new: next,
  }
}

function textual(owned: OwnedSchema): OwnedSchema {
  const { default: _, ...schema } = resolveTop(owned)
  const types = typesOf(schema)
  if (!types.includes('null')) return { ...owned, schema: withoutNull(schema) }
  const rest = types.filter((type) => type !== 'null')
  return {
    ...owned,
    schema: withoutNull({ ...schema, type: rest.length === 1 ? String(rest[0]) : rest }),
  }
}

function withoutNull(schema: JsonObject): JsonObject {
  const values = childOf(schema, 'enum')
  const choices = childOf(schema, 'anyOf')
  const [only, ...more] = elementsOf(choices).filter((part) => childOf(part, 'type') !== 'null')
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
  return types.length > 0 && types.every((type) => type in texts)
}

function itemsOf(schema: JsonObject): JsonObject {
  const items = childOf(schema, 'items')
  return isJsonObject(items) ? items : {}
}

function listOfOne(items: JsonObject): JsonObject {
  return { type: 'array', items, minItems: 1, maxItems: 1 }
}

function alignedDeep(old: JsonObject, next: JsonObject): JsonObject {
  const isList = [old, next].every((schema) => typesOf(schema).join() === 'array')
  return isList ? { ...old, items: aligned(itemsOf(old), itemsOf(next)) } : aligned(old, next)
}

// The texts of the types that are no strings.
const texts: { readonly [type: string]: JsonObject } = {
  string: {},
  integer: { pattern: '^-?(?:0|[1-9][0-9]*)$' },
  number: { pattern: '^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$' },
  boolean: { enum: ['true', 'false'] },
}

function aligned(old: JsonObject, next: JsonObject): JsonObject {
  const [from, ...moreFrom] = typesOf(old)
  const [to, ...moreTo] = typesOf(next)
  if (from === undefined || to === undefined || moreFrom.length > 0 || moreTo.length > 0) return old
  if (from === to) return old
  const values = childOf(old, 'enum')
  if (to === 'string' && Object.hasOwn(texts, from)) {
    if (!Array.isArray(values)) return { type: 'string', ...texts[from] }
    return { type: 'string', enum: elementsOf(values).map((value) => JSON.stringify(value)) }
  }
  if (from !== 'string' || !Array.isArray(values) || !/^(?:integer|number|boolean)$/.test(to)) {
    return old
  }
  const read = elementsOf(values).map(readText)
  return read.some((value) => typeof value === 'string') ? old : { type: to, enum: read }
}

// A number that reads `05` or `1.0` has another text.
function readText(text: Json): Json {
  if (text === 'true' || text === 'false') return text === 'true'
  const value = Number(text)
  return Number.isFinite(value) && String(value) === text ? value : text
}
