import type { Fields, Unwritten, Written } from '../contract/resource/link.ts'
import { noScope, type Operation } from '../contract/resource/operation.ts'
import { type ApiConversion, ownerFieldsOf, type Resource } from '../contract/resource/resource.ts'
import { coversToken, possibleValuesAt, tokenOf } from '../contract/schema/possible-values.ts'
import type { StandardSchema } from '../contract/schema/schema.ts'
import { takesField } from '../contract/values/patch.ts'
import { type Awaitable, whenReady } from '../convention/awaitable.ts'
import { type Issue, type ProblemError, problem } from '../convention/problem.ts'
import { fieldOf, isSame, partOf, putField, setField } from '../convention/value.ts'
import { type Form, validate } from '../server/checks/body.ts'
import { judgeNoId } from '../server/checks/form.ts'
import { issueAt } from '../wire/issues.ts'
import { formatPointer, parsePointer } from '../wire/pointer.ts'
import { mustBeOneOf } from '../wire/sentence.ts'
import { pointerIn } from './problems.ts'

/** An item of a write, or the issues that its client gets. */
export interface Judged {
  readonly item: object
  readonly issues: readonly Issue[]
}

interface Judging {
  readonly view: ApiConversion
  /** The operation of the base. */
  readonly operation: Operation
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
}

/** The making of a new item. */
interface Making extends Judging {
  /** The name of the view. */
  readonly name: string
  /** The item as the client sent it. */
  readonly clientItem: object
}

const most = 100

const notTheSame = 'cannot be stored so that it reads back the same'

/**
 * Judges a new item by the "create" of the base, whose defaults apply.
 *
 * @throws {TypeError} For a value of "hidden" that the base refuses: no client can fix it.
 */
export function judgeNew(written: Written, judging: Making): Awaitable<Judged> {
  if (written.faults) return unwritten(written.faults, judging)
  const { item } = written
  const form = formOf(item, judging, 'create')
  const faults = faultsOf(Object.keys(item), judging, form)
  if (faults.length > 0) return unwritten(faults, judging)
  return whenReady(validate(item, form), ({ value, issues }) => {
    const judged = {
      item: { ...form.pathFields, ...value, ...form.pathFields },
      issues: issues.map((issue) => issueIn(issue, judging, { schema: form.schema, item })),
    }
    const hidden = issues.filter((issue) => isHidden(pathIn(issue, judging), judging))
    return hidden.length === 0
      ? judged
      : whenReady(checkInitials(item, hidden, judging), () => judged)
  })
}

// A field may come from two of the view, of which the view shows one only.
function isHidden(path: readonly string[], { view, clientItem }: Making): boolean {
  const [field] = path
  if (field === undefined || view.pathOf(path) !== undefined) return false
  return !Object.keys(clientItem).some((name) => view.sourcesOf(name).includes(field))
}

// A rule over several fields may find a fault in a hidden one that the client can fix: so the
// hidden fields are judged alone.
function checkInitials(item: Fields, hidden: readonly Issue[], judging: Making): Awaitable<void> {
  const hiddenItem = partOf(
    item,
    hidden.map((issue) => `${pathIn(issue, judging)[0]}`),
  ) as Fields
  return whenReady(validate(hiddenItem, formOf(hiddenItem, judging, 'create')), ({ issues }) => {
    const initialIssue = hidden.find(({ pointer, code }) =>
      issues.some((issue) => issue.pointer === pointer && issue.code === code),
    )
    if (initialIssue === undefined) return
    const path = pathIn(initialIssue, judging).join('.')
    throw badInitial(path, initialIssue, judging)
  })
}

function pathIn({ pointer = '' }: Issue, { at }: Judging): readonly string[] {
  return parsePointer(pointer).slice(at.length)
}

function badInitial(path: string, { message }: Issue, { name, view }: Making): TypeError {
  return new TypeError(
    `View "${name}" makes no item of "${view.base.name}": "create" refuses its "${path}" ` +
      `(${message}). Fix its "hidden".`,
  )
}

// The fields of the client that no write of the base takes. A schema drops such a field unnoticed.
function faultsOf(names: readonly string[], { view }: Judging, form: Form): readonly Unwritten[] {
  return names
    .filter((name) => !isTaken(name, form))
    .flatMap((name) => view.pathOf([name]) ?? [])
    .map((field) => ({ field, message: notTheSame }))
}

interface Refused {
  readonly schema: StandardSchema
  readonly item: Fields
}

