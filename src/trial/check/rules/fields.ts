import { parameters } from '../../../convention/operations.ts'
import { isSame } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { firstItem } from '../collection.ts'
import { expectBody, expectItems, expectStatus, fail, type ServerItem, skip } from '../expect.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'

/** Rules about `fields`. */
export const fieldRules = defineRules(['items', 'fields'], {
  'fields-only': {
    text: '"fields" leaves out the other fields, and never the id.',
    needs: ['some'],
    async run(collection) {
      const { send, path, items } = collection
      const item = firstItem(collection)
      const field = otherFieldOf(item)
      for (const query of [`fields=${field}`, `fields=${field}&fields=${field}`, 'fields=id']) {
        const names = ['id', decodeURIComponent(field)].slice(0, query === 'fields=id' ? 1 : 2)
        const list = await send('GET', `${path}?${query}`)
        for (const given of expectItems(list)) {
          const expected = items.find(({ id }) => id === given.id)
          if (expected && !isSame(given, partOf(expected, names)))
            fail(list, `The item ${given.id} has other fields than ${names.join(' and ')}.`)
        }
        for (const target of [itemPath(path, item.id), `${path}/first`]) {
          const response = await send('GET', `${target}?${query}`)
          expectStatus(response, 200)
          expectBody(response, partOf(item, names), `the item with only ${names.join(' and ')}`)
        }
      }
    },
  },
  'fields-empty': {
    text: 'The server ignores an empty "fields".',
    needs: ['some'],
    async run(collection) {
      const { send, path } = collection
      const item = firstItem(collection)
      const response = await send('GET', `${itemPath(path, item.id)}?fields=`)
      expectStatus(response, 200)
      expectBody(response, item, 'the item that the list has')
    },
  },
  'fields-no-etag': {
    text: 'A response with some fields has no ETag: a part is no version of the item.',
    needs: ['some'],
    async run({ send, path, items: [item] }) {
      for (const target of [itemPath(path, item?.id ?? absentName), `${path}/first`]) {
        const response = await send('GET', `${target}?fields=id`)
        expectStatus(response, 200)
        if (response.headers.etag !== undefined) fail(response, 'The response has an ETag.')
      }
    },
  },
  'fields-unknown': {
    text: 'An unknown name in "fields" gives 400, with the allowed ones.',
    needs: ['some'],
    send({ offers }) {
      if (offers.fields === undefined) skip('OPTIONS does not name the fields.')
      const targets = ['{list}', '{item}', '{list}/first']
      const queries = [
        absentName,
        `id,${absentName}`,
        '__proto__',
        'id,',
        `id&fields=${absentName}`,
      ]
      return targets.flatMap((target) => queries.map((query) => `${target}?fields=${query}`))
    },
    expect: 'bad_parameter',
    lists: 'allowed',
  },
  'fields-bounds': {
    text: `Over ${parameters.fields.most} names in "fields" give 400.`,
    send: [`{list}?fields=${Array(parameters.fields.most + 1).fill('id')}`],
    expect: 'bad_parameter',
  },
})

// Encoded for a query.
function otherFieldOf(item: ServerItem): string {
  const field = Object.keys(item).find((name) => name !== 'id' && /^[\w.-]+$/.test(name))
  return encodeURIComponent(field ?? skip('The items have no field but the id.'))
}

function partOf(item: ServerItem, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)))
}
