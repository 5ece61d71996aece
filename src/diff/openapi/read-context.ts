import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import type { DocumentName } from './api-document.ts'
import { childOf, type Followed, followChain } from './json-node.ts'

/** A place of a document for messages: `['paths', '/pets', 'get']`. */
export type DocumentPlace = readonly (string | number)[]

/** A document while it is read. */
export interface ReadContext {
  readonly name: DocumentName
  readonly root: JsonObject
  /** Collects the references that lead to nothing. */
  readonly untold: Set<string>
}

/** Makes the error for a part of a document that has another form than OpenAPI's. */
export function documentFault(
  { name }: Pick<ReadContext, 'name'>,
  place: DocumentPlace,
  text: string,
): TypeError {
  const where = place.length === 0 ? '' : ` at ${place.join(' ')}`
  return new TypeError(`The ${name} document is no OpenAPI document${where}: ${text}.`)
}

/** A part of a document, references followed. */
export interface FoundNode {
  readonly node: JsonObject
  readonly shared: string | undefined
}

/**
 * Follows a reference to an object. Notes a reference to nothing, and returns `undefined` for it.
 *
 * @throws {TypeError} For a value that is no object.
 */
export function findNode(
  context: ReadContext,
  given: Json | undefined,
  place: DocumentPlace,
): FoundNode | undefined {
  const { node, shared }: Followed = followChain(given, context.root)
  if (isJsonObject(node)) return { node, shared }
  if (node === undefined && shared !== undefined) {
    context.untold.add(String(childOf(given, '$ref')))
    return undefined
  }
  throw documentFault(context, place, 'write an object')
}

/**
 * Returns the members of an object that may be missing.
 *
 * @throws {TypeError} For another value than an object.
 */
export function membersIn(
  context: ReadContext,
  given: Json | undefined,
  place: DocumentPlace,
): readonly (readonly [string, Json])[] {
  // YAML writes an empty member as `null`.
  if (given === undefined || given === null) return []
  if (!isJsonObject(given)) throw documentFault(context, place, 'write an object')
  return Object.entries(given)
}

/**
 * Returns the elements of a list that may be missing.
 *
 * @throws {TypeError} For another value than a list.
 */
export function listIn(
  context: ReadContext,
  given: Json | undefined,
  place: DocumentPlace,
): readonly Json[] {
  // YAML writes an empty member as `null`.
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) throw documentFault(context, place, 'write a list')
  return given
}
