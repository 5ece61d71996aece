import { bodyOf } from '../../../convention/kinds.ts'
import { operationKinds, operations, type TargetKind } from '../../../convention/operations.ts'
import { isSame } from '../../../convention/value.ts'
import { parseHttpDate } from '../../../wire/http-date.ts'
import { parseDeprecation } from '../../../wire/lifecycle.ts'
import { parseLink } from '../../../wire/link.ts'
import { itemPath } from '../../../wire/path.ts'
import { type CheckedCollection, firstItem } from '../collection.ts'
import {
  type CheckResponse,
  expect,
  fail,
  isSuccess,
  listedIn,
  listMember,
  memberOf,
  NotApplicable,
  skip,
  stringsIn,
} from '../message.ts'
import { absentName, relativeOrigin, resolveReference } from '../path.ts'
import { defineRules, type RuleRequest, safeMethods, type UnnamedRule } from '../rule.ts'

// Methods of HTTP that only read, and that the convention does not use.
const otherMethods = ['PROPFIND', 'SEARCH', 'REPORT'] as const

/** Rules about methods, and about headers that every method ignores. */
export const methodRules = defineRules(['items'], {
  'method-not-allowed': {
    text: 'A method that the target does not support gives 405.',
    // An absent item first: if the server does not refuse there, the check sends no more.
    send: (collection) =>
      ['{absent}', ...targetsOf(collection).map(([, path]) => path)].flatMap((path) =>
        otherMethods.slice(0, 2).map((method) => `${method} ${path}`),
      ),
    expect: 'method_not_allowed',
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
        expect.status(response, 200)
        checkAllow(response, kind)
        const allow = isRefused ? (await send(method, path)).headers.allow : undefined
        if (allow !== undefined && !isSameAllow(allow, response.headers.allow ?? ''))
          fail(response, `"Allow" differs from that of 405, "${allow}".`)
      }
    },
  },
  'accept-patch': {
    text: 'OPTIONS has "Accept-Patch", the media types of a patch, where "Allow" has PATCH.',
    async run(collection) {
      const offering: CheckResponse[] = []
      for (const [kind, path] of targetsOf(collection)) {
        const response = await collection.send('OPTIONS', path)
        if (!listedIn(response.headers.allow).includes('PATCH')) continue
        offering.push(response)
        const accepted = listedIn(response.headers['accept-patch'])
        const missing = patchTypesOf(kind).find((type) => !accepted.includes(type))
        if (missing !== undefined) fail(response, `"Accept-Patch" has no ${missing}.`)
      }
      if (offering.length === 0) skip('No "Allow" of OPTIONS has PATCH.')
    },
  },
  home: {
    text: 'The home document of the version names the collection, with the methods of its "Allow".',
    needs: ['version'],
    async run({ path, pathParts: { prefix, version }, send }) {
      const home = await send('GET', `${prefix}/${version}`)
      if (home.status !== 200) skip('The version has no home document.')
      const resource = listMember(home.json, 'versions')
        .filter((entry) => memberOf(entry, 'name') === version)
        .flatMap((entry) => listMember(entry, 'resources'))
        .find((entry) => isTemplateOf(memberOf(entry, 'path'), path))
      if (resource === undefined) fail(home, `It names no resource at ${path}.`)
      const methods = (stringsIn(resource, 'methods') ?? []).join(', ')
      const { allow = '' } = (await send('OPTIONS', path)).headers
      if (!isSameAllow(methods, allow))
        fail(home, `It names the methods "${methods}", and "Allow" is "${allow}".`)
    },
  },
  'get-body': {
    text: 'GET with a body gives 400.',
    send: (collection) => targetsOf(collection).map(([, request]) => ({ request, body: { a: 1 } })),
  },
  'accept-ignored': {
    text: 'The server ignores "Accept".',
    send: ['application/xml', 'image/png;q=0.5', 'application/json;q=0', 'nonsense'].map(
      (accept) => ({ request: '{list}', headers: { accept } }),
    ),
    expect: 'items',
  },
  'conditions-ignored': {
    text: 'GET ignores conditions: the response is a full 200.',
    needs: ['some'],
    async send(collection) {
      const { send, path } = collection
      const item = await send('GET', itemPath(path, firstItem(collection).id))
      const list = await send('GET', path)
      const tomorrow = new Date(Date.now() + 86_400_000).toUTCString()
      const conditions = [
        { 'if-none-match': '*' },
        { 'if-modified-since': tomorrow },
        { 'if-match': '"nounful"' },
      ]
      return [
        ...conditions.map((headers) => ({ request: '{item}', headers })),
        ...tagged('{item}', item),
        ...tagged('{list}', list),
      ]
    },
    expect: 200,
  },
  'ranges-ignored': {
    text: 'GET ignores ranges: the response is a full 200.',
    needs: ['some'],
    send: ['{list}', '{item}'].flatMap((request) =>
      ['bytes=0-1', 'items=0-0'].map((range) => ({ request, headers: { range } })),
    ),
    expect: 200,
  },
})

