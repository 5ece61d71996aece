import type { Json } from '../../contract/schema/schema.ts'
import { fieldOf, isSame } from '../../convention/value.ts'
import type { Verdict } from '../change.ts'
import type { PairComparison } from './comparison.ts'

/** Names the change of a default: the same body makes another item. */
export function compareDefault(
  at: string,
  nodes: { readonly old: object; readonly new: object },
  { side, add }: Pick<PairComparison, 'side' | 'add'>,
): void {
  const [old, after] = [fieldOf(nodes.old, 'default'), fieldOf(nodes.new, 'default')]
  if (isSame(old, after)) return
  const rule =
    old === undefined
      ? 'default-added'
      : after === undefined
        ? 'default-removed'
        : 'default-changed'
  const verdict: Verdict = side === 'request' ? 'depends' : 'fine'
  add({ rule, at, from: (old ?? null) as Json, to: (after ?? null) as Json, verdict })
}
