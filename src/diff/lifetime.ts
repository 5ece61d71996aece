import type { Verdict } from '../schemas/change.ts'
import {
  type Facts,
  type FoundChange,
  factChanges,
  makeChange,
  type RuledChange,
} from './change.ts'
import { type CompareOptions, hasPassed } from './compare/context.ts'
import type { EndNotice } from './openapi/api-document.ts'
import type { SnapshotLifecycle } from './snapshot.ts'

type Pair<Value> = readonly [old: Value, after: Value]

/** Compares what two contracts say of the end of a version, or of a path. */
export function compareEnds(
  subject: 'version' | 'path',
  at: string,
  ends: Pair<SnapshotLifecycle | null>,
  options: CompareOptions,
): readonly FoundChange[] {
  const [old, after] = [ends[0] ?? {}, ends[1] ?? {}]
  const [from, to] = [old.deprecated, after.deprecated]
  const sunsets = [old.sunset, after.sunset] as const
  return [
    ...factChanges(at, [from, to], {
      set: [`${subject}-deprecated`, `it is deprecated from ${to}`],
      dropped: [`${subject}-undeprecated`, 'it is no longer deprecated'],
      changed: ['deprecation-moved', `it is deprecated from ${to}, it was ${from}`],
    }),
    ...sunsetChanges(at, sunsets),
    ...graceChanges(at, sunsets, options),
    ...faultsOf(at, [old, after]),
    ...linkChanges(at, [old.successor, after.successor], ['successor', 'the successor']),
    ...linkChanges(at, [old.docs, after.docs], ['deprecation-link', 'the page about the end']),
  ]
}

function linkChanges(
  at: string,
  [from, to]: Pair<string | undefined>,
  [name, subject]: readonly [name: string, subject: string],
): readonly FoundChange[] {
  return factChanges(at, [from, to], {
    set: [`${name}-set`, `${subject} is ${to}`],
    dropped: [`${name}-removed`, `${subject} was ${from}`],
    changed: [`${name}-changed`, `${subject} is ${to}, it was ${from}`],
  })
}

// A text that is no date promises nothing.
function isEarlier([from, to]: Pair<string | undefined>): boolean {
  return from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from)
}

function sunsetChanges(
  at: string,
  [from, to]: Pair<string | undefined>,
  more: Partial<Facts> = {},
): readonly FoundChange[] {
  return factChanges(at, [from, to], {
    set: ['sunset-set', `it ends on ${to}`, more],
    dropped: ['sunset-dropped', 'the end has no date any more', more],
    changed: isEarlier([from, to])
      ? ['sunset-moved-earlier', `it ends on ${to}, earlier than on ${from}`, more]
      : ['sunset-moved-later', `it ends on ${to}, later than on ${from}`, more],
  })
}

const day = 86_400_000

function graceChanges(
  at: string,
  [from, to]: Pair<string | undefined>,
  { on, grace }: CompareOptions,
): readonly FoundChange[] {
  const isNearer = from === undefined || isEarlier([from, to])
  if (to === undefined || !isNearer || Date.parse(to) - Date.parse(on) >= grace * day) return []
  const message = `it ends on ${to}, less than ${grace} days after ${on}`
  return [makeChange('sunset-too-soon', at, { from, to, message })]
}

// A fault that both sides have is no change.
function faultsOf(
  at: string,
  [old, after]: readonly [SnapshotLifecycle, SnapshotLifecycle],
): readonly FoundChange[] {
  const { deprecated: from = null, sunset: to = null } = after
  if (isEndless(after) && !isEndless(old)) {
    const message = 'it is deprecated, and has no sunset'
    return [makeChange('sunset-missing', at, { to: from, message })]
  }
  if (!isBackward(after) || isBackward(old)) return []
  const message = `it ends on ${to}, before its deprecation on ${from}`
  return [makeChange('sunset-before-deprecation', at, { from, to, message })]
}

function isEndless({ deprecated, sunset }: SnapshotLifecycle): boolean {
  return deprecated !== undefined && sunset === undefined
}

function isBackward({ deprecated, sunset }: SnapshotLifecycle): boolean {
  if (deprecated === undefined || sunset === undefined) return false
  return Date.parse(sunset) < Date.parse(deprecated)
}

/** Compares how long an operation or a parameter of a document stays. */
export function compareNotices(
  subject: 'operation' | 'parameter',
  at: string,
  [old, after]: Pair<EndNotice>,
  more: Partial<Facts> = {},
): readonly FoundChange[] {
  if (old.isDeprecated && after.isDeprecated)
    return old.sunset === undefined ? [] : sunsetChanges(at, [old.sunset, after.sunset], more)
  if (old.isDeprecated === after.isDeprecated) return []
  const [rule, message]: RuledChange = after.isDeprecated
    ? [`${subject}-deprecated`, `the ${subject} is deprecated`]
    : [`${subject}-undeprecated`, `the ${subject} is no longer deprecated`]
  const to = after.isDeprecated ? after.sunset : undefined
  return [makeChange(rule, at, { ...more, to, message })]
}

/** Judges the end of a part of a document on a day: `fine` after its sunset, with the reason. */
export function judgeEnd(
  { isDeprecated, sunset }: EndNotice,
  options: Pick<CompareOptions, 'on'>,
): Pick<Facts, 'because'> & { readonly verdict: Verdict } {
  if (!isDeprecated) return { verdict: 'breaking' }
  if (sunset === undefined)
    return { verdict: 'breaking', because: 'It is deprecated, but no `x-sunset` says until when.' }
  return hasPassed(sunset, options)
    ? { verdict: 'fine', because: `Its sunset was ${sunset}.` }
    : { verdict: 'breaking', because: `It stays until ${sunset}.` }
}
