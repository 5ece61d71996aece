import type { Flowing } from '../model/awaitable.ts'
import type { UncheckedAdapter } from '../model/binding.ts'
import type { OperationKind, operations } from '../model/convention.ts'
import type { Outcome } from '../model/operation.ts'
import type { ProblemError } from '../model/problem.ts'
import type { Resource } from '../model/resource.ts'
import type { Target } from '../model/target.ts'
import type { Conditions } from '../wire/conditions.ts'
import type { Draft } from './checks/draft.ts'
import type { Lifetime } from './lifetime/lifetime.ts'
import type { RequestedOperation } from './operation.ts'

/** Everything about a kind of operation at a path that is known before any request. */
export interface Plan {
  readonly kind: OperationKind
  /** The row of the convention. */
  readonly row: (typeof operations)[OperationKind]
  readonly resource: Resource
  readonly adapter: UncheckedAdapter
  /** The adapters that read the parents, outermost first. */
  readonly parents: readonly (UncheckedAdapter | undefined)[]
  /** The registry has no context and no middleware: no step stands between path and parameters. */
  readonly isOpen: boolean
  /** A request without parameters has the plain query and no conditions. */
  readonly isPlain: boolean
  /** The steps of a request, in order; a step with nothing to do is left out. */
  readonly way: Flowing<Task>
}

/** A request with everything that is known of it so far. A step takes one and returns the next. */
export interface Task {
  readonly plan: Plan
  readonly lifetime: Lifetime
  readonly target: Target
  readonly operation: RequestedOperation
  readonly conditions: Conditions
  /** The problem of parameters or headers. Authorization comes before it. */
  readonly fault: ProblemError | undefined
  /** As the registry made it for this request. */
  readonly context: unknown
  /** The body, validated: one draft an item. */
  readonly drafts: readonly Draft[]
  /** The checked result of the adapter or of a middleware; a placeholder until then. */
  readonly outcome: Outcome
}
