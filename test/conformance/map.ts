import { type Operation, problem } from 'nounful'
import type { Specimen, SpecimenAdapter } from 'nounful/conformance'
import { select } from 'nounful/memory'
import { isInScope } from '../../src/model/value.ts'

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
  return {
    list: (operation) => select(items.values(), operation).map((item) => copy(item)),
    create({ item }) {
      const id = item.id ?? `${writes + 1}`
      if (items.has(id)) throw problem('conflict')
      return put({ ...item, id })
    },
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
    deleteAll({ scope, maxAffected = Number.POSITIVE_INFINITY }) {
      const gone = [...items.values()].filter((item) => isInScope(item, scope))
      if (gone.length > maxAffected) throw problem('too_many_affected')
      for (const { id } of gone) items.delete(id)
      return gone.length
    },
  }
}
