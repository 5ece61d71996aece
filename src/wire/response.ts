import type { Target } from '../contract/resource/api.ts'
import type { HttpResponse } from '../contract/resource/http.ts'
import type { Groups, Outcome, Query } from '../contract/resource/operation.ts'
import { creatingKindOf } from '../convention/kinds.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { jsonType } from './body.ts'
import { exactCount } from './conditions.ts'
import { formatETags, tagOf } from './etag.ts'
import { formatNextLink, parseNextLink } from './page.ts'
import { formatPath } from './path.ts'
import { parseProblem } from './problem.ts'

/** The outcome in a response; a list is whole. */
export type ReceivedOutcome =
  | Exclude<Outcome, { readonly gives: 'items' }>
  | {
      readonly gives: 'items'
      readonly items: readonly object[]
      readonly next?: string | undefined
      readonly total?: number | undefined
    }

/** The operation that a response belongs to. */
export interface AnsweredOperation {
  readonly kind: OperationKind
  readonly target: Target
  readonly query: Query
  /** A path prefix that a host cut off; `''` for none. */
  readonly base: string
  /** The client asked for the number of all matching items. Default: false. */
  readonly isCounted?: boolean | undefined
  /** The server created the item before, for the same key. Default: false. */
  readonly isReplayed?: boolean | undefined
  /** The server stored nothing. Default: false. */
  readonly isDryRun?: boolean | undefined
}

/**
 * Writes the outcome of an operation as a response. The inverse of {@link parseResponse}.
 *
 * @see docs/requests.md, C3.3 to C3.11
 */
export function formatResponse(outcome: Outcome, operation: AnsweredOperation): HttpResponse {
  const status = operation.isDryRun ? 200 : operations[operation.kind].status
  switch (outcome.gives) {
    case 'items':
      return { status, headers: headersOfItems(outcome, operation), body: outcome.items }
    case 'item': {
      const { kind, target, isDryRun } = operation
      const hasTag = target.collection.resource.revision !== undefined
      const isPlain = isDryRun || (kind !== 'create' && !hasTag)
      const headers = isPlain ? jsonHeaders : headersOfItem(outcome.item, operation)
      return { status, headers, body: outcome.item }
    }
    case 'count':
      return { status, headers: jsonHeaders, body: bodyOfCount(outcome) }
    case 'deleted':
      return { status, headers: jsonHeaders, body: { deleted: outcome.deleted } }
  }
}

/** The facts of a request that its kind leaves open. */
export interface SentRequest {
  /** The body is an array, so that the response has items. Default: false. */
  readonly isMany?: boolean
  /** The server stores nothing: an item may lack its id and other fields. Default: false. */
  readonly isDryRun?: boolean
}

/**
 * Reads the outcome of an operation from its response. The inverse of {@link formatResponse}.
 *
 * @throws {ProblemError} The problem in the response.
 * @throws {UnexpectedResponse} For a response that no server of this convention sends.
 */
export function parseResponse(
  response: ReceivedResponse,
  kind: OperationKind,
  { isMany, isDryRun }: SentRequest = {},
): ReceivedOutcome {
  const { body, status } = response
  const row = operations[kind]
  const gives = isMany ? 'items' : row.gives
  const expected = isDryRun ? 200 : row.status
  const isFit = isDryRun ? isRecord : isItem
  const value = gives === 'item' ? body : fieldOf(Object(body), gives)
  const problem = parseProblem(response)
  // A gateway has changed a problem whose status differs.
  if (problem?.status === status) throw problem
  // A dry run creates nothing.
  const creating = isDryRun ? undefined : creatingKindOf(kind)
  if (status === expected || (creating && status === operations[creating].status)) {
    if (gives === 'items') {
      if (Array.isArray(body) && body.every(isFit)) {
        return { gives, items: body, next: nextOf(response), total: totalOf(response) }
      }
    } else if (gives === 'item' ? isFit(body) : Number.isSafeInteger(value)) {
      const { groups, more }: Partial<Groups> = gives === 'count' ? Object(body) : {}
      const counted = Array.isArray(groups) && groups.every(isRecord) ? { groups, more } : {}
      return { gives, [gives]: value, ...counted } as ReceivedOutcome
    }
  }
  throw new UnexpectedResponse(response)
}

function bodyOfCount({ count, groups, more }: { readonly count: number } & Partial<Groups>) {
  if (groups === undefined) return { count }
  return more ? { count, groups, more } : { count, groups }
}

function isItem(value: unknown): value is object {
  return ['string', 'number'].includes(typeof fieldOf(Object(value), 'id'))
}

const jsonHeaders: Readonly<Record<string, string>> = /* @__PURE__ */ Object.freeze({
  'content-type': jsonType,
})

function headersOfItems(
  { next, total }: Extract<Outcome, { readonly gives: 'items' }>,
  { target, query, base, isCounted }: AnsweredOperation,
): HttpResponse['headers'] {
  if (next === undefined && total === undefined) return jsonHeaders
  const headers: Record<string, string> = { 'content-type': jsonType }
  if (next !== undefined) headers.link = formatNextLink(next, { base, query, target })
  if (total === undefined) return headers
  headers['x-total-count'] = `${total}`
  if (isCounted !== true) return headers
  headers['preference-applied'] = exactCount
  headers.vary = 'Prefer'
  return headers
}

function headersOfItem(
  item: object,
  { kind, target, query, base, isReplayed }: AnsweredOperation,
): HttpResponse['headers'] {
  const { revision } = target.collection.resource
  // A part of an item must not pass If-Match.
  const version = query.fields === undefined ? revision : undefined
  const headers: Record<string, string> = { 'content-type': jsonType }
  if (kind === 'create') {
    const { collection, parents } = target
    const id = String(fieldOf(item, 'id'))
    if (isReplayed) headers['idempotency-replayed'] = 'true'
    headers.location = base + formatPath({ kind: 'item', collection, parents, id })
  }
  const tag = version === undefined ? undefined : tagOf(fieldOf(item, version))
  if (tag !== undefined) headers.etag = formatETags([tag])
  return headers
}

function totalOf({ headers }: ReceivedResponse): number | undefined {
  const { 'x-total-count': total = '' } = headers
  return /^\d{1,15}$/.test(total) ? Number(total) : undefined
}

function nextOf(response: ReceivedResponse): string | undefined {
  try {
    return parseNextLink(response.headers.link ?? '')
  } catch {
    throw new UnexpectedResponse(response)
  }
}

/** A response as it arrived: of any status, since a gateway can respond too. */
export type ReceivedResponse = Omit<HttpResponse, 'status'> & {
  readonly status: number
  /** The text of `body`, if it was text. */
  readonly text?: string
}

const brand = Symbol.for('nounful.unexpected')

/**
 * A response that no server of this convention sends: the page of a gateway or a captive portal,
 * JSON of another shape. It carries the whole response.
 */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse'
  declare readonly status: number
  /** By lower-case name. */
  declare readonly headers: Readonly<Record<string, string>>
  /** The whole body, as text. */
  declare readonly body: string

  constructor(
    { status, headers, body, text = JSON.stringify(body) ?? '' }: ReceivedResponse,
    fault = 'No answer of the api',
  ) {
    super(`${fault}: ${status} ${text.slice(0, 80)}`)
    this.status = status
    this.headers = headers
    this.body = text
  }

  // A brand instead of `instanceof`, so that two copies of the package know each other's.
  get [brand](): true {
    return true
  }
}

/** Tells whether an error is an `UnexpectedResponse`, also of another copy of this package. */
export function isUnexpected(error: unknown): error is UnexpectedResponse {
  return Object(error)[brand] === true
}
