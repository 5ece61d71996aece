import { isSame } from '../../convention/value.ts'
import { groupBy, sortedTexts } from '../../sets/canonical.ts'
import { type FoundChange, factChanges, makeChange } from '../change.ts'
import { parsePlace } from '../report/entries.ts'
import type { Snapshot } from '../snapshot.ts'
import {
  type CompareOptions,
  type Contracts,
  isKept,
  kindsOfBody,
  type Mount,
  type ResourcePair,
  resourceIn,
} from './context.ts'
import { compareFieldOptions } from './fields.ts'
import { compareFilters, compareRelatedFilters, compareRelatedOrders } from './filters.ts'
import { compareOptions } from './options.ts'
import { compareIds, compareLinks, compareReferences } from './references.ts'
import { compareBodies } from './schemas.ts'
import { compareService } from './service.ts'
import { compareStates } from './states.ts'
import { comparePaths, compareVersions, keptPaths, keptVersions } from './versions.ts'
import { compareViews } from './views.ts'

/** Compares two contracts: each difference has a row. */
export function compareSnapshots(
  old: Snapshot,
  after: Snapshot,
  options: CompareOptions,
): readonly FoundChange[] {
  const comparison: Contracts = { ...options, old, new: after }
  const versions = keptVersions(comparison)
  const changes = [
    ...compareService(comparison),
    ...compareVersions(comparison),
    ...versions.flatMap((version) => comparePaths(comparison, version)),
    ...versions.flatMap((version) =>
      keptPaths(comparison, version).flatMap((mount) => [
        ...compareRelatedFilters(mount, comparison),
        ...compareRelatedOrders(mount, comparison),
      ]),
    ),
    ...pairsOf(comparison, versions).flatMap(compareResources),
    ...compareViews(comparison),
    ...storedChanges(comparison),
  ]
  const [oldContract, newContract] = [old, after].map((side) => ({ ...side, accepted: [] }))
  if (changes.length > 0 || isSame(oldContract, newContract)) return changes
  return [makeChange('unseen-changed', 'contract', { message: 'no request shows the change' })]
}

function pairsOf(comparison: Contracts, versions: readonly string[]): readonly ResourcePair[] {
  const kept = versions.flatMap((version) => keptPaths(comparison, version))
  const keyOf = ({ old, new: after }: Mount) => JSON.stringify([old.resource, after.resource])
  return [...groupBy(kept, keyOf).values()].flatMap((mounts) => {
    const oldName = mounts[0]?.old.resource ?? ''
    const newName = mounts[0]?.new.resource ?? ''
    const old = resourceIn(comparison.old, oldName)
    const after = resourceIn(comparison.new, newName)
    if (old === undefined || after === undefined) return []
    return [{ comparison, oldName, newName, old, new: after, mounts }]
  })
}

function compareResources(pair: ResourcePair): readonly FoundChange[] {
  const { oldName: from, newName: to, mounts } = pair
  const at = mounts.map(({ version, path }) => `${version} ${path}`).join(', ')
  const message = `the resource is "${to}", it was "${from}"`
  const changes = [
    ...(from === to ? [] : [makeChange('resource-renamed', at, { from, to, message })]),
    ...compareIds(pair),
    ...compareFieldOptions(pair),
    ...compareFilters(pair),
    ...compareOptions(pair),
    ...compareReferences(pair),
    ...compareStates(pair),
    ...compareBodies(pair),
    ...compareLinks(pair),
  ]
  if (changes.length > 0) return changes.map((change) => withOperations(change, pair))
  if (isSame(pair.old, pair.new)) return []
  return [makeChange('unseen-changed', at, { message: 'no request shows the change' })]
}

function withOperations(change: FoundChange, { mounts }: ResourcePair): FoundChange {
  const { body } = parsePlace(change.at)
  if (body === undefined) return change
  const keptKinds = kindsOfBody[body].filter((kind) => mounts.some((mount) => isKept(mount, kind)))
  return { ...change, operations: keptKinds }
}

// The resources that no version shows.
function storedChanges({ old, new: after }: Contracts): readonly FoundChange[] {
  const mountedNames = new Set([...mountedIn(old), ...mountedIn(after)])
  const names = sortedTexts([...Object.keys(old.resources), ...Object.keys(after.resources)])
  return names.flatMap((name) => {
    if (mountedNames.has(name)) return []
    const [from, to] = [resourceIn(old, name), resourceIn(after, name)]
    const at = `resource ${name}`
    if (from && to) {
      const message = `"${name}" changed, which no version shows`
      return isSame(from, to) ? [] : [makeChange('unseen-changed', at, { message })]
    }
    return factChanges(at, [from && name, to && name], {
      set: ['stored-added', `"${name}" is stored`],
      dropped: ['stored-removed', `"${name}" is not stored`],
    })
  })
}

function mountedIn({ versions }: Snapshot): readonly string[] {
  return Object.values(versions).flatMap(({ paths }) =>
    Object.values(paths).map(({ resource }) => resource),
  )
}
