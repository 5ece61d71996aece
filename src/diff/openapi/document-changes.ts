import { canonicalText } from '../../sets/canonical.ts'
import type { ContractChange } from '../change.ts'
import {
  type ApiOperation,
  groupBy,
  type MediaType,
  pairMediaTypes,
  type RequestBody,
} from './api-document.ts'
import {
  type DocumentFinding,
  findingOf,
  joinFindings,
  lifetimeChanges,
  type MakeFinding,
  reasonOfEnd,
  verdictOfEnd,
  worstOf,
} from './finding.ts'
import {
  canonicalPath,
  type DocumentPair,
  type OperationPair,
  pairBy,
  pairOperations,
  type SchemaComparison,
  schemaMessage,
} from './pairs.ts'
import { parameterChanges } from './parameter-changes.ts'
import { readApiDocument } from './read-api-document.ts'
import { sampleRequest, witnessOf } from './request-sample.ts'
import { responseChanges } from './response-changes.ts'
import { createSchemaComparison } from './schema-comparison.ts'
import { securityChanges } from './security-changes.ts'

/** Options of a comparison of two documents. */
interface DocumentComparisonOptions {
  /** The day that ends are judged on: `2026-11-24`. Default: today. */
  readonly on?: string
}

/**
 * Compares two OpenAPI documents, 3.0 to 3.2, from the side of the clients. Requests that were
 * fine still are, and answers are what the old document says. A part that many operations share is
 * one change. The worst changes come first.
 *
 * @throws {TypeError} For a value that is no OpenAPI document, with the place of the fault.
 */
export function compareDocuments(
  old: unknown,
  next: unknown,
  { on = new Date().toISOString().slice(0, 10) }: DocumentComparisonOptions = {},
): readonly ContractChange[] {
  const documents = { old: readApiDocument(old, 'old'), new: readApiDocument(next, 'new') }
  const schemas = createSchemaComparison(documents)
  const { pairs, removed, added } = pairOperations(documents)
  const findings = [
    ...endings({ schemas, on }, removed, documents.new.operations),
    ...beginnings(added, documents.old.operations),
    ...pairs.flatMap(([oldOperation, newOperation]) =>
      operationChanges({
        old: oldOperation,
        new: newOperation,
        place: placeOf(oldOperation),
        schemas,
        on,
      }),
    ),
    ...webhookChanges(documents, schemas),
  ]
  return joinFindings([...findings, ...unreadableChanges(documents)])
}

function placeOf({ method, path }: ApiOperation): string {
  return `${method} ${path}`
}

interface Judge {
  readonly schemas: SchemaComparison
  readonly on: string
}

// A path is gone with its last operation.
function endings(
  judge: Judge,
  removed: readonly ApiOperation[],
  remaining: readonly ApiOperation[],
): readonly DocumentFinding[] {
  return [...groupBy(removed, ({ path }) => path)].flatMap(([path, operations]) =>
    remaining.some((operation) => isSamePath(operation.path, path))
      ? operations.map((operation) => ending(judge, [operation], 'operation-removed'))
      : [ending(judge, operations, 'path-removed')],
  )
}

function ending(
  { schemas, on }: Judge,
  operations: readonly ApiOperation[],
  rule: 'operation-removed' | 'path-removed',
): DocumentFinding {
  const verdict = worstOf(operations.map(({ lifetime }) => verdictOfEnd(lifetime, on)))
  const [worst] = operations.filter(({ lifetime }) => verdictOfEnd(lifetime, on) === verdict)
  if (worst === undefined) throw new RangeError('An end has an operation.')
  const because = reasonOfEnd(worst.lifetime, on)
  const isPath = rule === 'path-removed'
  const methods = operations.map(({ method }) => method)
  return findingOf(rule, isPath ? worst.path : placeOf(worst), {
    verdict,
    from: isPath ? methods : worst.method,
    message: isPath ? `the path is gone: ${methods.join(', ')}` : 'the operation is gone',
    ...(because === undefined ? {} : { because }),
    ...witnessOf(verdict === 'breaking' ? sampleRequest(worst, schemas) : undefined),
  })
}

function beginnings(
  added: readonly ApiOperation[],
  oldOperations: readonly ApiOperation[],
): readonly DocumentFinding[] {
  return [...groupBy(added, ({ path }) => path)].flatMap(([path, operations]) =>
    oldOperations.some((operation) => isSamePath(operation.path, path))
      ? operations.map((operation) =>
          findingOf('operation-added', placeOf(operation), {
            to: operation.method,
            message: 'the operation is new',
          }),
        )
      : [
          findingOf('path-added', path, {
            to: operations.map(({ method }) => method),
            message: `the path is new: ${operations.map(({ method }) => method).join(', ')}`,
          }),
        ],
  )
}

