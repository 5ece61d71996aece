import type { Item, Operation, Scope } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import type { UncheckedAdapter } from '../../src/model/binding.ts'
import { operationKinds } from '../../src/model/convention.ts'
import { fieldOf, noQuery } from '../../src/model/operation.ts'
import { foldCase } from '../../src/model/search.ts'

/** What an operation gives when it goes wrong; `next` has the sound adapter do it, or another one. */
export type Fault = (operation: Operation, next: Next) => unknown
export type Next = (operation: Operation) => unknown
export type Fields = Readonly<Record<string, unknown>>

/** What is wrong, an adapter that does it wrong, and the checks that must not let it pass. */
export type BrokenRow = readonly [
  fault: string,
  make: () => UncheckedAdapter,
  caught: readonly string[],
]

/** A memory adapter with a fault. Its ids count, so that their order is neither that of numbers nor that of creation. */
export function broken(fault: Fault): UncheckedAdapter {
  let made = 0
  const sound: UncheckedAdapter = memoryAdapter({ nextId: () => `${++made}` })
  const next: Next = (operation) => sound[operation.kind]?.(operation, undefined)
  return Object.fromEntries(
    operationKinds.map((kind) => [kind, (operation: Operation) => fault(operation, next)]),
  )
}

/** Changes items on their way in. */
export function storing(change: (item: Fields) => object): Fault {
  return (operation, next) => {
    const item = operation.item && change({ ...operation.item })
    const items = operation.items?.map((one) => ({ ...change({ ...one }), id: one.id }))
    return next({ ...operation, item, items })
  }
}

/** Changes a field of items on their way in, where it is a text. */
export function storingText(change: (text: string) => unknown): Fault {
  return storing((item) => {
    const { name, note } = item
    return {
      ...item,
      ...(typeof name === 'string' ? { name: change(name) } : {}),
      ...(typeof note === 'string' ? { note: change(note) } : {}),
    }
  })
}

/** Changes answers of some kinds. */
export function answering(
  kinds: readonly Operation['kind'][],
  change: (answer: unknown, operation: Operation) => unknown,
): Fault {
  return (operation, next) => {
    const answer = next(operation)
    return kinds.includes(operation.kind) ? change(answer, operation) : answer
  }
}

/** Changes every item on its way out. */
export function giving(change: (item: object) => unknown): Fault {
  const give = (answer: unknown): unknown => {
    if (Array.isArray(answer)) return answer.map(give)
    return typeof answer === 'object' && answer !== null ? change(answer) : answer
  }
  return (operation, next) => give(next(operation))
}

/** Takes an operation of some kinds for another. */
export function mistaking(
  kinds: readonly Operation['kind'][],
  change: (operation: Operation) => Partial<Operation>,
): Fault {
  return (operation, next) =>
    next(kinds.includes(operation.kind) ? { ...operation, ...change(operation) } : operation)
}

/** Takes an id for another, wherever an item is looked for. */
export function finding(change: (id: string) => string): Fault {
  return mistaking(['read', 'update', 'delete', 'updateMany'], ({ id, items }) => ({
    id: id === undefined ? id : change(`${id}`),
    items: items?.map((item) => ({ ...item, id: change(`${item.id}`) })),
  }))
}

/** Selects items by itself: of all in the scope, those that an operation asks for. */
export function selecting(
  select: (items: readonly Item[], operation: Operation) => readonly Item[],
): Fault {
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

/** Has its own idea of an order. */
export function sorting(compare: (one: unknown, other: unknown) => number): Fault {
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
 * Has its own idea of a match.
 *
 * @param fold What makes texts and words comparable. Default: as it should be.
 */
export function searching(
  matches: (texts: readonly string[], words: readonly string[]) => boolean,
  fold: (text: string) => string = foldCase,
): Fault {
  return selecting((items, { query: { words } }) =>
    items.filter((item) => matches(textsOf(item).map(fold), words.map(fold))),
  )
}

/** Matches as it should be: every word in some text. */
export function everyWord(texts: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => texts.some((text) => text.includes(word)))
}

/** The items of an answer. */
export function itemsOf(answer: unknown): readonly Item[] {
  return Array.isArray(answer) ? answer : []
}

/** Everything in a scope, in the order of ids. */
export function listIn(operation: Operation, next: Next, scope: Scope = operation.scope) {
  return itemsOf(next({ ...operation, kind: 'list', query: noQuery, scope }))
}

/** Waits until what is under way has gone on a little. */
export async function tick(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0))
}

function textsOf(item: object): readonly string[] {
  const texts = [fieldOf(item, 'name'), fieldOf(item, 'note')]
  return texts.filter((text) => typeof text === 'string')
}

/** The item an operation is about, as it is stored. */
export function readOf(operation: Operation, next: Next, id = operation.id): object {
  return Object(next({ ...operation, kind: 'read', id, scope: {} }))
}

/** An item without some fields. */
export function without(item: unknown, ...fields: readonly string[]): object {
  const kept = Object.entries(Object(item)).filter(([field]) => !fields.includes(field))
  return Object.fromEntries(kept)
}

/** Tells whether a field has no value. */
export function isMissing(value: unknown): boolean {
  return value === null || value === undefined
}
