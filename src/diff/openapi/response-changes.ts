import type { Verdict } from '../../schemas/change.ts'
import { pairBy } from '../../sets/canonical.ts'
import { type FoundChange, makeChange } from '../change.ts'
import type { ApiParameter, ApiResponse, ParameterPair } from './api-document.ts'
import { contentChanges, type FindingPlace, type MakeFinding, schemaFindings } from './finding.ts'
import type { OperationPair, SchemaComparison } from './pairs.ts'
import { textChanges } from './parameter-text.ts'
import { sampleAnswer } from './request-sample.ts'

/** Compares the responses of an operation. */
export function responseChanges(pair: OperationPair): readonly FoundChange[] {
  const statuses = pairStatuses(pair.old.responses, pair.new.responses)
  const isLeft = statuses.some((status) => !status.isError && status.old && status.new)
  return statuses.flatMap((status) => {
    const { old, new: next, isError } = status
    if (old && next) {
      const changes = changesOf(pair, status.status, [old, next])
      return isError ? changes.map(ofError) : changes
    }
    const change = statusChange(pair, status)
    return [isLeft && change.rule === 'response-removed' ? ofFurther(change) : change]
  })
}

function statusChange({ place }: OperationPair, { status, old, isError }: StatusPair): FoundChange {
  const at = `${place} ${status}`
  const subject = isError ? 'error-status' : 'response'
  return old
    ? makeChange(`${subject}-removed`, at, {
        from: status,
        message: `the status ${status} is gone`,
      })
    : makeChange(`${subject}-added`, at, { to: status, message: `the status ${status} is new` })
}

// Each answer is still one of the old document.
function ofFurther(finding: FoundChange): FoundChange {
  return { ...finding, verdict: 'fine', because: 'Another status of success stays.' }
}

const errorVerdicts = {
  breaking: 'depends',
  depends: 'depends',
  fine: 'fine',
} as const satisfies Record<Verdict, Verdict>

function ofError(finding: FoundChange): FoundChange {
  const verdict = errorVerdicts[finding.verdict]
  if (verdict === finding.verdict) return finding
  return {
    ...finding,
    verdict,
    because: 'It is the answer to an error: a client decides by the status, and may read no more.',
  }
}

type Responding = readonly [old: ApiResponse, next: ApiResponse]

function changesOf(
  pair: OperationPair,
  status: string,
  responses: Responding,
): readonly FoundChange[] {
  const [old, next] = responses
  const place = {
    at: `${pair.place} ${status}`,
    shared: old.shared === next.shared ? old.shared : undefined,
  }
  return [...headerChanges(pair, responses, place), ...answerChanges(pair, responses, place)]
}

/** Compares the bodies of a response. */
function answerChanges(
  pair: OperationPair,
  [old, next]: readonly [ApiResponse, ApiResponse],
  { at, shared }: FindingPlace,
): readonly FoundChange[] {
  const find: MakeFinding = (rule, facts) => makeChange(rule, at, { shared, ...facts })
  if (old.content.length === 0) {
    if (next.content.length === 0) return []
    return [find('response-body-added', { message: 'the response has a body' })]
  }
  if (next.content.length === 0)
    return [find('response-body-removed', { message: 'the response has no body' })]
  return contentChanges(pair.schemas, {
    ...{ use: 'item', at, shared },
    content: [old.content, next.content],
    exchange: (body) => body && sampleAnswer(pair.old, pair.schemas, body.value),
  })
}

/** The responses of two operations that stand for the same statuses. */
interface StatusPair {
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
function pairStatuses(old: Responses, next: Responses): readonly StatusPair[] {
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
  const fallback = responses.get('default')
  const isRest = isError || ![...responses.keys()].some(isSuccessName)
  return (
    responses.get(status) ??
    responses.get(`${status[0]}XX`) ??
    (isRest && isErrorStatus('default', [responses]) === isError ? fallback : undefined)
  )
}

// A document speaks of a class, or of the rest, also by finer names.
function isSpoken({ status, isError }: Status, responses: Responses): boolean {
  const names = [...responses.keys()].filter((name) => name !== 'default')
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

/** Compares the headers of a response. */
function headerChanges(
  { schemas }: OperationPair,
  [old, next]: Responding,
  place: FindingPlace,
): readonly FoundChange[] {
  const within = ({ name }: ApiParameter): FindingPlace => ({
    at: `${place.at} header ${name}`,
    shared: place.shared && `${place.shared} header ${name}`,
  })
  const headers = pairBy(old.headers, next.headers, ({ key }) => key)
  return [
    ...headers.pairs.flatMap(([old, next]) =>
      changesOfHeader(schemas, { old, new: next }, within(old)),
    ),
    ...headers.removed.map((header) => removed(header, within(header))),
    ...headers.added.map((header) => {
      const { at, shared } = within(header)
      const { name: to } = header
      const message = `the response has the header "${to}"`
      return makeChange('response-header-added', at, { shared, to, message })
    }),
  ]
}

function removed({ name: from, isRequired }: ApiParameter, place: FindingPlace): FoundChange {
  const { at, shared } = place
  const facts = { shared, from, message: `the response has no header "${from}"` }
  if (isRequired) return makeChange('response-header-removed', at, facts)
  const because = 'The old document let the header be missing, but clients may read it.'
  return makeChange('response-header-removed', at, { ...facts, verdict: 'depends', because })
}

function changesOfHeader(
  schemas: SchemaComparison,
  headers: ParameterPair,
  { at, ...place }: FindingPlace,
): readonly FoundChange[] {
  const { old, new: next } = headers
  const shared = old.shared ?? place.shared
  const changes = schemaFindings(textChanges(schemas, headers, 'item'), { at, shared })
  if (old.isRequired === next.isRequired) return changes
  const word = next.isRequired ? 'required' : 'optional'
  const message = `the header "${old.name}" is ${word}`
  return [makeChange(`response-header-became-${word}`, at, { shared, message }), ...changes]
}
