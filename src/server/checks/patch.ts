import { type Awaitable, whenReady } from '../../model/awaitable.ts'
import { baseOf, mergePatch, takesField } from '../../model/patch.ts'
import type { Issue } from '../../model/problem.ts'
import type { Item, Resource } from '../../model/resource.ts'
import { fieldOf, isSame, setField } from '../../model/value.ts'
import {
  type Draft,
  type Filled,
  type Form,
  faultsOfFields,
  isObject,
  notAnObject,
  validate,
} from './body.ts'

/** A copy of an item, to change. The id stays. */
type Changed = Item & Record<string, unknown>

/** Reads a merge patch of a body. The core merges it once it has the stored item. */
export function readPatch(body: unknown, form: Form): Filled {
  const { id, at } = form
  if (!isObject(body)) return { drafts: [], issues: [notAnObject(at)] }
  const issues = [...form.judgeId(body, undefined), ...faultsOfFields(body, form)]
  return { drafts: [{ body, item: body, id, at }], issues }
}

/** A stored item with its patch: valid as a whole, or with issues. */
export interface Patched {
  /** The stored item itself for a patch that changes nothing. */
  readonly item: Item
  readonly issues: readonly Issue[]
}

/**
 * Merges a patch into a stored item, and validates the whole item as an update. Only the fields
 * that the patch names change: a default or a transform of another field has no effect.
 *
 * @see docs/requests.md, C3.13
 */
export function applyPatch(
  { body }: Draft,
  stored: Item,
  { form, resource }: { readonly form: Form; readonly resource: Resource },
): Awaitable<Patched> {
  const merged = mergePatch(baseOf(stored, resource), body, resource.update)
  return whenReady(validate(merged, form), ({ value: valid, issues }) => {
    if (valid === undefined) return { item: stored, issues }
    let item: Changed | undefined
    for (const field of Object.keys(body)) {
      if (Object.hasOwn(form.given, field) || form.ignored.includes(field)) continue
      const isOwner = form.open.some((owner) => owner.field === field)
      const value = fieldOf(isOwner ? body : valid, field)
      // A schema drops a field that it does not name, which then stays.
      const isRemoved = fieldOf(body, field) === null && takesField(resource.update, field)
      if (value === undefined && !isRemoved) continue
      if (isSame(value, fieldOf(stored, field))) continue
      item ??= { ...stored }
      if (value === undefined) Reflect.deleteProperty(item, field)
      else setField(item, field, value)
    }
    return { item: item ?? stored, issues }
  })
}
