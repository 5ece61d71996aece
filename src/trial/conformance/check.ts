import type { AdapterMethod } from '../../convention/adapter-methods.ts'
import { nextTurn } from '../../convention/awaitable.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import type { Tester } from './tester.ts'

/** A check without its name and its runner. */
export interface CheckDefinition {
  /** The requirement in words. */
  readonly rule: string
  /**
   * The methods that the check calls. It runs only for adapters that have all of them. Default:
   * `create` and `list`.
   */
  readonly needs?: readonly AdapterMethod[]
  /** The name of a group of checks, which a gap leaves out together. Default: none. */
  readonly group?: string
  /** Rejects when the adapter breaks the rule. */
  readonly test: (tester: Tester) => Promise<void>
}

/** Checks by their names: facts of at most eight words, such as `list sorts descending`. */
export type Checks = Readonly<Record<string, CheckDefinition>>

/** Defines a check for each row, under a name that the row decides. */
export function checksOf<Row>(
  rows: readonly Row[],
  define: (row: Row) => readonly [name: string, definition: CheckDefinition],
): Checks {
  return Object.fromEntries(rows.map(define))
}

/** A specimen with every field set. */
export const full: NewSpecimen = {
  name: 'Ada Lovelace',
  note: 'First programme, 1843',
  rank: -1.5,
  flag: false,
  data: { born: 1815, works: ['Notes', { year: 1843, read: null }] },
  owner_id: 'a',
}

/** Returns specimens that differ in their names only. */
export function named(...names: readonly string[]): readonly NewSpecimen[] {
  return names.map((name) => ({ name }))
}

/** Creates three specimens and returns them in the order of their names. */
export async function createThree(
  tester: Tester,
): Promise<readonly [Specimen, Specimen, Specimen]> {
  const two = await tester.create({ name: 'b', rank: 2 })
  const one = await tester.create({ name: 'a', rank: 3 })
  return [one, two, await tester.create({ name: 'c', rank: 1 })]
}

/** Returns the methods of a check of one method that also creates and reads items. */
export function needing(method: AdapterMethod): readonly AdapterMethod[] {
  return [...new Set<AdapterMethod>(['create', 'read', method])]
}

/** Reads during a write: ten times at once, and then until the write has ended. */
export async function readDuring(
  write: Promise<unknown>,
  read: () => Promise<unknown>,
): Promise<void> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  const reading = async (): Promise<void> => {
    await Promise.all(Array.from({ length: 10 }, read))
    while (!isOver) {
      await nextTurn()
      await read()
    }
  }
  await Promise.all([write.finally(end), reading()])
}
