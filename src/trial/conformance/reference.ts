import type { ChangeMany, Operation } from '../../contract/resource/operation.ts'
import { compareBy } from '../../contract/values/order.ts'
import { matching, meeting } from '../../contract/values/search.ts'
import { problem } from '../../convention/problem.ts'
import { fieldOf, isInScope } from '../../convention/value.ts'
import { type NewSpecimen, type Specimen, type SpecimenAdapter, specimens } from './specimens.ts'

/**
 * Creates the adapter whose results are right: a `Map`, for one operation at a time. New items have
 * the ids that the adapter under test has chosen.
 */
export function referenceAdapter(): SpecimenAdapter {
  const store = new Store()
  return { ...readsOf(store), ...writesOf(store), ...removalsOf(store) }
}

class Store {
  readonly items = new Map<string, Specimen>()
  #writes = 0

  put(item: Specimen): Specimen {
    this.#writes++
    const stored = { ...structuredClone(item), revision: this.#writes }
    this.items.set(stored.id, stored)
    return stored
  }

  find(id: string, { scope, ifRevision }: Operation): Specimen | undefined {
    const item = this.items.get(id)
    if (item === undefined || !isInScope(item, scope)) return undefined
    if (ifRevision === undefined || ifRevision === item.revision) return item
    throw problem('precondition_failed')
  }

  create(drafts: readonly NewSpecimen[]): readonly Specimen[] {
    const ids = drafts.map(({ id = '' }) => id)
    const isTaken = new Set(ids).size < ids.length || ids.some((id) => this.items.has(id))
    if (isTaken) throw problem('conflict')
    return drafts.map(({ id = '', ...draft }) => this.put({ ...draft, id }))
  }

  async change(
    operation: Operation,
    ids: readonly string[],
    change: ChangeMany<Specimen>,
  ): Promise<readonly Specimen[]> {
    const stored = ids.map((id) => this.find(id, operation))
    const copies = structuredClone(stored)
    const results = await change(copies)
    return results.map((item, place) =>
      item === copies[place] ? (stored[place] ?? item) : this.put(item),
    )
  }
}

function readsOf(store: Store): SpecimenAdapter {
  return {
    list: (operation) => select(store.items.values(), operation),
    first: (operation) => select(store.items.values(), operation)[0],
    last: (operation) => select(store.items.values(), operation).at(-1),
    count: (operation) => select(store.items.values(), operation).length,
    countBy: (operation) => groupsOf(select(store.items.values(), operation), operation),
    read: (operation) => store.find(operation.id, operation),
  }
}

// Each combination of values with its number.
function groupsOf(
  items: readonly Specimen[],
  { query: { by = [] } }: Operation,
): readonly object[] {
  const groups = new Map<string, { count: number }>()
  for (const item of items) {
    const values = Object.fromEntries(by.map((field) => [field, fieldOf(item, field) ?? null]))
    const key = JSON.stringify(values)
    groups.set(key, { ...values, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()]
}

function writesOf(store: Store): SpecimenAdapter {
  return {
    create: ({ item }) => store.create([item])[0] ?? store.put({ ...item, id: '' }),
    createMany: ({ items }) => store.create(items),
    update: (operation) => store.find(operation.id, operation) && store.put(operation.item),
    updateMany(operation) {
      const stored = operation.items.map(({ id }) => store.find(id, operation))
      return stored.includes(undefined) ? stored : operation.items.map((item) => store.put(item))
    },
    async modify(operation, _, changeOne) {
      if (store.find(operation.id, operation) === undefined) return null
      const [item] = await store.change(operation, [operation.id], async ([stored]) =>
        stored ? [await changeOne(stored)] : [],
      )
      return item
    },
    modifyMany: (operation, _, changeAll) => store.change(operation, operation.ids, changeAll),
    delete(operation) {
      const item = store.find(operation.id, operation)
      if (item) store.items.delete(item.id)
      return item
    },
    deleteMany(operation) {
      const gone = select(store.items.values(), operation)
      if (gone.length > operation.maxAffected) throw problem('too_many_affected')
      for (const { id } of gone) store.items.delete(id)
      return gone.length
    },
    deleteAll({ scope, maxAffected = Number.POSITIVE_INFINITY }) {
      const gone = [...store.items.values()].filter((item) => isInScope(item, scope))
      if (gone.length > maxAffected) throw problem('too_many_affected')
      for (const { id } of gone) store.items.delete(id)
      return gone.length
    },
  }
}

function removalsOf(store: Store): SpecimenAdapter {
  return {
    remove(operation, _, judge) {
      const item = store.find(operation.id, operation)
      if (item === undefined) return undefined
      judge(structuredClone([item]))
      store.items.delete(item.id)
      return item
    },
    removeMany(operation, _, judge) {
      const { scope, maxAffected = Number.POSITIVE_INFINITY } = operation
      const gone =
        operation.kind === 'deleteMany'
          ? select(store.items.values(), operation)
          : [...store.items.values()].filter((item) => isInScope(item, scope))
      judge(structuredClone(gone))
      if (gone.length > maxAffected) throw problem('too_many_affected')
      for (const { id } of gone) store.items.delete(id)
      return gone.length
    },
  }
}

// The items of an operation, in its order.
function select(items: Iterable<Specimen>, { scope, query }: Operation): readonly Specimen[] {
  const { words, where, sort, after, offset, limit = Number.POSITIVE_INFINITY } = query
  const [compare, meets, matches] = [
    compareBy(sort),
    meeting(where),
    matching(words, specimens.searchable),
  ]
  return [...items]
    .filter((item) => isInScope(item, scope) && meets(item) && matches(item))
    .filter((item) => after === undefined || compare(item, after) > 0)
    .sort(compare)
    .slice(offset, offset + limit)
}
