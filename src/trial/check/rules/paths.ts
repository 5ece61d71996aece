import { reservedWords } from '../../../convention/operations.ts'
import { fieldOf } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { type CheckedCollection, firstItem, readAll } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectItem,
  expectItems,
  expectStatus,
  fail,
  idTextsOf,
  skip,
} from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { parentOf, pathBelow } from '../parent.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'

/** Rules about paths. */
export const pathRules = defineRules(['items'], {
  'trailing-slash': {
    text: 'A path with one trailing slash names the same target, without a redirect.',
    async run({ send, path, items: [item] }) {
      const expected = expectItems(await send('GET', path))
      expectIds(await send('GET', `${path}/`), idTextsOf(expected))
      if (item === undefined) return
      expectItem(await send('GET', `${itemPath(path, item.id)}/`))
      expectStatus(await send('GET', `${path}/count/`), 200)
    },
  },
  'empty-segment': {
    text: 'An empty segment within a path gives 404.',
    needs: ['some'],
    send(collection) {
      const id = encodeURIComponent(String(firstItem(collection).id))
      return ['{above}/{noun}', `{list}//${id}`, '{list}//']
    },
    expect: 404,
  },
  'percent-faults': {
    text: 'A broken escape, bytes that are not UTF-8, and NUL in a path give 400.',
    send: ['/%zz', '/%', '/%ff', '/%C0%AF', '/%00', '?limit=%zz'].map((rest) => `{list}${rest}`),
    expect: 'bad_percent_encoding',
  },
  dots: {
    text: 'The segments "." and ".." give 400, however they are encoded. They are never resolved.',
    send: ['/.', '/..', '/%2e%2e', '/%2E', '/..{noun}'].map((rest) => `{list}${rest}`),
    expect: 'bad_path',
  },
  'decoded-once': {
    text: 'The server decodes segments once: ids may hold escapes, and "%2566irst" is not "first".',
    needs: ['some'],
    async run(collection) {
      const { send, path } = collection
      const item = firstItem(collection)
      const escaped = Buffer.from(`${item.id}`).toString('hex').replace(/../g, '%$&')
      const response = await send('GET', `${path}/${escaped}`)
      expectItem(response)
      expectBody(response, item, 'the item with that id')
      expectStatus(await send('GET', `${path}/%2566irst`), 404)
    },
  },
  'reserved-words': {
    text: '"first", "last" and "count" keep their meaning when they are percent-encoded.',
    needs: ['some'],
    async run({ send, path }) {
      for (const [plain, escaped] of [
        ['first', '%66irst'],
        ['count', 'c%6Funt'],
      ] as const) {
        const expected = await send('GET', `${path}/${plain}`)
        if (expected.status !== 200) skip(`The server does not support "${plain}".`)
        const response = await send('GET', `${path}/${escaped}`)
        expectStatus(response, expected.status)
        expectBody(response, expected.json, `that of "${plain}"`)
      }
    },
  },
  'case-sensitive': {
    text: 'Paths are case-sensitive.',
    needs: ['some'],
    send: ['{above}{NOUN}', '{list}/FIRST'],
    expect: 404,
  },
  'unknown-resource': {
    text: 'An unknown noun gives 404.',
    send: ({ items }) => [
      { request: `{above}/${absentName}`, expect: 'unknown_resource' },
      `${items.length > 0 ? '{item}' : '{absent}'}/${absentName}`,
    ],
    expect: ['unknown_resource', 'not_found', 'parent_not_found'],
  },
  'unknown-version': {
    text: 'An unknown version gives 404, with the supported ones.',
    needs: ['version'],
    send: ['{prefix}/v999{rest}'],
    expect: 'unknown_version',
    lists: 'supported',
  },
  'version-exact': {
    text: 'A version has one spelling: lower case, no leading zero.',
    needs: ['version'],
    send: ({ pathParts: { version = '' } }) =>
      [version.toUpperCase(), version.replace('v', 'v0'), `${version}.0`].map(
        (other) => `{prefix}/${other}{rest}`,
      ),
    expect: 404,
  },
  unversioned: {
    text: 'A path without a version means one of the versions, or gives 404.',
    needs: ['version'],
    async run({ send, pathParts: { prefix, rest } }) {
      const response = await send('GET', prefix + rest)
      if (response.status !== 404) expectItems(response)
    },
  },
})

/** Rules about nested collections. */
export const parentRules = defineRules(['parent', 'items'], {
  'parent-missing': {
    text: 'Below an unknown parent every GET gives 404, never an empty list.',
    send(collection) {
      const path = pathBelow({ ...parentOf(collection), id: absentName })
      return ['', '/first', '/last', '/count', `/${absentName}`].map((rest) => path + rest)
    },
    expect: 'parent_not_found',
  },
  'parent-reserved': {
    text: 'A reserved word is no parent.',
    send(collection) {
      const { path, rest } = parentOf(collection)
      return reservedWords.map((word) => `${path}/${word}${rest}`)
    },
    expect: 404,
  },
  'scope-list': {
    text: "A nested list has only items that hold its parent's id.",
    needs: ['some'],
    run(collection) {
      const { id, field } = parentOf(collection)
      const { items } = collection
      if (field === undefined)
        skip("The template does not name the field of the parent's id: write {company_id}.")
      if (!items.some((item) => Object.hasOwn(item, field))) skip(`The items have no "${field}".`)
      const foreign = items.find((item) => String(fieldOf(item, field)) !== id)
      const [response] = collection.log()
      if (foreign && response) fail(response, `The "${field}" of ${foreign.id} is not ${id}.`)
    },
  },
  'scope-item': {
    text: 'GET on an item of another parent gives 404.',
    send: async (collection) => [await pathBelowOther(collection)],
    expect: 'not_found',
  },
  'scope-count': {
    text: '"first", "last" and "count" only see items of their parent.',
    needs: ['some'],
    async run({ send, path, items }) {
      expectCount(await send('GET', `${path}/count`), items.length)
      expectBody(await send('GET', `${path}/last`), items.at(-1), 'the last item of the list')
    },
  },
  'parent-is-item': {
    text: 'GET on the parent of a nested list returns an item.',
    async run(collection) {
      const { path, id } = parentOf(collection)
      const response = await collection.send('GET', itemPath(path, id))
      if (String(expectItem(response).id) !== id) fail(response, `The id of the item is not ${id}.`)
    },
  },
})

/** Expects a count that agrees with the list. */
export function expectCount(response: CheckResponse, length: number): void {
  expectStatus(response, 200)
  if (Number(fieldOf(Object(response.json), 'count')) !== length)
    fail(response, `The count is not ${length}, the length of the list.`)
}

// Returns the path of an item through a parent that does not own it.
async function pathBelowOther(collection: CheckedCollection): Promise<string> {
  const { otherId, ...parent } = parentOf(collection)
  if (otherId === undefined) skip('The collection has only one parent.')
  const path = pathBelow({ ...parent, id: otherId })
  const { items } = await readAll(collection.send, path)
  const foreign = collection.items.find(({ id }) => !items.some((item) => item.id === id))
  // Another rule checks that the lists differ.
  if (!foreign && items.length > 0) skip('Both parents have the same items.')
  return itemPath(path, (foreign ?? firstItem(collection)).id)
}
