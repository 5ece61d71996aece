import { type Operation, problem } from 'nounful'
import type { Specimen, SpecimenAdapter } from 'nounful/conformance'
import { select } from 'nounful/memory'
import type { ChangeMany } from '../../../src/contract/resource/operation.ts'
import { isInScope } from '../../../src/convention/value.ts'

/**
 * Returns an adapter over a `Map` that leaves `first`, `last` and `count` to the core.
 *
 * @param copy Copies an item, so that callers and the map share nothing.
 */
export function mapAdapter(copy: (item: Specimen) => Specimen = structuredClone): SpecimenAdapter {
  const items = new Map<string, Specimen>()
  let writes = 0
  function put(item: Specimen): Specimen {
    writes += 1
    const stored = Object.assign(copy(item), { revision: `v${writes}` })
    items.set(stored.id, stored)
    return copy(stored)
  }
  function find(id: string, { scope, ifRevision }: Operation): Specimen | undefined {
    const item = items.get(id)
    if (!item || !isInScope(item, scope)) return undefined
    if (ifRevision === undefined || ifRevision === item.revision) return item
    throw problem('precondition_failed')
  }
  async function modifyAll(
    operation: Operation,
    ids: readonly string[],
    change: ChangeMany<Specimen>,
  ) {
    const found = ids.map((id) => find(id, operation))
    const given = found.map((item) => item && copy(item))
    const made = await change(given)
    if (found.some((item, place) => items.get(ids[place] ?? '') !== item)) {
      return modifyAll(operation, ids, change)
    }
    return made.map((item, place) => (item === given[place] ? item : put(item)))
  }
  return {
    list: (operation) => select(items.values(), operation).map((item) => copy(item)),
    create({ item }) {
      const id = item.id ?? `${writes + 1}`
      if (items.has(id)) throw problem('conflict')
      return put({ ...item, id })
    },
    createMany(operation) {
      const made = operation.items.map(({ id = `${++writes}`, ...item }) => ({ ...item, id }))
      const ids = new Set(made.map(({ id }) => id))
      if (ids.size < made.length || made.some(({ id }) => items.has(id))) throw problem('conflict')
      return made.map(put)
    },
    async modify(operation, _, change) {
      if (find(operation.id, operation) === undefined) return null
      const [item] = await modifyAll(operation, [operation.id], async ([stored]) =>
        stored ? [await change(stored)] : [],
      )
      return item
    },
    modifyMany: (operation, _, change) => modifyAll(operation, operation.ids, change),
    read(operation) {
      const item = find(operation.id, operation)
      return item && copy(item)
    },
    update: (operation) => find(operation.id, operation) && put(operation.item),
    updateMany(operation) {
      const found = operation.items.map(({ id }) => find(id, operation))
      return found.includes(undefined) ? found : operation.items.map(put)
    },
    delete(operation) {
      const item = find(operation.id, operation)
      if (item) items.delete(item.id)
      return item
    },
    deleteMany(operation) {
      const gone = select(items.values(), operation)
      if (gone.length > operation.maxAffected) throw problem('too_many_affected')
      for (const { id } of gone) items.delete(id)
      return gone.length
    },
    deleteAll({ scope, maxAffected = Number.POSITIVE_INFINITY }) {
      const gone = [...items.values()].filter((item) => isInScope(item, scope))
      if (gone.length > maxAffected) throw problem('too_many_affected')
      for (const { id } of gone) items.delete(id)
      return gone.length
    },
  }
}
