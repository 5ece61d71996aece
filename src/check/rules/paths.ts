import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, firstItem, stringsIn } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectItem,
  expectItems,
  expectProblem,
  expectStatus,
  fail,
  idTextsOf,
  skip,
} from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, problemRule } from '../rule.ts'

/** Rules about paths. */
export const pathRules = defineRules(['items'], {
  'trailing-slash': {
    text: 'A path with one trailing slash names the same target, without a redirect.',
    async run({ send, path, items: [item] }) {
      const expected = expectItems(await send('GET', path))
      const list = await send('GET', `${path}/`)
      expectIds(list, expectItems(list), idTextsOf(expected))
      if (item === undefined) return
      expectItem(await send('GET', `${itemPath(path, item.id)}/`))
      expectStatus(await send('GET', `${path}/count/`), 200)
    },
  },
  'empty-segment': {
    text: 'An empty segment within a path gives 404.',
    needs: ['some'],
    async run(collection) {
      const { send, path } = collection
      const id = encodeURIComponent(String(firstItem(collection).id))
      for (const target of [`${above(path)}/${nounIn(path)}`, `${path}//${id}`, `${path}//`])
        expectStatus(await send('GET', target), 404)
    },
  },
  'percent-faults': problemRule({
    text: 'A broken escape, bytes that are not UTF-8, and NUL in a path give 400.',
    paths: ({ path }) =>
      ['/%zz', '/%', '/%ff', '/%C0%AF', '/%00', '?limit=%zz'].map((rest) => path + rest),
    codes: ['bad_percent_encoding'],
  }),
  dots: problemRule({
    text: 'The segments "." and ".." give 400, however they are encoded. They are never resolved.',
    paths: ({ path }) =>
      ['/.', '/..', '/%2e%2e', '/%2E', `/..${nounIn(path)}`].map((rest) => path + rest),
    codes: ['bad_path'],
  }),
  'decoded-once': {
    text: 'The server decodes segments once: ids may hold escapes, and "%2566irst" is not "first".',
    needs: ['some'],
    async run(collection) {
      const { send, path } = collection
      const item = firstItem(collection)
      const escaped = [...Buffer.from(String(item.id))].map(
        (byte) => `%${byte.toString(16).padStart(2, '0')}`,
      )
      const response = await send('GET', `${path}/${escaped.join('')}`)
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
    async run({ send, path }) {
      expectStatus(await send('GET', above(path) + nounIn(path).toUpperCase()), 404)
      expectStatus(await send('GET', `${path}/FIRST`), 404)
    },
  },
  'unknown-resource': {
    text: 'An unknown noun gives 404.',
    async run({ send, path, items: [item] }) {
      expectProblem(await send('GET', `${above(path)}/${absentName}`), 'unknown_resource')
      const below = `${itemPath(path, item?.id ?? absentName)}/${absentName}`
      const response = await send('GET', below)
      expectProblem(response, 'unknown_resource', 'not_found', 'parent_not_found')
    },
  },
  'unknown-version': {
    text: 'An unknown version gives 404, with the supported ones.',
    needs: ['version'],
    async run(collection) {
      const response = await sendToVersion(collection, 'v999')
      expectProblem(response, 'unknown_version')
      if (stringsIn(response.json, 'supported') === undefined)
        fail(response, 'The problem has no list "supported".')
    },
  },
  'version-exact': {
    text: 'A version has one spelling: lower case, no leading zero.',
    needs: ['version'],
    async run(collection) {
      const version = collection.pathParts.version ?? ''
      for (const other of [version.toUpperCase(), version.replace('v', 'v0'), `${version}.0`])
        expectStatus(await sendToVersion(collection, other), 404)
    },
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

function above(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

// With its slash: `/employees`.
function nounIn(path: string): string {
  return path.slice(path.lastIndexOf('/'))
}

function sendToVersion(
  { send, pathParts: { prefix, rest } }: CheckedCollection,
  version: string,
): Promise<CheckResponse> {
  return send('GET', `${prefix}/${version}${rest}`)
}
