import type { Json } from '../../contract/schema/schema.ts'
import { type JsonType, type Keyword, setOf, type ValueSet } from './value-set.ts'

/** The keywords that each value of a set meets, by their kinds. */
export interface SetConditions {
  readonly of: <Kind extends Keyword['kind']>(kind: Kind) => readonly KeywordOf<Kind>[]
  readonly required: ReadonlySet<string>
  /** The types that the values may have; `undefined` for any. */
  readonly types: readonly JsonType[] | undefined
  /** The values, where the set lists them. */
  readonly values: readonly Json[] | undefined
  /** Tells whether a keyword stands there word for word. */
  readonly has: (keyword: Keyword) => boolean
}

/** A keyword of a kind. */
export type KeywordOf<Kind extends Keyword['kind']> = Keyword & { readonly kind: Kind }

const known = new WeakMap<ValueSet, SetConditions>()

/** Returns the keywords of a set, and of all sets that it is within. */
export function conditionsOf(set: ValueSet): SetConditions {
  const before = known.get(set)
  if (before !== undefined) return before
  const conditions = readConditions(set)
  known.set(set, conditions)
  return conditions
}

function readConditions(whole: ValueSet): SetConditions {
  const byKind = new Map<Keyword['kind'], Keyword[]>()
  const sets = new Set([whole])
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
    keys ??= new Set([...byKind.values()].flat().map((one) => setOf(one).key))
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
