import type { Json } from '../../contract/schema/schema.ts'
import { parsePointer } from '../../wire/pointer.ts'
import { isJsonObject } from '../canonical.ts'

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
export function nodeAt(reference: string, root: Json): Json | undefined {
  if (!reference.startsWith('#/')) return undefined
  const steps = parsePointer(decoded(reference.slice(1)))
  return steps.reduce<Json | undefined>((place, step) => childOf(place, step), root)
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
export function followChain(given: Json | undefined, root: Json): Followed {
  const seen = new Set<string>()
  let node = given
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
