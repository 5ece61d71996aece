import type { ReservedWord, TargetKind } from '../../convention/operations.ts'
import type { MessagesOption } from '../../convention/problem.ts'
import type { Deprecation, Lifecycle } from './lifecycle.ts'
import type { Reference, Resource } from './resource.ts'

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
  /** The resources by whose fields a client can filter: `company.name=Acme`. */
  readonly related: readonly RelatedResource[]
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

/** A resource whose items others reference, and which a client can list. */
export interface RelatedResource {
  readonly reference: MountedReference
  /** The resource of the target as the caller sees it. */
  readonly resource: Resource
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

/** The names of a template's parameters: `/companies/:company_id/employees` → `company_id`. */
export type ParametersOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<`/${Rest}`>
  : never

/** Demands valid versions and paths, and items with the fields that nested paths name. */
export type Mountable<V> = {
  readonly [Version in keyof V]: Version extends `v${number}`
    ? { readonly [Path in keyof V[Version]]: FaultOf<Path, V[Version]> }
    : { readonly isNoVersion: Version }
}

type FaultOf<Path extends keyof Paths, Paths> = Path extends `/${string}`
  ? 'id' extends ParametersOf<Path>
    ? { readonly parameterIsNotTheFieldThatOwns: 'id' }
    : Paths[Path] extends { readonly shape?: { readonly item: infer Fields } }
      ? [Exclude<ParametersOf<Path>, keyof Fields>] extends [never]
        ? unknown
        : FaultOfParents<Path, keyof Fields, keyof Paths>
      : unknown
  : { readonly pathDoesNotStartWithASlash: Path }

// A parameter that is no field of the item is one of the parent that it leads to.
type FaultOfParents<
  Path,
  Fields,
  Paths,
  Above extends string = '',
> = Path extends `${infer Noun}/:${infer Name}/${infer Rest}`
  ? (Name extends Fields
      ? unknown
      : Rest extends `${infer Parent}/${string}`
        ? `${Above}${Noun}/:${Name}/${Parent}` extends Paths
          ? unknown
          : {
              readonly itemsLackTheField: Name
              readonly orDeclareThePathOfTheirParent: `${Above}${Noun}/:${Name}/${Parent}`
            }
        : { readonly itemsLackTheField: Name }) &
      FaultOfParents<Rest, Fields, Paths, `${Above}${Noun}/:${Name}/`>
  : unknown

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
