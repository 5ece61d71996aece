import type { Deprecation } from '../resource/lifecycle.ts'
import type { Resource } from '../resource/resource.ts'

interface Mounted {
  readonly version: string
  readonly path: string
  readonly resource: Resource
  /** Outermost first. */
  readonly ancestors: readonly {
    readonly resource: Resource
    readonly deprecation: Deprecation | undefined
  }[]
}

/** Returns the announced end of a path: its own, that of the nearest parent, or its version's. */
export function deprecationOf(
  { version, path, ancestors }: Mounted,
  rows: ReadonlyMap<string, Deprecation>,
): Deprecation | undefined {
  return rows.get(version + path) ?? ancestors.at(-1)?.deprecation ?? rows.get(version)
}

/**
 * Returns the collection of another version that has the same items below the same parents, as the
 * bases tell; `undefined` for none or several.
 */
export function successorOf<Candidate extends Mounted>(
  collection: Mounted,
  collections: readonly Candidate[],
  version: string | undefined,
): Candidate | undefined {
  const chain = baseChain(collection)
  const [successor, ...more] = collections.filter(
    (candidate) => candidate.version === version && isSameChain(baseChain(candidate), chain),
  )
  return more.length > 0 ? undefined : successor
}

function baseChain({ resource, ancestors }: Mounted): readonly Resource[] {
  return [...ancestors.map((ancestor) => ancestor.resource.base), resource.base]
}

function isSameChain(chain: readonly Resource[], expected: readonly Resource[]): boolean {
  return chain.length === expected.length && chain.every((base, depth) => base === expected[depth])
}
