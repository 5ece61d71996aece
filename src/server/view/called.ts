import { type Awaitable, settle } from '../../model/awaitable.ts'
import type { Operation } from '../../model/operation.ts'
import type { Conversion } from '../../model/resource.ts'
import type { RequestedOperation } from '../operations.ts'
import { beneath } from './beneath.ts'
import { inWordsOf } from './problems.ts'

/**
 * Calls the adapter of a hub for an operation of a view.
 *
 * @throws What the adapter throws; a problem in the words of the view.
 */
export function called<Given>(
  view: Conversion,
  operation: Operation,
  call: (asked: RequestedOperation) => Awaitable<Given>,
): Awaitable<Given> {
  const isMany = operation.items !== undefined || operation.ids !== undefined
  return settle<Given, Given>(
    () => call(beneath(operation, view)),
    (given) => given,
    (error) => {
      throw isOwn(error) ? error : inWordsOf(view, error, isMany)
    },
  )
}

const own = new WeakSet<object>()

function isOwn(error: unknown): boolean {
  return own.has(Object(error))
}

/** Does what throws problems in the words of the view already, inside the adapter of the hub. */
export function inOwnWords<Made>(make: () => Awaitable<Made>): Awaitable<Made> {
  return settle<Made, Made>(
    make,
    (made) => made,
    (error) => {
      own.add(Object(error))
      throw error
    },
  )
}
