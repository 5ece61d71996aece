import { filterNameOf, filtersOf } from '../../contract/schema/filter.ts'
import type { FilterField, FilterOperator, FilterType } from '../../convention/filter-operators.ts'
import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { canonicalText, sortedTexts } from '../../sets/canonical.ts'
import { readFieldValue } from '../../wire/filter.ts'
import { type FoundChange, makeChange, type WitnessExchange } from '../change.ts'
import type { SnapshotFilter, SnapshotResource } from '../snapshot.ts'
import { type Places, placesOffering, type ResourcePair } from './context.ts'
import { type QueryOption, queriedIn } from './properties.ts'
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
      return [makeChange(`${option}-added`, places.at, { to: field, field, message })]
    }
    const message = `clients can no longer ${can} "${field}"`
    const query = row.query?.(pair, field)
    const witness = query === undefined ? undefined : listRequest(pair, row, { places, query })
    return [makeChange(`${option}-removed`, places.at, { from: field, field, message, witness })]
  })
}

function searchChange(pair: ResourcePair, row: ListRow, places: Places): FoundChange {
  const from = pair.old.searchable.join(', ') || null
  const to = pair.new.searchable.join(', ') || null
  if (from === null)
    return makeChange('search-on', places.at, { to, message: `clients can search in ${to}` })
  const message = `clients can no longer search in ${from}`
  const witness = listRequest(pair, row, { places, query: parameter('q', 'a') })
  return makeChange('search-off', places.at, { from, message, witness })
}

function listRequest(
  { comparison }: ResourcePair,
  { kinds }: ListRow,
  { places, query }: { readonly places: Places; readonly query: string },
): WitnessExchange | undefined {
  const { first } = places
  const kind = kinds.find((candidate) => first.old.operations.includes(candidate))
  return kind && requestOf(kind, { ...first, snapshot: comparison.old }, { query })
}

function filterValue({ old }: ResourcePair, field: string): string {
  const samples = Object.entries(old.filterable).flatMap(([name, filter]) =>
    name === field ? filterSamples(filter) : [],
  )
  const [value = 'a'] = samples
  return value
}

/** Compares whose the items of a resource are. */
export function compareOwnership(pair: ResourcePair): readonly FoundChange[] {
  const { ownedBy: from } = pair.old
  const { ownedBy: to } = pair.new
  const places = placesOffering(pair, operationKinds)
  // An old snapshot does not tell it.
  if (from === undefined || to === undefined || places === undefined) return []
  if (canonicalText(from) === canonicalText(to)) return []
  if (to === null) {
    const message = 'a caller reaches the items of all owners'
    return [makeChange('ownership-dropped', places.at, { from, to, message })]
  }
  const { first } = places
  const kind =
    operationKinds.find((candidate) => first.old.operations.includes(candidate)) ?? 'list'
  const mounted = { ...first, snapshot: pair.comparison.old }
  const witness = requestOf(kind, mounted, { note: 'it reaches an item of another owner' })
  const message = 'a caller reaches only the items of its own'
  return [makeChange('ownership-set', places.at, { from, to, message, witness })]
}

const kinds = ['list', 'first', 'last', 'count'] as const

/** Compares how clients can filter by the fields that both contracts filter by. */
export function compareFilters(pair: ResourcePair): readonly FoundChange[] {
  const places = placesOffering(pair, kinds)
  if (places === undefined) return []
  const { filterable } = pair.new
  return Object.entries(pair.old.filterable).flatMap(([field, old]) => {
    const after = filterable[field]
    if (after === undefined || !Object.hasOwn(filterable, field)) return []
    const filterPair: Asked = { pair, places, field, old, new: after }
    return [...comparisonChanges(filterPair), ...valueChanges(filterPair)]
  })
}

/** A field that both contracts filter by. */
interface Asked {
  readonly pair: ResourcePair
  readonly places: Places
  readonly field: string
  readonly old: SnapshotFilter
  readonly new: SnapshotFilter
}

