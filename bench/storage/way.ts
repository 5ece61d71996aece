import type { Employee, NewEmployee } from './people.ts'

type Awaitable<Value> = Value | PromiseLike<Value>
type Items = Awaitable<readonly Employee[]>

/** A way to do what the benchmark asks for: one contender. */
export interface Way {
  read(id: string): Awaitable<Employee | undefined>
  /** The first 20 by name. */
  list(): Items
  /** The first 20 by name in which a word is found. */
  search(word: string): Items
  /** The 20 after a place in the order of names. */
  page(after: Place): Items
  count(): Awaitable<number>
  countFound(word: string): Awaitable<number>
  first(): Awaitable<Employee | undefined>
  last(): Awaitable<Employee | undefined>
  create(item: NewEmployee): Awaitable<Employee>
  /** Replaces an item, and gives it as it is stored. */
  update(item: Employee): Awaitable<Employee | undefined>
  /** Replaces items, all or none. */
  updateMany(items: readonly Employee[]): Awaitable<readonly (Employee | undefined)[]>
  delete(id: string): Awaitable<Employee | undefined>
}

/** The end of a page: the sort fields of its last item. */
export interface Place {
  readonly name: string
  readonly id: string
}

/** The length of a page. */
export const pageSize = 20
