import { isRecord } from '../../model/declared.ts'
import { listOf } from '../../model/json-schema.ts'
import type { SchemaDocument, SchemaNode } from '../sets/document.ts'
import { namesIn } from '../sets/read-objects.ts'
import { flatten } from './flat.ts'

/** Whether fields that a schema does not declare are left out, or let through. */
export type Undeclared = 'left out' | 'let through'

interface Rewriting {
  readonly document: SchemaDocument
  readonly undeclared: Undeclared
  /** The names of the schemas that are being written, by their keys. */
  readonly under: Map<string, string>
  /** The schemas that hold themselves. */
  readonly shared: Record<string, unknown>
}

/**
 * Writes a schema for the values that a client knows: clients send declared fields alone, and
 * ignore fields that they do not know. An object that says nothing of other members would
 * else take any value under the name of a field that is new in the other schema.
 */
export function rewrite(
  schema: object,
  document: SchemaDocument,
  undeclared: Undeclared,
): SchemaNode {
  const shared: Record<string, unknown> = {}
  const written = write(schema, [], { document, undeclared, under: new Map(), shared })
  const root: SchemaNode = { ...document.root }
  // Parts that are not written anew refer to these.
  const shelves = ['definitions', 'components'].filter((name) => root[name] !== undefined)
  const defs = { ...Object(root.$defs), ...shared }
  return {
    ...written,
    ...Object.fromEntries(shelves.map((name) => [name, root[name]])),
    ...(Object.keys(defs).length > 0 ? { $defs: defs } : {}),
  }
}

function write(schema: unknown, around: readonly string[], rewriting: Rewriting): SchemaNode {
  if (schema === false) return { not: {} }
  if (!isRecord(schema)) return {}
  const { document, under, shared } = rewriting
  const key = `${around.join()} ${document.keyOf(schema)}`
  const known = under.get(key)
  if (known !== undefined) {
    shared[known] ??= {}
    return { $ref: `#/$defs/${known}` }
  }
  const name = `s${under.size}-${Object.keys(shared).length}`
  under.set(key, name)
  const written = writeFlat(schema, around, rewriting)
  under.delete(key)
  if (!Object.hasOwn(shared, name)) return written
  shared[name] = written
  return { $ref: `#/$defs/${name}` }
}

function writeFlat(schema: object, around: readonly string[], rewriting: Rewriting): SchemaNode {
  const { node, more } = flatten(schema, rewriting.document)
  const inner = (one: unknown) => write(one, [], rewriting)
  const properties = Object.entries(Object(node.properties)).map(([name, one]) => [
    name,
    inner(one),
  ])
  const declared = [...properties.map(([name]) => String(name)), ...namesIn(node.required)]
  const names = [...new Set([...around, ...declared])]
  const alternatives = (list: unknown) => listOf(list).map((one) => write(one, names, rewriting))
  const hasChoice = ['anyOf', 'oneOf'].some((keyword) => listOf(node[keyword]).length > 0)
  const { $defs: _, definitions: __, components: ___, ...rest } = node
  return {
    ...rest,
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(node.items === undefined || Array.isArray(node.items) ? {} : { items: inner(node.items) }),
    ...(node.prefixItems === undefined ? {} : { prefixItems: listOf(node.prefixItems).map(inner) }),
    ...(hasChoice && node.anyOf !== undefined ? { anyOf: alternatives(node.anyOf) } : {}),
    ...(hasChoice && node.oneOf !== undefined ? { oneOf: alternatives(node.oneOf) } : {}),
    ...restOf(node, { names, isChosen: hasChoice || more.length > 0, rewriting }),
    ...(more.length > 0 ? { allOf: more.map((one) => write(one, names, rewriting)) } : {}),
  }
}

interface Around {
  readonly names: readonly string[]
  /** Alternatives say which members there are. */
  readonly isChosen: boolean
  readonly rewriting: Rewriting
}

function restOf(node: SchemaNode, { names, isChosen, rewriting }: Around): SchemaNode {
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
  const open = names.filter((name) => !Object.hasOwn(Object(node.properties), name))
  const own = new Map(Object.entries(Object(node.properties)))
  const properties = [
    ...[...own].map(([name, one]) => [name, write(one, [], rewriting)]),
    ...open.map((name) => [name, {}]),
  ]
  return { properties: Object.fromEntries(properties), additionalProperties: false }
}
