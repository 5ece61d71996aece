import { membersOf, propertiesOf } from '../../contract/schema/json-schema.ts'
import { operationKinds } from '../../convention/operations.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import type { SchemaChange, SchemaPair } from '../../schemas/change.ts'
import { compareSchemas } from '../../schemas/schema-changes.ts'
import { canonicalText, groupBy, type JsonObject, sortedTexts } from '../../sets/canonical.ts'
import { formatPointer, parsePointer } from '../../wire/pointer.ts'
import { type Facts, type FoundChange, makeChange, ruleOfSide } from '../change.ts'
import { sayChange, withinPlace } from '../schema-message.ts'
import {
  kindsOfBody,
  type Mount,
  type Places,
  placesOffering,
  type ResourcePair,
  replacingKinds,
} from './context.ts'
import { requiredIn, schemaAt, withoutField, withoutRequired } from './properties.ts'
import { type BodyPlace, exchangeAt, probeOf, sampleExchange } from './witness.ts'

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
    return [makeChange('schema-untold', `${places.at} ${body}`, facts)]
  })
}

// A path gives its owner fields, so a body need not have them.
function filledGroups(places: Places, schemas: readonly JsonObject[]): readonly Places[] {
  const filledBy = ({ old: { owners } }: Mount) =>
    schemas.map((schema) => requiredIn(schema).filter((name) => owners.includes(name)))
  const groups = groupBy(places.mounts, (mount) => JSON.stringify(filledBy(mount)))
  return [...groups.values()].flatMap((mounts) => placesOffering({ mounts }, operationKinds) ?? [])
}

type Sides = readonly [old: JsonObject, after: JsonObject]

function schemasAt(
  { pair, places, body }: Omit<BodyPlace, 'schemas'>,
  [old, after]: Sides,
): SchemaPair {
  const { first } = places
  if (body === 'item') return { old, new: after, side: 'item' }
  const side = { old: withoutRequired(old, first.old.owners), side: 'request' } as const
  const schemas = { ...side, new: withoutRequired(after, first.new.owners) }
  if (body === 'create' && !isIdApart(pair, [old, after])) return schemas
  return { ...schemas, old: withoutField(schemas.old, 'id'), new: withoutField(schemas.new, 'id') }
}

// The server judges the id of a PUT by the path. The schemas of POST say no more of an id than the
// rules of ids where one side takes none, and no side needs one.
function isIdApart({ old, new: after }: ResourcePair, schemas: readonly JsonObject[]): boolean {
  return (
    !(old.takesId && after.takesId) && !schemas.some((schema) => requiredIn(schema).includes('id'))
  )
}

interface PlacedChange {
  readonly change: SchemaChange
  readonly place: BodyPlace
}

// A change that several paths have is one change with all its places.
function merged(changes: readonly PlacedChange[]): readonly PlacedChange[] {
  const groups = groupBy(changes, ({ change: { rule, at, from, to, verdict } }) =>
    canonicalText([rule, at, from, to, verdict]),
  )
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
  const keys = new Set(compared.map(({ rule, at }) => `${rule} ${at}`))
  const deprecations = compareDeprecations(schemas).filter(
    ({ rule, at }) => !keys.has(`${rule} ${at}`),
  )
  const changes = [...compared, ...deprecations]
  return (changes.length > 0 ? changes : [rewritten]).map((change) => ({ change, place }))
}

const same = { from: null, to: null, verdict: 'fine' } as const
const rewritten: SchemaChange = { rule: 'schema-rewritten', at: '', ...same }

