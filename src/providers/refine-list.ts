/** The order, the filters and the page of a list. */
export interface RefineListParams {
  /** Default: the first 10. Modes other than `server` list all records. */
  pagination?: { currentPage?: number; pageSize?: number; mode?: 'client' | 'server' | 'off' }
  sorters?: { field: string; order: 'asc' | 'desc' }[]
  filters?: RefineFilter[]
}

/** A filter. `or` takes equality on one field, and nothing else. */
export type RefineFilter =
  | { field: string; operator: string; value?: unknown }
  | { operator: 'or' | 'and'; value: RefineFilter[] }

/**
 * Returns the query of a list.
 *
 * @throws {TypeError} For a filter that the convention cannot express.
 */
export function selectionOf({ filters = [], sorters }: RefineListParams) {
  const { q, ...where } = Object(whereOf(filters.flatMap(pairsOf)))
  const sort = sorters?.map(({ field, order }) => `${order === 'desc' ? '-' : ''}${field}`)
  return { q, where, sort: sort?.length === 0 ? undefined : sort }
}

const suffixes = new Map(
  Object.entries({
    ...{ eq: '', eqs: '', in: '', ne: ':ne', nes: ':ne', nin: ':ne', null: ':null' },
    ...{ nnull: ':null', lt: ':lt', lte: ':lte', gt: ':gt', gte: ':gte' },
    ...{ contains: ':contains', startswith: ':startsWith', endswith: ':endsWith' },
  }),
)

type Pair = readonly [name: string, value: unknown]

function pairsOf(filter: RefineFilter): readonly Pair[] {
  const { operator, value } = filter
  if (!('field' in filter)) {
    return operator === 'or' ? eitherOf(filter.value) : filter.value.flatMap(pairsOf)
  }
  const { field } = filter
  const values = [value].flat()
  if (operator === 'between')
    return [
      [`${field}:gte`, values[0]],
      [`${field}:lte`, values[1]],
    ]
  if (field === 'q' && operator === 'contains') return [['q', value]]
  const suffix = suffixes.get(operator)
  if (suffix === undefined) throw new TypeError(`Unsupported filter "${operator}"`)
  return [[field + suffix, suffix === ':null' ? operator === 'null' : value]]
}

// The convention has an "or" of equality on one field only.
function eitherOf(filters: readonly RefineFilter[]): readonly Pair[] {
  const pairs = filters.flatMap(pairsOf)
  const [name = ''] = pairs[0] ?? []
  const isEquality = filters.every((filter) => 'field' in filter && filter.field === name)
  if (name && isEquality && name !== 'q' && pairs.every((pair) => pair[0] === name)) {
    return [[name, pairs.flatMap(([, value]) => value)]]
  }
  throw new TypeError('Unsupported filter "or"')
}

// The server reads one list of each name. `ne` joins them: none of these.
function whereOf(pairs: readonly Pair[]): object {
  const where = new Map<string, unknown>()
  for (const [name, value] of pairs) {
    const isKnown = where.has(name)
    if (isKnown && !name.endsWith(':ne')) throw new TypeError(`Unsupported: two filters "${name}"`)
    where.set(name, isKnown ? [where.get(name), value].flat() : value)
  }
  return Object.fromEntries(where)
}
