import { listOf } from '../../contract/schema/json-schema.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import { type ReadSet, readDocument, type SchemaDocument, type SchemaNode } from './document.ts'
import { judgedOf, readLists, readNumbers, readObjects, readTexts } from './read-keywords.ts'
import {
  anyValue,
  complementOf,
  type JsonType,
  jsonTypes,
  type Keyword,
  noValue,
  setOf,
  type ValueSet,
} from './value-set.ts'

/** Reads a JSON Schema (draft 4 to 2020-12, OpenAPI 3.0) as the set of its values. */
export function readSet(schema: object | boolean): ValueSet {
  if (typeof schema === 'boolean') return schema ? anyValue : noValue
  return readSetIn(readDocument(schema))(schema)
}

/** Makes the reader of the schemas of one document. */
export function readSetIn(document: SchemaDocument): ReadSet {
  const known = new Map<object, ValueSet>()
  const read: ReadSet = (written) => {
    const schema = document.resolve(written)
    if (schema === false) return noValue
    if (!isRecord(schema)) return anyValue
    const before = known.get(schema)
    if (before !== undefined) return before
    let keywords: readonly Keyword[] | undefined
    const set: ValueSet = {
      key: document.keyOf(schema),
      keywords: () => {
        keywords ??= readKeywords(schema, document, read)
        return keywords
      },
    }
    known.set(schema, set)
    return set
  }
  return read
}

function readKeywords(
  schema: SchemaNode,
  document: SchemaDocument,
  read: ReadSet,
): readonly Keyword[] {
  const targets = readReferences(schema, document, read)
  if (typeof schema.$ref === 'string' && !document.readsSiblings) return targets
  return [
    ...targets,
    ...readTypes(schema),
    ...readChoices(schema, read),
    ...readNumbers(schema),
    ...readTexts(schema),
    ...readLists(schema, read),
    ...readObjects(schema, read),
    ...readUnevaluated(schema, { read, document }),
  ]
}

function readReferences(
  schema: SchemaNode,
  { targetsOf }: SchemaDocument,
  read: ReadSet,
): readonly Keyword[] {
  return targetsOf(schema).map(([keyword, target]) => {
    if (target !== undefined) return { kind: 'all', sets: [read(target)] }
    const because =
      keyword === '$ref'
        ? `the reference ${schema.$ref} leads to nothing in the document`
        : `the keyword "${keyword}" is not compared`
    return { kind: 'opaque', because }
  })
}

function readTypes({ type, nullable, ...rest }: SchemaNode): readonly Keyword[] {
  const names = [...(Array.isArray(type) ? type : type === undefined ? [] : [type])]
  // OpenAPI 3.0: `nullable` counts beside a `type` alone.
  if (names.length > 0 && nullable === true) names.push('null')
  const types = jsonTypes.filter(
    (name: JsonType) => names.includes(name) || (name === 'number' && names.includes('integer')),
  )
  const isWhole = names.includes('integer') && !names.includes('number')
  const values = readValues(rest, nullable === true && names.length > 0)
  return [
    ...(names.length > 0 ? [{ kind: 'types' as const, types }] : []),
    ...(isWhole ? [{ kind: 'multipleOf' as const, divisor: 1 }] : []),
    ...values,
  ]
}

function readValues(schema: SchemaNode, isNullable: boolean): readonly Keyword[] {
  const listed = Array.isArray(schema.enum) ? [schema.enum] : []
  const constant = Object.hasOwn(schema, 'const') ? [[schema.const]] : []
  return [...listed, ...constant].map((values) => ({
    kind: 'values',
    values: isNullable && !values.includes(null) ? [...values, null] : values,
  }))
}

function readChoices(schema: SchemaNode, read: ReadSet): readonly Keyword[] {
  const keywords: Keyword[] = []
  for (const [name, kind] of choices) {
    const sets = listOf(schema[name]).map(read)
    if (sets.length > 0) keywords.push({ kind, sets })
  }
  if (schema.not !== undefined) keywords.push({ kind: 'not', set: read(schema.not) })
  if (schema.if !== undefined) {
    const [condition, yes, no] = [read(schema.if), read(schema.then), read(schema.else)]
    keywords.push({ kind: 'if', condition, yes, no })
  }
  return keywords
}

const choices = [
  ['allOf', 'all'],
  ['anyOf', 'any'],
  ['oneOf', 'one'],
] as const

/** A case of the alternatives in a schema, and what its keywords evaluate then. */
interface Evaluated {
  /** The value is in each: this makes the case. */
  readonly sets: readonly ValueSet[]
  readonly names: readonly string[]
  readonly patterns: readonly string[]
  /** So many elements at the begin of a list. */
  readonly first: number
  /** Each element in one of these, too. */
  readonly contained: readonly ValueSet[]
}

interface Reading {
  readonly read: ReadSet
  readonly document: SchemaDocument
}

const nothing: Evaluated = { sets: [], names: [], patterns: [], first: 0, contained: [] }

// More cases make a search too long.
const mostCases = 64

/**
 * Reads `unevaluatedProperties` and `unevaluatedItems`: one of the cases holds, and what it leaves
 * is in the set of the keyword. A case need not say which alternatives do not apply, because they
 * could only evaluate more.
 */
