import type { Item, Operation, Scope } from 'nounful'
import { memoryAdapter, select } from 'nounful/memory'
import type { UncheckedAdapter } from '../../../src/contract/resource/adapter.ts'
import { type ChangeMany, noQuery } from '../../../src/contract/resource/operation.ts'
import { foldCase } from '../../../src/contract/values/order.ts'
import { adapterMethods } from '../../../src/convention/adapter-methods.ts'
import { inTurn, whenReady } from '../../../src/convention/awaitable.ts'
import type { Condition } from '../../../src/convention/filter-operators.ts'
import { changesStored } from '../../../src/convention/kinds.ts'
import { operationKinds } from '../../../src/convention/operations.ts'
import { fieldOf } from '../../../src/convention/value.ts'
import { methodOf } from '../../support/methods.ts'

/**
 * Returns a wrong result of an operation. `next` calls the correct adapter. `change` is the
 * function of `modify` or `modifyMany`, for any number of items.
 */
export type Defect = (operation: Operation, next: Next, change: ChangeMany<Item>) => unknown
export type Next = (operation: Operation, change?: ChangeMany<Item>) => unknown
export type Fields = Readonly<Record<string, unknown>>

/** A defect, an adapter with it, and the checks that must find it. */
export type BrokenRow = readonly [
  defect: string,
  make: () => UncheckedAdapter,
  caught: readonly string[],
]

/**
 * Returns a memory adapter with a defect. Its ids count: no numeric order, no order of creation.
 */
export function broken(defect: Defect): UncheckedAdapter {
  let made = 0
  const sound: UncheckedAdapter = memoryAdapter({ nextId: () => `${++made}` })
  const nextWith =
    (own: ChangeMany<Item>): Next =>
    (operation, change = own) => {
      const { kind, items, query } = operation
      if (query.by !== undefined) return sound.countBy?.(operation, undefined)
      const isMany = kind === 'create' && items !== undefined
      const method = isMany ? 'createMany' : methodOf(kind)
      if (method === 'modifyMany') return sound.modifyMany?.(operation, undefined, change)
      if (method === 'remove' || method === 'removeMany') return undefined
      if (method !== 'modify') return sound[method]?.(operation, undefined)
      return sound.modify?.(operation, undefined, (stored) =>
        whenReady(change([stored]), ([item = stored]) => item),
      )
    }
  const call = (operation: Operation, _: unknown, change: ChangeMany<Item> = present) =>
    defect(operation, nextWith(change), change)
  return {
    ...Object.fromEntries(adapterMethods.map((method) => [method, call])),
    remove: (operation, _, judge) =>
      defect(operation, (next) => sound.remove?.(next, undefined, judge), present),
    removeMany: (operation, _, judge) =>
      defect(operation, (next) => sound.removeMany?.(next, undefined, judge), present),
    modify: (operation, context, change) =>
      call(operation, context, (items) => inTurn(present(items), change)),
  }
}

/** Returns the items that exist. */
export function present(items: readonly (Item | undefined)[]): readonly Item[] {
  return items.flatMap((item) => item ?? [])
}

/** Changes items on their way in. */
export function storing(change: (item: Fields) => object): Defect {
  return (operation, next) => {
    const item = operation.item && change({ ...operation.item })
    const items = operation.items?.map((one) => ({ ...change({ ...one }), id: fieldOf(one, 'id') }))
    return next({ ...operation, item, items })
  }
}

/** Changes the text fields of items on their way in. */
export function storingText(change: (text: string) => unknown): Defect {
  return storing((item) => {
    const { name, note } = item
    return {
      ...item,
      ...(typeof name === 'string' ? { name: change(name) } : {}),
      ...(typeof note === 'string' ? { note: change(note) } : {}),
    }
  })
}

/** Changes the results of some kinds. */
export function answering(
  kinds: readonly Operation['kind'][],
  change: (answer: unknown, operation: Operation) => unknown,
): Defect {
  return (operation, next) => {
    const answer = next(operation)
    return kinds.includes(operation.kind) ? change(answer, operation) : answer
  }
}

/** Changes every item on its way out. */
export function giving(change: (item: object) => unknown): Defect {
  const give = (answer: unknown): unknown => {
    if (Array.isArray(answer)) return answer.map(give)
    return typeof answer === 'object' && answer !== null ? change(answer) : answer
  }
  return (operation, next) => give(next(operation))
}

/** Changes operations of some kinds. */
export function mistaking(
  kinds: readonly Operation['kind'][],
  change: (operation: Operation) => Partial<Operation>,
): Defect {
  return (operation, next) =>
    next(kinds.includes(operation.kind) ? { ...operation, ...change(operation) } : operation)
}

