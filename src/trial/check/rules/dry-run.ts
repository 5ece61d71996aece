import type { CheckedCollection, ItemDraft } from '../collection.ts'
import { type CheckResponse, expect, fail, skipUnsupported } from '../message.ts'
import { absentId, absentName } from '../path.ts'
import {
  changedDraft,
  defineRules,
  draftsFor,
  expectNotStored,
  expectPatched,
  expectUnchanged,
  patchFor,
  postBulk,
  postItem,
  prepareBulk,
  writableOf,
} from '../rule.ts'

const query = 'dry_run=true'
const failing = { 'if-match': `"${absentName}"` }

/** Rules about `dry_run`. */
export const dryRunRules = defineRules(['write', 'dryRun'], {
  'dry-run-create': {
    text: 'POST with "dry_run=true" gives 200 with the new item, and creates nothing.',
    async run(collection) {
      const { path, draft } = writableOf(collection)
      const body = await draft()
      const request = { path: `${path}?${query}`, body, drafts: [body] }
      await expectNotStored(collection, request, (response) => {
        expectShown(response)
        expect.fields(response, response.json, body)
      })
    },
  },
  'dry-run-bulk-create': {
    text: 'POST of an array with "dry_run=true" gives 200 with the items, and creates nothing.',
    async run(collection) {
      await postBulk(collection, 1)
      const drafts = await draftsFor(collection, 2)
      const path = `${writableOf(collection).path}?${query}`
      await expectNotStored(collection, { path, body: drafts, drafts }, (response) => {
        expectShown(response)
        expectAll(response, drafts)
      })
    },
  },
  'dry-run-update': {
    text: 'PUT with "dry_run=true" gives 200 with the item, and changes nothing.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const body = await changedDraft(collection)
      const response = await collection.send('PUT', `${path}?${query}`, { body })
      expectShown(response)
      expect.fields(response, response.json, { ...body, id: item.id })
      await expectUnchanged(collection, [item])
    },
  },
  'dry-run-patch': {
    text: 'PATCH with "dry_run=true" gives 200 with the patched item, and changes nothing.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const change = await patchFor(collection, item)
      const response = await collection.send('PATCH', `${path}?${query}`, { body: change.patch })
      expectShown(response)
      expect.fields(response, response.json, { id: item.id })
      expectPatched(response, response.json, change)
      await expectUnchanged(collection, [item])
    },
  },
  'dry-run-bulk-update': {
    text: 'PUT on a collection with "dry_run=true" gives 200, and changes nothing.',
    needs: ['own'],
    run: (collection) => expectBulkShown(collection, 'PUT'),
  },
  'dry-run-bulk-patch': {
    text: 'PATCH on a collection with "dry_run=true" gives 200, and changes nothing.',
    needs: ['own'],
    run: (collection) => expectBulkShown(collection, 'PATCH'),
  },
  'dry-run-value': {
    text: '"dry_run" is true or absent: another value gives 400, and the server writes nothing.',
    creates: 1,
    send: ({ drafts: [body] }) =>
      ['1', 'false', 'TRUE'].flatMap((value) =>
        ['POST {writable}', 'PUT {new}'].map((target) => ({
          request: `${target}?dry_run=${value}`,
          body,
        })),
      ),
    expect: 'bad_parameter',
  },
  'dry-run-faults': {
    text: 'A write with "dry_run=true" gives the same problems as without it.',
    creates: 1,
    send: ({ created: [item], drafts: [body], offers }) => [
      { request: `POST {writable}?${query}`, body: 5, expect: 'validation_failed' },
      { request: `PUT {new}?${query}`, body: 5, expect: 'validation_failed' },
      ...(offers.putCreates
        ? []
        : [{ request: `PUT {absent}?${query}`, body, expect: 'not_found' } as const]),
      { request: `PUT {new}?${query}`, body: { ...body, id: absentId(item?.id) } },
      { request: `PUT {new}?${query}`, body, headers: failing, expect: 'precondition_failed' },
    ],
    expect: 'id_mismatch',
  },
  'dry-run-only-writes': {
    text: 'GET and DELETE take no "dry_run": 400, and the server deletes nothing.',
    creates: 1,
    send: [`{new}?${query}`, `{writable}?${query}`, `DELETE {new}?${query}`],
    expect: 'unknown_parameter',
  },
})

// An ETag would name a version that the server does not have.
function expectShown(response: CheckResponse): void {
  skipUnsupported(response)
  expect.status(response, 200)
  const name = ['location', 'etag'].find((header) => response.headers[header] !== undefined)
  if (name !== undefined) fail(response, `The response has the header "${name}".`)
}

function expectAll(response: CheckResponse, drafts: readonly ItemDraft[]): void {
  const { json } = response
  const items: readonly unknown[] = Array.isArray(json) ? json : []
  if (items.length !== drafts.length) fail(response, `The body is no array of ${drafts.length}.`)
  for (const [index, draft] of drafts.entries()) expect.fields(response, items[index], draft)
}

async function expectBulkShown(collection: CheckedCollection, method: string): Promise<void> {
  const { items, bodies, path } = await prepareBulk(collection, 2)
  const body = bodies.toReversed()
  const response = await collection.send(method, `${path}?${query}`, { body })
  expectShown(response)
  expectAll(response, body)
  await expectUnchanged(collection, items)
}
