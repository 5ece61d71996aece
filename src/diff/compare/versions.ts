import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText, sortedTexts } from '../canonical.ts'
import type { Snapshot, SnapshotVersion } from '../snapshot.ts'
import { type Contracts, hasPassed } from './context.ts'
import { type FoundChange, found } from './found.ts'
import { compareEnds } from './lifecycle.ts'
import { requestOf } from './witness.ts'

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
      return [found('version-added', name, { to: stageOf(to), message: `${name} is new` })]
    if (to === undefined || (to.stage === 'retired' && from.stage !== 'retired'))
      return [endOf(name, { from, to, comparison })]
    const ends = { of: 'version', at: name, old: from.lifecycle, new: to.lifecycle } as const
    // A draft may say anything of its end.
    const isDraft = from.stage === 'draft'
    const told = isDraft ? [] : compareEnds(ends, comparison)
    return [
      ...stageChanges(name, { from, to, comparison }),
      ...(to.stage === 'retired' ? told.map(overdue) : told),
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
  if (because !== undefined) return found(rule, name, { ...facts, verdict: 'fine', because })
  const [path] = Object.keys(from.paths)
  const kind = path === undefined ? undefined : from.paths[path]?.operations[0]
  const mounted = { snapshot: comparison.old, version: name, path: path ?? '' }
  const witness = kind && requestOf(kind, mounted)
  return found(rule, name, { ...facts, witness })
}

function stageChanges(name: string, { from, to, comparison }: Step): readonly FoundChange[] {
  if (to === undefined) return []
  const facts = { from: from.stage, to: to.stage }
  if (from.stage === 'draft' && to.stage === 'draft') {
    const isSame = drawn(comparison.old, from) === drawn(comparison.new, to)
    const message = `the draft ${name} changed`
    return isSame ? [] : [found('draft-changed', name, { message })]
  }
  if (from.stage === to.stage) return []
  if (from.stage === 'draft')
    return [found('draft-released', name, { ...facts, message: `${name} is released` })]
  if (from.stage === 'retired')
    return [found('version-restored', name, { ...facts, message: `${name} works again` })]
  return [found('released-to-draft', name, { ...facts, message: `${name} is a draft now` })]
}

// All that a version shows, as text.
function drawn({ resources }: Snapshot, version: SnapshotVersion): string {
  const names = sortedTexts(Object.values(version.paths).map(({ resource }) => resource))
  const shown = names.map((name) => [name, resources[name] ?? null])
  const json: Json = JSON.parse(JSON.stringify([version, shown]))
  return canonicalText(json)
}