function comparisonChanges({ pair, places, field, old }: Asked): readonly FoundChange[] {
  const before = comparisonsOf(pair.old, field)
  const after = comparisonsOf(pair.new, field)
  const lost = before.filter((operator) => !after.includes(operator))
  const more = after.filter((operator) => !before.includes(operator))
  const changes: FoundChange[] = []
  const [first] = lost
  if (first !== undefined) {
    const from = namesOf(field, lost)
    const value = filterSamples(old)[0] ?? 'a'
    const witness = filterRequest({ pair, places }, parameter(filterNameOf(field, first), value))
    const message = `clients can no longer filter by ${from}`
    changes.push(makeChange('filter-removed', places.at, { from, field, message, witness }))
  }
  if (more.length > 0) {
    const to = namesOf(field, more)
    changes.push(
      makeChange('filter-added', places.at, { to, field, message: `clients can filter by ${to}` }),
    )
  }
  return changes
}

function comparisonsOf(resource: SnapshotResource, field: string): readonly FilterOperator[] {
  const filterable = Object.entries(resource.filterable).map(([name, { type, values }]) => {
    return { name, type, values: values ?? undefined } satisfies FilterField
  })
  const filters = [...filtersOf({ ...resource, filterable }).values()]
  return filters.flatMap((filter) => (filter.field.name === field ? [filter.operator] : []))
}

function namesOf(field: string, operators: readonly FilterOperator[]): string {
  return operators.map((operator) => filterNameOf(field, operator)).join(', ')
}

function valueChanges({ pair, places, field, old, new: after }: Asked): readonly FoundChange[] {
  const refused = filterSamples(old).find((text) => !takes(after, text))
  const newValue = filterSamples(after).find((text) => !takes(old, text))
  const facts = { from: wordsOf(old), to: wordsOf(after), field }
  const changes: FoundChange[] = []
  if (refused !== undefined) {
    const message = `a filter by "${field}" takes ${JSON.stringify(refused)} no more`
    const witness = filterRequest({ pair, places }, parameter(field, refused))
    changes.push(makeChange('filter-values-narrowed', places.at, { ...facts, message, witness }))
  }
  if (newValue !== undefined) {
    const message = `a filter by "${field}" may be ${JSON.stringify(newValue)}`
    changes.push(makeChange('filter-values-widened', places.at, { ...facts, message }))
  }
  return changes
}

// Values of each type, of which no other type but text takes all.
// biome-ignore format: a row stays a line
const samples: { readonly [Type in FilterType]: readonly string[] } = {
  'text':      ['a', 'zzzz', '7'],
  'number':    ['2.5', '-7', '1e300'],
  'integer':   ['7', '-70001'],
  'boolean':   ['true', 'false'],
  'date':      ['2026-11-01', '1901-02-03'],
  'date-time': ['2026-11-01T12:00:00Z', '1901-02-03T04:05:06Z'],
  'time':      ['12:00:00', '04:05:06'],
  'uuid':      ['0190163d-8694-739b-aea5-966c26f8ad91', '6ba7b810-9dad-41d1-80b4-00c04fd430c8'],
}

/** Returns values that a filter takes, as texts. Ids are compared elsewhere: none. */
function filterSamples({ type, values }: SnapshotFilter): readonly string[] {
  if (type === 'id') return []
  return values === null ? samples[type] : sortedTexts(values.map(String))
}

function takes({ type, values }: SnapshotFilter, text: string): boolean {
  if (type === 'id') return true
  return typeof readFieldValue(text, { type, values: values ?? undefined }) !== 'object'
}

function wordsOf({ type, values }: SnapshotFilter): string {
  return values === null ? type : values.map((value) => JSON.stringify(value)).join(', ')
}

function filterRequest({ pair, places: { first } }: Pick<Asked, 'pair' | 'places'>, query: string) {
  const kind = kinds.find((candidate) => first.old.operations.includes(candidate))
  return kind && requestOf(kind, { ...first, snapshot: pair.comparison.old }, { query })
}
