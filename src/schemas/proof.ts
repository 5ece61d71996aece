import type { Json } from '../contract/schema/schema.ts'
import { accepts } from '../sets/accepts.ts'
import { isInside, type SubsetAnswer } from '../sets/subset.ts'
import { type FindValue, setOf, type ValueSet } from '../sets/value-set.ts'
import { type FacetRules, type SchemaChange, type Verdict, verdictOf } from './change.ts'
import {
  type PairComparison,
  type SchemaPlace,
  type SchemaSource,
  textOf,
  type ValueStep,
  withinSteps,
} from './comparison.ts'

/** A part of both sides to compare, and the rules that name its change. */
interface Compared {
  /** The whole values of the place, as a client knows them. */
  readonly sets: { readonly old: ValueSet; readonly new: ValueSet }
  /** The claims of each side about this part. */
  readonly facet: { readonly old: ValueSet; readonly new: ValueSet }
  readonly rules: FacetRules
  /** The verdict of an item with more values. */
  readonly doubt?: Verdict
  readonly from: Json
  readonly to: Json
}

/** Compares one part of both sides, and adds its change where it has an effect. */
export function comparePart(
  place: SchemaPlace,
  compared: Compared,
  comparison: PairComparison,
): void {
  const { sets, facet, rules, doubt } = compared
  if (facet.old.key === facet.new.key) return
  const { find, side } = comparison
  const narrowed = isPartInside(sets.old, facet.new, find)
  const widened = isPartInside(sets.new, facet.old, find)
  const decisive = side === 'request' ? narrowed : widened
  const reverse = side === 'request' ? widened : narrowed
  if (decisive.answer === 'yes' && reverse.answer !== 'no') return
  const isOneWay = reverse.answer !== 'no' || decisive.answer === 'yes'
  const way = !isOneWay ? 'changed' : narrowed.answer === 'yes' ? 'widened' : 'narrowed'
  const verdict = verdictOf(side, way, doubt)
  reportChange(place, { rule: rules[way], verdict, answer: decisive, ...compared }, comparison)
}

/** Tells whether each value of a set is in another. It tries the first value before it searches. */
export function isPartInside(
  subset: ValueSet,
  facetSuperset: ValueSet,
  find: FindValue,
): SubsetAnswer {
  if (facetSuperset.keywords().length === 0) return { answer: 'yes' }
  const first = find([subset])
  if (first.is === 'value' && accepts(facetSuperset, first.value) === false)
    return { answer: 'no', witness: first.value }
  return isInside(subset, facetSuperset, find)
}

/** A change to be proved. */
interface Reported {
  readonly rule: string
  readonly verdict: Verdict
  readonly answer: SubsetAnswer
  /**
   * `lost`: the right side takes the value, and drops a part of it. `undeclared`: the value has a
   * field that the left side does not declare.
   */
  readonly kind?: 'lost' | 'undeclared' | undefined
  readonly from: Json
  readonly to: Json
}

/** Adds a change, with a whole value that proves a break. */
export function reportChange(
  place: SchemaPlace,
  reported: Reported,
  comparison: PairComparison,
): void {
  const { rule, from, to } = reported
  comparison.add({
    rule,
    at: textOf(place.steps),
    from,
    to,
    ...proofOf(place, reported, comparison),
  })
}

type Proof = Pick<SchemaChange, 'verdict' | 'witness' | 'because'>

function proofOf(place: SchemaPlace, reported: Reported, comparison: PairComparison): Proof {
  const { verdict, answer, kind } = reported
  if (verdict === 'fine' || answer.answer === 'yes') return { verdict: 'fine' }
  if (answer.answer === 'unknown') {
    const { because, guess } = answer
    const example = guess === undefined ? {} : wholeOf(place, guess, { comparison, kind })
    const witness = example.witness === undefined ? {} : { witness: example.witness }
    return { verdict: 'depends', because, ...witness }
  }
  const { witness, isTaken, isLong } = wholeOf(place, answer.witness, { comparison, kind })
  if (isTaken) return { verdict: 'fine', because: 'another alternative has the value' }
  if (witness !== undefined) return { verdict, witness }
  if (isLong) return { verdict, because: 'the value that shows it is too long' }
  const because = 'no whole value that shows the break was found'
  return { verdict: 'depends', because }
}

interface Proving {
  readonly comparison: PairComparison
  readonly kind: Reported['kind']
}

