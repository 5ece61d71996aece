import { listOf } from '../contract/schema/json-schema.ts'
import type { Json } from '../contract/schema/schema.ts'
import { fieldOf, isRecord } from '../convention/value.ts'
import { accepts } from '../sets/accepts.ts'
import { isJsonObject } from '../sets/canonical.ts'
import type { SchemaNode } from '../sets/document.ts'
import { namesIn } from '../sets/read-keywords.ts'
import { answerOf, isInside } from '../sets/subset.ts'
import { type Found, noValue, setOf } from '../sets/value-set.ts'
import type { SchemaChange } from './change.ts'
import {
  asJson,
  type FlatPlace,
  type PairComparison,
  placeBelow,
  textOf,
  type Walk,
} from './comparison.ts'
import { comparePart, isPartInside, reportChange, withMember } from './proof.ts'

/** Names the changes of the fields of an object. */
export function compareFields(at: FlatPlace, comparison: PairComparison, walk: Walk): void {
  const [old, after] = [fieldsOf(at.flat.old.node), fieldsOf(at.flat.new.node)]
  if (old.names.size === 0 && after.names.size === 0 && !hasRest(at)) return
  if (!mayBeObject(at.flat.old.node) || !mayBeObject(at.flat.new.node)) return
  for (const name of new Set([...old.names, ...after.names])) {
    const isOld = old.names.has(name)
    const isNew = after.names.has(name)
    const field = { at, name, old: old.schemaOf(name), new: after.schemaOf(name) }
    if (isOld && isNew) {
      if (old.required.has(name) !== after.required.has(name)) compareRequired(field, comparison)
      const step = { to: 'member', name } as const
      walk(placeBelow(at, { step, old: field.old, new: field.new }, comparison), comparison)
    } else if (isOld) compareRemoved(field, comparison)
    else compareAdded(field, after.required.has(name), comparison)
  }
  compareUndeclared(at, comparison, walk)
}

interface Fields {
  readonly names: ReadonlySet<string>
  readonly required: ReadonlySet<string>
  readonly schemaOf: (name: string) => unknown
}

function fieldsOf({ properties, required }: { properties?: unknown; required?: unknown }): Fields {
  const names = isRecord(properties) ? Object.keys(properties) : []
  return {
    names: new Set(names.filter((name) => fieldOf(Object(properties), name) !== false)),
    required: new Set(namesIn(required)),
    schemaOf: (name) => fieldOf(Object(properties), name),
  }
}

function hasRest({ flat }: FlatPlace): boolean {
  return [flat.old, flat.new].some(
    ({ node }) => node.additionalProperties !== undefined || node.patternProperties !== undefined,
  )
}

function mayBeObject({ type }: { type?: unknown }): boolean {
  const types = typeof type === 'string' ? [type] : listOf(type)
  return type === undefined || types.includes('object')
}

interface Field {
  readonly at: FlatPlace
  readonly name: string
  readonly old: unknown
  readonly new: unknown
}

function compareRequired({ at, name }: Field, comparison: PairComparison): void {
  const [narrowed, widened] = ['field-became-required', 'field-became-optional']
  const rules = { narrowed, widened, changed: comparison.side === 'request' ? narrowed : widened }
  const facetPart = (node: { required?: unknown }) =>
    namesIn(node.required).includes(name) ? { required: [name] } : {}
  const facet = {
    old: comparison.old.plainSet(facetPart(at.flat.old.node)),
    new: comparison.new.plainSet(facetPart(at.flat.new.node)),
  }
  const [from, to] = [facet.old.keywords().length > 0, facet.new.keywords().length > 0]
  const named = namedAt(comparison, at, name)
  comparePart(at, { sets: at.sets, facet, rules, from, to }, named)
}

// The change is at the field; the witness lacks it, so its place is the object.
function namedAt(comparison: PairComparison, { steps }: FlatPlace, name: string): PairComparison {
  const at = textOf([...steps, { to: 'member', name }])
  return { ...comparison, add: (change) => comparison.add({ ...change, at }) }
}

function compareRemoved(field: Field, comparison: PairComparison): void {
  const { at, name, old } = field
  const named = namedAt(comparison, at, name)
  const { side, find } = comparison
  const change = { rule: 'field-removed', from: asJson(old) as Json, to: null }
  const { additionalProperties: additional } = at.flat.new.node
  if (side === 'item') {
    const answer = isPartInside(at.sets.new, setOf({ kind: 'required', name }), find)
    // Clients read a field that may be missing too, and no value shows it.
    const isAlways = isPartInside(at.sets.old, setOf({ kind: 'required', name }), find)
    if (answer.answer === 'no' && isAlways.answer === 'yes')
      reportChange(at, { ...change, verdict: 'breaking', answer }, named)
    else named.add({ ...change, at: '', verdict: 'breaking' })
    return
  }
  const value = comparison.old.plainSet(old)
  if (additional === true || isRecord(additional)) {
    if (isInside(value, comparison.new.plainSet(additional), find).answer === 'yes') return
  }
  const answer = answerOf(findWith(field, comparison))
  reportChange(at, { ...change, verdict: 'breaking', answer, kind: 'lost' }, named)
}

// A value of the old side that has a member: the first value with it, else one of a search.
function findWith({ at, name, old }: Field, { find, old: source }: PairComparison): Found {
  const first = find([at.sets.old])
  const member = find([source.knownSet(old)])
  if (first.is === 'value' && isJsonObject(first.value) && Object.hasOwn(first.value, name))
    return first
  if (first.is === 'value' && isJsonObject(first.value) && member.is === 'value') {
    const value = withMember(first.value, name, member.value)
    if (accepts(at.sets.old, value) === true) return { is: 'value', value }
  }
  return find([at.sets.old, setOf({ kind: 'required', name })])
}

