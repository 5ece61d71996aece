import { type OperationKind, operations } from '../model/convention.ts'
import { type Headed, headerOf } from '../model/http.ts'
import { isConditional } from '../model/kinds.ts'
import { problem } from '../model/problem.ts'
import { defined } from './defined.ts'
import { type ETags, formatETags, isETags, parseETags } from './etag.ts'
import { parsePrefer } from './prefer.ts'

/** What a request makes its effect depend on; `undefined` where it says nothing. */
export interface Conditions {
  /** Of `deleteAll`: the most items it may delete. */
  readonly maxAffected: number | undefined
  readonly ifMatch: ETags | undefined
  readonly ifNoneMatch: ETags | undefined
}

/** The conditions of a request that has none. */
export const noConditions: Conditions = /* @__PURE__ */ Object.freeze({
  maxAffected: undefined,
  ifMatch: undefined,
  ifNoneMatch: undefined,
})

/**
 * Reads what a request of a kind makes its effect depend on. The inverse of {@link formatConditions}.
 *
 * @throws {ProblemError} `bad_request` for one that cannot be read: it must not be taken for none.
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

// A bound that cannot be read must not be taken for none, wherever in the header it stands.
function maxAffectedOf(prefer: string): number | undefined {
  if (!/max-affected/i.test(prefer)) return undefined
  const value = parsePrefer(prefer).get('max-affected') ?? ''
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw problem('bad_request', 'Write "max-affected" of "prefer" as "max-affected=10"')
}

// Nor a condition; of "if-match" one that cannot be read matches nothing, which is safe.
function noneMatchOf(header: string): ETags {
  if (isETags(header)) return parseETags(header, 'weak')
  throw problem('bad_request', '"if-none-match" is neither "*" nor a list of entity tags in quotes')
}
