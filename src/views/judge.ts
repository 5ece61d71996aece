import type { Fields, Unwritten } from '../contract/resource/link.ts'
import { namedIn } from '../contract/resource/named-fields.ts'
import { noScope, type Operation } from '../contract/resource/operation.ts'
import {
  type ApiConversion,
  type Item,
  ownerFieldsOf,
  type Resource,
} from '../contract/resource/resource.ts'
import { takesField } from '../contract/values/patch.ts'
import { type Awaitable, inTurn, whenReady } from '../convention/awaitable.ts'
import { type Issue, problem } from '../convention/problem.ts'
import {
  fieldOf,
  isSame,
  pickFields,
  putField,
  setField,
  unrepresentable,
} from '../convention/value.ts'
import { bodyWithInitial, type Form, validate, withInitial } from '../server/checks/body.ts'
import { judgeNoId } from '../server/checks/form.ts'
import {
  initialIssuesOfView,
  type JudgedWrite,
  judgeChangedBase,
  judgeNewBase,
} from './base-rules.ts'
import { issuesOfUnwritten, pathInItem, toViewIssue } from './problems.ts'

/** A write through a view. */
interface ViewWrite {
  readonly view: ApiConversion
  /** The operation of the base. */
  readonly operation: Operation
}

/** One item of a write. */
interface ItemWrite extends ViewWrite {
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
}

/** A base item to store, or the issues for the client of the view. */
interface Judged {
  readonly item: object
  readonly issues: readonly Issue[]
}

/** A new item as the client sent it. */
interface NewItem {
  readonly clientItem: object
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
}

/** A stored item, and the change of it. */
export interface ChangedItem {
  readonly stored: Item
  /** The stored item as the view has it. */
  readonly viewItem: Item
  /** The new item of the view: `viewItem` itself for no change. */
  readonly newItem: object
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
}

/**
 * Makes the base items of new items of a view. Judges each by the "create" of the base, whose
 * defaults apply, then all by its rule.
 *
 * @throws {ProblemError} `validation_failed`, with the issues of all items; then `forbidden`.
 * @throws {TypeError} For a value of "hidden" that the base refuses: no client can fix it.
 */
export function newBaseItems(
  newItems: readonly NewItem[],
  write: JudgedWrite & { readonly name: string },
): Awaitable<readonly object[]> {
  const items = judgeAll(newItems, (newItem) => judgeNew({ ...write, ...newItem }))
  return whenReady(items, (baseItems) => {
    judgeNewBase(baseItems, newItems, write)
    return baseItems
  })
}

/**
 * Writes changed items of a view over the stored base items: fields that the view hides stay.
 * Judges each by the "update" of the base, then all by its rule and its states.
 *
 * @throws {ProblemError} `validation_failed`, with the issues of all items; then `forbidden`; then
 *   `conflict`.
 */
export function changedBaseItems(
  changedItems: readonly ChangedItem[],
  write: JudgedWrite,
): Awaitable<readonly Item[]> {
  const items = judgeAll(changedItems, (changedItem) =>
    changedItem.newItem === changedItem.viewItem
      ? { item: changedItem.stored, issues: [] }
      : judgeChanged(changedItem, { ...write, at: changedItem.at }),
  )
  // Each has the id of the stored item.
  return whenReady(items as Awaitable<readonly Item[]>, (newItems) => {
    judgeChangedBase(newItems, changedItems, write)
    return newItems
  })
}

function judgeAll<Write>(
  writes: readonly Write[],
  judge: (write: Write) => Awaitable<Judged>,
): Awaitable<readonly object[]> {
  return whenReady(inTurn(writes, judge), (judged) => {
    const issues = judged.flatMap((result) => result.issues)
    if (issues.length > 0) throw problem('validation_failed', undefined, { issues })
    return judged.map(({ item }) => item)
  })
}

/** The write of a new item. */
interface Creation extends ItemWrite, NewItem {
  /** The name of the view. */
  readonly name: string
}

function judgeNew(creation: Creation): Awaitable<Judged> {
  const { view, at, clientItem } = creation
  const { item, faults } = view.make(clientItem)
  if (faults) return unwritten(faults, at)
  const form = formOf(item, creation, 'create')
  const untaken = untakenFields(Object.keys(item), creation, form)
  if (untaken.length > 0) return unwritten(untaken, at)
  return whenReady(validate(bodyWithInitial(item, form), form), ({ value, issues }) => {
    const newItem = { ...form.pathFields, ...value, ...form.pathFields }
    const { states } = form
    const judged = {
      item: states === undefined ? newItem : withInitial(newItem, states),
      issues: issues.map((issue) => toViewIssue(issue, creation, { schema: form.schema, item })),
    }
    if (states !== undefined && value !== undefined) {
      const isSent = !isHidden([states.field], creation)
      judged.issues.push(...initialIssuesOfView(states, { ...creation, item: judged.item, isSent }))
    }
    const hiddenIssues = issues.filter((issue) => isHidden(pathInItem(issue, at), creation))
    return hiddenIssues.length === 0
      ? judged
      : whenReady(checkInitials(item, hiddenIssues, creation), () => judged)
  })
}

