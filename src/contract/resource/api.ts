import type { MessagesOption } from '../../convention/messages.ts'
import type { Deprecation, Lifecycle } from './lifecycle.ts'
import type { Reference } from './reference.ts'
import type { Resource } from './resource.ts'

/** A resource mounted at a path of a version: `/companies/:company_id/employees` of `v1`. */
export interface Collection {
  /** Its index among the collections of its api. */
  readonly place: number
  /** `v1`. */
  readonly version: string
  /** The template as declared. */
  readonly path: string
  readonly resource: Resource
  /** The names of the path's parameters, outermost first. */
  readonly parameters: readonly string[]
  /** The parameters that are fields of the items, outermost first: the owner fields, the scope. */
  readonly owners: readonly string[]
  /** The collections of the owners, outermost first, one for each parameter. */
  readonly ancestors: readonly Collection[]
  /** The collections below an item, by noun. */
  readonly children: ReadonlyMap<string, Collection>
  /** The references of the resource, with the collections that they lead to. */
  readonly references: readonly MountedReference[]
  /** The members that a client may ask for by `include`. */
  readonly includes: readonly string[]
  /** The announced end of the path, of one above it, or of the version; `undefined` for none. */
  readonly deprecation: Deprecation | undefined
  /** The collection of the same items in the version that takes the place of this one. */
  readonly successor: Collection | undefined
}

/** A reference of a mounted resource. */
export interface MountedReference extends Reference {
  /** The collection that has the other items; in the same version if there is one. */
  readonly target: Collection
  /** A client may ask for the whole item by `include`. */
  readonly isIncludable: boolean
}

/** The declaration of an api: for each version, a resource for each path template. */
export type Versions = Readonly<Record<`v${number}`, Readonly<Record<`/${string}`, Resource>>>>

/** A contract: the resources and their paths, in every version. Pure data. */
export interface Api<V extends Versions = Versions> extends Lifecycle {
  /** As declared. */
  readonly declaration: V
  /** The collections at the top of each version, by noun. */
  readonly versions: ReadonlyMap<string, ReadonlyMap<string, Collection>>
  /** Every collection, version by version, parents first, then in the order of the declaration. */
  readonly collections: readonly Collection[]
  /** Every resource at a path, by name. */
  readonly resources: ReadonlyMap<string, Resource>
  /** The resources that need an adapter, by name: those at a path that are no views, and bases. */
  readonly stored: ReadonlyMap<string, Resource>
  /** The fields that the option `ownedBy` of some resource names: the scope of a caller. */
  readonly ownerFields: readonly string[]
  /** The type of an owner field's values; no entry where the schemas do not tell one. */
  readonly ownerTypes: ReadonlyMap<string, 'string' | 'number'>
  /** The author of the texts of issues. */
  readonly messages: MessagesOption
}

/** Returns the last noun of a collection's path. */
export function lastNounOf({ path }: Pick<Collection, 'path'>): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
