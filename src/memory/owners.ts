import { fieldOf, type Scope } from '../model/operation.ts'
import type { Item } from '../model/resource.ts'

/** Items by the fields that own them, for every set of fields that has been asked for. */
export interface Owners<Stored extends Item> {
  add(item: Stored): void
  remove(item: Stored): void
  /** The items of a scope; `undefined` for the empty scope, which owns everything. */
  ownedBy(scope: Scope): ReadonlySet<Stored> | undefined
}

const nothing: ReadonlySet<never> = new Set<never>()

/** Makes an index of owners over items that change; `all` gives them in any order. */
export function createOwners<Stored extends Item>(all: () => Iterable<Stored>): Owners<Stored> {
  // The contract decides which fields own, so there are as many indexes as ways to nest.
  const indexes = new Map<string, OwnerIndex<Stored>>()
  return {
    add(item) {
      for (const index of indexes.values()) addTo(index, item)
    },
    remove(item) {
      for (const index of indexes.values()) removeFrom(index, item)
    },
    ownedBy(scope) {
      const fields = Object.keys(scope)
      if (fields.length === 0) return undefined
      const name = JSON.stringify(fields)
      let index = indexes.get(name)
      if (!index) {
        index = { fields, owned: new Map() }
        for (const item of all()) addTo(index, item)
        indexes.set(name, index)
      }
      return index.owned.get(keyOf(scope, fields)) ?? nothing
    },
  }
}

interface OwnerIndex<Stored> {
  readonly fields: readonly string[]
  readonly owned: Map<string, Set<Stored>>
}

function addTo<Stored extends Item>({ fields, owned }: OwnerIndex<Stored>, item: Stored): void {
  const key = keyOf(item, fields)
  const items = owned.get(key) ?? new Set()
  owned.set(key, items.add(item))
}

function removeFrom<Stored extends Item>(
  { fields, owned }: OwnerIndex<Stored>,
  item: Stored,
): void {
  const key = keyOf(item, fields)
  const items = owned.get(key)
  items?.delete(item)
  if (items?.size === 0) owned.delete(key)
}

function keyOf(item: object, fields: readonly string[]): string {
  return JSON.stringify(fields.map((field) => fieldOf(item, field) ?? null))
}
