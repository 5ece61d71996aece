import { listOf, typesOf } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { isRecord } from '../../convention/value.ts'
import type { Verdict } from '../change.ts'
import { accepts, hasValue } from '../sets/accepts.ts'
import type { SchemaNode } from '../sets/document.ts'
import { setOf, type ValueSet } from '../sets/value-set.ts'
import { isInside, type SubsetAnswer } from '../subset.ts'
import {
  asJson,
  type FlatPlace,
  type Pair,
  type PairComparison,
  type SchemaSource,
  type Walk,
} from './comparison.ts'
import { type FacetRules, listedBy } from './facets.ts'
import { type FlatSchema, flatten, isAnnotation } from './flat.ts'
import { comparePart, reportChange } from './proof.ts'

/** Tells whether a schema offers alternatives at its top. */
export function hasAlternatives({ node }: FlatSchema): boolean {
  return listOf(node.anyOf).length > 0 || listOf(node.oneOf).length > 0
}

/** Compares alternatives as sets, not by their order. */
export function compareAlternatives(at: FlatPlace, comparison: PairComparison, walk: Walk): void {
  const old = alternativesIn(at.flat.old, comparison.old)
  const after = alternativesIn(at.flat.new, comparison.new)
  const oldAlone = old.filter(({ key }) => !after.some((other) => other.key === key))
  const newAlone = after.filter(({ key }) => !old.some((other) => other.key === key))
  const pairs = pairsOf(oldAlone, newAlone)
  // Another alternative may take a value, or forbid it.
  const around = at.around && { ...at.around, isFree: false }
  for (const [one, other] of pairs)
    walk({ steps: at.steps, around, old: one.schema, new: other.schema }, comparison)
  const isPaired = (one: Alternative) => pairs.some((pair) => pair.includes(one))
  const { side, find } = comparison
  for (const one of oldAlone.filter((one) => !isPaired(one))) {
    const own = comparison.old.knownSet(one.schema)
    // A value of two alternatives may be none of the whole.
    const set = setOf({ kind: 'all', sets: [own, at.whole.old] })
    const taken = side === 'request' ? isInside(set, at.whole.new, find) : yes
    // The other alternatives may take the value, and drop its fields.
    const isSent = side === 'request' && taken.answer === 'yes'
    const answer = isSent ? isInside(set, declaredIn(after, comparison), find) : taken
    const change = { rule: 'alternative-removed', from: asJson(one.schema), to: null }
    const kind = isSent ? 'lost' : undefined
    reportChange(at, { ...change, verdict: verdictOf(answer), answer, kind }, comparison)
  }
  for (const one of newAlone.filter((one) => !isPaired(one))) {
    const set = comparison.new.knownSet(one.schema)
    const answer = side === 'item' ? isInside(set, at.whole.old, find) : yes
    const change = { rule: 'alternative-added', from: null, to: asJson(one.schema) }
    reportChange(
      at,
      { ...change, verdict: side === 'item' ? verdictOf(answer) : 'fine', answer },
      comparison,
    )
  }
}

// A value of one alternative, also of several, without fields that it does not declare.
function declaredIn(all: readonly Alternative[], comparison: PairComparison): ValueSet {
  return setOf({ kind: 'any', sets: all.map(({ schema }) => comparison.new.declaredSet(schema)) })
}

const yes: SubsetAnswer = { answer: 'yes' }

function verdictOf({ answer }: SubsetAnswer): 'breaking' | 'fine' {
  return answer === 'yes' ? 'fine' : 'breaking'
}

// Constants: `kind=card`. References: `#/$defs/card`, also of a list of them. Types: `array`.
type Mark = (typeof marks)[number]

const marks = ['constants', 'references', 'types'] as const

interface Alternative {
  readonly schema: object
  readonly key: string
  /** Texts that tell an alternative from the others, the surest kind first. */
  readonly marks: Readonly<Record<Mark, readonly string[]>>
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
    const { node } = flatten(schema, document)
    const found = {
      constants: constantsIn(node),
      references: referencesTo(choice),
      types: typesOf(node).map(String),
    }
    return { schema, key: document.keyOf(schema), marks: found }
  })
}

function constantsIn({ properties }: SchemaNode): readonly string[] {
  return Object.entries(Object(properties)).flatMap(([name, property]) => {
    const node: object = isRecord(property) ? property : {}
    const values = Reflect.get(node, 'enum')
    const constant =
      Array.isArray(values) && values.length === 1 ? values[0] : Reflect.get(node, 'const')
    return constant === undefined ? [] : [`${name}=${JSON.stringify(constant)}`]
  })
}

function referencesTo(choice: unknown): readonly string[] {
  if (!isRecord(choice)) return []
  const { $ref, items } = choice
  return typeof $ref === 'string' ? [$ref] : referencesTo(items).map((name) => `${name} in a list`)
}

// Pairs alternatives that have a mark alone on both sides, and the last two.
function pairsOf(
  old: readonly Alternative[],
  after: readonly Alternative[],
): readonly (readonly [Alternative, Alternative])[] {
  const left = { old: new Set(old), after: new Set(after) }
  const pairs: (readonly [Alternative, Alternative])[] = []
  const pair = (one: Alternative, other: Alternative) => {
    pairs.push([one, other])
    left.old.delete(one)
    left.after.delete(other)
  }
  for (const mark of marks) {
    const isLike = (one: Alternative) => (other: Alternative) =>
      one.marks[mark].some((text) => other.marks[mark].includes(text))
    for (const one of [...left.old]) {
      const [other, ...more] = [...left.after].filter(isLike(one))
      if (other === undefined || more.length > 0) continue
      if ([...left.old].filter(isLike(other)).length === 1) pair(one, other)
    }
  }
  const [one] = left.old
  const [other] = left.after
  if (one && other && left.old.size === 1 && left.after.size === 1) pair(one, other)
  return pairs
}

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
