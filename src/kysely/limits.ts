import { filtersOf } from '../contract/schema/filter.ts'
import type { Misfit } from '../convention/misfit.ts'
import { isMomentAsText } from './filter-field.ts'
import type { Mender } from './mend.ts'
import type { Mend } from './obstacle.ts'
import type { BoundField, Table } from './table.ts'

/** A finding about a field, and the statement that mends it. */
export interface Advice extends Pick<Misfit, 'message'> {
  readonly field: string
  readonly mend: Mend | undefined
}

/** Returns an advice. */
export function advised(field: string, message: string, mend?: Mend): Advice {
  return { field, message, mend }
}

/** Returns what works with a limit, by the catalogue alone. */
export function limitsOf(table: Table, mender: Mender): readonly Advice[] {
  return [...digitsOf(table, mender), ...momentsOf(table)]
}

function digitsOf(table: Table, mender: Mender): readonly Advice[] {
  return table.fields.flatMap((field) => {
    const { name, column, stored } = field
    // Whole numbers have one text each.
    const isWhole = stored.isWhole || /int/i.test(stored.type)
    if (stored.family !== 'digits' || isWhole) return []
    const { scale } = stored
    const limit =
      scale === undefined
        ? 'a text that would come back as another one, such as "10.10" or "007", is 422'
        : `every text leaves with ${scale} digits after the point, and no other text fits`
    const message =
      `"${name}" is text, but the column "${column}" holds numbers: ${limit}. ` +
      'Declare the column as text.'
    return [advised(name, message, isFree(field, table) ? mender.retype(field, stored) : undefined)]
  })
}

// The database changes the type of such a column by itself.
function isFree({ column, stored }: BoundField, { described }: Table): boolean {
  const bound = [...described.keys.values(), ...described.references.map(({ columns }) => columns)]
  const isBound = bound.some((columns) => columns.includes(column))
  return described.isTable && !isBound && !stored.isGenerated && !stored.isComputed
}

function momentsOf({ fields, resource }: Table): readonly Advice[] {
  const filtered = new Set([...filtersOf(resource).values()].map(({ field }) => field.name))
  return fields
    .filter((field) => isMomentAsText(field) && filtered.has(field.name))
    .map(({ name, column, stored }) => {
      const message =
        `"${name}" is text, but the column "${column}" is of type ${stored.type}: ` +
        'its filters take moments only, and every other value is 400. ' +
        `Declare z.iso.datetime() for "${name}", or the column as text.`
      return advised(name, message)
    })
}

/** Writes names in quotes: `"a", "b" and "c"`. */
export function quotedList(names: readonly string[]): string {
  const all = names.map((name) => `"${name}"`)
  const last = all.pop() ?? ''
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`
}