function readUnevaluated(schema: SchemaNode, reading: Reading): readonly Keyword[] {
  const { unevaluatedProperties, unevaluatedItems } = schema
  const names = Object.entries({ unevaluatedProperties, unevaluatedItems }).filter(
    ([, rest]) => rest !== undefined && rest !== true,
  )
  if (names.length === 0) return []
  const cases = casesOf(schema, reading, new Set())
  if (cases === undefined)
    return names.map(([name]) => opaque(`the keyword "${name}" is not compared here`))
  return names.map(([name, rest]) => {
    const left = reading.read(rest)
    const keywordOf = name === 'unevaluatedItems' ? elementsOf : membersOf
    const sets = cases.map((one) => caseOf(one, keywordOf(one, left)))
    return { kind: 'any', sets }
  })
}

function opaque(because: string): Keyword {
  return { kind: 'opaque', because }
}

function caseOf({ sets }: Evaluated, keywords: readonly Keyword[]): ValueSet {
  return setOf(...(sets.length > 0 ? [{ kind: 'all' as const, sets }] : []), ...keywords)
}

function membersOf({ names, patterns }: Evaluated, rest: ValueSet): readonly Keyword[] {
  const properties = new Map(names.map((name) => [name, anyValue]))
  return [judgedOf({ properties, patterns: patterns.map((one) => [one, anyValue]), rest })]
}

function elementsOf({ first, contained }: Evaluated, left: ValueSet): readonly Keyword[] {
  if (first === endless) return []
  const sets = [...contained, left]
  const rest = sets.length === 1 ? left : setOf({ kind: 'any', sets })
  return [{ kind: 'elements', first: Array.from({ length: first }, () => anyValue), rest }]
}

// `undefined` where nothing tells the cases, or they are too many.
type Cases = readonly Evaluated[] | undefined

function casesOf(schema: unknown, reading: Reading, above: ReadonlySet<object>): Cases {
  if (!isRecord(schema) || above.has(schema)) return [nothing]
  const { read, document } = reading
  const inner = (part: unknown) => casesOf(part, reading, new Set([...above, schema]))
  const within = (part: unknown) => casesIn(read(part), inner(part))
  const targets = document.targetsOf(schema).map(([, target]) => target)
  // A reference that leads out of the document evaluates something unknown.
  if (targets.includes(undefined)) return undefined
  const parts = [
    [ownOf(schema, reading, above.size > 0)],
    ...[...listOf(schema.allOf), ...targets].map(inner),
    ...listOf(schema.anyOf).map((part) => orNothing(within(part))),
    ...(Array.isArray(schema.oneOf) ? [either(schema.oneOf.map(within))] : []),
    ...Object.entries(Object(schema.dependentSchemas)).map(([name, part]) =>
      orNothing(casesIn(setOf({ kind: 'required', name }), inner(part)?.map(withoutElements))),
    ),
    ...(schema.if === undefined ? [] : [ifCases(schema, read, inner)]),
  ]
  return parts.reduce(both)
}

function ifCases(schema: SchemaNode, read: ReadSet, inner: (part: unknown) => Cases): Cases {
  const condition = read(schema.if)
  const yes = both(inner(schema.if), inner(schema.then))
  return either([casesIn(condition, yes), casesIn(complementOf(condition), inner(schema.else))])
}

function casesIn(set: ValueSet, cases: Cases): Cases {
  return cases?.map((one) => ({ ...one, sets: [set, ...one.sets] }))
}

// A part that evaluates nothing tells no cases apart.
function orNothing(cases: Cases): Cases {
  return cases?.every(isIdle) ? [nothing] : cases && [...cases, nothing]
}

function isIdle({ names, patterns, first, contained }: Evaluated): boolean {
  return names.length + patterns.length + first + contained.length === 0
}

function either(parts: readonly Cases[]): Cases {
  const all: Evaluated[] = []
  for (const cases of parts) {
    if (cases === undefined) return undefined
    all.push(...cases)
  }
  return all.length > mostCases ? undefined : all
}

function both(one: Cases, other: Cases): Cases {
  if (one === undefined || other === undefined) return undefined
  if (one.length * other.length > mostCases) return undefined
  return one.flatMap((left) =>
    other.map((right) => ({
      sets: [...left.sets, ...right.sets],
      names: [...left.names, ...right.names],
      patterns: [...left.patterns, ...right.patterns],
      first: Math.max(left.first, right.first),
      contained: [...left.contained, ...right.contained],
    })),
  )
}

// A list has no members, so nothing depends on them there.
function withoutElements(one: Evaluated): Evaluated {
  return { ...one, first: 0, contained: [] }
}

function ownOf(schema: SchemaNode, { read, document }: Reading, isNested: boolean): Evaluated {
  const { additionalProperties, unevaluatedProperties, contains } = schema
  const hasRest = additionalProperties !== undefined
  const isWhole = hasRest || (isNested && unevaluatedProperties !== undefined)
  // Since draft 2020-12, `contains` evaluates the elements that it finds.
  const isCounted =
    contains !== undefined && !/2019-09/.test(`${fieldOf(document.root, '$schema')}`)
  return {
    sets: [],
    names: Object.keys(Object(schema.properties)),
    patterns: [...Object.keys(Object(schema.patternProperties)), ...(isWhole ? [''] : [])],
    first: isNested && schema.unevaluatedItems !== undefined ? endless : evaluatedElements(schema),
    contained: isCounted ? [read(contains)] : [],
  }
}

const endless = Number.POSITIVE_INFINITY

// Until draft 2019-09, `items` could be the list, and `additionalItems` was the rest.
function evaluatedElements({ prefixItems, items, additionalItems }: SchemaNode): number {
  const [first, rest] = Array.isArray(items) ? [items, additionalItems] : [prefixItems, items]
  return rest === undefined ? listOf(first).length : endless
}
