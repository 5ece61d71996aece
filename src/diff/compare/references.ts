import type { Json } from '../../contract/schema/schema.ts'
import { bodySchemaOf } from '../../convention/kinds.ts'
import { operationKinds } from '../../convention/operations.ts'
import { sortedTexts } from '../canonical.ts'
import type { WitnessExchange } from '../change.ts'
import type { JsonObject, Snapshot } from '../snapshot.ts'
import { isSubset } from '../subset.ts'
import { type Places, placesOffering, type ResourcePair } from './context.ts'
import { type FoundChange, found } from './found.ts'
import { nounsOf, pathsIn } from './paths.ts'
import { propertyOf } from './properties.ts'
import { exchangeAt, offeredAt } from './shown.ts'
import { sampleBody, sampleOf } from './witness.ts'

/** Compares the fields that name items of other resources. */
export function compareReferences(pair: ResourcePair): readonly FoundChange[] {
  const { references: old } = pair.old
  const { references: after } = pair.new
  if (old === undefined || after === undefined) return []
  const fields = sortedTexts([...Object.keys(old), ...Object.keys(after)])
  return fields.flatMap((field) => {
    // A path that gives the field leads through the item that it names.
    const mounts = pair.mounts.filter((mount) => !mount.old.owners.includes(field))
    const [from, to] = [old, after].map((one) => (Object.hasOwn(one, field) ? one[field] : null))
    return (['create', 'update'] as const).flatMap((body) => {
      const kinds = operationKinds.filter((kind) => bodySchemaOf(kind) === body)
      const places = placesOffering({ mounts }, kinds)
      const asked = { pair, body, field, from: from ?? null, to: to ?? null }
      return places === undefined ? [] : changesOf({ ...asked, places })
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

function changesOf(asked: Asked): readonly FoundChange[] {
  const { pair, places, body, field, from, to } = asked
  if (from === to) return []
  const at = `${places.at} ${body} /${field}`
  if (to === null)
    return [found('reference-dropped', at, { from, message: `"${field}" may name any item` })]
  if (from !== null && isSamePlace(asked, from, to)) return []
  const schema = pair.old[body]
  const property = schema === null ? undefined : propertyOf(schema, field)
  const message = `"${field}" has to name an item of "${to}"`
  const facts = { from, to, message }
  if (schema !== null && property === undefined)
    return [found('reference-set', at, { ...facts, verdict: 'fine', because: 'the field is new' })]
  return [found('reference-set', at, { ...facts, witness: naming(asked, property?.schema) })]
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