function changeAt(change: SchemaChange, place: BodyPlace): FoundChange {
  const { places, body } = place
  const facts = {
    ...{ from: change.from, to: change.to, message: sayChange(change) },
    ...judged(change, place),
    witness: change.witness && exchangeAt(places.first, body, change.witness.value),
    probe: probeOf(change, place),
  }
  const at = withinPlace(`${places.at} ${body}`, change.at)
  const update = judgedUpdate(change, place)
  if (update !== undefined) return makeChange('update-field-added', at, { ...facts, ...update })
  return makeChange(ruleAt(change, place), at, facts)
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

function ruleAt({ rule, at }: SchemaChange, { schemas }: BodyPlace): string {
  const isRemoved = rule === 'field-removed' && deprecatedIn(schemas.old).get(at) === true
  if (isRemoved) return 'field-deprecated-removed'
  return ruleOfSide(schemas.side, rule)
}

/** Compares which fields of a schema are deprecated. */
function compareDeprecations({ old, new: after }: SchemaPair): readonly SchemaChange[] {
  const from = deprecatedIn(old)
  const to = deprecatedIn(after)
  return sortedTexts([...from.keys(), ...to.keys()]).flatMap((at) => {
    const was = from.get(at)
    const is = to.get(at)
    if (was === undefined || is === undefined || was === is) return []
    const rule = is ? 'field-deprecated' : 'field-undeprecated'
    return [{ rule, at, from: was, to: is, verdict: 'fine' } as const]
  })
}

/** Returns the places of the fields of a schema, and whether each is deprecated. */
function deprecatedIn(root: object): ReadonlyMap<string, boolean> {
  const fields = new Map<string, boolean>()
  const visit = (schema: object, at: string, outer: readonly object[]): void => {
    if (outer.includes(schema)) return
    for (const member of membersOf(schema, root)) {
      const inner = [...outer, schema]
      for (const [name, property] of propertiesOf(member)) {
        const place = `${at}${formatPointer([name])}`
        fields.set(place, fieldOf(property, 'deprecated') === true)
        visit(property, place, inner)
      }
      const items = fieldOf(member, 'items')
      if (isRecord(items)) visit(items, `${at}/-`, inner)
    }
  }
  visit(root, '', [])
  return fields
}

/** Says a field that was removed and one that was added as one, where their schemas are equal. */
function withRenames(changes: readonly SchemaChange[], pair: SchemaPair): readonly SchemaChange[] {
  // A break of a request needs a witness, which the removed field has.
  const isShown = ({ witness }: SchemaChange) => pair.side === 'item' || witness !== undefined
  const gone = changes.filter((change) => change.rule === 'field-removed' && isShown(change))
  const come = changes.filter(({ rule }) => /^field-(?:required-|default-)?added$/.test(rule))
  const renames = gone.flatMap((change) => {
    const twins = come.filter((added) => isTwin(change, added, pair))
    const rivals = gone.filter((rival) => twins[0] && isTwin(rival, twins[0], pair))
    const [twin] = twins
    // With several candidates, the pair is a guess.
    return twin === undefined || twins.length > 1 || rivals.length > 1 ? [] : [{ change, twin }]
  })
  const said = new Set(renames.flatMap(({ change, twin }) => [change, twin]))
  const renamed = renames.map(({ change, twin }): SchemaChange => {
    const [from, to] = [lastOf(change.at), lastOf(twin.at)]
    return { ...change, rule: 'field-renamed', from, to, verdict: 'breaking' }
  })
  return [...renamed, ...changes.filter((change) => !said.has(change))]
}

function isTwin(gone: SchemaChange, come: SchemaChange, pair: SchemaPair): boolean {
  if (parentOf(gone.at) !== parentOf(come.at)) return false
  const old = schemaAt(pair.old, gone.at)
  const after = schemaAt(pair.new, come.at)
  return old !== undefined && after !== undefined && canonicalText(old) === canonicalText(after)
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

/**
 * Returns the facts of a field that a PUT erases if its client does not know the field; `undefined`
 * for any other change.
 *
 * @see docs/versions.md, "Add a field to a version"
 */
function judgedUpdate({ rule, at }: SchemaChange, place: BodyPlace): Partial<Facts> | undefined {
  const { pair, places, body } = place
  if (body !== 'update' || (rule !== 'field-added' && rule !== 'field-default-added'))
    return undefined
  if (placesOffering(places, replacingKinds) === undefined) return undefined
  const [top = '', ...inner] = parsePointer(at)
  const { keep, readOnly } = pair.new
  if (readOnly.includes(top) || (keep.includes(top) && inner.length === 0)) return undefined
  const because = '"keep" names whole fields of an item only'
  return {
    verdict: 'breaking',
    message: `a PUT without "${[top, ...inner].join('/')}" erases it`,
    witness: sampleExchange(places.first, place.schemas.old, `a body without "${top}"`),
    ...(inner.length > 0 && { because }),
  }
}
