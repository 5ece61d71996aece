import { isSame } from '../../convention/value.ts'
import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, readAll } from './collection.ts'
import {
  expectBody,
  expectStatus,
  fail,
  idTextsOf,
  memberOf,
  type ServerItem,
  skip,
} from './expect.ts'
import { listedIn } from './headers.ts'
import type { CheckResponse } from './message.ts'
import { parentOf, pathBelow } from './parent.ts'
import { absentName } from './path.ts'
import { type ItemDraft, pointersIn, type WritableCollection } from './writable.ts'

/** Returns the collection to write to. Skips the rule without one. */
export function writableOf({ writable }: CheckedCollection): WritableCollection {
  return writable ?? skip('It would write.')
}

/** Items that the check created for a rule. */
interface NewItems {
  readonly created: readonly ServerItem[]
  /** A body for each item that changes it. */
  readonly drafts: readonly ItemDraft[]
}

/** Creates items, and then a draft for each. */
export async function postItems(collection: CheckedCollection, count: number): Promise<NewItems> {
  const created: ServerItem[] = []
  while (created.length < count) created.push(await writableOf(collection).create())
  const drafts: ItemDraft[] = []
  while (drafts.length < count) drafts.push(await changedDraft(collection))
  return { created, drafts }
}

/** Creates an item. */
export async function postItem(
  collection: CheckedCollection,
): Promise<{ readonly item: ServerItem; readonly path: string }> {
  const writable = writableOf(collection)
  const item = await writable.create()
  return { item, path: itemPath(writable.path, item.id) }
}

/** Returns the path of the first new item through another parent than its own. */
export function pathThroughOther(
  collection: CheckedCollection & Pick<NewItems, 'created'>,
): string {
  const { id, otherId, ...parent } = parentOf(collection)
  const own = writableOf(collection).path
  const paths = [id, otherId].flatMap((one) =>
    one === undefined ? [] : [pathBelow({ ...parent, id: one })],
  )
  const other = paths.find((path) => path !== own) ?? skip('The collection has only one parent.')
  return itemPath(other, collection.created[0]?.id ?? absentName)
}

/** A POST that must store nothing. */
interface UnstoredPost {
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The fields that show an item of the request. */
  readonly drafts: readonly object[]
}

/** Sends a POST, expects a response, and then that the collection has no such item. */
export async function expectNotStored(
  collection: CheckedCollection,
  { path, body, headers = {}, drafts }: UnstoredPost,
  expectResponse: (response: CheckResponse) => void,
): Promise<void> {
  const { send } = collection
  const own = writableOf(collection).path
  const before = new Set(idTextsOf((await readAll(send, own)).items))
  const response = await send('POST', path, { body, headers })
  skipUnsupported(response)
  expectResponse(response)
  const { items } = await readAll(send, own)
  const added = items.filter((item) => !before.has(String(item.id)))
  const stored = added.find((item) => drafts.some((draft) => isSame({ ...item, ...draft }, item)))
  if (stored) fail(response, `The server stored the item ${stored.id} all the same.`)
}

/** Expects that items are as they were after their creation. */
export async function expectUnchanged(
  collection: CheckedCollection,
  items: readonly ServerItem[],
): Promise<void> {
  for (const item of items) {
    const response = await collection.send('GET', itemPath(writableOf(collection).path, item.id))
    expectStatus(response, 200)
    expectBody(response, item, 'the item as it was')
  }
}

/** Expects every field of a body in an item. */
export function expectFields(response: CheckResponse, item: unknown, body: ItemDraft): void {
  const other = Object.keys(body).find((field) => !isSame(memberOf(item, field), body[field]))
  if (other !== undefined) fail(response, `The "${other}" of the item is not the one sent.`)
}

/** A value that few fields take. */
export const invalidValue = { nounful: [true] }

/** Expects an issue at a pointer, or below it. */
export function expectPointer(response: CheckResponse, pointer: string): void {
  if (!pointersIn(response.json).some((one) => one.startsWith(pointer)))
    fail(response, `No issue points to "${pointer}".`)
}

/**
 * Skips the rule if the server leaves the operation out.
 *
 * @throws {NotApplicable} For 405.
 * @throws {RuleViolation} For 405 where `Allow` has the method.
 */
export function skipUnsupported(response: CheckResponse): void {
  const { request, status, headers } = response
  if (status !== 405) return
  if (listedIn(headers.allow).includes(request.method))
    fail(response, `The response is 405, although "Allow" has ${request.method}.`)
  skip(`${request.path} does not support ${request.method}.`)
}

/** As `expectStatus`, for an operation that a server may leave out. */
export function expectSupported(response: CheckResponse, status: number): void {
  skipUnsupported(response)
  expectStatus(response, status)
}

/** Returns the body of a new item with a changed text, as far as one can change. */
export async function changedDraft(collection: CheckedCollection): Promise<ItemDraft> {
  const { draft, change } = writableOf(collection)
  return change(await draft())
}

/** Returns an id of the same type as another, without an item. */
export function absentId(id: unknown): ServerItem['id'] {
  if (typeof id === 'number') return maxNumber - Math.floor(Math.random() * 1_000_000)
  // The new UUID keeps the version of the other.
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(`${id}`)
    ? `${id}`.slice(0, -12) + crypto.randomUUID().slice(-12)
    : absentName
}

const maxNumber = 2_147_483_647
