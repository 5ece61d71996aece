import { reservedWords } from '../../model/convention.ts'
import { fieldOf } from '../../model/operation.ts'
import { itemPath } from '../../wire/path.ts'
import {
  broken,
  expectItem,
  expectProblem,
  expectSame,
  expectStatus,
  type Found,
  unfit,
} from '../expect.ts'
import type { Rule } from '../rule.ts'
import { listAll, type Parent, type Subject, someItem } from '../subject.ts'
import { nothing } from './list.ts'

/** What nesting means. */
export const parentRules: readonly Rule[] = [
  {
    id: 'parent-missing',
    words: 'Below a parent that is not there everything is 404, never an empty list.',
    needs: ['parent', 'items'],
    async run(subject) {
      const { ask } = subject
      const path = below(parentOf(subject), nothing)
      for (const place of [
        path,
        `${path}/first`,
        `${path}/last`,
        `${path}/count`,
        `${path}/${nothing}`,
      ])
        expectProblem(await ask('GET', place), 'parent_not_found')
    },
  },
  {
    id: 'parent-reserved',
    words: 'A reserved word is no parent.',
    needs: ['parent', 'items'],
    async run(subject) {
      const { path, rest } = parentOf(subject)
      for (const word of reservedWords)
        expectStatus(await subject.ask('GET', `${path}/${word}${rest}`), 404)
    },
  },
  {
    id: 'scope-list',
    words: 'A nested list has the items of its parent only: the field that owns is its id.',
    needs: ['parent', 'items', 'some'],
    run(subject) {
      const { id, field } = parentOf(subject)
      if (field === undefined)
        unfit('The template does not name the field that owns: write it like {company_id}.')
      if (!subject.items.some((item) => Object.hasOwn(item, field)))
        unfit(`The items have no "${field}".`)
      const stranger = subject.items.find((item) => String(fieldOf(item, field)) !== id)
      const [exchange] = subject.log()
      if (stranger && exchange) broken(exchange, `The "${field}" of ${stranger.id} is not ${id}.`)
    },
  },
  {
    id: 'scope-item',
    words: 'An item of another parent is not there.',
    needs: ['parent', 'items'],
    async run(subject) {
      const { path, stranger } = await strangerOf(subject)
      expectProblem(await subject.ask('GET', itemPath(path, stranger.id)), 'not_found')
    },
  },
  {
    id: 'scope-count',
    words: '"first", "last" and "count" stay within their parent.',
    needs: ['parent', 'items', 'some'],
    async run(subject) {
      const { ask, path, items } = subject
      const count = await ask('GET', `${path}/count`)
      expectStatus(count, 200)
      if (Number(fieldOf(Object(count.answer.json), 'count')) !== items.length)
        broken(count, `It does not count ${items.length}, as the list has.`)
      const last = await ask('GET', `${path}/last`)
      expectSame(last, items.at(-1), 'the last item of the list')
    },
  },
  {
    id: 'parent-is-item',
    words: 'The parent of a nested list is an item that can be read.',
    needs: ['parent', 'items'],
    async run(subject) {
      const { path, id } = parentOf(subject)
      const exchange = await subject.ask('GET', itemPath(path, id))
      if (String(expectItem(exchange).id) !== id)
        broken(exchange, `The id of the item is not ${id}.`)
    },
  },
]

/** The collection of a path below another parent. */
export function below({ path, rest }: Parent, id: string): string {
  return itemPath(path, id) + rest
}

/** The parent, for rules that need one. */
export function parentOf({ parent }: Subject): Parent {
  return parent ?? unfit('The collection is owned by nothing.')
}

// An item, and the collection of a parent that it does not belong to.
async function strangerOf(subject: Subject): Promise<{ path: string; stranger: Found }> {
  const parent = parentOf(subject)
  if (parent.otherId === undefined) unfit('There is only one parent.')
  const path = below(parent, parent.otherId)
  const { items } = await listAll(subject.ask, path)
  const stranger = subject.items.find(({ id }) => !items.some((item) => item.id === id))
  if (stranger) return { path, stranger }
  // Whether the lists are kept apart is another rule's.
  return items.length > 0
    ? unfit('Both parents have the same items.')
    : { path, stranger: someItem(subject) }
}
