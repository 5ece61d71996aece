import { type Headed, headerOf } from '../contract/resource/http.ts'
import { isConditional } from '../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../convention/operations.ts'
import { problem } from '../convention/problem.ts'
import { defined } from './defined.ts'
import { type ETags, formatETags, parseETags } from './etag.ts'
import { formatIdempotencyKey, parseIdempotencyKey } from './idempotency-key.ts'
import { parsePrefer } from './prefer.ts'

/** The conditions and preferences that a client set in headers; `undefined` for none. */
export interface Conditions {
  /** The most items that `deleteAll` may delete. */
  readonly maxAffected: number | undefined
  /** The client asks for the number of all matching items beside the page. */
  readonly isCounted?: boolean | undefined
  /** The client repeats a `create` safely by this key. */
  readonly key?: string | undefined
  readonly ifMatch: ETags | undefined
  readonly ifNoneMatch: ETags | undefined
}

/** The conditions of a request without any. */
export const noConditions: Conditions = /* @__PURE__ */ Object.freeze({
  maxAffected: undefined,
  isCounted: undefined,
  ifMatch: undefined,
  ifNoneMatch: undefined,
})

/** The preference for the number of all matching items, as PostgREST writes it. */
export const exactCount = 'count=exact'

const counted: Conditions = /* @__PURE__ */ Object.freeze({
  maxAffected: undefined,
  isCounted: true,
  ifMatch: undefined,
  ifNoneMatch: undefined,
})

// Reads whether a client asks for the number of all matching items. A preference that the server
// does not know has no effect (RFC 7240 §2).
function parseCounted(prefer: string): Conditions {
  return parsePrefer(prefer).get('count') === 'exact' ? counted : noConditions
}

/** The header fields that {@link parseConditions} reads: without any, there is no condition. */
export const conditionHeaders = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ operationKinds.map((kind) => [kind, headersFor(kind)]),
) as Readonly<Record<OperationKind, readonly string[]>>

function headersFor(kind: OperationKind): readonly string[] {
  const { method, counts, conditions } = operations[kind]
  if (counts) return ['prefer']
  if (conditions.length === 0) return []
  if (isConditional(kind, 'key')) return ['idempotency-key']
  const revision = ['if-match', 'if-none-match']
  if (method === 'PUT') return ['content-range', ...revision]
  return method === 'PATCH' ? ['idempotency-key', ...revision] : [...revision, 'prefer']
}

/**
 * Reads the conditions of a request. The inverse of {@link formatConditions}.
 *
 * @param request Has one of the {@link conditionHeaders} of its kind.
 * @throws {ProblemError} `bad_request` for a condition that the server cannot read: it must not
 *   ignore one.
 */
export function parseConditions(kind: OperationKind, request: Headed): Conditions {
  if (operations[kind].counts) return parseCounted(`${headerOf(request, 'prefer')}`)
  if (operations[kind].method === 'PUT' && headerOf(request, 'content-range') !== undefined) {
    throw problem('bad_request', 'PUT replaces the whole: send no "content-range".')
  }
  if (isConditional(kind, 'key')) return conditionsWithKey(request)
  if (operations[kind].method === 'PATCH') refuseKey(request)
  const ifMatch = headerOf(request, 'if-match')
  const ifNoneMatch = headerOf(request, 'if-none-match')
  const prefer = headerOf(request, 'prefer')
  return {
    maxAffected: prefer && isConditional(kind, 'bound') ? maxAffectedOf(prefer) : undefined,
    ifMatch: tagsOf('if-match', ifMatch),
    ifNoneMatch: tagsOf('if-none-match', ifNoneMatch),
  }
}

/** Writes conditions as header fields. The inverse of {@link parseConditions}. */
export function formatConditions({
  maxAffected,
  isCounted,
  key,
  ifMatch,
  ifNoneMatch,
}: Conditions): Readonly<Record<string, string>> {
  const bound = maxAffected === undefined ? undefined : `max-affected=${maxAffected}`
  return defined({
    'idempotency-key': key && formatIdempotencyKey(key),
    prefer: isCounted ? exactCount : bound,
    'if-match': ifMatch && formatETags(ifMatch),
    'if-none-match': ifNoneMatch && formatETags(ifNoneMatch),
  })
}

function conditionsWithKey(request: Headed): Conditions {
  const key = parseIdempotencyKey(`${headerOf(request, 'idempotency-key')}`)
  return { ...noConditions, key }
}

function refuseKey(request: Headed): void {
  if (headerOf(request, 'idempotency-key') === undefined) return
  throw problem('idempotency_unsupported', 'PATCH takes no "idempotency-key".')
}

// The server must not ignore a bound that it cannot read, anywhere in the header.
function maxAffectedOf(prefer: string): number | undefined {
  if (!/max-affected/i.test(prefer)) return undefined
  const value = parsePrefer(prefer).get('max-affected') ?? ''
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw problem('bad_request', 'Write "max-affected" of "prefer" as "max-affected=10".')
}

const comparisons = { 'if-match': 'strong', 'if-none-match': 'weak' } as const

// A weak tag never equals another under "if-match", so it matches nothing (RFC 9110 §13.1.1).
function tagsOf(name: keyof typeof comparisons, header: string | undefined): ETags | undefined {
  if (header === undefined) return undefined
  const tags = parseETags(header, comparisons[name])
  if (tags !== undefined) return tags
  throw problem('bad_request', `"${name}" is neither "*" nor a list of entity tags in quotes.`)
}
