import type { Json } from '../../contract/schema/schema.ts'
import { bodyOf, bodySchemaOf } from '../../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../../convention/operations.ts'
import { isSame } from '../../convention/value.ts'
import { sortedEntries, sortedTexts } from '../../sets/canonical.ts'
import type { Snapshot, SnapshotPath, SnapshotResource } from '../snapshot.ts'

/** The options of a comparison. */
export interface CompareOptions {
  /** Today, as a date or a moment: `2026-11-01`. It decides whether a sunset has passed. */
  readonly on: string
  /** The days that clients get between the announcement of a sunset and the sunset. */
  readonly grace: number
}

/** Tells whether a moment has passed. */
export function hasPassed(date: string | undefined, { on }: Pick<CompareOptions, 'on'>): boolean {
  return date !== undefined && Date.parse(date) <= Date.parse(on)
}

/** Two contracts under comparison. */
export interface Contracts extends CompareOptions {
  readonly old: Snapshot
  readonly new: Snapshot
}

/** A path of a contract. */
export interface MountedPath {
  readonly snapshot: Snapshot
  readonly version: string
  /** Its template. */
  readonly path: string
}

/** A path of the old contract that the new one has too. */
export interface Mount extends MountedPath {
  /** The template of the new contract. */
  readonly newPath: string
  readonly old: SnapshotPath
  readonly new: SnapshotPath
}

/** A resource of the old contract, and what stands in its place in the new one. */
export interface ResourcePair {
  readonly comparison: Contracts
  readonly oldName: string
  readonly newName: string
  readonly old: SnapshotResource
  readonly new: SnapshotResource
  readonly mounts: readonly Mount[]
}

/** Writes the place of a path: `v1 /employees`. */
export function placeOf({ version, path }: Pick<Mount, 'version' | 'path'>): string {
  return `${version} ${path}`
}

/** Paths that a change concerns. */
export interface Places {
  /** `v1 /companies/:company_id/employees, v1 /employees`. */
  readonly at: string
  readonly mounts: readonly Mount[]
  readonly first: Mount
}

/** Returns the paths where both contracts offer some operations; `undefined` for none. */
export function placesOffering(
  { mounts }: Pick<ResourcePair, 'mounts'>,
  kinds: readonly OperationKind[],
): Places | undefined {
  const offering = mounts.filter((mount) => kinds.some((kind) => isKept(mount, kind)))
  const [first] = offering
  return first && { at: offering.map(placeOf).join(', '), mounts: offering, first }
}

/** Tells whether both contracts offer an operation at a path. */
export function isKept({ old, new: after }: Mount, kind: OperationKind): boolean {
  return old.operations.includes(kind) && after.operations.includes(kind)
}

/** A path of a version with its template. */
export type PathEntry = readonly [path: string, SnapshotPath]

/** Returns the paths of a version, in order. */
export function pathsIn({ versions }: Contracts['old'], version: string): readonly PathEntry[] {
  return sortedEntries(versions[version]?.paths ?? {})
}

/** Returns a resource of a contract; `undefined` for an unknown name. */
export function resourceIn({ resources }: Snapshot, name: string): SnapshotResource | undefined {
  return Object.hasOwn(resources, name) ? resources[name] : undefined
}

/** Returns a path without the names of its parameters: servers tell paths apart by nouns. */
export function nounsOf(path: string): string {
  return path.replace(/:[^/]+/g, ':')
}

/** Returns the members of two objects that differ, in the order of their names. */
export function differences<Value extends Json>(
  old: { readonly [name: string]: Value },
  after: { readonly [name: string]: Value },
): readonly { readonly name: string; readonly from?: Value; readonly to?: Value }[] {
  return sortedTexts([...Object.keys(old), ...Object.keys(after)]).flatMap((name) => {
    const from = Object.hasOwn(old, name) ? old[name] : undefined
    const to = Object.hasOwn(after, name) ? after[name] : undefined
    if (isSame(from, to)) return []
    return [{ name, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }]
  })
}

/** The operations with each body, and those that respond with items. */
export const kindsOfBody: Readonly<Record<'create' | 'update' | 'item', readonly OperationKind[]>> =
  {
    create: operationKinds.filter((kind) => bodySchemaOf(kind) === 'create'),
    update: operationKinds.filter((kind) => bodySchemaOf(kind) === 'update'),
    item: operationKinds.filter((kind) => ['item', 'items'].includes(operations[kind].gives)),
  }

/** The operations whose body replaces an item, so that a missing field is erased. */
export const replacingKinds: readonly OperationKind[] = kindsOfBody.update.filter(
  (kind) => !bodyOf(kind)?.isPatch,
)

/** The operations that take an order. */
export const orderedKinds = ['list', 'first', 'last'] as const

/** The operations that take filters and searches. */
export const searchedKinds = ['list', 'first', 'last', 'count', 'deleteMany'] as const
