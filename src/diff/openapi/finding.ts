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

/** Makes a finding about one operation, or about one parameter. */
export type MakeFinding = (rule: string, parts: Facts) => FoundChange

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
