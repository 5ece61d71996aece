import { noScope, type Scope } from '../../contract/resource/operation.ts'
import type { SchemaResult } from '../../contract/schema/schema.ts'
import { validateBy } from '../../contract/schema/validate.ts'
import { takesField } from '../../contract/values/patch.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { type Issue, type ProblemError, problem, quote } from '../../convention/problem.ts'
import { fieldOf } from '../../convention/value.ts'
import type { BodyRules } from '../../wire/body.ts'
import { fieldOfIssue, issueAt, issuesOfSchema } from '../../wire/issues.ts'
import { faultsOfOwners, type OpenOwner, pathFieldsWith } from '../../wire/owners.ts'
import { formatPointer } from '../../wire/pointer.ts'

/** An item of a body, valid by its schema. The core has not compared it with stored items yet. */
export interface Draft {
  /** As the client sent it. */
  readonly body: object
  /** As the schema gave it, with the scope's fields and, where it is known, the id. */
  readonly item: object
  /** `undefined` for a new item, and for a value that is no id of this resource. */
  readonly id: string | number | undefined
  /** The path of the item in the body; empty for the body itself. */
  readonly at: readonly PropertyKey[]
}

/** The rules for one item of a body. */
export interface Form extends BodyRules, Pick<Draft, 'id' | 'at'> {
  /** The values of fields that the path and the caller decide: the id, the scope. */
  readonly pathFields: Readonly<Record<string, unknown>>
  /** The path fields that the body must not contradict. */
  readonly scope: Scope
  /** The owner fields that neither the path nor the caller's scope decides. */
  readonly open: readonly OpenOwner[]
  /** The path names no item, so issues about its fields are no fault of the body. */
  readonly isNowhere: boolean
  /** The most issues of the schema to return. */
  readonly most: number
  /** Judges the id of a body. The item is undefined where the schema refuses it. */
  judgeId(body: object, item: object | undefined, form: Form): readonly Issue[]
}

/** The drafts of a body; fewer than its items where there are issues. */
export interface BodyDrafts {
  readonly drafts: readonly Draft[]
  readonly issues: readonly Issue[]
}

/** The result of a schema. */
interface SchemaVerdict {
  /** As the schema gave it; `undefined` where there are issues. */
  readonly value: object | undefined
  readonly issues: readonly Issue[]
}

/** An object of a body, on its way through the schema. */
interface Attempt {
  /** The body without the fields that the schema need not see. */
  readonly input: object
  readonly form: Form
}

const none: readonly never[] = Object.freeze([])

/** Validates one item of a body, and adds the fields that the path gives. */
export function readDraft(body: unknown, form: Form): Awaitable<BodyDrafts> {
  const { at, id } = form
  if (!isObject(body)) return { drafts: [], issues: [notAnObject(at)] }
  const faults = faultsOfFields(body, form)
  const pathFields = form.open.length === 0 ? form.pathFields : pathFieldsWith(body, form)
  const { states } = form
  const input = states === undefined ? body : bodyWithInitial(body, form)
  return whenReady(validate(input, form), ({ value, issues }) => {
    if (value === undefined) {
      return { drafts: [], issues: [...form.judgeId(body, undefined, form), ...faults, ...issues] }
    }
    // The path fields come first, with their own values. A spread of none is not free.
    const isKnown = Object.keys(pathFields).some((field) => Object.hasOwn(value, field))
    const filled = pathFields === noScope ? { ...value } : { ...pathFields, ...value }
    const merged = isKnown ? { ...filled, ...pathFields } : filled
    const item = states === undefined ? merged : withInitial(merged, states)
    const stateIssues = states === undefined ? none : issuesOfInitial(item, at, states)
    const idIssues = form.judgeId(body, item, form)
    const isValid = idIssues.length + faults.length + stateIssues.length === 0
    return {
      drafts: [{ body, item, id, at }],
      issues: isValid ? none : [...idIssues, ...faults, ...stateIssues],
    }
  })
}

/**
 * Validates one item by its schema.
 *
 * A schema may know the path fields (an item has an id) or not (the path has it). It gets the
 * item without them first, then with those that it misses.
 */
export function validate(body: object, form: Form): Awaitable<SchemaVerdict> {
  const { open } = form
  const fullForm = open.length === 0 ? form : { ...form, pathFields: pathFieldsWith(body, form) }
  const { pathFields, refused, ignored } = fullForm
  const hasSetFields = pathFields !== noScope || refused.length > 0 || ignored.length > 0
  const input = hasSetFields ? withoutSetFields(body, fullForm) : body
  return validateWith(input, none, { input, form: fullForm })
}

/** Makes the problem of the issues of a body. */
export function invalid(issues: readonly Issue[]): ProblemError {
  const isReserved = issues.some(({ code }) => code === 'reserved_id')
  return problem(isReserved ? 'reserved_id' : 'validation_failed', undefined, { issues })
}

/** Tells whether the value of a body is an object, and no array. */
export function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

/** Makes the issue of an item of a body that is no object. */
export function notAnObject(at: readonly PropertyKey[]): Issue {
  return { pointer: formatPointer(at), code: 'invalid_type', message: 'must be an object' }
}

