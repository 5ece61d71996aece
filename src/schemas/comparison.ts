import { listOf } from '../contract/schema/json-schema.ts'
import type { Json } from '../contract/schema/schema.ts'
import { isRecord } from '../convention/value.ts'
import {
  type ReadSet,
  readDocument,
  type SchemaDocument,
  type SchemaNode,
} from '../sets/document.ts'
import { createFind } from '../sets/find.ts'
import { namesIn } from '../sets/read-keywords.ts'
import { readSetIn } from '../sets/read-set.ts'
import { type FindValue, type Keyword, noValue, setOf, type ValueSet } from '../sets/value-set.ts'
import type { SchemaChange } from './change.ts'
import { type FlatSchema, flatten, isAnnotation } from './flat.ts'

/** The old schema or the new one, with the readers of its parts. */
export interface SchemaSource {
  readonly schema: object
  readonly document: SchemaDocument
  /** Reads a part as it stands. */
  readonly plainSet: ReadSet
  /** Reads the values of a part that a client knows. */
  readonly knownSet: ReadSet
  /** Reads a part with no fields but declared ones. */
  readonly declaredSet: ReadSet
}

/** Two schemas of one place, and what their comparison needs. */
export interface PairComparison {
  readonly side: 'request' | 'item'
  readonly old: SchemaSource
  readonly new: SchemaSource
  readonly find: FindValue
  readonly pairs: PairMemory
  /** Adds a change. */
  readonly add: (change: SchemaChange) => void
}

/** The pairs of schemas that a comparison has met. */
interface PairMemory {
  /** The pairs around the place: a schema may hold itself. */
  readonly ancestors: Set<string>
  /** The new schemas that each old one was compared with. */
  readonly compared: Map<unknown, Set<unknown>>
  /** How many more places of compared pairs are told. */
  repeats: number
}

// Two references a level make 2^n places of one schema. So many places are enough to tell.
const mostRepeats = 1_000

/** A place in the values of both schemas. */
export interface SchemaPlace {
  readonly steps: readonly ValueStep[]
  readonly old: unknown
  readonly new: unknown
  /** What stands around the place on the left side; `undefined` where a search has to tell. */
  readonly around: Surroundings | undefined
}

/** The values of the left side around a place. */
interface Surroundings {
  /** One set for each step. */
  readonly sets: readonly ValueSet[]
  /** A value of the place, whichever it is, never makes the whole wrong. */
  readonly isFree: boolean
}

/** Starts a comparison. */
export function startComparison(
  side: PairComparison['side'],
  schemas: { readonly old: object; readonly new: object },
  add: PairComparison['add'],
): PairComparison {
  const sources = {
    old: sourceOf(schemas.old, side === 'request'),
    new: sourceOf(schemas.new, side !== 'request'),
  }
  const pairs = { ancestors: new Set<string>(), compared: new Map(), repeats: mostRepeats }
  return { side, ...sources, find: createFind(), pairs, add }
}

// Clients send declared fields alone, and ignore other fields of items.
function sourceOf(schema: object, sends: boolean): SchemaSource {
  const document = readDocument(schema)
  const declaredSet = createKnownReader(document, 'left out')
  const knownSet = sends ? declaredSet : createKnownReader(document, 'let through')
  return { schema, document, plainSet: readSetIn(document), knownSet, declaredSet }
}

/** Returns a node as a JSON value, for people. */
export function asJson(value: unknown): Json {
  return value === undefined ? null : (value as Json)
}

