import { v7 as uuidv7 } from 'uuid'
import { idFor } from '../model/id.ts'
import type { Item, Resource } from '../model/resource.ts'

/** Chooses ids for new items. The store reports every item to it. */
export interface IdSource {
  add(item: Item): void
  /** Does nothing: a deleted item's id is not used again. */
  remove(): void
  /** Does nothing, as {@link IdSource.remove}. */
  clear(): void
  /**
   * Returns an id that no item has had: a UUID of version 7, or the number after the highest id.
   *
   * @throws {TypeError} When the resource's ids are neither UUIDs nor numbers.
   */
  next(resource: Resource): Item['id']
}

/** Creates a source of ids. Numbers begin at 1. */
export function createIdSource(): IdSource {
  let highest = 0
  return {
    add({ id }) {
      const number = Number(id)
      if (Number.isSafeInteger(number) && number > highest) highest = number
    },
    remove() {},
    clear() {},
    next(resource) {
      const id = idFor(resource, uuidv7()) ?? idFor(resource, String(highest + 1))
      if (id !== undefined) return id
      throw new TypeError(
        `The ids of "${resource.name}" are neither UUIDs nor numbers: ` +
          'give its memoryAdapter a "nextId".',
      )
    },
  }
}
