import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, readAll } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectItems,
  fail,
  idTextsOf,
  type ServerItem,
  skip,
} from '../expect.ts'
import { absentName } from '../path.ts'
import { defineRules, type RuleRow } from '../rule.ts'
import type { ItemDraft } from '../writable.ts'
import {
  absentId,
  expectRefusal,
  expectRefusals,
  expectSupported,
  expectUnchanged,
  postItem,
  type Refused,
  withChange,
  writableOf,
} from './writing.ts'

/**
 * Rules about PUT and DELETE on a collection. If a server breaks them, a request could reach every
 * item, so they only run where all items belong to the check.
 */
export const bulkRules = defineRules(['write', 'own'], {
  'bulk-update': {
    text: 'PUT on a collection replaces exactly the sent items, and returns them in that order.',
    async run(collection) {
      const { send } = collection
      const { items, bodies, path } = await prepare(collection, 3)
      const response = await send('PUT', path, { body: [bodies[1], bodies[0]] })
      expectSupported(response, 200)
      const updated = expectItems(response)
      const [first, second, unlisted] = items
      expectIds(response, updated, idTextsOf([second, first].filter((item) => item !== undefined)))
      for (const item of updated)
        expectBody(await send('GET', itemPath(path, item.id)), item, 'the item that PUT returned')
      if (unlisted === undefined) return
      const read = await send('GET', itemPath(path, unlisted.id))
      if (read.status !== 200) fail(response, 'An item that was not sent is gone.')
      expectBody(read, unlisted, 'the item that was not sent, as it was')
    },
  },
  'bulk-whole-or-not': {
    text: 'A bulk changes all items or none: an unknown id gives 404, an invalid item 422.',
    async run(collection) {
      const { items, bodies, path } = await prepare(collection, 2)
      const unknown = { ...bodies[1], id: absentId(items[1]?.id ?? absentName) }
      for (const [second, code] of [
        [unknown, 'not_found'],
        [5, 'validation_failed'],
      ] as const) {
        const response = await collection.send('PUT', path, { body: [bodies[0], second] })
        expectRefusal(response, code)
        await expectAllUnchanged(collection, items)
      }
    },
  },
  'bulk-ids': refusedBulk('A missing or repeated id in a bulk gives 422.', ({ bodies, path }) => {
    const { id: _, ...withoutId } = bodies[0] ?? {}
    return [[bodies[0], bodies[0]], [withoutId]].map((body) => ({
      method: 'PUT',
      path,
      body,
      codes: ['validation_failed'],
    }))
  }),
  'bulk-no-array': {
    text: 'A bulk that is no array gives 422.',
    async run(collection) {
      const { bodies, path } = await prepare(collection, 1)
      const response = await collection.send('PUT', path, { body: bodies[0] })
      expectRefusal(response, 'validation_failed')
    },
  },
  'bulk-empty': {
    text: 'A bulk without items gives [], and changes nothing.',
    async run(collection) {
      const { items, path } = await prepare(collection, 1)
      const response = await collection.send('PUT', path, { body: [] })
      expectSupported(response, 200)
      expectBody(response, [], '[]')
      await expectAllUnchanged(collection, items)
    },
  },
  'collection-slash': refusedBulk(
    'PUT and DELETE on a collection with a trailing slash give 400: an id may have been empty.',
    ({ path }) => [
      { method: 'PUT', path: `${path}/`, body: [], codes: ['bad_path'] },
      { method: 'DELETE', path: `${path}/`, codes: ['bad_path'] },
    ],
  ),
  'delete-all-parameter': refusedBulk(
    'DELETE on a collection with a parameter, or an empty query, gives 400 and deletes nothing.',
    ({ path }) => [
      { method: 'DELETE', path: `${path}?q=${absentName}`, codes: ['unknown_parameter'] },
      { method: 'DELETE', path: `${path}?`, codes: ['bad_path'] },
    ],
  ),
  'delete-all-body': refusedBulk(
    'DELETE on a collection with a body gives 400 and deletes nothing.',
    ({ items, path }) => [
      { method: 'DELETE', path, body: idTextsOf(items), codes: ['body_not_allowed'] },
    ],
  ),
  'max-affected': {
    text: 'DELETE with "Prefer: max-affected=n" on more items gives 409 and deletes nothing.',
    async run(collection) {
      const { items, path } = await prepare(collection, 2)
      const headers = { prefer: 'max-affected=1' }
      const response = await collection.send('DELETE', path, { headers })
      expectRefusal(response, 'too_many_affected')
      await expectAllUnchanged(collection, items)
    },
  },
  'delete-all': {
    text:
      'DELETE on a collection deletes all items: 200 with { "deleted": n }. ' +
      'If OPTIONS says "bounded", it needs "Prefer: max-affected=n".',
    async run(collection) {
      const { send, isBounded } = collection
      const created = await prepare(collection, 2)
      const { path } = created
      const { items } = await readAll(send, path)
      if (isBounded) {
        expectRefusal(await send('DELETE', path), 'too_many_affected')
        await expectAllUnchanged(collection, created.items)
      }
      const headers = { prefer: `max-affected=${items.length}` }
      const parts = isBounded ? { headers } : undefined
      const response = await send('DELETE', path, parts)
      if (response.status === 409) skip('Other items reference these.')
      expectSupported(response, 200)
      expectBody(response, { deleted: items.length }, `{ "deleted": ${items.length} }`)
      const left = await send('GET', path)
      expectIds(left, expectItems(left), [])
      expectBody(await send('DELETE', path, parts), { deleted: 0 }, '{ "deleted": 0 }')
    },
  },
})

interface Prepared {
  readonly path: string
  readonly items: readonly ServerItem[]
  /** A changed body for each item, with its id. */
  readonly bodies: readonly ItemDraft[]
}

async function prepare(collection: CheckedCollection, count: number): Promise<Prepared> {
  const items: ServerItem[] = []
  while (items.length < count) items.push((await postItem(collection)).item)
  const { path, draft } = writableOf(collection)
  const bodies: ItemDraft[] = []
  for (const { id } of items) bodies.push({ ...withChange(await draft()), id })
  return { path, items, bodies }
}

function refusedBulk(text: string, requests: (prepared: Prepared) => readonly Refused[]): RuleRow {
  return {
    text,
    async run(collection) {
      const prepared = await prepare(collection, 1)
      await expectRefusals(collection, requests(prepared))
      await expectAllUnchanged(collection, prepared.items)
    },
  }
}

async function expectAllUnchanged(
  collection: CheckedCollection,
  items: readonly ServerItem[],
): Promise<void> {
  const { path } = writableOf(collection)
  for (const item of items)
    await expectUnchanged(collection, { item, path: itemPath(path, item.id) })
}