function tagged(request: string, { headers: { etag } }: CheckResponse): readonly RuleRequest[] {
  return etag === undefined ? [] : [{ request, headers: { 'if-none-match': etag } }]
}

/** Rules about methods that change nothing. */
export const safeRules = defineRules(['items'], {
  head: {
    text: 'HEAD has the status and headers of GET, and no body.',
    async run(collection) {
      // An absent item, then one item: a server that takes HEAD for DELETE deletes no more.
      await checkHead(collection, itemPath(collection.path, absentName))
      await checkHeadOnOwnItem(collection)
      for (const [, path] of targetsOf(collection)) await checkHead(collection, path)
      await checkHead(collection, `${collection.path}?limit=1`)
    },
  },
  [safeMethods]: {
    text: 'GET, HEAD, OPTIONS and unknown methods change nothing.',
    needs: ['some'],
    // The monitor compares after every request, and stops the check after a change.
    run: () => undefined,
  },
})

// Returns the targets of a collection by kind, the collection last; no item for an empty one.
function targetsOf({
  path,
  items: [item],
}: CheckedCollection): readonly (readonly [TargetKind, string])[] {
  return [
    ['count', `${path}/count`],
    ...(item ? [['item', itemPath(path, item.id)] as const] : []),
    ['first', `${path}/first`],
    ['last', `${path}/last`],
    ['collection', path],
  ]
}

// Tries a method on an absent item, before the check sends it to an existing one.
async function refuses(collection: CheckedCollection, method: string): Promise<boolean> {
  const { status } = await collection.send(method, itemPath(collection.path, absentName))
  return status === 405
}

// The media types of the body of PATCH.
function patchTypesOf(kind: TargetKind): readonly string[] {
  return operationKinds
    .filter(
      (candidate) =>
        operations[candidate].target === kind && operations[candidate].method === 'PATCH',
    )
    .flatMap((patching) => bodyOf(patching)?.types ?? [])
}

// Compares `Allow` with the methods of the convention.
function checkAllow(response: CheckResponse, kind: TargetKind): void {
  const { allow } = response.headers
  if (allow === undefined) fail(response, 'The response has no "Allow".')
  const methods = listedIn(allow)
  const allowed = Object.values(operations).flatMap(({ method, target }) => {
    if (target !== kind) return []
    return method === 'GET' ? ['GET', 'HEAD'] : [method]
  })
  const unknown = methods.find((method) => method !== 'OPTIONS' && !allowed.includes(method))
  if (unknown !== undefined)
    fail(response, `"Allow" has ${unknown}, which the target does not support.`)
  if (!methods.includes('OPTIONS')) fail(response, '"Allow" has no OPTIONS.')
  if (methods.includes('GET') !== methods.includes('HEAD'))
    fail(response, '"Allow" has one of GET and HEAD without the other.')
}

// Tells whether a template such as `/v1/companies/{company_id}/employees` names a path.
function isTemplateOf(template: unknown, path: string): boolean {
  const names = String(template).split('/')
  const segments = path.split('/')
  return (
    names.length === segments.length &&
    names.every((name, index) => /^\{.*\}$/.test(name) || name === segments[index])
  )
}

function isSameAllow(first: string, second: string): boolean {
  return listedIn(first).toSorted().join() === listedIn(second).toSorted().join()
}

