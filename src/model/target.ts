import type { Collection } from './api.ts'
import type { ReservedWord } from './convention.ts'

/** What a path names: a collection, one of its items, or a reserved word after it. */
export type Target = Place<Collection>

/** What a target's path is written from: less of a collection than a {@link Target} has, for a client without a contract. */
export type Address = Place<Pick<Collection, 'version' | 'path'>>

type Place<Mounted> = {
  readonly collection: Mounted
  /** The ids of the collection's parents, outermost first, decoded. */
  readonly parents: readonly string[]
} & (
  | { readonly kind: 'collection' | ReservedWord; readonly id: undefined }
  | { readonly kind: 'item'; readonly id: string }
)
