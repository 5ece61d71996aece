import { parameters } from '../../../convention/operations.ts'
import { fieldOf, isSame } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { formatPointer } from '../../../wire/pointer.ts'
import { type CheckedCollection, firstItem, nextPage } from '../collection.ts'
import {
  expectIncluding,
  type Includable,
  includableIn,
  includeQuery,
  isGiven,
  referringItems,
} from '../filtered.ts'
import {
  type CheckResponse,
  expect,
  fail,
  memberOf,
  type ServerItem,
  skip,
  skipUnsupported,
} from '../message.ts'
import { absentId, absentName, parameterOf } from '../path.ts'
import {
  defineRules,
  expectNotStored,
  expectUnchanged,
  postItem,
  postItems,
  writableOf,
} from '../rule.ts'

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
      expect.status(page, 200)
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
        expect.status(plain, 200)
        const item: unknown = [plain.json].flat()[0]
        const added = includableIn(collection).find(
          ({ include }) => memberOf(item, include) !== undefined,
        )
        if (added) fail(plain, `The item has "${added.include}" without "include".`)
        const empty = await send('GET', `${target}&include=`.replace('?&', '?'))
        expect.status(empty, 200)
        if (empty.text !== plain.text) fail(empty, 'The body differs from that without "include".')
      }
    },
  },
  'include-unknown': {
    text: 'An unknown name in "include" gives 400, with the allowed ones.',
    send(collection) {
      const [name = ''] = includableIn(collection).map(({ include }) => encodeURIComponent(include))
      const queries = [
        absentName,
        '__proto__',
        `${name},`,
        `${name}.id`,
        `${name}&include=-${name}`,
      ]
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
  expect.items(response)
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
  const direct = await send('GET', itemPath(above, `${id}`))
  if (direct.status !== 200 && direct.status !== 404) return false
  const response = await send('GET', `${itemPath(path, item.id)}?${includeQuery(reference)}`)
  expect.status(response, 200)
  const expected = direct.status === 200 ? direct.json : null
  if (!isSame(memberOf(response.json, reference.include), expected))
    fail(response, `The "${reference.include}" is not what GET ${direct.request.path} gives.`)
  return true
}

/** Rules about references in the bodies of writes. */
export const referenceRules = defineRules(['write', 'references'], {
  'reference-created': {
    text: 'POST with a reference to no item gives 422 "reference_not_found", and stores nothing.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      for (const [field, id] of unknownReferences(collection)) {
        const { [field]: _, ...fields } = await draft()
        const body = { ...fields, [field]: id }
        await expectNotStored(collection, { path, body, drafts: [fields] }, (response) =>
          expectMissing(response, [[field]]),
        )
      }
    },
  },
  'reference-updated': {
    text: 'PUT with a reference to no item gives 422 "reference_not_found", and changes nothing.',
    run: (collection) => expectReferencesRefused(collection, 'PUT'),
  },
  'reference-patched': {
    text: 'PATCH with a reference to no item gives 422 "reference_not_found", and changes nothing.',
    run: (collection) => expectReferencesRefused(collection, 'PATCH'),
  },
  'reference-bulk': {
    text: 'A bulk with references to no items gives 422 with each of them, and changes nothing.',
    needs: ['own'],
    async run(collection) {
      const references = unknownReferences(collection)
      const { created, drafts } = await postItems(collection, 3)
      const bodies = drafts.map((draft, index) => ({ ...draft, id: created[index]?.id }))
      const { path } = writableOf(collection)
      for (const [field, id] of references) {
        const body = bodies.map((draft, index) => (index === 1 ? draft : { ...draft, [field]: id }))
        const response = await collection.send('PUT', path, { body })
        skipUnsupported(response)
        expectMissing(response, [
          [0, field],
          [2, field],
        ])
        await expectUnchanged(collection, created)
      }
    },
  },
  'include-sent-back': {
    text: 'PUT ignores the members that "include" added.',
    needs: ['include'],
    async run(collection) {
      const { send } = collection
      const references = includableIn(collection).slice(0, 4)
      const { path } = await postItem(collection)
      const shownItem = expect.item(await send('GET', `${path}?${includeQuery(...references)}`))
      const members = references.map(({ include }) => [include, shownItem[include]])
      const body = { ...(await writableOf(collection).draft()), ...Object.fromEntries(members) }
      const response = await send('PUT', path, { body })
      skipUnsupported(response)
      const updated = expect.item(response)
      const stored = references.find(({ include }) => updated[include] !== undefined)
      if (stored) fail(response, `The item has "${stored.include}", which is no field.`)
    },
  },
  'include-written': {
    text: 'A write with "include" gives 400 and changes nothing.',
    needs: ['include'],
    creates: 1,
    async send(collection) {
      const query = includeQuery(...includableIn(collection).slice(0, 1))
      const [body] = collection.drafts
      return [
        { request: `POST {writable}?${query}`, body: await writableOf(collection).draft() },
        { request: `PUT {new}?${query}`, body },
        `DELETE {new}?${query}`,
      ]
    },
    expect: 'unknown_parameter',
  },
})

async function expectReferencesRefused(
  collection: CheckedCollection,
  method: string,
): Promise<void> {
  const references = unknownReferences(collection)
  const { created, drafts } = await postItems(collection, 1)
  const path = itemPath(writableOf(collection).path, created[0]?.id ?? absentName)
  for (const [field, id] of references) {
    const response = await collection.send(method, path, { body: { ...drafts[0], [field]: id } })
    skipUnsupported(response)
    expectMissing(response, [[field]])
    await expectUnchanged(collection, created)
  }
}

// Returns the fields that a client can set, each with an id of its type that no item has.
function unknownReferences({
  offers,
  items,
  readOnly,
  parent,
}: CheckedCollection): readonly (readonly [field: string, id: ServerItem['id']])[] {
  const pairs = offers.references.flatMap(({ field }) => {
    const value = items.map((item) => fieldOf(item, field)).find(isGiven)
    const isFixed = field === parent?.field || readOnly.includes(field)
    return isFixed || value === undefined ? [] : [[field, absentId(value)] as const]
  })
  return pairs.length > 0 ? pairs : skip('No item has a reference that a client can change.')
}

function expectMissing(response: CheckResponse, places: readonly (readonly PropertyKey[])[]): void {
  expect.problem(response, 'validation_failed')
  const issues = [memberOf(response.json, 'issues')].flat()
  for (const pointer of places.map(formatPointer)) {
    const issue = issues.find((candidate) => memberOf(candidate, 'pointer') === pointer)
    if (memberOf(issue, 'code') !== 'reference_not_found')
      fail(response, `The problem has no issue "reference_not_found" at ${pointer}.`)
  }
}
