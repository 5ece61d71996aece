import type { Item } from '../contract/resource/resource.ts'
import { checkComplete, checkNewId } from '../contract/values/write.ts'
import { problem } from '../convention/problem.ts'
import { BrokenReference } from './errors.ts'
import { checkBeforeWrite, checkFields } from './item-checks.ts'
import type { StorageTask, WrittenItem } from './table.ts'

/**
 * Checks that the database can store all items.
 *
 * @throws {ProblemError} As `checkFields`.
 * @throws {TypeError} As `checkBeforeWrite`.
 */
export function checkAll(task: StorageTask, items: readonly WrittenItem[]): void {
  if (checkFields(task, items)) throw new BrokenReference()
  for (const { item, changed } of items) checkBeforeWrite(task, item, changed)
}

/**
 * Checks that a response can hold the stored item. Throws before the transaction ends, so that the
 * database stores nothing.
 *
 * @param written The item as written: it may lack what the stored one lacked before. Default: the
 *   item is new.
 */
export function checkStored(task: StorageTask, stored: Item | undefined, written?: object): Item {
  const { operation } = task
  const item = stored ?? throwNotReturned(task)
  checkComplete(item, operation, written)
  if (operation.kind === 'create') checkNewId(item, operation.resource)
  return item
}

/**
 * Throws for a written item that the database does not return.
 *
 * @throws {ProblemError} `forbidden`, if the adapter hides items.
 */
export function throwNotReturned({ store, operation: { resource, scope } }: StorageTask): never {
  if (store.visible !== undefined) {
    throw problem('forbidden', 'The item would then be outside the items that you may see.')
  }
  throw new TypeError(
    `The database did not return the written item of "${resource.name}", ` +
      `or the item is outside the scope ${JSON.stringify(scope)}: ` +
      'keep the fields of the scope in "onCreate", "onUpdate" and the database.',
  )
}
