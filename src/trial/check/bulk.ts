import type { CheckedCollection } from './collection.ts'
import { expectItems, fail, type ServerItem, skip } from './expect.ts'
import type { CheckResponse } from './message.ts'
import { type ItemDraft, pointersIn } from './writable.ts'
import { expectSupported, postItems, writableOf } from './writing.ts'

/** Items that the check created to change them in a bulk. */
interface PreparedBulk {
  readonly path: string
  readonly items: readonly ServerItem[]
  /** A changed body for each item, with its id. */
  readonly bodies: readonly ItemDraft[]
}

/** Creates items for a bulk. */
export async function prepareBulk(
  collection: CheckedCollection,
  count: number,
): Promise<PreparedBulk> {
  const { created: items, drafts } = await postItems(collection, count)
  const bodies = drafts.map((draft, index) => ({ ...draft, id: items[index]?.id }))
  return { path: writableOf(collection).path, items, bodies }
}

/** Items that one POST created. */
interface CreatedBulk {
  readonly drafts: readonly ItemDraft[]
  readonly response: CheckResponse
  readonly items: readonly ServerItem[]
}

/** Creates items in one POST. Skips the rule if the server takes an array for no item. */
export async function postBulk(collection: CheckedCollection, count: number): Promise<CreatedBulk> {
  const drafts = await draftsFor(collection, count)
  const response = await collection.send('POST', writableOf(collection).path, { body: drafts })
  const { status, json } = response
  if (status === 422 && !pointersIn(json).some((pointer) => pointer.startsWith('/')))
    skip('The server creates one item at a time.')
  expectSupported(response, 201)
  const items = expectItems(response, 201)
  if (items.length !== count) fail(response, `The body has ${items.length} items, not ${count}.`)
  return { drafts, response, items }
}

/** Returns bodies of new items. */
export async function draftsFor(
  collection: CheckedCollection,
  count: number,
): Promise<readonly ItemDraft[]> {
  const drafts: ItemDraft[] = []
  while (drafts.length < count) drafts.push(await writableOf(collection).draft())
  return drafts
}
