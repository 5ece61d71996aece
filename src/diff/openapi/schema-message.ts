import type { Json } from '../../contract/schema/schema.ts'
import type { PlacedChange } from './schema-comparison.ts'

const maxText = 60

/** Tells a change of a schema: `max length lowered: it was 80, it is 60`. */
export function schemaMessage({ rule, from, to }: PlacedChange): string {
  const words = rule.replace(/^(?:request|item)-/, '').replaceAll('-', ' ')
  if (from === null && to === null) return words
  if (from === null) return `${words}: ${shortText(to)}`
  if (to === null) return `${words}: it was ${shortText(from)}`
  return `${words}: it was ${shortText(from)}, it is ${shortText(to)}`
}

/** Writes a JSON value on one line of at most 60 characters. */
export function shortText(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxText ? `${text.slice(0, maxText - 1)}…` : text
}
