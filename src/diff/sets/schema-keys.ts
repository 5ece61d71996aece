import { isRecord } from '../../convention/value.ts'
import { essenceOf, essenceOfKeywords, schemasIn } from './keyword-names.ts'
import type { SchemaResources } from './resources.ts'
import { shortKey } from './value-set.ts'

type Node = Readonly<Record<string, unknown>>

/** The references of a document. */
export interface References {
  readonly readsSiblings: boolean
  readonly follow: (schema: Node) => unknown
  readonly resolve: (schema: unknown) => unknown
  readonly identity: () => string
  readonly resources: SchemaResources
}

// Each level takes some frames of the stack; a text needs none.
const mostOpen = 300

/** Makes the function that returns a text that tells the schemas with the same values. */
export function createKeys(references: References): (schema: unknown) => string {
  const { readsSiblings, follow, resolve } = references
  const isOfParts = createPartsCheck(references)
  const keys = new Map<unknown, string>()
  const open = new Set<unknown>()
  const keyOf = (written: unknown): string => {
    const schema = resolve(written)
    const before = keys.get(schema)
    if (before !== undefined) return before
    const isShallow = open.size < mostOpen && !open.has(schema)
    const hasParts = isShallow && isRecord(schema) && isOfParts(schema)
    open.add(schema)
    const key = shortKey(hasParts ? keyOfParts(schema) : textOf(schema, references))
    open.delete(schema)
    keys.set(schema, key)
    return key
  }
  const keyOfParts = (schema: Node): string => {
    if (schema.$ref !== undefined && !readsSiblings) return keyOf(follow(schema))
    const inner = (part: unknown) => (isRecord(part) ? keyOf(part) : part)
    const nameOf = () => keyOf(follow(schema))
    return JSON.stringify(essenceOfKeywords(schema, { inner, nameOf }))
  }
  return keyOf
}

// The key of a schema is made of the keys of its parts. One that holds itself has a text.
function createPartsCheck({ follow, resolve, resources }: References): (schema: Node) => boolean {
  const referred = new Set<unknown>()
  return (schema) => {
    for (const part of resources.takeFresh()) {
      const target = follow(part)
      if (target !== undefined) referred.add(resolve(target))
    }
    const isMoving = schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined
    const isBroken = typeof schema.$ref === 'string' && follow(schema) === undefined
    if (isMoving || isBroken) return false
    return !referred.has(schema) || ![...reachOf(schema, follow).targets.values()].includes(schema)
  }
}

function textOf(schema: unknown, { readsSiblings, follow, identity }: References): string {
  const reach = reachOf(schema, follow)
  const texts = [essenceText(schema, reach), readsSiblings ? '' : ' of $ref alone']
  return texts.join('') + (reach.isOpen ? ` in ${identity()}` : '')
}

interface Reach {
  /** The targets of the references in a schema, also through others. */
  readonly targets: ReadonlyMap<unknown, unknown>
  /** The rest of its document tells its values too. */
  readonly isOpen: boolean
  /** One reference leads to two schemas: each starts from another address. */
  readonly isMixed: boolean
}

function reachOf(schema: unknown, follow: References['follow']): Reach {
  const targets = new Map<unknown, unknown>()
  const reach = { targets, isOpen: false, isMixed: false }
  // A stack of its own: references may form a chain of any length.
  const parts = [schema]
  const collect = (part: unknown): void => {
    if (!isRecord(part)) return
    const { $ref, $dynamicRef, $recursiveRef } = part
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) reach.isOpen = true
    if (typeof $ref === 'string') {
      const target = follow(part)
      const isNew = !targets.has($ref)
      if (target === undefined) reach.isOpen = true
      else if (isNew) targets.set($ref, target)
      else if (targets.get($ref) !== target) reach.isMixed = true
      if (isNew) parts.push(target)
    }
    for (const inner of schemasIn(part)) parts.push(inner)
  }
  while (parts.length > 0) collect(parts.pop())
  return reach
}

let mixed = 0

// The names of references say nothing, only the order in which they come.
function essenceText(schema: unknown, { targets, isMixed }: Reach): string {
  if (isMixed) return `mixed ${++mixed}`
  const names = new Map<unknown, number>()
  const nameOf = (reference: unknown): unknown => {
    if (!targets.has(reference)) return reference
    const name = names.get(reference) ?? names.size
    names.set(reference, name)
    return name
  }
  // The first essence brings lists into an order, which numbers the references.
  const renamed = (part: unknown): unknown => essenceOf(essenceOf(part), nameOf)
  const parts = [renamed(schema)]
  // Grows while it is read.
  for (const reference of names.keys()) parts.push(renamed(targets.get(reference)))
  return parts.map((part) => JSON.stringify(part)).join(' where ')
}
