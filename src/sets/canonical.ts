import type { Json } from '../contract/schema/schema.ts'
import { setField } from '../convention/value.ts'

/** A JSON object of a snapshot: a JSON Schema, or the form of a link. */
export type JsonObject = { readonly [member: string]: Json }

/** Returns a JSON value with the members of each object in the order of their names. */
export function sortedJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortedJson)
  if (!isJsonObject(value)) return value
  const sorted: Record<string, Json> = {}
  for (const [name, member] of sortedEntries(value)) setField(sorted, name, sortedJson(member))
  return sorted
}

/** Writes a JSON value so that equal values have the same text. */
export function canonicalText(value: Json): string {
  return JSON.stringify(sortedJson(value))
}

/** Tells whether a JSON value is an object, and no list. */
export function isJsonObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the members of an object by code unit, which is the same everywhere. */
export function sortedEntries<Value>(
  object: Readonly<Record<string, Value>>,
): readonly (readonly [string, Value])[] {
  return Object.entries(object).sort(([name], [nextName]) => compareText(name, nextName))
}

/** Returns texts once each, in order. */
export function sortedTexts(texts: Iterable<string>): readonly string[] {
  return [...new Set(texts)].sort(compareText)
}

/** Compares two texts by code unit, for `sort`. */
export function compareText(text: string, nextText: string): number {
  return text < nextText ? -1 : text > nextText ? 1 : 0
}
