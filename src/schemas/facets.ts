import { listOf, typesOf } from '../contract/schema/json-schema.ts'
import type { Json } from '../contract/schema/schema.ts'
import type { SchemaNode } from '../sets/document.ts'
import { readTexts } from '../sets/read-keywords.ts'
import { setOf, type ValueSet } from '../sets/value-set.ts'
import type { FacetRules, Verdict } from './change.ts'
import { type FlatSchema, isAnnotation } from './flat.ts'

/** One thing that a schema says: some keywords, compared alone. */
export interface Facet {
  readonly keywords: readonly string[]
  readonly rules: { readonly request: FacetRules; readonly item: FacetRules }
  /** The verdict of an item with more values. */
  readonly doubt: Verdict
  /** Tells what a node says, for people; `null` for nothing. */
  readonly show: (node: SchemaNode) => Json
}

type Names = readonly [narrowed: string, widened: string, changed: string]

function rulesOf([narrowed, widened, changed]: Names): FacetRules {
  return { narrowed, widened, changed }
}

function facet(
  keywords: readonly string[],
  request: Names,
  item: Names = request,
  doubt: Verdict = 'breaking',
): Facet {
  const [first = '', second = first] = keywords
  return {
    keywords,
    rules: { request: rulesOf(request), item: rulesOf(item) },
    doubt,
    show: (node) => (node[first] ?? node[second] ?? null) as Json,
  }
}

const bound = ['bound-tightened', 'bound-loosened', 'bound-loosened'] as const
const patternNames = ['pattern-set', 'pattern-dropped', 'pattern-changed'] as const
const restNames = ['narrowed', 'widened', 'changed'] as const

// The names of a bound that fewer values pass when it moves one way.
function bounded(keywords: readonly string[], [tighter, looser]: readonly [string, string]): Facet {
  return facet(keywords, [tighter, looser, tighter], bound, 'depends')
}

/** The facets that have rules of their own. */
export const facets: readonly Facet[] = [
  bounded(['minLength'], ['min-length-raised', 'min-length-lowered']),
  bounded(['maxLength'], ['max-length-lowered', 'max-length-raised']),
  bounded(['minimum', 'exclusiveMinimum'], ['minimum-raised', 'minimum-lowered']),
  bounded(['maximum', 'exclusiveMaximum'], ['maximum-lowered', 'maximum-raised']),
  bounded(['multipleOf'], ['multiple-of-changed', 'multiple-of-changed']),
  bounded(['minItems'], ['min-items-raised', 'min-items-lowered']),
  bounded(['maxItems'], ['max-items-lowered', 'max-items-raised']),
  bounded(['uniqueItems'], ['unique-items-set', 'unique-items-dropped']),
  bounded(['minProperties'], ['min-properties-raised', 'min-properties-lowered']),
  bounded(['maxProperties'], ['max-properties-lowered', 'max-properties-raised']),
  facet(
    ['propertyNames'],
    ['property-names-set', 'property-names-dropped', 'property-names-set'],
    restNames,
  ),
]

/** The facet of the format of a text. Its pattern is the facet {@link patternFacet}. */
export const formatFacet = facet(['format'], ['format-set', 'format-dropped', 'format-changed'])

/** The facet of the pattern of a text, together with the format that it may belong to. */
export const patternFacet = facet(['pattern', 'format'], patternNames, patternNames, 'depends')

/** The facet of the types of a value, `null` aside. */
export const typeFacet = facet(['type'], ['type-narrowed', 'type-widened', 'type-changed'])

/** The facet of whatever no other facet tells. */
export const restFacet = facet([], restNames)

const named = new Set([
  ...facets.flatMap(({ keywords }) => keywords),
  ...['format', 'pattern', 'type', 'enum', 'const', 'properties', 'required', 'items'],
  ...['additionalProperties', 'anyOf', 'oneOf', 'prefixItems'],
])

/** Returns the part of a node that no facet tells. */
export function restOf(node: SchemaNode): SchemaNode {
  const keywordEntries = Object.entries(node).filter(
    ([name]) => !named.has(name) && !isAnnotation(name),
  )
  return Object.fromEntries(keywordEntries)
}

/** Returns the keywords of a facet as a schema of their own. */
export function facetPart({ keywords }: Facet, node: SchemaNode): SchemaNode {
  const usedKeywords = keywords.filter((keyword) => Object.hasOwn(node, keyword))
  return Object.fromEntries(usedKeywords.map((keyword) => [keyword, node[keyword]]))
}

/** Returns the values that a node lists; `undefined` for no list. */
export function listedBy(node: SchemaNode): readonly unknown[] | undefined {
  if (Object.hasOwn(node, 'const')) return [node.const]
  return Array.isArray(node.enum) ? listOf(node.enum) : undefined
}

/** Returns the types that a node names, without `null`; `undefined` for any. */
export function typesBeside(node: SchemaNode): readonly unknown[] | undefined {
  const types = typesOf(node).filter((type) => type !== 'null')
  return node.type === undefined ? undefined : types
}

/** Returns the set of the texts that the pattern of a schema matches. */
export function patternSet({ node }: FlatSchema): ValueSet {
  return setOf(...readTexts(node).filter(({ kind }) => kind === 'pattern'))
}
