import type { Json } from '../../contract/schema/schema.ts'
import type { Verdict } from '../../schemas/change.ts'
import type { ContractChange } from '../change.ts'
import { ruleOf } from '../rules.ts'
import { type EndNotice, groupBy } from './api-document.ts'

/** A change at one place of a document. */
export interface DocumentFinding extends ContractChange {
  /** The part of the document that several places share: `components/parameters/Limit`. */
  readonly shared?: string | undefined
}

/** The parts of a finding that the rule does not give. */
export type DocumentFindingParts = Pick<DocumentFinding, 'message'> &
  Partial<Omit<DocumentFinding, 'rule' | 'at'>>

/** Makes a finding. Its verdict is the rule's unless the parts have another one. */
export function findingOf(rule: string, at: string, parts: DocumentFindingParts): DocumentFinding {
  const verdict = ruleOf(rule)?.verdict ?? 'depends'
  return { rule, at, from: null, to: null, verdict, ...parts }
}

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
export function joinFindings(findings: readonly DocumentFinding[]): readonly ContractChange[] {
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

function joined(group: readonly DocumentFinding[]): ContractChange {
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

/** Tells what the end of a deprecated part means on a day: `fine` after its sunset. */
export function verdictOfEnd({ isDeprecated, sunset }: EndNotice, on: string): Verdict {
  const isOver = isDeprecated && sunset !== undefined && Date.parse(sunset) <= Date.parse(on)
  return isOver ? 'fine' : 'breaking'
}

/** Says why an end is fine or not; `undefined` where nothing announces it. */
export function reasonOfEnd({ isDeprecated, sunset }: EndNotice, on: string): string | undefined {
  if (!isDeprecated) return undefined
  if (sunset === undefined) return 'It is deprecated, but no `x-sunset` says until when.'
  const verdict = verdictOfEnd({ isDeprecated, sunset }, on)
  return verdict === 'fine' ? `Its sunset was ${sunset}.` : `It stays until ${sunset}.`
}

/** Makes a finding about one operation, or about one parameter. */
export type MakeFinding = (rule: string, parts: DocumentFindingParts) => DocumentFinding

/** Compares how long an operation or a parameter stays. */
export function lifetimeChanges(
  subject: 'operation' | 'parameter',
  { old, new: next }: { readonly old: EndNotice; readonly new: EndNotice },
  find: MakeFinding,
): readonly DocumentFinding[] {
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
