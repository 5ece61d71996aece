import { fieldOf, isSame } from '../../convention/value.ts'
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
 * Expects the members of references in the items of a response, which otherwise are as the list
 * without `include` has them. Ignores items that are new.
 *
 * @param fields The fields that the response has beside the members. Default: all.
 * @throws {RuleViolation}
 */
export function expectIncluding(
  response: CheckResponse,
  references: readonly Includable[],
  { items }: CheckedCollection,
  fields?: readonly string[],
): void {
  const isList = Array.isArray(response.json)
  for (const given of isList ? expectItems(response) : [expectItem(response)]) {
    const known = items.find(({ id }) => id === given.id)
    if (known === undefined) continue
    const rest: Record<string, unknown> = { ...given }
    for (const { field, include } of references) {
      const problem = problemOf(given[include], known[field])
      if (problem !== undefined)
        fail(response, `The "${include}" of the item ${known.id} is ${problem}.`)
      delete rest[include]
    }
    const expected = Object.entries(known).filter(([name]) => fields?.includes(name) !== false)
    if (!isSame(rest, Object.fromEntries(expected)))
      fail(response, `The item ${known.id} has other fields than without "include".`)
  }
}

// A reference to an item that the client may not read gives null.
function problemOf(member: unknown, id: unknown): string | undefined {
  if (member === null) return undefined
  if (member === undefined) return 'missing'
  if (!isGiven(id)) return 'an item, where the field names none'
  return idTextOf(member) === String(id) ? undefined : `another item than ${String(id)}`
}

/** Tells whether a field has a value. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
