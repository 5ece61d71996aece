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
  /** Tells what a node says, for people; `null` for nothing. */
  readonly show: (node: SchemaNode) => Json
}

type Side = 'request' | 'item'

// A body that was fine is refused where the values become fewer; an answer surprises where they
// become more.
function rulesFor(
  side: Side,
  names: readonly [string, string, string],
  doubt?: Verdict,
): FacetRules {
  const [narrowed, widened, changed] = names
  const broken = doubt ?? 'breaking'
  return {
    narrowed: [narrowed, side === 'request' ? broken : 'fine'],
    widened: [widened, side === 'item' ? broken : 'fine'],
    changed: [changed, broken],
  }
}

function facet(
  keywords: readonly string[],
  request: readonly [string, string, string],
  item: readonly [string, string, string],
  doubt?: Verdict,
): Facet {
  const [first = ''] = keywords
  return {
    keywords,
    rules: { request: rulesFor('request', request), item: rulesFor('item', item, doubt) },
    show: (node) => (node[first] ?? node[keywords[1] ?? first] ?? null) as Json,
  }
}

const bound = ['bound-tightened', 'bound-loosened', 'bound-loosened'] as const

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
    ['narrowed', 'widened', 'changed'],
  ),
]

/** The facet of the format of a text. Its pattern is the facet {@link patternFacet}. */
export const formatFacet = facet(
  ['format'],
  ['format-set', 'format-dropped', 'format-changed'],
  ['format-set', 'format-dropped', 'format-changed'],
)

/** The facet of the pattern of a text, together with the format that it may belong to. */
export const patternFacet = facet(
  ['pattern', 'format'],
  ['pattern-set', 'pattern-dropped', 'pattern-changed'],
  ['pattern-set', 'pattern-dropped', 'pattern-changed'],
  'depends',
)

/** The rules of the types of a value, `null` aside. */
export const typeFacet = facet(
  ['type'],
  ['type-narrowed', 'type-widened', 'type-changed'],
  ['type-narrowed', 'type-widened', 'type-changed'],
)

/** The rules of `null`. */
export const nullFacet = facet(
  ['type'],
  ['became-not-nullable', 'became-nullable', 'became-nullable'],
  ['became-not-nullable', 'became-nullable', 'became-nullable'],
)

/** The rules of whatever no other facet tells. */
export const restRules: Facet['rules'] = {
  request: rulesFor('request', ['narrowed', 'widened', 'changed']),
  item: rulesFor('item', ['narrowed', 'widened', 'changed']),
}

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
