import { isRecord } from '../../convention/value.ts'
import type { SchemaChange } from '../change.ts'
import type { SchemaNode } from '../sets/document.ts'
import { noValue, setOf } from '../sets/value-set.ts'
import { answerOf, isInside } from '../subset.ts'
import { asJson, type PairComparison } from './comparison.ts'
import { type FlatPlace, placeBelow, type Walk } from './places.ts'
import { reportChange } from './proof.ts'
import { textOf } from './steps.ts'

/** Names the changes of the members that an object does not declare. */
export function compareUndeclared(at: FlatPlace, comparison: PairComparison, walk: Walk): void {
  comparePatterns(at, comparison)
  const [old, after] = [at.flat.old.node, at.flat.new.node].map(restIn)
  if (old === undefined && after === undefined) return
  if (isRecord(old) || isRecord(after)) {
    const pair = { step: { to: 'members' }, old: old ?? {}, new: after ?? {} } as const
    if (old !== false && after !== false) walk(placeBelow(at, pair, comparison), comparison)
  }
  const { side, add } = comparison
  const change = { from: asJson(old), to: asJson(after) }
  if (side === 'request' && after === false && old !== false) refuse(at, change, comparison)
  else if (side === 'request' && old === false && after !== false)
    reportChange(at, { ...change, ...taken }, comparison)
  else if (side === 'item' && after === true && old !== true)
    reportChange(at, { ...change, ...given }, comparison)
  else if (side === 'item' && old === true && after !== true)
    reportChange(at, { ...change, ...removed }, { ...comparison, add })
}

const yes = { answer: { answer: 'yes' } as const }
const taken = { rule: 'unknown-fields-taken', verdict: 'fine', ...yes } as const
const removed = { rule: 'unknown-fields-removed', verdict: 'fine', ...yes } as const
const given = {
  rule: 'unknown-fields-given',
  verdict: 'depends',
  answer: { answer: 'unknown', because: 'any other field may be in an answer' },
} as const

// Clients send and read the members whose names a pattern declares.
function comparePatterns(place: FlatPlace, comparison: PairComparison): void {
  const { steps, flat } = place
  const [old, after] = [flat.old.node, flat.new.node].map(({ patternProperties }) => {
    return new Map(Object.entries(Object(patternProperties)))
  })
  for (const pattern of new Set([...(old?.keys() ?? []), ...(after?.keys() ?? [])])) {
    const at = textOf([...steps, { to: 'member', name: pattern }])
    const named: PairComparison = {
      ...comparison,
      add: (change) => comparison.add({ ...change, at }),
    }
    const facts = { at, from: asJson(old?.get(pattern)), to: asJson(after?.get(pattern)) }
    if (!old?.has(pattern)) named.add({ ...facts, rule: 'field-added', verdict: 'fine' })
    else if (!after?.has(pattern) && !isCovered(old.get(pattern), place, comparison))
      lose(pattern, place, { facts, comparison: named })
  }
}

// Other members may be as those of the pattern were.
function isCovered(value: unknown, { flat }: FlatPlace, comparison: PairComparison): boolean {
  const rest = restIn(flat.new.node)
  if (comparison.side === 'item') return isRecord(rest)
  if (rest !== true && !isRecord(rest)) return false
  const sent = comparison.old.plainSet(value)
  const taken = comparison.new.plainSet(rest)
  return isInside(sent, taken, comparison.find).answer === 'yes'
}

interface Loss {
  readonly facts: Pick<SchemaChange, 'at' | 'from' | 'to'>
  readonly comparison: PairComparison
}

function lose(pattern: string, place: FlatPlace, { facts, comparison }: Loss): void {
  const { side, find, add } = comparison
  const change = { ...facts, rule: 'field-removed', verdict: 'breaking' } as const
  const name = find([comparison.old.plainSet({ type: 'string', pattern })])
  // No value shows to a client that a member may be missing.
  if (side === 'item') add(change)
  else if (name.is !== 'value') add({ ...change, verdict: 'depends' })
  else {
    const found = find([place.whole.old, setOf({ kind: 'required', name: String(name.value) })])
    reportChange(place, { ...change, answer: answerOf(found), kind: 'lost' }, comparison)
  }
}

function restIn({ additionalProperties, unevaluatedProperties }: SchemaNode): unknown {
  return additionalProperties ?? unevaluatedProperties
}

// A lax schema dropped other fields; a strict one refuses the body.
function refuse(
  at: FlatPlace,
  change: { readonly from: ReturnType<typeof asJson>; readonly to: ReturnType<typeof asJson> },
  comparison: PairComparison,
): void {
  const names = [at.flat.old.node, at.flat.new.node].flatMap(({ properties }) =>
    Object.keys(Object(properties)),
  )
  const known = new Map(names.map((name) => [name, noValue]))
  const some = setOf({
    kind: 'someMember',
    names: { properties: known, patterns: [], rest: noValue },
    set: setOf(),
  })
  const found = comparison.find([comparison.old.plainSet(at.old), some])
  if (found.is !== 'value') return
  const answer = { answer: 'no', witness: found.value } as const
  const rule = 'unknown-fields-refused'
  reportChange(at, { ...change, rule, verdict: 'breaking', answer, kind: 'undeclared' }, comparison)
}