/** Whether fields that a schema does not declare are left out, or let through. */
type Undeclared = 'left out' | 'let through'

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
function createKnownReader(document: SchemaDocument, undeclared: Undeclared): ReadSet {
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
  return (schema) => {
    const cached = sets.get(schema)
    if (cached !== undefined) return cached
    const node = write(schema, [], rewriting)
    written.adopt(node)
    // A queue in place of recursion: references may form a chain of any length.
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) written.adopt(next())
    const set = read(node)
    sets.set(schema, set)
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
  const cached = references.get(key)
  if (cached !== undefined) return cached
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
  const inner = (subschema: unknown) => write(subschema, [], rewriting)
  const properties = new Map(
    Object.entries(Object(node.properties)).map(
      ([name, subschema]) => [name, inner(subschema)] as const,
    ),
  )
  const declared = [...properties.keys(), ...namesIn(node.required)]
  const names = [...new Set([...around, ...declared])]
  const alternatives = (list: unknown) =>
    listOf(list).map((subschema) => write(subschema, names, rewriting))
  const hasChoice = ['anyOf', 'oneOf'].some((keyword) => listOf(node[keyword]).length > 0)
  const { $defs: _, definitions: __, components: ___, ...keywords } = node
  return {
    ...keywords,
    ...(properties.size > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(node.items === undefined ? {} : { items: inner(node.items) }),
    ...(node.prefixItems === undefined ? {} : { prefixItems: listOf(node.prefixItems).map(inner) }),
    ...(hasChoice && node.anyOf !== undefined ? { anyOf: alternatives(node.anyOf) } : {}),
    ...(hasChoice && node.oneOf !== undefined ? { oneOf: alternatives(node.oneOf) } : {}),
    ...restOf(node, { names, properties, isChosen: hasChoice || more.length > 0, rewriting }),
    ...(more.length > 0
      ? { allOf: more.map((subschema) => write(subschema, names, rewriting)) }
      : {}),
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
  const { additionalProperties: additional, patternProperties, unevaluatedProperties } = node
  if (rewriting.undeclared === 'let through') {
    if (additional === false) return { additionalProperties: true }
    if (unevaluatedProperties === false) return { unevaluatedProperties: true }
    return isRecord(additional) ? { additionalProperties: write(additional, [], rewriting) } : {}
  }
  if (isRecord(additional)) return { additionalProperties: write(additional, [], rewriting) }
  const isSilent = additional === undefined && patternProperties === undefined
  const isObject = isRecord(node.properties) || node.type === 'object'
  if (isChosen || !isSilent || !isObject || names.length === 0) return {}
  const open = names.filter((name) => !properties.has(name)).map((name) => [name, {}] as const)
  return {
    properties: Object.fromEntries([...properties, ...open]),
    additionalProperties: false,
  }
}

/** One step into a value: to a member, to any element, to an element, to any other member. */
export type ValueStep =
  | { readonly to: 'member'; readonly name: string }
  | { readonly to: 'element'; readonly index: number }
  | { readonly to: 'elements' }
  | { readonly to: 'members' }

/** Writes steps as a JSON Pointer: `/tags/-/name`; `/*` for any other member. */
export function textOf(steps: readonly ValueStep[]): string {
  return steps.map((step) => `/${segmentOf(step)}`).join('')
}

function segmentOf(step: ValueStep): string {
  switch (step.to) {
    case 'member':
      return step.name.replaceAll('~', '~0').replaceAll('/', '~1')
    case 'element':
      return String(step.index)
    case 'elements':
      return '-'
    case 'members':
      return '*'
  }
}

/** Returns the set of values that have a value of a set at a place. */
export function withinSteps([step, ...steps]: readonly ValueStep[], set: ValueSet): ValueSet {
  if (step === undefined) return set
  const type = step.to === 'member' || step.to === 'members' ? 'object' : 'array'
  return setOf({ kind: 'types', types: [type] }, stepKeyword(step, withinSteps(steps, set)))
}

function stepKeyword(step: ValueStep, set: ValueSet): Keyword {
  switch (step.to) {
    case 'member':
      return { kind: 'member', name: step.name, set }
    case 'element':
      return { kind: 'someElement', from: step.index, to: step.index, set }
    case 'elements':
      return { kind: 'someElement', from: 0, to: Infinity, set }
    case 'members': {
      const names = { properties: new Map(), patterns: [], additional: noValue }
      return { kind: 'someMember', names, set }
    }
  }
}

/** One value for the old side, and one for the new. */
export interface Pair<Value> {
  readonly old: Value
  readonly new: Value
}

/** A place with both schemas flat, and their values as clients know them. */
export interface FlatPlace extends SchemaPlace {
  readonly flat: Pair<FlatSchema>
  readonly sets: Pair<ValueSet>
}

/** Names each change of a place and of the places below. */
export type Walk = (place: SchemaPlace, comparison: PairComparison) => void

/** Returns the place one step below a place. */
export function placeBelow(
  { steps, around, flat, sets }: FlatPlace,
  { step, ...schemas }: Pair<unknown> & { readonly step: ValueStep },
  { side }: PairComparison,
): SchemaPlace {
  const subsetSide = side === 'request' ? 'old' : 'new'
  const mayBuild = step.to === 'member' || step.to === 'elements'
  return {
    steps: [...steps, step],
    ...schemas,
    around:
      mayBuild && around !== undefined
        ? {
            sets: [...around.sets, sets[subsetSide]],
            isFree: around.isFree && isFree(flat[subsetSide]),
          }
        : undefined,
  }
}

// Keywords that hold or fail whatever the value of a declared member or of an element is.
const independent: ReadonlySet<string> = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'minItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
])

function isFree({ node, more }: FlatSchema): boolean {
  return (
    more.length === 0 &&
    Object.keys(node).every((keyword) => independent.has(keyword) || isAnnotation(keyword))
  )
}
