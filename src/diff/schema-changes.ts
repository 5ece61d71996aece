import type { SchemaChange } from './change.ts'
import { startComparison } from './changes/comparison.ts'
import { reportChange } from './changes/proof.ts'
import { walk } from './changes/walk.ts'
import { depthOf } from './depth.ts'
import { tooDeep } from './sets/find.ts'
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
export function compareSchemas({ side, ...pair }: SchemaPair): readonly SchemaChange[] {
  if (depthOf(pair.old) > mostLevels || depthOf(pair.new) > mostLevels) return [deep(side)]
  const [old, after] = [unshared(pair.old), unshared(pair.new)]
  const changes: SchemaChange[] = []
  const comparison = startComparison(side, { old, new: after }, (change) => {
    changes.push(change)
  })
  const place = { steps: [], around: { sets: [], isFree: true }, old, new: after }
  walk(place, comparison)
  if (changes.some(({ verdict }) => verdict !== 'fine')) return changes
  const [left, right] =
    side === 'request' ? [comparison.old, comparison.new] : [comparison.new, comparison.old]
  // Alternatives with declared fields alone overlap less than those that the letter says.
  const sent = setOf({
    kind: 'all',
    sets: [left.knownSet(left.schema), left.plainSet(left.schema)],
  })
  const taken = right.knownSet(right.schema)
  const answer = isInside(sent, taken, comparison.find)
  const rule = side === 'request' ? 'narrowed' : 'widened'
  if (answer.answer !== 'yes')
    reportChange(place, { rule, verdict: 'breaking', answer, from: null, to: null }, comparison)
  return changes
}

// More levels of JSON than a body may have, and fewer than the stack takes.
const mostLevels = 400

function deep(side: SchemaPair['side']): SchemaChange {
  const rule = side === 'request' ? 'narrowed' : 'widened'
  return { rule, at: '', from: null, to: null, verdict: 'depends', because: tooDeep }
}

// Objects that a schema holds at two places are two schemas, as in its text.
function unshared(schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema))
}
