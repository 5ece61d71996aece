import { conditionsOf } from './bounds.ts'
import type { Effort } from './effort.ts'
import type { Bound, Table } from './figures.ts'

/** Measures one level. */
export type Measure = (effort: Effort) => Promise<readonly Table[]>

/** What was found, and what of it must not be. */
export interface Attempt {
  readonly tables: readonly Table[]
  readonly broken: readonly Bound[]
  /** Whether it is worth reading: conditions held. */
  readonly counts: boolean
}

const most = 3

/**
 * Measures a level again where it was not worth reading, because the machine was busy with something else; in the short form,
 * also where a bound was broken, and only what is broken every time is.
 */
export async function attempt(measure: Measure, effort: Effort): Promise<Attempt> {
  let broken: readonly Bound[] | undefined
  for (let turn = 1; ; turn++) {
    const tables = await measure(effort)
    const conditions = failing(tables.flatMap(conditionsOf))
    const bounds = failing(tables.flatMap(({ bounds = [] }) => bounds))
    const before = new Set(broken?.map(({ says }) => says))
    const found = [...conditions, ...bounds]
    const isShort = effort.form === 'short'
    broken = isShort && turn > 1 ? found.filter(({ says }) => before.has(says)) : found
    const again = isShort ? broken : conditions
    if (again.length === 0 || turn === most)
      return { tables, broken, counts: conditions.length === 0 }
    console.error(
      `Once more: ${again.map(({ says, found }) => `${says} (${found.toFixed(3)})`).join('; ')}`,
    )
  }
}

function failing(bounds: readonly Bound[]): readonly Bound[] {
  return bounds.filter(({ holds }) => !holds)
}
