import { listOf, typesOf } from '../contract/schema/json-schema.ts'
import { fieldOf, isRecord, isSame } from '../convention/value.ts'
import { accepts, hasValue } from '../sets/accepts.ts'
import type { SchemaNode } from '../sets/document.ts'
import { isInside, type SubsetAnswer } from '../sets/subset.ts'
import { setOf, type ValueSet } from '../sets/value-set.ts'
import { type FacetRules, verdictOf } from './change.ts'
import {
  asJson,
  type FlatPlace,
  type Pair,
  type PairComparison,
  type SchemaSource,
  type Walk,
} from './comparison.ts'
import { listedBy } from './facets.ts'
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
  const oldAlone = old.filter(({ key }) => !after.some((candidate) => candidate.key === key))
  const newAlone = after.filter(({ key }) => !old.some((candidate) => candidate.key === key))
  const pairs = pairsOf(oldAlone, newAlone)
  // Another alternative may take a value, or forbid it.
  const around = at.around && { ...at.around, isFree: false }
  for (const [oldAlternative, newAlternative] of pairs)
    walk(
      { steps: at.steps, around, old: oldAlternative.schema, new: newAlternative.schema },
      comparison,
    )
  const isPaired = (alternative: Alternative) => pairs.some((pair) => pair.includes(alternative))
  const { side, find } = comparison
  for (const oldAlternative of oldAlone.filter((candidate) => !isPaired(candidate))) {
    const alternativeSet = comparison.old.knownSet(oldAlternative.schema)
    // A value of two alternatives may be none of the whole.
    const set = setOf({ kind: 'all', sets: [alternativeSet, at.sets.old] })
    const coverage = side === 'request' ? isInside(set, at.sets.new, find) : yes
    // The other alternatives may take the value, and drop its fields.
    const isSent = side === 'request' && coverage.answer === 'yes'
    const answer = isSent ? isInside(set, declaredIn(after, comparison), find) : coverage
    const change = { rule: 'alternative-removed', from: asJson(oldAlternative.schema), to: null }
    const kind = isSent ? 'lost' : undefined
    reportChange(at, { ...change, verdict: 'breaking', answer, kind }, comparison)
  }
  for (const newAlternative of newAlone.filter((candidate) => !isPaired(candidate))) {
    const set = comparison.new.knownSet(newAlternative.schema)
    const answer = side === 'item' ? isInside(set, at.sets.old, find) : yes
    const change = { rule: 'alternative-added', from: null, to: asJson(newAlternative.schema) }
    reportChange(at, { ...change, verdict: 'breaking', answer }, comparison)
  }
}

// A value of one alternative, also of several, without fields that it does not declare.
function declaredIn(all: readonly Alternative[], comparison: PairComparison): ValueSet {
  return setOf({ kind: 'any', sets: all.map(({ schema }) => comparison.new.declaredSet(schema)) })
}

