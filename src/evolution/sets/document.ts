import { createHash } from 'node:crypto'
import { isRecord } from '../../model/declared.ts'
import { fieldOf } from '../../model/value.ts'
import { essenceOf, schemasIn } from './keyword-names.ts'
import { findResources, movingTargetFrom, targetFrom } from './resources.ts'
import type { ValueSet } from './value-set.ts'

/** Reads a schema inside a document. */
export type ReadSet = (schema: unknown) => ValueSet

/** A JSON Schema as keywords by name. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** A JSON Schema with what its references lead to. */
export interface SchemaDocument {
  readonly root: object
  /** Keywords beside `$ref` count, as since draft 2019-09. */
  readonly readsSiblings: boolean
  /** Returns the target of `$ref` of a schema; `undefined` for none, and for one that leads out. */
  readonly follow: (schema: SchemaNode) => unknown
  /** Returns the references of a schema, each with its target as that of `follow`. */
  readonly targetsOf: (schema: SchemaNode) => readonly (readonly [Reference, unknown])[]
  /** Returns a text that tells the schemas with the same values. */
  readonly keyOf: (schema: unknown) => string
}

const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** A keyword that leads to another schema. */
type Reference = (typeof references)[number]

/** Reads the references of a JSON Schema. */
export function readDocument(root: object): SchemaDocument {
  const draft = fieldOf(root, '$schema')
  const readsSiblings = !(typeof draft === 'string' && /draft-0[3-7]/.test(draft))
  const resources = findResources(root, { readsSiblings })
  const targets = new Map<object, unknown>()
  const follow = (schema: SchemaNode): unknown => {
    const { $ref } = schema
    if (typeof $ref !== 'string') return undefined
    if (!targets.has(schema)) targets.set(schema, targetFrom($ref, resources.of(schema), resources))
    return targets.get(schema)
  }
  const followMoving = (schema: SchemaNode, keyword: Reference): unknown =>
    movingTargetFrom(`${schema[keyword]}`, resources.of(schema), resources)
  const targetsOf = (schema: SchemaNode) =>
    references
      .filter((keyword) => typeof schema[keyword] === 'string')
      .map(
        (keyword) =>
          [keyword, keyword === '$ref' ? follow(schema) : followMoving(schema, keyword)] as const,
      )
  const keys = new Map<unknown, string>()
  let identity: string | undefined
  const keyOf = (schema: unknown): string => {
    const known = keys.get(schema)
    if (known !== undefined) return known
    const reach = reachOf(schema, follow)
    if (reach.isOpen) identity ??= identityOf(root)
    const texts = [essenceText(schema, reach), readsSiblings ? '' : ' of $ref alone']
    const key = texts.join('') + (reach.isOpen ? ` in ${identity}` : '')
    keys.set(schema, key)
    return key
  }
  return { root, readsSiblings, follow, targetsOf, keyOf }
}

interface Reach {
  /** The targets of the references in a schema, also through others. */
  readonly targets: ReadonlyMap<unknown, unknown>
  /** The rest of its document tells its values too. */
  readonly isOpen: boolean
  /** One reference leads to two schemas: each starts from another address. */
  readonly isMixed: boolean
}

function reachOf(schema: unknown, follow: SchemaDocument['follow']): Reach {
  const targets = new Map<unknown, unknown>()
  const reach = { targets, isOpen: false, isMixed: false }
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
      if (isNew) collect(target)
    }
    for (const inner of schemasIn(part)) collect(inner)
  }
  collect(schema)
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

function identityOf(root: object): string {
  return createHash('sha256').update(JSON.stringify(root)).digest('hex')
}
