import type { Json } from '../../contract/schema/schema.ts'
import { operationKinds } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import { sortedTexts } from '../../sets/canonical.ts'
import { type FoundChange, makeChange, type WitnessExchange } from '../change.ts'
import {
  changing,
  type Places,
  placesOffering,
  type ResourcePair,
  replacingKinds,
} from './context.ts'
import { propertyOf } from './properties.ts'
import { describing, exchangeAt, offeredAt, sampleBody, sampleOf } from './witness.ts'

/** Compares the fields that only the server sets, that a PUT keeps, and that some callers see. */
export function compareFieldLists(pair: ResourcePair): readonly FoundChange[] {
  return [...readOnlyChanges(pair), ...keepChanges(pair), ...restrictedChanges(pair)]
}

interface Moved {
  readonly field: string
  readonly isSet: boolean
}

function movedIn(pair: ResourcePair, option: 'readOnly' | 'keep' | 'restricted'): readonly Moved[] {
  const old = pair.old[option]
  const after = pair.new[option]
  return sortedTexts([...old, ...after])
    .filter((field) => old.includes(field) !== after.includes(field))
    .map((field) => ({ field, isSet: after.includes(field) }))
}

function readOnlyChanges(pair: ResourcePair): readonly FoundChange[] {
  const places = placesOffering(pair, changing)
  if (places === undefined) return []
  // The revision has rules of its own.
  const revisions = [pair.old.revision, pair.new.revision]
  const moved = movedIn(pair, 'readOnly').filter(({ field }) => !revisions.includes(field))
  return moved.map(({ field, isSet }) => {
    const at = `${places.at} update /${field}`
    if (!isSet) {
      const message = `clients can change "${field}"`
      return makeChange('request-read-only-dropped', at, { from: field, message })
    }
    const facts = { to: field, message: `only the server sets "${field}"` }
    const old = pair.old.update === null ? undefined : propertyOf(pair.old.update, field)
    if (old === undefined && pair.old.update !== null) {
      const because = 'a body could not set the field'
      return makeChange('request-read-only-set', at, { ...facts, verdict: 'fine', because })
    }
    const value = old && sampleOf(old.schema)
    const witness = setting(pair, places, { field, value })
    return makeChange('request-read-only-set', at, { ...facts, witness })
  })
}

interface Setting {
  readonly field: string
  /** `undefined` where no value is found. */
  readonly value: Json | undefined
}

// The body has all that the schema requires: the server never took one with less.
function setting(pair: ResourcePair, places: Places, { field, value }: Setting): WitnessExchange {
  const offered = offeredAt(pair, places)
  const body = sampleBody('update', offered)
  return value === undefined || !isRecord(body)
    ? describing(offered, `a body that changes "${field}"`)
    : exchangeAt(offered, 'update', { ...body, [field]: value })
}

function keepChanges(pair: ResourcePair): readonly FoundChange[] {
  const places = placesOffering(pair, replacingKinds)
  if (places === undefined) return []
  return movedIn(pair, 'keep').map(({ field, isSet }) => {
    const at = `${places.at} update /${field}`
    if (isSet) {
      const message = `a PUT without "${field}" keeps it`
      return makeChange('keep-added', at, { to: field, message })
    }
    const facts = { from: field, message: `a PUT without "${field}" erases it` }
    const { update } = pair.new
    if (update !== null && propertyOf(update, field) === undefined) {
      const because = 'a PUT cannot set the field any more'
      return makeChange('keep-removed', at, { ...facts, verdict: 'fine', because })
    }
    const witness = describing(offeredAt(pair, places), `a body without "${field}"`)
    return makeChange('keep-removed', at, { ...facts, witness })
  })
}

function restrictedChanges(pair: ResourcePair): readonly FoundChange[] {
  const places = placesOffering(pair, operationKinds)
  if (places === undefined) return []
  return movedIn(pair, 'restricted').map(({ field, isSet }) => {
    const at = `${places.at} item /${field}`
    if (!isSet) {
      const message = `all callers see "${field}"`
      return makeChange('restricted-removed', at, { from: field, message })
    }
    const facts = { to: field, message: `only some callers see "${field}"` }
    const { item } = pair.old
    if (item !== null && propertyOf(item, field) === undefined) {
      const because = 'the field is new'
      return makeChange('restricted-added', at, { ...facts, verdict: 'fine', because })
    }
    return makeChange('restricted-added', at, facts)
  })
}
