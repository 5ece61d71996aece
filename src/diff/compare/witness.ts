import { segmentOfTarget } from '../../contract/resource/api.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { bodyOf, bodySchemaOf } from '../../convention/kinds.ts'
import { type OperationKind, operations } from '../../convention/operations.ts'
import { isRecord } from '../../convention/value.ts'
import type { SchemaChange, SchemaPair } from '../../schemas/change.ts'
import { type JsonObject, sortedEntries } from '../../sets/canonical.ts'
import { isSubset, sampleOf } from '../../sets/subset.ts'
import { parsePointer } from '../../wire/pointer.ts'
import type { Probe, WitnessExchange } from '../change.ts'
import type { Mount, MountedPath, Places, ResourcePair } from './context.ts'
import { withoutRequired } from './properties.ts'

/** The parts of an exchange that its operation does not give. */
export type ExchangeParts = Omit<WitnessExchange, 'method' | 'target'> & { readonly query?: string }

/** Makes the request of the first of some operations that a path offers; `undefined` for none. */
export function requestBy(
  kinds: readonly OperationKind[],
  mounted: MountedPath,
  parts?: ExchangeParts,
): WitnessExchange | undefined {
  const kind = kinds.find((candidate) => operationsAt(mounted).includes(candidate))
  return kind && requestOf(kind, mounted, parts)
}

function operationsAt({ snapshot, version, path }: MountedPath): readonly OperationKind[] {
  return snapshot.versions[version]?.paths[path]?.operations ?? []
}

/**
 * Makes the request of an operation, with concrete ids: `GET /v1/employees/7`. A request that needs
 * a body gets a usual one, unless a note describes it.
 */
export function requestOf(
  kind: OperationKind,
  mounted: MountedPath,
  parts: ExchangeParts = {},
): WitnessExchange {
  const { method, target, selects } = operations[kind]
  const { query, ...exchange } = selects ? { ...selection(mounted), ...parts } : parts
  const body = 'body' in parts || 'note' in parts ? {} : usualBody(kind, mounted)
  const segment = segmentOfTarget(target).replace(':id', () => idIn(mounted, mounted.path))
  const written = query === undefined ? '' : `?${query}`
  const path = `/${mounted.version}${pathIn(mounted)}${segment}${written}`
  return { method, target: path, ...body, ...exchange }
}

function selection(mounted: MountedPath): ExchangeParts {
  const query = parameter('id', String(idOf(mounted, mounted.path)))
  return { query, header: preferring(1) }
}

/** Writes the header that bounds a deletion. */
export function preferring(maxAffected: number): string {
  return `Prefer: max-affected=${maxAffected}`
}

function usualBody(kind: OperationKind, mounted: MountedPath): Pick<WitnessExchange, 'body'> {
  const name = bodySchemaOf(kind)
  const body = name && sampleBody(name, mounted)
  if (body === undefined) return {}
  return { body: bodyOf(kind)?.isMany ? [withId(body, mounted)] : body }
}

/** Returns a body that a schema of a path takes; `undefined` where none is found. */
export function sampleBody(
  name: 'create' | 'update',
  { snapshot, version, path }: MountedPath,
): Json | undefined {
  const mount = snapshot.versions[version]?.paths[path]
  const schema = snapshot.resources[mount?.resource ?? '']?.[name] ?? undefined
  if (mount === undefined || schema === undefined) return undefined
  const optional = name === 'update' ? ['id', ...mount.owners] : mount.owners
  return sampleOf(withoutRequired(schema, optional))
}

/** Gives an item of a bulk its id, unless it has one. */
function withId(item: Json, mounted: MountedPath): Json {
  return isRecord(item) ? { id: idOf(mounted, mounted.path), ...item } : item
}

/** Writes a parameter of a query. */
export function parameter(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
}

/** Returns the parameters of a path, outermost first. */
export function parametersIn(path: string): readonly string[] {
  return [...path.matchAll(/\/:([^/]+)/g)].map(([, name = '']) => name.replace(/^"|"$/g, ''))
}

/** Returns the ids in the path of a request, by parameter. */
function idsFor(mounted: MountedPath): { readonly [parameter: string]: Json } {
  const parents = parentsOf(mounted.path)
  const names = parametersIn(mounted.path)
  return Object.fromEntries(names.map((name, at) => [name, idOf(mounted, parents[at] ?? '')]))
}

