import type { Verdict } from '../../schemas/change.ts'
import {
  type ApiParameter,
  type ApiResponse,
  type MediaType,
  pairMediaTypes,
} from './api-document.ts'
import { type DocumentFinding, findingOf, type MakeFinding } from './finding.ts'
import { type OperationPair, schemaMessage } from './pairs.ts'
import { alignTexts } from './parameter-text.ts'
import { sampleAnswer } from './request-sample.ts'

/** Compares the responses of an operation. */
export function responseChanges(pair: OperationPair): readonly DocumentFinding[] {
  const statuses = pairStatuses(pair.old.responses, pair.new.responses)
  const isLeft = statuses.some((status) => !status.isError && status.old && status.new)
  return statuses.flatMap((status) => {
    const { old, new: next, isError } = status
    if (old && next) {
      const changes = changesOf(pair, { status: status.status, old, new: next })
      return isError ? changes.map(ofError) : changes
    }
    const change = statusChange(pair, status)
    return [isLeft && change.rule === 'response-removed' ? ofFurther(change) : change]
  })
}

function statusChange(
  { place }: OperationPair,
  { status, old, isError }: StatusPair,
): DocumentFinding {
  const at = `${place} ${status}`
  const subject = isError ? 'error-status' : 'response'
  return old
    ? findingOf(`${subject}-removed`, at, { from: status, message: `the status ${status} is gone` })
    : findingOf(`${subject}-added`, at, { to: status, message: `the status ${status} is new` })
}

// Each answer is still one of the old document.
function ofFurther(finding: DocumentFinding): DocumentFinding {
  return { ...finding, verdict: 'fine', because: 'Another status of success stays.' }
}

const errorVerdicts = {
  breaking: 'depends',
  depends: 'depends',
  fine: 'fine',
} as const satisfies Record<Verdict, Verdict>

function ofError(finding: DocumentFinding): DocumentFinding {
  const verdict = errorVerdicts[finding.verdict]
  if (verdict === finding.verdict) return finding
  return {
    ...finding,
    verdict,
    because: 'It is the answer to an error: a client decides by the status, and may read no more.',
  }
}

interface ResponsePair {
  readonly status: string
  readonly old: ApiResponse
  readonly new: ApiResponse
}

function changesOf(pair: OperationPair, responses: ResponsePair): readonly DocumentFinding[] {
  const { status, old, new: next } = responses
  const at = `${pair.place} ${status}`
  const shared = old.shared === next.shared ? old.shared : undefined
  const find: MakeFinding = (rule, parts) => findingOf(rule, at, { shared, ...parts })
  return [
    ...headerChanges(pair, { at, shared, old: old.headers, new: next.headers }),
    ...contentChanges(pair, responses, find),
  ]
}

function contentChanges(
  pair: OperationPair,
  { status, old, new: next }: ResponsePair,
  find: MakeFinding,
): readonly DocumentFinding[] {
  const types = pairMediaTypes(old.content, next.content)
  if (old.content.length === 0) {
    return next.content.length === 0
      ? []
      : [find('response-body-added', { message: 'the response has a body' })]
  }
  if (next.content.length === 0) {
    return [find('response-body-removed', { message: 'the response has no body' })]
  }
  // A range of the old document held every type that the new one names within it.
  const paired = new Set(types.pairs.map(([oldType]) => oldType))
  return [
    ...types.removed
      .filter((type) => !paired.has(type))
      .map(({ type }) =>
        find('response-media-type-removed', {
          from: type,
          message: `the response is never ${type}`,
        }),
      ),
    ...types.added.map(({ type }) =>
      find('response-media-type-added', { to: type, message: `the response may be ${type}` }),
    ),
    ...types.pairs.flatMap(([oldType, newType]) =>
      mediaChanges(pair, { status, old: oldType, new: newType }),
    ),
  ]
}

interface MediaPair {
  readonly status: string
  readonly old: MediaType
  readonly new: MediaType
}

function mediaChanges(
  pair: OperationPair,
  { status, old, new: next }: MediaPair,
): readonly DocumentFinding[] {
  const changes = pair.schemas.compare({ old: old.schema, new: next.schema, use: 'item' })
  const at = `${pair.place} ${status}`
  return changes.map((change) => {
    const { rule, from, to, verdict, because, witness, shared } = change
    return {
      ...{ rule, from, to, verdict, message: schemaMessage(change), shared },
      at: change.at === '' ? at : `${at} ${change.at}`,
      ...(because === undefined ? {} : { because }),
      ...(witness === undefined
        ? {}
        : { witness: sampleAnswer(pair.old, pair.schemas, witness.value) }),
    }
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

/** The headers of a response in both documents. */
interface HeaderPair {
  /** The place of the response: `GET /pets 200`. */
  readonly at: string
  readonly shared: string | undefined
  readonly old: readonly ApiParameter[]
  readonly new: readonly ApiParameter[]
}

/** Compares the headers of a response. */
function headerChanges(pair: OperationPair, headers: HeaderPair): readonly DocumentFinding[] {
  const old = new Map(headers.old.map((header) => [header.key, header]))
  const next = new Map(headers.new.map((header) => [header.key, header]))
  return [
    ...headers.old.flatMap((header) => {
      const newHeader = next.get(header.key)
      return newHeader
        ? changesOfHeader(pair, headers, [header, newHeader])
        : [removed(headers, header)]
    }),
    ...headers.new
      .filter(({ key }) => !old.has(key))
      .map((header) =>
        findingOf('response-header-added', placeOf(headers, header), {
          shared: sharedOf(headers, header),
          to: header.name,
          message: `the response has the header "${header.name}"`,
        }),
      ),
  ]
}

function placeOf({ at }: HeaderPair, { name }: ApiParameter): string {
  return `${at} header ${name}`
}

function sharedOf({ shared }: HeaderPair, { name }: ApiParameter): string | undefined {
  return shared === undefined ? undefined : `${shared} header ${name}`
}

function removed(headers: HeaderPair, header: ApiParameter): DocumentFinding {
  return findingOf('response-header-removed', placeOf(headers, header), {
    shared: sharedOf(headers, header),
    from: header.name,
    message: `the response has no header "${header.name}"`,
    ...(header.isRequired
      ? {}
      : {
          verdict: 'depends',
          because: 'The old document let the header be missing, but clients may read it.',
        }),
  })
}

function changesOfHeader(
  pair: OperationPair,
  headers: HeaderPair,
  [old, next]: readonly [ApiParameter, ApiParameter],
): readonly DocumentFinding[] {
  const at = placeOf(headers, old)
  const shared = old.shared ?? sharedOf(headers, old)
  const changes = pair.schemas.compare({
    old: old.schema,
    new: next.schema,
    use: 'item',
    adjust: (owned) => alignTexts(owned, { form: next.form, use: 'item' }),
  })
  const word = next.isRequired ? 'required' : 'optional'
  return [
    ...(old.isRequired === next.isRequired
      ? []
      : [
          findingOf(`response-header-became-${word}`, at, {
            shared,
            message: `the header "${old.name}" is ${word}`,
          }),
        ]),
    ...changes.map((change) => {
      const { rule, from, to, verdict, because } = change
      return {
        ...{ rule, from, to, verdict, message: schemaMessage(change) },
        at: change.at === '' ? at : `${at} ${change.at}`,
        shared: change.shared ?? [shared, change.at].filter((text) => text).join(' '),
        ...(because === undefined ? {} : { because }),
      }
    }),
  ]
}
