import type { Json } from '../contract/schema/schema.ts'
import { type FilterValue, filterTypes } from '../convention/filter-operators.ts'
import { operationKinds } from '../convention/operations.ts'
import { isJsonObject } from '../sets/canonical.ts'

/** Finds the faults of a JSON value, as texts. A value without a fault is of the type. */
interface Shape<Value> {
  (value: Json | undefined, at: string): Iterable<string>
  /** Carries the type: no shape has this member. */
  readonly type?: Value
}

/** The shape of a member that may be missing. */
interface OptionalShape<Value> extends Shape<Value> {
  readonly isOptional: true
}

/** The values of a shape. */
type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never

type Shapes = Readonly<Record<string, Shape<unknown>>>

type ObjectOf<Members extends Shapes> = {
  readonly [Name in keyof Members as Members[Name] extends OptionalShape<unknown>
    ? never
    : Name]: ValueOf<Members[Name]>
} & {
  readonly [Name in keyof Members as Members[Name] extends OptionalShape<unknown>
    ? Name
    : never]?: ValueOf<Members[Name]>
}

/** Makes the shape of the values that pass a test. */
function tested<Value extends Json>(
  words: string,
  test: (value: Json | undefined) => value is Value,
): Shape<Value> {
  return (value, at) => (test(value) ? [] : [`${at} is not ${words}`])
}

/** Makes the shape of some values. */
function literal<const Value extends Json>(values: readonly Value[]): Shape<Value> {
  const words = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
  return tested(words, (value): value is Value => values.some((candidate) => candidate === value))
}

/** Makes the shape of the values of two shapes. */
function either<First, Second>(first: Shape<First>, second: Shape<Second>): Shape<First | Second> {
  return (value, at) => ([...first(value, at)].length === 0 ? [] : second(value, at))
}

/** Makes the shape that takes `null` too. */
function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return (value, at) => (value === null ? [] : shape(value, at))
}

/** Makes the shape of a member that may be missing. */
function optional<Value>(shape: Shape<Value>): OptionalShape<Value> {
  const check: Shape<Value> = (value, at) => (value === undefined ? [] : shape(value, at))
  return Object.assign(check, { isOptional: true } as const)
}

/** Makes the shape of a list. */
function list<Value>(shape: Shape<Value>): Shape<readonly Value[]> {
  return function* (value, at) {
    if (!Array.isArray(value)) yield `${at} is not a list`
    else for (const [index, element] of value.entries()) yield* shape(element, `${at}/${index}`)
  }
}

/** Makes the shape of an object with members of any names. */
function record<Value>(shape: Shape<Value>): Shape<{ readonly [name: string]: Value }> {
  return function* (value, at) {
    if (!isJsonObject(value)) yield `${at} is not an object`
    else for (const [name, member] of Object.entries(value)) yield* shape(member, `${at}/${name}`)
  }
}

/** Makes the shape of an object with some members. It may have others. */
function object<Members extends Shapes>(members: Members): Shape<ObjectOf<Members>> {
  return function* (value, at) {
    if (!isJsonObject(value)) return yield `${at} is not an object`
    for (const [name, shape] of Object.entries(members))
      yield* shape(Object.hasOwn(value, name) ? value[name] : undefined, `${at}/${name}`)
  }
}

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
  /** The resources whose fields filters name, by the member of the reference; absent for none. */
  related: optional(record(text)),
  /**
   * The members of `related` by whose fields clients can sort. Old snapshots and those of an API
   * alone lack it, and so do paths without `related`.
   */
  joined: optional(texts),
  /** The rules that judge the items; absent for none, and where they are unknown. */
  rules: optional(list(literal(['create', 'change', 'delete']))),
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
  /** The field is a list, whose elements have the type; absent for another field. */
  isList: optional(flag),
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
  /** The sortable fields that sort without case; absent for none. */
  folded: optional(texts),
  searchable: texts,
  filterable: record(filter),
  /** The fields to count by; absent for none. */
  countable: optional(texts),
  readOnly: texts,
  keep: texts,
  restricted: texts,
  /** The name of the resource whose items a field names, by field. Old snapshots have none. */
  references: optional(record(text)),
  /** The fields that name an item's owner; `parent`; `null` for none. Old snapshots lack it. */
  ownedBy: optional(nullable(either(literal(['parent']), texts))),
  /** The states of a field, the first one, and the moves by state; absent for none. */
  states: optional(object({ field: text, initial: text, moves: record(texts) })),
  revision: nullable(text),
  maxLimit: number,
  defaultLimit: nullable(number),
  bounded: flag,
  idempotent: flag,
  /** Old snapshots, and resources whose PUT creates nothing, lack it. */
  putCreates: optional(flag),
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
