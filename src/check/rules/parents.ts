import { reservedWords } from '../../model/convention.ts'
import { fieldOf } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import { type CheckedCollection, firstItem, type Parent, readAll } from '../collection.ts'
import {
  expectBody,
  expectItem,
  expectProblem,
  expectStatus,
  fail,
  type ServerItem,
  skip,
} from '../expect.ts'
import type { CheckResponse } from '../message.ts'
import { pathBelow } from '../parent.ts'
import { absentName } from '../path.ts'
import { defineRules, noParent, problemRule } from '../rule.ts'

/** Rules about nested collections. */
export const parentRules = defineRules(['parent', 'items'], {
  'parent-missing': problemRule({
    text: 'Below an unknown parent every GET gives 404, never an empty list.',
    paths(collection) {
      const path = pathBelow({ ...parentOf(collection), id: absentName })
      return ['', '/first', '/last', '/count', `/${absentName}`].map((rest) => path + rest)
    },
    codes: ['parent_not_found'],
  }),
  'parent-reserved': {
    text: 'A reserved word is no parent.',
    async run(collection) {
      const { path, rest } = parentOf(collection)
      for (const word of reservedWords)
        expectStatus(await collection.send('GET', `${path}/${word}${rest}`), 404)
    },
  },
  'scope-list': {
    text: "A nested list has only items that hold its parent's id.",
    needs: ['some'],
    run(collection) {
      const { id, field } = parentOf(collection)
      const { items } = collection
      if (field === undefined)
        skip("The template does not name the field of the parent's id: write {company_id}.")
      if (!items.some((item) => Object.hasOwn(item, field))) skip(`The items have no "${field}".`)
      const foreign = items.find((item) => String(fieldOf(item, field)) !== id)
      const [response] = collection.log()
      if (foreign && response) fail(response, `The "${field}" of ${foreign.id} is not ${id}.`)
    },
  },
  'scope-item': {
    text: 'GET on an item of another parent gives 404.',
    async run(collection) {
      const { path, id } = await foreignItemIn(collection)
      expectProblem(await collection.send('GET', itemPath(path, id)), 'not_found')
    },
  },
  'scope-count': {
    text: '"first", "last" and "count" only see items of their parent.',
    needs: ['some'],
    async run({ send, path, items }) {
      expectCount(await send('GET', `${path}/count`), items.length)
      expectBody(await send('GET', `${path}/last`), items.at(-1), 'the last item of the list')
    },
  },
  'parent-is-item': {
    text: 'GET on the parent of a nested list returns an item.',
    async run(collection) {
      const { path, id } = parentOf(collection)
      const response = await collection.send('GET', itemPath(path, id))
      if (String(expectItem(response).id) !== id) fail(response, `The id of the item is not ${id}.`)
    },
  },
})

/** Returns the parent. Skips the rule for a collection without one. */
export function parentOf({ parent }: CheckedCollection): Parent {
  return parent ?? skip(noParent)
}

/** Expects a count that agrees with the list. */
export function expectCount(response: CheckResponse, length: number): void {
  expectStatus(response, 200)
  if (Number(fieldOf(Object(response.json), 'count')) !== length)
    fail(response, `The count is not ${length}, the length of the list.`)
}

interface ForeignItem {
  /** The collection of another parent. */
  readonly path: string
  readonly id: ServerItem['id']
}

async function foreignItemIn(collection: CheckedCollection): Promise<ForeignItem> {
  const { otherId, ...parent } = parentOf(collection)
  if (otherId === undefined) skip('The collection has only one parent.')
  const path = pathBelow({ ...parent, id: otherId })
  const { items } = await readAll(collection.send, path)
  const foreign = collection.items.find(({ id }) => !items.some((item) => item.id === id))
  if (foreign) return { path, id: foreign.id }
  // Another rule checks that the lists differ.
  if (items.length > 0) skip('Both parents have the same items.')
  return { path, id: firstItem(collection).id }
}
