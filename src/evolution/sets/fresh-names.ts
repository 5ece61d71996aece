import type { FindValue, Keyword, Members, ValueSet } from './value-set.ts'
import { setOf } from './value-set.ts'

/** What names the members of an object. */
export interface Naming {
  readonly members: readonly Members[]
  readonly names: readonly ValueSet[]
  readonly find: FindValue
}

// Each doubles the kinds of names.
const mostPatterns = 4

/** Names that no keyword mentions: one of each kind. */
export interface FreshNames {
  readonly names: readonly string[]
  /** Every kind of name has one. */
  readonly isComplete: boolean
}

/**
 * Returns a name that is not mentioned for each set of patterns that it can match: the patterns
 * that it matches say in which sets its member must be.
 */
export function freshNames(mentioned: ReadonlySet<string>, naming: Naming): FreshNames {
  const all = naming.members.flatMap(({ patterns }) => patterns.map(([source]) => source))
  const patterns = [...new Set(all)]
  const known = patterns.slice(0, mostPatterns)
  let isComplete = known.length === patterns.length
  const names: string[] = []
  for (let matched = 0; matched < 2 ** known.length; matched++) {
    const keywords = known.map(
      (source, index): Keyword => ({
        kind: (matched >> index) % 2 === 1 ? 'pattern' : 'notPattern',
        source,
      }),
    )
    const found = naming.find([
      setOf({ kind: 'types', types: ['string'] }, ...keywords, {
        kind: 'notValues',
        values: [...mentioned],
      }),
      ...naming.names,
    ])
    if (found.is === 'value') names.push(String(found.value))
    if (found.is === 'unknown') isComplete = false
  }
  return { names, isComplete }
}
