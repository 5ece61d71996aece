import { reservedWords } from '../../../convention/operations.ts'
import { fieldOf } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { type CheckedCollection, type ItemDraft, parentOf, pathBelow } from '../collection.ts'
import { maxTriedFields } from '../limits.ts'
import {
  expect,
  fail,
  invalidValue,
  isSuccess,
  otherTypes,
  skip,
  skipUnsupported,
} from '../message.ts'
import { absentId, absentName, isUnambiguous, resolveReference } from '../path.ts'
import { defineRules, draftsFor, expectNotStored, postBulk, writableOf } from '../rule.ts'

const declared = { 'content-type': 'application/json' }

/** Rules about POST on a collection. */
export const createRules = defineRules(['write'], {
  create: {
    text: 'POST creates an item: 201 with the item and its id.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      const body = await draft()
      const response = await collection.send('POST', path, { body })
      expect.supported(response, 201)
      expect.fields(response, expect.item(response, 201), body)
    },
  },
  'create-location': {
    text:
      '201 has the "Location" of the item, with version and without trailing slash. ' +
      'GET there returns the item.',
    async run(collection) {
      const { version } = collection.pathParts
      const { path, draft } = writableOf(collection)
      const response = await collection.send('POST', path, { body: await draft() })
      if (response.status >= 300) skip('The server creates nothing.')
      const { location } = response.headers
      if (location === undefined) return fail(response, 'The response has no "Location".')
      const { pathname } = resolveReference(location, path) ?? { pathname: '' }
      if (!isUnambiguous(pathname.replace(/\/$/, '')))
        fail(response, `"Location" is "${location}", which names no item.`)
      if (version !== undefined && !pathname.includes(`/${version}/`))
        fail(response, `"Location" is ${location}, without the version.`)
      if (pathname.endsWith('/'))
        fail(response, `"Location" is ${location}, with a trailing slash.`)
      const read = await collection.send('GET', pathname)
      skipUnsupported(read)
      if (read.status !== 200) fail(response, `GET of the "Location" gives ${read.status}.`)
      expect.body(read, response.json, 'the new item')
    },
  },
  'scope-written': {
    text: 'An item created below a parent belongs to it. A body with another parent gives 422.',
    needs: ['parent'],
    async run(collection) {
      const { send } = collection
      const { field } = parentOf(collection)
      if (field === undefined) skip("The template does not name the field of the parent's id.")
      const { path, draft } = writableOf(collection)
      const response = await send('POST', path, { body: await draft() })
      expect.supported(response, 201)
      const parentId = decodeURIComponent(path.split('/').at(-2) ?? '')
      const parentValue = fieldOf(Object(response.json), field)
      if (String(parentValue) !== parentId)
        fail(response, `The "${field}" of the item is not ${parentId}.`)
      const body = { ...(await draft()), [field]: absentId(parentValue) }
      expect.problem(await send('POST', path, { body }), 'validation_failed')
    },
  },
  'create-parent-missing': {
    text: 'POST below an unknown parent gives 404.',
    needs: ['parent'],
    async run(collection) {
      const body = await writableOf(collection).draft()
      const path = pathBelow({ ...parentOf(collection), id: absentName })
      expect.problem(await collection.send('POST', path, { body }), 'parent_not_found')
    },
  },
  'reserved-id': {
    text: 'An item with the id "first", "last" or "count" gives 422.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      for (const id of reservedWords) {
        const body = { ...(await draft()), id }
        expect.problem(await collection.send('POST', path, { body }), 'reserved_id')
      }
    },
  },
  'client-ids': {
    text: 'If clients choose ids, an id may hold any text, even / % ? # and spaces.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      const mark = Date.now().toString(36)
      for (const id of [`n${mark}/%?#`, `n${mark} é😀+&`, `n${mark}%2Fa`]) {
        const body = { ...(await draft()), id }
        const { status, json } = await collection.send('POST', path, { body })
        if (status !== 201 || fieldOf(Object(json), 'id') !== id) skip('Clients choose no ids.')
        const read = await collection.send('GET', itemPath(path, id))
        expect.status(read, 200)
        expect.body(read, json, 'the item with that id')
      }
    },
  },
  'body-type': {
    text: 'A body must be declared application/json: another type, or none, gives 400.',
    async send(collection) {
      const body = await draftText(collection)
      const fields = [...otherTypes.map((type) => ({ 'content-type': type })), {}]
      return fields.map((headers) => ({ request: 'POST {writable}', body, headers }))
    },
    expect: 'unsupported_media_type',
  },
  'body-encoding': {
    text: 'A body with two codings in "Content-Encoding" gives 400.',
    async send(collection) {
      const headers = { ...declared, 'content-encoding': 'gzip, gzip' }
      return [{ request: 'POST {writable}', body: await draftText(collection), headers }]
    },
    expect: 'unsupported_encoding',
  },
  'body-missing': {
    text: 'A missing body gives 400.',
    send: posts(''),
    expect: 'body_missing',
  },
  'json-invalid': {
    text: 'A body that is no JSON gives 400.',
    send: posts('{', "{'a':1}", '{"a":1}}', 'undefined'),
    expect: 'json_invalid',
  },
  'json-duplicate-key': {
    text: 'A body with a duplicate key in an object gives 400.',
    async send(collection) {
      const text = await draftText(collection)
      const [first = '"a"'] = /"(?:[^"\\]|\\.)*"/.exec(text) ?? []
      return posts(textWith(`${first}:1,${first}:1`, text))
    },
    expect: 'json_duplicate_key',
  },
  'json-proto': {
    text: 'A body with the key "__proto__" gives 400.',
    send: async (collection) => posts(textWith('"__proto__":{"a":1}', await draftText(collection))),
    expect: 'json_forbidden_key',
  },
  'json-too-deep': {
    text: 'A body with a thousand levels of nesting gives 400.',
    send: posts(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`),
    expect: 'json_too_deep',
  },
  'item-no-object': {
    text: 'A body that is no object, nor an array of objects, gives 422.',
    send: posts('[5]', '"a"', '5', 'null'),
    expect: 'validation_failed',
  },
  'item-faults': {
    text: 'An invalid field gives 422, and "issues" points to it.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      const sample: ItemDraft = await draft()
      for (const field of Object.keys(sample).slice(0, maxTriedFields)) {
        const body = { ...sample, [field]: invalidValue }
        const response = await collection.send('POST', path, { body })
        if (response.status < 300) continue
        expect.problem(response, 'validation_failed')
        return expect.pointer(response, `/${field}`)
      }
      skip('Its fields accept any value.')
    },
  },
})

function posts(...bodies: readonly string[]) {
  return bodies.map((body) => ({ request: 'POST {writable}', body, headers: declared }))
}

function textWith(members: string, object: string): string {
  return object === '{}' ? `{${members}}` : `{${members},${object.slice(1)}`
}

async function draftText(collection: CheckedCollection): Promise<string> {
  return JSON.stringify(await writableOf(collection).draft())
}

/** Rules about POST of an array. */
export const bulkCreateRules = defineRules(['write'], {
  'bulk-create': {
    text: 'POST of an array creates its items: 201 with them in that order, without "Location".',
    async run(collection) {
      const { drafts, items, response } = await postBulk(collection, 3)
      for (const [index, draft] of drafts.entries()) expect.fields(response, items[index], draft)
      if (response.headers.location !== undefined) fail(response, 'The response has a "Location".')
      const { path } = writableOf(collection)
      for (const item of items)
        expect.body(
          await collection.send('GET', itemPath(path, item.id)),
          item,
          'the item that POST returned',
        )
    },
  },
  'bulk-create-whole-or-not': {
    text:
      'POST of an array creates all items or none: an invalid one gives 422, and "issues" points ' +
      'to it.',
    async run(collection) {
      await postBulk(collection, 1)
      const { path } = writableOf(collection)
      const strict = await strictFieldOf(collection)
      const [first = {}, second = {}, third = {}] = await draftsFor(collection, 3)
      const faults: readonly (readonly [invalid: unknown, pointer: string])[] = [
        [5, '/1'],
        ...strict.map((field) => [{ ...second, [field]: invalidValue }, `/1/${field}`] as const),
      ]
      for (const [invalid, pointer] of faults) {
        const body = [first, invalid, third]
        await expectNotStored(collection, { path, body, drafts: [first, third] }, (response) => {
          expect.problem(response, 'validation_failed')
          expect.pointer(response, pointer)
        })
      }
    },
  },
  'bulk-create-empty': {
    text: 'POST of an empty array gives 201 with [], and creates nothing.',
    async run(collection) {
      await postBulk(collection, 1)
      const request = { path: writableOf(collection).path, body: [], drafts: [{}] }
      await expectNotStored(collection, request, (response) => {
        expect.status(response, 201)
        expect.body(response, [], '[]')
      })
    },
  },
})

// Returns the first field that does not take any value, if there is one.
async function strictFieldOf(collection: CheckedCollection): Promise<readonly string[]> {
  const { path, draft } = writableOf(collection)
  const sample = await draft()
  for (const field of Object.keys(sample).slice(0, maxTriedFields)) {
    const body = { ...sample, [field]: invalidValue }
    if (!isSuccess(await collection.send('POST', path, { body }))) return [field]
  }
  return []
}
