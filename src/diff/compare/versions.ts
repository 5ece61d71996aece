import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText, sortedTexts } from '../../sets/canonical.ts'
import { type FoundChange, makeChange } from '../change.ts'
import type { Snapshot, SnapshotLifecycle, SnapshotPath, SnapshotVersion } from '../snapshot.ts'
import {
  type CompareOptions,
  type Contracts,
  hasPassed,
  type Mount,
  nounsOf,
  pathsIn,
  placeOf,
} from './context.ts'
import { type MountedPath, parameter, parametersIn, requestOf } from './witness.ts'

/** Returns the names of the versions that both contracts have, and that are no drafts. */
export function keptVersions({ old, new: after }: Contracts): readonly string[] {
  return sortedTexts(Object.keys(old.versions)).filter(
    (version) => isReleased(old, version) && isReleased(after, version),
  )
}

function isReleased({ versions }: Snapshot, version: string): boolean {
  return versionIn(versions, version)?.stage === 'released'
}

function versionIn(versions: Snapshot['versions'], version: string): SnapshotVersion | undefined {
  return Object.hasOwn(versions, version) ? versions[version] : undefined
}

/** Compares the versions themselves: which there are, their stages and their ends. */
export function compareVersions(comparison: Contracts): readonly FoundChange[] {
  const { old, new: after } = comparison
  const names = sortedTexts([...Object.keys(old.versions), ...Object.keys(after.versions)])
  return names.flatMap((name) => {
    const from = versionIn(old.versions, name)
    const to = versionIn(after.versions, name)
    if (from === undefined)
      return [makeChange('version-added', name, { to: stageOf(to), message: `${name} is new` })]
    if (to === undefined || (to.stage === 'retired' && from.stage !== 'retired'))
      return [endOf(name, { from, to, comparison })]
    const ends = { of: 'version', at: name, old: from.lifecycle, new: to.lifecycle } as const
    // A draft may say anything of its end.
    const isDraft = from.stage === 'draft'
    const endChanges = isDraft ? [] : compareEnds(ends, comparison)
    return [
      ...stageChanges(name, { from, to, comparison }),
      ...(to.stage === 'retired' ? endChanges.map(overdue) : endChanges),
    ]
  })
}

function overdue(change: FoundChange): FoundChange {
  return { ...change, verdict: 'fine', because: 'the version is retired already' }
}

function stageOf(version: SnapshotVersion | undefined): Json {
  return version?.stage ?? null
}

interface Step {
  readonly from: SnapshotVersion
  readonly to: SnapshotVersion | undefined
  readonly comparison: Contracts
}

function endOf(name: string, { from, to, comparison }: Step): FoundChange {
  const rule = to === undefined ? 'version-removed' : 'version-retired'
  const verb = to === undefined ? 'gone' : 'retired'
  const facts = { from: from.stage, to: stageOf(to), message: `${name} is ${verb}` }
  const sunset = from.lifecycle?.sunset
  const because =
    from.stage === 'draft'
      ? 'it was a draft'
      : from.stage === 'retired'
        ? 'it was retired already'
        : hasPassed(sunset, comparison)
          ? `its sunset was on ${sunset}`
          : undefined
  if (because !== undefined) return makeChange(rule, name, { ...facts, verdict: 'fine', because })
  const [path] = Object.keys(from.paths)
  const kind = path === undefined ? undefined : from.paths[path]?.operations[0]
  const mounted = { snapshot: comparison.old, version: name, path: path ?? '' }
  const witness = kind && requestOf(kind, mounted)
  return makeChange(rule, name, { ...facts, witness })
}

function stageChanges(name: string, { from, to, comparison }: Step): readonly FoundChange[] {
  if (to === undefined) return []
  const facts = { from: from.stage, to: to.stage }
  if (from.stage === 'draft' && to.stage === 'draft') {
    const isSame = drawn(comparison.old, from) === drawn(comparison.new, to)
    const message = `the draft ${name} changed`
    return isSame ? [] : [makeChange('draft-changed', name, { message })]
  }
  if (from.stage === to.stage) return []
  if (from.stage === 'draft')
    return [makeChange('draft-released', name, { ...facts, message: `${name} is released` })]
  if (from.stage === 'retired')
    return [makeChange('version-restored', name, { ...facts, message: `${name} works again` })]
  return [makeChange('released-to-draft', name, { ...facts, message: `${name} is a draft now` })]
}

