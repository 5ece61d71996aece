import { reservedWords } from '../../model/convention.ts'
import { fieldOf } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import {
  expectBody,
  expectItem,
  expectProblem,
  expectStatus,
  fail,
  isIdValue,
  skip,
} from '../expect.ts'
import { pathBelow } from '../parent.ts'
import { absentName, isUnambiguous, resolveReference } from '../path.ts'
import { defineRules } from '../rule.ts'
import { parentOf } from './parents.ts'
import { absentId, expectFields, expectSupported, writableOf } from './writing.ts'

/** Rules about POST on a collection. */
export const createRules = defineRules(['write'], {
  create: {
    text: 'POST creates an item: 201 with the item and its id.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      const body = await draft()
      const response = await collection.send('POST', path, { body })
      expectSupported(response, 201)
      expectFields(response, expectItem(response, 201), body)
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
      const url = resolveReference(location, path)
      if (!url || !isUnambiguous(url.pathname.replace(/\/$/, '')))
        return fail(response, `"Location" is "${location}", which names no item.`)
      const { pathname } = url
      if (version !== undefined && !pathname.includes(`/${version}/`))
        fail(response, `"Location" is ${location}, without the version.`)
      if (pathname.endsWith('/'))
        fail(response, `"Location" is ${location}, with a trailing slash.`)
      const read = await collection.send('GET', pathname)
      if (read.status !== 200) fail(response, `GET of the "Location" gives ${read.status}.`)
      expectBody(read, response.json, 'the new item')
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
      expectSupported(response, 201)
      const parentId = decodeURIComponent(path.split('/').at(-2) ?? '')
      const own = fieldOf(Object(response.json), field)
      if (String(own) !== parentId) fail(response, `The "${field}" of the item is not ${parentId}.`)
      const other = isIdValue(own) ? absentId(own) : absentName
      const body = { ...(await draft()), [field]: other }
      expectProblem(await send('POST', path, { body }), 'validation_failed')
    },
  },
  'create-parent-missing': {
    text: 'POST below an unknown parent gives 404.',
    needs: ['parent'],
    async run(collection) {
      const body = await writableOf(collection).draft()
      const path = pathBelow({ ...parentOf(collection), id: absentName })
      expectProblem(await collection.send('POST', path, { body }), 'parent_not_found')
    },
  },
  'reserved-id': {
    text: 'An item with the id "first", "last" or "count" gives 422.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      for (const id of reservedWords) {
        const body = { ...(await draft()), id }
        expectProblem(await collection.send('POST', path, { body }), 'reserved_id')
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
        expectStatus(read, 200)
        expectBody(read, json, 'the item with that id')
      }
    },
  },
})
