import { filterNameOf, filtersOf } from '../../contract/schema/filter.ts'
import type { FilterField, FilterType } from '../../convention/filter-operators.ts'
import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { pairBy, sortedTexts } from '../../sets/canonical.ts'
import { readFieldValue } from '../../wire/filter.ts'
import { type FoundChange, factChanges, listChanges, makeChange } from '../change.ts'
import type { SnapshotFilter, SnapshotResource } from '../snapshot.ts'
import { type Places, placesOffering, type ResourcePair } from './context.ts'
import { type QueryOption, queriedIn } from './properties.ts'
import { parameter, requestBy } from './witness.ts'

/** An option that names fields for a query. */
interface ListRow {
  readonly option: QueryOption
  /** The operations that take the parameter. */
  readonly kinds: readonly OperationKind[]
  readonly can: string
  readonly query?: (field: string, resource: SnapshotResource) => string
}

const ordered = ['list', 'first', 'last'] as const
const searched = [...ordered, 'count'] as const

const rows: readonly ListRow[] = [
  {
    option: 'sortable',
    kinds: ordered,
    can: 'sort by',
    query: (field) => parameter('sort', field),
  },
  {
    option: 'filterable',
    kinds: searched,
    can: 'filter by',
    query: (field, { filterable }) => parameter(field, filterSamples(filterable[field])[0] ?? 'a'),
  },
  { option: 'searchable', kinds: searched, can: 'search in' },
]

/** Compares the fields that a client can sort by, filter by and search in. */
export function compareLists(pair: ResourcePair): readonly FoundChange[] {
  return rows.flatMap((row) => {
    const places = placesOffering(pair, row.kinds)
    return places === undefined ? [] : queryChanges(pair, row, places)
  })
}

function queryChanges(
  pair: ResourcePair,
  { option, can, kinds, query }: ListRow,
  { at, first }: Places,
): readonly FoundChange[] {
  const [old, after] = [queriedIn(pair.old, option), queriedIn(pair.new, option)]
  if (option === 'searchable' && (old.length === 0) !== (after.length === 0)) {
    const [from, to] = [old, after].map((fields) => fields.join(', ') || undefined)
    const witness = requestBy(kinds, first, { query: parameter('q', 'a') })
    return factChanges(at, [from, to], {
      set: ['search-on', `clients can search in ${to}`],
      dropped: ['search-off', `clients can no longer search in ${from}`, { witness }],
    })
  }
  return listChanges(at, [old, after], {
    removed: (field) => {
      const witness = query && requestBy(kinds, first, { query: query(field, pair.old) })
      return [`${option}-removed`, `clients can no longer ${can} "${field}"`, { field, witness }]
    },
    added: (field) => [`${option}-added`, `clients can ${can} "${field}"`, { field }],
  })
}

/** Compares whose the items of a resource are. */
export function compareOwnership(pair: ResourcePair): readonly FoundChange[] {
  const { ownedBy: from } = pair.old
  const { ownedBy: to } = pair.new
  const places = placesOffering(pair, operationKinds)
  // An old snapshot does not tell it.
  if (from === undefined || to === undefined || places === undefined) return []
  const { at, first } = places
  const witness = requestBy(operationKinds, first, { note: 'it reaches an item of another owner' })
  return factChanges(at, [from ?? undefined, to ?? undefined], {
    set: ['ownership-set', 'a caller reaches only the items of its own', { witness }],
    dropped: ['ownership-dropped', 'a caller reaches the items of all owners'],
  })
}

/** Compares how clients can filter by the fields that both contracts filter by. */
export function compareFilters(pair: ResourcePair): readonly FoundChange[] {
  const places = placesOffering(pair, searched)
  if (places === undefined) return []
  const { filterable } = pair.new
  return Object.entries(pair.old.filterable).flatMap(([field, old]) => {
    const after = Object.hasOwn(filterable, field) ? filterable[field] : undefined
    if (after === undefined) return []
    const filterPair: FilterPair = { pair, places, field, old, new: after }
    return [...comparisonChanges(filterPair), ...valueChanges(filterPair)]
  })
}

/** A field that both contracts filter by. */
interface FilterPair {
  readonly pair: ResourcePair
  readonly places: Places
  readonly field: string
  readonly old: SnapshotFilter
  readonly new: SnapshotFilter
}

function comparisonChanges({ pair, places, field, old }: FilterPair): readonly FoundChange[] {
  const { at, first } = places
  const before = comparisonsOf(pair.old, field)
  const after = comparisonsOf(pair.new, field)
  const { removed, added } = pairBy(before, after, (name) => name)
  const query = parameter(removed[0] ?? '', filterSamples(old)[0] ?? 'a')
  const witness = requestBy(searched, first, { query })
  const [from, to] = [removed, added].map((names) => names.join(', ') || undefined)
  return [
    ...factChanges(at, [from, undefined], {
      set: ['filter-removed', `clients can no longer filter by ${from}`, { field, witness }],
    }),
    ...factChanges(at, [undefined, to], {
      set: ['filter-added', `clients can filter by ${to}`, { field }],
    }),
  ]
}

/** Returns the parameters that filter by a field. */
function comparisonsOf(resource: SnapshotResource, field: string): readonly string[] {
  const filterable = Object.entries(resource.filterable).map(([name, { type, values }]) => {
    return { name, type, values: values ?? undefined } satisfies FilterField
  })
  const filters = [...filtersOf({ ...resource, filterable }).values()]
  return filters.flatMap(({ field: { name }, operator }) =>
    name === field ? [filterNameOf(field, operator)] : [],
  )
}

function valueChanges({ places, field, old, new: after }: FilterPair): readonly FoundChange[] {
  const { at, first } = places
  const lost = filterSamples(old).find((text) => !takes(after, text))
  const added = filterSamples(after).find((text) => !takes(old, text))
  const facts = { from: wordsOf(old), to: wordsOf(after), field }
  const changes: FoundChange[] = []
  if (lost !== undefined) {
    const message = `a filter by "${field}" takes ${JSON.stringify(lost)} no more`
    const witness = requestBy(searched, first, { query: parameter(field, lost) })
    changes.push(makeChange('filter-values-narrowed', at, { ...facts, message, witness }))
  }
  if (added !== undefined) {
    const message = `a filter by "${field}" may be ${JSON.stringify(added)}`
    changes.push(makeChange('filter-values-widened', at, { ...facts, message }))
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
function filterSamples(filter: SnapshotFilter | undefined): readonly string[] {
  if (filter === undefined || filter.type === 'id') return []
  const { type, values } = filter
  return values === null ? samples[type] : sortedTexts(values.map(String))
}

function takes({ type, values }: SnapshotFilter, text: string): boolean {
  if (type === 'id') return true
  return typeof readFieldValue(text, { type, values: values ?? undefined }) !== 'object'
}

function wordsOf({ type, values }: SnapshotFilter): string {
  return values === null ? type : values.map((value) => JSON.stringify(value)).join(', ')
}
