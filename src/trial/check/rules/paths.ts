import { reservedWords, statuses } from '../../../convention/operations.ts'
import { isCode } from '../../../convention/problem.ts'
import { problems } from '../../../convention/problems.ts'
import { fieldOf, isRecord } from '../../../convention/value.ts'
import { jsonType, problemType } from '../../../wire/body.ts'
import { itemPath } from '../../../wire/path.ts'
import { type CheckedCollection, firstItem, parentOf, pathBelow, readAll } from '../collection.ts'
import { type CheckResponse, codeOf, expect, fail, isSuccess, skip } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

/** Rules about paths. */
export const pathRules = defineRules(['items'], {
  'trailing-slash': {
    text: 'A path with one trailing slash names the same target, without a redirect.',
    send: ({ items }) => ['{list}/', ...(items.length === 0 ? [] : ['{item}/', '{list}/count/'])],
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
    send: ['/%zz', '/%', '/%ff', '/%C0%AF', '/%00', '?limit=%zz'].map(
      (suffix) => `{list}${suffix}`,
    ),
    expect: 'bad_percent_encoding',
  },
  dots: {
    text: 'The segments "." and ".." give 400, however they are encoded. They are never resolved.',
    send: ['/.', '/..', '/%2e%2e', '/%2E', '/..{noun}'].map((suffix) => `{list}${suffix}`),
    expect: 'bad_path',
  },
  'decoded-once': {
    text: 'The server decodes segments once: ids may hold escapes, and "%2566irst" is not "first".',
    needs: ['some'],
    send(collection) {
      const item = firstItem(collection)
      const escaped = Buffer.from(`${item.id}`).toString('hex').replace(/../g, '%$&')
      return [`{list}/${escaped}`, '{list}/%2566irst']
    },
  },
  'reserved-words': {
    text: '"first", "last" and "count" keep their meaning when they are percent-encoded.',
    needs: ['some'],
    async send({ send, path }) {
      const words = { first: '%66irst', count: 'c%6Funt' }
      for (const word of Object.keys(words)) {
        const { status } = await send('GET', `${path}/${word}`)
        if (status !== 200) skip(`The server does not support "${word}".`)
      }
      return Object.values(words).map((word) => `{list}/${word}`)
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
    send: ['{prefix}/v999{route}'],
    expect: 'unknown_version',
    lists: 'supported',
  },
  'version-exact': {
    text: 'A version has one spelling: lower case, no leading zero.',
    needs: ['version'],
    send: ({ pathParts: { version = '' } }) =>
      [version.toUpperCase(), version.replace('v', 'v0'), `${version}.0`].map(
        (spelling) => `{prefix}/${spelling}{route}`,
      ),
    expect: 404,
  },
  unversioned: {
    text: 'A path without a version means one of the versions, or gives 404.',
    needs: ['version'],
    async run({ send, pathParts: { prefix, route } }) {
      const response = await send('GET', prefix + route)
      if (response.status !== 404) expect.items(response)
    },
  },
})

/** Rules about nested collections. */
export const parentRules = defineRules(['parent', 'items'], {
  'parent-missing': {
    text: 'Below an unknown parent every GET gives 404, never an empty list.',
    send(collection) {
      const path = pathBelow({ ...parentOf(collection), id: absentName })
      return ['', '/first', '/last', '/count', `/${absentName}`].map((suffix) => path + suffix)
    },
    expect: 'parent_not_found',
  },
  'parent-reserved': {
    text: 'A reserved word is no parent.',
    send(collection) {
      const { path, suffix } = parentOf(collection)
      return reservedWords.map((word) => `${path}/${word}${suffix}`)
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
    send: ['{list}/count', '{list}/last'],
  },
  'parent-is-item': {
    text: 'GET on the parent of a nested list returns an item.',
    async run(collection) {
      const { path, id } = parentOf(collection)
      const response = await collection.send('GET', itemPath(path, id))
      if (String(expect.item(response).id) !== id)
        fail(response, `The id of the item is not ${id}.`)
    },
  },
})

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

const members = ['type', 'title', 'status', 'detail', 'code', 'message'] as const

/** Rules about every response. They run last. */
export const responseRules = defineRules([], {
  'twelve-statuses': responseRule(
    `Every response has one of the statuses ${statuses.join(', ')}.`,
    (response) => {
      const { status } = response
      if (!statuses.some((candidate) => candidate === status))
        fail(response, `The response is ${status}.`)
    },
  ),
  'json-type': responseRule(`A successful response is ${jsonType}.`, (response) => {
    if (!isSuccess(response)) return
    expectType(response, jsonType)
    if (response.request.method !== 'HEAD' && response.json === undefined)
      fail(response, 'The body is no JSON.')
  }),
  'problem-type': errorRule(`A problem is ${problemType}.`, (response) => {
    expectType(response, problemType)
  }),
  'problem-members': errorRule(`A problem has ${members.join(', ')}.`, (response) => {
    const { json, status, request } = response
    if (request.method === 'HEAD') return
    if (!isRecord(json)) fail(response, 'The body is no JSON object.')
    const missing = members.find(
      (name) => typeof json[name] !== (name === 'status' ? 'number' : 'string'),
    )
    if (missing !== undefined) fail(response, `The problem has no "${missing}".`)
    if (json.status !== status) fail(response, `The problem has the status ${json.status}.`)
    if (json.message !== json.detail) fail(response, '"message" differs from "detail".')
  }),
  'problem-code': errorRule('A problem has a known code that fits its status.', (response) => {
    if (response.request.method === 'HEAD') return
    const code = codeOf(response.json)
    if (code === undefined) return fail(response, 'The problem has no code.')
    if (!isCode(code)) return fail(response, `The code "${code}" is unknown.`)
    const { status } = problems[code]
    if (status !== response.status) fail(response, `The code "${code}" belongs to ${status}.`)
  }),
  'no-server-error': responseRule('No request causes a server error (5xx).', (response) => {
    if (response.status >= 500) fail(response, `The response is ${response.status}.`)
  }),
})

function responseRule(text: string, check: (response: CheckResponse) => void): UnnamedRule {
  return {
    text,
    run({ log }) {
      // A layer before the server may limit requests, in a form of its own.
      for (const response of log()) if (response.status !== 429) check(response)
    },
  }
}

function errorRule(text: string, check: (response: CheckResponse) => void): UnnamedRule {
  return responseRule(text, (response) => {
    if (response.status >= 400) check(response)
  })
}

function expectType(response: CheckResponse, expected: string): void {
  const [type = ''] = (response.headers['content-type'] ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  if (mediaType !== expected) fail(response, `The content type is ${mediaType || 'missing'}.`)
}
