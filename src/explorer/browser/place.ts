import { isId } from '../../model/id.ts'

/** Tells whether a path is that of an item, as the server writes it: a URL parser makes the collection of others. */
export function isItemOf(collection: string, path: string): boolean {
  try {
    const id = decodeURIComponent(path.slice(collection.length + 1))
    return isId(id) && path === `${collection}/${encodeURIComponent(id)}`
  } catch {
    // An escape that is broken.
    return false
  }
}
