import { isRecord } from '../../model/declared.ts'
import { listOf } from '../../model/json-schema.ts'
import type { Json } from '../../model/schema.ts'
import { fieldOf } from '../../model/value.ts'
import { namesIn } from '../sets/read-objects.ts'
import { setOf } from '../sets/value-set.ts'
import { answerOf, isInside } from '../subset.ts'
import { asJson, comparePart, type PairComparison, plainSet, reportChange } from './comparison.ts'
import type { FacetRules } from './facets.ts'
import type { FlatPlace, Walk } from './places.ts'
import { textOf } from './steps.ts'
import { compareUndeclared } from './undeclared.ts'

/** Names the changes of the fields of an object. */
export function compareFields(at: FlatPlace, comparison: PairComparison, walk: Walk): void {
  const [old, after] = [fieldsOf(at.flat.old.node), fieldsOf(at.flat.new.node)]
  if (old.names.length === 0 && after.names.length === 0 && !hasRest(at)) return
  if (!mayBeObject(at.flat.old.node) || !mayBeObject(at.flat.new.node)) return
  for (const name of new Set([...old.names, ...after.names])) {
    const isOld = old.names.includes(name)
    const isNew = after.names.includes(name)
    const field = { at, name, old: old.schemaOf(name), new: after.schemaOf(name) }
    if (isOld && isNew) {
      compareRequired(field, comparison)
      const steps = [...at.steps, { to: 'member', name } as const]
      walk({ steps, old: field.old, new: field.new }, comparison)
    } else if (isOld) compareRemoved(field, comparison)
    else compareAdded(field, after.required.includes(name), comparison)
  }
  compareUndeclared(at, comparison, walk)
}

interface Fields {
  readonly names: readonly string[]
  readonly required: readonly string[]
  readonly schemaOf: (name: string) => unknown
}

function fieldsOf({ properties, required }: { properties?: unknown; required?: unknown }): Fields {
  const names = isRecord(properties) ? Object.keys(properties) : []
  return {
    names: names.filter((name) => fieldOf(Object(properties), name) !== false),
    required: namesIn(required),
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
  const rules: FacetRules =
    comparison.side === 'request'
      ? {
          narrowed: ['field-became-required', 'breaking'],
          widened: ['field-became-optional', 'fine'],
          changed: ['field-became-required', 'breaking'],
        }
      : {
          narrowed: ['field-became-required', 'fine'],
          widened: ['field-became-optional', 'breaking'],
          changed: ['field-became-optional', 'breaking'],
        }
  const facetPart = (node: { required?: unknown }) =>
    namesIn(node.required).includes(name) ? { required: [name] } : {}
  const part = {
    old: plainSet(facetPart(at.flat.old.node), comparison.old),
    new: plainSet(facetPart(at.flat.new.node), comparison.new),
  }
  const [from, to] = [part.old.keywords().length > 0, part.new.keywords().length > 0]
  const named = namedAt(comparison, at, name)
  comparePart(at, { whole: at.whole, part, rules, from, to }, named)
}

// The change is at the field; the witness lacks it, so its place is the object.
function namedAt(comparison: PairComparison, { steps }: FlatPlace, name: string): PairComparison {
  const at = textOf([...steps, { to: 'member', name }])
  return { ...comparison, add: (change) => comparison.add({ ...change, at }) }
}

function compareRemoved({ at, name, old }: Field, comparison: PairComparison): void {
  const named = namedAt(comparison, at, name)
  const { side, find } = comparison
  const change = { rule: 'field-removed', from: asJson(old) as Json, to: null }
  const { additionalProperties: rest } = at.flat.new.node
  if (side === 'item') {
    const answer = isInside(at.whole.new, setOf({ kind: 'required', name }), find)
    // Clients read a field that may be missing too, and no value shows it.
    const isAlways = isInside(at.whole.old, setOf({ kind: 'required', name }), find)
    if (answer.answer === 'no' && isAlways.answer === 'yes')
      reportChange(at, { ...change, verdict: 'breaking', answer }, named)
    else named.add({ ...change, at: '', verdict: 'breaking' })
    return
  }
  const value = plainSet(old, comparison.old)
  if (rest === true || isRecord(rest)) {
    if (isInside(value, plainSet(rest, comparison.new), find).answer === 'yes') return
  }
  const found = find([at.whole.old, setOf({ kind: 'required', name })])
  reportChange(at, { ...change, verdict: 'breaking', answer: answerOf(found), kind: 'lost' }, named)
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
  const answer = isInside(at.whole.old, setOf({ kind: 'required', name }), comparison.find)
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
    walk({ steps: [...at.steps, step], ...pair }, comparison)
  }
  if (old.items === undefined && after.items === undefined) return
  const steps = [...at.steps, { to: 'elements' } as const]
  walk({ steps, old: old.items ?? {}, new: after.items ?? {} }, comparison)
}
