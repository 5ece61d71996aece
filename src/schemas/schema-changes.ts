import { isRecord } from '../convention/value.ts'
import type { JsonObject } from '../sets/canonical.ts'
import type { SchemaNode } from '../sets/document.ts'
import { isInside, type SubsetAnswer } from '../sets/subset.ts'
import { setOf, tooDeep, type ValueSet } from '../sets/value-set.ts'
import {
  compareAlternatives,
  compareDefault,
  compareListed,
  compareNull,
  hasAlternatives,
} from './alternatives.ts'
import { plainBreak, type SchemaChange, type SchemaPair } from './change.ts'
import {
  asJson,
  type FlatPlace,
  type Pair,
  type PairComparison,
  type SchemaPlace,
  type SchemaSource,
  startComparison,
  textOf,
} from './comparison.ts'
import {
  type Facet,
  facetPart,
  facets,
  formatFacet,
  patternFacet,
  patternSet,
  restFacet,
  restOf,
  typeFacet,
  typesBeside,
} from './facets.ts'
import { compareElements, compareFields } from './fields.ts'
import { type FlatSchema, flatten } from './flat.ts'
import { comparePart, reportChange, sidesOf } from './proof.ts'

/**
 * Compares two JSON Schemas as sets, and names each change by a rule.
 *
 * Clients send declared fields alone, and ignore fields that they do not know. A change that no
 * finer rule names is `narrowed` (of a body) or `widened` (of an item).
 */
export function compareSchemas({ side, ...pair }: SchemaPair): readonly SchemaChange[] {
  if (depthOf(pair.old) > mostLevelsOfValue || depthOf(pair.new) > mostLevelsOfValue)
    return [deep(side)]
  const [old, after] = [unshared(pair.old), unshared(pair.new)]
  const changes: SchemaChange[] = []
  const comparison = startComparison(side, { old, new: after }, (change) => {
    changes.push(change)
  })
  const place = { steps: [], around: { sets: [], isFree: true }, old, new: after }
  walk(place, comparison)
  if (changes.some(({ verdict }) => verdict !== 'fine')) return changes
  const [subset, superset] = sidesOf(comparison)
  // Alternatives with declared fields alone overlap less than those that the letter says.
  const sent = setOf({
    kind: 'all',
    sets: [subset.knownSet(subset.schema), subset.plainSet(subset.schema)],
  })
  const supersetValues = superset.knownSet(superset.schema)
  const answer = isInside(sent, supersetValues, comparison.find)
  if (answer.answer !== 'yes') reportBreak(place, answer, comparison)
  return changes
}

// More levels of JSON than a body may have, and fewer than the stack takes.
const mostLevelsOfValue = 400

function deep(side: SchemaPair['side']): SchemaChange {
  return {
    rule: plainBreak(side),
    at: '',
    from: null,
    to: null,
    verdict: 'depends',
    because: tooDeep,
  }
}

// Objects that a schema holds at two places are two schemas, as in its text.
function unshared(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema))
}

/** Counts the levels of a JSON value, however deep: a scalar has none. */
function depthOf(value: unknown): number {
  let level = 0
  let parts: readonly unknown[] = [value]
  for (;;) {
    parts = parts.flatMap((child) =>
      typeof child === 'object' && child !== null ? Object.values(child) : [],
    )
    if (parts.length === 0) return level
    level++
  }
}

// The search for a whole value needs more of the stack at each level.
const mostLevels = 100

