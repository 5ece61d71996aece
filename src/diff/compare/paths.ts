import { sortedEntries, sortedTexts } from '../canonical.ts'
import type { SnapshotPath } from '../snapshot.ts'
import { type Contracts, hasPassed, type Mount, placeOf } from './context.ts'
import { type FoundChange, found } from './found.ts'
import { compareEnds } from './lifecycle.ts'
import { type MountedPath, parameter, parametersIn, requestOf } from './witness.ts'

/** Returns the paths of a version that both contracts have, whatever their parameters are named. */
export function keptPaths(comparison: Contracts, version: string): readonly Mount[] {
  const after = new Map(pathsIn(comparison.new, version).map((one) => [nounsOf(one[0]), one[1]]))
  return pathsIn(comparison.old, version).flatMap(([path, old]) => {
    const kept = after.get(nounsOf(path))
    return kept === undefined ? [] : [{ version, path, old, new: kept }]
  })
}

/** Compares the paths of a version, and what each of them offers. */
export function comparePaths(comparison: Contracts, version: string): readonly FoundChange[] {
  const kept = new Set(keptPaths(comparison, version).map(({ path }) => nounsOf(path)))
  const removed = pathsIn(comparison.old, version)
    .filter(([path]) => !kept.has(nounsOf(path)))
    .map(([path, old]) => removedPath({ snapshot: comparison.old, version, path }, old, comparison))
  const added = pathsIn(comparison.new, version)
    .filter(([path]) => !kept.has(nounsOf(path)))
    .map(([path, { resource }]) =>
      found('path-added', placeOf({ version, path }), {
        to: resource,
        message: `the path ${path} is new`,
      }),
    )
  const changed = keptPaths(comparison, version).flatMap((mount) => [
    ...ownerChanges(comparison, mount),
    ...operationChanges(comparison, mount),
    ...includeChanges(comparison, mount),
    ...compareEnds(
      { of: 'path', at: placeOf(mount), old: mount.old.lifecycle, new: mount.new.lifecycle },
      comparison,
    ),
  ])
  return [...removed, ...added, ...changed]
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

function removedPath(
  mounted: MountedPath,
  { resource, operations, lifecycle }: SnapshotPath,
  comparison: Contracts,
): FoundChange {
  const [kind] = operations
  const facts = { from: resource, message: `the path ${mounted.path} is gone` }
  const at = placeOf(mounted)
  const sunset = lifecycle?.sunset
  if (hasPassed(sunset, comparison)) {
    const because = `its sunset was on ${sunset}`
    return found('path-removed', at, { ...facts, verdict: 'fine', because })
  }
  return found('path-removed', at, { ...facts, witness: kind && requestOf(kind, mounted) })
}

function ownerChanges(comparison: Contracts, mount: Mount): readonly FoundChange[] {
  const { version, path } = mount
  const newPath = pathsIn(comparison.new, version).find(
    ([one]) => nounsOf(one) === nounsOf(path),
  )?.[0]
  const from = parametersIn(path)
  const to = parametersIn(newPath ?? path)
  const renamed = from.flatMap((name, at) => {
    const after = to[at] ?? name
    return after === name ? [] : [{ name, after }]
  })
  const changes = renamed.map(({ name, after }) => {
    const facts = { from: name, to: after, message: `":${name}" of the path is ":${after}" now` }
    const isField = mount.old.owners.includes(name) || mount.new.owners.includes(after)
    if (isField) return found('owner-renamed', placeOf(mount), facts)
    const because = 'no item has the field: only documents name it'
    return found('owner-renamed', placeOf(mount), { ...facts, verdict: 'depends', because })
  })
  const names = new Map(renamed.map(({ name, after }) => [name, after]))
  const owners = mount.old.owners.map((name) => names.get(name) ?? name).join(', ')
  const now = mount.new.owners.join(', ')
  if (owners === now) return changes
  const message = `the path gives ${now || 'no field'}, it gave ${owners || 'no field'}`
  return [...changes, found('owners-changed', placeOf(mount), { from: owners, to: now, message })]
}

function operationChanges(comparison: Contracts, mount: Mount): readonly FoundChange[] {
  const at = placeOf(mount)
  const removed = mount.old.operations.filter((kind) => !mount.new.operations.includes(kind))
  const added = mount.new.operations.filter((kind) => !mount.old.operations.includes(kind))
  return [
    ...removed.map((kind) => {
      const witness = requestOf(kind, { ...mount, snapshot: comparison.old })
      const message = `the path no longer offers ${kind}`
      return found('operation-removed', at, { from: kind, message, witness })
    }),
    ...added.map((kind) =>
      found('operation-added', at, { to: kind, message: `the path offers ${kind}` }),
    ),
  ]
}

function includeChanges(comparison: Contracts, mount: Mount): readonly FoundChange[] {
  const at = placeOf(mount)
  const { old, new: after } = mount
  const kind = (['read', 'first', 'last', 'list'] as const).find((one) =>
    old.operations.includes(one),
  )
  return sortedTexts([...old.includes, ...after.includes]).flatMap((name) => {
    const isOld = old.includes.includes(name)
    if (isOld === after.includes.includes(name)) return []
    if (!isOld)
      return [found('include-added', at, { to: name, message: `clients can ask for "${name}"` })]
    const message = `clients can no longer ask for "${name}" by include`
    if (kind === undefined) {
      const because = 'no operation of the path takes include'
      return [found('include-removed', at, { from: name, message, verdict: 'fine', because })]
    }
    const limit = kind === 'list' ? '&limit=10' : ''
    const query = `${parameter('include', name)}${limit}`
    const witness = requestOf(kind, { ...mount, snapshot: comparison.old }, { query })
    return [found('include-removed', at, { from: name, message, witness })]
  })
}
