import { canonicalText } from '../canonical.ts'
import type { MediaType, RequestBody } from './api-document.ts'
import { type DocumentFinding, findingOf } from './finding.ts'
import type { MakeFinding } from './lifetime.ts'
import { pairMediaTypes } from './media-type-pairs.ts'
import type { OperationPair } from './operation-pair.ts'
import { witnessOf } from './parameter-pair.ts'
import { sampleRequest } from './request-sample.ts'
import { schemaMessage } from './schema-message.ts'

/** Compares the bodies that an operation takes. */
export function bodyChanges(pair: OperationPair): readonly DocumentFinding[] {
  const old = pair.old.body
  const next = pair.new.body
  const shared = old?.shared === next?.shared ? old?.shared : undefined
  const find: MakeFinding = (rule, parts) =>
    findingOf(rule, `${pair.place} body`, { shared, ...parts })
  if (old === undefined) return next === undefined ? [] : [added(pair, next, find)]
  if (next === undefined) return [removed(pair, old, find)]
  return [
    ...requiredChange(pair, { old, new: next }, find),
    ...contentChanges(pair, { old, new: next }, find),
  ]
}

interface Bodies {
  readonly old: RequestBody
  readonly new: RequestBody
}

function added(
  { old, schemas }: OperationPair,
  body: RequestBody,
  find: MakeFinding,
): DocumentFinding {
  return body.isRequired
    ? find('body-required-added', {
        message: 'a request needs a body',
        ...witnessOf(sampleRequest(old, schemas)),
      })
    : find('body-added', { message: 'a request may have a body' })
}

function removed(
  { old, schemas }: OperationPair,
  body: RequestBody,
  find: MakeFinding,
): DocumentFinding {
  const mediaType = body.content[0]?.type
  return find('body-removed', {
    message: 'the body is gone',
    ...witnessOf(sampleRequest(old, schemas, { mediaType })),
  })
}

function requiredChange(
  { old: operation, schemas }: OperationPair,
  { old, new: next }: Bodies,
  find: MakeFinding,
): readonly DocumentFinding[] {
  if (old.isRequired === next.isRequired) return []
  return next.isRequired
    ? [
        find('body-became-required', {
          message: 'a request needs a body',
          ...witnessOf(sampleRequest(operation, schemas)),
        }),
      ]
    : [find('body-became-optional', { message: 'a request may leave out the body' })]
}

function contentChanges(
  pair: OperationPair,
  bodies: Bodies,
  find: MakeFinding,
): readonly DocumentFinding[] {
  // A body without a media type takes any.
  if (bodies.old.content.length === 0 || bodies.new.content.length === 0) return []
  const { pairs, removed, added } = pairMediaTypes(bodies.old.content, bodies.new.content)
  return [
    ...removed.map(({ type }) =>
      find('media-type-removed', {
        from: type,
        message: `a body must not be ${type}`,
        ...witnessOf(sampleRequest(pair.old, pair.schemas, { mediaType: type })),
      }),
    ),
    ...added.map(({ type }) =>
      find('media-type-added', { to: type, message: `a body may be ${type}` }),
    ),
    ...pairs.flatMap(([old, next]) => mediaChanges(pair, { old, new: next }, find)),
  ]
}

/** A media type that both documents have. */
interface MediaPair {
  readonly old: MediaType
  readonly new: MediaType
}

function mediaChanges(
  pair: OperationPair,
  { old, new: next }: MediaPair,
  find: MakeFinding,
): readonly DocumentFinding[] {
  const encodings =
    canonicalText(old.encoding) === canonicalText(next.encoding)
      ? []
      : [
          find('body-encoding-changed', {
            from: old.encoding,
            to: next.encoding,
            message: `the parts of ${old.type} are written in another way`,
          }),
        ]
  const changes = pair.schemas.compare({ old: old.schema, new: next.schema, use: 'request' })
  const at = `${pair.place} body`
  return [
    ...encodings,
    ...changes.map((change) => {
      const { rule, from, to, verdict, because, witness } = change
      return {
        ...{ rule, from, to, verdict, message: schemaMessage(change), shared: change.shared },
        at: change.at === '' ? at : `${at} ${change.at}`,
        ...(because === undefined ? {} : { because }),
        ...witnessOf(
          witness && sampleRequest(pair.old, pair.schemas, { body: witness, mediaType: old.type }),
        ),
      }
    }),
  ]
}
