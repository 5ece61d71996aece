import type { Collection } from '../contract/resource/api.ts'
import { type Filter, filterNameOf, isFilters, schemaOfValues } from '../contract/schema/filter.ts'
import { filtersIn, relatedIn } from '../contract/values/related.ts'
import {
  type FilterField,
  type FilterOperator,
  filterOperators,
  maxFilterValues,
} from '../convention/filter-operators.ts'
import { maxSearchLength } from '../convention/limits.ts'
import { fieldOf } from '../convention/value.ts'
import type { Components } from './components.ts'
import type { Items } from './items.ts'
import type { Node } from './json-schema.ts'
import type { OperationAt } from './source.ts'

/** Returns the parameters of an operation's filters, one for each: `status`, `birthdate:gte`. */
export function filterParameters(
  { parameters, collection }: OperationAt,
  { components, items }: { readonly components: Components; readonly items: Items },
): readonly Node[] {
  if (!parameters.some(isFilters)) return []
  const { resource } = collection
  return [...filtersIn(collection)].map(([name, filter]) =>
    components.refer('parameters', keyOfFilter(filter, collection), () =>
      filterParameter(name, filter, items.idOf(resource)),
    ),
  )
}

// OpenAPI 3.1 §4.8.7 allows no colon. Different fields have different keys. A version can show the
// items of a reference in another form.
function keyOfFilter({ field, operator }: Filter, { resource, related }: Collection): string {
  const name = field.name.replaceAll(/\W/gu, (char) => `-${char.codePointAt(0)?.toString(16)}-`)
  const target = relatedIn(field.name, related)?.resource.name
  const written = filterNameOf(name, operator).replace(':', '.')
  return [resource.name, 'where', ...(target === undefined ? [] : [target]), written].join('.')
}

function filterParameter(name: string, { field, operator }: Filter, id: unknown): Node {
  const { takes, repeats } = filterOperators[operator]
  const isPart = takes === 'text' || takes === 'boolean'
  const value = isPart ? operandSchemas[takes] : schemaOfField(field, id)
  const description = descriptions[operator](`\`${field.name}\``)
  if (!repeats) return { name, in: 'query', description, schema: value }
  const schema = { type: 'array', items: value, maxItems: maxFilterValues }
  return { name, in: 'query', description, style: 'form', explode: true, schema }
}

const operandSchemas = {
  text: { type: 'string', minLength: 1, maxLength: maxSearchLength },
  boolean: { type: 'boolean' },
} as const

// The server takes any text as an id: a text that is none matches no item.
function schemaOfField({ type, values }: FilterField, id: unknown): unknown {
  if (type !== 'id') return schemaOfValues({ type, values })
  const idType = fieldOf(Object(id), 'type')
  return idType === undefined ? id : { type: idType }
}

const descriptions: { readonly [Operator in FilterOperator]: (field: string) => string } = {
  eq: (field) => `The ${field} of an item is one of these values.`,
  ne: (field) => `The ${field} of an item is none of these values, or missing.`,
  null: (field) => `The ${field} of an item is missing or null (\`true\`), or not (\`false\`).`,
  gt: (field) => `The ${field} of an item is greater than this.`,
  gte: (field) => `The ${field} of an item is at least this.`,
  lt: (field) => `The ${field} of an item is less than this.`,
  lte: (field) => `The ${field} of an item is at most this.`,
  contains: (field) => `The ${field} of an item contains this text, in any case.`,
  startsWith: (field) => `The ${field} of an item starts with this text, in any case.`,
  has: (field) => `One of the ${field} of an item is one of these values.`,
  endsWith: (field) => `The ${field} of an item ends with this text, in any case.`,
}
