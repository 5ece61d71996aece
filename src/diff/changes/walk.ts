import { isRecord } from '../../convention/value.ts'
import { accepts } from '../sets/accepts.ts'
import type { SchemaNode } from '../sets/document.ts'
import { tooDeep } from '../sets/find.ts'
import { readTexts } from '../sets/read-texts.ts'
import { setOf, type ValueSet } from '../sets/value-set.ts'
import { compareAlternatives, hasAlternatives } from './alternatives-of.ts'
import { asJson, type PairComparison, type SchemaPlace, type SchemaSource } from './comparison.ts'
import { compareDefault } from './default.ts'
import {
  type Facet,
  facetPart,
  facets,
  formatFacet,
  nullFacet,
  patternFacet,
  restOf,
  restRules,
  typeFacet,
  typesBeside,
} from './facets.ts'
import { compareElements, compareFields } from './fields.ts'
import { type FlatSchema, flatten } from './flat.ts'
import { compareListed } from './listed.ts'
import type { FlatPlace, Pair } from './places.ts'
import { comparePart, reportChange } from './proof.ts'
import { textOf } from './steps.ts'

// The search for a whole value needs more of the stack at each level.
const mostLevels = 100

/** Names each change between two schemas of a place, and of the places below. */
export function walk(written: SchemaPlace, comparison: PairComparison): void {
  const { old, new: after, pairs } = comparison
  const place = { ...written, old: targetOf(written.old, old), new: targetOf(written.new, after) }
  const keys = { old: old.document.keyOf(place.old), new: after.document.keyOf(place.new) }
  const key = `${keys.old}\n${keys.new}`
  if (pairs.under.has(key) || !isTold(place, comparison)) return
  if (pairs.under.size > mostLevels) {
    if (keys.old !== keys.new) endWalk(place, comparison)
    return
  }
  pairs.under.add(key)
  comparePlace(place, keys.old === keys.new, comparison)
  pairs.under.delete(key)
}

// A pair is compared once, and told at further places as long as they are few.
function isTold(place: SchemaPlace, { pairs }: PairComparison): boolean {
  const before = pairs.compared.get(place.old) ?? new Set()
  pairs.compared.set(place.old, before)
  if (!before.has(place.new)) {
    before.add(place.new)
    return true
  }
  return --pairs.repeats >= 0
}

function endWalk(place: SchemaPlace, comparison: PairComparison): void {
  const rule = comparison.side === 'request' ? 'narrowed' : 'widened'
  const answer = { answer: 'unknown', because: tooDeep } as const
  reportChange(place, { rule, verdict: 'breaking', answer, from: null, to: null }, comparison)
}

function comparePlace(place: SchemaPlace, isSame: boolean, comparison: PairComparison): void {
  const { old, new: after } = comparison
  const flat = {
    old: flatten(place.old, old.document),
    new: flatten(place.new, after.document),
  }
  compareDefault(textOf(place.steps), { old: flat.old.node, new: flat.new.node }, comparison)
  const whole = { old: old.knownSet(place.old), new: after.knownSet(place.new) }
  const at: FlatPlace = { ...place, flat, whole }
  if (hasAlternatives(flat.old) || hasAlternatives(flat.new)) {
    compareAlternatives(at, comparison, walk)
    return
  }
  // Equal sets may have other defaults.
  if (!isSame) compareOwn(at, comparison)
  compareFields(at, comparison, walk)
  compareElements(at, comparison, walk)
  if (!isSame) compareRest(at, comparison)
}

function compareOwn(at: FlatPlace, comparison: PairComparison): void {
  compareTypes(at, comparison)
  compareListed(at, comparison)
  for (const facet of facets) compareFacet(at, facet, comparison)
  compareFacet(at, formatFacet, comparison)
  comparePattern(at, comparison)
}

function compareRest(at: FlatPlace, comparison: PairComparison): void {
  const rules = restRules[comparison.side]
  const part = partsOf(at, restWith, comparison)
  compareParts(at, { part, rules, from: null, to: null }, comparison)
}

