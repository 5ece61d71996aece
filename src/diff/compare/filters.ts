import { filterNameOf, filtersOf } from '../../contract/schema/filter.ts'
import type { FilterField } from '../../convention/filter-operators.ts'
import { pairBy, sortedTexts } from '../../sets/canonical.ts'
import { readFieldValue } from '../../wire/filter.ts'
import { type FoundChange, factChanges, listChanges, makeChange } from '../change.ts'
import type { Snapshot, SnapshotFilter, SnapshotPath, SnapshotResource } from '../snapshot.ts'
import {
  type Contracts,
  isKept,
  type Mount,
  orderedKinds,
  type Places,
  placeOf,
  placesOffering,
  type ResourcePair,
  resourceIn,
  searchedKinds,
} from './context.ts'
import { equalityOf, filterSamples } from './properties.ts'
import { parameter, requestBy } from './witness.ts'

/** Compares how clients can filter by the fields that both contracts filter by. */
export function compareFilters(pair: ResourcePair): readonly FoundChange[] {
  const places = placesOffering(pair, searchedKinds)
  if (places === undefined) return []
  const { filterable } = pair.new
  return Object.entries(pair.old.filterable).flatMap(([field, old]) => {
    const after = Object.hasOwn(filterable, field) ? filterable[field] : undefined
    if (after === undefined) return []
    const filterPair: FilterPair = { pair, places, field, old, new: after }
    return [...comparisonChanges(filterPair), ...valueChanges(filterPair)]
  })
}

/** Compares the filters by fields of related items that a path takes. */
export function compareRelatedFilters(mount: Mount, comparison: Contracts): readonly FoundChange[] {
  if (!searchedKinds.some((kind) => isKept(mount, kind))) return []
  const [before, after] = [
    relatedFilters(mount.old, comparison.old),
    relatedFilters(mount.new, comparison.new),
  ]
  const names = sortedTexts([...before.keys(), ...after.keys()])
  return names.flatMap((field) => {
    const [old, now] = [before.get(field), after.get(field)]
    // A field that comes or goes as a whole is one change: its first parameter stands for all.
    const most = old && now ? undefined : 1
    const parametersOf = (related = noRelatedField) => related.parameters.slice(0, most)
    const lists = [parametersOf(old), parametersOf(now)] as const
    return listChanges(placeOf(mount), lists, {
      removed: (name) => {
        const query = parameter(
          name,
          name.endsWith(':null') ? 'true' : (old ?? noRelatedField).sample,
        )
        const witness = requestBy(searchedKinds, mount, { query })
        return ['related-filter-removed', `clients can no longer filter by ${name}`, { witness }]
      },
      added: (name) => ['related-filter-added', `clients can filter by ${name}`],
    })
  })
}

/** Compares the orders by fields of related items that a path takes. */
export function compareRelatedOrders(mount: Mount, comparison: Contracts): readonly FoundChange[] {
  if (!orderedKinds.some((kind) => isKept(mount, kind))) return []
  const before = relatedOrders(mount.old, comparison.old)
  const after = relatedOrders(mount.new, comparison.new)
  if (before === undefined || after === undefined) return []
  return listChanges(placeOf(mount), [before, after], {
    removed: (name) => {
      const witness = requestBy(orderedKinds, mount, { query: parameter('sort', name) })
      return ['related-order-removed', `clients can no longer sort by ${name}`, { witness }]
    },
    added: (name) => ['related-order-added', `clients can sort by ${name}`],
  })
}

// As `company.name`; `undefined` where they are unknown.
function relatedOrders(
  { related, joined }: SnapshotPath,
  snapshot: Snapshot,
): readonly string[] | undefined {
  if (related === undefined) return []
  return joined?.flatMap((member) => {
    const { sortable = [] } = resourceIn(snapshot, related[member] ?? '') ?? {}
    return sortable.filter((field) => field !== 'id').map((field) => `${member}.${field}`)
  })
}

interface RelatedField {
  readonly parameters: readonly string[]
  /** A value that the filter takes. */
  readonly sample: string
}

const noRelatedField: RelatedField = { parameters: [], sample: 'a' }

// By name, as `company.name`.
function relatedFilters(
  { related = {} }: SnapshotPath,
  snapshot: Snapshot,
): ReadonlyMap<string, RelatedField> {
  const entries = Object.entries(related).flatMap(([member, name]) => {
    const resource = resourceIn(snapshot, name)
    if (resource === undefined) return []
    return Object.entries(resource.filterable).map(([field, filter]) => {
      const parameters = comparisonsOf(resource, field).map((text) => `${member}.${text}`)
      return [
        `${member}.${field}`,
        { parameters, sample: filterSamples(filter)[0] ?? 'a' },
      ] as const
    })
  })
  return new Map(entries)
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
  const witness = requestBy(searchedKinds, first, { query })
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
  const filterable = Object.entries(resource.filterable).map(
    ([name, { type, values, isList }]): FilterField => ({
      name,
      type,
      values: values ?? undefined,
      ...(isList === true && { isList }),
    }),
  )
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
    const query = parameter(equalityOf(field, old), lost)
    const witness = requestBy(searchedKinds, first, { query })
    changes.push(makeChange('filter-values-narrowed', at, { ...facts, message, witness }))
  }
  if (added !== undefined) {
    const message = `a filter by "${field}" may be ${JSON.stringify(added)}`
    changes.push(makeChange('filter-values-widened', at, { ...facts, message }))
  }
  return changes
}

function takes({ type, values }: SnapshotFilter, text: string): boolean {
  if (type === 'id') return true
  return typeof readFieldValue(text, { type, values: values ?? undefined }) !== 'object'
}

function wordsOf({ type, values }: SnapshotFilter): string {
  return values === null ? type : values.map((value) => JSON.stringify(value)).join(', ')
}
