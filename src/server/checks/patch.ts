import { type Awaitable, whenReady } from '../../model/awaitable.ts'
import { fieldsKeptBy } from '../../model/keep.ts'
import { baseOf, mergePatch, takesField } from '../../model/patch.ts'
import type { Issue } from '../../model/problem.ts'
import type { Item, Resource } from '../../model/resource.ts'
import { fieldOf, isSame, partOf, setField } from '../../model/value.ts'
import {
  type Draft,
  type Filled,
  type Form,
  faultsOfFields,
  fillIn,
  isObject,
  notAnObject,
  validate,
} from './body.ts'

/** A copy of an item, to change. The id stays. */
type Changed = Item & Record<string, unknown>

/** Reads a body that the core merges with the stored item, once it has that, and then validates. */
export function readPatch(body: unknown, form: Form): Filled {
  const { id, at } = form
  if (!isObject(body)) return { drafts: [], issues: [notAnObject(at)] }
  const issues = [...form.judgeId(body, undefined), ...faultsOfFields(body, form)]
  return { drafts: [{ body, item: body, id, at }], issues }
}

/** A stored item with its changes: valid as a whole, or with issues. */
export interface Changes {
  /** The stored item itself for a patch that changes nothing. */
  readonly item: Item
  readonly issues: readonly Issue[]
}

/** The rules for a body, and the resource as its client sees it. */
interface Judging {
  readonly form: Form
  readonly resource: Resource
}

/**
 * Makes the whole item of a replacement that leaves out some fields. It validates the item with the
 * stored values of these, which stay as they are.
 *
 * @see docs/requests.md, C7.3 and C9.4
 */
export function applyReplacement(
  { body }: Draft,
  stored: Item,
  { form, resource }: Judging,
): Awaitable<Changes> {
  const silent = fieldsKeptBy(body, resource)
  const whole = { ...body, ...partOf(baseOf(stored, resource), silent) }
  return whenReady(fillIn(whole, form), ({ drafts: [draft], issues }) => {
    const item = { ...draft?.item }
    for (const field of silent) Reflect.deleteProperty(item, field)
    const kept = partOf(stored, [...resource.readOnly, ...silent])
    return { item: { ...item, ...kept } as Item, issues }
  })
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
  { form, resource }: Judging,
): Awaitable<Changes> {
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
