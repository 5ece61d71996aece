import type { Json } from '../../contract/schema/schema.ts'
import { ruleNameOf } from '../../convention/kinds.ts'
import { type OperationKind, operationKinds } from '../../convention/operations.ts'
import { isSame } from '../../convention/value.ts'
import { type Pairing, pairBy, sortedTexts } from '../../sets/canonical.ts'
import { type Facts, type FoundChange, factChanges, listChanges, makeChange } from '../change.ts'
import { compareEnds } from '../lifetime.ts'
import type { Snapshot, SnapshotLifecycle, SnapshotPath, SnapshotVersion } from '../snapshot.ts'
import {
  type Contracts,
  hasPassed,
  type Mount,
  type MountedPath,
  nounsOf,
  type PathEntry,
  pathsIn,
  placeOf,
} from './context.ts'
import { parameter, parametersIn, requestBy, requestOf } from './witness.ts'

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
    // A draft may say anything of its end.
    const isDraft = from.stage === 'draft'
    const endChanges = isDraft
      ? []
      : compareEnds('version', name, [from.lifecycle, to.lifecycle], comparison)
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

const wasUnreleased = { draft: 'it was a draft', retired: 'it was retired already' } as const

function endOf(name: string, { from, to, comparison }: Step): FoundChange {
  const { stage, paths, lifecycle } = from
  const [rule, verb] = to ? ['version-retired', 'retired'] : ['version-removed', 'gone']
  const facts = { from: stage, to: stageOf(to), message: `${name} is ${verb}` }
  if (stage !== 'released') {
    const because = wasUnreleased[stage]
    return makeChange(rule, name, { ...facts, verdict: 'fine', because })
  }
  const [path = ''] = Object.keys(paths)
  const kinds = paths[path]?.operations ?? []
  const mounted = { snapshot: comparison.old, version: name, path }
  return makeChange(rule, name, { ...facts, ...endedBy(lifecycle, comparison, mounted, kinds) })
}

// A request that fails from now on, unless the announced end has come.
function endedBy(
  lifecycle: SnapshotLifecycle | null,
  comparison: Contracts,
  mounted: MountedPath,
  kinds: readonly OperationKind[],
): Partial<Facts> {
  const sunset = lifecycle?.sunset
  return hasPassed(sunset, comparison)
    ? { verdict: 'fine', because: `its sunset was on ${sunset}` }
    : { witness: requestBy(kinds, mounted) }
}

const stageRules = {
  draft: ['draft-released', 'is released'],
  retired: ['version-restored', 'works again'],
  released: ['released-to-draft', 'is a draft now'],
} as const

function stageChanges(name: string, { from, to, comparison }: Step): readonly FoundChange[] {
  if (to === undefined) return []
  if (from.stage === 'draft' && to.stage === 'draft') {
    const message = `the draft ${name} changed`
    const isUnchanged = isSame(allOf(comparison.old, from), allOf(comparison.new, to))
    return isUnchanged ? [] : [makeChange('draft-changed', name, { message })]
  }
  const [rule, words] = stageRules[from.stage]
  return factChanges(name, [from.stage, to.stage], { set: [rule, `${name} ${words}`] })
}

// All that a version shows.
function allOf({ resources }: Snapshot, version: SnapshotVersion): readonly unknown[] {
  const names = sortedTexts(Object.values(version.paths).map(({ resource }) => resource))
  return [version, ...names.map((name) => [name, resources[name]])]
}

/** Returns the paths of a version that both contracts have, whatever their parameters are named. */
export function keptPaths(comparison: Contracts, version: string): readonly Mount[] {
  const { old: snapshot } = comparison
  return pairsOf(comparison, version).pairs.map(([[path, old], [newPath, after]]) => {
    return { snapshot, version, path, newPath, old, new: after }
  })
}

function pairsOf({ old, new: after }: Contracts, version: string): Pairing<PathEntry> {
  return pairBy(pathsIn(old, version), pathsIn(after, version), ([path]) => nounsOf(path))
}

/** Compares the paths of a version, and what each of them offers. */
export function comparePaths(comparison: Contracts, version: string): readonly FoundChange[] {
  const { removed, added } = pairsOf(comparison, version)
  const { old: snapshot } = comparison
  return [
    ...removed.map(([path, old]) => removedPath({ snapshot, version, path }, old, comparison)),
    ...added.map(([path, { resource: to }]) => {
      const message = `the path ${path} is new`
      return makeChange('path-added', placeOf({ version, path }), { to, message })
    }),
    ...keptPaths(comparison, version).flatMap((mount) => {
      const ends = [mount.old.lifecycle, mount.new.lifecycle] as const
      return [
        ...ownerChanges(mount),
        ...operationChanges(mount),
        ...includeChanges(mount),
        ...ruleChanges(mount),
        ...compareEnds('path', placeOf(mount), ends, comparison),
      ]
    }),
  ]
}

function removedPath(
  mounted: MountedPath,
  { resource, operations, lifecycle }: SnapshotPath,
  comparison: Contracts,
): FoundChange {
  return makeChange('path-removed', placeOf(mounted), {
    ...{ from: resource, message: `the path ${mounted.path} is gone` },
    ...endedBy(lifecycle, comparison, mounted, operations),
  })
}

function ownerChanges(mount: Mount): readonly FoundChange[] {
  const to = parametersIn(mount.newPath)
  const renamed = parametersIn(mount.path).flatMap((name, at) => {
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

function operationChanges(mount: Mount): readonly FoundChange[] {
  return listChanges(placeOf(mount), [mount.old.operations, mount.new.operations], {
    removed: (kind) => {
      const witness = requestOf(kind, mount)
      return ['operation-removed', `the path no longer offers ${kind}`, { witness }]
    },
    added: (kind) => ['operation-added', `the path offers ${kind}`],
  })
}

function ruleChanges(mount: Mount): readonly FoundChange[] {
  const { old, new: after } = mount
  return listChanges(placeOf(mount), [old.rules ?? [], after.rules ?? []], {
    removed: (name) => ['item-rule-removed', `no rule "${name}" judges the items`],
    added: (name) => {
      const note = 'the rule refuses the item'
      const witness = requestBy(kindsJudgedBy(name), mount, { note })
      return ['item-rule-added', `a rule "${name}" judges the items`, { witness }]
    },
  })
}

function kindsJudgedBy(rule: string): readonly OperationKind[] {
  return operationKinds.filter((kind) => ruleNameOf(kind) === rule)
}

const including = ['read', 'first', 'last', 'list'] as const

function includeChanges(mount: Mount): readonly FoundChange[] {
  const kind = including.find((candidate) => mount.old.operations.includes(candidate))
  const limit = kind === 'list' ? '&limit=10' : ''
  return listChanges(placeOf(mount), [mount.old.includes, mount.new.includes], {
    removed: (name) => {
      const query = `${parameter('include', name)}${limit}`
      const effect: Partial<Facts> = kind
        ? { witness: requestOf(kind, mount, { query }) }
        : { verdict: 'fine', because: 'no operation of the path takes include' }
      return ['include-removed', `clients can no longer ask for "${name}" by include`, effect]
    },
    added: (name) => ['include-added', `clients can ask for "${name}"`],
  })
}
