import { itemPath } from '../../../wire/path.ts'
import { draftsFor, postBulk } from '../bulk.ts'
import type { CheckedCollection } from '../collection.ts'
import { expectBody, expectProblem, expectStatus, fail } from '../expect.ts'
import { maxTriedFields } from '../limits.ts'
import { isSuccess } from '../message.ts'
import { defineRules } from '../rule.ts'
import {
  expectFields,
  expectNotStored,
  expectPointer,
  invalidValue,
  writableOf,
} from '../writing.ts'

/** Rules about POST of an array. */
export const bulkCreateRules = defineRules(['write'], {
  'bulk-create': {
    text: 'POST of an array creates its items: 201 with them in that order, without "Location".',
    async run(collection) {
      const { drafts, items, response } = await postBulk(collection, 3)
      for (const [index, draft] of drafts.entries()) expectFields(response, items[index], draft)
      if (response.headers.location !== undefined) fail(response, 'The response has a "Location".')
      const { path } = writableOf(collection)
      for (const item of items)
        expectBody(
          await collection.send('GET', itemPath(path, item.id)),
          item,
          'the item that POST returned',
        )
    },
  },
  'bulk-create-whole-or-not': {
    text:
      'POST of an array creates all items or none: an invalid one gives 422, and "issues" points ' +
      'to it.',
    async run(collection) {
      await postBulk(collection, 1)
      const { path } = writableOf(collection)
      const strict = await strictFieldOf(collection)
      const [first = {}, second = {}, third = {}] = await draftsFor(collection, 3)
      const faults: readonly (readonly [invalid: unknown, pointer: string])[] = [
        [5, '/1'],
        ...strict.map((field) => [{ ...second, [field]: invalidValue }, `/1/${field}`] as const),
      ]
      for (const [invalid, pointer] of faults) {
        const body = [first, invalid, third]
        await expectNotStored(collection, { path, body, drafts: [first, third] }, (response) => {
          expectProblem(response, 'validation_failed')
          expectPointer(response, pointer)
        })
      }
    },
  },
  'bulk-create-empty': {
    text: 'POST of an empty array gives 201 with [], and creates nothing.',
    async run(collection) {
      await postBulk(collection, 1)
      const request = { path: writableOf(collection).path, body: [], drafts: [{}] }
      await expectNotStored(collection, request, (response) => {
        expectStatus(response, 201)
        expectBody(response, [], '[]')
      })
    },
  },
})

// Returns the first field that does not take any value, if there is one.
async function strictFieldOf(collection: CheckedCollection): Promise<readonly string[]> {
  const { path, draft } = writableOf(collection)
  const sample = await draft()
  for (const field of Object.keys(sample).slice(0, maxTriedFields)) {
    const body = { ...sample, [field]: invalidValue }
    if (!isSuccess(await collection.send('POST', path, { body }))) return [field]
  }
  return []
}
