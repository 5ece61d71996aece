import type { Revealed } from '../contract/declare/reveal.ts'
import type { Target } from '../contract/resource/api.ts'
import type { Operation, Outcome, Query } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import type { Caller } from '../contract/values/caller.ts'
import type { ProblemError } from '../convention/problem.ts'
import type { Conditions } from '../wire/conditions.ts'
import type { Draft } from './checks/body.ts'
import type { Changes, flow } from './flow.ts'
import type { Lifetime } from './lifetime/lifetime.ts'
import type { PathId } from './operations.ts'
import type { Plan } from './plan.ts'

/**
 * A request with everything that is known of it so far. A step reads it, and returns what changes.
 * Only {@link flow} writes to one.
 */
export interface Task {
  readonly plan: Plan
  /** The steps of a request, in order; a step with nothing to do is left out. */
  readonly way: ReturnType<typeof flow<Task>>
  readonly lifetime: Lifetime
  readonly target: Target
  /** The query as the client wrote it: percent-encoded, without the `?`. */
  readonly search: string
  /** The parents' ids, outermost first. */
  readonly parentIds: readonly PathId[]
  readonly operation: Operation
  readonly conditions: Conditions
  /**
   * The query as the client sent it, to which a cursor belongs. `undefined`: the operation has it.
   */
  readonly sentQuery: Query | undefined
  /** The cursor as the client sent it. */
  readonly cursor: string | undefined
  /** The problem of parameters or headers. Authorization comes before it. */
  readonly fault: ProblemError | undefined
  /** As the registry made it for this request. */
  readonly context: unknown
  /** The scope of the caller; no field where the registry has no `.scope()`. */
  readonly caller: Caller
  /** The restricted fields that the caller sees. */
  readonly revealed: Revealed
  /** The body, validated: one draft an item. */
  readonly drafts: readonly Draft[]
  /** The new item of a request with a key, and the id that the key becomes. */
  readonly keyed: { readonly id: string; readonly draft: Draft } | undefined
  /** The item that an earlier request with the same key created; `undefined` for none. */
  readonly replayed: Item | undefined
  /** The checked result of the adapter or of a middleware; a placeholder until then. */
  readonly outcome: Outcome
  /** The items that references name, for `include`; the screen looks through them. */
  readonly included: readonly Included[]
}

/** What a step changes of its task; `undefined` for nothing. */
export type TaskChanges = Changes<Task>

/** The items of one reference, by id. */
interface Included {
  readonly reference: Plan['references'][number]
  /** `undefined` for an item that the client may not read. */
  readonly items: ReadonlyMap<unknown, object | undefined>
}
