import { reservedWords } from '../../../convention/operations.ts'
import { isSame } from '../../../convention/value.ts'
import { expectBody, expectItem, expectProblem, fail, skip } from '../expect.ts'
import { listedIn } from '../headers.ts'
import { maxTriedFields } from '../limits.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import {
  absentId,
  changedDraft,
  expectFields,
  expectSupported,
  expectUnchanged,
  pathThroughOther,
  postItem,
  writableOf,
} from '../writing.ts'

const failing = { 'if-match': `"${absentName}"` }

/** Rules about PUT and DELETE on an item, their conditions and parameters. */
export const changeRules = defineRules(['write'], {
  update: {
    text: 'PUT on an item replaces it: 200 with the item, and GET returns the same.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const body = await changedDraft(collection)
      const response = await collection.send('PUT', path, { body })
      expectSupported(response, 200)
      const updated = expectItem(response)
      if (updated.id !== item.id) fail(response, `The item has the id ${updated.id}.`)
      expectFields(response, updated, body)
      expectBody(await collection.send('GET', path), updated, 'the item that PUT returned')
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
        if (!isSame(item[field], expectItem(response)[field])) return
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
  'update-absent': {
    text: 'PUT on an unknown id gives 404 and creates nothing.',
    send: async (collection) => [
      { request: 'PUT {new}', body: await writableOf(collection).draft() },
      { request: '{new}', expect: 404 },
    ],
    expect: 'not_found',
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
      expectSupported(response, 200)
      expectBody(response, item, 'the deleted item')
      expectProblem(await collection.send('GET', path), 'not_found')
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
      return [
        { request: `PUT ${path}`, body, expect: ['not_found', 'validation_failed'] },
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
        expectProblem(await send(method, created.path, { body: {} }), 'method_not_allowed')
      await expectUnchanged(collection, [created.item])
      // On some servers POST on "first" could reach an item of another client.
      const { path, isOwn } = writableOf(collection)
      for (const word of isOwn ? reservedWords : [])
        expectProblem(await send('POST', `${path}/${word}`, { body: [] }), 'method_not_allowed')
    },
  },
})
