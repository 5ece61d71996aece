import type { SchemaChange } from './change.ts'
import { knownSet, plainSet, reportChange, startComparison } from './changes/comparison.ts'
import { walk } from './changes/walk.ts'
import { setOf } from './sets/value-set.ts'
import type { JsonObject } from './snapshot.ts'
import { isInside } from './subset.ts'

/** Two JSON Schemas of the same body, or of the same item. */
export interface SchemaPair {
  readonly old: JsonObject
  readonly new: JsonObject
  /** `request`: old clients send it, so the old must be within the new. `item`: the reverse. */
  readonly side: 'request' | 'item'
}

/**
 * Compares two JSON Schemas as sets, and names each change by a rule.
 *
 * Clients send declared fields alone, and ignore fields that they do not know. A change that no
 * finer rule names is `narrowed` (of a body) or `widened` (of an item).
 */
export function compareSchemas({ old, new: after, side }: SchemaPair): readonly SchemaChange[] {
  const changes: SchemaChange[] = []
  const comparison = startComparison(side, { old, new: after }, (change) => {
    changes.push(change)
  })
  const place = { steps: [], old, new: after }
  walk(place, comparison)
  if (changes.some(({ verdict }) => verdict !== 'fine')) return changes
  const [left, right] =
    side === 'request' ? [comparison.old, comparison.new] : [comparison.new, comparison.old]
  // Alternatives with declared fields alone overlap less than those that the letter says.
  const sent = setOf({
    kind: 'all',
    sets: [knownSet(left.schema, left, comparison), plainSet(left.schema, left)],
  })
  const taken = knownSet(right.schema, right, comparison)
  const answer = isInside(sent, taken, comparison.find)
  const rule = side === 'request' ? 'narrowed' : 'widened'
  if (answer.answer !== 'yes')
    reportChange(place, { rule, verdict: 'breaking', answer, from: null, to: null }, comparison)
  return changes
}
