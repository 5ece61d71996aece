import { isSame } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import { expectBody, expectItem, expectStatus, fail, skip } from '../expect.ts'
import { maxFields } from '../limits.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import {
  absentId,
  expectFields,
  expectRefusal,
  expectSupported,
  postItem,
  refusalRule,
  withChange,
  writableOf,
} from './writing.ts'

/** Rules about PUT on an item, and about conditions and parameters of a write. */
export const changeRules = defineRules(['write'], {
  update: {
    text: 'PUT on an item replaces it: 200 with the item, and GET returns the same.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const body = withChange(await writableOf(collection).draft())
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
      const { send } = collection
      const draft = await writableOf(collection).draft()
      for (const field of Object.keys(draft).slice(0, maxFields)) {
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
  'update-faults': refusalRule({
    text: 'PUT with an invalid item gives 422 and changes nothing.',
    requests: ({ path }) => [{ method: 'PUT', path, body: [], codes: ['validation_failed'] }],
  }),
  'update-id-mismatch': refusalRule({
    text: 'PUT with the id of another item gives 409.',
    requests: ({ item, path, draft }) => [
      { method: 'PUT', path, body: { ...draft, id: absentId(item.id) }, codes: ['id_mismatch'] },
    ],
  }),
  'update-absent': {
    text: 'PUT on an unknown id gives 404 and creates nothing.',
    async run(collection) {
      const { path: at, draft } = writableOf(collection)
      const path = itemPath(at, absentName)
      const response = await collection.send('PUT', path, { body: await draft() })
      expectRefusal(response, 'not_found')
      expectStatus(await collection.send('GET', path), 404)
    },
  },
  'content-range': refusalRule({
    text: 'PUT with "Content-Range" gives 400.',
    requests: ({ path, draft: body }) => [
      {
        method: 'PUT',
        path,
        body,
        headers: { 'content-range': 'bytes 0-1/2' },
        codes: ['bad_request'],
      },
    ],
  }),
  'if-match': refusalRule({
    text: 'A write whose condition fails gives 409 and changes nothing.',
    requests: ({ path, draft: body }) => {
      const codes = ['precondition_failed'] as const
      const headers = { 'if-match': `"${absentName}"` }
      return [
        { method: 'PUT', path, body, headers, codes },
        { method: 'PUT', path, body, headers: { 'if-none-match': '*' }, codes },
        { method: 'DELETE', path, headers, codes },
      ]
    },
  }),
  'write-parameter': refusalRule({
    text: 'A write with a parameter gives 400 and changes nothing.',
    requests: ({ path, draft: body }) => {
      const codes = ['unknown_parameter'] as const
      return [
        { method: 'PUT', path: `${path}?${absentName}=1`, body, codes },
        { method: 'DELETE', path: `${path}?q=a`, codes },
      ]
    },
  }),
})
