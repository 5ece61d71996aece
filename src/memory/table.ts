import type { AdapterShape } from '../contract/resource/operation.ts'
import type { Item } from '../contract/resource/resource.ts'
import type { MemoryOptions } from './options.ts'
import type { Queue } from './queue.ts'
import { createItemStore, type ItemStore } from './store.ts'

/** A store with its constraints, and the fields of other stores that reference its items. */
export interface MemoryTable<Stored extends Item = Item> {
  readonly store: ItemStore<Stored>
  /** The fields whose values no two items share. */
  readonly unique: readonly string[]
  /** The fields that hold ids of other stores' items. */
  readonly references: FieldOfStore[]
  readonly referrers: FieldOfStore[]
}

/** A table with the options of its adapter. */
export interface MemoryStorage<S extends AdapterShape> extends MemoryTable<S['item']> {
  readonly options: MemoryOptions<S>
  /** The writes that wait for a function of the caller. */
  readonly queue: Queue
}

/** A field of a store's items. */
export interface FieldOfStore {
  readonly field: string
  readonly store: ItemStore<Item>
}

/** Creates an empty table. */
export function createMemoryTable<Stored extends Item>(
  unique: readonly string[],
): MemoryTable<Stored> {
  return { store: createItemStore<Stored>(new Set(unique)), unique, references: [], referrers: [] }
}
