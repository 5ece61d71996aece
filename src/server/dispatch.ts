import { type Awaitable, whenReady } from '../model/awaitable.ts'
import type { OperationKind } from '../model/convention.ts'
import type { Outcome } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import type { Registry } from '../model/registry.ts'
import { findItem } from './check.ts'
import type { Errand } from './errand.ts'
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
export function dispatch(errand: Errand, registry: Registry): Awaitable<Outcome | ProblemError> {
  const carryOut = carriers[errand.operation.kind]
  if (errand.call.target.parents.length === 0) return carryOut(errand)
  return whenReady(findParents(errand, registry, 0), (missing) => missing ?? carryOut(errand))
}

// Outermost first, each inside the one before: a parent that was orphaned is not there either.
function findParents(
  errand: Errand,
  registry: Registry,
  depth: number,
): Awaitable<ProblemError | undefined> {
  const parent = errand.operation.readOfAncestor(depth)
  if (parent === undefined) return undefined
  const adapter = registry.bindings.get(parent.resource.name)?.adapter
  const given = parent.id === undefined ? undefined : adapter?.read?.(parent, errand.context)
  return whenReady(given, (item) => {
    if (findItem(item, parent) !== undefined) return findParents(errand, registry, depth + 1)
    return problem('parent_not_found', 'The path leads through an item that is not there')
  })
}
