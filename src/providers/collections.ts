import { createClient } from '../client/create.ts'
import type { CollectionClient } from '../client/fluent.ts'
import type { CallOptions, ClientOptions, HeaderFields } from '../client/options.ts'
import type { ReadManyOptions, ReadQuery } from '../client/query.ts'
import type { Api } from '../contract/resource/api.ts'
import { isProblem } from '../convention/problem.ts'
import { parsePointer } from '../wire/pointer.ts'
import { isUnexpected } from '../wire/response.ts'

/** A record whose type the caller does not name. */
export interface ProviderRecord {
  id: string | number
  [field: string]: unknown
}

/** The options of a data provider: those of `createClient`, and the version of the api. */
export interface ProviderOptions extends ClientOptions {
  /** The version of the api: `v1`. */
  readonly version: `v${number}`
  /**
   * The field that changes with every write. `update` sends the value that the form has read, so
   * that no other change is lost: `precondition_failed`. Default: `revision`.
   */
  readonly revision?: string | undefined
}

/** The members of `meta` that a data provider reads, in each method that can use them. */
export interface ProviderMeta<Field extends string = string> extends ReadQuery<Field> {
  /** Header fields of this call. They override the client's. Default: none. */
  readonly headers?: HeaderFields | undefined
  /** The revision that the item to change or to delete must have. Default: any. */
  readonly ifRevision?: string | number | undefined
  /** Repeating a `create` with this key creates one item. Default: none. */
  readonly idempotencyKey?: string | undefined
}

/** Finds a collection by its name. */
export type FindCollection = (resource: string) => CollectionClient

/**
 * Returns a function that finds a collection: `employees`, or `companies/7/employees` with encoded
 * ids. It throws a `TypeError` for any other text, and a `URIError` for a broken escape.
 */
export function collectionsOf(version: string, options: ClientOptions): FindCollection {
  const client = createClient<Api>(options)
  return (resource) => {
    const segments = resource.split('/')
    let place: unknown = Reflect.get(client, version)
    for (const [index, segment] of segments.entries()) {
      const isNoun = index % 2 === 0
      if (isNoun) place = Reflect.get(Object(place), segment)
      else if (isCollection(place)) place = place(decodeURIComponent(segment))
    }
    if (segments.length % 2 === 1 && isCollection(place)) return place
    throw new TypeError(`Unknown resource "${resource}"`)
  }
}

/** Returns the path of a list below an item, where a template names it. */
export function nestedPath(
  nested: readonly string[],
  { resource, target, id }: { resource: string; target: string; id: string | number },
): string | undefined {
  const pathOf = (path: string) => path.slice(1).replace(`:${target}`, encodeURIComponent(id))
  const template = nested.find(
    (path) => path.endsWith(`/:${target}/${resource}`) || pathOf(path) === resource,
  )
  return template && pathOf(template)
}

// An item has methods too, which are functions.
function isCollection(value: unknown): value is CollectionClient {
  return typeof value === 'function' && 'readMany' in value
}

/** The `meta` of a client without a contract, which knows of the id alone. */
export type Meta = ProviderMeta<'id'>

/** Returns `meta`, or no members. */
export function metaOf({ meta }: { readonly meta?: unknown }): Meta {
  return Object(meta)
}

/** Returns the fields and included items that `meta` names. */
export function readQueryOf({ fields, include }: Meta): ReadQuery<'id'> {
  return { fields, include }
}

/** Returns the options of a write: the headers, and the conditions that have a value. */
export function writeOptionsOf(
  { headers, ifRevision, idempotencyKey }: Meta,
  revision?: unknown,
): CallOptions {
  const condition = ifRevision ?? revision
  const hasRevision = typeof condition === 'string' || typeof condition === 'number'
  return {
    headers,
    ...(hasRevision && { ifRevision: condition }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

/** Reads the items of some ids, without those that do not exist. */
export async function readRecords(
  collection: CollectionClient,
  ids: readonly (string | number)[],
  options: ReadManyOptions<'id'>,
): Promise<readonly object[]> {
  const items = await collection.readMany(ids, options)
  return items.filter((item) => item !== undefined)
}

/** Changes all items by one request, or none. */
export function patchRecords(
  collection: CollectionClient,
  ids: readonly (string | number)[],
  patch: unknown,
  { headers }: Meta,
): Promise<readonly object[]> {
  const patches = ids.map((id) => ({ ...Object(patch), id }))
  return collection.patchMany(patches, { headers })
}

/** Deletes the items one by one, and throws the first error at the end. */
export async function deleteRecords(
  collection: CollectionClient,
  ids: readonly (string | number)[],
  { headers }: Meta,
): Promise<readonly unknown[]> {
  const outcomes = await collection.deleteMany(ids, { headers })
  for (const { error } of outcomes) if (error !== undefined) throw error
  return outcomes.map(({ item }) => item)
}

/**
 * Returns the records of a call. Both frameworks let each caller choose the type of a record.
 *
 * @throws {ProblemError} With `statusCode`, `errors` and `body.errors`: the texts of its issues, by
 *   the path of their field.
 */
export async function dataOf<Data>(call: () => Promise<unknown>): Promise<{ data: Data }> {
  return { data: (await withFaults(call)) as Data }
}

/** Runs a call as {@link dataOf} does, and returns its value. */
export async function withFaults<Value>(call: () => Promise<Value>): Promise<Value> {
  try {
    return await call()
  } catch (error) {
    // React-admin reads `status` and `body.errors`, refine `statusCode` and `errors`.
    if (isProblem(error)) Object.assign(error, faultsOf(error.members.issues))
    if (isProblem(error) || isUnexpected(error)) {
      Object.assign(error, { statusCode: error.status })
    }
    throw error
  }
}

/** Returns the messages of a problem's issues by field, the first of each: `{ 'address.city' }`. */
export function faultsOf(issues: unknown): object {
  if (!Array.isArray(issues)) return {}
  const faults = issues.flatMap(({ pointer, message }) =>
    pointer ? [[parsePointer(pointer).join('.'), message]] : [],
  )
  if (faults.length === 0) return {}
  const errors: object = Object.fromEntries(faults.reverse())
  return { errors, body: { errors } }
}
