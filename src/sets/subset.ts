import type { Json } from '../contract/schema/schema.ts'
import { accepts, isMultiple } from './accepts.ts'
import type { JsonObject } from './canonical.ts'
import { createFind } from './find.ts'
import { readSet } from './read-set.ts'
import {
  complementOf,
  type Found,
  isTyped,
  type JsonType,
  type Keyword,
  type KeywordOf,
  type Members,
  noValue,
  setOf,
  type TypedKeyword,
  typeOfKeyword,
  type ValueSet,
} from './value-set.ts'

/** Whether each value of one JSON Schema is one of another. */
export type SubsetAnswer =
  | { readonly answer: 'yes' }
  /** `witness` is a value of the first that the second excludes. */
  | { readonly answer: 'no'; readonly witness: Json }
  /** `guess` may be a witness: this library cannot judge a keyword. */
  | { readonly answer: 'unknown'; readonly because: string; readonly guess?: Json }

/** Tells whether each value of a JSON Schema is also one of another. */
export function isSubset(
  subset: JsonObject | boolean,
  superset: JsonObject | boolean,
): SubsetAnswer {
  return isInside(readSet(subset), readSet(superset))
}

/** Returns a value of a JSON Schema; `undefined` where none is found. */
export function sampleOf(schema: JsonObject): Json | undefined {
  const result = isSubset(schema, false)
  return result.answer === 'no' ? result.witness : undefined
}

/** Tells whether each value of a set is also one of another, by a search. */
export function isInside(subset: ValueSet, superset: ValueSet, find = createFind()): SubsetAnswer {
  if (isImplied(subset, superset)) return { answer: 'yes' }
  return answerOf(find([subset, complementOf(superset)]))
}

/** Returns the answer of a search for what is in one set and not in another. */
export function answerOf(result: Found): SubsetAnswer {
  switch (result.is) {
    case 'none':
      return { answer: 'yes' }
    case 'value':
      return { answer: 'no', witness: result.value }
    case 'unknown': {
      const { is: _, ...reason } = result
      return { answer: 'unknown', ...reason }
    }
  }
}

// Each level takes some frames of the stack.
const mostLevels = 150

interface Proof {
  /** Results by pair of sets. A pair that leads to itself holds, because values end. */
  readonly proved: Map<string, boolean>
  /** The pairs that hold if those before them do. */
  readonly trail: string[]
  level: number
}

/**
 * Tells whether the keywords of one set plainly imply those of another, name by name. `false` says
 * that they do not show it, and a search has to tell.
 *
 * A memoised proof by coinduction: its work grows with the number of pairs, where a search grows
 * with the number of ways.
 */
function isImplied(subset: ValueSet, superset: ValueSet): boolean {
  return implies(subset, superset, { proved: new Map(), trail: [], level: 0 })
}

function implies(subset: ValueSet, superset: ValueSet, proof: Proof): boolean {
  if (subset.key === superset.key || subset.key === noValue.key) return true
  const pair = `${subset.key}\n${superset.key}`
  const before = proof.proved.get(pair)
  if (before !== undefined) return before
  if (proof.level >= mostLevels) return false
  const start = proof.trail.length
  proof.proved.set(pair, true)
  proof.trail.push(pair)
  proof.level++
  const answer = hasAll(subset, superset, proof)
  proof.level--
  if (answer) return true
  // What was proved with this pair falls with it.
  for (const doubted of proof.trail.splice(start)) proof.proved.delete(doubted)
  proof.proved.set(pair, false)
  return false
}

function hasAll(subset: ValueSet, superset: ValueSet, proof: Proof): boolean {
  const conditions = conditionsOf(subset)
  const { values } = conditions
  if (values !== undefined) return values.every((value) => accepts(superset, value) === true)
  return superset.keywords().every((keyword) => holds(keyword, { subset, conditions, proof }))
}

interface Claims {
  readonly subset: ValueSet
  readonly conditions: SetConditions
  readonly proof: Proof
}

function holds(keyword: Keyword, claims: Claims): boolean {
  const { subset, conditions, proof } = claims
  if (isTyped(keyword)) return holdsTyped(keyword, claims)
  switch (keyword.kind) {
    case 'types':
      return conditions.types?.every((type) => keyword.types.includes(type)) ?? false
    case 'all':
      return keyword.sets.every((set) => implies(subset, set, proof))
    case 'any':
      return (
        keyword.sets.some((set) => implies(subset, set, proof)) ||
        choicesIn(conditions).some((sets) =>
          sets.every((choice) => keyword.sets.some((set) => implies(choice, set, proof))),
        )
      )
    case 'one':
      return holdsOne(keyword.sets, claims)
    case 'opaque':
      return false
    default:
      return conditions.has(keyword)
  }
}

function choicesIn(conditions: SetConditions): readonly (readonly ValueSet[])[] {
  return [...conditions.of('any'), ...conditions.of('one')].map(({ sets }) => sets)
}

// A constant of a member that tells the alternatives apart makes each value one of one alone.
function holdsOne(sets: readonly ValueSet[], { conditions, proof }: Claims): boolean {
  const constants = markOf(sets)
  if (constants === undefined) return false
  return choicesIn(conditions).some((choices) =>
    choices.every((choice) => {
      const name = constantIn(choice, constants.name)
      const set = name === undefined ? undefined : constants.sets.get(name)
      return set !== undefined && implies(choice, set, proof)
    }),
  )
}

