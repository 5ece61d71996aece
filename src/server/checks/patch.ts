import { fieldsKeptBy } from '../../contract/resource/keep.ts'
import type { Item, Resource } from '../../contract/resource/resource.ts'
import { writeOnlyFieldsOf } from '../../contract/schema/outline.ts'
import {
  baseOf,
  isTransformed,
  mergePatch,
  namesField,
  takesField,
} from '../../contract/values/patch.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { type Issue, problem } from '../../convention/problem.ts'
import { fieldOf, isSame, pickFields, setField } from '../../convention/value.ts'
import { issueAt } from '../../wire/issues.ts'
import { formatPointer, parsePointer } from '../../wire/pointer.ts'
import { requiredText } from '../../wire/sentence.ts'
import {
  type BodyDrafts,
  type Draft,
  type Form,
  faultsOfFields,
  isObject,
  notAnObject,
  readDraft,
  validate,
} from './body.ts'
import { type FormSource, formFor, judgeNoId } from './form.ts'

const none: readonly never[] = Object.freeze([])

/** A copy of an item, to change. The id stays. */
type Changed = Item & Record<string, unknown>

/** Reads a body that the core merges with the stored item, once it has that, and then validates. */
export function readPatch(body: unknown, form: Form): BodyDrafts {
  const { id, at } = form
  if (!isObject(body)) return { drafts: [], issues: [notAnObject(at)] }
  const issues = [...form.judgeId(body, undefined, form), ...faultsOfFields(body, form)]
  return { drafts: [{ body, item: body, id, at }], issues }
}

/** The parts of a task that make new items of stored ones. */
interface Merging extends FormSource {
  readonly plan: FormSource['plan'] & {
    readonly resource: Resource
    /** Without a patch, the bodies replace items. */
    readonly body: { readonly isPatch: boolean } | undefined
  }
  readonly drafts: readonly Draft[]
}

/**
 * Merges the drafts with the stored items, in the order of the drafts.
 *
 * @param stored An item for each draft.
 * @throws {ProblemError} `validation_failed` with the issues of all drafts.
 */
export function mergeDrafts(
  stored: readonly (Item | undefined)[],
  task: Merging,
  maxIssues: number,
): Awaitable<readonly Item[]> {
  const { plan, drafts } = task
  const { resource } = plan
  const apply = plan.body?.isPatch ? applyPatch : applyReplacement
  const merged = inTurn(drafts, (draft, index) => {
    const { id, at } = draft
    const rules = formFor(task, { id, sent: id, at, most: maxIssues, judgeId: judgeNoId })
    // The body holds no refused field, but the stored ones may be among them.
    const form = { ...rules, refused: [] }
    return whenReady(apply(draft, stored[index] as Item, { form, resource }), (changes) => ({
      item: changes.item,
      issues:
        changes.issues.length === 0
          ? none
          : withoutHiddenFields(withNullTexts(changes.issues, draft), draft, resource),
    }))
  })
  return whenReady(merged, (all) => {
    const issues = all.flatMap((changes) => changes.issues)
    if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
    return all.map(({ item }) => item)
  })
}

// A merge patch removes a member by `null`: then the client has sent it.
function withNullTexts(issues: readonly Issue[], { body, at }: Draft): readonly Issue[] {
  return issues.map((issue) => {
    const path = parsePointer(`${issue.pointer}`).slice(at.length)
    const sent = path.reduce<unknown>((value, key) => fieldOf(Object(value), key), body)
    const isRemoved = sent === null && issue.message === requiredText
    return isRemoved ? { ...issue, message: 'cannot be null' } : issue
  })
}

// The issue of a field that the client does not see names no field.
function withoutHiddenFields(
  issues: readonly Issue[],
  { at }: Draft,
  { restricted }: Resource,
): readonly Issue[] {
  if (restricted.length === 0) return issues
  const hidden = restricted.map((field) => `${formatPointer([...at, field])}/`)
  return issues.map((issue) =>
    hidden.some((pointer) => `${issue.pointer}/`.startsWith(pointer))
      ? { pointer: formatPointer(at), code: 'invalid', message: 'is not valid' }
      : issue,
  )
}

