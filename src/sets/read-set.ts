import { listOf, typesOf } from '../contract/schema/json-schema.ts'
import type { Json } from '../contract/schema/schema.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { type ReadSet, readDocument, type SchemaDocument, type SchemaNode } from './document.ts'
import { plainForm } from './plain-form.ts'
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
  const setsBySchema = new Map<object, ValueSet>()
  const read: ReadSet = (written) => {
    const schema = document.resolve(written)
    if (schema === false) return noValue
    if (!isRecord(schema)) return anyValue
    const before = setsBySchema.get(schema)
    if (before !== undefined) return before
    let keywords: readonly Keyword[] | undefined
    const set: ValueSet = {
      key: document.keyOf(schema),
      keywords: () => {
        keywords ??= readKeywords(schema, document, read)
        return keywords
      },
    }
    setsBySchema.set(schema, set)
    return set
  }
  return read
}

function readKeywords(
  written: SchemaNode,
  document: SchemaDocument,
  read: ReadSet,
): readonly Keyword[] {
  const targets = readReferences(written, document, read)
  if (typeof written.$ref === 'string' && !document.readsSiblings) return targets
  const schema = plainForm(written)
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

function readTypes(schema: SchemaNode): readonly Keyword[] {
  const names = typesOf(schema)
  const types = jsonTypes.filter(
    (name: JsonType) => names.includes(name) || (name === 'number' && names.includes('integer')),
  )
  const isWhole = names.includes('integer') && !names.includes('number')
  return [
    ...(names.length > 0 ? [{ kind: 'types' as const, types }] : []),
    ...(isWhole ? [{ kind: 'multipleOf' as const, divisor: 1 }] : []),
    ...(Array.isArray(schema.enum) ? [{ kind: 'values' as const, values: schema.enum }] : []),
    ...(Object.hasOwn(schema, 'const')
      ? [{ kind: 'values' as const, values: [schema.const as Json] }]
      : []),
  ]
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
    ([, unevaluated]) => unevaluated !== undefined && unevaluated !== true,
  )
  if (names.length === 0) return []
  const cases = casesOf(schema, reading, new Set())
  if (cases === undefined)
    return names.map(([name]) => opaque(`the keyword "${name}" is not compared here`))
  return names.map(([name, unevaluated]) => {
    const unevaluatedSet = reading.read(unevaluated)
    const keywordOf = name === 'unevaluatedItems' ? elementsOf : membersOf
    const sets = cases.map((evaluation) =>
      caseOf(evaluation, keywordOf(evaluation, unevaluatedSet)),
    )
    return { kind: 'any', sets }
  })
}

function opaque(because: string): Keyword {
  return { kind: 'opaque', because }
}

function caseOf({ sets }: Evaluated, keywords: readonly Keyword[]): ValueSet {
  return setOf(...(sets.length > 0 ? [{ kind: 'all' as const, sets }] : []), ...keywords)
}

function membersOf({ names, patterns }: Evaluated, additional: ValueSet): readonly Keyword[] {
  const properties = new Map(names.map((name) => [name, anyValue]))
  return [
    judgedOf({ properties, patterns: patterns.map((source) => [source, anyValue]), additional }),
  ]
}

function elementsOf({ first, contained }: Evaluated, unevaluated: ValueSet): readonly Keyword[] {
  if (first === endless) return []
  const sets = [...contained, unevaluated]
  const additional = sets.length === 1 ? unevaluated : setOf({ kind: 'any', sets })
  return [{ kind: 'elements', first: Array.from({ length: first }, () => anyValue), additional }]
}

// `undefined` where nothing tells the cases, or they are too many.
type Cases = readonly Evaluated[] | undefined

function casesOf(schema: unknown, reading: Reading, above: ReadonlySet<object>): Cases {
  if (!isRecord(schema) || above.has(schema)) return [nothing]
  const { read, document } = reading
  const inner = (subschema: unknown) => casesOf(subschema, reading, new Set([...above, schema]))
  const within = (subschema: unknown) => casesIn(read(subschema), inner(subschema))
  const targets = document.targetsOf(schema).map(([, target]) => target)
  // A reference that leads out of the document evaluates something unknown.
  if (targets.includes(undefined)) return undefined
  const parts = [
    [ownOf(plainForm(schema), reading, above.size > 0)],
    ...[...listOf(schema.allOf), ...targets].map(inner),
    ...listOf(schema.anyOf).map((subschema) => orNothing(within(subschema))),
    ...(Array.isArray(schema.oneOf) ? [either(schema.oneOf.map(within))] : []),
    ...Object.entries(Object(schema.dependentSchemas)).map(([name, subschema]) =>
      orNothing(casesIn(setOf({ kind: 'required', name }), inner(subschema)?.map(withoutElements))),
    ),
    ...(schema.if === undefined ? [] : [ifCases(schema, read, inner)]),
  ]
  return parts.reduce(combinedCases)
}

function ifCases(schema: SchemaNode, read: ReadSet, inner: (subschema: unknown) => Cases): Cases {
  const condition = read(schema.if)
  const yes = combinedCases(inner(schema.if), inner(schema.then))
  return either([casesIn(condition, yes), casesIn(complementOf(condition), inner(schema.else))])
}

function casesIn(set: ValueSet, cases: Cases): Cases {
  return cases?.map((evaluation) => ({ ...evaluation, sets: [set, ...evaluation.sets] }))
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

function combinedCases(cases: Cases, added: Cases): Cases {
  if (cases === undefined || added === undefined) return undefined
  if (cases.length * added.length > mostCases) return undefined
  return cases.flatMap((evaluation) =>
    added.map((addedEvaluation) => ({
      sets: [...evaluation.sets, ...addedEvaluation.sets],
      names: [...evaluation.names, ...addedEvaluation.names],
      patterns: [...evaluation.patterns, ...addedEvaluation.patterns],
      first: Math.max(evaluation.first, addedEvaluation.first),
      contained: [...evaluation.contained, ...addedEvaluation.contained],
    })),
  )
}

// A list has no members, so nothing depends on them there.
function withoutElements(evaluated: Evaluated): Evaluated {
  return { ...evaluated, first: 0, contained: [] }
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

function evaluatedElements({ prefixItems, items }: SchemaNode): number {
  return items === undefined ? listOf(prefixItems).length : endless
}
