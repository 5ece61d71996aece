import { fieldOf } from '../../../convention/value.ts'
import { itemPath } from '../../../wire/path.ts'
import { formatPointer } from '../../../wire/pointer.ts'
import type { CheckedCollection } from '../collection.ts'
import { expectItem, expectProblem, fail, memberOf, type ServerItem, skip } from '../expect.ts'
import { includableIn, includeQuery, isGiven } from '../included.ts'
import type { CheckResponse } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import {
  absentId,
  expectNotStored,
  expectUnchanged,
  postItem,
  postItems,
  skipUnsupported,
  writableOf,
} from '../writing.ts'

/** Rules about references in the bodies of writes. */
export const referenceRules = defineRules(['write', 'references'], {
  'reference-created': {
    text: 'POST with a reference to no item gives 422 "reference_not_found", and stores nothing.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      for (const [field, id] of unknownReferences(collection)) {
        const { [field]: _, ...rest } = await draft()
        const body = { ...rest, [field]: id }
        await expectNotStored(collection, { path, body, drafts: [rest] }, (response) =>
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
        const body = bodies.map((one, index) => (index === 1 ? one : { ...one, [field]: id }))
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
      const given = expectItem(await send('GET', `${path}?${includeQuery(...references)}`))
      const members = references.map(({ include }) => [include, given[include]])
      const body = { ...(await writableOf(collection).draft()), ...Object.fromEntries(members) }
      const response = await send('PUT', path, { body })
      skipUnsupported(response)
      const updated = expectItem(response)
      const kept = references.find(({ include }) => updated[include] !== undefined)
      if (kept) fail(response, `The item has "${kept.include}", which is no field.`)
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
        { request: `POST {own}?${query}`, body: await writableOf(collection).draft() },
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
  const found = offers.references.flatMap(({ field }) => {
    const value = items.map((item) => fieldOf(item, field)).find(isGiven)
    const isFixed = field === parent?.field || readOnly.includes(field)
    return isFixed || value === undefined ? [] : [[field, absentId(value)] as const]
  })
  return found.length > 0 ? found : skip('No item has a reference that a client can change.')
}

function expectMissing(response: CheckResponse, places: readonly (readonly PropertyKey[])[]): void {
  expectProblem(response, 'validation_failed')
  const issues = [memberOf(response.json, 'issues')].flat()
  for (const pointer of places.map(formatPointer)) {
    const issue = issues.find((one) => memberOf(one, 'pointer') === pointer)
    if (memberOf(issue, 'code') !== 'reference_not_found')
      fail(response, `The problem has no issue "reference_not_found" at ${pointer}.`)
  }
}
