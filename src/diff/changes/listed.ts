import type { Json } from '../../contract/schema/schema.ts'
import type { Verdict } from '../change.ts'
import { accepts } from '../sets/accepts.ts'
import { hasValue } from '../sets/has-value.ts'
import type { PairComparison } from './comparison.ts'
import { type FacetRules, listedBy } from './facets.ts'
import type { FlatPlace, Pair } from './places.ts'
import { comparePart, reportChange } from './proof.ts'

type Listed = readonly unknown[]

/** Names each value that one side lists and the other does not. `null` has rules of its own. */
export function compareListed(at: FlatPlace, comparison: PairComparison): void {
  const { old, new: after } = at.flat
  const listed = { old: listedBy(old.node), new: listedBy(after.node) }
  if (listed.old === undefined && listed.new === undefined) return
  if (listed.old === undefined || listed.new === undefined) compareOpen(at, listed, comparison)
  else compareLists(at, { old: listed.old, new: listed.new }, comparison)
}

function compareLists(at: FlatPlace, listed: Pair<Listed>, comparison: PairComparison): void {
  const [left, right] = [withoutNull(listed.old), withoutNull(listed.new)]
  const removed = left.filter((value) => !hasValue(right, value))
  const added = right.filter((value) => !hasValue(left, value))
  const isConstant = left.length === 1 && right.length === 1 && removed.length === 1
  const { side } = comparison
  const broken: Verdict = 'breaking'
  if (isConstant) {
    const [witness] = side === 'request' ? removed : added
    const change = { rule: 'const-changed', verdict: broken, from: left[0], to: right[0] }
    reportValue(at, { ...change, witness }, comparison)
    return
  }
  for (const value of removed) {
    const verdict: Verdict = side === 'request' ? broken : 'fine'
    const change = { rule: 'enum-removed', verdict, from: value, to: null }
    reportValue(at, { ...change, witness: value }, comparison)
  }
  for (const value of added) {
    const verdict: Verdict = side === 'item' ? broken : 'fine'
    const change = { rule: 'enum-added', verdict, from: null, to: value }
    reportValue(at, { ...change, witness: value }, comparison)
  }
}

function withoutNull(values: Listed): Listed {
  return values.filter((value) => value !== null)
}

interface ListedValue {
  readonly rule: string
  readonly verdict: Verdict
  readonly from: unknown
  readonly to: unknown
  readonly witness: unknown
}

function reportValue(at: FlatPlace, value: ListedValue, comparison: PairComparison): void {
  const [left, right] =
    comparison.side === 'request' ? [at.whole.old, at.whole.new] : [at.whole.new, at.whole.old]
  const witness = value.witness as Json
  const isBroken = accepts(left, witness) !== false && accepts(right, witness) !== true
  const answer = isBroken ? ({ answer: 'no', witness } as const) : ({ answer: 'yes' } as const)
  const verdict = isBroken ? value.verdict : 'fine'
  const { rule, from, to } = value
  reportChange(at, { rule, verdict, answer, from: from as Json, to: to as Json }, comparison)
}

function compareOpen(
  at: FlatPlace,
  listed: Pair<Listed | undefined>,
  comparison: PairComparison,
): void {
  const values = listed.old ?? listed.new ?? []
  const isConstant = withoutNull(values).length === 1
  const [set, dropped] = isConstant
    ? ['const-set', 'const-dropped']
    : ['became-enum', 'enum-opened']
  const isRequest = comparison.side === 'request'
  const rules: FacetRules = {
    narrowed: [set, isRequest ? 'breaking' : 'fine'],
    widened: [dropped, isRequest ? 'fine' : 'breaking'],
    changed: [listed.old === undefined ? set : dropped, 'breaking'],
  }
  const facetPart = (one: Listed | undefined) => (one === undefined ? {} : { enum: [...one, null] })
  const part = {
    old: comparison.old.plainSet(facetPart(listed.old)),
    new: comparison.new.plainSet(facetPart(listed.new)),
  }
  const shown = (one: Listed | undefined) => (one ?? null) as Json
  const change = { rules, from: shown(listed.old), to: shown(listed.new) }
  comparePart(at, { whole: at.whole, part, ...change }, comparison)
}