/** Names each change between two schemas of a place, and of the places below. */
function walk(written: SchemaPlace, comparison: PairComparison): void {
  const { old, new: after, pairs } = comparison
  const place = { ...written, old: targetOf(written.old, old), new: targetOf(written.new, after) }
  const keys = { old: old.document.keyOf(place.old), new: after.document.keyOf(place.new) }
  const key = `${keys.old}\n${keys.new}`
  if (pairs.ancestors.has(key) || !isTold(place, comparison)) return
  if (pairs.ancestors.size > mostLevels) {
    const answer = { answer: 'unknown', because: tooDeep } as const
    if (keys.old !== keys.new) reportBreak(place, answer, comparison)
    return
  }
  pairs.ancestors.add(key)
  comparePlace(place, keys.old === keys.new, comparison)
  pairs.ancestors.delete(key)
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

// A change that no finer rule names.
function reportBreak(place: SchemaPlace, answer: SubsetAnswer, comparison: PairComparison): void {
  const rule = plainBreak(comparison.side)
  reportChange(place, { rule, verdict: 'breaking', answer, from: null, to: null }, comparison)
}

function comparePlace(place: SchemaPlace, isSame: boolean, comparison: PairComparison): void {
  const { old, new: after } = comparison
  const flat = {
    old: flatten(place.old, old.document),
    new: flatten(place.new, after.document),
  }
  compareDefault(textOf(place.steps), { old: flat.old.node, new: flat.new.node }, comparison)
  const sets = { old: old.knownSet(place.old), new: after.knownSet(place.new) }
  const at: FlatPlace = { ...place, flat, sets }
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
  const facet = partsOf(at, restWith, comparison)
  compareParts(at, { facet, ...ruled(restFacet, comparison), from: null, to: null }, comparison)
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
  schemaOf: (flat: FlatSchema) => SchemaNode,
  { old, new: after }: PairComparison,
): Pair<ValueSet> {
  return { old: old.plainSet(schemaOf(flat.old)), new: after.plainSet(schemaOf(flat.new)) }
}

type Parts = Omit<Parameters<typeof comparePart>[1], 'sets'>

function compareParts(at: FlatPlace, parts: Parts, comparison: PairComparison): void {
  comparePart(at, { ...parts, sets: at.sets }, comparison)
}

function ruled({ rules, doubt }: Facet, { side }: PairComparison): Pick<Parts, 'rules' | 'doubt'> {
  return { rules: rules[side], doubt }
}

function compareFacet(at: FlatPlace, facet: Facet, comparison: PairComparison): void {
  const { flat } = at
  const isNamed = ({ node }: FlatSchema) => facet.keywords.some((name) => Object.hasOwn(node, name))
  if (!isNamed(flat.old) && !isNamed(flat.new)) return
  const facetSets = partsOf(at, ({ node }) => facetPart(facet, node), comparison)
  const shown = { from: facet.show(flat.old.node), to: facet.show(flat.new.node) }
  const parts = { facet: facetSets, ...ruled(facet, comparison), ...shown }
  compareParts(at, facet === formatFacet ? nameOfFormat(parts) : parts, comparison)
}

// A format or a pattern that changes is told by what was there, not by which one allows more.
function nameOfFormat(parts: Parts): Parts {
  const { changed } = parts.rules
  if (parts.from === null || parts.to === null) return parts
  return { ...parts, rules: { narrowed: changed, widened: changed, changed } }
}

function comparePattern(at: FlatPlace, comparison: PairComparison): void {
  const { old, new: after } = at.flat
  // Another format brings another pattern.
  if (old.node.format !== after.node.format) return
  const facet = { old: patternSet(old), new: patternSet(after) }
  const shown = { from: asJson(old.node.pattern), to: asJson(after.node.pattern) }
  const parts = { facet, ...ruled(patternFacet, comparison), ...shown }
  compareParts(at, nameOfFormat(parts), comparison)
}

function compareTypes(at: FlatPlace, comparison: PairComparison): void {
  const typed = ({ node }: FlatSchema): SchemaNode => {
    const types = typesBeside(node)
    return types === undefined ? {} : { type: [...types, 'null'] }
  }
  const [from, to] = [at.flat.old, at.flat.new].map(({ node }) => asJson(typesBeside(node)))
  const shown = { from: from ?? null, to: to ?? null }
  const facet = partsOf(at, typed, comparison)
  compareParts(at, { facet, ...ruled(typeFacet, comparison), ...shown }, comparison)
  compareNull(at, comparison)
}
