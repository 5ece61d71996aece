import { filtersOf } from '../contract/schema/filter.ts'
import type { Mismatch } from '../convention/mismatch.ts'
import { isMomentAsText } from './filter-field.ts'
import type { FixWriter } from './fix.ts'
import type { Fix } from './obstacle.ts'
import type { BoundField, Table } from './table.ts'

/** A finding about a field, and the statement that fixes it. */
export interface Advice extends Pick<Mismatch, 'message'> {
  readonly field: string
  readonly fix: Fix | undefined
}

/** Returns an advice. */
export function advised(field: string, message: string, fix?: Fix): Advice {
  return { field, message, fix }
}

/** Returns what works with a limit, by the catalogue alone. */
export function limitsOf(table: Table, fixWriter: FixWriter): readonly Advice[] {
  return [...digitsOf(table, fixWriter), ...momentsOf(table)]
}

function digitsOf(table: Table, fixWriter: FixWriter): readonly Advice[] {
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
    return [
      advised(name, message, isFree(field, table) ? fixWriter.retype(field, stored) : undefined),
    ]
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
