import type { Position, Query, Scalar, SortField } from '../model/operation.ts'
import { invalidCursor } from '../model/problem.ts'
import type { Resource } from '../model/resource.ts'
import { isSortValue } from './sort-value.ts'

/** The fewest characters (UTF-16 units) that are kept of a text that is cut: more than a value of any other kind has. */
export const leastKept = 50

/**
 * Reads the values of a cursor as a position. Fewer values than sort fields end in a text that was cut: the other fields, the id among
 * them, are `null`. The inverse of {@link valuesOf}.
 *
 * @throws {ProblemError} `invalid_cursor` for a value that no item of the resource can have there.
 */
export function readPosition(
  values: readonly Scalar[],
  { sort }: Query,
  resource: Resource,
): Position {
  const last = values.at(-1)
  const isCut = typeof last === 'string' && last.length >= leastKept
  const isWhole = values.length === sort.length || (values.length < sort.length && isCut)
  const isFit = (value: Scalar, place: number): boolean =>
    isSortValue(resource, (sort[place] as SortField).field, value)
  if (isWhole && values.every(isFit)) return toPosition(values, sort)
  throw invalidCursor()
}

/** The position of as many values as there are; `null` for the other fields. */
export function toPosition(values: readonly Scalar[], sort: readonly SortField[]): Position {
  return Object.fromEntries(sort.map(({ field }, place) => [field, values[place] ?? null]))
}

/** The values of a position, up to a text that was cut. The inverse of {@link readPosition}. */
export function valuesOf(position: Position, { sort }: Query): readonly Scalar[] {
  const values = sort.map(({ field }) => position[field] ?? null)
  if (position.id !== null) return values
  return values.slice(0, 1 + values.findLastIndex((value) => value !== null))
}
