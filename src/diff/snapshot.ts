import type { Json } from '../contract/schema/schema.ts'
import { type FilterValue, filterTypes } from '../convention/filter-operators.ts'
import { operationKinds } from '../convention/operations.ts'
import { isJsonObject } from '../sets/canonical.ts'
import {
  either,
  list,
  literal,
  nullable,
  object,
  optional,
  record,
  tested,
  type ValueOf,
} from './shape.ts'

const text = tested('text', (value) => typeof value === 'string')
const number = tested('a number', (value) => typeof value === 'number')
const flag = tested('true or false', (value) => typeof value === 'boolean')
const anyObject = tested('an object', isJsonObject)
const present = tested('there', (value): value is Json => value !== undefined)
const scalar = tested('a text, a number, true or false', (value): value is FilterValue =>
  /^(?:string|number|boolean)$/.test(typeof value),
)
const date = tested(
  'a date',
  (value): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
)
const texts = list(text)
const operations = list(literal(operationKinds))

const lifecycle = object({
  /** A date, as declared: `2026-11-01`, or RFC 3339. */
  deprecated: optional(date),
  sunset: optional(date),
  successor: optional(text),
  /** A URL. */
  docs: optional(text),
})

/** The announced end of a version. */
export type SnapshotLifecycle = ValueOf<typeof lifecycle>

const path = object({
  /** The name of its resource. */
  resource: text,
  /** The operations that it offers, in the order of the convention. */
  operations,
  /** The parameters that are fields of the items. */
  owners: texts,
  /** The members that a client may ask for by `include`. */
  includes: texts,
  /** `null` for a path that is not deprecated on its own. */
  lifecycle: nullable(lifecycle),
})

/** A path of a version. */
export type SnapshotPath = ValueOf<typeof path>

const version = object({
  stage: literal(['released', 'draft', 'retired']),
  /** `null` for a version that is not deprecated. */
  lifecycle: nullable(lifecycle),
  /** By template, without version; empty for a retired version. */
  paths: record(path),
})

/** A version of a contract. */
export type SnapshotVersion = ValueOf<typeof version>

const filter = object({
  type: literal(['id', ...filterTypes]),
  /** The only values of the field; `null` for any of the type. */
  values: nullable(list(scalar)),
})

/** The values that a client can filter a field by. */
export type SnapshotFilter = ValueOf<typeof filter>

const resource = object({
  /** The name of the resource that a view shows; `null` for no view. */
  of: nullable(text),
  /** The name of the base resource. The form of snapshots keeps the old name of this member. */
  hub: text,
  /** The links of a view by field, functions as `{ "function": true }`. */
  fields: anyObject,
  /** The hidden fields of a view with their values for new items, functions likewise. */
  hidden: anyObject,
  /** The operations that a view offers although its source resource does not; absent for none. */
  offers: optional(operations),
  /** The JSON Schema of an id. */
  id: anyObject,
  /** Clients may choose the id of a new item. */
  takesId: flag,
  /** The JSON Schema of an item in a response; `null` where the schema tells none. */
  item: nullable(anyObject),
  /** The JSON Schema of the body of POST, before validation. */
  create: nullable(anyObject),
  /** The JSON Schema of the body of PUT, before validation. */
  update: nullable(anyObject),
  sortable: texts,
  searchable: texts,
  filterable: record(filter),
  readOnly: texts,
  keep: texts,
  restricted: texts,
  /** The name of the resource whose items a field names, by field. Old snapshots have none. */
  references: optional(record(text)),
  /** The fields that name an item's owner; `parent`; `null` for none. Old snapshots lack it. */
  ownedBy: optional(nullable(either(literal(['parent']), texts))),
  revision: nullable(text),
  maxLimit: number,
  defaultLimit: nullable(number),
  bounded: flag,
  idempotent: flag,
  /** Whether lists tell their total: always, on demand (`null`), never. */
  total: nullable(flag),
})

/** A resource: its schemas as JSON Schema, and its options. */
export type SnapshotResource = ValueOf<typeof resource>

const acceptance = object({
  /** The fingerprint of the change: rule, place, from and to. */
  change: text,
  rule: text,
  at: text,
  from: present,
  to: present,
  reason: text,
  /** A date: `2026-10-02`. */
  on: text,
})

/** A break that somebody accepted. */
export type Acceptance = ValueOf<typeof acceptance>

/** The shape of the log of the accepted changes of an OpenAPI document. */
export const logShape = object({ accepted: list(acceptance) })

/** The shape of a snapshot. */
export const snapshotShape = object({
  /** The form of this file. A later form has a higher number. */
  format: literal([1]),
  /** The version of nounful that wrote the file. */
  nounful: text,
  /** `false` where a path needs a version; `null` where it is unknown: an API alone. */
  defaultVersion: nullable(either(literal([false]), text)),
  /** A context or a middleware may refuse a request; `null` where it is unknown. */
  guarded: nullable(flag),
  /** By name; empty where they are unknown. */
  limits: record(number),
  /** The URL before the code in a problem's `type`; `null` for `about:blank`. */
  problemTypes: nullable(text),
  /** The problems of this release of nounful: their statuses by code. */
  problems: record(number),
  versions: record(version),
  resources: record(resource),
  /** Breaks that somebody accepted, oldest first. */
  accepted: list(acceptance),
})

/** A contract at one moment, as plain JSON: the file that `nounful snapshot` writes. */
export type Snapshot = ValueOf<typeof snapshotShape>
