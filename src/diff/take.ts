import type { Collection } from '../contract/resource/api.ts'
import type { Resource } from '../contract/resource/resource.ts'
import {
  createJsonSchemaReader,
  membersOf,
  propertiesOf,
  type ToJsonSchema,
} from '../contract/schema/json-schema.ts'
import type { Json, StandardSchema } from '../contract/schema/schema.ts'
import { compareValues } from '../contract/values/order.ts'
import type { FilterField } from '../convention/filter-operators.ts'
import { operationKinds, problemStatuses } from '../convention/operations.ts'
import { isRecord } from '../convention/value.ts'
import { mapInner, type Node } from '../openapi/json-schema.ts'
import { type OpenApiSource, type Service, serviceOf } from '../openapi/source.ts'
import { canonicalText, compareText, type JsonObject, sortedTexts } from '../sets/canonical.ts'
import type {
  Snapshot,
  SnapshotFilter,
  SnapshotLifecycle,
  SnapshotPath,
  SnapshotResource,
  SnapshotVersion,
} from './snapshot.ts'

/** The options of {@link snapshotOf}. */
interface TakeOptions {
  /** The version of nounful. */
  readonly nounful: string
  /** Returns the JSON Schema of a validator that tells none itself. Default: none. */
  readonly toJsonSchema?: ToJsonSchema | undefined
}

/** Takes the snapshot of a registry, or of an API alone: then the options are unknown. */
export function snapshotOf(source: OpenApiSource, options: TakeOptions): Snapshot {
  const service = serviceOf(source)
  const { api, defaultVersion, isBound, isGuarded, limits, problemTypes } = service
  const read = createJsonSchemaReader(options.toJsonSchema)
  const schemaOf: SchemaReader = (schema, direction) => {
    const json = read(schema, direction)
    return json === undefined ? null : plainSchema(json)
  }
  const resources = resourcesOf(api.resources.values())
  return {
    format: 1,
    nounful: options.nounful,
    defaultVersion: defaultVersion ?? null,
    guarded: isBound ? isGuarded : null,
    limits: isBound ? limits : {},
    problemTypes: problemTypes ?? null,
    problems: problemStatuses,
    versions: versionsOf(service),
    resources: Object.fromEntries(
      resources.map((resource) => [resource.name, resourceOf(resource, schemaOf)]),
    ),
    accepted: [],
  }
}

type SchemaReader = (schema: StandardSchema, direction: 'input' | 'output') => JsonObject | null

// Views are judged by their source resources, which no version needs to show.
function resourcesOf(mounted: Iterable<Resource>): readonly Resource[] {
  const all = new Map<string, Resource>()
  const add = (resource: Resource): void => {
    all.set(resource.name, resource)
    const source = resource.view?.origin.of
    if (source !== undefined) add(source)
  }
  for (const resource of mounted) add(resource)
  return [...all.values()]
}

function versionsOf(service: Service): Snapshot['versions'] {
  const { versions, collections, lifecycle, retired, drafts } = service.api
  const entries = [...versions.keys()].map((version): readonly [string, SnapshotVersion] => {
    const versionCollections = collections.filter((collection) => collection.version === version)
    const paths = versionCollections.map((collection) => [
      collection.path,
      pathOf(collection, service),
    ])
    const stage = drafts.includes(version) ? 'draft' : 'released'
    const end = endOf(lifecycle.get(version))
    return [version, { stage, lifecycle: end, paths: Object.fromEntries(paths) }]
  })
  const ended = [...retired].map(([version, { since, sunset = since, successor, docs }]) => {
    const end = endOf({ sunset, successor, docs })
    return [version, { stage: 'retired', lifecycle: end, paths: {} }] as const
  })
  return Object.fromEntries([...entries, ...ended])
}

type Ended = { readonly [Member in keyof SnapshotLifecycle]: SnapshotLifecycle[Member] | undefined }

function endOf(row: Ended | undefined): SnapshotLifecycle | null {
  if (row === undefined) return null
  const { deprecated, sunset, successor, docs } = row
  // JSON has no undefined members.
  return JSON.parse(JSON.stringify({ deprecated, sunset, successor, docs }))
}

function pathOf(collection: Collection, service: Service): SnapshotPath {
  const { api, isBound, kindsOf, rulesOf, joinedIn } = service
  const { resource, owners, includes, related, version, deprecation } = collection
  const isOwn = deprecation !== api.lifecycle.get(version)
  const rules = rulesOf(collection)
  return {
    resource: resource.name,
    operations: kindsOf(collection),
    owners,
    includes: sortedTexts(includes),
    ...(related.length > 0 && {
      related: Object.fromEntries(
        related.map(({ reference, resource }) => [reference.as, resource.name]),
      ),
      // Only the adapters tell what a storage joins.
      ...(isBound && { joined: sortedTexts(joinedIn(collection).map(asOf)) }),
    }),
    ...(rules.length > 0 && { rules }),
    lifecycle: isOwn ? endOf(deprecation) : null,
  }
}

