import { parameters } from '../../../convention/operations.ts'
import { fieldOf, isSame } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { type CheckedCollection, firstItem, nextPage } from '../collection.ts'
import { expectItems, expectStatus, fail, memberOf, skip } from '../expect.ts'
import {
  expectIncluding,
  type Includable,
  includableIn,
  includeQuery,
  isGiven,
  referringItems,
} from '../included.ts'
import { absentName, parameterOf } from '../path.ts'
import { defineRules } from '../rule.ts'

const { most } = parameters.include
const maxLimit = 20

/** Rules about `include`. */
export const includeRules = defineRules(['items', 'include', 'some'], {
  'include-adds': {
    text: '"include" adds the item that a reference names, or null, and changes nothing else.',
    async run(collection) {
      const { send, path } = collection
      for (const reference of includableIn(collection)) {
        const query = includeQuery(reference)
        for (const item of referringItems(collection, reference)) {
          const target = itemPath(path, item.id)
          const { headers } = await send('GET', target)
          const response = await send('GET', `${target}?${query}`)
          expectIncluding(response, [reference], collection)
          if (response.headers.etag !== headers.etag)
            fail(response, 'The response has another ETag than without "include".')
        }
        const first = await send('GET', `${path}/first?${query}`)
        expectIncluding(first, [reference], collection)
        await expectList(collection, [reference], query)
      }
    },
  },
  'include-several': {
    text: `"include" takes up to ${most} names, in one value or in several.`,
    async run(collection) {
      const references = includableIn(collection).slice(0, most)
      const queries = [
        includeQuery(...references),
        references.map((reference) => includeQuery(reference)).join('&'),
      ]
      for (const query of queries) await expectList(collection, references, query)
    },
  },
  'include-same': {
    text: 'An included item is the one that its own path gives, and null where that gives 404.',
    async run(collection) {
      let isTried = false
      for (const reference of includableIn(collection))
        if (await compareWithOwn(collection, reference)) isTried = true
      if (!isTried) skip('The check found no included item at the top.')
    },
  },
  'include-fields': {
    text: '"fields" keeps the members of "include".',
    needs: ['fields'],
    async run(collection) {
      const { send, path } = collection
      const item = firstItem(collection)
      for (const reference of includableIn(collection)) {
        const query = `fields=id&${includeQuery(reference)}`
        const response = await send('GET', `${itemPath(path, item.id)}?${query}`)
        expectIncluding(response, [reference], collection, ['id'])
      }
    },
  },
  'include-pages': {
    text: 'The "next" link keeps "include".',
    needs: ['several'],
    async run(collection) {
      const { send, path } = collection
      const references = includableIn(collection)
      const [reference] = references
      const page = await send('GET', `${path}?limit=1&${includeQuery(...references.slice(0, 1))}`)
      expectStatus(page, 200)
      const next = nextPage(page) ?? skip('The list has no link to a next page.')
      if (parameterOf(next, 'include') !== reference?.include)
        fail(page, 'The link to the next page has another "include".')
      expectIncluding(await send('GET', next), references.slice(0, 1), collection)
    },
  },
  'include-empty': {
    text: 'Without "include", and with an empty one, a response has no included items.',
    async run(collection) {
      const { send, path } = collection
      for (const target of [`${path}?limit=1`, `${path}/first?`]) {
        const plain = await send('GET', target.replace(/\?$/, ''))
        expectStatus(plain, 200)
        const item: unknown = [plain.json].flat()[0]
        const added = includableIn(collection).find(
          ({ include }) => memberOf(item, include) !== undefined,
        )
        if (added) fail(plain, `The item has "${added.include}" without "include".`)
        const empty = await send('GET', `${target}&include=`.replace('?&', '?'))
        expectStatus(empty, 200)
        if (empty.text !== plain.text) fail(empty, 'The body differs from that without "include".')
      }
    },
  },
  'include-unknown': {
    text: 'An unknown name in "include" gives 400, with the allowed ones.',
    send(collection) {
      const [own = ''] = includableIn(collection).map(({ include }) => encodeURIComponent(include))
      const queries = [absentName, '__proto__', `${own},`, `${own}.id`, `${own}&include=-${own}`]
      return ['{list}?limit=1&', '{item}?', '{list}/first?'].flatMap((target) =>
        queries.map((query) => `${target}include=${query}`),
      )
    },
    expect: 'bad_parameter',
    lists: 'allowed',
  },
  'include-bounds': {
    text: `Over ${most} names in "include" give 400, and so does a list without "limit".`,
    send(collection) {
      const references = includableIn(collection).slice(0, 1)
      const tooMany = Array<readonly Includable[]>(most + 1).fill(references)
      const unbound = collection.offers.hasDefaultLimit
        ? []
        : [`{list}?${includeQuery(...references)}`]
      return [`{item}?${includeQuery(...tooMany.flat())}`, ...unbound]
    },
    expect: 'bad_parameter',
  },
  'include-count': {
    text: '"count" takes no "include".',
    send: (collection) =>
      includableIn(collection).map((reference) => `{list}/count?${includeQuery(reference)}`),
    expect: 'unknown_parameter',
    lists: 'allowed',
  },
})

async function expectList(
  collection: CheckedCollection,
  references: readonly Includable[],
  query: string,
): Promise<void> {
  const limit = Math.min(collection.maxLimit, maxLimit)
  const response = await collection.send('GET', `${collection.path}?limit=${limit}&${query}`)
  expectItems(response)
  expectIncluding(response, references, collection)
}

// Returns false where the check does not know the path of the other resource.
async function compareWithOwn(
  collection: CheckedCollection,
  reference: Includable,
): Promise<boolean> {
  const { send, path, pathParts } = collection
  const { prefix, version } = pathParts
  const [item] = referringItems(collection, reference)
  const id = item && fieldOf(item, reference.field)
  if (item === undefined || !isGiven(id)) return false
  const to = encodeURIComponent(reference.to)
  const above = version === undefined ? `${prefix}/${to}` : `${prefix}/${version}/${to}`
  // A server that takes OPTIONS for DELETE must find no item.
  const description = (await send('OPTIONS', itemPath(above, absentName))).json
  if (memberOf(description, 'resource') !== reference.to) return false
  const own = await send('GET', itemPath(above, `${id}`))
  if (own.status !== 200 && own.status !== 404) return false
  const response = await send('GET', `${itemPath(path, item.id)}?${includeQuery(reference)}`)
  expectStatus(response, 200)
  const expected = own.status === 200 ? own.json : null
  if (!isSame(memberOf(response.json, reference.include), expected))
    fail(response, `The "${reference.include}" is not what GET ${own.request.path} gives.`)
  return true
}
