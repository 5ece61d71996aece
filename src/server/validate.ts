import { type Awaitable, inTurn, nextTurn, whenReady } from '../model/awaitable.ts'
import { type Limits, operations } from '../model/convention.ts'
import { idFor, isId } from '../model/id.ts'
import { fieldOf } from '../model/operation.ts'
import { bulkTooLarge, type Issue, type ProblemError, problem } from '../model/problem.ts'
import type { Resource } from '../model/resource.ts'
import { readBody, refuseBody, takeBody } from '../wire/body.ts'
import type { Draft, Errand } from './errand.ts'
import { type Filled, type Form, fillIn } from './form.ts'
import type { RequestedOperation } from './operation.ts'

interface Validation {
  /** One; none when there are issues that left nothing to draft. */
  readonly drafts: readonly Draft[]
  readonly issues: readonly Issue[]
}

/**
 * Reads and validates the body of an operation, one draft an item, none where no body belongs; then goes on.
 *
 * @throws {ProblemError} What {@link takeBody}, {@link readBody} and {@link refuseBody} throw, `request_timeout`, `bulk_too_large`, and
 *   `validation_failed` or `reserved_id` with every fault of every item in `issues`.
 */
export function validate<Next>(
  errand: Errand,
  next: (errand: Errand) => Awaitable<Next>,
): Awaitable<Next> {
  const { operation, exchange } = errand
  if (operations[operation.kind].takes !== 'nothing') return validateBody(errand, next)
  const refused = refuseBody(exchange.request)
  if (refused !== undefined) return goOnAfter(refused, errand, next)
  errand.drafts = noDrafts
  return next(errand)
}

const noDrafts: readonly Draft[] = Object.freeze([])

function goOnAfter<Next>(
  refused: Awaitable<void>,
  errand: Errand,
  next: (errand: Errand) => Awaitable<Next>,
): Awaitable<Next> {
  return whenReady(refused, () => {
    errand.drafts = noDrafts
    return next(errand)
  })
}

function validateBody<Next>(
  errand: Errand,
  next: (errand: Errand) => Awaitable<Next>,
): Awaitable<Next> {
  const { operation, exchange } = errand
  const { request, registry } = exchange
  const { limits } = registry
  return exchange.arrival(takeBody(request, limits), (content) => {
    const body = readBody(content, limits)
    const look = operations[operation.kind].takes === 'item' ? validateItem : validateItems
    return whenReady(look(body, operation, limits), ({ drafts, issues }) => {
      if (issues.length > 0) throw invalid(issues)
      errand.drafts = drafts
      return next(errand)
    })
  })
}

function invalid(issues: readonly Issue[]): ProblemError {
  const isReserved = issues.some(({ code }) => code === 'reserved_id')
  return problem(isReserved ? 'reserved_id' : 'validation_failed', undefined, { issues })
}

function validateItem(
  body: unknown,
  operation: RequestedOperation,
  limits: Limits,
): Awaitable<Validation> {
  const { kind, id, resource } = operation
  const form = formFor(operation, { id, at: [], most: limits.issues })
  if (kind === 'update') return whenReady(fillIn(body, form), (filled) => toValidation(filled, id))
  return whenReady(fillIn(body, form), (filled) => {
    const faults = faultsOfNewId(body, filled.item, resource)
    return toValidation(filled, undefined, faults)
  })
}

function validateItems(
  body: unknown,
  operation: RequestedOperation,
  limits: Limits,
): Awaitable<Validation> {
  if (!Array.isArray(body)) {
    throw invalid([{ pointer: '', code: 'invalid_type', message: 'is not an array of items' }])
  }
  if (body.length > limits.bulk) throw bulkTooLarge(limits.bulk)
  const seen = new Set<unknown>()
  const drafts: Draft[] = []
  const issues: Issue[] = []
  // One after another: a validator that asks a database is not to ask it a thousand times at once.
  const looked = inTurn([...body.entries()], ([place, item]) => {
    const look = (): Awaitable<unknown> => {
      // That something is wrong with an item is told of each, but no more than can be answered.
      const most = Math.max(1, limits.issues - issues.length)
      return whenReady(validateOneOf(item, operation, { place, seen, most }), (one) => {
        drafts.push(...one.drafts)
        issues.push(...one.issues)
      })
    }
    return place > 0 && place % itemsATurn === 0 ? nextTurn().then(look) : look()
  })
  return whenReady(looked, () => ({ drafts, issues }))
}

