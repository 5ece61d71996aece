import { reachableFrom, type States } from '../../contract/resource/states.ts'
import { type Issue, problem } from '../../convention/problem.ts'
import { fieldOf, isSame } from '../../convention/value.ts'
import { issueAt } from '../../wire/issues.ts'

/**
 * Returns the states that a changed item could have moved to, if it moves to none of them;
 * `undefined` where the move is allowed. The same state is no move.
 */
export function statesMissed(
  states: States,
  stored: object,
  item: object,
): readonly string[] | undefined {
  const [from, to] = [stored, item].map((each) => fieldOf(each, states.field) ?? undefined)
  if (isSame(from, to)) return undefined
  const allowed = reachableFrom(from, states)
  return allowed.some((state) => state === to) ? undefined : allowed
}

/** Makes the issue of a move that the contract does not allow. */
export function issueOfMove(
  at: readonly PropertyKey[],
  field: string,
  allowed: readonly string[],
): Issue {
  const next = allowed.length > 0 ? `, or become ${allowed.join(' or ')}` : ''
  const message = `must stay as it is${next}`
  return { ...issueAt(at, field, { code: 'state', message }), allowed }
}

/** Changed items, and where each stands in the body. */
interface ChangedItems {
  readonly items: readonly object[]
  readonly drafts: readonly { readonly at: readonly PropertyKey[] }[]
}

/**
 * Compares the states of changed items with the stored ones, after all other checks of the items.
 *
 * @throws {ProblemError} `conflict` with an issue for each draft at fault.
 * @see docs/requests.md, C3.15
 */
export function judgeMoves(
  states: States,
  stored: readonly unknown[],
  { items, drafts }: ChangedItems,
): void {
  const issues = drafts.flatMap(({ at }, index) => {
    const allowed = statesMissed(states, Object(stored[index]), Object(items[index]))
    return allowed === undefined ? [] : issueOfMove(at, states.field, allowed)
  })
  if (issues.length > 0) throw problem('conflict', undefined, { issues })
}
