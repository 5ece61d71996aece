import type { OperationKind } from '../model/convention.ts'
import type { Lab } from './lab.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'

/** One thing that every adapter must do, and how to find out whether it does. */
export interface Demand {
  /** A fact of at most eight words. */
  readonly name: string
  /** What it demands, in words. */
  readonly rule: string
  /** The methods that an adapter must have to be asked. */
  readonly needs: readonly OperationKind[]
  /** Rejects when the adapter does not do it. */
  readonly test: (lab: Lab) => Promise<void>
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

/** Specimens that differ in their names only. */
export function named(...names: readonly string[]): readonly NewSpecimen[] {
  return names.map((name) => ({ name }))
}

/** Creates three specimens, in the order of their names. */
export async function trio(lab: Lab): Promise<readonly [Specimen, Specimen, Specimen]> {
  const two = await lab.create({ name: 'b', rank: 2 })
  const one = await lab.create({ name: 'a', rank: 3 })
  return [one, two, await lab.create({ name: 'c', rank: 1 })]
}
