import type { Operation } from '../contract/resource/operation.ts'
import type { Conversion } from '../contract/resource/resource.ts'
import { type Awaitable, isPending, settle } from '../convention/awaitable.ts'
import { complete } from '../server/operations.ts'
import { baseOperationOf } from './base-operation.ts'
import { inWordsOf } from './problems.ts'

/**
 * Calls the adapter of a base for an operation of a view.
 *
 * @throws What the adapter throws; a problem in the words of the view.
 */
export function callBase(
  view: Conversion,
  operation: Operation,
  call: (baseOperation: Operation) => unknown,
): Awaitable<unknown> {
  return settle<unknown, unknown>(
    () => call(baseOperationOf(operation, view)),
    (result) => result,
    (error) => {
      const isMany = operation.items !== undefined || operation.ids !== undefined
      throw isViewError(error) ? error : inWordsOf(view, error, isMany)
    },
  )
}

/**
 * Makes the method of a view from one of its base that takes no item. It works as {@link callBase},
 * but makes no closure for a request: bench/handle/views.ts has 1.19 for a read instead of 1.21.
 *
 * @param show Makes the result of the view.
 */
export function methodOver(
  view: Conversion,
  method: (baseOperation: Operation, context: unknown) => unknown,
  show: (result: unknown, view: Conversion) => unknown,
): (operation: Operation, context: unknown) => Awaitable<unknown> {
  return (operation, context) => {
    try {
      const baseOperation = baseOperationOf(operation, view)
      // A deletion has one. The tag is the same in every version.
      complete(baseOperation, 'ifRevision', operation.ifRevision)
      const result = method(baseOperation, context)
      return isPending(result) ? later(result) : show(result, view)
    } catch (error) {
      throw inWordsOf(view, error, false)
    }
  }
  async function later(pending: PromiseLike<unknown>): Promise<unknown> {
    try {
      return show(await pending, view)
    } catch (error) {
      throw inWordsOf(view, error, false)
    }
  }
}

const viewErrors = new WeakSet<object>()

function isViewError(error: unknown): boolean {
  return viewErrors.has(Object(error))
}

/** Does what throws problems in the words of the view already, inside the adapter of the base. */
export function withViewErrors<Result>(make: () => Awaitable<Result>): Awaitable<Result> {
  return settle<Result, Result>(
    make,
    (result) => result,
    (error) => {
      viewErrors.add(Object(error))
      throw error
    },
  )
}
