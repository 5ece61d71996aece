import { compareBy } from '../model/order.ts'
import { idsOf, isSame, show } from './compare.ts'
import { type Demand, named, trio } from './demand.ts'
import type { Lab } from './lab.ts'
import { pagedRows } from './paged.ts'
import { orderOf, type Question, replacing } from './question.ts'
import type { Specimen } from './specimens.ts'

/** How a list is read page by page. */
export const pageDemands: readonly Demand[] = [
  {
    name: 'limit bounds the list',
    rule: 'A list with a limit is the beginning of the list without, at most that long.',
    needs: ['create', 'list'],
    async test(lab) {
      const items = await trio(lab)
      for (const limit of [1, 2, 3, 4, 1000]) {
        await lab.lists({ sort: ['name'], limit }, items.slice(0, limit))
      }
    },
  },
  ...pagedRows.map(
    ({ name, rule, items, sorts }): Demand => ({
      name,
      rule,
      needs: ['create', 'list'],
      async test(lab) {
        const created = await lab.createAll(items)
        for (const sort of sorts) await ensurePages(lab, { kind: 'list', sort }, created)
      },
    }),
  ),
  {
    name: 'pages of a search are the search',
    rule: 'A page that goes on still searches.',
    needs: ['create', 'list'],
    async test(lab) {
      const items = await lab.createAll(named('b ann', 'd ann', 'f ann', 'h ann'))
      await lab.createAll(named('a bob', 'c bob', 'e bob', 'i bob'))
      for (const sort of [['name'], ['-name']]) {
        await ensurePages(lab, { kind: 'list', q: 'ann', sort }, items)
      }
    },
  },
  {
    name: 'a page after the last is empty',
    rule: 'After the last item there is nothing.',
    needs: ['create', 'list'],
    async test(lab) {
      const [one, , three] = await trio(lab)
      await lab.lists({ sort: ['name'], after: three }, [])
      await lab.lists({ sort: ['-name'], after: one, limit: 5 }, [])
      await lab.lists({ sort: ['note', '-name'], after: one }, [])
    },
  },
  {
    name: 'pages go on where an item was deleted',
    rule: 'A cursor is a place in the order, not an item: it holds when the item there is gone.',
    needs: ['create', 'delete', 'list'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.ask({ kind: 'delete', id: two.id })
      await lab.lists({ sort: ['name'], after: two }, [three])
      await lab.lists({ sort: ['-name'], after: two, limit: 2 }, [one])
    },
  },
  {
    name: 'pages go on where an item was changed',
    rule: 'A cursor is a place in the order, not an item: it stays when the item there has moved.',
    needs: ['create', 'list', 'update'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.ask(replacing(two, { name: 'z' }))
      await lab.lists({ sort: ['name'], after: two }, [three, two])
      await lab.lists({ sort: ['-name'], after: two }, [one])
    },
  },
  {
    name: 'pages go on while items are created',
    rule: 'Items that come before the cursor move nothing; those that come after it are found.',
    needs: ['create', 'list'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.lists({ sort: ['name'], limit: 2 }, [one, two])
      await lab.createAll(named('A', 'aa'))
      const later = await lab.create({ name: 'bb' })
      await lab.lists({ sort: ['name'], after: two }, [later, three])
    },
  },
]

async function ensurePages(
  lab: Lab,
  question: Question,
  items: readonly Specimen[],
): Promise<void> {
  const expected = idsOf(items.toSorted(compareBy(orderOf(question.sort))))
  for (const limit of [1, 2, 3, items.length]) {
    const came = await joinPages(lab, { ...question, limit }, items.length)
    lab.ensure(isSame(idsOf(came), expected), () => ({
      asked: `${show({ ...question, limit })}, page by page`,
      came: show(came),
      expected: `the items of the ids ${show(expected)}`,
    }))
  }
}

// Stops soon after the length that was expected, since pages that are wrong may never end.
async function joinPages(
  lab: Lab,
  question: Question,
  length: number,
): Promise<readonly Specimen[]> {
  const all: Specimen[] = []
  while (all.length <= length) {
    const page = await lab.list({ ...question, after: all.at(-1) })
    if (page.length === 0) break
    all.push(...page)
  }
  return all
}