const yes: SubsetAnswer = { answer: 'yes' }

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
  const commonSchemas = Object.keys(beside).some((keyword) => !isAnnotation(keyword))
    ? [beside]
    : []
  const around = [...commonSchemas, ...flat.more]
  const choices = lists.length === 0 ? [flat.node] : (lists[0] ?? [])
  // Two lists of alternatives: the second holds beside each of the first.
  const further = lists.slice(1).map((list) => ({ oneOf: list }))
  return choices.map((choice) => {
    const parts = lists.length === 0 ? flat.more : [...around, ...further]
    const alternativeSchema = parts.length === 0 ? choice : { allOf: [choice, ...parts] }
    const schema = isRecord(alternativeSchema)
      ? alternativeSchema
      : alternativeSchema === false
        ? { not: {} }
        : {}
    const { node } = flatten(schema, document)
    const marks = {
      constants: constantsIn(node),
      references: referencesTo(choice),
      types: typesOf(node).map(String),
    }
    return { schema, key: document.keyOf(schema), marks }
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
  const unpaired = { old: new Set(old), after: new Set(after) }
  const pairs: (readonly [Alternative, Alternative])[] = []
  const pair = (oldAlternative: Alternative, newAlternative: Alternative) => {
    pairs.push([oldAlternative, newAlternative])
    unpaired.old.delete(oldAlternative)
    unpaired.after.delete(newAlternative)
  }
  for (const mark of marks) {
    const isLike = (oldAlternative: Alternative) => (newAlternative: Alternative) =>
      oldAlternative.marks[mark].some((text) => newAlternative.marks[mark].includes(text))
    for (const oldAlternative of [...unpaired.old]) {
      const [newAlternative, ...more] = [...unpaired.after].filter(isLike(oldAlternative))
      if (newAlternative === undefined || more.length > 0) continue
      if ([...unpaired.old].filter(isLike(newAlternative)).length === 1)
        pair(oldAlternative, newAlternative)
    }
  }
  const [lastOld] = unpaired.old
  const [lastNew] = unpaired.after
  if (lastOld && lastNew && unpaired.old.size === 1 && unpaired.after.size === 1)
    pair(lastOld, lastNew)
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
  const [oldValues, newValues] = [withoutNull(listed.old), withoutNull(listed.new)]
  const removed = oldValues.filter((value) => !hasValue(newValues, value))
  const added = newValues.filter((value) => !hasValue(oldValues, value))
  const [old] = oldValues
  const [after] = newValues
  const { side } = comparison
  if (oldValues.length === 1 && newValues.length === 1 && removed.length === 1) {
    const value = side === 'request' ? old : after
    const change = { rule: 'const-changed', way: 'changed', from: old, to: after } as const
    reportValue(at, { ...change, value }, comparison)
    return
  }
  for (const value of removed) {
    const change = { rule: 'enum-removed', way: 'narrowed', from: value, to: null } as const
    reportValue(at, { ...change, value }, comparison)
  }
  for (const value of added) {
    const change = { rule: 'enum-added', way: 'widened', from: null, to: value } as const
    reportValue(at, { ...change, value }, comparison)
  }
}

function withoutNull(values: Listed): Listed {
  return values.filter((value) => value !== null)
}

interface ListedValue {
  readonly rule: string
  readonly way: keyof FacetRules
  readonly from: unknown
  readonly to: unknown
  /** The value that shows a break. */
  readonly value: unknown
}

function reportValue(
  at: FlatPlace,
  { rule, way, from, to, value }: ListedValue,
  comparison: PairComparison,
): void {
  const { side } = comparison
  const [subset, superset] =
    side === 'request' ? [at.sets.old, at.sets.new] : [at.sets.new, at.sets.old]
  const witness = asJson(value)
  const isBroken = accepts(subset, witness) !== false && accepts(superset, witness) !== true
  const answer = isBroken ? ({ answer: 'no', witness } as const) : yes
  const change = { rule, verdict: verdictOf(side, way), answer }
  reportChange(at, { ...change, from: asJson(from), to: asJson(to) }, comparison)
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
  const changed = listed.old === undefined ? set : dropped
  const rules = { narrowed: set, widened: dropped, changed }
  const facetPart = (listed: Listed | undefined) =>
    listed === undefined ? {} : { enum: [...listed, null] }
  const facet = {
    old: comparison.old.plainSet(facetPart(listed.old)),
    new: comparison.new.plainSet(facetPart(listed.new)),
  }
  const change = { rules, from: asJson(listed.old), to: asJson(listed.new) }
  comparePart(at, { sets: at.sets, facet, ...change }, comparison)
}

/** Names the change of a default: the same body makes another item. */
export function compareDefault(
  at: string,
  nodes: { readonly old: object; readonly new: object },
  { side, add }: Pick<PairComparison, 'side' | 'add'>,
): void {
  const [old, after] = [fieldOf(nodes.old, 'default'), fieldOf(nodes.new, 'default')]
  if (isSame(old, after)) return
  const rule =
    old === undefined
      ? 'default-added'
      : after === undefined
        ? 'default-removed'
        : 'default-changed'
  const verdict = side === 'request' ? 'depends' : 'fine'
  add({ rule, at, from: asJson(old), to: asJson(after), verdict })
}

/** Names the change of `null`: a value that a schema takes or gives beside its types. */
export function compareNull(at: FlatPlace, comparison: PairComparison): void {
  const takesNull = { old: accepts(at.sets.old, null), new: accepts(at.sets.new, null) }
  if (takesNull.old === takesNull.new) return
  const from = takesNull.old === true
  const [rule, way] = from
    ? (['became-not-nullable', 'narrowed'] as const)
    : (['became-nullable', 'widened'] as const)
  const verdict = verdictOf(comparison.side, way)
  const answer = { answer: 'no', witness: null } as const
  reportChange(at, { rule, verdict, answer, from, to: !from }, comparison)
}
