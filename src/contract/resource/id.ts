import { maxIdLength } from '../../convention/limits.ts'
import { reservedWords } from '../../convention/operations.ts'
import { validateNow } from '../schema/validate.ts'
import type { Resource } from './resource.ts'

/** The texts that are never ids. */
export const neverIds: readonly string[] = ['', ...reservedWords, '.', '..']
const forbiddenCharacters = /[\p{Cc}\p{Cs}]/u

/**
 * Tells whether a text can be an id: 1 to 255 characters (code points), no reserved word, not `.`
 * or `..`. It holds no control character and no lone surrogate.
 */
export function isId(text: string): boolean {
  if (neverIds.includes(text) || forbiddenCharacters.test(text)) return false
  return text.length <= maxIdLength || [...text].length <= maxIdLength
}

/**
 * Returns the id of a text, as the resource's `id` schema makes it; `undefined` for no id.
 * Only the canonical text counts: `01`, `1.0` and `1e0` are not the id `1`.
 *
 * @throws {TypeError} For a schema that returns a promise.
 */
export function idFor(
  resource: Pick<Resource, 'id' | 'name'>,
  text: string,
): string | number | undefined {
  if (!isId(text)) return undefined
  if (!resource.id) return text
  const result = validateNow(resource.id, text)
  if (result === undefined) {
    throw new TypeError(
      `The id schema of "${resource.name}" returned a promise: use a synchronous schema.`,
    )
  }
  const id: unknown = result.issues === undefined ? result.value : undefined
  const isSameText = (typeof id === 'string' || typeof id === 'number') && String(id) === text
  return isSameText ? id : undefined
}

/** Tells whether a value is an id of the resource, in its own type: text where ids are text. */
export function isIdOf(value: unknown, resource: Resource): value is string | number {
  return (
    (typeof value === 'string' || typeof value === 'number') &&
    idFor(resource, String(value)) === value
  )
}
