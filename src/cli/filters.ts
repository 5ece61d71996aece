import type { Resource } from '../contract/resource/resource.ts'
import { filtersOf } from '../contract/schema/filter.ts'
import { type Comparison, type Condition, filterOperators } from '../convention/filter-operators.ts'
import { type ParameterName, parameterNames } from '../convention/operations.ts'
import { pairsOfCondition } from '../wire/filter.ts'

/** A filter of a request, in words. Its members are public: `--json` prints them. */
export interface ExplainedFilter {
  /** As a client writes it: `birthdate:gte`. */
  readonly parameter: string
  /** The items that meet it. */
  readonly means: string
  /** The type of the values. */
  readonly type: string
  /** The only values that the field can have; absent if it can have any. */
  readonly allowed?: readonly string[]
  /** The parameters that filter by the field. */
  readonly filters: readonly string[]
}

/** Explains the conditions of a request. */
export function explainFilters(
  where: readonly Condition[],
  resource: Resource,
): readonly ExplainedFilter[] {
  const filters = filtersOf(resource)
  return where.map((condition) => {
    const [[parameter] = [condition.field]] = pairsOfCondition(condition)
    const filter = filters.get(parameter)
    const takes = filter && filterOperators[filter.operator].takes
    const values = filter?.field.values
    return {
      parameter,
      means: words[condition.is](condition),
      type: takes === 'value' ? condition.type : (takes ?? condition.type),
      ...(values === undefined || takes !== 'value' ? {} : { allowed: values.map(String) }),
      filters: [...filters].flatMap(([name, { field }]) =>
        field.name === condition.field ? [name] : [],
      ),
    }
  })
}

// Each completes a sentence about the items of the response.
const words: { readonly [Is in Comparison]: (condition: Condition) => string } = {
  in: ({ field, values }) =>
    values.length === 0 ? 'no item: the value is no id' : `${field} is ${listed(values)}`,
  notIn: ({ field, values }) => `${field} is missing, or not ${listed(values)}`,
  inOrMissing: ({ field, values }) => `${field} is missing, or ${listed(values)}`,
  missing: ({ field }) => `${field} is missing or null`,
  present: ({ field }) => `${field} is neither missing nor null`,
  gt: rangeWords('more than', 'after'),
  gte: rangeWords('at least', 'at or after'),
  lt: rangeWords('less than', 'before'),
  lte: rangeWords('at most', 'at or before'),
  contains: partWords('contains'),
  startsWith: partWords('starts with'),
  endsWith: partWords('ends with'),
}

function rangeWords(ofNumbers: string, ofOthers: string): (condition: Condition) => string {
  return ({ field, values, type }) => {
    const isNumber = type === 'number' || type === 'integer'
    const order = type === 'text' ? ' by code point' : ''
    return `${field} is present and ${isNumber ? ofNumbers : ofOthers} ${listed(values)}${order}`
  }
}

function partWords(verb: string): (condition: Condition) => string {
  return ({ field, values }) => `${field} ${verb} ${listed(values)} in any case`
}

function listed(values: Condition['values']): string {
  const texts = values.map((value) => JSON.stringify(value))
  const entries =
    texts.length > maxShown
      ? [...texts.slice(0, maxShown), `${texts.length - maxShown} more`]
      : texts
  return entries.length < 2
    ? entries.join('')
    : `${entries.slice(0, -1).join(', ')} or ${entries.at(-1)}`
}

const maxShown = 5

/**
 * Shortens the parameters of an operation for a table: a resource can have many filters.
 * `['q', 'name', 'name:ne', 'limit']` → `q filters(name) limit`.
 */
export function shortParameters(written: readonly string[]): string {
  const isOwn = (name: string): boolean => parameterNames.includes(name as ParameterName)
  const fields = [...new Set(written.filter((name) => !isOwn(name)).map(fieldOfFilter))]
  const more = fields.length > maxFields ? [`and ${fields.length - maxFields} more`] : []
  const filters = `filters(${[...fields.slice(0, maxFields), ...more].join(' ')})`
  const first = written.findIndex((name) => !isOwn(name))
  return written
    .flatMap((name, index) => (index === first ? filters : isOwn(name) ? name : []))
    .join(' ')
}

const maxFields = 5

function fieldOfFilter(name: string): string {
  return name.split(':')[0] ?? name
}
