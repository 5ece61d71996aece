import { isId } from '../../contract/resource/id.ts'

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
