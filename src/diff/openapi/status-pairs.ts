import type { ApiResponse } from './api-document.ts'

/** The responses of two operations that stand for the same statuses. */
export interface StatusPair {
  /** As the document with the finer name writes it: `200`, `2XX`, `default`. */
  readonly status: string
  /** `undefined` where the document has no such status. */
  readonly old: ApiResponse | undefined
  readonly new: ApiResponse | undefined
  /** A status of an error. */
  readonly isError: boolean
}

type Responses = ReadonlyMap<string, ApiResponse>

/**
 * Pairs the responses of two operations. A status stands for itself, else for its class (`2XX`),
 * else for `default`, which describes errors where a document names a success.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#responses-object
 */
export function pairStatuses(old: Responses, next: Responses): readonly StatusPair[] {
  const statuses = [...new Set([...old.keys(), ...next.keys()])]
  return statuses.flatMap((status) => {
    const isError = isErrorStatus(status, [old, next])
    const pair = {
      ...{ status, isError },
      old: responseTo(old, { status, isError }),
      new: responseTo(next, { status, isError }),
    }
    if (pair.old && pair.new) return [pair]
    return isSpoken({ status, isError }, pair.old ? next : old) ? [] : [pair]
  })
}

type Status = Pick<StatusPair, 'status' | 'isError'>

function responseTo(responses: Responses, { status, isError }: Status): ApiResponse | undefined {
  const rest = responses.get('default')
  const isRest = isError || ![...responses.keys()].some(isSuccessName)
  return (
    responses.get(status) ??
    responses.get(`${status[0]}XX`) ??
    (isRest && isErrorStatus('default', [responses]) === isError ? rest : undefined)
  )
}

// A document speaks of a class, or of the rest, also by finer names.
function isSpoken({ status, isError }: Status, other: Responses): boolean {
  const names = [...other.keys()].filter((name) => name !== 'default')
  if (status === 'default') return !isError && names.some(isSuccessName)
  return status.endsWith('XX') && names.some((name) => name[0] === status[0])
}

function isSuccessName(status: string): boolean {
  return /^[123]/.test(status)
}

function isErrorStatus(status: string, documents: readonly Responses[]): boolean {
  if (status !== 'default') return /^[45]/.test(status)
  return documents.some(
    (responses) => responses.has('default') && [...responses.keys()].some(isSuccessName),
  )
}
