import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import { sortedTexts } from '../../sets/canonical.ts'
import { sampleOf } from '../../sets/subset.ts'
import {
  type Facts,
  type FoundChange,
  factChanges,
  makeChange,
  type WitnessExchange,
} from '../change.ts'
import {
  kindsOfBody,
  type Mount,
  orderedKinds,
  type Places,
  placesOffering,
  type ResourcePair,
  replacingKinds,
  searchedKinds,
} from './context.ts'
import { equalityOf, type FieldsOption, fieldsOf, filterSamples, propertyOf } from './properties.ts'
import { describing, exchangeAt, parameter, requestBy, sampleBody } from './witness.ts'

/** An option that names fields of items. `{}` stands for the field in a message. */
interface FieldsRow {
  readonly option: FieldsOption
  readonly kinds: readonly OperationKind[]
  readonly set: readonly [rule: string, message: string]
  readonly dropped: readonly [rule: string, message: string]
  /** The field that is set breaks clients, or either. Default: the one that is dropped does. */
  readonly breaksIfSet?: true | 'either'
  /** The schema that has the field; none for an option of queries. */
  readonly schema?: KnownBy
  readonly witness?: (
    pair: ResourcePair,
    mount: Mount,
    field: string,
  ) => WitnessExchange | undefined
}

/** The schema whose fields clients know. */
interface KnownBy {
  readonly side: 'old' | 'new'
  readonly body: 'update' | 'item'
  /** Says why the change breaks nothing where the schema lacks the field. */
  readonly lacking: string
}

const rows: readonly FieldsRow[] = [
  {
    option: 'sortable',
    kinds: orderedKinds,
    set: ['sortable-added', 'clients can sort by {}'],
    dropped: ['sortable-removed', 'clients can no longer sort by {}'],
    witness: (_, mount, field) =>
      requestBy(orderedKinds, mount, { query: parameter('sort', field) }),
  },
  {
    option: 'folded',
    kinds: orderedKinds,
    breaksIfSet: 'either',
    set: ['folded-added', '{} sorts without case'],
    dropped: ['folded-removed', '{} sorts by code point'],
    witness: (_, mount, field) =>
      requestBy(orderedKinds, mount, { query: parameter('sort', field) }),
  },
  {
    option: 'filterable',
    kinds: searchedKinds,
    set: ['filterable-added', 'clients can filter by {}'],
    dropped: ['filterable-removed', 'clients can no longer filter by {}'],
    witness: ({ old: { filterable } }, mount, field) => {
      const filter = filterable[field]
      const query = parameter(equalityOf(field, filter), filterSamples(filter)[0] ?? 'a')
      return requestBy(searchedKinds, mount, { query })
    },
  },
  {
    option: 'searchable',
    kinds: searchedKinds,
    set: ['searchable-added', 'clients can search in {}'],
    dropped: ['searchable-removed', 'clients can no longer search in {}'],
  },
  {
    option: 'countable',
    kinds: ['count'],
    set: ['countable-added', 'clients can count by {}'],
    dropped: ['countable-removed', 'clients can no longer count by {}'],
    witness: (_, mount, field) => requestBy(['count'], mount, { query: parameter('by', field) }),
  },
  {
    option: 'readOnly',
    kinds: kindsOfBody.update,
    set: ['request-read-only-set', 'only the server sets {}'],
    dropped: ['request-read-only-dropped', 'clients can change {}'],
    breaksIfSet: true,
    schema: { side: 'old', body: 'update', lacking: 'a body could not set the field' },
    witness: setting,
  },
  {
    option: 'keep',
    kinds: replacingKinds,
    set: ['keep-added', 'a PUT without {} keeps it'],
    dropped: ['keep-removed', 'a PUT without {} erases it'],
    schema: { side: 'new', body: 'update', lacking: 'a PUT cannot set the field any more' },
    witness: (_, mount, field) => describing(mount, `a body without "${field}"`),
  },
  {
    option: 'restricted',
    kinds: operationKinds,
    set: ['restricted-added', 'only some callers see {}'],
    dropped: ['restricted-removed', 'all callers see {}'],
    breaksIfSet: true,
    schema: { side: 'old', body: 'item', lacking: 'the field is new' },
  },
]

/** Compares the options that name fields. */
export function compareFieldOptions(pair: ResourcePair): readonly FoundChange[] {
  return rows.flatMap((row) => {
    const places = placesOffering(pair, row.kinds)
    const [old, after] = [fieldsOf(pair.old, row.option), fieldsOf(pair.new, row.option)]
    if (places === undefined) return []
    if (row.option === 'searchable' && (old.length === 0) !== (after.length === 0))
      return searchChanges(places, [old, after])
    // The revision has rules of its own.
    const revisions = row.option === 'readOnly' ? [pair.old.revision, pair.new.revision] : []
    // Another order needs clients that sort by the field.
    const sorts = (field: string): boolean =>
      row.option !== 'folded' || [pair.old, pair.new].every((side) => side.sortable.includes(field))
    return sortedTexts([...old, ...after])
      .filter(sorts)
      .filter((field) => old.includes(field) !== after.includes(field))
      .filter((field) => !revisions.includes(field))
      .map((field) => fieldChange(pair, row, { places, field, isNew: after.includes(field) }))
  })
}

interface MovedField {
  readonly places: Places
  readonly field: string
  readonly isNew: boolean
}

function fieldChange(
  pair: ResourcePair,
  row: FieldsRow,
  { places: { at, first }, field, isNew }: MovedField,
): FoundChange {
  const [rule, message] = isNew ? row.set : row.dropped
  const facts = {
    ...(isNew ? { to: field } : { from: field }),
    ...(row.schema === undefined && { field }),
    ...(breaks(row, isNew) && effectOf(pair, row, { first, field })),
    message: message.replace('{}', () => `"${field}"`),
  }
  return makeChange(rule, row.schema ? `${at} ${row.schema.body} /${field}` : at, facts)
}

function breaks({ breaksIfSet }: FieldsRow, isNew: boolean): boolean {
  return breaksIfSet === 'either' || isNew === (breaksIfSet === true)
}

function effectOf(
  pair: ResourcePair,
  { schema: known, witness }: FieldsRow,
  { first, field }: { readonly first: Mount; readonly field: string },
): Partial<Facts> {
  const schema = known && pair[known.side][known.body]
  if (known && schema && propertyOf(schema, field) === undefined)
    return { verdict: 'fine', because: known.lacking }
  return { witness: witness?.(pair, first, field) }
}

type Names = readonly string[]

function searchChanges(
  { at, first }: Places,
  [old, after]: readonly [Names, Names],
): readonly FoundChange[] {
  const [from, to] = [old, after].map((fields) => fields.join(', ') || undefined)
  const witness = requestBy(searchedKinds, first, { query: parameter('q', 'a') })
  return factChanges(at, [from, to], {
    set: ['search-on', `clients can search in ${to}`],
    dropped: ['search-off', `clients can no longer search in ${from}`, { witness }],
  })
}

// The body has all that the schema requires: the server never took one with less.
function setting({ old }: ResourcePair, mount: Mount, field: string): WitnessExchange {
  const property = old.update === null ? undefined : propertyOf(old.update, field)
  const value = property && sampleOf(property.schema)
  const body = sampleBody('update', mount)
  return value === undefined || !isRecord(body)
    ? describing(mount, `a body that changes "${field}"`)
    : exchangeAt(mount, 'update', { ...body, [field]: value })
}
