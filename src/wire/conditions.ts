import { type OperationKind, operations } from '../model/convention.ts'
import { type Headed, headerOf } from '../model/http.ts'
import { isConditional } from '../model/kinds.ts'
import { problem } from '../model/problem.ts'
import { defined } from './defined.ts'
import { type ETags, formatETags, isETags, parseETags } from './etag.ts'
import { parsePrefer } from './prefer.ts'

/** The conditions that a client set for the effect of its request; `undefined` for none. */
export interface Conditions {
  /** The most items that `deleteAll` may delete. */
  readonly maxAffected: number | undefined
  readonly ifMatch: ETags | undefined
  readonly ifNoneMatch: ETags | undefined
}

/** The conditions of a request without any. */
export const noConditions: Conditions = /* @__PURE__ */ Object.freeze({
  maxAffected: undefined,
  ifMatch: undefined,
  ifNoneMatch: undefined,
})

/**
 * Reads the conditions of a request. The inverse of {@link formatConditions}.
 *
 * @throws {ProblemError} `bad_request` for a condition that the server cannot read: it must not
 *   ignore one.
 */
export function parseConditions(kind: OperationKind, request: Headed): Conditions {
  const { conditions, method } = operations[kind]
  if (conditions.length === 0) return noConditions
  if (method === 'PUT' && headerOf(request, 'content-range') !== undefined) {
    throw problem('bad_request', 'PUT replaces the whole: send no "content-range"')
  }
  const ifMatch = headerOf(request, 'if-match')
  const ifNoneMatch = headerOf(request, 'if-none-match')
  const prefer = isConditional(kind, 'bound') ? headerOf(request, 'prefer') : undefined
  return {
    maxAffected: prefer === undefined ? undefined : maxAffectedOf(prefer),
    ifMatch: ifMatch === undefined ? undefined : parseETags(ifMatch, 'strong'),
    ifNoneMatch: ifNoneMatch === undefined ? undefined : noneMatchOf(ifNoneMatch),
  }
}

/** Writes conditions as header fields. The inverse of {@link parseConditions}. */
export function formatConditions({
  maxAffected,
  ifMatch,
  ifNoneMatch,
}: Conditions): Readonly<Record<string, string>> {
  return defined({
    prefer: maxAffected === undefined ? undefined : `max-affected=${maxAffected}`,
    'if-match': ifMatch && formatETags(ifMatch),
    'if-none-match': ifNoneMatch && formatETags(ifNoneMatch),
  })
}

// The server must not ignore a bound that it cannot read, anywhere in the header.
function maxAffectedOf(prefer: string): number | undefined {
  if (!/max-affected/i.test(prefer)) return undefined
  const value = parsePrefer(prefer).get('max-affected') ?? ''
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw problem('bad_request', 'Write "max-affected" of "prefer" as "max-affected=10"')
}

// An unreadable "if-none-match" is refused too. An unreadable "if-match" matches nothing, which is
// safe.
function noneMatchOf(header: string): ETags {
  if (isETags(header)) return parseETags(header, 'weak')
  throw problem('bad_request', '"if-none-match" is neither "*" nor a list of entity tags in quotes')
}
