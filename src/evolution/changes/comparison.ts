import type { Json } from '../../model/schema.ts'
import type { SchemaChange, Verdict } from '../change.ts'
import { accepts } from '../sets/accepts.ts'
import { readDocument, type SchemaDocument } from '../sets/document.ts'
import { createFind } from '../sets/find.ts'
import { readSet, readSetIn } from '../sets/read-set.ts'
import { type FindValue, setOf, type ValueSet } from '../sets/value-set.ts'
import { isInside, type SubsetAnswer } from '../subset.ts'
import { rewrite } from './declared-only.ts'
import type { FacetRules } from './facets.ts'
import { textOf, type ValueStep, withinSteps } from './steps.ts'

/** The old schema or the new one. */
export interface SchemaSource {
  readonly schema: object
  readonly document: SchemaDocument
}

/** Two schemas of one place, and what their comparison needs. */
export interface PairComparison {
  readonly side: 'request' | 'item'
  readonly old: SchemaSource
  readonly new: SchemaSource
  readonly find: FindValue
  /** The pairs of schemas around the place: a schema may hold itself. */
  readonly under: Set<string>
  /** Adds a change. */
  readonly add: (change: SchemaChange) => void
}

/** A place in the values of both schemas. */
export interface SchemaPlace {
  readonly steps: readonly ValueStep[]
  readonly old: unknown
  readonly new: unknown
}

/** Starts a comparison. */
export function startComparison(
  side: PairComparison['side'],
  schemas: { readonly old: object; readonly new: object },
  add: PairComparison['add'],
): PairComparison {
  const sourceOf = (schema: object) => ({ schema, document: readDocument(schema) })
  const sources = { old: sourceOf(schemas.old), new: sourceOf(schemas.new) }
  return { side, ...sources, find: createFind(), under: new Set(), add }
}

/** Returns the set of a part of the old or the new schema, as a client knows it. */
export function knownSet(
  part: unknown,
  { document }: SchemaSource,
  comparison: PairComparison,
): ValueSet {
  const isLeft = (comparison.side === 'request') === (document === comparison.old.document)
  // Lax bodies drop a field that they do not declare; a strict one has a rule of its own.
  const written = rewrite(Object(part), document, isLeft ? 'left out' : 'let through')
  return readSet({ ...(part === false ? { not: {} } : written) })
}

/** Returns the set of a part of a schema with no fields but declared ones. */
export function declaredSet(part: unknown, { document }: SchemaSource): ValueSet {
  return readSet({ ...rewrite(Object(part), document, 'left out') })
}

/** Returns the set of a part of a schema as it stands. */
export function plainSet(part: unknown, { document }: SchemaSource): ValueSet {
  return readSetIn(document)(part)
}

/** A part of both sides to compare, and the rules that name its change. */
export interface Compared {
  /** The whole values of the place, as a client knows them. */
  readonly whole: { readonly old: ValueSet; readonly new: ValueSet }
  /** The claims of each side about this part. */
  readonly part: { readonly old: ValueSet; readonly new: ValueSet }
  readonly rules: FacetRules
  readonly from: Json
  readonly to: Json
}

/** Compares one part of both sides, and adds its change where it has an effect. */
export function comparePart(
  place: SchemaPlace,
  compared: Compared,
  comparison: PairComparison,
): void {
  const { whole, part, rules } = compared
  if (part.old.key === part.new.key) return
  const { find, side } = comparison
  const narrowed = isInside(whole.old, part.new, find)
  const widened = isInside(whole.new, part.old, find)
  const decisive = side === 'request' ? narrowed : widened
  const reverse = side === 'request' ? widened : narrowed
  if (decisive.answer === 'yes' && reverse.answer !== 'no') return
  const isOneWay = reverse.answer !== 'no' || decisive.answer === 'yes'
  const way = narrowed.answer === 'yes' ? 'widened' : 'narrowed'
  const [rule, verdict] = rules[isOneWay ? way : 'changed']
  reportChange(place, { rule, verdict, answer: decisive, ...compared }, comparison)
}

/** A change to be proved. */
export interface Reported {
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
    const whole = guess === undefined ? undefined : wholeOf(place, guess, { comparison, kind })
    const witness = whole?.value === undefined ? {} : { witness: { value: whole.value } }
    return { verdict: 'depends', because, ...witness }
  }
  const { value, isTaken } = wholeOf(place, answer.witness, { comparison, kind })
  if (isTaken) return { verdict: 'fine', because: 'another alternative has the value' }
  if (value !== undefined) return { verdict, witness: { value } }
  const because = 'no whole value that shows the break was found'
  return { verdict: 'depends', because }
}

interface Proving {
  readonly comparison: PairComparison
  readonly kind: Reported['kind']
}

// A value of the left side that has the witness at its place, and whether the right side has it.
function wholeOf(
  place: SchemaPlace,
  witness: Json,
  { comparison, kind }: Proving,
): { readonly value?: Json | undefined; readonly isTaken?: boolean } {
  const { side, find } = comparison
  const [left, right] =
    side === 'request' ? [comparison.old, comparison.new] : [comparison.new, comparison.old]
  const setOfSide = (source: SchemaSource) =>
    kind === 'undeclared'
      ? plainSet(source.schema, source)
      : knownSet(source.schema, source, comparison)
  const probe = withinSteps(place.steps, setOf({ kind: 'values', values: [witness] }))
  const found = find([setOfSide(left), probe])
  // A guess that the left side excludes shows nothing.
  const isGuess = found.is === 'unknown' && found.guess !== undefined
  if (isGuess && accepts(setOfSide(left), found.guess) !== false) return { value: found.guess }
  if (found.is !== 'value') return {}
  const isTaken = kind !== 'lost' && accepts(setOfSide(right), found.value) === true
  return { value: found.value, isTaken }
}

/** Returns a node as a JSON value, for people. */
export function asJson(value: unknown): Json {
  return value === undefined ? null : (value as Json)
}
