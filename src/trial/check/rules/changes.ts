import { bodies, type ProblemCode, reservedWords } from '../../../convention/operations.ts'
import { isSame } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { type ItemDraft, readAll } from '../collection.ts'
import { maxTriedFields } from '../limits.ts'
import {
  expect,
  fail,
  idTextsOf,
  listedIn,
  type ServerItem,
  skip,
  skipUnsupported,
} from '../message.ts'
import { absentId, absentName } from '../path.ts'
import {
  changedDraft,
  defineRules,
  expectPatched,
  expectUnchanged,
  patchFor,
  patchTypes,
  pathThroughOther,
  postItem,
  prepareBulk,
  type UnnamedRule,
  writableOf,
} from '../rule.ts'

const failing = { 'if-match': `"${absentName}"` }

/** Rules about PUT and DELETE on an item, their conditions and parameters. */
export const changeRules = defineRules(['write'], {
  update: {
    text: 'PUT on an item replaces it: 200 with the item, and GET returns the same.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const body = await changedDraft(collection)
      const response = await collection.send('PUT', path, { body })
      expect.supported(response, 200)
      const updated = expect.item(response)
      if (updated.id !== item.id) fail(response, `The item has the id ${updated.id}.`)
      expect.fields(response, updated, body)
      expect.body(await collection.send('GET', path), updated, 'the item that PUT returned')
    },
  },
  'update-replaces': {
    text: 'PUT replaces the whole item: an omitted field does not keep its value.',
    async run(collection) {
      const { send, keep } = collection
      const draft = await writableOf(collection).draft()
      const fields = Object.keys(draft).filter((field) => !keep.includes(field))
      for (const field of fields.slice(0, maxTriedFields)) {
        const { [field]: value, ...body } = draft
        const { item, path } = await postItem(collection)
        const response = await send('PUT', path, { body })
        if (response.status !== 200) continue
        if (!isSame(item[field], expect.item(response)[field])) return
        // The field may have its default.
        const { json } = await send('POST', writableOf(collection).path, { body })
        if (!isSame(Reflect.get(Object(json), field), item[field]))
          fail(response, `"${field}" is still ${JSON.stringify(value)}, and was not sent.`)
      }
      skip('The server accepts no PUT without one of the fields.')
    },
  },
  'update-faults': {
    text: 'PUT with an invalid item gives 422 and changes nothing.',
    creates: 1,
    send: [{ request: 'PUT {new}', body: [] }],
    expect: 'validation_failed',
  },
  'update-id-mismatch': {
    text: 'PUT with the id of another item gives 409.',
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) => [
      { request: 'PUT {new}', body: { ...draft, id: absentId(item?.id) } },
    ],
    expect: 'id_mismatch',
  },
  'content-range': {
    text: 'PUT with "Content-Range" gives 400.',
    creates: 1,
    send: ({ drafts: [body] }) => [
      { request: 'PUT {new}', body, headers: { 'content-range': 'bytes 0-1/2' } },
    ],
    expect: 'bad_request',
  },
  'if-match': {
    text: 'A write whose condition fails gives 409 and changes nothing.',
    creates: 1,
    send: ({ drafts: [body] }) => [
      { request: 'PUT {new}', body, headers: failing },
      { request: 'PUT {new}', body, headers: { 'if-none-match': '*' } },
      { request: 'DELETE {new}', headers: failing },
    ],
    expect: 'precondition_failed',
  },
  'write-parameter': {
    text: 'A write with a parameter gives 400 and changes nothing.',
    creates: 1,
    send: ({ drafts: [body] }) => [
      { request: `PUT {new}?${absentName}=1`, body },
      'DELETE {new}?q=a',
      `DELETE {new}?id=${absentName}`,
    ],
    expect: 'unknown_parameter',
  },
  delete: {
    text: 'DELETE on an item returns it. After that, GET gives 404.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const response = await collection.send('DELETE', path)
      expect.supported(response, 200)
      expect.body(response, item, 'the deleted item')
      expect.problem(await collection.send('GET', path), 'not_found')
    },
  },
  'delete-absent': {
    text: 'DELETE on an unknown id gives 404.',
    async send(collection) {
      const { path } = await postItem(collection)
      await collection.send('DELETE', path)
      return [`DELETE ${path}`]
    },
    expect: 'not_found',
  },
  'delete-body': {
    text: 'DELETE with a body gives 400 and deletes nothing.',
    creates: 1,
    send: [{ request: 'DELETE {new}', body: { a: 1 } }],
    expect: 'body_not_allowed',
  },
  'item-slash': {
    text: 'PUT and DELETE with a trailing slash give 400: URL parsers leave it after "." and "..".',
    creates: 1,
    send: ({ drafts: [body] }) => [{ request: 'PUT {new}/', body }, 'DELETE {new}/'],
    expect: 'bad_path',
  },
  'scope-writes': {
    text: 'PUT and DELETE on an item through another parent give 404.',
    needs: ['parent'],
    creates: 1,
    send(subject) {
      const path = pathThroughOther(subject)
      const [body] = subject.drafts
      // The id is taken, and the client learns no more.
      const taken: readonly ProblemCode[] = subject.offers.putCreates ? ['conflict'] : []
      return [
        { request: `PUT ${path}`, body, expect: ['not_found', 'validation_failed', ...taken] },
        `DELETE ${path}`,
      ]
    },
    expect: 'not_found',
  },
  'no-post-on-item': {
    text:
      'POST on an item or a reserved word gives 405, and PATCH on an item where "Allow" leaves ' +
      'it out.',
    async run(collection) {
      const { send } = collection
      const created = await postItem(collection)
      const { allow = 'PATCH' } = (await send('OPTIONS', created.path)).headers
      for (const method of listedIn(allow).includes('PATCH') ? ['POST'] : ['POST', 'PATCH'])
        expect.problem(await send(method, created.path, { body: {} }), 'method_not_allowed')
      await expectUnchanged(collection, [created.item])
      // On some servers POST on "first" could reach an item of another client.
      const { path, isOwn } = writableOf(collection)
      for (const word of isOwn ? reservedWords : [])
        expect.problem(await send('POST', `${path}/${word}`, { body: [] }), 'method_not_allowed')
    },
  },
})

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
      expect.supported(response, 200)
      const updated = expect.items(response)
      const unlisted = items[2] as ServerItem
      expect.ids(response, idTextsOf(items.slice(0, 2).toReversed()))
      for (const item of updated)
        expect.body(await send('GET', itemPath(path, item.id)), item, 'the item that PUT returned')
      const read = await send('GET', itemPath(path, unlisted.id))
      if (read.status !== 200) fail(response, 'An item that was not sent is gone.')
      expect.body(read, unlisted, 'the item that was not sent, as it was')
    },
  },
  ...bulkRows('PUT', 'bulk', [
    'A bulk changes all items or none: an unknown id gives 404, an invalid item 422.',
    'A missing or repeated id in a bulk gives 422.',
    'A bulk that is no array gives 422.',
    'A bulk without items gives [], and changes nothing.',
  ]),
  'collection-slash': {
    text:
      'PUT and DELETE on a collection with a trailing slash give 400: ' +
      'an id may have been empty.',
    creates: 1,
    send: [{ request: 'PUT {writable}/', body: [] }, 'DELETE {writable}/'],
    expect: 'bad_path',
  },
  'delete-all-parameter': {
    text:
      'DELETE on a collection with a parameter, or an empty query, gives 400 and deletes ' +
      'nothing.',
    creates: 1,
    send: ({ offers }) =>
      offers.selects
        ? [{ request: `DELETE {writable}?${absentName}=1`, expect: 'unknown_parameter' }]
        : [
            { request: `DELETE {writable}?q=${absentName}`, expect: 'unknown_parameter' },
            { request: `DELETE {writable}?id=${absentName}`, expect: 'unknown_parameter' },
            { request: `DELETE {writable}?id:ne=${absentName}`, expect: 'unknown_parameter' },
            'DELETE {writable}?',
          ],
    expect: 'bad_path',
  },
  'delete-all-body': {
    text: 'DELETE on a collection with a body gives 400 and deletes nothing.',
    needs: ['clearing'],
    creates: 1,
    send: ({ created }) => [{ request: 'DELETE {writable}', body: idTextsOf(created) }],
    expect: 'body_not_allowed',
  },
  'max-affected': {
    text: 'DELETE with "Prefer: max-affected=n" on more items gives 409 and deletes nothing.',
    needs: ['clearing'],
    creates: 2,
    send: [{ request: 'DELETE {writable}', headers: { prefer: 'max-affected=1' } }],
    expect: 'too_many_affected',
  },
  'delete-all': {
    text:
      'DELETE on a collection deletes all items: 200 with { "deleted": n }. ' +
      'If OPTIONS says "bounded", it needs "Prefer: max-affected=n".',
    needs: ['clearing'],
    async run(collection) {
      const { send, isBounded } = collection
      const { items: created, path } = await prepareBulk(collection, 2)
      const { items } = await readAll(send, path)
      if (isBounded) {
        const refused = await send('DELETE', path)
        skipUnsupported(refused)
        expect.problem(refused, 'too_many_affected')
        await expectUnchanged(collection, created)
      }
      const headers = { prefer: `max-affected=${items.length}` }
      const parts = isBounded ? { headers } : undefined
      const response = await send('DELETE', path, parts)
      if (response.status === 409) skip('Other items reference these.')
      expect.supported(response, 200)
      expect.body(response, { deleted: items.length }, `{ "deleted": ${items.length} }`)
      expect.ids(await send('GET', path), [])
      expect.body(await send('DELETE', path, parts), { deleted: 0 }, '{ "deleted": 0 }')
    },
  },
})

