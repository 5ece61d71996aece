import { itemPath } from '../../../wire/path.ts'
import { expect, idTextsOf, type ServerItem } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, expectUnchanged, prepareBulk } from '../rule.ts'

const bound = (most: number) => ({ prefer: `max-affected=${most}` })

/** Rules about DELETE of what matches. They only run where all items belong to the check. */
export const selectionRules = defineRules(['write', 'own', 'selection'], {
  'delete-many': {
    text:
      'DELETE on a collection with a filter deletes what matches: 200 with { "deleted": n }, and ' +
      'no other item.',
    async run(collection) {
      const { send } = collection
      const { items, path } = await prepareBulk(collection, 3)
      const [kept, ...gone] = items as [ServerItem, ...ServerItem[]]
      const url = `${path}?${idTextsOf(gone).map(idFilter).join('&')}`
      const parts = { headers: bound(gone.length) }
      const response = await send('DELETE', url, parts)
      expect.supported(response, 200)
      expect.body(response, { deleted: gone.length }, `{ "deleted": ${gone.length} }`)
      for (const { id } of gone) expect.problem(await send('GET', itemPath(path, id)), 'not_found')
      await expectUnchanged(collection, [kept])
      expect.body(await send('DELETE', url, parts), { deleted: 0 }, '{ "deleted": 0 }')
    },
  },
  'delete-many-condition': {
    text: 'DELETE on a collection with a query but without a condition gives 400, deletes nothing.',
    creates: 1,
    send: ({ searchable = [] }) =>
      ['', ...(searchable.length > 0 ? ['q='] : []), 'dry_run=true'].map((query) => ({
        request: `DELETE {writable}?${query}`,
        headers: bound(1000),
      })),
    expect: 'bad_parameter',
  },
  'delete-many-bound': {
    text:
      'DELETE with a filter needs "Prefer: max-affected=n". Without it, or with more items that ' +
      'match, it gives 409 and deletes nothing.',
    creates: 2,
    send: ({ created }) => {
      const [first = '', second = ''] = idTextsOf(created).map(idFilter)
      return [
        `DELETE {writable}?${first}`,
        { request: `DELETE {writable}?${first}`, headers: bound(0) },
        { request: `DELETE {writable}?${first}&${second}`, headers: bound(1) },
        { request: `DELETE {writable}?${first}&dry_run=true`, headers: bound(0) },
      ]
    },
    expect: 'too_many_affected',
  },
  'delete-many-most': {
    text: 'DELETE with a filter and a bound above the limit of bulks gives 400, deletes nothing.',
    creates: 1,
    send: ({ created }) =>
      idTextsOf(created).map((id) => ({
        request: `DELETE {writable}?${idFilter(id)}`,
        headers: bound(999_999_999_999),
      })),
    expect: 'bad_request',
  },
  'delete-many-parameter': {
    text: 'DELETE with a filter and an unknown parameter gives 400 and deletes nothing.',
    creates: 1,
    send: ({ created }) =>
      idTextsOf(created).map((id) => ({
        request: `DELETE {writable}?${idFilter(id)}&${absentName}=1`,
        headers: bound(1),
      })),
    expect: 'unknown_parameter',
  },
  'delete-many-dry-run': {
    text: 'DELETE with a filter and "dry_run=true" gives { "deleted": n }, and deletes nothing.',
    async run(collection) {
      const { items, path } = await prepareBulk(collection, 2)
      const url = `${path}?${idTextsOf(items).map(idFilter).join('&')}&dry_run=true`
      const response = await collection.send('DELETE', url, { headers: bound(items.length) })
      expect.supported(response, 200)
      expect.body(response, { deleted: items.length }, `{ "deleted": ${items.length} }`)
      await expectUnchanged(collection, items)
    },
  },
})

function idFilter(id: string): string {
  return `id=${encodeURIComponent(id)}`
}
