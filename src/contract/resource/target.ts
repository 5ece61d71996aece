import type { ReservedWord, TargetKind } from '../../convention/operations.ts'
import type { Collection } from './api.ts'

/** The collection, item or reserved word that a path names. */
export type Target = TargetIn<Collection>

/** The parts of a {@link Target} that make its path, for a client without a contract. */
export type Address = TargetIn<Pick<Collection, 'version' | 'path'>>

type TargetIn<Mounted> = {
  readonly collection: Mounted
  /** The ids of the collection's parents, outermost first, decoded. */
  readonly parents: readonly string[]
} & (
  | { readonly kind: 'collection' | ReservedWord; readonly id: undefined }
  | { readonly kind: 'item'; readonly id: string }
)

/**
 * Returns the end of a target's template, after the path of its collection: `''`, `/:id`, `/count`.
 */
export function segmentOfTarget(kind: TargetKind): string {
  if (kind === 'collection') return ''
  return kind === 'item' ? '/:id' : `/${kind}`
}
