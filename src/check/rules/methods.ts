import { operations, type TargetKind } from '../../model/convention.ts'
import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, firstItem } from '../collection.ts'
import { expectItems, expectProblem, expectStatus, fail, isServerItem, skip } from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'

// Methods of HTTP that only read, and that the convention does not use.
const otherMethods = ['PROPFIND', 'SEARCH', 'REPORT'] as const

/** Rules about methods, and about headers that every method ignores. */
export const methodRules = defineRules(['items'], {
  'method-not-allowed': {
    text: 'A method that the target does not support gives 405.',
    async run(collection) {
      // An absent item first: if the server does not refuse there, the check sends no more.
      const targets = targetsOf(collection).map(([, path]) => path)
      for (const path of [absentItemPath(collection), ...targets])
        for (const method of otherMethods.slice(0, 2))
          expectProblem(await collection.send(method, path), 'method_not_allowed')
    },
  },
  allow: {
    text: '405 has "Allow": the methods of the target, with OPTIONS.',
    async run(collection) {
      const [, , method] = otherMethods
      if (!(await refuses(collection, method))) skip('The server never responds with 405.')
      for (const [kind, path] of targetsOf(collection)) {
        const response = await collection.send(method, path)
        if (response.status === 405) checkAllow(response, kind)
      }
    },
  },
  options: {
    text: 'OPTIONS gives 200 on every target, with the same "Allow".',
    async run(collection) {
      const { send } = collection
      const [method] = otherMethods
      const isRefused = await refuses(collection, method)
      for (const [kind, path] of targetsOf(collection)) {
        const response = await send('OPTIONS', path)
        expectStatus(response, 200)
        checkAllow(response, kind)
        const allow = isRefused ? (await send(method, path)).headers.allow : undefined
        if (allow !== undefined && !isSameAllow(allow, response.headers.allow ?? ''))
          fail(response, `"Allow" differs from that of 405, "${allow}".`)
      }
    },
  },
  'get-body': {
    text: 'GET with a body gives 400.',
    async run(collection) {
      for (const [, path] of targetsOf(collection))
        expectProblem(await collection.send('GET', path, { body: { a: 1 } }), 'body_not_allowed')
    },
  },
  'accept-ignored': {
    text: 'The server ignores "Accept".',
    async run({ send, path }) {
      const types = ['application/xml', 'image/png;q=0.5', 'application/json;q=0', 'nonsense']
      for (const accept of types) expectItems(await send('GET', path, { headers: { accept } }))
    },
  },
  'conditions-ignored': {
    text: 'GET ignores conditions: the response is a full 200.',
    needs: ['some'],
    async run(collection) {
      const { send, path } = collection
      const one = itemPath(path, firstItem(collection).id)
      const { etag } = (await send('GET', one)).headers
      const tomorrow = new Date(Date.now() + 86_400_000).toUTCString()
      const conditions = [
        { 'if-none-match': '*' },
        { 'if-modified-since': tomorrow },
        { 'if-match': '"nounful"' },
        ...(etag === undefined ? [] : [{ 'if-none-match': etag }]),
      ]
      for (const headers of conditions) expectStatus(await send('GET', one, { headers }), 200)
      const listTag = (await send('GET', path)).headers.etag
      if (listTag !== undefined)
        expectStatus(await send('GET', path, { headers: { 'if-none-match': listTag } }), 200)
    },
  },
  'ranges-ignored': {
    text: 'GET ignores ranges: the response is a full 200.',
    needs: ['some'],
    async run(collection) {
      const { send, path } = collection
      for (const target of [path, itemPath(path, firstItem(collection).id)])
        for (const range of ['bytes=0-1', 'items=0-0'])
          expectStatus(await send('GET', target, { headers: { range } }), 200)
    },
  },
})

/** Returns the targets of a collection by kind, the collection last; no item for an empty one. */
export function targetsOf({
  path,
  items: [item],
}: CheckedCollection): readonly (readonly [TargetKind, string])[] {
  return [
    ['count', `${path}/count`],
    ...(isServerItem(item) ? [['item', itemPath(path, item.id)] as const] : []),
    ['first', `${path}/first`],
    ['last', `${path}/last`],
    ['collection', path],
  ]
}

/** Returns the path of an item that does not exist. */
export function absentItemPath({ path }: CheckedCollection): string {
  return itemPath(path, absentName)
}

// Tries a method on an absent item, before the check sends it to an existing one.
async function refuses(collection: CheckedCollection, method: string): Promise<boolean> {
  return (await collection.send(method, absentItemPath(collection))).status === 405
}

// Compares `Allow` with the methods of the convention.
function checkAllow(response: CheckResponse, kind: TargetKind): void {
  const { allow } = response.headers
  if (allow === undefined) fail(response, 'The response has no "Allow".')
  const methods = methodsIn(allow)
  const known = Object.values(operations).flatMap(({ method, target }) => {
    if (target !== kind) return []
    return method === 'GET' ? ['GET', 'HEAD'] : [method]
  })
  const unknown = methods.find((method) => method !== 'OPTIONS' && !known.includes(method))
  if (unknown !== undefined)
    fail(response, `"Allow" has ${unknown}, which the target does not support.`)
  if (!methods.includes('OPTIONS')) fail(response, '"Allow" has no OPTIONS.')
  if (methods.includes('GET') !== methods.includes('HEAD'))
    fail(response, '"Allow" has one of GET and HEAD without the other.')
}

function methodsIn(allow: string): readonly string[] {
  return allow.split(',').map((method) => method.trim())
}

function isSameAllow(one: string, other: string): boolean {
  return methodsIn(one).toSorted().join() === methodsIn(other).toSorted().join()
}
