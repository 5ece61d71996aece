import { type Awaitable, isPending, whenReadyFor } from '../model/awaitable.ts'
import type { OperationKind } from '../model/convention.ts'
import type { Outcome } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import { findItem } from './check.ts'
import type { Errand } from './errand.ts'
import type { RequestedOperation } from './operation.ts'
import { count, list, read, readEnd } from './read.ts'
import { create, deleteAll, deleteOne, update, updateMany } from './write.ts'

const carriers: Readonly<
  Record<OperationKind, (errand: Errand) => Awaitable<Outcome | ProblemError>>
> = {
  list,
  create,
  updateMany,
  deleteAll,
  read,
  update,
  delete: deleteOne,
  first: readEnd,
  last: readEnd,
  count,
}

/**
 * Carries out a validated operation: looks for the parents, then asks the adapter and checks what it gives. What is not there is a
 * problem, given or thrown.
 *
 * @throws {ProblemError} `not_found`, `empty_collection`, the codes of 409, and whatever the adapter throws.
 */
export function dispatch(errand: Errand): Awaitable<Outcome | ProblemError> {
  return errand.call.target.parents.length === 0
    ? carryOut(undefined, errand)
    : whenReadyFor(findParents(errand, 0), errand, carryOut)
}

function carryOut(
  missing: ProblemError | undefined,
  errand: Errand,
): Awaitable<Outcome | ProblemError> {
  return missing ?? carriers[errand.operation.kind](errand)
}

// Outermost first, each inside the one before: a parent that was orphaned is not there either.
function findParents(errand: Errand, first: number): Awaitable<ProblemError | undefined> {
  for (let depth = first; ; depth++) {
    const parent = errand.operation.readOfAncestor(depth)
    if (parent === undefined) return undefined
    const given = parent.id === undefined ? undefined : askFor(parent, errand)
    if (isPending(given)) {
      return Promise.resolve(given).then((item) =>
        findItem(item, parent) === undefined ? parentNotFound() : findParents(errand, depth + 1),
      )
    }
    if (findItem(given, parent) === undefined) return parentNotFound()
  }
}

function askFor(parent: RequestedOperation, { exchange, context }: Errand): unknown {
  return exchange.registry.bindings[parent.place]?.adapter.read?.(parent, context)
}

function parentNotFound(): ProblemError {
  return problem('parent_not_found', 'The path leads through an item that is not there')
}
