import type { Json } from '../../contract/schema/schema.ts'
import type { SchemaChange } from '../change.ts'

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

/** Tells a change of a schema in a sentence: `"name" may have 60 characters, it was 80`. */
export function sayChange({ rule, at, from, to }: SchemaChange): string {
  const last = at.split('/').at(-1) ?? ''
  const name = at === '' ? 'the value' : last === '-' ? 'an element' : `"${plain(last)}"`
  const text = Object.hasOwn(texts, rule) ? texts[rule] : undefined
  if (text !== undefined) return text(name, said(from), said(to))
  return `${name}: ${rule.replaceAll('-', ' ')}, ${said(from)} became ${said(to)}`
}

function plain(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function said(value: Json): string {
  return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value)
}
