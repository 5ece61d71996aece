import { membersOf, typesOf } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { bodySchemaOf } from '../../convention/kinds.ts'
import { operationKinds } from '../../convention/operations.ts'
import { canonicalText, type JsonObject, sortedTexts } from '../../sets/canonical.ts'
import { isSubset } from '../../sets/subset.ts'
import { type FoundChange, makeChange, type WitnessExchange } from '../change.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  nounsOf,
  type Places,
  pathsIn,
  placeOf,
  placesOffering,
  type ResourcePair,
} from './context.ts'
import { propertyOf } from './properties.ts'
import { exchangeAt, offeredAt, requestOf, sampleBody, sampleId, sampleOf } from './witness.ts'

/** Compares the fields that name items of other resources. */
export function compareReferences(pair: ResourcePair): readonly FoundChange[] {
  const { references: old } = pair.old
  const { references: after } = pair.new
  if (old === undefined || after === undefined) return []
  const fields = sortedTexts([...Object.keys(old), ...Object.keys(after)])
  return fields.flatMap((field) => {
    // A path that gives the field leads through the item that it names.
    const mounts = pair.mounts.filter((mount) => !mount.old.owners.includes(field))
    const [from, to] = [old, after].map((resource) =>
      Object.hasOwn(resource, field) ? resource[field] : null,
    )
    return (['create', 'update'] as const).flatMap((body) => {
      const kinds = operationKinds.filter((kind) => bodySchemaOf(kind) === body)
      const places = placesOffering({ mounts }, kinds)
      const reference = { pair, body, field, from: from ?? null, to: to ?? null }
      return places === undefined ? [] : changesOf({ ...reference, places })
    })
  })
}

interface Asked {
  readonly pair: ResourcePair
  readonly places: Places
  readonly body: 'create' | 'update'
  readonly field: string
  readonly from: string | null
  readonly to: string | null
}

function changesOf(reference: Asked): readonly FoundChange[] {
  const { pair, places, body, field, from, to } = reference
  if (from === to) return []
  const at = `${places.at} ${body} /${field}`
  if (to === null)
    return [makeChange('reference-dropped', at, { from, message: `"${field}" may name any item` })]
  if (from !== null && isSamePlace(reference, from, to)) return []
  const schema = pair.old[body]
  const property = schema === null ? undefined : propertyOf(schema, field)
  const message = `"${field}" has to name an item of "${to}"`
  const facts = { from, to, message }
  if (schema !== null && property === undefined)
    return [
      makeChange('reference-set', at, { ...facts, verdict: 'fine', because: 'the field is new' }),
    ]
  return [
    makeChange('reference-set', at, { ...facts, witness: naming(reference, property?.schema) }),
  ]
}

// A resource may get another name, or a view: clients see the same items at the same path.
function isSamePlace({ pair: { comparison }, places }: Asked, from: string, to: string): boolean {
  const { version } = places.first
  const pathsOf = (snapshot: Snapshot, name: string): readonly string[] =>
    pathsIn(snapshot, version).flatMap(([path, { resource }]) =>
      resource === name ? [nounsOf(path)] : [],
    )
  const after = pathsOf(comparison.new, to)
  return pathsOf(comparison.old, from).some((path) => after.includes(path))
}

function naming(
  { pair, places, body, field }: Asked,
  schema: JsonObject = { type: 'string' },
): WitnessExchange {
  const offered = offeredAt(pair, places)
  const value: Json = { ...Object(sampleBody(body, offered)), [field]: unusedId(schema) }
  return { ...exchangeAt(offered, body, value), note: `no item has the id of "${field}"` }
}

// An id that no item is likely to have.
function unusedId(schema: JsonObject): Json {
  const usual = ['none', 404_040_404].find((id) => isSubset({ const: id }, schema).answer === 'yes')
  return usual ?? sampleOf(schema) ?? null
}

/** Compares how a view comes from the resource that it shows. */
export function compareLinks(pair: ResourcePair): readonly FoundChange[] {
  const at = pair.mounts.map(placeOf).join(', ')
  const { old, new: after } = pair
  if (old.of === null && after.of === null) return []
  if (old.of === null || after.of === null) {
    const [from, to] = [old.of, after.of]
    const rule = from === null ? 'view-made' : 'view-unmade'
    const message =
      from === null ? `it is a view of "${to}" now` : `it is no view of "${from}" any more`
    return [makeChange(rule, at, { from, to, message })]
  }
  const [from, to] = [old.of, after.of]
  const message = `it shows "${to}", it was "${from}"`
  const moved = from === to ? [] : [makeChange('view-of-changed', at, { from, to, message })]
  return [...moved, ...linkChanges(pair, at), ...hiddenChanges(pair, at), ...offerChanges(pair, at)]
}

function linkChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  return sortedTexts([...Object.keys(old.fields), ...Object.keys(after.fields)]).flatMap(
    (field) => {
      // A field without a link has a source of its own name.
      const from = memberOf(old.fields, field) ?? field
      const to = memberOf(after.fields, field) ?? field
      if (canonicalText(from) === canonicalText(to)) return []
      const message = `"${field}" is made of ${said(to)}, it was ${said(from)}`
      return [makeChange('view-link-changed', `${at} item /${field}`, { from, to, message })]
    },
  )
}

function hiddenChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  return sortedTexts([...Object.keys(old.hidden), ...Object.keys(after.hidden)]).flatMap(
    (field) => {
      const from = memberOf(old.hidden, field)
      const to = memberOf(after.hidden, field)
      const place = `${at} create`
      if (from === undefined) {
        const message = `new items get ${said(to)} in the hidden field "${field}"`
        return [makeChange('view-hides-more', place, { to: { [field]: to ?? null }, message })]
      }
      if (to === undefined) {
        const message = `new items got ${said(from)} in the hidden field "${field}"`
        return [makeChange('view-hides-less', place, { from: { [field]: from }, message })]
      }
      if (canonicalText(from) === canonicalText(to)) return []
      const message = `new items get ${said(to)} in "${field}", it was ${said(from)}`
      const facts = { from: { [field]: from }, to: { [field]: to }, message }
      return [makeChange('view-initial-changed', place, facts)]
    },
  )
}

function offerChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  const { offers: from = [] } = old
  const { offers: to = [] } = after
  const more = to.filter((kind) => !from.includes(kind))
  const less = from.filter((kind) => !to.includes(kind))
  return [
    ...more.map((kind) => {
      const message = `the view reopens ${kind}, which "${after.of}" does not offer`
      return makeChange('view-reopens', at, { to: kind, message })
    }),
    ...less.map((kind) => {
      const message = `the view no longer reopens ${kind}`
      return makeChange('view-reopens-less', at, { from: kind, message })
    }),
  ]
}

function memberOf(object: { readonly [name: string]: Json }, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function said(value: Json | undefined): string {
  return JSON.stringify(value ?? null)
}

/** Compares the ids of a resource. */
export function compareIds(pair: ResourcePair): readonly FoundChange[] {
  const { id: old } = pair.old
  const { id: after } = pair.new
  const places = placesOffering(pair, operationKinds)
  if (places === undefined || canonicalText(old) === canonicalText(after)) return []
  const facts = { from: old, to: after }
  const [oldType, newType] = [typeIn(old), typeIn(after)]
  if (oldType !== newType && oldType !== undefined && newType !== undefined) {
    const message = `an id is ${newType}, it was ${oldType}`
    const { item } = pair.new
    const answer = { ...Object(item && sampleOf(item)), id: sampleId(after) }
    const witness = exchangeAt(offeredAt(pair, places), 'item', answer)
    return [makeChange('id-type-changed', places.at, { ...facts, message, witness })]
  }
  const narrowed = isSubset(old, after)
  const widened = isSubset(after, old)
  const changes: FoundChange[] = []
  if (narrowed.answer === 'unknown') {
    const { because } = narrowed
    const message = 'some ids may be refused now'
    const unknown = { ...facts, message, verdict: 'depends', because } as const
    changes.push(makeChange('id-narrowed', places.at, unknown))
  }
  if (narrowed.answer === 'no') {
    const id = encodeURIComponent(String(narrowed.witness))
    const { target, method } = requestOf('list', { ...places.first, snapshot: pair.comparison.old })
    const message = `the id ${JSON.stringify(narrowed.witness)} is refused now`
    const witness = { method, target: `${target}/${id}` }
    changes.push(makeChange('id-narrowed', places.at, { ...facts, message, witness }))
  }
  if (widened.answer === 'no') {
    const message = `an id may be ${JSON.stringify(widened.witness)}`
    changes.push(makeChange('id-widened', places.at, { ...facts, message }))
  }
  return changes
}

// A number in a path is text all the same, but not in a body.
function typeIn(schema: JsonObject): string | undefined {
  const types = sortedTexts(
    membersOf(schema).flatMap((member) =>
      typesOf(member).map((type) => (type === 'string' ? 'text' : 'a number')),
    ),
  )
  return types.length === 1 ? types[0] : undefined
}