const itemTypes = patchTypes.filter(
  (type) => !bodies.patches.types.some((allowed) => allowed === type),
)

/**
 * Rules about PATCH on a collection. They only run where all items belong to the check, as those of
 * PUT.
 */
export const bulkPatchRules = defineRules(['write', 'own'], {
  'bulk-patch': {
    text: 'PATCH on a collection changes exactly the named items, and returns them in that order.',
    async run(collection) {
      const { send } = collection
      const { items, path } = await prepareBulk(collection, 3)
      const [first, second, third] = items
      if (!first || !second || !third) return
      const ordered = [second, first]
      const changes = [await patchFor(collection, second), await patchFor(collection, first)]
      const body = changes.map(({ patch }, index) => ({ ...patch, id: ordered[index]?.id }))
      const response = await send('PATCH', path, { body })
      expect.supported(response, 200)
      const patched = expect.items(response)
      expect.ids(response, idTextsOf(ordered))
      for (const [index, change] of changes.entries())
        expectPatched(response, patched[index], change)
      for (const item of patched)
        expect.body(
          await send('GET', itemPath(path, item.id)),
          item,
          'the item that PATCH returned',
        )
      await expectUnchanged(collection, [third])
    },
  },
  ...bulkRows('PATCH', 'bulk-patch', [
    'A bulk of patches changes all items or none: an unknown id gives 404, a fault 422.',
    'A missing or repeated id in a bulk of patches gives 422.',
    'A bulk of patches that is no array gives 422.',
    'A bulk without patches gives [], and changes nothing.',
  ]),
  'bulk-patch-type': {
    text: `A bulk of patches is no ${itemTypes.join()}: that gives 400.`,
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) =>
      itemTypes.map((type) => ({
        request: 'PATCH {writable}',
        body: [{ ...draft, id: item?.id }],
        headers: { 'content-type': type },
      })),
    expect: 'unsupported_media_type',
  },
  'bulk-patch-parameter': {
    text: 'PATCH on a collection with a filter gives 400 and changes nothing.',
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) =>
      [`q=${absentName}`, `id=${absentName}`].map((query) => ({
        request: `PATCH {writable}?${query}`,
        body: [{ ...draft, id: item?.id }],
      })),
    expect: 'unknown_parameter',
  },
  'bulk-patch-slash': {
    text: 'PATCH on a collection with a trailing slash gives 400: an id may have been empty.',
    creates: 1,
    send: [{ request: 'PATCH {writable}/', body: [] }],
    expect: 'bad_path',
  },
})

