import type { Verdict } from '../change.ts'
import type { ApiResponse, MediaType } from './api-document.ts'
import { type DocumentFinding, findingOf } from './finding.ts'
import { headerChanges } from './header-changes.ts'
import type { MakeFinding } from './lifetime.ts'
import { pairMediaTypes } from './media-type-pairs.ts'
import type { OperationPair } from './operation-pair.ts'
import { sampleAnswer } from './request-sample.ts'
import { schemaMessage } from './schema-message.ts'
import { pairStatuses, type StatusPair } from './status-pairs.ts'

/** Compares the responses of an operation. */
export function responseChanges(pair: OperationPair): readonly DocumentFinding[] {
  const statuses = pairStatuses(pair.old.responses, pair.new.responses)
  const isLeft = statuses.some((status) => !status.isError && status.old && status.new)
  return statuses.flatMap((status) => {
    const { old, new: next, isError } = status
    if (old && next) {
      const found = changesOf(pair, { status: status.status, old, new: next })
      return isError ? found.map(ofError) : found
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
  const paired = new Set(types.pairs.map(([one]) => one))
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
    ...types.pairs.flatMap(([one, other]) => mediaChanges(pair, { status, old: one, new: other })),
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
