import type { Loose, Note } from './registry.ts'

/** A list that comes item by item, and what became of it. */
export interface Generated {
  readonly adapter: Loose
  /** The number of items read so far. */
  made: number
  /** Lists that have been begun. */
  opened: number
  /** Lists that have come to an end or been given up. */
  closed: number
}

/** The peculiarities of a list. */
interface Oddities {
  /** Replacements of items, by number from 0; a function is called. */
  readonly at?: Readonly<Record<number, unknown>>
  /** Added to every item. */
  readonly text?: string
  /** So many come at a time, as an array. */
  readonly several?: number
  /** Thrown when the list is given up. */
  readonly fault?: Error
}

/** Returns an adapter whose list yields so many items, `{ id: '0', text }` and on, one by one. */
export function generated(count: number, oddities: Oddities = {}): Generated {
  const { at = {}, text = 'x', several, fault } = oddities
  const make = (number: number): unknown => {
    state.made++
    return number in at ? oddity(at[number]) : noteAt(number, text)
  }
  async function* list() {
    state.opened++
    try {
      for (let number = 0; number < count; number += several ?? 1) {
        const length = Math.min(several ?? 1, count - number)
        if (several === undefined) yield make(number)
        else yield Array.from({ length }, (_, place) => make(number + place))
      }
    } finally {
      state.closed++
      if (fault) failWith(fault)
    }
  }
  const state: Generated = { adapter: { list }, made: 0, opened: 0, closed: 0 }
  return state
}

function oddity(value: unknown): unknown {
  return typeof value === 'function' ? value() : value
}

function failWith(fault: Error): never {
  throw fault
}

/** An item of {@link generated}. */
export function noteAt(number: number, text = 'x'): Note {
  return { id: `n${number}`, text }
}

/** The items of {@link generated} as an array. */
export function notesUpTo(count: number, text = 'x'): Note[] {
  return Array.from({ length: count }, (_, number) => noteAt(number, text))
}

/** Throws, in place of an item. */
export function throwing(error: unknown): () => never {
  return () => {
    throw error
  }
}

/** Waits until something holds; gives up after so many milliseconds. */
export async function until(holds: () => boolean, timeout = 5000): Promise<void> {
  const deadline = Date.now() + timeout
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`It never came true: ${holds}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