// The rules that both methods have.
function bulkRows(
  method: 'PUT' | 'PATCH',
  id: string,
  [whole, ids, list, empty]: readonly [string, string, string, string],
): Readonly<Record<string, UnnamedRule>> {
  const request = `${method} {writable}`
  const refused = (
    text: string,
    bodiesOf: (draft: ItemDraft) => readonly unknown[],
  ): UnnamedRule => ({
    text,
    creates: 1,
    send: ({ created: [item], drafts: [draft] }) =>
      bodiesOf({ ...draft, id: item?.id }).map((body) => ({ request, body })),
    expect: 'validation_failed',
  })
  return {
    [`${id}-whole-or-not`]: {
      text: whole,
      creates: 2,
      send({ created: [item, second], drafts: [draft, change] }) {
        const body = { ...draft, id: item?.id }
        const absent = { ...change, id: absentId(second?.id) }
        return [
          { request, body: [body, absent], expect: 'not_found' },
          { request, body: [body, 5] },
        ]
      },
      expect: 'validation_failed',
    },
    [`${id}-ids`]: refused(ids, (body) => [[body, body], [{ ...body, id: undefined }]]),
    [`${id}-no-array`]: refused(list, (body) => [body]),
    [`${id}-empty`]: {
      text: empty,
      creates: 1,
      send: [{ request, body: [], expect: { body: [] } }],
    },
  }
}
