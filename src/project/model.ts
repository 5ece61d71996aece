import type { OperationKind } from '../convention/operations.ts'

/** A project as plain data. Writers turn it into the text of its files. */
export interface ProjectModel {
  readonly title: string
  /** In the order of the contract. */
  readonly resources: readonly ProjectResource[]
  /** The paths of version 1, in the order of the contract. */
  readonly mounts: readonly ProjectMount[]
}

/** A path with the noun of its resource: `/posts/:postId/comments` → `comments`. */
interface ProjectMount {
  readonly path: `/${string}`
  readonly noun: string
}

/** A resource, and the table that stores it. */
export interface ProjectResource {
  /** The noun, which is also the name of its adapter. */
  readonly noun: string
  /** The noun does not look plural: the contract says `plural: true`. */
  readonly isPlural: boolean
  /** The table, with its schema where the connection uses another one: `hr.employees`. */
  readonly table: string
  /** The fields in the order of items. One of them is the id. */
  readonly fields: readonly ProjectField[]
  readonly id: ProjectId
  readonly sortable: readonly string[]
  readonly searchable: readonly string[]
  readonly filterable: readonly string[]
  readonly references: readonly ProjectReference[]
  /** The fields that say whose an item is; `undefined` for a project without owners. */
  readonly ownedBy?: readonly string[] | undefined
  /** The field that changes with every write. */
  readonly revision?: string | undefined
  /** The only operations. Default: all. */
  readonly offers?: readonly OperationKind[] | undefined
  /** Operations that the resource does not offer. Not beside `offers`. Default: none. */
  readonly without?: readonly OperationKind[] | undefined
  /** The fields that identify an item of a view. Default: the keys that the database knows. */
  readonly key?: readonly string[] | undefined
  /** Sentences about the resource, which stand above it as comments. */
  readonly advice: readonly string[]
}

/** The ids of a resource. */
export interface ProjectId {
  /** Whole numbers, any numbers, texts, UUIDs, or numbers beside texts. */
  readonly kind: 'counted' | 'number' | 'text' | 'uuid' | 'mixed'
  /** Whether a body may hold the id. Where it lacks one, the storage makes it. */
  readonly inBody: 'refused' | 'optional' | 'required'
}

/** A field of a resource, and its column. */
export interface ProjectField {
  readonly name: string
  /** Default: the name of the field. */
  readonly column?: string | undefined
  readonly type: ValueType
  readonly isNullable: boolean
  /** An item may lack the field. */
  readonly isOptional: boolean
  /**
   * Whether a body holds the field: `refused` for one that only the database sets, `optional` for
   * one that it fills where a body lacks it. The entry of the id says it in {@link ProjectId}.
   */
  readonly inBody: 'refused' | 'optional' | 'required'
  /** A sentence about the field, which stands above it as a comment. */
  readonly comment?: string | undefined
}

/** A field that holds the id of an item of another resource. */
interface ProjectReference {
  readonly field: string
  readonly to: string
  /** The member with the item. Default: the field without `_id` or `Id`. */
  readonly as?: string | undefined
}

/** A member of the object in a field. */
export type ProjectMember = Pick<ProjectField, 'name' | 'type' | 'isNullable' | 'isOptional'>

/** The values of a field. */
export type ValueType =
  | { readonly kind: 'text'; readonly maxLength?: number | undefined }
  | { readonly kind: ScalarKind }
  /** A number as text, with at most so many digits after the point. */
  | { readonly kind: 'decimal'; readonly scale: number }
  | { readonly kind: 'enumeration'; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly element: ValueType }
  /** An object with these members that clients filter by, and any others. */
  | { readonly kind: 'structure'; readonly members: readonly ProjectMember[] }
  | { readonly kind: 'union'; readonly members: readonly ValueType[] }

/** The kinds of values without details. `digits`: a number of any size as text. */
export type ScalarKind =
  | 'whole'
  | 'number'
  | 'digits'
  | 'boolean'
  | 'moment'
  | 'date'
  | 'time'
  | 'uuid'
  | 'email'
  | 'url'
  | 'base64'
  | 'object'
  | 'array'
  | 'null'
  | 'json'
