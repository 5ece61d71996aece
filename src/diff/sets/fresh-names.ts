import { complementOf, type FindValue, setOf, type ValueSet } from './value-set.ts'

/** The conditions that tell the names of members apart. */
export interface NameKinds {
  /** A member's name in one of these has other sets than one that is not. */
  readonly kinds: readonly ValueSet[]
  /** Every name is in these. */
  readonly names: readonly ValueSet[]
  readonly find: FindValue
}

/** Names that are not taken: one of each kind. */
export interface FreshNames {
  readonly names: readonly string[]
  /** Every kind of name has one. */
  readonly isComplete: boolean
}

// Each doubles the kinds of names.
const mostKinds = 5

/** Returns a name that is not taken for each combination of kinds that a name can have. */
export function freshNames(taken: ReadonlySet<string>, naming: NameKinds): FreshNames {
  const all = [...new Map(naming.kinds.map((kind) => [kind.key, kind])).values()]
  const kinds = all.slice(0, mostKinds)
  const free = setOf(
    { kind: 'types', types: ['string'] },
    { kind: 'notValues', values: [...taken] },
  )
  let isComplete = kinds.length === all.length
  const names: string[] = []
  for (let matched = 0; matched < 2 ** kinds.length; matched++) {
    const own = kinds.map((kind, index) =>
      (matched >> index) % 2 === 1 ? kind : complementOf(kind),
    )
    const found = naming.find([free, ...own, ...naming.names])
    if (found.is === 'value') names.push(String(found.value))
    if (found.is === 'unknown') isComplete = false
  }
  return { names, isComplete }
}