/** A stored item with its changes: valid as a whole, or with issues. */
interface Changes {
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
function applyReplacement(
  { body }: Draft,
  stored: Item,
  { form, resource }: Judging,
): Awaitable<Changes> {
  const silent = fieldsKeptBy(body, resource)
  const fullBody = { ...body, ...pickFields(baseOf(stored, resource), silent) }
  return whenReady(readDraft(fullBody, form), ({ drafts: [draft], issues }) => {
    const item = { ...draft?.item }
    for (const field of silent) Reflect.deleteProperty(item, field)
    const storedFields = pickFields(stored, [...resource.readOnly, ...silent])
    return { item: { ...item, ...storedFields } as Item, issues }
  })
}

/**
 * Merges a patch into a stored item, and validates the whole item as an update. Only the fields
 * that the patch names change: a default or a transform of another field has no effect. A field
 * goes where the patch makes the item one of another form, which lacks it.
 *
 * @see docs/requests.md, C3.13
 */
function applyPatch(draft: Draft, stored: Item, judging: Judging): Awaitable<Changes> {
  const { form, resource } = judging
  const { body } = draft
  const merged = mergePatch(baseOf(stored, resource), body, resource.update)
  // The limit of issues counts those that are left.
  const all = { ...form, most: Number.POSITIVE_INFINITY }
  const patching = { body, stored, merged, form: all, resource }
  return whenReady(validate(merged, all), ({ value, issues }) => {
    if (value !== undefined) return changesOf(value, patching)
    return whenReady(withoutOldIssues(issues, patching), (newIssues) =>
      newIssues.length > 0
        ? { item: stored, issues: newIssues.slice(0, form.most) }
        : changesOf(undefined, patching),
    )
  })
}

/** A patch, and the stored item with it. */
interface Patching extends Judging {
  readonly body: object
  readonly stored: Item
  readonly merged: object
}

// Leaves out the issues that the stored item has, too, at fields that the patch does not name.
function withoutOldIssues(
  issues: readonly Issue[],
  { body, stored, form, resource }: Patching,
): Awaitable<readonly Issue[]> {
  const isNamed = ({ pointer = '' }: Issue): boolean => {
    const [field] = parsePointer(pointer).slice(form.at.length)
    return field === undefined || Object.hasOwn(body, field)
  }
  if (issues.every(isNamed)) return issues
  // No stored item shows such a field.
  const hidden = writeOnlyFieldsOf(resource)
  return whenReady(validate(baseOf(stored, resource), form), (before) => {
    const old = new Set(before.issues.map(({ pointer }) => pointer))
    for (const field of hidden) old.delete(formatPointer([...form.at, field]))
    return issues.filter((issue) => isNamed(issue) || !old.has(issue.pointer))
  })
}

// There is no valid item where the stored one has issues: the patch is then written as sent.
function changesOf(valid: object | undefined, patching: Patching): Changes {
  const { body, stored, form } = patching
  const issues: Issue[] = []
  let item: Changed | undefined
  const change = (field: string, value: unknown): void => {
    // A missing field may be stored as `null`.
    if (isSame(value ?? undefined, fieldOf(stored, field) ?? undefined)) return
    item ??= { ...stored }
    if (value === undefined) Reflect.deleteProperty(item, field)
    else setField(item, field, value)
  }
  for (const field of Object.keys(body)) {
    if (Object.hasOwn(form.pathFields, field) || form.ignored.includes(field)) continue
    const newValue = newValueOf(field, valid, patching)
    if (typeof newValue === 'object') change(field, newValue.value)
    else if (newValue !== 'dropped') issues.push(issueAt(form.at, field, faults[newValue]))
  }
  if (issues.length > 0) return { item: stored, issues }
  if (valid !== undefined) for (const field of clearedBy(valid, patching)) change(field, undefined)
  return { item: item ?? stored, issues }
}

const faults = {
  misplaced: { code: 'invalid', message: 'does not belong to an item of this form' },
  transformed: {
    code: 'invalid',
    message: 'cannot change alone while the stored item has faults: replace the whole item',
  },
} as const

/** The new value of a field, or why it has none. A schema drops a field that it does not name. */
type NewValue = { readonly value: unknown } | keyof typeof faults | 'dropped'

function newValueOf(field: string, valid: object | undefined, patching: Patching): NewValue {
  const { body, merged, form, resource } = patching
  const { update } = resource
  const sent = fieldOf(body, field)
  if (form.open.some((owner) => owner.field === field)) return { value: sent }
  const isAccepted = takesField(update, field)
  const source = valid ?? merged
  if (sent === null && isAccepted) return { value: fieldOf(source, field) }
  if (!Object.hasOwn(source, field)) return namesField(update, field) ? 'misplaced' : 'dropped'
  const value = fieldOf(source, field)
  if (valid !== undefined) return { value }
  if (!isAccepted) return 'dropped'
  return isTransformed(update, field, value) ? 'transformed' : { value }
}

// The fields of the form that the item had before.
function clearedBy(valid: object, { body, merged, form, resource }: Patching): readonly string[] {
  const stays = new Set([
    ...Object.keys({ ...valid, ...body, ...form.pathFields }),
    ...form.open.map((owner) => owner.field),
    ...form.ignored,
    ...resource.restricted,
  ])
  return Object.keys(merged).filter(
    (field) => !stays.has(field) && namesField(resource.update, field),
  )
}
