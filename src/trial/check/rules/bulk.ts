import { itemPath } from '../../../wire/path.ts'
import { prepareBulk } from '../bulk.ts'
import { readAll } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectItems,
  expectProblem,
  fail,
  idTextsOf,
  type ServerItem,
  skip,
} from '../expect.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import { absentId, expectSupported, expectUnchanged, skipUnsupported } from '../writing.ts'

/**
 * Rules about PUT and DELETE on a collection. If a server breaks them, a request could reach every
 * item, so they only run where all items belong to the check.
 */
export const bulkRules = defineRules(['write', 'own'], {
  'bulk-update': {
    text: 'PUT on a collection replaces exactly the sent items, and returns them in that order.',
    async run(collection) {
      const { send } = collection
      const { items, bodies, path } = await prepareBulk(collection, 3)
      const response = await send('PUT', path, { body: [bodies[1], bodies[0]] })
      expectSupported(response, 200)
      const updated = expectItems(response)
      const unlisted = items[2] as ServerItem
      expectIds(response, idTextsOf(items.slice(0, 2).toReversed()))
      for (const item of updated)
        expectBody(await send('GET', itemPath(path, item.id)), item, 'the item that PUT returned')
      const read = await send('GET', itemPath(path, unlisted.id))
      if (read.status !== 200) fail(response, 'An item that was not sent is gone.')
      expectBody(read, unlisted, 'the item that was not sent, as it was')
    },
  },
  'bulk-whole-or-not': {
    text: 'A bulk changes all items or none: an unknown id gives 404, an invalid item 422.',
    async run(collection) {
      const { items, bodies, path } = await prepareBulk(collection, 2)
      const unknown = { ...bodies[1], id: absentId(items[1]?.id) }
      for (const [second, code] of [
        [unknown, 'not_found'],
        [5, 'validation_failed'],
      ] as const) {
        const response = await collection.send('PUT', path, { body: [bodies[0], second] })
        skipUnsupported(response)
        expectProblem(response, code)
        await expectUnchanged(collection, items)
      }
    },
  },
  'bulk-ids': {
    text: 'A missing or repeated id in a bulk gives 422.',
    creates: 1,
    send({ created: [item], drafts: [draft] }) {
      const body = { ...draft, id: item?.id }
      const bodies = [[body, body], [{ ...draft, id: undefined }]]
      return bodies.map((body) => ({ request: 'PUT {own}', body }))
    },
    expect: 'validation_failed',
  },
  'bulk-no-array': {
    text: 'A bulk that is no array gives 422.',
    async send(collection) {
      const { bodies } = await prepareBulk(collection, 1)
      return [{ request: 'PUT {own}', body: bodies[0] }]
    },
    expect: 'validation_failed',
  },
  'bulk-empty': {
    text: 'A bulk without items gives [], and changes nothing.',
    async run(collection) {
      const { items, path } = await prepareBulk(collection, 1)
      const response = await collection.send('PUT', path, { body: [] })
      expectSupported(response, 200)
      expectBody(response, [], '[]')
      await expectUnchanged(collection, items)
    },
  },
  'collection-slash': {
    text:
      'PUT and DELETE on a collection with a trailing slash give 400: ' +
      'an id may have been empty.',
    creates: 1,
    send: [{ request: 'PUT {own}/', body: [] }, 'DELETE {own}/'],
    expect: 'bad_path',
  },
  'delete-all-parameter': {
    text:
      'DELETE on a collection with a parameter, or an empty query, gives 400 and deletes ' +
      'nothing.',
    creates: 1,
    send: [
      { request: `DELETE {own}?q=${absentName}`, expect: 'unknown_parameter' },
      { request: `DELETE {own}?id=${absentName}`, expect: 'unknown_parameter' },
      { request: `DELETE {own}?id:ne=${absentName}`, expect: 'unknown_parameter' },
      'DELETE {own}?',
    ],
    expect: 'bad_path',
  },
  'delete-all-body': {
    text: 'DELETE on a collection with a body gives 400 and deletes nothing.',
    creates: 1,
    send: ({ created }) => [{ request: 'DELETE {own}', body: idTextsOf(created) }],
    expect: 'body_not_allowed',
  },
  'max-affected': {
    text: 'DELETE with "Prefer: max-affected=n" on more items gives 409 and deletes nothing.',
    creates: 2,
    send: [{ request: 'DELETE {own}', headers: { prefer: 'max-affected=1' } }],
    expect: 'too_many_affected',
  },
  'delete-all': {
    text:
      'DELETE on a collection deletes all items: 200 with { "deleted": n }. ' +
      'If OPTIONS says "bounded", it needs "Prefer: max-affected=n".',
    async run(collection) {
      const { send, isBounded } = collection
      const { items: created, path } = await prepareBulk(collection, 2)
      const { items } = await readAll(send, path)
      if (isBounded) {
        const refused = await send('DELETE', path)
        skipUnsupported(refused)
        expectProblem(refused, 'too_many_affected')
        await expectUnchanged(collection, created)
      }
      const headers = { prefer: `max-affected=${items.length}` }
      const parts = isBounded ? { headers } : undefined
      const response = await send('DELETE', path, parts)
      if (response.status === 409) skip('Other items reference these.')
      expectSupported(response, 200)
      expectBody(response, { deleted: items.length }, `{ "deleted": ${items.length} }`)
      expectIds(await send('GET', path), [])
      expectBody(await send('DELETE', path, parts), { deleted: 0 }, '{ "deleted": 0 }')
    },
  },
})