interface Constants {
  readonly name: string
  readonly sets: ReadonlyMap<string, ValueSet>
}

function markOf(sets: readonly ValueSet[]): Constants | undefined {
  const [first] = sets
  if (first === undefined) return undefined
  for (const name of conditionsOf(first).required) {
    const marks = sets.map((set) => [constantIn(set, name), set] as const)
    const named = new Map(marks.flatMap(([mark, set]) => (mark === undefined ? [] : [[mark, set]])))
    if (named.size === sets.length) return { name, sets: named }
  }
  return undefined
}

// Every value of the set is an object that has this constant.
function constantIn(set: ValueSet, name: string): string | undefined {
  const { types, required, of } = conditionsOf(set)
  if (types?.join() !== 'object' || !required.has(name)) return undefined
  for (const { members } of of('members')) {
    const member = members.properties.get(name)
    const values = member === undefined ? undefined : conditionsOf(member).values
    if (values?.length === 1) return JSON.stringify(values[0])
  }
  return undefined
}

function holdsTyped(keyword: TypedKeyword, { conditions, proof }: Claims): boolean {
  const { of, required, types, has } = conditions
  if (types !== undefined && !types.includes(typeOfKeyword(keyword))) return true
  switch (keyword.kind) {
    case 'minimum':
    case 'maximum': {
      const sign = keyword.kind === 'minimum' ? 1 : -1
      return of(keyword.kind).some(({ limit, isExclusive }) => {
        const distance = sign * (limit - keyword.limit)
        return distance > 0 || (distance === 0 && (isExclusive || !keyword.isExclusive))
      })
    }
    case 'multipleOf':
      return of('multipleOf').some(({ divisor }) => isMultiple(divisor, keyword.divisor))
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return keyword.count === 0 || of(keyword.kind).some(({ count }) => count >= keyword.count)
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return of(keyword.kind).some(({ count }) => count <= keyword.count)
    case 'required':
      return required.has(keyword.name)
    case 'members':
      return of('members').some(({ members }) => hasMembers(members, keyword.members, proof))
    case 'elements':
      return of('elements').some((elements) => hasElements(elements, keyword, proof))
    case 'names':
      return of('names').some(({ set }) => implies(set, keyword.set, proof))
    default:
      return has(keyword)
  }
}

function hasMembers(subset: Members, superset: Members, proof: Proof): boolean {
  // Names of patterns overlap with others, so they are compared word for word.
  const isPlain = subset.patterns.length === 0 && superset.patterns.length === 0
  if (!isPlain) return false
  for (const [name, set] of superset.properties) {
    const narrow = subset.properties.get(name) ?? subset.additional
    if (!(narrow === undefined ? set.keywords().length === 0 : implies(narrow, set, proof)))
      return false
  }
  const { additional } = superset
  if (additional === undefined) return true
  if (subset.additional === undefined || !implies(subset.additional, additional, proof))
    return false
  return [...subset.properties].every(
    ([name, set]) => superset.properties.has(name) || implies(set, additional, proof),
  )
}

type Elements = Pick<KeywordOf<'elements'>, 'first' | 'additional'>

function hasElements(subset: Elements, superset: Elements, proof: Proof): boolean {
  const length = Math.max(subset.first.length, superset.first.length)
  for (let index = 0; index <= length; index++) {
    const narrow = subset.first[index] ?? subset.additional
    const set = superset.first[index] ?? superset.additional
    if (set === undefined || set.keywords().length === 0) continue
    if (narrow === undefined || !implies(narrow, set, proof)) return false
  }
  return true
}

/** The keywords that each value of a set meets, by their kinds. */
interface SetConditions {
  readonly of: <Kind extends Keyword['kind']>(kind: Kind) => readonly KeywordOf<Kind>[]
  readonly required: ReadonlySet<string>
  /** The types that the values may have; `undefined` for any. */
  readonly types: readonly JsonType[] | undefined
  /** The values, where the set lists them. */
  readonly values: readonly Json[] | undefined
  /** Tells whether a keyword stands there word for word. */
  readonly has: (keyword: Keyword) => boolean
}

const conditionsBySet = new WeakMap<ValueSet, SetConditions>()

/** Returns the keywords of a set, and of all sets that it is within. */
function conditionsOf(set: ValueSet): SetConditions {
  const before = conditionsBySet.get(set)
  if (before !== undefined) return before
  const conditions = readConditions(set)
  conditionsBySet.set(set, conditions)
  return conditions
}

function readConditions(valueSet: ValueSet): SetConditions {
  const byKind = new Map<Keyword['kind'], Keyword[]>()
  const sets = new Set([valueSet])
  // Grows while it is read.
  for (const set of sets) {
    for (const keyword of set.keywords()) {
      if (keyword.kind === 'all') for (const inner of keyword.sets) sets.add(inner)
      byKind.set(keyword.kind, [...(byKind.get(keyword.kind) ?? []), keyword])
    }
  }
  const of: SetConditions['of'] = <Kind extends Keyword['kind']>(kind: Kind) =>
    (byKind.get(kind) ?? []) as KeywordOf<Kind>[]
  let keys: ReadonlySet<string> | undefined
  const has = (keyword: Keyword) => {
    keys ??= new Set([...byKind.values()].flat().map((keyword) => setOf(keyword).key))
    return keys.has(setOf(keyword).key)
  }
  return {
    of,
    has,
    required: new Set(of('required').map(({ name }) => name)),
    types: of('types')[0]?.types,
    values: of('values')[0]?.values,
  }
}
