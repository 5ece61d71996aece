import { type Awaitable, settle } from '../../model/awaitable.ts'
import type { Operation } from '../../model/operation.ts'
import type { Conversion } from '../../model/resource.ts'
import type { RequestedOperation } from '../operations.ts'
import { beneath } from './beneath.ts'
import { inWordsOf } from './problems.ts'

/**
 * Calls the adapter of a hub for an operation of a view.
 *
 * @param show Makes the result of the view.
 * @throws What the adapter throws; a problem in the words of the view.
 */
export function called(
  view: Conversion,
  operation: Operation,
  call: (asked: RequestedOperation) => unknown,
  show: (given: unknown, view: Conversion) => unknown = asGiven,
): Awaitable<unknown> {
  return settle<unknown, unknown>(
    () => call(beneath(operation, view)),
    (given) => show(given, view),
    (error) => {
      const isMany = operation.items !== undefined || operation.ids !== undefined
      throw isOwn(error) ? error : inWordsOf(view, error, isMany)
    },
  )
}

function asGiven(given: unknown): unknown {
  return given
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