// A base field may come from two fields of the view, of which the view shows one only.
function isHidden(path: readonly string[], { view, clientItem }: Creation): boolean {
  const [field] = path
  if (field === undefined || view.pathOf(path) !== undefined) return false
  return !Object.keys(clientItem).some((name) => view.sourcesOf(name).includes(field))
}

// A rule over several fields may report a hidden one although the client can fix the fault. So the
// hidden fields are judged alone.
function checkInitials(
  item: Fields,
  hiddenIssues: readonly Issue[],
  creation: Creation,
): Awaitable<void> {
  const { name, view, at } = creation
  const hiddenFields = hiddenIssues.map((issue) => `${pathInItem(issue, at)[0]}`)
  const hiddenItem = pickFields(item, hiddenFields) as Fields
  return whenReady(validate(hiddenItem, formOf(hiddenItem, creation, 'create')), ({ issues }) => {
    const initialIssue = hiddenIssues.find((issue) => hasIssue(issues, issue))
    if (initialIssue === undefined) return
    const path = pathInItem(initialIssue, at).join('.')
    throw new TypeError(
      `View "${name}" makes no item of "${view.base.name}": "create" refuses its "${path}" ` +
        `(${initialIssue.message}). Fix its "hidden".`,
    )
  })
}

function hasIssue(issues: readonly Issue[], { pointer, code }: Issue): boolean {
  return issues.some((issue) => issue.pointer === pointer && issue.code === code)
}

/**
 * Judges a changed item. An issue that the stored item has too, at a field that the write does not
 * change, is no fault of the client. No default and no transform touches such a field. A field that
 * "update" does not take stays.
 */
function judgeChanged({ newItem, stored }: ChangedItem, write: ItemWrite): Awaitable<Judged> {
  const { view, at } = write
  const { item, faults } = view.put(newItem, stored, namedIn(newItem))
  if (faults) return unwritten(faults, at)
  const names = new Set([...Object.keys(stored), ...Object.keys(item)])
  const form = formOf(item, write, 'update')
  const different = [...names].filter((name) => !isSame(fieldOf(item, name), fieldOf(stored, name)))
  const changed = different.filter((name) => isTaken(name, form))
  const sent = different.filter((name) => fieldOf(item, name) !== undefined)
  const untaken = untakenFields(sent, write, form)
  if (untaken.length > 0) return unwritten(untaken, at)
  // A view that hides nothing responds as its base would: each PUT is a write.
  if (changed.length === 0) return { item: view.isWhole ? { ...stored } : stored, issues: [] }
  return whenReady(validate(item, form), ({ value, issues }) => {
    const changedItem: Fields = { ...stored }
    // With an issue of the stored item, there is no value.
    const newValues = { ...(value ?? item), ...form.pathFields }
    for (const name of changed) putField(changedItem, name, fieldOf(newValues, name))
    return whenReady(newIssuesOf(issues, { changed, stored, write }), (newIssues) => ({
      item: changedItem,
      issues: newIssues.map((issue) => toViewIssue(issue, write, { schema: form.schema, item })),
    }))
  })
}

interface Change {
  /** The fields that the write changes. */
  readonly changed: readonly string[]
  readonly stored: object
  readonly write: ItemWrite
}

// Leaves out the issues that the stored item has, too.
function newIssuesOf(
  issues: readonly Issue[],
  { changed, stored, write }: Change,
): Awaitable<readonly Issue[]> {
  const isOfChange = (issue: Issue): boolean => {
    const [field] = pathInItem(issue, write.at)
    return field === undefined || changed.includes(field)
  }
  if (issues.every(isOfChange)) return issues
  return whenReady(validate(stored, formOf({ ...stored }, write, 'update')), (before) =>
    issues.filter((issue) => isOfChange(issue) || !hasIssue(before.issues, issue)),
  )
}

// The fields of the client that no write of the base takes. A schema drops such a field unnoticed.
function untakenFields(
  names: readonly string[],
  { view }: ItemWrite,
  form: Form,
): readonly Unwritten[] {
  return names
    .filter((name) => !isTaken(name, form))
    .flatMap((name) => view.pathOf([name]) ?? [])
    .map((field) => ({ field, message: unrepresentable }))
}

function isTaken(name: string, { schema, pathFields }: Form): boolean {
  return Object.hasOwn(pathFields, name) || takesField(schema, name)
}

function unwritten(faults: readonly Unwritten[], at: readonly PropertyKey[]): Judged {
  return { item: {}, issues: issuesOfUnwritten(faults, at) }
}

const most = 100

function formOf(item: Fields, { view, operation, at }: ItemWrite, body: 'create' | 'update'): Form {
  const { scope } = operation
  const resource: Resource = operation.resource
  const pathFields: Fields = {}
  // The owner of an item may be outside the scope: a caller can act for every owner.
  for (const name of ['id', ...Object.keys(scope), ...ownerFieldsOf(resource)]) {
    const value = fieldOf(item, name)
    if (value !== undefined) setField(pathFields, name, value)
  }
  return {
    id: undefined,
    at,
    resource,
    schema: resource[body],
    pathFields,
    scope: noScope,
    inPath: [],
    open: [],
    isPart: false,
    refused: [],
    ignored: resource.readOnly,
    isNowhere: false,
    most,
    messages: view.messages,
    states: body === 'create' ? resource.states : undefined,
    judgeId: judgeNoId,
  }
}
