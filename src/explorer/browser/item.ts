import { isId } from '../../contract/resource/id.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import { fieldOf } from '../../convention/value.ts'

/** Returns the fields that may name an item for people: `name`, then the searchable ones. */
export function namingFields({ searchable }: Resource): readonly string[] {
  return [...new Set(['name', ...searchable])]
}

/** Returns the first text of an item in some fields; `undefined` for none. */
export function nameOfItem(item: object, fields: readonly string[]): string | undefined {
  const texts = fields.map((field) => fieldOf(item, field))
  return texts.find((text) => typeof text === 'string' && text !== '') as string | undefined
}

/** Tells whether a path names an item of a collection. URL parsers could change any other path. */
export function isItemOf(collection: string, path: string): boolean {
  try {
    const id = decodeURIComponent(path.slice(collection.length + 1))
    return isId(id) && path === `${collection}/${encodeURIComponent(id)}`
  } catch {
    // A broken escape.
    return false
  }
}
