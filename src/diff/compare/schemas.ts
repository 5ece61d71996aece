import { bodySchemaOf } from '../../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../../convention/operations.ts'
import { canonicalText } from '../canonical.ts'
import type { SchemaChange } from '../change.ts'
import { ruleOf } from '../rules.ts'
import { compareSchemas, type SchemaPair } from '../schema-changes.ts'
import type { JsonObject } from '../snapshot.ts'
import type { BodyPlace } from './body-place.ts'
import { type Mount, type Places, placesOffering, type ResourcePair } from './context.ts'
import { compareDeprecations, deprecatedIn } from './deprecations.ts'
import { type FoundChange, found } from './found.ts'
import { requiredIn, withoutField, withoutRequired } from './properties.ts'
import { withRenames } from './renames.ts'
import { exchangeOf, probeOf } from './shown.ts'
import { judgedUpdate } from './update.ts'
import { sayChange } from './words.ts'

/** The operations with each body, and those that respond with items. */
export const kindsOfBody: Readonly<Record<BodyPlace['body'], readonly OperationKind[]>> = {
  create: operationKinds.filter((kind) => bodySchemaOf(kind) === 'create'),
  update: operationKinds.filter((kind) => bodySchemaOf(kind) === 'update'),
  item: operationKinds.filter((kind) => ['item', 'items'].includes(operations[kind].gives)),
}

/** Compares the schemas of a resource, where a path offers an operation with them. */
export function compareBodies(pair: ResourcePair): readonly FoundChange[] {
  return (['create', 'update', 'item'] as const).flatMap((body) => {
    const places = placesOffering(pair, kindsOfBody[body])
    if (places === undefined) return []
    const [old, after] = [pair.old[body], pair.new[body]]
    if (old !== null && after !== null) {
      const groups = filledGroups(places, body === 'item' ? [] : [old, after])
      const all = groups.map((group) => {
        const place = { pair, places: group, body }
        return { ...place, schemas: schemasAt(place, [old, after]) }
      })
      return merged(all.flatMap(bodyChanges)).map(({ change, place }) => changeAt(change, place))
    }
    if (old === after) return []
    const [from, to] = [old, after].map((schema) => (schema === null ? 'untold' : 'told'))
    const message = 'a schema tells no JSON Schema, so nothing can be compared'
    const facts = { from: from ?? null, to: to ?? null, message }
    return [found('schema-untold', `${places.at} ${body}`, facts)]
  })
}

// A path gives its owner fields, so a body need not have them.
function filledGroups(places: Places, schemas: readonly JsonObject[]): readonly Places[] {
  const groups = new Map<string, Mount[]>()
  for (const mount of places.mounts) {
    const filled = schemas.map((schema) =>
      requiredIn(schema).filter((name) => mount.old.owners.includes(name)),
    )
    const key = JSON.stringify(filled)
    groups.set(key, [...(groups.get(key) ?? []), mount])
  }
  return [...groups.values()].flatMap((mounts) => placesOffering({ mounts }, operationKinds) ?? [])
}

type Sides = readonly [old: JsonObject, after: JsonObject]

function schemasAt(
  { pair, places, body }: Omit<BodyPlace, 'schemas'>,
  [old, after]: Sides,
): SchemaPair {
  const { first } = places
  if (body === 'item') return { old, new: after, side: 'item' }
  const told = { old: withoutRequired(old, first.old.owners), side: 'request' } as const
  const whole = { ...told, new: withoutRequired(after, first.new.owners) }
  if (body === 'create' && !isIdApart(pair, [old, after])) return whole
  return { ...whole, old: withoutField(whole.old, 'id'), new: withoutField(whole.new, 'id') }
}

// The server judges the id of a PUT by the path. The schemas of POST say no more of an id than the
// rules of ids where one side takes none, and no side needs one.
function isIdApart({ old, new: after }: ResourcePair, schemas: readonly JsonObject[]): boolean {
  return !(old.takesId && after.takesId) && !schemas.some((one) => requiredIn(one).includes('id'))
}

interface PlacedChange {
  readonly change: SchemaChange
  readonly place: BodyPlace
}

// A change that several paths have is one change with all its places.
function merged(changes: readonly PlacedChange[]): readonly PlacedChange[] {
  const groups = new Map<string, PlacedChange[]>()
  for (const one of changes) {
    const { rule, at, from, to, verdict } = one.change
    const key = canonicalText([rule, at, from, to, verdict])
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const mounts = group.flatMap(({ place }) => place.places.mounts)
    const { at } = placesOffering({ mounts }, operationKinds) ?? first.place.places
    return [{ ...first, place: { ...first.place, places: { ...first.place.places, at, mounts } } }]
  })
}

function bodyChanges(place: BodyPlace): readonly PlacedChange[] {
  const { schemas } = place
  if (canonicalText(schemas.old) === canonicalText(schemas.new)) return []
  const compared = withRenames(compareSchemas(schemas), schemas)
  const known = new Set(compared.map(({ rule, at }) => `${rule} ${at}`))
  const deprecations = compareDeprecations(schemas).filter(
    ({ rule, at }) => !known.has(`${rule} ${at}`),
  )
  const changes = [...compared, ...deprecations]
  return (changes.length > 0 ? changes : [rewritten]).map((change) => ({ change, place }))
}

const rewritten: SchemaChange = {
  rule: 'schema-rewritten',
  at: '',
  from: null,
  to: null,
  verdict: 'fine',
}

function atOf({ places, body }: BodyPlace, pointer: string): string {
  return `${places.at} ${body}${pointer === '' ? '' : ` ${pointer}`}`
}

function changeAt(change: SchemaChange, place: BodyPlace): FoundChange {
  const { from, to, witness } = change
  const rule = ruleAt(change, place)
  const facts = { from, to, message: sayChange(change), ...judged(change, place) }
  const update = judgedUpdate(change, place)
  if (update !== undefined)
    return found('update-field-added', atOf(place, change.at), { ...facts, ...update })
  if (witness === undefined) return found(rule, atOf(place, change.at), facts)
  return found(rule, atOf(place, change.at), {
    ...facts,
    witness: exchangeOf(place, witness.value),
    probe: probeOf(change, place),
  })
}

// A break of a request that no body shows is none that a user has to believe.
function judged(
  { verdict, because, rule, witness }: SchemaChange,
  { schemas }: BodyPlace,
): Pick<SchemaChange, 'verdict' | 'because'> {
  const isShown = witness !== undefined || schemas.side === 'item' || /^field-re/.test(rule)
  if (verdict !== 'breaking' || isShown)
    return { verdict, ...(because !== undefined && { because }) }
  return { verdict: 'depends', because: because ?? 'no body was found that shows it' }
}

// The rules of schemas have a name for each side, unless one serves both.
function ruleAt({ rule, at }: SchemaChange, { schemas }: BodyPlace): string {
  const isRemoved = rule === 'field-removed' && deprecatedIn(schemas.old).get(at) === true
  if (isRemoved) return 'field-deprecated-removed'
  return ruleOf(rule) === undefined ? `${schemas.side}-${rule}` : rule
}