interface WholeValue {
  readonly witness?: SchemaChange['witness']
  /** The right side has the value too. */
  readonly isTaken?: boolean
  /** The value is longer than anybody would read. */
  readonly isLong?: boolean
}

// A value of the left side that has the witness at its place.
function wholeOf(place: SchemaPlace, witness: Json, proving: Proving): WholeValue {
  if (!isShowable(witness)) return { isLong: true }
  const { comparison, kind } = proving
  const { around, steps } = place
  if (around === undefined || kind === 'undeclared') return searchWhole(place, witness, proving)
  const bases = basesOf(steps, around.sets, comparison.find)
  if (bases === undefined) return searchWhole(place, witness, proving)
  if (!bases.every(isShowable)) return { isLong: true }
  const build = () => placed(steps, bases, witness)
  if (around.isFree) return { witness: lazyWitness(build) }
  const value = build()
  const [subset, superset] = sidesOf(comparison)
  if (accepts(subset.knownSet(subset.schema), value) !== true)
    return searchWhole(place, witness, proving)
  const isTaken = kind !== 'lost' && accepts(superset.knownSet(superset.schema), value) === true
  // Other values around the witness may not be taken.
  return isTaken ? searchWhole(place, witness, proving) : { witness: { value } }
}

/** Returns the side that has to be within the other, and the other. */
export function sidesOf({
  side,
  old,
  new: after,
}: PairComparison): readonly [subset: SchemaSource, superset: SchemaSource] {
  return side === 'request' ? [old, after] : [after, old]
}

// A thousand changes of an object of a thousand fields: each value is made where it is read.
function lazyWitness(build: () => Json): NonNullable<SchemaChange['witness']> {
  return {
    get value() {
      return build()
    },
  }
}

function basesOf(
  steps: readonly ValueStep[],
  sets: readonly ValueSet[],
  find: FindValue,
): readonly Json[] | undefined {
  const bases: Json[] = []
  for (const [index, set] of sets.entries()) {
    const type = steps[index]?.to === 'member' ? objects : lists
    const result = find([set, type])
    if (result.is !== 'value') return undefined
    bases.push(result.value)
  }
  return bases
}

const objects = setOf({ kind: 'types', types: ['object'] })
const lists = setOf({ kind: 'types', types: ['array'] })

function placed(steps: readonly ValueStep[], bases: readonly Json[], witness: Json): Json {
  return bases.reduceRight<Json>((inner, base, index) => {
    const step = steps[index]
    if (step?.to === 'member') return withMember(base, step.name, inner)
    return Array.isArray(base) && base.length > 0 ? base.with(0, inner) : [inner]
  }, witness)
}

// A search through the whole schema, where a step alone does not tell.
function searchWhole(
  { steps }: SchemaPlace,
  witness: Json,
  { comparison, kind }: Proving,
): WholeValue {
  const { find } = comparison
  const [subset, superset] = sidesOf(comparison)
  const setOfSide = ({ schema, plainSet, knownSet }: SchemaSource) =>
    (kind === 'undeclared' ? plainSet : knownSet)(schema)
  const leftSet = setOfSide(subset)
  const result = find([leftSet, withinSteps(steps, setOf({ kind: 'values', values: [witness] }))])
  // A guess that the left side excludes shows nothing.
  const isGuess = result.is === 'unknown' && result.guess !== undefined
  if (isGuess && accepts(leftSet, result.guess) !== false) return showable(result.guess)
  if (result.is !== 'value') return {}
  const isTaken = kind !== 'lost' && accepts(setOfSide(superset), result.value) === true
  return { ...showable(result.value), isTaken }
}

function showable(value: Json): WholeValue {
  return isShowable(value) ? { witness: { value } } : { isLong: true }
}

// A value of schemas that share parts may have 2^n parts.
const mostParts = 20_000

const sizes = new WeakMap<object, number>()

/** Tells whether a value has few enough parts to be shown. */
function isShowable(value: Json): boolean {
  return sizeOf(value) <= mostParts
}

/** Returns an object with one member more, or another one: also `__proto__`. */
export function withMember(object: Json, name: string, member: Json): Json {
  const members = new Map<string, Json>(Object.entries(Object(object)))
  return Object.fromEntries(members.set(name, member))
}

function sizeOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1
  const cached = sizes.get(value)
  if (cached !== undefined) return cached
  const size = Object.values(value).reduce<number>((sum, child) => sum + sizeOf(child), 1)
  sizes.set(value, size)
  return size
}
