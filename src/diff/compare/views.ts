import { sortedEntries } from '../canonical.ts'
import type { Snapshot, SnapshotPath } from '../snapshot.ts'
import { type Contracts, placeOf } from './context.ts'
import type { FoundChange } from './found.ts'
import { judgeView, type ShownView } from './view-judge.ts'

/**
 * Judges the views of the new contract by their source resources. A fault that the old contract has
 * too is no change.
 */
export function compareViews({ old, new: after }: Contracts): readonly FoundChange[] {
  const known = new Set(viewsIn(old).flatMap(judgeView).map(keyOf))
  return viewsIn(after)
    .flatMap(judgeView)
    .filter((change) => !known.has(keyOf(change)))
}

function keyOf({ rule, at }: FoundChange): string {
  return `${rule} ${at}`
}

// Each view once: at the first released path that shows it, or a view of it.
function viewsIn(snapshot: Snapshot): readonly ShownView[] {
  const views = new Map<string, ShownView>()
  for (const [version, { stage, paths }] of sortedEntries(snapshot.versions)) {
    if (stage !== 'released') continue
    for (const [path, mounted] of sortedEntries(paths))
      for (const view of chainAt(snapshot, { version, path }, mounted))
        if (!views.get(view.name)?.isMounted) views.set(view.name, view)
  }
  return [...views.values()]
}

function chainAt(
  snapshot: Snapshot,
  place: { readonly version: string; readonly path: string },
  { resource, operations }: SnapshotPath,
): readonly ShownView[] {
  const chain: ShownView[] = []
  let name = resource
  for (;;) {
    const view = Object.hasOwn(snapshot.resources, name) ? snapshot.resources[name] : undefined
    const source = view?.of === null ? undefined : snapshot.resources[view?.of ?? '']
    if (view === undefined || source === undefined) return chain
    const isMounted = name === resource
    const at = isMounted ? placeOf(place) : `resource ${name}`
    chain.push({ ...place, snapshot, name, view, source, at, operations, isMounted })
    name = view.of ?? ''
  }
}
