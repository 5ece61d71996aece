import { reservedWords } from '../../model/convention.ts'
import { itemPath } from '../../wire/path.ts'
import { expectBody, expectProblem, skip } from '../expect.ts'
import { pathBelow } from '../parent.ts'
import { defineRules } from '../rule.ts'
import { parentOf } from './parents.ts'
import {
  expectRefusal,
  expectRefusals,
  expectSupported,
  expectUnchanged,
  postItem,
  refusalRule,
  withChange,
  writableOf,
} from './writing.ts'

/** Rules about DELETE on an item, and about requests that change none. */
export const removeRules = defineRules(['write'], {
  delete: {
    text: 'DELETE on an item returns it. After that, GET gives 404.',
    async run(collection) {
      const { item, path } = await postItem(collection)
      const response = await collection.send('DELETE', path)
      expectSupported(response, 200)
      expectBody(response, item, 'the deleted item')
      expectProblem(await collection.send('GET', path), 'not_found')
    },
  },
  'delete-absent': {
    text: 'DELETE on an unknown id gives 404.',
    async run(collection) {
      const { path } = await postItem(collection)
      await collection.send('DELETE', path)
      expectRefusal(await collection.send('DELETE', path), 'not_found')
    },
  },
  'delete-body': refusalRule({
    text: 'DELETE with a body gives 400 and deletes nothing.',
    requests: ({ path }) => [
      { method: 'DELETE', path, body: { a: 1 }, codes: ['body_not_allowed'] },
    ],
  }),
  'item-slash': refusalRule({
    text: 'PUT and DELETE with a trailing slash give 400: URL parsers leave it after "." and "..".',
    requests: ({ path, draft: body }) => [
      { method: 'PUT', path: `${path}/`, body, codes: ['bad_path'] },
      { method: 'DELETE', path: `${path}/`, codes: ['bad_path'] },
    ],
  }),
  'scope-writes': {
    text: 'PUT and DELETE on an item through another parent give 404.',
    needs: ['parent'],
    async run(collection) {
      const parent = parentOf(collection)
      const created = await postItem(collection)
      const paths = [parent.id, parent.otherId]
        .filter((id) => id !== undefined)
        .map((id) => pathBelow({ ...parent, id }))
      const other = paths.find((below) => !created.path.startsWith(`${below}/`))
      if (other === undefined) skip('The collection has only one parent.')
      const path = itemPath(other, created.item.id)
      const body = withChange(await writableOf(collection).draft())
      await expectRefusals(collection, [
        { method: 'PUT', path, body, codes: ['not_found', 'validation_failed'] },
        { method: 'DELETE', path, codes: ['not_found'] },
      ])
      await expectUnchanged(collection, created)
    },
  },
  'no-post-on-item': {
    text: 'POST and PATCH on an item, and POST on a reserved word, give 405.',
    async run(collection) {
      const { send } = collection
      const created = await postItem(collection)
      for (const method of ['POST', 'PATCH'])
        expectProblem(await send(method, created.path, { body: {} }), 'method_not_allowed')
      await expectUnchanged(collection, created)
      // On some servers POST on "first" could reach an item of another client.
      const { path, isOwn } = writableOf(collection)
      for (const word of isOwn ? reservedWords : [])
        expectProblem(await send('POST', `${path}/${word}`, { body: [] }), 'method_not_allowed')
    },
  },
})
