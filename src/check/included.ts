import { fieldOf, isSame } from '../model/value.ts'
import type { CheckedCollection } from './collection.ts'
import { expectItem, expectItems, fail, idTextOf, type ServerItem } from './expect.ts'
import type { CheckResponse } from './message.ts'
import type { OfferedReference } from './offers.ts'

/** A reference that `include` can name. */
export interface Includable extends OfferedReference {
  readonly include: string
}

/** Returns the references that `include` can name. */
export function includableIn({ offers }: CheckedCollection): readonly Includable[] {
  return offers.references.flatMap(({ include, ...reference }) =>
    include === undefined ? [] : [{ ...reference, include }],
  )
}

/** Writes the parameter for the members of references, percent-encoded. */
export function includeQuery(...references: readonly Includable[]): string {
  return `include=${references.map(({ include }) => encodeURIComponent(include)).join(',')}`
}

/** Returns an item that refers to another, and one that does not, as far as there are some. */
export function referringItems(
  { items }: CheckedCollection,
  { field }: OfferedReference,
): readonly ServerItem[] {
  const refers = (item: ServerItem): boolean => isGiven(fieldOf(item, field))
  const some = [items.find(refers), items.find((item) => !refers(item))]
  return some.filter((item) => item !== undefined)
}

/**
 * Expects an item with the members of references, and otherwise as it is without them.
 *
 * @param known The item, as the server sends it without `include`.
 * @param part The fields that the response has of it. Default: all.
 * @throws {RuleViolation}
 */
export function expectIncluding(
  response: CheckResponse,
  references: readonly Includable[],
  known: ServerItem,
  part: ServerItem = known,
): void {
  compare(response, expectItem(response), { references, known, part })
}

/**
 * Expects the items of a list with the members of references. Ignores items that are new.
 *
 * @throws {RuleViolation}
 */
export function expectAllIncluding(
  response: CheckResponse,
  references: readonly Includable[],
  { items }: CheckedCollection,
): void {
  for (const given of expectItems(response)) {
    const known = items.find(({ id }) => id === given.id)
    if (known) compare(response, given, { references, known, part: known })
  }
}

interface Expected {
  readonly references: readonly Includable[]
  readonly known: ServerItem
  readonly part: ServerItem
}

function compare(
  response: CheckResponse,
  given: ServerItem,
  { references, known, part }: Expected,
): void {
  const rest: Record<string, unknown> = { ...given }
  for (const { field, include } of references) {
    const problem = problemOf(given[include], known[field])
    if (problem !== undefined) fail(response, `The item ${known.id} has "${include}": ${problem}.`)
    delete rest[include]
  }
  if (!isSame(rest, part))
    fail(response, `The item ${known.id} has other fields than without "include".`)
}

// A reference to an item that the client may not read gives null.
function problemOf(member: unknown, id: unknown): string | undefined {
  if (member === null) return undefined
  if (member === undefined) return 'no item and no null'
  if (!isGiven(id)) return 'an item, where the field names none'
  return idTextOf(member) === String(id) ? undefined : `another item than ${String(id)}`
}

/** Tells whether a field has a value. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