/** Changes the id in every look-up. */
export function finding(change: (id: string) => string): Defect {
  const kinds = operationKinds.filter((kind) => kind === 'read' || changesStored(kind))
  return mistaking(kinds, ({ id, ids, items }) => ({
    id: id === undefined ? id : change(`${id}`),
    ids: ids?.map((one) => change(`${one}`)),
    items: items && itemsOf(items).map((item) => ({ ...item, id: change(`${item.id}`) })),
  }))
}

/** Selects items of the scope with a function of its own. */
export function selecting(
  select: (items: readonly Item[], operation: Operation) => readonly Item[],
): Defect {
  return (operation, next) => {
    const { kind, query } = operation
    const all = (): readonly Item[] =>
      select(itemsOf(next({ ...operation, kind: 'list', query: noQuery })), operation)
    const { limit = Number.POSITIVE_INFINITY } = query
    if (kind === 'list') return all().slice(0, limit)
    if (kind === 'count') return all().length
    if (kind === 'first') return all()[0]
    return kind === 'last' ? all().at(-1) : next(operation)
  }
}

/** Sorts in an order of its own. */
export function sorting(compare: (one: unknown, other: unknown) => number): Defect {
  return selecting((items, { query: { sort, after } }) => {
    const compareItems = (one: object, other: object): number => {
      for (const { field, direction } of sort) {
        const order = compare(fieldOf(one, field), fieldOf(other, field))
        if (order !== 0) return direction === 'asc' ? order : -order
      }
      return 0
    }
    return items
      .filter((item) => after === undefined || compareItems(item, after) > 0)
      .toSorted(compareItems)
  })
}

/**
 * Searches with a match of its own.
 *
 * @param fold Makes texts and words comparable. Default: the correct function.
 */
export function searching(
  matches: (texts: readonly string[], words: readonly string[]) => boolean,
  fold: (text: string) => string = foldCase,
): Defect {
  return selecting((items, { query: { words } }) =>
    items.filter((item) => matches(textsOf(item).map(fold), words.map(fold))),
  )
}

/** Filters with a test of its own. The search, the order and the cursor are correct. */
export function filtering(
  meets: (item: Item, where: readonly Condition[], operation: Operation) => boolean,
): Defect {
  return selecting((items, operation) => {
    const { query } = operation
    const met = items.filter((item) => meets(item, query.where, operation))
    return select(met, { ...operation, query: { ...query, where: [], limit: undefined } })
  })
}

/** Changes the conditions of some kinds. */
export function asking(
  change: (where: readonly Condition[], operation: Operation) => readonly Condition[],
  kinds: readonly Operation['kind'][] = ['list', 'first', 'last', 'count'],
): Defect {
  return mistaking(kinds, (operation) => {
    const { query } = operation
    return { query: { ...query, where: change(query.where, operation) } }
  })
}

/** Matches correctly: every word in some text. */
export function everyWord(texts: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.includes(word)))
}

/** Returns the items of a result. */
export function itemsOf(answer: unknown): readonly Item[] {
  return Array.isArray(answer) ? answer : []
}

/** Returns the items of a bulk; `undefined` for another operation. */
export function itemsIn({ items }: Operation): readonly Item[] | undefined {
  return items && itemsOf(items)
}

/** Returns all items of a scope, in the order of ids. */
export function listIn(operation: Operation, next: Next, scope: Scope = operation.scope) {
  return itemsOf(next({ ...operation, kind: 'list', query: noQuery, scope }))
}

/** Waits for one turn of the event loop. */
export async function tick(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0))
}

function textsOf(item: object): readonly string[] {
  const texts = [fieldOf(item, 'name'), fieldOf(item, 'note')]
  return texts.filter((text) => typeof text === 'string')
}

/** Returns the stored item of an operation. */
export function readOf(operation: Operation, next: Next, id = operation.id): object {
  return Object(next({ ...operation, kind: 'read', id, scope: {} }))
}

/** Returns an item without some fields. */
export function without(item: unknown, ...fields: readonly string[]): object {
  const kept = Object.entries(Object(item)).filter(([field]) => !fields.includes(field))
  return Object.fromEntries(kept)
}

/** Tells whether a field has no value. */
export function isMissing(value: unknown): boolean {
  return value === null || value === undefined
}

/** Tells whether an operation sorts by a field of related items. */
export function isOrdered({ query: { sort } }: Operation): boolean {
  return sort.some(({ related }) => related !== undefined)
}
