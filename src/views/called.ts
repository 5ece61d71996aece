import type { Operation } from '../contract/resource/operation.ts'
import type { Conversion } from '../contract/resource/resource.ts'
import { type Awaitable, isPending, settle } from '../convention/awaitable.ts'
import type { RequestedOperation } from '../server/operations.ts'
import { beneath } from './beneath.ts'
import { inWordsOf } from './problems.ts'

/**
 * Calls the adapter of a hub for an operation of a view.
 *
 * @throws What the adapter throws; a problem in the words of the view.
 */
export function called(
  view: Conversion,
  operation: Operation,
  call: (asked: RequestedOperation) => unknown,
): Awaitable<unknown> {
  return settle<unknown, unknown>(
    () => call(beneath(operation, view)),
    (given) => given,
    (error) => {
      const isMany = operation.items !== undefined || operation.ids !== undefined
      throw isOwn(error) ? error : inWordsOf(view, error, isMany)
    },
  )
}

/**
 * Makes the method of a view from one of its hub that takes no item. It works as {@link called},
 * but makes no closure for a request: bench/views/run.ts has 1.19 for a read instead of 1.21.
 *
 * @param show Makes the result of the view.
 */
export function reading(
  view: Conversion,
  method: (asked: Operation, context: unknown) => unknown,
  show: (given: unknown, view: Conversion) => unknown,
): (operation: Operation, context: unknown) => Awaitable<unknown> {
  return (operation, context) => {
    try {
      const asked = beneath(operation, view)
      // A deletion has one. The tag is the same in every version.
      asked.ifRevision = operation.ifRevision
      const given = method(asked, context)
      return isPending(given) ? later(given) : show(given, view)
    } catch (error) {
      throw inWordsOf(view, error, false)
    }
  }
  async function later(given: PromiseLike<unknown>): Promise<unknown> {
    try {
      return show(await given, view)
    } catch (error) {
      throw inWordsOf(view, error, false)
    }
  }
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