// A schema may refer to itself, and hold itself by another reference.
function targetOf(schema: unknown, source: SchemaSource): unknown {
  const isAlone = isRecord(schema) && Object.keys(schema).length === 1
  return (isAlone ? source.document.follow(schema) : undefined) ?? schema
}

function restWith({ node, more }: FlatSchema): SchemaNode {
  return more.length > 0 ? { ...restOf(node), allOf: more } : restOf(node)
}

function partsOf(
  { flat }: FlatPlace,
  part: (flat: FlatSchema) => SchemaNode,
  { old, new: after }: PairComparison,
): Pair<ValueSet> {
  return { old: old.plainSet(part(flat.old)), new: after.plainSet(part(flat.new)) }
}

type Parts = Omit<Parameters<typeof comparePart>[1], 'whole'>

function compareParts(at: FlatPlace, parts: Parts, comparison: PairComparison): void {
  comparePart(at, { ...parts, whole: at.whole }, comparison)
}

function compareFacet(at: FlatPlace, facet: Facet, comparison: PairComparison): void {
  const { flat } = at
  const isNamed = ({ node }: FlatSchema) => facet.keywords.some((name) => Object.hasOwn(node, name))
  if (!isNamed(flat.old) && !isNamed(flat.new)) return
  const part = partsOf(at, ({ node }) => facetPart(facet, node), comparison)
  const rules = facet.rules[comparison.side]
  const [from, to] = [facet.show(flat.old.node), facet.show(flat.new.node)]
  const named = nameOfFormat(facet, { from, to, rules })
  compareParts(at, { part, rules: named, from, to }, comparison)
}

// A format or a pattern that changes is told by what was there, not by which one allows more.
function nameOfFormat(
  facet: Facet,
  { from, to, rules }: Pick<Parts, 'from' | 'to' | 'rules'>,
): Parts['rules'] {
  if (facet !== formatFacet && facet !== patternFacet) return rules
  if (from === null || to === null) return rules
  const [changed] = rules.changed
  const { narrowed, widened } = rules
  return { ...rules, narrowed: [changed, narrowed[1]], widened: [changed, widened[1]] }
}

function comparePattern(at: FlatPlace, comparison: PairComparison): void {
  // Another format brings another pattern.
  if (at.flat.old.node.format !== at.flat.new.node.format) return
  const patternIn = ({ node }: FlatSchema): ValueSet =>
    setOf(...readTexts(node).filter(({ kind }) => kind === 'pattern'))
  const part = { old: patternIn(at.flat.old), new: patternIn(at.flat.new) }
  const [from, to] = [at.flat.old.node.pattern, at.flat.new.node.pattern].map(asJson)
  const shown = { from: from ?? null, to: to ?? null }
  const rules = patternFacet.rules[comparison.side]
  compareParts(
    at,
    { part, rules: nameOfFormat(patternFacet, { ...shown, rules }), ...shown },
    comparison,
  )
}

function compareTypes(at: FlatPlace, comparison: PairComparison): void {
  const { side } = comparison
  const typed = ({ node }: FlatSchema): SchemaNode => {
    const types = typesBeside(node)
    return types === undefined ? {} : { type: [...types, 'null'] }
  }
  const shown = ({ node }: FlatSchema) => asJson(typesBeside(node))
  compareParts(
    at,
    {
      part: partsOf(at, typed, comparison),
      rules: typeFacet.rules[side],
      from: shown(at.flat.old),
      to: shown(at.flat.new),
    },
    comparison,
  )
  const takesNull = { old: accepts(at.whole.old, null), new: accepts(at.whole.new, null) }
  if (takesNull.old === takesNull.new) return
  const [rule, verdict] = nullFacet.rules[side][takesNull.old ? 'narrowed' : 'widened']
  const answer = { answer: 'no', witness: null } as const
  const from = takesNull.old === true
  reportChange(at, { rule, verdict, answer, from, to: !from }, comparison)
}