function compareAdded(
  { at, name, new: added }: Field,
  isRequired: boolean,
  comparison: PairComparison,
): void {
  const named = namedAt(comparison, at, name)
  const isRequest = comparison.side === 'request'
  const change = { at: '', from: null, to: asJson(added) as Json }
  if (!isRequest || !isRequired) {
    const hasDefault = isRequest && fieldOf(Object(added), 'default') !== undefined
    named.add({
      ...change,
      rule: hasDefault ? 'field-default-added' : 'field-added',
      verdict: 'fine',
    })
    return
  }
  const answer = isPartInside(at.sets.old, setOf({ kind: 'required', name }), comparison.find)
  const rule = 'field-required-added'
  if (answer.answer === 'yes') named.add({ ...change, rule, verdict: 'fine' })
  else reportChange(at, { ...change, rule, verdict: 'breaking', answer }, named)
}

/** Names the changes of the elements of a list. */
export function compareElements(at: FlatPlace, comparison: PairComparison, walk: Walk): void {
  const [old, after] = [at.flat.old.node, at.flat.new.node]
  const first = [listOf(old.prefixItems), listOf(after.prefixItems)]
  const length = Math.max(...first.map((list) => list.length))
  const elementOf = (node: typeof old, index: number): unknown =>
    listOf(node.prefixItems)[index] ?? node.items ?? {}
  for (let index = 0; index < length; index++) {
    const step = { to: 'element', index } as const
    const pair = { old: elementOf(old, index), new: elementOf(after, index) }
    walk(placeBelow(at, { step, ...pair }, comparison), comparison)
  }
  if (old.items === undefined && after.items === undefined) return
  const step = { to: 'elements' } as const
  const pair = { step, old: old.items ?? {}, new: after.items ?? {} }
  walk(placeBelow(at, pair, comparison), comparison)
}

/** Names the changes of the members that an object does not declare. */
function compareUndeclared(at: FlatPlace, comparison: PairComparison, walk: Walk): void {
  comparePatterns(at, comparison)
  const [old, after] = [at.flat.old.node, at.flat.new.node].map(restIn)
  if (old === undefined && after === undefined) return
  if (isRecord(old) || isRecord(after)) {
    const pair = { step: { to: 'members' }, old: old ?? {}, new: after ?? {} } as const
    if (old !== false && after !== false) walk(placeBelow(at, pair, comparison), comparison)
  }
  const { side } = comparison
  const change = { from: asJson(old), to: asJson(after) }
  const report = (reported: Omit<Parameters<typeof reportChange>[1], 'from' | 'to'>): void =>
    reportChange(at, { ...change, ...reported }, comparison)
  if (side === 'request' && after === false && old !== false) refuse(at, change, comparison)
  else if (side === 'request' && old === false && after !== false)
    report({ rule: 'unknown-fields-taken', verdict: 'fine', answer: { answer: 'yes' } })
  else if (side === 'item' && after === true && old !== true)
    report({ rule: 'unknown-fields-given', verdict: 'depends', answer: anyField })
  else if (side === 'item' && old === true && after !== true)
    report({ rule: 'unknown-fields-removed', verdict: 'fine', answer: { answer: 'yes' } })
}

const anyField = { answer: 'unknown', because: 'any other field may be in an answer' } as const

// Clients send and read the members whose names a pattern declares.
function comparePatterns(place: FlatPlace, comparison: PairComparison): void {
  const { flat } = place
  const [old, after] = [flat.old.node, flat.new.node].map(({ patternProperties }) => {
    return new Map(Object.entries(Object(patternProperties)))
  })
  for (const pattern of new Set([...(old?.keys() ?? []), ...(after?.keys() ?? [])])) {
    const named = namedAt(comparison, place, pattern)
    const facts = { at: '', from: asJson(old?.get(pattern)), to: asJson(after?.get(pattern)) }
    if (!old?.has(pattern)) named.add({ ...facts, rule: 'field-added', verdict: 'fine' })
    else if (!after?.has(pattern) && !isCovered(old.get(pattern), place, comparison))
      lose(pattern, place, { facts, comparison: named })
  }
}

// Other members may be as those of the pattern were.
function isCovered(value: unknown, { flat }: FlatPlace, comparison: PairComparison): boolean {
  const additional = restIn(flat.new.node)
  if (comparison.side === 'item') return isRecord(additional)
  if (additional !== true && !isRecord(additional)) return false
  const sent = comparison.old.plainSet(value)
  const additionalSet = comparison.new.plainSet(additional)
  return isInside(sent, additionalSet, comparison.find).answer === 'yes'
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
    const result = find([place.sets.old, setOf({ kind: 'required', name: String(name.value) })])
    reportChange(place, { ...change, answer: answerOf(result), kind: 'lost' }, comparison)
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
  const declared = new Map(names.map((name) => [name, noValue]))
  const some = setOf({
    kind: 'someMember',
    names: { properties: declared, patterns: [], additional: noValue },
    set: setOf(),
  })
  const result = comparison.find([comparison.old.plainSet(at.old), some])
  if (result.is !== 'value') return
  const answer = { answer: 'no', witness: result.value } as const
  const rule = 'unknown-fields-refused'
  reportChange(at, { ...change, rule, verdict: 'breaking', answer, kind: 'undeclared' }, comparison)
}
