import type { Json } from '../contract/schema/schema.ts'
import type { SchemaChange } from '../schemas/change.ts'
import { parsePointer } from '../wire/pointer.ts'

type Text = (name: string, from: string, to: string) => string

const texts: Readonly<Record<string, Text>> = {
  'field-added': (name) => `${name} is new`,
  'field-required-added': (name) => `${name} is new, and required`,
  'field-default-added': (name, _, to) => `${name} is new, by default ${to}`,
  'field-removed': (name) => `${name} is gone`,
  'field-became-required': (name) => `${name} is required, it was optional`,
  'field-became-optional': (name) => `${name} is optional, it was required`,
  'field-renamed': (_, from, to) => `${from} is ${to} now`,
  'became-nullable': (name) => `${name} may be null`,
  'became-not-nullable': (name) => `${name} may no longer be null`,
  'enum-added': (name, _, to) => `${name} may be ${to}`,
  'enum-removed': (name, from) => `${name} may no longer be ${from}`,
  'became-enum': (name, _, to) => `${name} may only be ${to}`,
  'enum-opened': (name) => `${name} may be any value`,
  'min-length-raised': (name, from, to) => `${name} needs ${to} characters, it was ${from}`,
  'max-length-lowered': (name, from, to) => `${name} may have ${to} characters, it was ${from}`,
  'minimum-raised': (name, from, to) => `${name} is at least ${to}, it was ${from}`,
  'maximum-lowered': (name, from, to) => `${name} is at most ${to}, it was ${from}`,
  'min-items-raised': (name, from, to) => `${name} needs ${to} elements, it was ${from}`,
  'max-items-lowered': (name, from, to) => `${name} may have ${to} elements, it was ${from}`,
  'min-length-lowered': (name, from, to) => `${name} needs ${to} characters, it was ${from}`,
  'max-length-raised': (name, from, to) => `${name} may have ${to} characters, it was ${from}`,
  'minimum-lowered': (name, from, to) => `${name} is at least ${to}, it was ${from}`,
  'maximum-raised': (name, from, to) => `${name} is at most ${to}, it was ${from}`,
  'schema-rewritten': (name) => `${name} is written otherwise, and may be the same`,
  'unique-items-set': (name) => `${name} may not repeat a value`,
  'unknown-fields-refused': (name) => `${name} may have no other fields`,
  'unknown-fields-taken': (name) => `${name} may have other fields`,
  'alternative-removed': (name, from) => `${name} may no longer have the form ${from}`,
  'alternative-added': (name, _, to) => `${name} may have the form ${to}`,
  'field-deprecated': (name) => `${name} is deprecated`,
  'field-undeprecated': (name) => `${name} is no longer deprecated`,
}

/**
 * Tells a change of a schema in a sentence: `"name" may have 60 characters, it was 80`. The rule
 * may begin with the side.
 */
export function sayChange({ rule, at, from, to }: SchemaChange): string {
  const last = parsePointer(at).at(-1)
  const name = last === undefined ? 'the value' : last === '-' ? 'an element' : `"${last}"`
  const words = rule.replace(/^(?:request|item)-/, '')
  const text = Object.hasOwn(texts, words) ? texts[words] : undefined
  if (text !== undefined) return text(name, shortText(from), shortText(to))
  return `${name}: ${words.replaceAll('-', ' ')}, ${shortText(from)} became ${shortText(to)}`
}

const maxText = 60

/** Writes a JSON value on one line of at most 60 characters; `none` for `null`. */
export function shortText(value: Json): string {
  const text = value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}

/** Writes the place of a change within a place: `POST /pets body`, `/name`. */
export function withinPlace(place: string, pointer: string): string {
  return pointer === '' ? place : `${place} ${pointer}`
}
