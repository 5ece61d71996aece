import { type CheckedCollection, firstItem } from '../collection.ts'
import { skip } from '../expect.ts'
import { expectFiltered, filterNamed } from '../filtered.ts'
import type { OfferedFilter } from '../offers.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'

/** Rules about many items by id. */
export const manyRules = defineRules(['items', 'filters', 'some'], {
  'id-many': {
    text: '"id=a&id=b" gives exactly these items, in the order of the list.',
    needs: ['several'],
    async run(collection) {
      const ids = collection.items.map(({ id }) => id)
      const filter = byId(collection, 'id')
      for (const values of [ids.slice(0, 2), ids.slice(-2).toReversed(), [ids[0], ids[0]]])
        await expectFiltered(collection, [{ filter, values: values.flatMap((id) => id ?? []) }])
    },
  },
  'id-absent': {
    text: 'An "id" of no item gives [], and none with the ids of items.',
    async run(collection) {
      const filter = byId(collection, 'id')
      const { id } = firstItem(collection)
      for (const values of [[absentName], [''], [absentName, id]])
        await expectFiltered(collection, [{ filter, values }])
    },
  },
  'id-unequal': {
    text: '"id:ne=a" leaves out this item, and no other.',
    async run(collection) {
      const filter = byId(collection, 'id:ne')
      const ids = collection.items.map(({ id }) => id)
      for (const values of [ids.slice(0, 1), ids.slice(-2), [absentName]])
        await expectFiltered(collection, [{ filter, values }])
    },
  },
})

function byId(collection: CheckedCollection, name: string): OfferedFilter {
  return filterNamed(collection, name) ?? skip(`OPTIONS names no "${name}".`)
}