// All that a version shows, as text.
function drawn({ resources }: Snapshot, version: SnapshotVersion): string {
  const names = sortedTexts(Object.values(version.paths).map(({ resource }) => resource))
  const draft = names.map((name) => [name, resources[name] ?? null])
  const json: Json = JSON.parse(JSON.stringify([version, draft]))
  return canonicalText(json)
}

/** The claims of two contracts about the end of a version, or of a path. */
interface Ends {
  /** `version` or `path`: the beginning of two rules. */
  readonly of: 'version' | 'path'
  readonly at: string
  readonly old: SnapshotLifecycle | null
  readonly new: SnapshotLifecycle | null
}

/** Compares what two contracts say of the end of a version, or of a path. */
function compareEnds(ends: Ends, options: CompareOptions): readonly FoundChange[] {
  const { at } = ends
  const old = ends.old ?? {}
  const after = ends.new ?? {}
  return [
    ...deprecationChanges(ends, old, after),
    ...sunsetChanges(at, [old.sunset, after.sunset], options),
    ...faultsOf(at, [old, after]),
    ...linkChanges(at, [old.successor, after.successor], {
      name: 'successor',
      says: 'the successor',
    }),
    ...linkChanges(at, [old.docs, after.docs], {
      name: 'deprecation-link',
      says: 'the page about the end',
    }),
  ]
}

type Pair = readonly [from: string | undefined, to: string | undefined]

function deprecationChanges(
  { of, at }: Ends,
  { deprecated: from }: SnapshotLifecycle,
  { deprecated: to }: SnapshotLifecycle,
): readonly FoundChange[] {
  if (from === to) return []
  if (from === undefined) {
    const message = `it is deprecated from ${to}`
    return [makeChange(`${of}-deprecated`, at, { to: to ?? null, message })]
  }
  if (to === undefined) {
    const message = 'it is no longer deprecated'
    return [makeChange(`${of}-undeprecated`, at, { from, message })]
  }
  const message = `it is deprecated from ${to}, it was ${from}`
  return [makeChange('deprecation-moved', at, { from, to, message })]
}

const day = 86_400_000

function sunsetChanges(
  at: string,
  [from, to]: Pair,
  { on, grace }: CompareOptions,
): readonly FoundChange[] {
  if (from === to) return []
  if (to === undefined) {
    const message = 'the end has no date any more'
    return [makeChange('sunset-dropped', at, { from: from ?? null, message })]
  }
  const facts = { from: from ?? null, to }
  if (from !== undefined && Date.parse(to) >= Date.parse(from)) {
    const message = `it ends on ${to}, later than on ${from}`
    return [makeChange('sunset-moved-later', at, { ...facts, message })]
  }
  const isSoon = Date.parse(to) - Date.parse(on) < grace * day
  const soon = isSoon
    ? [
        makeChange('sunset-too-soon', at, {
          ...facts,
          message: `it ends on ${to}, less than ${grace} days after ${on}`,
        }),
      ]
    : []
  const moved =
    from === undefined
      ? makeChange('sunset-set', at, { ...facts, message: `it ends on ${to}` })
      : makeChange('sunset-moved-earlier', at, {
          ...facts,
          message: `it ends on ${to}, earlier than on ${from}`,
        })
  return [moved, ...soon]
}

// A fault that both sides have is no change.
function faultsOf(
  at: string,
  [old, after]: readonly [SnapshotLifecycle, SnapshotLifecycle],
): readonly FoundChange[] {
  const changes: FoundChange[] = []
  const { deprecated = null, sunset = null } = after
  if (isEndless(after) && !isEndless(old)) {
    const message = 'it is deprecated, and has no sunset'
    changes.push(makeChange('sunset-missing', at, { to: deprecated, message }))
  }
  if (isBackward(after) && !isBackward(old)) {
    const message = `it ends on ${sunset}, before its deprecation on ${deprecated}`
    changes.push(
      makeChange('sunset-before-deprecation', at, { from: deprecated, to: sunset, message }),
    )
  }
  return changes
}

function isEndless({ deprecated, sunset }: SnapshotLifecycle): boolean {
  return deprecated !== undefined && sunset === undefined
}

function isBackward({ deprecated, sunset }: SnapshotLifecycle): boolean {
  if (deprecated === undefined || sunset === undefined) return false
  return Date.parse(sunset) < Date.parse(deprecated)
}

