import { isSame } from '../../../convention/value.ts'
import type { CheckedCollection } from '../collection.ts'
import { expectBody, expectItem, expectProblem, expectStatus, fail, skip } from '../expect.ts'
import { maxTriedFields } from '../limits.ts'
import { expectPatchOf, patchFor, patchTypes } from '../patching.ts'
import { defineRules } from '../rule.ts'
import { expectSupported, postItem, writableOf } from '../writing.ts'

/** Rules about the effect of PATCH on an item. */
export const patchRules = defineRules(['write'], {
  patch: {
    text: 'PATCH on an item changes only the fields that it names: 200 with the whole item.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const change = await patchFor(collection, item)
      const response = await collection.send('PATCH', path, { body: change.patch })
      const patched = expectPatchOf(response, item, change)
      expectBody(await collection.send('GET', path), patched, 'the item that PATCH returned')
    },
  },
  'patch-types': {
    text: `PATCH on an item takes ${patchTypes.join(' and ')}.`,
    async run(collection) {
      const { item, path } = await postItem(collection)
      for (const type of patchTypes) {
        const change = await patchFor(collection, item)
        const headers = { 'content-type': type }
        const response = await collection.send('PATCH', path, { body: change.patch, headers })
        expectPatchOf(response, item, change)
      }
    },
  },
  'patch-null': {
    text: 'null in a PATCH clears an optional field.',
    async run(collection) {
      const { path, field } = await postOptional(collection)
      const response = await collection.send('PATCH', path, { body: { [field]: null } })
      expectSupported(response, 200)
      const patched = expectItem(response)
      if (!isMissing(patched[field])) fail(response, `The item still has a "${field}".`)
      expectBody(await collection.send('GET', path), patched, 'the item that PATCH returned')
    },
  },
  'patch-arrays': {
    text: 'PATCH replaces an array as a whole.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const draft = await writableOf(collection).draft()
      for (const field of Object.keys(draft)) {
        const stored = item[field]
        if (!Array.isArray(stored) || stored.length === 0) continue
        const body = { [field]: stored.slice(1) }
        const response = await collection.send('PATCH', path, { body })
        if (response.status === 422) continue
        expectSupported(response, 200)
        expectBody(response, { ...expectItem(response), ...body }, 'the item with the array')
        return expectBody(
          await collection.send('GET', path),
          response.json,
          'the item that PATCH returned',
        )
      }
      skip('No draft of its items has an array that may be shorter.')
    },
  },
  'patch-unchanged': {
    text: 'A PATCH that changes nothing leaves the item and its ETag as they are.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const before = await collection.send('GET', path)
      const [field = 'id'] = Object.keys(await writableOf(collection).draft())
      const { [field]: value = null } = item
      for (const body of [{}, { [field]: value }]) {
        expectSupported(await collection.send('PATCH', path, { body }), 200)
        const after = await collection.send('GET', path)
        expectBody(after, before.json, 'the item as it was')
        if (after.headers.etag !== before.headers.etag) fail(after, 'The ETag is another one.')
      }
    },
  },
  'patch-old-etag': {
    text: 'PATCH honours "If-Match": with an old ETag it gives 409 and changes nothing.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const { etag } = (await collection.send('GET', path)).headers
      if (etag === undefined) skip('Its items have no ETag.')
      const headers = { 'if-match': etag }
      const change = await patchFor(collection, item)
      const response = await collection.send('PATCH', path, { body: change.patch, headers })
      const patched = expectPatchOf(response, item, change)
      const { patch: body } = await patchFor(collection, patched)
      const refused = await collection.send('PATCH', path, { body, headers })
      expectProblem(refused, 'precondition_failed')
      const read = await collection.send('GET', path)
      expectStatus(read, 200)
      expectBody(read, patched, 'the item as it was')
    },
  },
})

function isMissing(value: unknown): boolean {
  return value === undefined || value === null
}

// Creates an item with a field that the server lets it be without. PUT shows that.
async function postOptional(
  collection: CheckedCollection,
): Promise<{ readonly path: string; readonly field: string }> {
  const { send } = collection
  const { item, path } = await postItem(collection)
  const draft = await writableOf(collection).draft()
  for (const field of Object.keys(draft).slice(0, maxTriedFields)) {
    const { [field]: value, ...body } = draft
    if (isMissing(item[field]) || isMissing(value)) continue
    const without = await send('PUT', path, { body })
    if (without.status !== 200 || !isMissing(expectItem(without)[field])) continue
    const restored = await send('PUT', path, { body: draft })
    if (restored.status === 200 && isSame(expectItem(restored)[field], value))
      return { path, field }
  }
  return skip('The server accepts no PUT without one of the fields.')
}
