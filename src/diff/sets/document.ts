import { createHash } from 'node:crypto'
import { fieldOf, isRecord } from '../../convention/value.ts'
import { findResources, movingTargetFrom, targetFrom } from './resources.ts'
import { createKeys } from './schema-keys.ts'
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
  /** Follows references that stand alone, to the schema that they stand for. */
  readonly resolve: (schema: unknown) => unknown
  /** Adds a schema that was written after the document was read. */
  readonly adopt: (schema: unknown) => void
  /** Returns a text that tells the document from others. */
  readonly identity: () => string
}

// References that lead to each other without a value in between.
const mostHops = 50

const references = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/** A keyword that leads to another schema. */
type Reference = (typeof references)[number]

/**
 * Reads the references of a JSON Schema.
 *
 * @param identify Returns a text that tells the document from others. Default a hash of the schema.
 */
export function readDocument(
  root: object,
  identify: () => string = () => identityOf(root),
): SchemaDocument {
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
  const resolve = (schema: unknown): unknown => {
    let target = schema
    for (let hops = 0; hops < mostHops && isReference(target); hops++)
      target = follow(target) ?? noTarget
    return target === noTarget || isReference(target) ? schema : target
  }
  let known: string | undefined
  const identity = () => {
    known ??= identify()
    return known
  }
  const keyOf = createKeys({ readsSiblings, follow, resolve, identity, resources })
  const { adopt } = resources
  return { root, readsSiblings, follow, targetsOf, keyOf, resolve, adopt, identity }
}

const noTarget = Symbol('no target')

function isReference(schema: unknown): schema is SchemaNode {
  return isRecord(schema) && Object.keys(schema).length === 1 && typeof schema.$ref === 'string'
}

function identityOf(root: object): string {
  return createHash('sha256').update(JSON.stringify(root)).digest('hex')
}