async function checkHead({ send }: CheckedCollection, path: string): Promise<void> {
  const get = await send('GET', path)
  const head = await send('HEAD', path)
  expect.status(head, get.status)
  for (const name of ['content-type', 'content-length', 'link', 'etag']) {
    const [actual, expected] = [head.headers[name], get.headers[name]]
    // A server may omit a length, also when it streams the body. A problem may name the method.
    const isOptional =
      name === 'content-length' &&
      (actual === undefined || expected === undefined || get.status >= 400)
    if (actual !== expected && !isOptional)
      fail(head, `"${name}" is ${actual ?? 'missing'}, and ${expected ?? 'missing'} after GET.`)
  }
}

// With --write the check tries its own item first. The monitor may observe another collection.
async function checkHeadOnOwnItem({ send, writable }: CheckedCollection): Promise<void> {
  const item = await writable?.create().catch((error) => {
    if (!(error instanceof NotApplicable)) throw error
  })
  if (!writable || !item) return
  const path = itemPath(writable.path, item.id)
  const before = await send('GET', path)
  const head = await send('HEAD', path)
  const after = await send('GET', path)
  if (before.status !== after.status || !isSame(before.json, after.json))
    fail(head, 'After HEAD the item is not as it was.')
}

/** Rules about the headers that announce the end of a version or a path. They run last. */
export const lifecycleRules = defineRules([], {
  'deprecation-syntax': headerRule(
    '`Deprecation` is a date of RFC 9745: `@1793491200`.',
    'deprecation',
    (response, text) => {
      if (parseDeprecation(text) === undefined) fail(response, `It is ${JSON.stringify(text)}.`)
    },
  ),
  'sunset-syntax': headerRule(
    '`Sunset` is a date of HTTP: `Mon, 01 Nov 2027 00:00:00 GMT`.',
    'sunset',
    (response, text) => {
      const isDate = parseHttpDate(text) !== undefined && text.endsWith(' GMT')
      if (!isDate) fail(response, `It is ${JSON.stringify(text)}.`)
    },
  ),
  'sunset-after-deprecation': headerRule(
    '`Sunset` is not before `Deprecation`.',
    'sunset',
    (response, text) => {
      const sunset = parseHttpDate(text)
      const deprecation = parseDeprecation(response.headers.deprecation ?? '')
      if (sunset === undefined || deprecation === undefined) return
      if (sunset < deprecation) fail(response, `The sunset ${text} comes first.`)
    },
  ),
  'deprecation-everywhere': {
    text: 'Every response of a deprecated collection has the same `Deprecation` and `Sunset`.',
    run: (collection) => {
      const within = collection.log().filter((response) => isWithin(response, collection))
      const [first] = announcing(within, 'deprecation')
      for (const response of within) {
        for (const name of ['deprecation', 'sunset'] as const) {
          const [actual, expected] = [response.headers[name], first?.headers[name]]
          const words = actual === undefined ? 'lacks it' : `has ${JSON.stringify(actual)}`
          if (actual !== expected)
            fail(
              response,
              `The response ${words}: "${name}" is ${expected ?? 'missing'} elsewhere.`,
            )
        }
      }
    },
  },
  'successor-answers': {
    text: 'The `successor-version` of a collection answers a GET.',
    run: async (collection) => {
      const { path, send } = collection
      const response = await send('GET', path)
      const { 'successor-version': successor } = parseLink(response.headers.link ?? '')
      if (successor === undefined) skip('The server names no successor.')
      const target = resolveReference(successor, path)
      if (target?.origin !== relativeOrigin) skip('The successor is no path of this server.')
      const answered = await send('GET', target.pathname + target.search)
      if (!isSuccess(answered)) fail(answered, `The successor answers ${answered.status}.`)
    },
  },
})

function headerRule(
  text: string,
  name: 'deprecation' | 'sunset',
  check: (response: CheckResponse, header: string) => void,
): UnnamedRule {
  return {
    text,
    run({ log }) {
      for (const response of announcing(log(), name)) check(response, response.headers[name] ?? '')
    },
  }
}

function announcing(log: readonly CheckResponse[], name: string): readonly CheckResponse[] {
  const responses = log.filter(({ headers }) => headers[name] !== undefined)
  if (responses.length === 0) skip(`The server sends no "${name}".`)
  return responses
}

// The check also asks for other paths and versions, which may stay.
function isWithin({ request }: CheckResponse, { path }: CheckedCollection): boolean {
  const [target = ''] = request.path.split('?')
  return (
    target === path ||
    (target.startsWith(`${path}/`) && !target.slice(path.length + 1).includes('/'))
  )
}
