import { itemPath } from '../../../wire/path.ts'
import type { CheckedCollection } from '../collection.ts'
import { expect, fail, type ServerItem, skip, skipUnsupported } from '../message.ts'
import { absentId, absentName } from '../path.ts'
import { defineRules, postItem, writableOf } from '../rule.ts'

/** The rule about PUT on an item that does not exist. */
export const absentRules = defineRules(['write'], {
  'update-absent': {
    text:
      'PUT on an unknown id gives 404 and creates nothing. Where OPTIONS says "putCreates", it ' +
      'creates the item: 201, then 200, and 409 to "If-None-Match: *". A dry run creates nothing.',
    run: (collection) =>
      collection.offers.putCreates ? expectCreated(collection) : expectNotCreated(collection),
  },
})

async function expectNotCreated(collection: CheckedCollection): Promise<void> {
  const { path: list, draft } = writableOf(collection)
  const path = itemPath(list, absentName)
  const response = await collection.send('PUT', path, { body: await draft() })
  skipUnsupported(response)
  expect.problem(response, 'not_found')
  expect.status(await collection.send('GET', path), 404)
}

async function expectCreated(collection: CheckedCollection): Promise<void> {
  const { send } = collection
  const { item: sibling } = await postItem(collection)
  const { path: list, draft } = writableOf(collection)
  const id = newIdLike(sibling)
  const path = itemPath(list, id)
  const { id: _, ...body } = await draft()
  const conditional = await send('PUT', path, { body, headers: { 'if-match': '*' } })
  skipUnsupported(conditional)
  expect.problem(conditional, 'precondition_failed')
  const preview = await send('PUT', `${path}?dry_run=true`, { body })
  if (preview.status === 422) skip(`The server takes no item with the id ${id}.`)
  expect.status(preview, 200)
  expect.status(await send('GET', path), 404)
  const created = await send('PUT', path, { body, headers: { 'if-none-match': '*' } })
  const item = expect.item(created, 201)
  if (item.id !== id) fail(created, `The item has the id ${item.id}, not ${id}.`)
  expect.fields(created, item, body)
  if (!created.headers.location?.endsWith(path))
    fail(created, `"Location" is ${created.headers.location}, not ${path}.`)
  const again = await send('PUT', path, { body, headers: { 'if-none-match': '*' } })
  expect.problem(again, 'precondition_failed')
  expect.item(await send('PUT', path, { body }), 200)
  expect.status(await send('GET', path), 200)
}

// A server can keep the ids of deleted items, so that one of an earlier check is taken.
function newIdLike({ id }: ServerItem): string | number {
  const absent = absentId(id)
  return absent === absentName ? `${absent}-${crypto.randomUUID().slice(0, 8)}` : absent
}
