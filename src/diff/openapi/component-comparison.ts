import type { SchemaChange } from '../change.ts'
import type { JsonObject } from '../snapshot.ts'
import { cutSchema } from './cut-schema.ts'
import type { SchemaUse } from './normalise-schema.ts'
import type { OwnedPair } from './schema-book.ts'

/** Two schemas that need no other text, and their use. */
export interface ClosedPair {
  readonly old: JsonObject
  readonly new: JsonObject
  readonly use: SchemaUse
}

/** A change of a component, or of the schema itself. */
interface ComponentChange extends SchemaChange {
  /** `undefined` for the schema itself. */
  readonly component: string | undefined
}

/** Compares the schemas at a place component by component, for many components. */
export type CompareComponents = (pair: OwnedPair, use: SchemaUse) => readonly ComponentChange[]

interface Part {
  readonly changes: readonly ComponentChange[]
  /** The components to compare next. */
  readonly stubs: ReadonlySet<string>
}

const because = 'The schema has too many components to show a whole value.'

/**
 * Makes the comparison of schemas with many components. It compares each component once, so that
 * its time grows with their number, and not with the ways from one to another.
 */
export function createComponentComparison(
  compare: (pair: ClosedPair) => readonly SchemaChange[],
): CompareComponents {
  const known = new Map<string, Part>()
  return (pair, use) => {
    const common = new Set(
      [...pair.old.components.keys()].filter((name) => pair.new.components.has(name)),
    )
    const signature = [use, ...[...common].sort()].join('\n')
    const partOf = (component: string): Part => {
      const key = `${signature}\n\n${component}`
      const part = known.get(key) ?? comparePart({ pair, common, use, component }, compare)
      known.set(key, part)
      return part
    }
    const own = comparePart({ pair, common, use, component: undefined }, compare)
    const waiting = [...own.stubs]
    const seen = new Set(waiting)
    const changes = [...own.changes]
    for (const name of waiting) {
      const part = partOf(name)
      changes.push(...part.changes)
      for (const stub of part.stubs) {
        if (!seen.has(stub)) waiting.push(stub)
        seen.add(stub)
      }
    }
    return changes
  }
}

interface PlacedPart {
  readonly pair: OwnedPair
  readonly common: ReadonlySet<string>
  readonly use: SchemaUse
  readonly component: string | undefined
}

function comparePart(
  { pair, common, use, component }: PlacedPart,
  compare: (pair: ClosedPair) => readonly SchemaChange[],
): Part {
  const cutOf = ({ schema, components }: OwnedPair['old']) => {
    const own = component === undefined ? schema : (components.get(component)?.schema ?? {})
    return cutSchema(own, { components, common })
  }
  const old = cutOf(pair.old)
  const next = cutOf(pair.new)
  const found = compare({ old: old.schema, new: next.schema, use })
  return {
    stubs: new Set([...old.stubs, ...next.stubs]),
    // A stub is in no value of the API.
    changes: found.map(({ witness: _, ...change }) => ({
      ...(change.verdict === 'fine' ? {} : { because }),
      ...change,
      component,
    })),
  }
}