function asOf({ reference }: Collection['related'][number]): string {
  return reference.as
}

function resourceOf(resource: Resource, schemaOf: SchemaReader): SnapshotResource {
  const { view, defaultLimit, total, revision, states } = resource
  const create = schemaOf(resource.create, 'input')
  const offers = operationKinds.filter((kind) => view?.origin.offers.includes(kind))
  return {
    of: view?.origin.of.name ?? null,
    hub: resource.base.name,
    fields: dataOf(view?.origin.fields ?? {}),
    hidden: dataOf(view?.origin.hidden ?? {}),
    ...(offers.length > 0 && { offers }),
    id: resource.id ? (schemaOf(resource.id, 'output') ?? {}) : { type: 'string' },
    takesId: create !== null && membersOf(create).flatMap(propertiesOf).some(isId),
    item: schemaOf(resource.schema, 'output'),
    create,
    update: schemaOf(resource.update, 'input'),
    sortable: sortedTexts(resource.sortable),
    ...(resource.folded.length > 0 && { folded: sortedTexts(resource.folded) }),
    searchable: sortedTexts(resource.searchable),
    filterable: Object.fromEntries(resource.filterable.map(filterOf)),
    ...(resource.countable.length > 0 && { countable: sortedTexts(resource.countable) }),
    readOnly: sortedTexts(resource.readOnly),
    keep: sortedTexts(resource.keep),
    restricted: sortedTexts(resource.restricted),
    references: Object.fromEntries(resource.references.map(({ field, to }) => [field, to])),
    // Items of an empty list of owners are everybody's, as those of none.
    ownedBy:
      resource.ownedBy === undefined || resource.ownedBy.length === 0 ? null : resource.ownedBy,
    ...(states && { states: { ...states, moves: movesOf(states.moves) } }),
    revision: revision ?? null,
    maxLimit: resource.maxLimit,
    defaultLimit: defaultLimit ?? null,
    bounded: resource.bounded,
    idempotent: resource.idempotent,
    ...(resource.putCreates && { putCreates: true }),
    total: total ?? null,
  }
}

function movesOf(moves: ReadonlyMap<string, readonly string[]>) {
  return Object.fromEntries([...moves].map(([state, targets]) => [state, sortedTexts(targets)]))
}

function filterOf({ name, type, values, isList }: FilterField): readonly [string, SnapshotFilter] {
  const known = values ? [...values].sort(compareValues) : null
  return [name, { type, values: known, ...(isList && { isList }) }]
}

function isId([name]: readonly [string, unknown]): boolean {
  return name === 'id'
}

// A snapshot cannot hold the code of a function.
function dataOf(declared: Readonly<Record<string, unknown>>): JsonObject {
  const replace = (_: string, value: unknown): unknown =>
    typeof value === 'function' ? { function: true } : value
  const data: { readonly [member: string]: Json } = JSON.parse(JSON.stringify(declared, replace))
  return data
}

/**
 * Returns a JSON Schema as a snapshot holds it: without its dialect, `required` and `enum` in
 * order, since their order means nothing.
 */
function plainSchema(schema: Node): JsonObject {
  const { $schema: _, ...schemaObject } = ordered(schema)
  // The reader of schemas returns what JSON.parse made.
  return schemaObject as JsonObject
}

function ordered(schema: Node): Node {
  const inner = mapInner(schema, (subschema) =>
    isRecord(subschema) ? ordered(subschema) : subschema,
  )
  const entries = Object.entries(inner).map(([key, value]) => [key, orderedMember(key, value)])
  return Object.fromEntries(entries)
}

function orderedMember(key: string, value: unknown): unknown {
  if ((key === '$defs' || key === 'definitions') && isRecord(value)) {
    const parts = Object.entries(value)
    return Object.fromEntries(
      parts.map(([name, definition]) => [
        name,
        isRecord(definition) ? ordered(definition) : definition,
      ]),
    )
  }
  const isList = (key === 'required' || key === 'enum') && Array.isArray(value)
  return isList ? value.toSorted(compareJson) : value
}

function compareJson(value: Json, nextValue: Json): number {
  return compareText(canonicalText(value), canonicalText(nextValue))
}
