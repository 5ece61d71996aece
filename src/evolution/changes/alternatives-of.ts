import { isRecord } from '../../model/declared.ts'
import { listOf } from '../../model/json-schema.ts'
import { isInside, type SubsetAnswer } from '../subset.ts'
import { asJson, type Comparison, knownSet, report, type SchemaSource } from './comparison.ts'
import { type FlatSchema, flatten, isAnnotation } from './flat.ts'
import type { FlatPlace, Walk } from './places.ts'

/** Tells whether a schema offers alternatives at its top. */
export function hasAlternatives({ node }: FlatSchema): boolean {
  return listOf(node.anyOf).length > 0 || listOf(node.oneOf).length > 0
}

/** Compares alternatives as sets, not by their order. */
export function compareAlternatives(at: FlatPlace, comparison: Comparison, walk: Walk): void {
  const old = alternativesIn(at.flat.old, comparison.old)
  const after = alternativesIn(at.flat.new, comparison.new)
  const oldAlone = old.filter(({ key }) => !after.some((other) => other.key === key))
  const newAlone = after.filter(({ key }) => !old.some((other) => other.key === key))
  const pairs = pairsOf(oldAlone, newAlone)
  for (const [one, other] of pairs)
    walk({ steps: at.steps, old: one.schema, new: other.schema }, comparison)
  const isPaired = (one: Alternative) => pairs.some((pair) => pair.includes(one))
  const { side, find } = comparison
  for (const one of oldAlone.filter((one) => !isPaired(one))) {
    const set = knownSet(one.schema, comparison.old, comparison)
    const answer = side === 'request' ? isInside(set, at.whole.new, find) : yes
    const change = { rule: 'alternative-removed', from: asJson(one.schema), to: null }
    report(
      at,
      { ...change, verdict: side === 'request' ? verdictOf(answer) : 'fine', answer },
      comparison,
    )
  }
  for (const one of newAlone.filter((one) => !isPaired(one))) {
    const set = knownSet(one.schema, comparison.new, comparison)
    const answer = side === 'item' ? isInside(set, at.whole.old, find) : yes
    const change = { rule: 'alternative-added', from: null, to: asJson(one.schema) }
    report(
      at,
      { ...change, verdict: side === 'item' ? verdictOf(answer) : 'fine', answer },
      comparison,
    )
  }
}

const yes: SubsetAnswer = { answer: 'yes' }

function verdictOf({ answer }: SubsetAnswer): 'breaking' | 'fine' {
  return answer === 'yes' ? 'fine' : 'breaking'
}

interface Alternative {
  readonly schema: object
  readonly key: string
  /** The constants that tell an alternative from the others: `kind=card`. */
  readonly marks: readonly string[]
}

// An alternative holds together with what stands beside all of them.
function alternativesIn(flat: FlatSchema, { document }: SchemaSource): readonly Alternative[] {
  const { anyOf, oneOf, ...beside } = flat.node
  const lists = [listOf(anyOf), listOf(oneOf)].filter(({ length }) => length > 0)
  const own = Object.keys(beside).some((keyword) => !isAnnotation(keyword)) ? [beside] : []
  const around = [...own, ...flat.more]
  const choices = lists.length === 0 ? [flat.node] : (lists[0] ?? [])
  // Two lists of alternatives: the second holds beside each of the first.
  const further = lists.slice(1).map((list) => ({ oneOf: list }))
  return choices.map((choice) => {
    const parts = lists.length === 0 ? flat.more : [...around, ...further]
    const whole = parts.length === 0 ? choice : { allOf: [choice, ...parts] }
    const schema = isRecord(whole) ? whole : whole === false ? { not: {} } : {}
    const { properties } = flatten(schema, document).node
    const marks = Object.entries(Object(properties)).flatMap(([name, property]) => {
      const node: object = isRecord(property) ? property : {}
      const values = Reflect.get(node, 'enum')
      const constant =
        Array.isArray(values) && values.length === 1 ? values[0] : Reflect.get(node, 'const')
      return constant === undefined ? [] : [`${name}=${JSON.stringify(constant)}`]
    })
    return { schema, key: document.keyOf(schema), marks }
  })
}

// Pairs alternatives with the same marks, and the last two.
function pairsOf(
  old: readonly Alternative[],
  after: readonly Alternative[],
): readonly (readonly [Alternative, Alternative])[] {
  const [one] = old
  const [other] = after
  if (one && other && old.length === 1 && after.length === 1) return [[one, other]]
  return old.flatMap((alternative) => {
    const { marks } = alternative
    const same = after.filter((candidate) => candidate.marks.some((mark) => marks.includes(mark)))
    const [only] = same
    return only !== undefined && same.length === 1 ? [[alternative, only] as const] : []
  })
}
