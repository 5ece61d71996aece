import { type Awaitable, inTurn, whenReady } from '../../model/awaitable.ts'
import { fieldOf, type Scope } from '../../model/operation.ts'
import { type Issue, quote } from '../../model/problem.ts'
import type { SchemaIssue, SchemaResult, StandardSchema } from '../../model/schema.ts'
import { formatPointer } from '../../wire/pointer.ts'

/** What one item of a body is validated against. */
export interface Form {
  readonly schema: StandardSchema<unknown, object>
  /** Fields that the path has already given: the id, the scope. */
  readonly given: Readonly<Record<string, unknown>>
  /** Given fields that the body must not contradict. */
  readonly scope: Scope
  /** Fields that must not be sent. */
  readonly refused: readonly string[]
  /** Fields that are judged later. */
  readonly ignored: readonly string[]
  /** The path names nothing: what it gives is no id, and not the body's fault. */
  readonly isNowhere: boolean
  /** Where in the body the item stands. */
  readonly at: readonly PropertyKey[]
  /** How many issues are told at most. */
  readonly most: number
}

/** What came of it. */
export interface Filled {
  /** As it was sent; `undefined` when it is no object. */
  readonly body: object | undefined
  /** With the given fields written in; `undefined` when the schema refused it. */
  readonly item: object | undefined
  readonly issues: readonly Issue[]
  readonly at: readonly PropertyKey[]
}

/**
 * Validates one item of a body and writes in what the path has given.
 *
 * A schema may know the given fields (a whole item has an id) or not (the path says it): it is shown the item without
 * them first, then with those it misses.
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
    // Nothing is wrong with what was sent: the path is at fault, and is answered for when its turn comes.
    if (found.length === 0) return { body, item: { ...own, ...given }, issues, at }
    return { body, item: undefined, issues: [...issues, ...found], at }
  })
}

// First of all in their order, whatever the schema has made of them.
function withGiven(item: object, given: Form['given']): object {
  return isEmpty(given) ? { ...item } : { ...given, ...item, ...given }
}

const noIssues: readonly Issue[] = Object.freeze([])

function isEmpty(fields: object): boolean {
  for (const _ in fields) return false
  return true
}

// Only what the schema misses is added, since a strict one may know some of the given fields and refuse the others.
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

// A refusal of the item as a whole, by alternatives or a rule about several fields, does not say what is missed.
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

// Validators look at what an object inherits too: where somebody has written to the prototype of all, theirs have none.
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

// Copied only where something has to go: a body may have as many fields as its limit holds.
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
  throw new TypeError('The schema of an item gave something else than an object: an item is one.')
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
  // A validator that refuses must have a reason, but some do not tell it.
  if (issues.length === 0) {
    return [{ pointer: formatPointer(at), code: 'invalid', message: 'is not valid' }]
  }
  const fields: readonly unknown[] = isNowhere ? Object.keys(given) : []
  const own = issues.filter((issue) => !fields.includes(fieldAt(issue)))
  return own.flatMap((issue) => toIssues(issue, at, most))
}

// The field of the item that an issue is about or inside of; `undefined` for the item as a whole.
function fieldAt({ path }: SchemaIssue): PropertyKey | undefined {
  return path?.map(keyOf)[0]
}

function toIssues(issue: SchemaIssue, at: readonly PropertyKey[], most: number): Issue[] {
  const path = [...at, ...(issue.path ?? []).map(keyOf)]
  const code = 'code' in issue && typeof issue.code === 'string' ? issue.code : 'invalid'
  const { message } = issue
  // zod names the keys it does not know beside the path of the object that holds them.
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
