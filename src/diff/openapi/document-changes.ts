import type { ContractChange } from '../change.ts'
import type { ApiOperation } from './api-document.ts'
import { type DocumentFinding, findingOf, joinFindings, worstOf } from './finding.ts'
import { groupBy } from './group-by.ts'
import { reasonOfEnd, verdictOfEnd } from './lifetime.ts'
import { operationChanges } from './operation-changes.ts'
import { canonicalPath, pairOperations } from './operation-pairs.ts'
import { witnessOf } from './parameter-pair.ts'
import { readApiDocument } from './read-api-document.ts'
import { sampleRequest } from './request-sample.ts'
import {
  createSchemaComparison,
  type DocumentPair,
  type SchemaComparison,
} from './schema-comparison.ts'
import { webhookChanges } from './webhook-changes.ts'

/** Options of a comparison of two documents. */
export interface DocumentComparisonOptions {
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
    ...pairs.flatMap(([one, other]) =>
      operationChanges({ old: one, new: other, place: placeOf(one), schemas, on }),
    ),
    ...webhookChanges(documents, schemas),
  ]
  return joinFindings([...findings, ...untold(documents)])
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
  left: readonly ApiOperation[],
): readonly DocumentFinding[] {
  return [...groupBy(removed, ({ path }) => path)].flatMap(([path, operations]) =>
    left.some((operation) => isSamePath(operation.path, path))
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
  known: readonly ApiOperation[],
): readonly DocumentFinding[] {
  return [...groupBy(added, ({ path }) => path)].flatMap(([path, operations]) =>
    known.some((operation) => isSamePath(operation.path, path))
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

function isSamePath(one: string, other: string): boolean {
  return canonicalPath(one) === canonicalPath(other)
}

// A part that cannot be read may have changed.
function untold(documents: DocumentPair): readonly DocumentFinding[] {
  const references = new Set([...documents.old.untold, ...documents.new.untold])
  return [...references].map((reference) =>
    findingOf('schema-untold', reference, {
      message: `the reference "${reference}" leads to nothing within its document`,
    }),
  )
}
