import type { SnapshotLifecycle } from '../snapshot.ts'
import type { CompareOptions } from './context.ts'
import { type FoundChange, found } from './found.ts'

/** The claims of two contracts about the end of a version, or of a path. */
export interface Ends {
  /** `version` or `path`: the beginning of two rules. */
  readonly of: 'version' | 'path'
  readonly at: string
  readonly old: SnapshotLifecycle | null
  readonly new: SnapshotLifecycle | null
}

/** Compares what two contracts say of the end of a version, or of a path. */
export function compareEnds(ends: Ends, options: CompareOptions): readonly FoundChange[] {
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
    return [found(`${of}-deprecated`, at, { to: to ?? null, message })]
  }
  if (to === undefined) {
    const message = 'it is no longer deprecated'
    return [found(`${of}-undeprecated`, at, { from, message })]
  }
  const message = `it is deprecated from ${to}, it was ${from}`
  return [found('deprecation-moved', at, { from, to, message })]
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
    return [found('sunset-dropped', at, { from: from ?? null, message })]
  }
  const facts = { from: from ?? null, to }
  if (from !== undefined && Date.parse(to) >= Date.parse(from)) {
    const message = `it ends on ${to}, later than on ${from}`
    return [found('sunset-moved-later', at, { ...facts, message })]
  }
  const isSoon = Date.parse(to) - Date.parse(on) < grace * day
  const soon = isSoon
    ? [
        found('sunset-too-soon', at, {
          ...facts,
          message: `it ends on ${to}, less than ${grace} days after ${on}`,
        }),
      ]
    : []
  const moved =
    from === undefined
      ? found('sunset-set', at, { ...facts, message: `it ends on ${to}` })
      : found('sunset-moved-earlier', at, {
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
    changes.push(found('sunset-missing', at, { to: deprecated, message }))
  }
  if (isBackward(after) && !isBackward(old)) {
    const message = `it ends on ${sunset}, before its deprecation on ${deprecated}`
    changes.push(found('sunset-before-deprecation', at, { from: deprecated, to: sunset, message }))
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
    return [found(`${name}-set`, at, { ...facts, message: `${says} is ${to}` })]
  if (to === undefined)
    return [found(`${name}-removed`, at, { ...facts, message: `${says} was ${from}` })]
  return [found(`${name}-changed`, at, { ...facts, message: `${says} is ${to}, it was ${from}` })]
}
