import { bodyOf, bodySchemaOf } from '../../convention/kinds.ts'
import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { sortedEntries } from '../../sets/canonical.ts'
import type { Snapshot, SnapshotPath, SnapshotResource } from '../snapshot.ts'

/** The options of a comparison. */
export interface CompareOptions {
  /** Today, as a date or a moment: `2026-11-01`. It decides whether a sunset has passed. */
  readonly on: string
  /** The days that clients get between the announcement of a sunset and the sunset. */
  readonly grace: number
}

/** Two contracts under comparison. */
export interface Contracts extends CompareOptions {
  readonly old: Snapshot
  readonly new: Snapshot
}

/** A path of a version that both contracts have. */
export interface Mount {
  readonly version: string
  /** The template of the old contract. */
  readonly path: string
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

/** Tells whether a moment has passed. */
export function hasPassed(date: string | undefined, { on }: Pick<CompareOptions, 'on'>): boolean {
  return date !== undefined && Date.parse(date) <= Date.parse(on)
}

type PathEntry = readonly [path: string, SnapshotPath]

/** Returns the paths of a version, in order. */
export function pathsIn({ versions }: Contracts['old'], version: string): readonly PathEntry[] {
  return sortedEntries(versions[version]?.paths ?? {})
}

/** Returns a path without the names of its parameters: servers tell paths apart by nouns. */
export function nounsOf(path: string): string {
  return path.replace(/:[^/]+/g, ':')
}

/** The operations whose body changes an item. */
export const changing: readonly OperationKind[] = operationKinds.filter(
  (kind) => bodySchemaOf(kind) === 'update',
)

/** The operations whose body replaces an item, so that a missing field is erased. */
export const replacingKinds: readonly OperationKind[] = changing.filter(
  (kind) => !bodyOf(kind)?.isPatch,
)
