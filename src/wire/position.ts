import type { Position, Query, Scalar, SortField } from '../model/operation.ts'
import { invalidCursor } from '../model/problem.ts'
import type { Resource } from '../model/resource.ts'
import { isSortValue } from './sort-value.ts'

/** The least length of a cut text, in UTF-16 units: longer than any value of another type. */
export const leastKept = 50

/**
 * Reads the values of a cursor as a position. The inverse of {@link valuesOf}.
 * The values end with a text that was cut. The later fields are then `null`, also the id.
 *
 * @throws {ProblemError} `invalid_cursor` for a value that no item can have in its field.
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

/** Makes a position from values; `null` for fields without one. */
export function toPosition(values: readonly Scalar[], sort: readonly SortField[]): Position {
  return Object.fromEntries(sort.map(({ field }, place) => [field, values[place] ?? null]))
}

/** Returns the values of a position, up to a cut text. The inverse of {@link readPosition}. */
export function valuesOf(position: Position, { sort }: Query): readonly Scalar[] {
  const values = sort.map(({ field }) => position[field] ?? null)
  if (position.id !== null) return values
  return values.slice(0, 1 + values.findLastIndex((value) => value !== null))
}