function linkChanges(
  at: string,
  [from, to]: Pair,
  { name, says }: { readonly name: string; readonly says: string },
): readonly FoundChange[] {
  if (from === to) return []
  const facts = { from: from ?? null, to: to ?? null }
  if (from === undefined)
    return [makeChange(`${name}-set`, at, { ...facts, message: `${says} is ${to}` })]
  if (to === undefined)
    return [makeChange(`${name}-removed`, at, { ...facts, message: `${says} was ${from}` })]
  return [
    makeChange(`${name}-changed`, at, { ...facts, message: `${says} is ${to}, it was ${from}` }),
  ]
}

/** Returns the paths of a version that both contracts have, whatever their parameters are named. */
export function keptPaths(comparison: Contracts, version: string): readonly Mount[] {
  const after = new Map(
    pathsIn(comparison.new, version).map((entry) => [nounsOf(entry[0]), entry[1]]),
  )
  return pathsIn(comparison.old, version).flatMap(([path, old]) => {
    const newPath = after.get(nounsOf(path))
    return newPath === undefined ? [] : [{ version, path, old, new: newPath }]
  })
}

/** Compares the paths of a version, and what each of them offers. */
export function comparePaths(comparison: Contracts, version: string): readonly FoundChange[] {
  const keptNouns = new Set(keptPaths(comparison, version).map(({ path }) => nounsOf(path)))
  const removed = pathsIn(comparison.old, version)
    .filter(([path]) => !keptNouns.has(nounsOf(path)))
    .map(([path, old]) => removedPath({ snapshot: comparison.old, version, path }, old, comparison))
  const added = pathsIn(comparison.new, version)
    .filter(([path]) => !keptNouns.has(nounsOf(path)))
    .map(([path, { resource }]) =>
      makeChange('path-added', placeOf({ version, path }), {
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
    return makeChange('path-removed', at, { ...facts, verdict: 'fine', because })
  }
  return makeChange('path-removed', at, { ...facts, witness: kind && requestOf(kind, mounted) })
}

function ownerChanges(comparison: Contracts, mount: Mount): readonly FoundChange[] {
  const { version, path } = mount
  const newPath = pathsIn(comparison.new, version).find(
    ([candidate]) => nounsOf(candidate) === nounsOf(path),
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
    if (isField) return makeChange('owner-renamed', placeOf(mount), facts)
    const because = 'no item has the field: only documents name it'
    return makeChange('owner-renamed', placeOf(mount), { ...facts, verdict: 'depends', because })
  })
  const names = new Map(renamed.map(({ name, after }) => [name, after]))
  const owners = mount.old.owners.map((name) => names.get(name) ?? name).join(', ')
  const now = mount.new.owners.join(', ')
  if (owners === now) return changes
  const message = `the path gives ${now || 'no field'}, it gave ${owners || 'no field'}`
  return [
    ...changes,
    makeChange('owners-changed', placeOf(mount), { from: owners, to: now, message }),
  ]
}

function operationChanges(comparison: Contracts, mount: Mount): readonly FoundChange[] {
  const at = placeOf(mount)
  const removed = mount.old.operations.filter((kind) => !mount.new.operations.includes(kind))
  const added = mount.new.operations.filter((kind) => !mount.old.operations.includes(kind))
  return [
    ...removed.map((kind) => {
      const witness = requestOf(kind, { ...mount, snapshot: comparison.old })
      const message = `the path no longer offers ${kind}`
      return makeChange('operation-removed', at, { from: kind, message, witness })
    }),
    ...added.map((kind) =>
      makeChange('operation-added', at, { to: kind, message: `the path offers ${kind}` }),
    ),
  ]
}

function includeChanges(comparison: Contracts, mount: Mount): readonly FoundChange[] {
  const at = placeOf(mount)
  const { old, new: after } = mount
  const kind = (['read', 'first', 'last', 'list'] as const).find((candidate) =>
    old.operations.includes(candidate),
  )
  return sortedTexts([...old.includes, ...after.includes]).flatMap((name) => {
    const isOld = old.includes.includes(name)
    if (isOld === after.includes.includes(name)) return []
    if (!isOld)
      return [
        makeChange('include-added', at, { to: name, message: `clients can ask for "${name}"` }),
      ]
    const message = `clients can no longer ask for "${name}" by include`
    if (kind === undefined) {
      const because = 'no operation of the path takes include'
      return [makeChange('include-removed', at, { from: name, message, verdict: 'fine', because })]
    }
    const limit = kind === 'list' ? '&limit=10' : ''
    const query = `${parameter('include', name)}${limit}`
    const witness = requestOf(kind, { ...mount, snapshot: comparison.old }, { query })
    return [makeChange('include-removed', at, { from: name, message, witness })]
  })
}
