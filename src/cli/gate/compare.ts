import type { Api } from '../../contract/resource/api.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { type ContractChange, withoutProbe } from '../../diff/change.ts'
import type { CompareOptions } from '../../diff/compare/context.ts'
import { compareSnapshots } from '../../diff/compare/snapshots.ts'
import { confirmChanges } from '../../diff/confirm.ts'
import { compareDocuments } from '../../diff/openapi/document-changes.ts'
import type { Snapshot } from '../../diff/snapshot.ts'
import { UsageError } from '../../trial/check/usage-error.ts'

/** A side of a comparison. */
export type Side = ContractSide | DocumentSide

/** A contract of nounful: a snapshot, or a module with its validators. */
export interface ContractSide {
  readonly kind: 'contract'
  /** As the user named it. */
  readonly name: string
  readonly snapshot: Snapshot
  /** `undefined` for a snapshot. */
  readonly api: Api | undefined
}

/** An OpenAPI document. */
interface DocumentSide {
  readonly kind: 'document'
  readonly name: string
  readonly document: { readonly [member: string]: Json }
}

/**
 * Compares two sides.
 *
 * @throws {UsageError} For sides of two kinds.
 */
export async function changesBetween(
  old: Side,
  after: Side,
  options: CompareOptions,
): Promise<readonly ContractChange[]> {
  if (old.kind === 'contract' && after.kind === 'contract')
    return contractChanges(old, after, options)
  if (old.kind === 'document' && after.kind === 'document')
    return documentChanges(old, after, options)
  throw new UsageError(
    `${old.name} is ${wordsOf(old)}, and ${after.name} is ${wordsOf(after)}: ` +
      'compare two contracts, or two OpenAPI documents.',
  )
}

function documentChanges(
  old: DocumentSide,
  after: DocumentSide,
  { on }: CompareOptions,
): readonly ContractChange[] {
  try {
    return compareDocuments(old.document, after.document, { on })
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message)
    throw error
  }
}

/** Compares two contracts, and lets the validators of the new one confirm what breaks. */
export async function contractChanges(
  old: ContractSide,
  after: ContractSide,
  options: CompareOptions,
): Promise<readonly ContractChange[]> {
  const changes = compareSnapshots(old.snapshot, after.snapshot, options)
  return after.api === undefined ? changes.map(withoutProbe) : confirmChanges(changes, after.api)
}

function wordsOf({ kind }: Side): string {
  return kind === 'contract' ? 'a contract' : 'an OpenAPI document'
}
