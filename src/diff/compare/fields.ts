import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import { sampleOf } from '../../sets/subset.ts'
import { type FoundChange, makeChange, type WitnessExchange } from '../change.ts'
import {
  kindsOfBody,
  type Mount,
  movedNames,
  type Places,
  placesOffering,
  type ResourcePair,
  replacingKinds,
} from './context.ts'
import { propertyOf } from './properties.ts'
import { describing, exchangeAt, sampleBody } from './witness.ts'

type FieldsOption = 'readOnly' | 'keep' | 'restricted'

/** An option that names fields of items. */
interface FieldsRow {
  readonly option: FieldsOption
  readonly kinds: readonly OperationKind[]
  readonly body: 'update' | 'item'
  readonly set: readonly [rule: string, message: string]
  readonly dropped: readonly [rule: string, message: string]
  /** The change that breaks clients which know the field. */
  readonly breaks: 'set' | 'dropped'
  /** The contract whose schema clients know the field by. */
  readonly by: 'old' | 'new'
  /** Says why the change breaks nothing where the schema lacks the field. */
  readonly lacking: string
  readonly witness?: (pair: ResourcePair, mount: Mount, field: string) => WitnessExchange
}

const rows: readonly FieldsRow[] = [
  {
    option: 'readOnly',
    ...{ kinds: kindsOfBody.update, body: 'update', breaks: 'set', by: 'old' },
    set: ['request-read-only-set', 'only the server sets {}'],
    dropped: ['request-read-only-dropped', 'clients can change {}'],
    lacking: 'a body could not set the field',
    witness: setting,
  },
  {
    option: 'keep',
    ...{ kinds: replacingKinds, body: 'update', breaks: 'dropped', by: 'new' },
    set: ['keep-added', 'a PUT without {} keeps it'],
    dropped: ['keep-removed', 'a PUT without {} erases it'],
    lacking: 'a PUT cannot set the field any more',
    witness: (_, mount, field) => describing(mount, `a body without "${field}"`),
  },
  {
    option: 'restricted',
    ...{ kinds: operationKinds, body: 'item', breaks: 'set', by: 'old' },
    set: ['restricted-added', 'only some callers see {}'],
    dropped: ['restricted-removed', 'all callers see {}'],
    lacking: 'the field is new',
  },
]

/** Compares the fields that only the server sets, that a PUT keeps, and that some callers see. */
export function compareFieldLists(pair: ResourcePair): readonly FoundChange[] {
  return rows.flatMap((row) => {
    const places = placesOffering(pair, row.kinds)
    if (places === undefined) return []
    // The revision has rules of its own.
    const revisions = row.option === 'readOnly' ? [pair.old.revision, pair.new.revision] : []
    return movedNames(pair.old[row.option], pair.new[row.option])
      .filter(({ name }) => !revisions.includes(name))
      .map(({ name, isNew }) => fieldChange(pair, row, { places, name, isNew }))
  })
}

interface MovedField {
  readonly places: Places
  readonly name: string
  readonly isNew: boolean
}

function fieldChange(
  pair: ResourcePair,
  row: FieldsRow,
  { places, name, isNew }: MovedField,
): FoundChange {
  const at = `${places.at} ${row.body} /${name}`
  const [rule, message] = isNew ? row.set : row.dropped
  const side = isNew ? { to: name } : { from: name }
  const facts = { ...side, message: message.replace('{}', () => `"${name}"`) }
  if (isNew !== (row.breaks === 'set')) return makeChange(rule, at, facts)
  const schema = pair[row.by][row.body]
  if (schema !== null && propertyOf(schema, name) === undefined)
    return makeChange(rule, at, { ...facts, verdict: 'fine', because: row.lacking })
  return makeChange(rule, at, { ...facts, witness: row.witness?.(pair, places.first, name) })
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
