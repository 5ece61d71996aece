import { listOf } from '../../contract/schema/json-schema.ts'
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

interface Elements {
  readonly first: readonly ValueSet[]
  readonly rest: ValueSet | undefined
}

// Until draft 2019-09, `items` could be the list, and `additionalItems` was the rest.
function readElements(
  { prefixItems, items, additionalItems }: SchemaNode,
  read: ReadSet,
): Elements {
  const isOldForm = Array.isArray(items)
  const first = (isOldForm ? items : listOf(prefixItems)).map(read)
  const rest = isOldForm ? additionalItems : items
  return { first, rest: rest === undefined || rest === true ? undefined : read(rest) }
}
