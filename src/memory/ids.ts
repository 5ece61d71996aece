import { v7 as uuidv7 } from 'uuid'
import { idFor } from '../model/id.ts'
import type { Item, Resource } from '../model/resource.ts'

/** Makes ids for the items of a store, whose items it is told of. */
export interface Ids {
  add(item: Item): void
  remove(item: Item): void
  /** Removes all items. */
  clear(): void
  /**
   * An id that no item had: a UUID of version 7, or where the resource's ids are something else, the number after the highest.
   *
   * @throws {TypeError} When the resource's ids are neither.
   */
  next(resource: Resource): Item['id']
}

/** Makes ids that begin at 1 where they are numbers. */
export function createIds(): Ids {
  let highest = 0
  return {
    add({ id }) {
      const number = Number(id)
      if (Number.isSafeInteger(number) && number > highest) highest = number
    },
    // The id of what is gone is not given again.
    remove() {},
    clear() {},
    next(resource) {
      const id = idFor(resource, uuidv7()) ?? idFor(resource, String(highest + 1))
      if (id !== undefined) return id
      throw new TypeError(
        `The ids of "${resource.name}" are neither UUIDs nor numbers: give its memoryAdapter a "nextId" that makes them.`,
      )
    },
  }
}
