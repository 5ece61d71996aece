import { membersOf, typesOf } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { operationKinds } from '../../convention/operations.ts'
import { canonicalText, type JsonObject, sortedTexts } from '../../sets/canonical.ts'
import { isSubset, sampleOf } from '../../sets/subset.ts'
import {
  type FoundChange,
  factChanges,
  listChanges,
  makeChange,
  type WitnessExchange,
} from '../change.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  differences,
  kindsOfBody,
  nounsOf,
  type Places,
  pathsIn,
  placeOf,
  placesOffering,
  type ResourcePair,
} from './context.ts'
import { propertyOf } from './properties.ts'
import { exchangeAt, requestOf, sampleBody, sampleId } from './witness.ts'

/** Compares the fields that name items of other resources. */
export function compareReferences(pair: ResourcePair): readonly FoundChange[] {
  const { references: old } = pair.old
  const { references: after } = pair.new
  if (old === undefined || after === undefined) return []
  return differences(old, after).flatMap(({ name: field, from = null, to = null }) => {
    // A path that gives the field leads through the item that it names.
    const mounts = pair.mounts.filter((mount) => !mount.old.owners.includes(field))
    return (['create', 'update'] as const).flatMap((body) => {
      const places = placesOffering({ mounts }, kindsOfBody[body])
      return places === undefined ? [] : changesOf({ pair, places, body, field, from, to })
    })
  })
}

interface Reference {
  readonly pair: ResourcePair
  readonly places: Places
  readonly body: 'create' | 'update'
  readonly field: string
  readonly from: string | null
  readonly to: string | null
}

function changesOf(reference: Reference): readonly FoundChange[] {
  const { pair, places, body, field, from, to } = reference
  const at = `${places.at} ${body} /${field}`
  if (to === null)
    return [makeChange('reference-dropped', at, { from, message: `"${field}" may name any item` })]
  if (from !== null && isSamePlace(reference, from, to)) return []
  const schema = pair.old[body]
  const property = schema === null ? undefined : propertyOf(schema, field)
  const message = `"${field}" has to name an item of "${to}"`
  const facts = { from, to, message }
  const isKnown = schema === null || property !== undefined
  const proof = isKnown
    ? { witness: naming(reference, property?.schema) }
    : ({ verdict: 'fine', because: 'the field is new' } as const)
  return [makeChange('reference-set', at, { ...facts, ...proof })]
}

// A resource may get another name, or a view: clients see the same items at the same path.
function isSamePlace(
  { pair: { comparison }, places }: Reference,
  from: string,
  to: string,
): boolean {
  const { version } = places.first
  const pathsOf = (snapshot: Snapshot, name: string): readonly string[] =>
    pathsIn(snapshot, version).flatMap(([path, { resource }]) =>
      resource === name ? [nounsOf(path)] : [],
    )
  const after = pathsOf(comparison.new, to)
  return pathsOf(comparison.old, from).some((path) => after.includes(path))
}

function naming(
  { places: { first }, body, field }: Reference,
  schema: JsonObject = { type: 'string' },
): WitnessExchange {
  const value: Json = { ...Object(sampleBody(body, first)), [field]: unusedId(schema) }
  return { ...exchangeAt(first, body, value), note: `no item has the id of "${field}"` }
}

// An id that no item is likely to have.
function unusedId(schema: JsonObject): Json {
  const usual = ['none', 404_040_404].find((id) => isSubset({ const: id }, schema).answer === 'yes')
  return usual ?? sampleOf(schema) ?? null
}

/** Compares how a view comes from the resource that it shows. */
export function compareLinks(pair: ResourcePair): readonly FoundChange[] {
  const at = pair.mounts.map(placeOf).join(', ')
  const [from, to] = [pair.old.of ?? undefined, pair.new.of ?? undefined]
  const moved = factChanges(at, [from, to], {
    set: ['view-made', `it is a view of "${to}" now`],
    dropped: ['view-unmade', `it is no view of "${from}" any more`],
    changed: ['view-of-changed', `it shows "${to}", it was "${from}"`],
  })
  if (from === undefined || to === undefined) return moved
  return [
    ...moved,
    ...linkChanges(pair, at),
    ...hiddenChanges(pair, at),
    ...listChanges(at, [pair.old.offers ?? [], pair.new.offers ?? []], {
      removed: (kind) => ['view-reopens-less', `the view no longer reopens ${kind}`],
      added: (kind) => ['view-reopens', `the view reopens ${kind}, which "${to}" does not offer`],
    }),
  ]
}

function linkChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  return differences(old.fields, after.fields).flatMap(({ name, ...link }) => {
    // A field without a link has a source of its own name.
    const { from = name, to = name } = link
    const message = `"${name}" is made of ${said(to)}, it was ${said(from)}`
    return factChanges(`${at} item /${name}`, [from, to], {
      set: ['view-link-changed', message],
    })
  })
}

function hiddenChanges({ old, new: after }: ResourcePair, at: string): readonly FoundChange[] {
  return differences(old.hidden, after.hidden).flatMap(({ name, from, to }) => {
    const [before, now] = [from, to].map((value) =>
      value === undefined ? value : { [name]: value },
    )
    return factChanges(`${at} create`, [before, now], {
      set: ['view-hides-more', `new items get ${said(to)} in the hidden field "${name}"`],
      dropped: ['view-hides-less', `new items got ${said(from)} in the hidden field "${name}"`],
      changed: [
        'view-initial-changed',
        `new items get ${said(to)} in "${name}", it was ${said(from)}`,
      ],
    })
  })
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
    const witness = exchangeAt(places.first, 'item', answer)
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
    const { target, method } = requestOf('list', places.first)
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
