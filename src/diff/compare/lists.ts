import type { OperationKind } from '../../convention/operations.ts'
import { sortedTexts } from '../canonical.ts'
import type { WitnessExchange } from '../change.ts'
import { type QueryOption, queriedIn } from '../queried.ts'
import { type Places, placesOffering, type ResourcePair } from './context.ts'
import { filterSamples } from './filters.ts'
import { type FoundChange, found } from './found.ts'
import { parameter, requestOf } from './witness.ts'

/** An option that names fields for a query. */
interface ListRow {
  readonly option: QueryOption
  /** The operations that take the parameter. */
  readonly kinds: readonly OperationKind[]
  readonly can: string
  readonly query: ((pair: ResourcePair, field: string) => string) | undefined
}

const ordered = ['list', 'first', 'last'] as const

const rows: readonly ListRow[] = [
  {
    option: 'sortable',
    kinds: ordered,
    can: 'sort by',
    query: (_, field) => parameter('sort', field),
  },
  {
    option: 'filterable',
    kinds: [...ordered, 'count'],
    can: 'filter by',
    query: (pair, field) => parameter(field, filterValue(pair, field)),
  },
  { option: 'searchable', kinds: [...ordered, 'count'], can: 'search in', query: undefined },
]

/** Compares the fields that a client can sort by, filter by and search in. */
export function compareLists(pair: ResourcePair): readonly FoundChange[] {
  return rows.flatMap((row) => {
    const places = placesOffering(pair, row.kinds)
    return places === undefined ? [] : listChanges(pair, row, places)
  })
}

function listChanges(pair: ResourcePair, row: ListRow, places: Places): readonly FoundChange[] {
  const { option, can } = row
  const old = queriedIn(pair.old, option)
  const after = queriedIn(pair.new, option)
  if (option === 'searchable' && (old.length === 0) !== (after.length === 0))
    return [searchChange(pair, row, places)]
  return sortedTexts([...old, ...after]).flatMap((field) => {
    const isOld = old.includes(field)
    if (isOld === after.includes(field)) return []
    if (!isOld) {
      const message = `clients can ${can} "${field}"`
      return [found(`${option}-added`, places.at, { to: field, field, message })]
    }
    const message = `clients can no longer ${can} "${field}"`
    const query = row.query?.(pair, field)
    const witness = query === undefined ? undefined : asking(pair, row, { places, query })
    return [found(`${option}-removed`, places.at, { from: field, field, message, witness })]
  })
}

function searchChange(pair: ResourcePair, row: ListRow, places: Places): FoundChange {
  const from = pair.old.searchable.join(', ') || null
  const to = pair.new.searchable.join(', ') || null
  if (from === null)
    return found('search-on', places.at, { to, message: `clients can search in ${to}` })
  const message = `clients can no longer search in ${from}`
  const witness = asking(pair, row, { places, query: parameter('q', 'a') })
  return found('search-off', places.at, { from, message, witness })
}

function asking(
  { comparison }: ResourcePair,
  { kinds }: ListRow,
  { places, query }: { readonly places: Places; readonly query: string },
): WitnessExchange | undefined {
  const { first } = places
  const kind = kinds.find((one) => first.old.operations.includes(one))
  return kind && requestOf(kind, { ...first, snapshot: comparison.old }, { query })
}

function filterValue({ old }: ResourcePair, field: string): string {
  const samples = Object.entries(old.filterable).flatMap(([name, filter]) =>
    name === field ? filterSamples(filter) : [],
  )
  const [value = 'a'] = samples
  return value
}
