import type { SortField } from '../model/operation.ts'
import { compareBy, sorted } from '../model/order.ts'
import type { Compare } from './sorted-list.ts'
import { itemsATurn } from './turns.ts'

/** Sorts items as {@link sorted} does, in turns: sorts parts of them, then merges the parts. */
export function* sortInTurns<Stored extends object>(
  items: readonly Stored[],
  sort: readonly SortField[],
): Generator<unknown, readonly Stored[]> {
  const compare = compareBy(sort)
  let runs: (readonly Stored[])[] = []
  for (let start = 0; start < items.length; start += itemsATurn) {
    if (start > 0) yield
    runs.push(sorted(items.slice(start, start + itemsATurn), sort))
  }
  while (runs.length > 1) {
    const merged: (readonly Stored[])[] = []
    for (let run = 0; run < runs.length; run += 2) {
      merged.push(yield* merge(runs[run] ?? [], runs[run + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<Stored extends object>(
  one: readonly Stored[],
  other: readonly Stored[],
  compare: Compare,
): Generator<unknown, readonly Stored[]> {
  const merged: Stored[] = []
  let index = 0
  for (const item of one) {
    for (let next = other[index]; next && compare(next, item) < 0; next = other[++index]) {
      merged.push(next)
      if (merged.length % itemsATurn === 0) yield
    }
    merged.push(item)
    if (merged.length % itemsATurn === 0) yield
  }
  return merged.concat(other.slice(index))
}
