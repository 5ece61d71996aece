import { type OperationKind, operations } from '../model/convention.ts'
import { isProblem } from '../model/problem.ts'
import { isUnexpected } from '../wire/unexpected.ts'
import type { RetryOptions } from './options.ts'

/** An attempt that failed. */
export interface Failed {
  readonly kind: OperationKind
  readonly request: Request
  /** Which one it was, from 1. */
  readonly attempt: number
}

/**
 * Says how long to wait before the next attempt, in milliseconds; `undefined` when there is to be none: no attempt is left, the
 * wait would be too long, or what was asked is not safe to be asked twice.
 */
export function waitAfter(
  error: unknown,
  { kind, request, attempt }: Failed,
  { attempts, wait = 500, maxWait = 60_000 }: RetryOptions = { attempts: 1 },
): number | undefined {
  const { status, retryAfter } = toldBy(error)
  if (attempt >= attempts || !isRepeatable(kind, status, request)) return undefined
  if (retryAfter === undefined) return Math.random() * Math.min(maxWait, wait * 2 ** (attempt - 1))
  return retryAfter * 1000 > maxWait ? undefined : retryAfter * 1000
}

interface Told {
  /** `undefined` when nothing was answered. */
  readonly status?: number
  readonly retryAfter?: number | undefined
}

function toldBy(error: unknown): Told {
  if (isProblem(error)) return { status: error.status, retryAfter: error.members.retryAfter }
  return isUnexpected(error) ? error : {}
}

// 429 says that nothing was done, which makes everything safe. After 503 and a broken connection nobody knows: only what comes to
// the same thing twice is (RFC 9110 §9.2.2). A DELETE does not, since the second is answered 404, or takes what has come meanwhile;
// nor does a condition, which the first may have made untrue.
function isRepeatable(
  kind: OperationKind,
  status: number | undefined,
  { headers }: Request,
): boolean {
  const { method } = operations[kind]
  const isConditional = headers.has('if-match') || headers.has('if-none-match')
  const isIdempotent = method === 'GET' || (method === 'PUT' && !isConditional)
  return status === 429 || (isIdempotent && (status === undefined || status === 503))
}