// An issue of the base in the words of the view. A table tells which values the view allows.
function issueIn(issue: Issue, judging: Judging, { schema, item }: Refused): Issue {
  const issueInView = pointerIn(issue, judging)
  const [field = ''] = pathIn(issue, judging)
  const [viewField = ''] = judging.view.pathOf([field]) ?? []
  const table = judging.view.valuesOf(viewField)
  const values = possibleValuesAt(schema, [field])
  const isTaken = (stored: unknown): boolean => coversToken(values, tokenOf(stored))
  if (table === undefined || isTaken(fieldOf(item, field))) return issueInView
  const allowed = [...table].filter(([, stored]) => stored.some(isTaken))
  return { ...issueInView, message: mustBeOneOf(allowed.map(([value]) => value)) }
}

function isTaken(name: string, { schema, pathFields }: Form): boolean {
  return Object.hasOwn(pathFields, name) || takesField(schema, name)
}

/**
 * Judges a changed item by the "update" of the base. An issue that the stored item has too, at a
 * field that the write does not change, is no fault of its client. No default and no transform
 * touches such a field. A field that "update" does not take stays.
 */
export function judgeWritten(
  written: Written,
  stored: object,
  judging: Judging,
): Awaitable<Judged> {
  if (written.faults) return unwritten(written.faults, judging)
  const { item } = written
  const names = new Set([...Object.keys(stored), ...Object.keys(item)])
  const form = formOf(item, judging, 'update')
  const different = [...names].filter((name) => !isSame(fieldOf(item, name), fieldOf(stored, name)))
  const changed = different.filter((name) => isTaken(name, form))
  const sent = different.filter((name) => fieldOf(item, name) !== undefined)
  const faults = faultsOf(sent, judging, form)
  if (faults.length > 0) return unwritten(faults, judging)
  // A view that hides nothing answers as its base would: each PUT is a write.
  if (changed.length === 0)
    return { item: judging.view.isWhole ? { ...stored } : stored, issues: [] }
  return whenReady(validate(item, form), ({ value, issues }) => {
    const changedItem: Fields = { ...stored }
    // With an issue that is not this client's, there is no value.
    const newValues = { ...(value ?? item), ...form.pathFields }
    for (const name of changed) putField(changedItem, name, fieldOf(newValues, name))
    return whenReady(newIssuesOf(issues, { changed, stored, judging }), (newIssues) => ({
      item: changedItem,
      issues: newIssues.map((issue) => issueIn(issue, judging, { schema: form.schema, item })),
    }))
  })
}

interface Old {
  /** The fields that the write changes. */
  readonly changed: readonly string[]
  readonly stored: object
  readonly judging: Judging
}

// Leaves out the issues that the stored item has, too.
function newIssuesOf(
  issues: readonly Issue[],
  { changed, stored, judging }: Old,
): Awaitable<readonly Issue[]> {
  const isOwn = ({ pointer = '' }: Issue): boolean => {
    const [field] = parsePointer(pointer).slice(judging.at.length)
    return field === undefined || changed.includes(field)
  }
  if (issues.every(isOwn)) return issues
  const form = formOf({ ...stored }, judging, 'update')
  return whenReady(validate(stored, form), (before) => {
    const isOld = ({ pointer, code }: Issue): boolean =>
      before.issues.some((issue) => issue.pointer === pointer && issue.code === code)
    return issues.filter((issue) => isOwn(issue) || !isOld(issue))
  })
}

function unwritten(faults: readonly Unwritten[], { at }: Judging): Judged {
  const code = 'unrepresentable'
  const issues = [...new Map(faults.map((fault) => [fault.field, fault])).values()].map(
    ({ field, message }) => issueAt(at, field, { code, message }),
  )
  // If the view shows none of the fields, the whole item is at fault.
  const itemIssue = { code, message: notTheSame, pointer: formatPointer(at) }
  return { item: {}, issues: issues.length > 0 ? issues : [itemIssue] }
}

function formOf(item: Fields, { view, operation, at }: Judging, body: 'create' | 'update'): Form {
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
    judgeId: judgeNoId,
  }
}

/** Returns the items, or throws the issues of all of them. */
export function itemsOrThrow(judged: readonly Judged[]): readonly object[] {
  const issues = judged.flatMap((result) => result.issues)
  if (issues.length > 0) throw faultyBody(issues)
  return judged.map(({ item }) => item)
}

function faultyBody(issues: readonly Issue[]): ProblemError {
  return problem('validation_failed', undefined, { issues })
}
