import type { Json } from '../contract/schema/schema.ts'
import { isRecord, setField } from '../convention/value.ts'

/** A JSON object of a snapshot: a JSON Schema, or the form of a link. */
export type JsonObject = { readonly [member: string]: Json }

/** Returns a JSON value with the members of each object in the order of their names. */
export function sortedJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedJson)
  if (!isRecord(value)) return value
  const sorted: Record<string, unknown> = {}
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

/** Groups values by a text, in the order of their first. Node 20 has no `Map.groupBy`. */
export function groupBy<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group) group.push(value)
    else groups.set(key, [value])
  }
  return groups
}

/** Values of two lists that stand for each other. */
export interface Pairing<Value> {
  readonly pairs: readonly (readonly [old: Value, next: Value])[]
  readonly removed: readonly Value[]
  readonly added: readonly Value[]
}

/** Pairs the values of two lists that have equal keys. */
export function pairBy<Value>(
  old: readonly Value[],
  next: readonly Value[],
  keyOf: (value: Value) => string,
): Pairing<Value> {
  const waiting = groupBy(next, keyOf)
  const pairs: (readonly [Value, Value])[] = []
  const removed: Value[] = []
  for (const oldValue of old) {
    const newValue = waiting.get(keyOf(oldValue))?.shift()
    if (newValue !== undefined) pairs.push([oldValue, newValue])
    else removed.push(oldValue)
  }
  return { pairs, removed, added: [...waiting.values()].flat() }
}