// Adds only the fields that the schema misses: a strict one may refuse the others.
function validateWith(
  item: object,
  added: readonly string[],
  attempt: Attempt,
): Awaitable<SchemaVerdict> {
  const { form } = attempt
  return whenReady(validateSafely(form.schema, item), (result) => {
    if (!result.issues) return toVerdict(result, attempt)
    const faulty = new Set(result.issues.map(fieldOfIssue))
    const missed = Object.keys(form.pathFields).filter(
      (field) => faulty.has(field) && !added.includes(field),
    )
    if (missed.length > 0) {
      const additions = Object.fromEntries(missed.map((field) => [field, form.pathFields[field]]))
      return validateWith({ ...additions, ...item }, [...added, ...missed], attempt)
    }
    const last = faulty.has(undefined) ? validateWithMore(item, form, result) : result
    return whenReady(last, (result) => toVerdict(result, attempt))
  })
}

// No message may name a field that the client cannot send.
function judgedItem(form: Form, body: object) {
  const { resource, refused, ignored } = form
  return { ...form, body, hidden: [...resource.restricted, ...refused, ...ignored] }
}

function toVerdict(result: SchemaResult<object>, { input, form }: Attempt): SchemaVerdict {
  const issues = result.issues
    ? issuesOfSchema(result.issues, judgedItem(form, input)).slice(0, form.most)
    : none
  if (issues.length > 0) return { value: undefined, issues }
  // Without an issue of its own, the fault is the path's. A later step finds it.
  const value = result.issues ? input : result.value
  if (isObject(value)) return { value, issues }
  throw new TypeError('The schema of an item returned no object: an item is an object.')
}

// An issue of the whole item, from alternatives or a rule about several fields, names no field.
function validateWithMore(
  item: object,
  { schema, scope, pathFields }: Form,
  refusal: SchemaResult<object>,
): Awaitable<SchemaResult<object>> {
  const more = [...new Set([scope, pathFields])].filter((fields) =>
    Object.keys(fields).some((field) => !Object.hasOwn(item, field)),
  )
  const results = inTurn(more, (fields) => validateSafely(schema, { ...fields, ...item }))
  return whenReady(results, (all) => all.find(({ issues }) => !issues) ?? refusal)
}

// Validators read inherited fields too. If `Object.prototype` has some, the core passes items
// without a prototype.
function validateSafely(schema: Form['schema'], item: object): Awaitable<SchemaResult<object>> {
  for (const _ in {}) return validateBy(schema, withoutPrototypes(item))
  return validateBy(schema, item)
}

function withoutPrototypes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutPrototypes)
  const parts = Object.entries(value).map(([field, member]) => [field, withoutPrototypes(member)])
  return Object.assign(Object.create(null), Object.fromEntries(parts))
}

// Copies a body only where a field has to go: a body may have many fields.
function withoutSetFields(body: object, { pathFields, refused, ignored }: Form): object {
  let copy: Readonly<Record<string, unknown>> = Object(body)
  for (const fields of [Object.keys(pathFields), refused, ignored]) {
    for (const field of fields) {
      if (!Object.hasOwn(copy, field)) continue
      const { [field]: _, ...remaining } = copy
      copy = remaining
    }
  }
  return copy
}

/**
 * Returns the issues of fields that the client must leave out, that contradict the path or the
 * caller, and of owners that it must name.
 */
export function faultsOfFields(body: object, form: Form): readonly Issue[] {
  const { refused, scope, at, open } = form
  if (refused.length === 0 && scope === noScope && open.length === 0) return none
  const readOnly = refused.filter((field) => Object.hasOwn(body, field))
  const mismatches = Object.keys(scope).filter(
    (field) => Object.hasOwn(body, field) && fieldOf(body, field) !== scope[field],
  )
  return [
    ...readOnly.map((field) =>
      issueAt(at, field, { code: 'read_only', message: 'is set by the server: leave it out' }),
    ),
    ...mismatches.map((field) => {
      const where = form.inPath.includes(field) ? 'as in the path' : 'as for all of your items'
      const message = `must be ${quote(String(scope[field]))}, ${where}, or left out`
      return issueAt(at, field, { code: 'scope_mismatch', message })
    }),
    ...(open.length === 0 ? none : faultsOfOwners(body, form)),
  ]
}

/** Makes the issue of a new item in another state than the first. */
export function issueOfInitial(at: readonly PropertyKey[], field: string, initial: string): Issue {
  const message = `must be ${initial}, in which an item begins, or left out`
  return { ...issueAt(at, field, { code: 'state', message }), allowed: [initial] }
}

/** Returns the issue of a new item that does not begin in the first state. */
function issuesOfInitial(
  item: object,
  at: readonly PropertyKey[],
  { field, initial }: NonNullable<BodyRules['states']>,
): readonly Issue[] {
  return fieldOf(item, field) === initial ? none : [issueOfInitial(at, field, initial)]
}

/** Gives a new item the first state, where it has none. */
export function withInitial(
  item: object,
  { field, initial }: NonNullable<BodyRules['states']>,
): object {
  return fieldOf(item, field) === undefined ? { ...item, [field]: initial } : item
}

/** Gives the first state to the body of a new item, so that a schema may require one. */
export function bodyWithInitial(
  body: object,
  { states, schema }: Pick<BodyRules, 'states' | 'schema'>,
): object {
  const isTaken = states !== undefined && takesField(schema, states.field)
  return isTaken ? withInitial(body, states) : body
}
