import { isRecord } from '../../model/declared.ts'
import { accepts } from '../sets/accepts.ts'
import type { SchemaNode } from '../sets/document.ts'
import { readTexts } from '../sets/read-texts.ts'
import { setOf, type ValueSet } from '../sets/value-set.ts'
import { compareAlternatives, hasAlternatives } from './alternatives-of.ts'
import {
  asJson,
  comparePart,
  knownSet,
  type PairComparison,
  plainSet,
  reportChange,
  type SchemaPlace,
  type SchemaSource,
} from './comparison.ts'
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
import { textOf } from './steps.ts'

/** Names each change between two schemas of a place, and of the places below. */
export function walk(found: SchemaPlace, comparison: PairComparison): void {
  const { old, new: after, under, side } = comparison
  const place = { ...found, old: targetOf(found.old, old), new: targetOf(found.new, after) }
  const key = `${old.document.keyOf(place.old)}\n${after.document.keyOf(place.new)}`
  if (under.has(key)) return
  under.add(key)
  const flat = {
    old: flatten(place.old, old.document),
    new: flatten(place.new, after.document),
  }
  compareDefault(textOf(place.steps), { old: flat.old.node, new: flat.new.node }, comparison)
  const whole = {
    old: knownSet(place.old, old, comparison),
    new: knownSet(place.new, after, comparison),
  }
  const at: FlatPlace = { ...place, flat, whole }
  if (hasAlternatives(flat.old) || hasAlternatives(flat.new)) {
    compareAlternatives(at, comparison, walk)
  } else {
    compareTypes(at, comparison)
    compareListed(at, comparison)
    for (const facet of facets) compareFacet(at, facet, comparison)
    compareFacet(at, formatFacet, comparison)
    comparePattern(at, comparison)
    compareFields(at, comparison, walk)
    compareElements(at, comparison, walk)
    const rules = restRules[side]
    compareParts(
      at,
      { part: partsOf(at, restWith, comparison), rules, from: null, to: null },
      comparison,
    )
  }
  under.delete(key)
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
  return { old: plainSet(part(flat.old), old), new: plainSet(part(flat.new), after) }
}

type Parts = Omit<Parameters<typeof comparePart>[1], 'whole'>

function compareParts(at: FlatPlace, parts: Parts, comparison: PairComparison): void {
  comparePart(at, { ...parts, whole: at.whole }, comparison)
}

function compareFacet(at: FlatPlace, facet: Facet, comparison: PairComparison): void {
  const { flat } = at
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
