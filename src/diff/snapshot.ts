import type { Json } from '../contract/schema/schema.ts'
import type { FilterType, FilterValue } from '../convention/filter-operators.ts'
import type { OperationKind } from '../convention/operations.ts'
import type { JsonObject } from '../sets/canonical.ts'

/** A contract at one moment, as plain JSON: the file that `nounful snapshot` writes. */
export interface Snapshot {
  /** The form of this file. A later form has a higher number. */
  readonly format: 1
  /** The version of nounful that wrote the file. */
  readonly nounful: string
  /** `false` where a path needs a version; `null` where it is unknown: an API alone. */
  readonly defaultVersion: string | false | null
  /** A context or a middleware may refuse a request; `null` where it is unknown. */
  readonly guarded: boolean | null
  /** By name; empty where they are unknown. */
  readonly limits: { readonly [name: string]: number }
  /** The URL before the code in a problem's `type`; `null` for `about:blank`. */
  readonly problemTypes: string | null
  /** The problems of this release of nounful: their statuses by code. */
  readonly problems: { readonly [code: string]: number }
  readonly versions: { readonly [version: string]: SnapshotVersion }
  readonly resources: { readonly [name: string]: SnapshotResource }
  /** Breaks that somebody accepted, oldest first. */
  readonly accepted: readonly Acceptance[]
}

/** A version of a contract. */
export interface SnapshotVersion {
  readonly stage: 'released' | 'draft' | 'retired'
  /** `null` for a version that is not deprecated. */
  readonly lifecycle: SnapshotLifecycle | null
  /** By template, without version; empty for a retired version. */
  readonly paths: { readonly [path: string]: SnapshotPath }
}

/** The announced end of a version. */
export interface SnapshotLifecycle {
  /** A date, as declared: `2026-11-01`, or RFC 3339. */
  readonly deprecated?: string
  readonly sunset?: string
  readonly successor?: string
  /** A URL. */
  readonly docs?: string
}

/** A path of a version. */
export interface SnapshotPath {
  /** The name of its resource. */
  readonly resource: string
  /** The operations that it offers, in the order of the convention. */
  readonly operations: readonly OperationKind[]
  /** The parameters that are fields of the items. */
  readonly owners: readonly string[]
  /** The members that a client may ask for by `include`. */
  readonly includes: readonly string[]
  /** `null` for a path that is not deprecated on its own. */
  readonly lifecycle: SnapshotLifecycle | null
}

/** A resource: its schemas as JSON Schema, and its options. */
export interface SnapshotResource {
  /** The name of the resource that a view shows; `null` for no view. */
  readonly of: string | null
  /** The name of the base resource. The form of snapshots keeps the old name of this member. */
  readonly hub: string
  /** The links of a view by field, functions as `{ "function": true }`. */
  readonly fields: JsonObject
  /** The operations that a view offers although its source resource does not; absent for none. */
  readonly offers?: readonly OperationKind[]
  /** The hidden fields of a view with their values for new items, functions likewise. */
  readonly hidden: JsonObject
  /** The JSON Schema of an id. */
  readonly id: JsonObject
  /** Clients may choose the id of a new item. */
  readonly takesId: boolean
  /** The JSON Schema of an item in a response; `null` where the schema tells none. */
  readonly item: JsonObject | null
  /** The JSON Schema of the body of POST, before validation. */
  readonly create: JsonObject | null
  /** The JSON Schema of the body of PUT, before validation. */
  readonly update: JsonObject | null
  readonly sortable: readonly string[]
  readonly searchable: readonly string[]
  readonly filterable: { readonly [field: string]: SnapshotFilter }
  readonly readOnly: readonly string[]
  readonly keep: readonly string[]
  readonly restricted: readonly string[]
  /** The name of the resource whose items a field names, by field. Old snapshots have none. */
  readonly references?: { readonly [field: string]: string }
  /** The fields that name an item's owner; `parent`; `null` for none. Old snapshots lack it. */
  readonly ownedBy?: readonly string[] | 'parent' | null
  readonly revision: string | null
  readonly maxLimit: number
  readonly defaultLimit: number | null
  readonly bounded: boolean
  readonly idempotent: boolean
  /** Whether lists tell their total: always, on demand (`null`), never. */
  readonly total: boolean | null
}

/** The values that a client can filter a field by. */
export interface SnapshotFilter {
  readonly type: FilterType | 'id'
  /** The only values of the field; `null` for any of the type. */
  readonly values: readonly FilterValue[] | null
}

/** A break that somebody accepted. */
export interface Acceptance {
  /** The fingerprint of the change: rule, place, from and to. */
  readonly change: string
  readonly rule: string
  readonly at: string
  readonly from: Json
  readonly to: Json
  readonly reason: string
  /** A date: `2026-10-02`. */
  readonly on: string
}