function pathIn(mounted: MountedPath): string {
  const parents = parentsOf(mounted.path)
  let at = 0
  return mounted.path.replace(/\/:[^/]+/g, () => `/${idIn(mounted, parents[at++] ?? '')}`)
}

/** Returns the paths before each parameter: `/companies/:id/employees` → `/companies`. */
export function parentsOf(path: string): readonly string[] {
  return [...path.matchAll(/\/:[^/]+/g)].map(({ index }) => path.slice(0, index))
}

function idIn(mounted: MountedPath, path: string): string {
  return encodeURIComponent(String(idOf(mounted, path)))
}

/** Returns an id of an item of a path. */
export function idOf({ snapshot, version }: MountedPath, path: string): string | number {
  const name = snapshot.versions[version]?.paths[path]?.resource
  const schema = name === undefined ? undefined : snapshot.resources[name]?.id
  return schema === undefined ? '7' : sampleId(schema)
}

/** Returns an id that fits a schema: `7` where it does. */
export function sampleId(schema: JsonObject): string | number {
  const isPlain = Object.keys(schema).every((key) => key === 'type')
  if (isPlain && (schema.type === 'integer' || schema.type === 'number')) return 7
  if (isPlain) return '7'
  const usual = [7, '7'].find((id) => isSubset({ const: id }, schema).answer === 'yes')
  const id = usual ?? sampleOf(schema)
  return typeof id === 'string' || typeof id === 'number' ? id : '7'
}

const kinds: Readonly<Record<BodyPlace['body'], readonly OperationKind[]>> = {
  create: ['create'],
  update: ['update', 'patch', 'updateMany', 'patchMany'],
  item: ['read', 'first', 'last', 'list', 'create', 'update', 'patch', 'delete'],
}

/** Makes the request that carries a body, or the response that carries an item. */
export function exchangeAt(
  mounted: MountedPath,
  body: BodyPlace['body'],
  value: Json,
): WitnessExchange {
  const kind = kindAt(mounted, body)
  if (body === 'item') return requestOf(kind, mounted, { answer: value })
  return requestOf(kind, mounted, { body: bodyOf(kind)?.isMany ? [withId(value, mounted)] : value })
}

/** Makes the request of a PUT whose body no schema tells, with a note in its place. */
export function describing(mounted: MountedPath, note: string): WitnessExchange {
  return requestOf(kindAt(mounted, 'update'), mounted, { note })
}

/** Makes the request of a PUT with a body of a schema, or with a note where none is found. */
export function sampleExchange(
  mounted: MountedPath,
  schema: JsonObject,
  note: string,
): WitnessExchange {
  const value = sampleOf(schema)
  return value === undefined ? describing(mounted, note) : exchangeAt(mounted, 'update', value)
}

function kindAt(mounted: MountedPath, body: BodyPlace['body']): OperationKind {
  const offered = operationsAt(mounted)
  return kinds[body].find((candidate) => offered.includes(candidate)) ?? offered[0] ?? 'read'
}

/** Returns what the validator of the new side has to refuse; `undefined` for an item. */
export function probeOf(change: SchemaChange, place: BodyPlace): Probe | undefined {
  const { pair, body } = place
  if (body === 'item' || change.witness === undefined) return undefined
  const { value } = change.witness
  const isLost = change.rule === 'field-removed' || change.rule === 'field-renamed'
  return {
    resource: pair.newName,
    body,
    value,
    filled: filledBy(place),
    ...(isLost && { lost: parsePointer(change.at) }),
  }
}

// The path gives the owners of an item, and the id of one that a PUT replaces.
function filledBy({ places: { first }, body }: BodyPlace): Probe['filled'] {
  const id = body === 'update' ? { id: idOf(first, first.path) } : {}
  return Object.fromEntries(sortedEntries({ ...filledAt(first), ...id }))
}

/** Returns the fields that the path of a request gives, with values. */
export function filledAt(mount: Mount): { readonly [name: string]: Json } {
  const ids = Object.entries(idsFor(mount))
  return Object.fromEntries(ids.filter(([name]) => mount.old.owners.includes(name)))
}

/** A body of a request, or the item of a response, at some paths. */
export interface BodyPlace {
  readonly pair: ResourcePair
  readonly places: Places
  readonly body: 'create' | 'update' | 'item'
  readonly schemas: SchemaPair
}