function isSamePath(path: string, newPath: string): boolean {
  return canonicalPath(path) === canonicalPath(newPath)
}

// A part that cannot be read may have changed.
function unreadableChanges(documents: DocumentPair): readonly DocumentFinding[] {
  const references = new Set([...documents.old.unreadable, ...documents.new.unreadable])
  return [...references].map((reference) =>
    findingOf('schema-untold', reference, {
      message: `the reference "${reference}" leads to nothing within its document`,
    }),
  )
}

/** Compares an operation that both documents have. */
function operationChanges(pair: OperationPair): readonly DocumentFinding[] {
  return [
    ...serverChanges(pair),
    ...lifetimeChanges(
      'operation',
      { old: pair.old.lifetime, new: pair.new.lifetime },
      (rule, parts) => findingOf(rule, pair.place, parts),
    ),
    ...idChange(pair),
    ...securityChanges(pair),
    ...parameterChanges(pair),
    ...bodyChanges(pair),
    ...responseChanges(pair),
  ]
}

function serverChanges({ old, new: next, place }: OperationPair): readonly DocumentFinding[] {
  const at = `${place} servers`
  const shared = 'servers'
  return [
    ...old.servers
      .filter((url) => !next.servers.includes(url))
      .map((url) =>
        findingOf('server-removed', at, {
          ...{ shared, from: url },
          message: `the document no longer names the address "${url}"`,
        }),
      ),
    ...next.servers
      .filter((url) => !old.servers.includes(url))
      .map((url) =>
        findingOf('server-added', at, {
          ...{ shared, to: url },
          message: `the document names the address "${url}"`,
        }),
      ),
  ]
}

// Generators name a function without an id by themselves.
function idChange({ old, new: next, place }: OperationPair): readonly DocumentFinding[] {
  if (old.id === next.id || old.id === undefined) return []
  return [
    findingOf('operation-id-changed', place, {
      from: old.id,
      to: next.id ?? null,
      message: `the id of the operation is ${next.id ?? 'gone'}, it was ${old.id}`,
    }),
  ]
}

/**
 * Compares the requests that the server sends: webhooks, and the callbacks of operations. Their
 * bodies are what a client gets.
 */
function webhookChanges(
  documents: DocumentPair,
  schemas: SchemaComparison,
): readonly DocumentFinding[] {
  const { pairs } = pairOperations(documents)
  const { old, new: next } = documents
  return [
    ...calledChanges({ old: old.webhooks, new: next.webhooks, at: 'webhook' }, schemas),
    ...pairs.flatMap(([oldWebhook, newWebhook]) =>
      calledChanges(
        {
          old: oldWebhook.callbacks,
          new: newWebhook.callbacks,
          at: `${oldWebhook.method} ${oldWebhook.path} callback`,
        },
        schemas,
      ),
    ),
  ]
}

interface CalledPair {
  readonly old: readonly ApiOperation[]
  readonly new: readonly ApiOperation[]
  readonly at: string
}

function calledChanges(
  { old, new: next, at }: CalledPair,
  schemas: SchemaComparison,
): readonly DocumentFinding[] {
  const { pairs, removed, added } = pairBy(old, next)
  const placeOf = ({ method, path }: ApiOperation) => `${at} ${method} ${path}`
  return [
    ...removed.map((operation) =>
      findingOf('webhook-removed', placeOf(operation), {
        from: operation.path,
        message: 'the server no longer sends the request',
      }),
    ),
    ...added.map((operation) =>
      findingOf('webhook-added', placeOf(operation), {
        to: operation.path,
        message: 'the server may send the request',
      }),
    ),
    ...pairs.flatMap(([oldOperation, newOperation]) =>
      sentChanges(placeOf(oldOperation), [oldOperation, newOperation], schemas),
    ),
  ]
}

function sentChanges(
  place: string,
  [old, next]: readonly [ApiOperation, ApiOperation],
  schemas: SchemaComparison,
): readonly DocumentFinding[] {
  const { pairs } = pairMediaTypes(old.body?.content ?? [], next.body?.content ?? [])
  return pairs.flatMap(([oldBody, newBody]) =>
    schemas.compare({ old: oldBody.schema, new: newBody.schema, use: 'item' }).map((change) => {
      const { rule, from, to, verdict, because, shared } = change
      return {
        ...{ rule, from, to, verdict, message: schemaMessage(change), shared },
        at: `${place} body ${change.at}`.trim(),
        ...(because === undefined ? {} : { because }),
      }
    }),
  )
}

/** Compares the bodies that an operation takes. */
function bodyChanges(pair: OperationPair): readonly DocumentFinding[] {
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
