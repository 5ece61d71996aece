import { bodies } from '../../convention/operations.ts'
import { isSame } from '../../convention/value.ts'
import type { CheckedCollection } from './collection.ts'
import { expectItem, fail, memberOf, type ServerItem, skip } from './expect.ts'
import type { CheckResponse } from './message.ts'
import type { ItemDraft } from './writable.ts'
import { changedDraft, expectFields, expectSupported } from './writing.ts'

/** The media types of a patch of an item. */
export const patchTypes: readonly string[] = bodies.patch.types

/** A patch for an item. */
interface NewPatch {
  /** One field, with another value than the item has. */
  readonly patch: ItemDraft
  /** The other fields that a client can set, as the item has them. */
  readonly rest: ItemDraft
}

/** Creates a patch for an item. Skips the rule if drafts differ in no field. */
export async function patchFor(collection: CheckedCollection, item: ServerItem): Promise<NewPatch> {
  const draft = await changedDraft(collection)
  const fields = Object.keys(draft)
  const changed = fields.find((field) => !isSame(draft[field], item[field]))
  if (changed === undefined) skip('The drafts of its items differ in no field.')
  const rest = fields.filter((field) => field !== changed).map((field) => [field, item[field]])
  return { patch: { [changed]: draft[changed] }, rest: Object.fromEntries(rest) }
}

/** Expects a patched item: the patch changed its own field, and no other. */
export function expectPatched(
  response: CheckResponse,
  patched: unknown,
  { patch, rest }: NewPatch,
): void {
  expectFields(response, patched, patch)
  const other = Object.keys(rest).find((field) => !isSame(memberOf(patched, field), rest[field]))
  if (other !== undefined) fail(response, `The "${other}" has changed, and was not sent.`)
}

/** Expects the response to a patch: 200 with the item. Returns the item. */
export function expectPatchOf(
  response: CheckResponse,
  { id }: ServerItem,
  patch: NewPatch,
): ServerItem {
  expectSupported(response, 200)
  const patched = expectItem(response)
  if (patched.id !== id) fail(response, `The item has the id ${patched.id}.`)
  expectPatched(response, patched, patch)
  return patched
}
