import { isRecord } from '../../model/declared.ts'
import type { SchemaNode } from '../sets/document.ts'
import { noValue, setOf } from '../sets/value-set.ts'
import { asJson, type PairComparison, plainSet, reportChange } from './comparison.ts'
import type { FlatPlace, Walk } from './places.ts'

/** Names the changes of the members that an object does not declare. */
export function compareUndeclared(at: FlatPlace, comparison: PairComparison, walk: Walk): void {
  const [old, after] = [at.flat.old.node, at.flat.new.node].map(restIn)
  if (old === undefined && after === undefined) return
  if (isRecord(old) || isRecord(after)) {
    const steps = [...at.steps, { to: 'members' } as const]
    if (old !== false && after !== false)
      walk({ steps, old: old ?? {}, new: after ?? {} }, comparison)
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
  const found = comparison.find([plainSet(at.old, comparison.old), some])
  if (found.is !== 'value') return
  const answer = { answer: 'no', witness: found.value } as const
  const rule = 'unknown-fields-refused'
  reportChange(at, { ...change, rule, verdict: 'breaking', answer, kind: 'undeclared' }, comparison)
}
