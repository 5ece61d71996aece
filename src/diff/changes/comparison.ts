import type { Json } from '../../contract/schema/schema.ts'
import type { SchemaChange } from '../change.ts'
import { type ReadSet, readDocument, type SchemaDocument } from '../sets/document.ts'
import { createFind } from '../sets/find.ts'
import { readSetIn } from '../sets/read-set.ts'
import type { FindValue, ValueSet } from '../sets/value-set.ts'
import { createKnownReader } from './declared-only.ts'
import type { ValueStep } from './steps.ts'

/** The old schema or the new one, with the readers of its parts. */
export interface SchemaSource {
  readonly schema: object
  readonly document: SchemaDocument
  /** Reads a part as it stands. */
  readonly plainSet: ReadSet
  /** Reads the values of a part that a client knows. */
  readonly knownSet: ReadSet
  /** Reads a part with no fields but declared ones. */
  readonly declaredSet: ReadSet
}

/** Two schemas of one place, and what their comparison needs. */
export interface PairComparison {
  readonly side: 'request' | 'item'
  readonly old: SchemaSource
  readonly new: SchemaSource
  readonly find: FindValue
  readonly pairs: PairMemory
  /** Adds a change. */
  readonly add: (change: SchemaChange) => void
}

/** The pairs of schemas that a comparison has met. */
interface PairMemory {
  /** The pairs around the place: a schema may hold itself. */
  readonly under: Set<string>
  /** The new schemas that each old one was compared with. */
  readonly compared: Map<unknown, Set<unknown>>
  /** How many more places of compared pairs are told. */
  repeats: number
}

// Two references a level make 2^n places of one schema. So many places are enough to tell.
const mostRepeats = 1_000

/** A place in the values of both schemas. */
export interface SchemaPlace {
  readonly steps: readonly ValueStep[]
  readonly old: unknown
  readonly new: unknown
  /** What stands around the place on the left side; `undefined` where a search has to tell. */
  readonly around: Surroundings | undefined
}

/** The values of the left side around a place. */
interface Surroundings {
  /** One set for each step. */
  readonly sets: readonly ValueSet[]
  /** A value of the place, whichever it is, never makes the whole wrong. */
  readonly isFree: boolean
}

/** Starts a comparison. */
export function startComparison(
  side: PairComparison['side'],
  schemas: { readonly old: object; readonly new: object },
  add: PairComparison['add'],
): PairComparison {
  const sources = {
    old: sourceOf(schemas.old, side === 'request'),
    new: sourceOf(schemas.new, side !== 'request'),
  }
  const pairs = { under: new Set<string>(), compared: new Map(), repeats: mostRepeats }
  return { side, ...sources, find: createFind(), pairs, add }
}

// Clients send declared fields alone, and ignore other fields of items.
function sourceOf(schema: object, sends: boolean): SchemaSource {
  const document = readDocument(schema)
  const declaredSet = createKnownReader(document, 'left out')
  const knownSet = sends ? declaredSet : createKnownReader(document, 'let through')
  return { schema, document, plainSet: readSetIn(document), knownSet, declaredSet }
}

/** Returns a node as a JSON value, for people. */
export function asJson(value: unknown): Json {
  return value === undefined ? null : (value as Json)
}
