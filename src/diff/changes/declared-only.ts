import { listOf } from '../../contract/schema/json-schema.ts'
import { isRecord } from '../../convention/value.ts'
import {
  type ReadSet,
  readDocument,
  type SchemaDocument,
  type SchemaNode,
} from '../sets/document.ts'
import { namesIn } from '../sets/read-objects.ts'
import { readSetIn } from '../sets/read-set.ts'
import type { ValueSet } from '../sets/value-set.ts'
import { flatten } from './flat.ts'

/** Whether fields that a schema does not declare are left out, or let through. */
export type Undeclared = 'left out' | 'let through'

interface Rewriting {
  readonly document: SchemaDocument
  readonly undeclared: Undeclared
  /** The references to the schemas that are written, by their keys. */
  readonly references: Map<string, SchemaNode>
  /** The schemas that stand in `$defs`, and are not written yet. */
  readonly waiting: (() => SchemaNode)[]
  readonly shared: Record<string, unknown>
}

/**
 * Makes the reader of the sets of the values that a client knows: clients send declared fields
 * alone, and ignore fields that they do not know. An object that says nothing of other members
 * would else take any value under the name of a field that is new in the other schema.
 *
 * Each schema is written once, however many others refer to it.
 */
export function createKnownReader(document: SchemaDocument, undeclared: Undeclared): ReadSet {
  const root: SchemaNode = { ...document.root }
  const shared: Record<string, unknown> = { ...Object(root.$defs) }
  const written = readDocument(
    { ...root, $defs: shared },
    () => `${undeclared} ${document.identity()}`,
  )
  const waiting: Rewriting['waiting'] = []
  const rewriting = { document, undeclared, references: new Map(), waiting, shared }
  const read = readSetIn(written)
  const sets = new Map<unknown, ValueSet>()
  return (part) => {
    const known = sets.get(part)
    if (known !== undefined) return known
    const node = write(part, [], rewriting)
    written.adopt(node)
    // A queue in place of recursion: references may form a chain of any length.
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) written.adopt(next())
    const set = read(node)
    sets.set(part, set)
    return set
  }
}

const mayRepeat = ['$ref', 'allOf', 'anyOf', 'oneOf']

function write(schema: unknown, around: readonly string[], rewriting: Rewriting): SchemaNode {
  if (schema === false) return { not: {} }
  if (!isRecord(schema)) return {}
  if (!mayRepeat.some((keyword) => Object.hasOwn(schema, keyword)))
    return writeFlat(schema, around, rewriting)
  const { document, references, waiting, shared } = rewriting
  const key = `${around.join()} ${document.keyOf(schema)}`
  const known = references.get(key)
  if (known !== undefined) return known
  const name = `known-${references.size}`
  const reference = { $ref: `#/$defs/${name}` }
  references.set(key, reference)
  waiting.push(() => {
    const node = writeFlat(schema, around, rewriting)
    shared[name] = node
    return node
  })
  return reference
}

function writeFlat(schema: object, around: readonly string[], rewriting: Rewriting): SchemaNode {
  const { node, more } = flatten(schema, rewriting.document)
  const inner = (one: unknown) => write(one, [], rewriting)
  const properties = new Map(
    Object.entries(Object(node.properties)).map(([name, one]) => [name, inner(one)] as const),
  )
  const declared = [...properties.keys(), ...namesIn(node.required)]
  const names = [...new Set([...around, ...declared])]
  const alternatives = (list: unknown) => listOf(list).map((one) => write(one, names, rewriting))
  const hasChoice = ['anyOf', 'oneOf'].some((keyword) => listOf(node[keyword]).length > 0)
  const { $defs: _, definitions: __, components: ___, ...rest } = node
  return {
    ...rest,
    ...(properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(node.items === undefined || Array.isArray(node.items) ? {} : { items: inner(node.items) }),
    ...(node.prefixItems === undefined ? {} : { prefixItems: listOf(node.prefixItems).map(inner) }),
    ...(hasChoice && node.anyOf !== undefined ? { anyOf: alternatives(node.anyOf) } : {}),
    ...(hasChoice && node.oneOf !== undefined ? { oneOf: alternatives(node.oneOf) } : {}),
    ...restOf(node, { names, properties, isChosen: hasChoice || more.length > 0, rewriting }),
    ...(more.length > 0 ? { allOf: more.map((one) => write(one, names, rewriting)) } : {}),
  }
}

interface Around {
  readonly names: readonly string[]
  readonly properties: ReadonlyMap<string, SchemaNode>
  /** Alternatives say which members there are. */
  readonly isChosen: boolean
  readonly rewriting: Rewriting
}

function restOf(node: SchemaNode, { names, properties, isChosen, rewriting }: Around): SchemaNode {
  const { additionalProperties: rest, patternProperties, unevaluatedProperties } = node
  if (rewriting.undeclared === 'let through') {
    if (rest === false) return { additionalProperties: true }
    if (unevaluatedProperties === false) return { unevaluatedProperties: true }
    return isRecord(rest) ? { additionalProperties: write(rest, [], rewriting) } : {}
  }
  if (isRecord(rest)) return { additionalProperties: write(rest, [], rewriting) }
  const isSilent = rest === undefined && patternProperties === undefined
  const isObject = isRecord(node.properties) || node.type === 'object'
  if (isChosen || !isSilent || !isObject || names.length === 0) return {}
  const open = names.filter((name) => !properties.has(name)).map((name) => [name, {}] as const)
  return {
    properties: Object.fromEntries([...properties, ...open]),
    additionalProperties: false,
  }
}
