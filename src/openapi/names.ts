import { ownerFieldOf } from '../convention/noun.ts'
import { reservedWords } from '../convention/operations.ts'

/** Returns the singular in words: `order-items` → `order item`, `employees_v2` → `employee`. */
export function singularOf(noun: string): string {
  return toWords(ownerFieldOf(withoutVersion(noun)).replace(/_id$/, ''))
}

/** Returns a noun in words: `order-items` and `orderItems` → `order items`. */
export function pluralOf(noun: string): string {
  return toWords(withoutVersion(noun))
}

/** Returns the singular with its article: `an employee`, `a user`. */
export function withArticle(noun: string): string {
  const word = singularOf(noun)
  return /^(?!eu|one\b|u(?:ni|s[aeiu]|ti|r[aeiou]))[aeiou]|^(?:hour|hono|heir)/i.test(word)
    ? `an ${word}`
    : `a ${word}`
}

/** Returns the name of an item schema: `employees` → `Employee`, `employees_v2` → `EmployeeV2`. */
export function typeNameOf(resource: string): string {
  const version = /[-_](v\d+)$/.exec(resource)?.[1] ?? ''
  return toTypeName(`${singularOf(resource)} ${version}`)
}

/** Returns a text as a component name of letters, digits and `.`: `order item` → `OrderItem`. */
export function toTypeName(text: string): string {
  const words = text.split(/[^A-Za-z0-9.]+/).filter((word) => word !== '')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/**
 * Returns a field as a component name. OpenAPI 3.1 §4.8.7 allows letters, digits, `.`, `-` and
 * `_`; field names may have more.
 */
export function componentKeyOf(name: string): string {
  return encodeURIComponent(name).replaceAll(/[^\w.-]/g, '_')
}

/** Capitalizes the first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Joins words: `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** The reserved words as Markdown: `first`, `last` and `count`. */
export const reservedText = joinWords(reservedWords.map((word) => `\`${word}\``))

function withoutVersion(noun: string): string {
  return noun.replace(/[-_]v\d+$/, '')
}

function toWords(noun: string): string {
  return noun
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
}
