import { listOf } from '../../model/json-schema.ts'
import type { ReadSet, SchemaNode } from './document.ts'
import { isCounter } from './read-texts.ts'
import type { ListKeyword, ValueSet } from './value-set.ts'

/** Reads the keywords of a JSON Schema about lists. */
export function readLists(schema: SchemaNode, read: ReadSet): readonly ListKeyword[] {
  const { minItems, maxItems, uniqueItems, contains } = schema
  const keywords: ListKeyword[] = []
  if (isCounter(minItems)) keywords.push({ kind: 'minItems', count: minItems })
  if (isCounter(maxItems)) keywords.push({ kind: 'maxItems', count: maxItems })
  if (uniqueItems === true) keywords.push({ kind: 'unique' })
  const { first, rest } = readElements(schema, read)
  if (first.length > 0 || rest !== undefined) keywords.push({ kind: 'elements', first, rest })
  if (contains !== undefined) {
    const { minContains, maxContains } = schema
    const min = isCounter(minContains) ? minContains : 1
    const max = isCounter(maxContains) ? maxContains : Number.POSITIVE_INFINITY
    keywords.push({ kind: 'contains', set: read(contains), min, max })
  }
  return keywords
}

/** The references to a schema that only the schemas around a value tell. */
export const movingReferences = ['$dynamicRef', '$recursiveRef'] as const

interface Elements {
  readonly first: readonly ValueSet[]
  readonly rest: ValueSet | undefined
}

// Beside nothing else, the unevaluated elements are the rest. Until draft 2019-09, `items` could be
// the list, and `additionalItems` was the rest.
function readElements(
  { prefixItems, items, additionalItems, ...others }: SchemaNode,
  read: ReadSet,
): Elements {
  const isOldForm = Array.isArray(items)
  const first = (isOldForm ? items : listOf(prefixItems)).map(read)
  const rest = isOldForm ? additionalItems : (items ?? unevaluatedIn(others))
  return { first, rest: rest === undefined || rest === true ? undefined : read(rest) }
}

// Keywords that evaluate elements, so that others are left than those after `prefixItems`.
const evaluating = [
  '$ref',
  ...movingReferences,
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'contains',
  'dependentSchemas',
]

function unevaluatedIn(schema: SchemaNode): unknown {
  return evaluating.some((name) => schema[name] !== undefined) ? undefined : schema.unevaluatedItems
}

/** Tells whether `unevaluatedItems` is about other elements than those after `prefixItems`. */
export function dependsOnEvaluation(schema: SchemaNode): boolean {
  return schema.unevaluatedItems !== undefined && unevaluatedIn(schema) === undefined
}
