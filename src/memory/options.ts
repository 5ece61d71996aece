import type {
  AdapterShape,
  ChangingOperation,
  CreateOperation,
} from '../contract/resource/operation.ts'
import type { FieldOf } from '../contract/resource/resource.ts'
import type { Awaitable } from '../convention/awaitable.ts'

/** The options of `memoryAdapter`. All are optional. */
export interface MemoryOptions<S extends AdapterShape> {
  /** The items to start with. Default: none. */
  readonly items?: readonly S['item'][]
  /**
   * Returns the id of a new item that has none. Default: a UUID of version 7, or the number after
   * the highest id where the resource's ids are numbers. Both follow the order of creation.
   */
  readonly nextId?: () => S['item']['id']
  /**
   * Returns the fields that the server sets on a new item:
   * `(item, operation, { user }) => ({ created_by: user })`. Gets, and alone gets, the fields of
   * `create` that `schema` lacks. Default: none.
   */
  readonly onCreate?: (
    item: S['create'],
    operation: CreateOperation<S>,
    context: S['context'],
  ) => Awaitable<Partial<S['item']>>
  /** Returns the fields that the server sets when an item is replaced or patched. Default: none. */
  readonly onUpdate?: (
    item: S['item'],
    stored: S['item'],
    operation: ChangingOperation<S>,
    context: S['context'],
  ) => Awaitable<Partial<S['item']>>
  /**
   * The fields in which every item needs a value of its own. A missing value may repeat. A repeated
   * value is the problem `conflict` (409). Default: none.
   */
  readonly unique?: readonly FieldOf<S['item']>[]
}

/** The options, for the check of their names. */
export const memoryOptionNames: Record<keyof MemoryOptions<AdapterShape>, true> = {
  items: true,
  nextId: true,
  onCreate: true,
  onUpdate: true,
  unique: true,
}
