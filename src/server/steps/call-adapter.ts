import type { Flowing } from '../../model/awaitable.ts'
import type { OperationKind } from '../../model/convention.ts'
import type { Task } from '../task.ts'
import { count, list, read, readEnd } from './read.ts'
import { update } from './update.ts'
import { create, deleteAll, deleteOne, updateMany } from './write.ts'

/**
 * The step that carries out each kind of operation: it calls the adapter, checks the result and
 * returns the outcome.
 */
export const callAdapter: Readonly<Record<OperationKind, Flowing<Task>>> = {
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
