import { followReference } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject, type JsonObject } from '../../sets/canonical.ts'

/** One of the two documents of a comparison. */
export type DocumentName = 'old' | 'new'

/** An OpenAPI document with its references followed, except those within schemas. */
export interface ApiDocument {
  /** `3.0` writes schemas in a dialect of its own. */
  readonly dialect: '3.0' | '2020-12'
  readonly root: JsonObject
  readonly operations: readonly ApiOperation[]
  /** Requests that the server sends: webhooks. */
  readonly webhooks: readonly ApiOperation[]
  /** Collects the references that lead to nothing, or out of the document. */
  readonly unreadable: Set<string>
}

/** An operation with all that it inherits from its path and from the document. */
export interface ApiOperation {
  /** In capitals: `GET`. */
  readonly method: string
  /** The template as written: `/pets/{petId}`; the name of a webhook. */
  readonly path: string
  readonly id: string | undefined
  readonly lifetime: EndNotice
  readonly parameters: readonly ApiParameter[]
  readonly body: RequestBody | undefined
  /** By status: `200`, `2XX`, `default`. */
  readonly responses: ReadonlyMap<string, ApiResponse>
  readonly security: readonly Alternative[]
  /** URLs without a final slash, with the defaults of their variables. */
  readonly servers: readonly string[]
  /** Requests that the server sends after this one. */
  readonly callbacks: readonly ApiOperation[]
}

/** How long an operation or a parameter of a document stays. */
export interface EndNotice {
  readonly isDeprecated: boolean
  /** The date in `x-sunset`; `undefined` for none. */
  readonly sunset: string | undefined
}

/** A parameter, or a header of a response. */
export interface ApiParameter {
  readonly in: string
  readonly name: string
  /** Equal for the same parameter of both documents: `query limit`, `path 0`. */
  readonly key: string
  /** The reference to it without `#/`; `undefined` for one of its own. */
  readonly shared: string | undefined
  readonly lifetime: EndNotice
  readonly isRequired: boolean
  readonly takesEmpty: boolean
  readonly form: ParameterForm
  /** `undefined` for any value. */
  readonly schema: Json | undefined
}

/** A parameter, or a header of a response, that both documents have. */
export interface ParameterPair {
  readonly old: ApiParameter
  readonly new: ApiParameter
}

/** How the text of a parameter is written. */
export interface ParameterForm {
  readonly style: string
  readonly isExploded: boolean
  /** Takes `:/?#[]@!$&'()*+,;=` unescaped. */
  readonly takesReserved: boolean
  /** The media type of the text; `undefined` for a style. */
  readonly mediaType: string | undefined
}

/** A body of a request. */
export interface RequestBody {
  readonly shared: string | undefined
  readonly isRequired: boolean
  readonly content: readonly MediaType[]
}

/** A media type of a body. */
export interface MediaType {
  /** In lower case, without spaces: `application/json;version=1`, `text/*`. */
  readonly type: string
  readonly schema: Json | undefined
  /** How the parts of a form are written; `undefined` for the defaults. */
  readonly encoding: Json | undefined
}

/** A response with one status, or with one of a class of statuses. */
export interface ApiResponse {
  readonly shared: string | undefined
  readonly content: readonly MediaType[]
  readonly headers: readonly ApiParameter[]
}

/** Credentials that a request needs together; empty for none. */
export type Alternative = readonly Credential[]

/** A security scheme with the scopes that a request needs. */
export interface Credential {
  /** The name of the scheme in its document. */
  readonly name: string
  /** Equal for schemes that take the same credentials, whatever their names. */
  readonly scheme: string
  readonly type: string
  readonly scopes: readonly string[]
}

/** Returns an own member of an object or an element of a list; `undefined` for none. */
export function childOf(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Object.getOwnPropertyDescriptor(value, key)?.value
}

/** Returns the own members of an object, in their order; none of any other value. */
export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isJsonObject(value) ? Object.entries(value) : []
}

/** Returns the elements of a list; none of any other value. */
export function elementsOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** Returns a text of a document; `undefined` for any other value. */
export function textIn(value: Json | undefined, key: string): string | undefined {
  const text = childOf(value, key)
  return typeof text === 'string' ? text : undefined
}

/**
 * Follows a reference within a document: `#/components/schemas/Pet`; `undefined` where it leads to
 * nothing, or out of the document.
 *
 * @see RFC 6901 §6
 */
export function nodeAt(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#/')) return undefined
  // A part of JSON is JSON.
  return followReference(decoded(reference), root) as Json | undefined
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The target of a chain of references. */
export interface Followed {
  /** `undefined` where a reference leads to nothing. */
  readonly node: Json | undefined
  /** The last reference of the chain without `#/`: `components/parameters/Limit`. */
  readonly shared: string | undefined
}

/** Follows the references of a node that may be one itself. A circle leads to nothing. */
export function followChain(start: Json | undefined, root: JsonObject): Followed {
  const seen = new Set<string>()
  let node = start
  let shared: string | undefined
  for (;;) {
    const reference = textIn(node, '$ref')
    if (reference === undefined) return { node, shared }
    if (seen.has(reference)) return { node: undefined, shared: reference }
    seen.add(reference)
    shared = reference.replace(/^#\//, '')
    node = nodeAt(reference, root)
    if (node === undefined) return { node, shared }
  }
}
