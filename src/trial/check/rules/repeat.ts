import { formatIdempotencyKey } from '../../../wire/idempotency-key.ts'
import { itemPath } from '../../../wire/path.ts'
import type { CheckedCollection, ItemDraft } from '../collection.ts'
import {
  type CheckResponse,
  expect,
  fail,
  isServerItem,
  isSuccess,
  type RequestParts,
  type ServerItem,
  skip,
  skipUnsupported,
} from '../message.ts'
import {
  defineRules,
  draftsFor,
  expectNotStored,
  expectUnchanged,
  patchFor,
  postItem,
  writableOf,
} from '../rule.ts'

const unsupported = 'idempotency_unsupported'

/** Rules about `Idempotency-Key`. */
export const repeatRules = defineRules(['write', 'key'], {
  'key-create': {
    text:
      'POST with an "Idempotency-Key" creates one item. Repeated, it gives 201 with that item, ' +
      'its "Location" and "Idempotency-Replayed: true".',
    async run(collection) {
      const { send } = collection
      const { path } = writableOf(collection)
      const [body = {}] = await draftsFor(collection, 1)
      const key = crypto.randomUUID()
      const headers = { 'idempotency-key': key }
      const { first, item } = await createOnce(collection, { body, headers })
      expect.fields(first, item, body)
      if (isReplayed(first)) fail(first, 'The first response has "Idempotency-Replayed".')
      const quoted = formatIdempotencyKey(key)
      for (const written of [key, quoted]) {
        const again = await send('POST', path, { body, headers: { 'idempotency-key': written } })
        expect.status(again, 201)
        expect.body(again, item, 'the item that the first request created')
        if (!isReplayed(again)) fail(again, 'The response has no "Idempotency-Replayed: true".')
        if (again.headers.location !== first.headers.location)
          fail(again, `"Location" is ${again.headers.location}, not ${first.headers.location}.`)
      }
    },
  },
  'key-apart': {
    text: 'POSTs with two keys create two items, even of one body.',
    async run(collection) {
      const { path } = writableOf(collection)
      const [body = {}] = await draftsFor(collection, 1)
      const { item } = await createOnce(collection, { body, headers: newKey() })
      const second = await collection.send('POST', path, { body, headers: newKey() })
      // The values of some fields must be unique.
      if (second.status === 409) skip('The server takes no second item like the first.')
      if (expect.item(second, 201).id === item.id)
        fail(second, 'Both responses have the same item.')
    },
  },
  'key-mismatch': {
    text: 'POST with the key of another body gives 422, and changes and creates nothing.',
    async run(collection) {
      const { path } = writableOf(collection)
      const [body = {}, draft = {}] = await draftsFor(collection, 2)
      const headers = newKey()
      const { item } = await createOnce(collection, { body, headers })
      const second = await writableOf(collection).change(draft)
      await expectNotStored(
        collection,
        { path, body: second, headers, drafts: [second] },
        (response) => expect.problem(response, 'idempotency_mismatch'),
      )
      await expectUnchanged(collection, [item])
    },
  },
  'key-item-deleted': {
    text: 'POST with the key of a deleted item creates it again.',
    async run(collection) {
      const { path } = writableOf(collection)
      const [body = {}] = await draftsFor(collection, 1)
      const request = { body, headers: newKey() }
      const { id } = (await createOnce(collection, request)).item
      const deleted = await collection.send('DELETE', itemPath(path, id))
      if (!isSuccess(deleted)) skip('The check cannot delete the item.')
      const again = await collection.send('POST', path, request)
      // A server that keeps what it deletes refuses the id.
      if (again.status === 409) skip('The server keeps the ids of deleted items.')
      const item = expect.item(again, 201)
      expect.fields(again, item, body)
      if (item.id !== id) fail(again, `The item has the id ${item.id}, not ${id}.`)
      if (isReplayed(again)) fail(again, 'The response has "Idempotency-Replayed".')
    },
  },
  'key-value': {
    text: 'A key is one text of 1 to 255 visible characters of ASCII: else 400.',
    run: (collection) =>
      expectRefused(collection, 'bad_request', (body) =>
        ['""', '"a', 'a b', 'x'.repeat(256), '"\\a"'].map((key) => ({ body, key })),
      ),
  },
  'key-one-item': {
    text: 'A key is for one new item without an id: for an array or an id, POST gives 400.',
    run: (collection) =>
      expectRefused(collection, unsupported, (body) => [
        { body: { ...body, id: crypto.randomUUID() } },
        { body: [body] },
        { body: [] },
      ]),
  },
})

/** Rules about writes that take no `Idempotency-Key`. */
export const noKeyRules = defineRules(['write'], {
  'key-unsupported': {
    text:
      'A write that takes no "Idempotency-Key" gives 400, and stores nothing: PATCH, and POST ' +
      'where OPTIONS says "idempotent": false.',
    async run(collection) {
      const { takesKey } = collection.offers
      if (takesKey === undefined) skip('OPTIONS does not say "idempotent".')
      if (!takesKey) await expectRefused(collection, unsupported, (body) => [{ body }])
      const { item, path } = await postItem(collection)
      const { patch } = await patchFor(collection, item)
      const response = await collection.send('PATCH', path, { body: patch, headers: newKey() })
      skipUnsupported(response)
      expect.problem(response, unsupported)
      await expectUnchanged(collection, [item])
    },
  },
})

function newKey(): { readonly 'idempotency-key': string } {
  return { 'idempotency-key': crypto.randomUUID() }
}

interface CreatedOnce {
  readonly first: CheckResponse
  readonly item: ServerItem
}

// Other rules report a success of another kind.
async function createOnce(
  collection: CheckedCollection,
  parts: RequestParts,
): Promise<CreatedOnce> {
  const first = await collection.send('POST', writableOf(collection).path, parts)
  skipUnsupported(first)
  const isOther = isSuccess(first) && (first.status !== 201 || !isServerItem(first.json))
  if (isOther) skip('The response to POST is not 201 with an item.')
  return { first, item: expect.item(first, 201) }
}

function isReplayed({ headers }: CheckResponse): boolean {
  return headers['idempotency-replayed'] === 'true'
}

interface Refused {
  readonly body: unknown
  /** Default: a new one. */
  readonly key?: string
}

async function expectRefused(
  collection: CheckedCollection,
  code: 'bad_request' | typeof unsupported,
  requestsFor: (draft: ItemDraft) => readonly Refused[],
): Promise<void> {
  const { path } = writableOf(collection)
  const [draft = {}] = await draftsFor(collection, 1)
  for (const { body, key } of requestsFor(draft)) {
    const headers = key === undefined ? newKey() : { 'idempotency-key': key }
    const request = { path, body, headers, drafts: [draft] }
    await expectNotStored(collection, request, (response) => {
      // The schema may refuse the body first: an id, or an array where there is no bulk create.
      if (body !== draft && response.status === 422) return
      expect.problem(response, code)
    })
  }
}
