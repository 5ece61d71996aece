import { type Awaitable, inTurn, whenReady } from '../../model/awaitable.ts'
import { fieldOf, type Scope } from '../../model/operation.ts'
import { type Issue, quote } from '../../model/problem.ts'
import type { SchemaIssue, SchemaResult, StandardSchema } from '../../model/schema.ts'
import { formatPointer } from '../../wire/pointer.ts'

/** The rules for one item of a body. */
export interface Form {
  readonly schema: StandardSchema<unknown, object>
  /** The fields that the path gives: the id, the scope. */
  readonly given: Readonly<Record<string, unknown>>
  /** The given fields that the body must not contradict. */
  readonly scope: Scope
  /** The fields that the client must leave out. */
  readonly refused: readonly string[]
  /** The fields that the core judges later. */
  readonly ignored: readonly string[]
  /** The path names no item, so issues about its fields are no fault of the body. */
  readonly isNowhere: boolean
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
  /** The most issues to return. */
  readonly most: number
}

/** The result of {@link fillIn}. */
export interface Filled {
  /** As the client sent it; `undefined` for a value that is no object. */
  readonly body: object | undefined
  /** With the given fields; `undefined` where the schema refuses it. */
  readonly item: object | undefined
  readonly issues: readonly Issue[]
  readonly at: readonly PropertyKey[]
}

/**
 * Validates one item of a body, and adds the fields that the path gives.
 *
 * A schema may know the given fields (a whole item has an id) or not (the path has it). It gets the
 * item without them first, then with those that it misses.
 */
export function fillIn(body: unknown, form: Form): Awaitable<Filled> {
  const { given, at } = form
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const issue = { pointer: formatPointer(at), code: 'invalid_type', message: 'is not an object' }
    return { body: undefined, item: undefined, issues: [issue], at }
  }
  const issues = faultsOfFields(body, form)
  const own = without(body, form)
  return whenReady(show(own, form, []), (result) => {
    if (!result.issues) return { body, item: withGiven(checked(result), given), issues, at }
    const found = issuesOf(result.issues, form).slice(0, form.most)
    // The body has no issue of its own. A later step finds the fault of the path.
    if (found.length === 0) return { body, item: { ...own, ...given }, issues, at }
    return { body, item: undefined, issues: [...issues, ...found], at }
  })
}

// The given fields come first, with their own values.
function withGiven(item: object, given: Form['given']): object {
  return isEmpty(given) ? { ...item } : { ...given, ...item, ...given }
}

const noIssues: readonly Issue[] = Object.freeze([])

function isEmpty(fields: object): boolean {
  for (const _ in fields) return false
  return true
}

// Adds only the fields that the schema misses: a strict one may refuse the others.
function show(item: object, form: Form, added: readonly string[]): Awaitable<SchemaResult<object>> {
  return whenReady(ask(form.schema, item), (result) => {
    if (!result.issues) return result
    const faulty = new Set(result.issues.map(fieldAt))
    const missed = Object.keys(form.given).filter(
      (field) => faulty.has(field) && !added.includes(field),
    )
    if (missed.length === 0) return faulty.has(undefined) ? showMore(item, form, result) : result
    const given = Object.fromEntries(missed.map((field) => [field, form.given[field]]))
    return show({ ...given, ...item }, form, [...added, ...missed])
  })
}

// An issue of the whole item, from alternatives or a rule about several fields, names no field.
function showMore(
  item: object,
  { schema, scope, given }: Form,
  refusal: SchemaResult<object>,
): Awaitable<SchemaResult<object>> {
  const more = [...new Set([scope, given])].filter((fields) =>
    Object.keys(fields).some((field) => !Object.hasOwn(item, field)),
  )
  const results = inTurn(more, (fields) => ask(schema, { ...fields, ...item }))
  return whenReady(results, (all) => all.find(({ issues }) => !issues) ?? refusal)
}

// Validators read inherited fields too. Where `Object.prototype` has some, items get no prototype.
function ask(schema: Form['schema'], item: object): Awaitable<SchemaResult<object>> {
  return schema['~standard'].validate(isPolluted() ? bare(item) : item)
}

function isPolluted(): boolean {
  return !isEmpty({})
}

function bare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(bare)
  const parts = Object.entries(value).map(([field, part]) => [field, bare(part)])
  return Object.assign(Object.create(null), Object.fromEntries(parts))
}

// Copies a body only where a field has to go: a body may have many fields.
function without(body: object, { given, refused, ignored }: Form): object {
  let kept: Readonly<Record<string, unknown>> = Object(body)
  for (const field of [...Object.keys(given), ...refused, ...ignored]) {
    if (!Object.hasOwn(kept, field)) continue
    const { [field]: _, ...others } = kept
    kept = others
  }
  return kept
}

function checked({ value }: { readonly value: object }): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new TypeError('The schema of an item returned no object: an item is an object.')
}

function faultsOfFields(body: object, { refused, scope, at }: Form): readonly Issue[] {
  if (refused.length === 0 && isEmpty(scope)) return noIssues
  const readOnly = refused.filter((field) => Object.hasOwn(body, field))
  const others = Object.keys(scope).filter(
    (field) => Object.hasOwn(body, field) && fieldOf(body, field) !== scope[field],
  )
  if (readOnly.length === 0 && others.length === 0) return noIssues
  return [
    ...readOnly.map((field) => ({
      pointer: formatPointer([...at, field]),
      code: 'read_only',
      message: 'is set by the server only',
    })),
    ...others.map((field) => ({
      pointer: formatPointer([...at, field]),
      code: 'scope_mismatch',
      message: `is not ${quote(String(scope[field]))}, which the path says`,
    })),
  ]
}

function issuesOf(issues: readonly SchemaIssue[], { given, isNowhere, at, most }: Form): Issue[] {
  // Some validators refuse without an issue.
  if (issues.length === 0) {
    return [{ pointer: formatPointer(at), code: 'invalid', message: 'is not valid' }]
  }
  const fields: readonly unknown[] = isNowhere ? Object.keys(given) : []
  const own = issues.filter((issue) => !fields.includes(fieldAt(issue)))
  return own.flatMap((issue) => toIssues(issue, at, most))
}

// The field of the item that an issue is about; `undefined` for the whole item.
function fieldAt({ path }: SchemaIssue): PropertyKey | undefined {
  return path?.map(keyOf)[0]
}

function toIssues(issue: SchemaIssue, at: readonly PropertyKey[], most: number): Issue[] {
  const path = [...at, ...(issue.path ?? []).map(keyOf)]
  const code = 'code' in issue && typeof issue.code === 'string' ? issue.code : 'invalid'
  const { message } = issue
  // zod names unknown keys beside the path of their object.
  const keys =
    'keys' in issue && Array.isArray(issue.keys) ? issue.keys.slice(0, most).map(String) : []
  if (keys.length === 0) return [{ pointer: formatPointer(path), code, message }]
  return keys.map((key) => ({
    pointer: formatPointer([...path, key]),
    code,
    message: 'is not a field that can be sent',
  }))
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): PropertyKey {
  return typeof segment === 'object' ? segment.key : segment
}
