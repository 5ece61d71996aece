import type { Json } from '../../contract/schema/schema.ts'
import type { Verdict, Witness } from '../../schemas/change.ts'
import { groupBy } from '../../sets/canonical.ts'
import {
  type ContractChange,
  type Facts,
  type FoundChange,
  makeChange,
  type WitnessExchange,
} from '../change.ts'
import type { EndNotice } from './api-document.ts'
import { type PlacedChange, schemaMessage } from './pairs.ts'

const severity: readonly Verdict[] = ['fine', 'depends', 'breaking']

/** Returns the worst of some verdicts; `fine` for none. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  return severity.findLast((verdict) => verdicts.includes(verdict)) ?? 'fine'
}

const shownPlaces = 3

/**
 * Joins the findings of a shared part: one change with its places. Changes keep their order, the
 * worst first.
 */
export function joinFindings(findings: readonly FoundChange[]): readonly ContractChange[] {
  const groups = groupBy(findings, ({ rule, verdict, at, shared, from, to }) =>
    JSON.stringify([rule, verdict, shared ?? at, from, to] satisfies Json),
  )
  return [...groups.values()]
    .map(joined)
    .sort(
      (finding, nextFinding) =>
        severity.indexOf(nextFinding.verdict) - severity.indexOf(finding.verdict),
    )
}

function joined(group: readonly FoundChange[]): ContractChange {
  const [first] = group
  if (first === undefined) throw new RangeError('A group has a finding.')
  const { shared, ...change } = first
  const places = [...new Set(group.map(({ at }) => at))]
  const witness = group.find((finding) => finding.witness !== undefined)?.witness
  const withExample = witness === undefined ? change : { ...change, witness }
  if (shared === undefined || places.length === 1) return withExample
  const more = places.length > shownPlaces ? ', …' : ''
  const list = places.slice(0, shownPlaces).join('; ')
  return {
    ...withExample,
    at: shared,
    message: `${change.message} (${places.length} places: ${list}${more})`,
  }
}

/** Judges the end of a part on a day: `fine` after its sunset, with the reason. */
export function endOf(
  { isDeprecated, sunset }: EndNotice,
  on: string,
): Pick<Facts, 'because'> & { readonly verdict: Verdict } {
  if (!isDeprecated) return { verdict: 'breaking' }
  if (sunset === undefined)
    return { verdict: 'breaking', because: 'It is deprecated, but no `x-sunset` says until when.' }
  return Date.parse(sunset) <= Date.parse(on)
    ? { verdict: 'fine', because: `Its sunset was ${sunset}.` }
    : { verdict: 'breaking', because: `It stays until ${sunset}.` }
}

/** Makes a finding about one operation, or about one parameter. */
export type MakeFinding = (rule: string, parts: Facts) => FoundChange

/** Compares how long an operation or a parameter stays. */
export function lifetimeChanges(
  subject: 'operation' | 'parameter',
  [old, next]: readonly [EndNotice, EndNotice],
  find: MakeFinding,
): readonly FoundChange[] {
  const to = next.sunset ?? null
  if (!next.isDeprecated) {
    const message = `the ${subject} is no longer deprecated`
    return old.isDeprecated ? [find(`${subject}-undeprecated`, { message })] : []
  }
  if (!old.isDeprecated) {
    return [find(`${subject}-deprecated`, { to, message: `the ${subject} is deprecated` })]
  }
  if (old.sunset === next.sunset || old.sunset === undefined) return []
  const from = old.sunset
  if (next.sunset === undefined) {
    return [find('sunset-dropped', { from, message: `the ${subject} has no sunset any more` })]
  }
  // A text that is no date promises nothing.
  const isLater = !(Date.parse(next.sunset) < Date.parse(from))
  const message = `the sunset is ${next.sunset}, it was ${from}`
  return [find(isLater ? 'sunset-moved-later' : 'sunset-moved-earlier', { from, to, message })]
}

/** A place of schemas in both documents. */
export interface FindingPlace {
  readonly at: string
  readonly shared?: string | undefined
  /** Makes the exchange that shows a value. */
  readonly exchange?: (witness: Witness) => WitnessExchange | undefined
}

/** Makes the changes of the schemas at a place. */
export function schemaFindings(
  changes: readonly PlacedChange[],
  { at, shared, exchange }: FindingPlace,
): readonly FoundChange[] {
  return changes.map((change) => {
    const within = (place: string) => (change.at === '' ? place : `${place} ${change.at}`)
    return makeChange(change.rule, within(at), {
      ...change,
      message: schemaMessage(change),
      shared: change.shared ?? (shared && within(shared)),
      witness: change.witness && exchange?.(change.witness),
    })
  })
}