// Others are served meanwhile: a thousand items may take a validator 20 milliseconds.
const itemsATurn = 100

function validateOneOf(
  body: unknown,
  operation: RequestedOperation,
  {
    place,
    seen,
    most,
  }: { readonly place: number; readonly seen: Set<unknown>; readonly most: number },
): Awaitable<Validation> {
  const sent = typeof body === 'object' && body !== null ? fieldOf(body, 'id') : undefined
  const id = idOf(sent, operation.resource)
  const form = formFor(operation, { id: id ?? sent, at: [place], most })
  const message = faultOfSentId(sent, id, seen.has(sent))
  seen.add(sent)
  const issues: Issue[] =
    message === undefined ? [] : [{ pointer: `/${place}/id`, code: 'invalid_id', message }]
  return whenReady(fillIn(body, form), (filled) =>
    toValidation(filled, id, filled.body ? issues : []),
  )
}

// Not every value has a text: JSON can hold an object whose `toString` is a number.
function idOf(sent: unknown, resource: Resource): string | number | undefined {
  return typeof sent === 'string' || typeof sent === 'number'
    ? idFor(resource, String(sent))
    : undefined
}

function faultOfSentId(sent: unknown, id: unknown, isRepeated: boolean): string | undefined {
  if (sent === undefined) return 'is missing'
  if (typeof sent !== 'string' && typeof sent !== 'number')
    return 'is no id: an id is text or a number'
  // An id that looks right but names nothing is an unknown id, which is found out later.
  if (id !== undefined && id !== sent) return `is no id: an id of this resource is a ${typeof id}`
  return isRepeated ? 'is the id of another item too' : undefined
}

// What is said twice must agree: an id in the body is judged before the schema has its say, since it may not know ids at all.
function faultsOfNewId(
  body: unknown,
  item: object | undefined,
  resource: Resource,
): readonly Issue[] {
  const sent = typeof body === 'object' && body !== null ? fieldOf(body, 'id') : undefined
  if (typeof sent === 'string' && !isId(sent)) {
    return [{ pointer: '/id', code: 'reserved_id', message: 'is an id that no item can have' }]
  }
  const id = item === undefined ? undefined : fieldOf(item, 'id')
  if (id === undefined || idOf(id, resource) === id) return []
  return [{ pointer: '/id', code: 'invalid_id', message: 'is no id of this resource' }]
}

interface Asked extends Pick<Form, 'at' | 'most'> {
  readonly id: unknown
}

function formFor(operation: RequestedOperation, { id, at, most }: Asked): Form {
  const { kind, resource, scope } = operation
  const isNew = kind === 'create'
  return {
    schema: isNew ? resource.create : resource.update,
    given: isNew ? scope : { id, ...scope },
    scope,
    // The server's own fields: a new item cannot have them, an old one may bring them back.
    refused: isNew ? resource.readOnly : noFields,
    ignored: isNew ? noFields : resource.readOnly,
    isNowhere: operation.isNowhere(),
    at,
    most,
  }
}

const noFields: readonly string[] = Object.freeze([])

function toValidation(
  { body, item, at, issues }: Filled,
  id: string | number | undefined,
  faults: readonly Issue[] = [],
): Validation {
  return {
    drafts: body && item ? [{ body, item, at, id }] : [],
    issues: faults.length === 0 ? issues : [...faults, ...issues],
  }
}
