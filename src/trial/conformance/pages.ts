import { type Checks, checksOf, createThree, named } from './check.ts'
import { isSameJson, show, specimenIdsOf } from './compare.ts'
import { type OperationInput, replacing, sortSpecimens } from './operation-input.ts'
import { pageRows } from './page-rows.ts'
import type { Specimen } from './specimens.ts'
import type { Tester } from './tester.ts'

/** Checks of pages. */
export const pageChecks: Checks = {
  'limit bounds the list': {
    rule: 'A list with a limit is the beginning of the whole list, at most that long.',
    async test(tester) {
      const items = await createThree(tester)
      for (const limit of [1, 2, 3, 4, 1000]) {
        await tester.expectList({ sort: ['name'], limit }, items.slice(0, limit))
      }
    },
  },
  ...checksOf(Object.entries(pageRows), ([name, { rule, items, sorts }]) => [
    name,
    {
      rule,
      async test(tester) {
        const created = await tester.createAll(items)
        for (const sort of sorts) await ensurePages(tester, { kind: 'list', sort }, created)
      },
    },
  ]),
  'an offset leaves out the first items': {
    rule: 'A list that takes an offset leaves out that many items of its order, then limits.',
    async test(tester) {
      const items = await createThree(tester)
      // The core leaves out the items of another list itself.
      if (!tester.skips) return
      for (const offset of [1, 2, 3, 4])
        for (const limit of [1, 2, 1000])
          await tester.expectList(
            { sort: ['name'], limit, offset },
            items.slice(offset, offset + limit),
          )
      await tester.expectList({ sort: ['name'], q: 'a', limit: 2, offset: 1 }, [])
    },
  },
  'pages of a search are the search': {
    rule: 'A page after a cursor has only items that match the search.',
    async test(tester) {
      const items = await tester.createAll(named('b ann', 'd ann', 'f ann', 'h ann'))
      await tester.createAll(named('a bob', 'c bob', 'e bob', 'i bob'))
      for (const sort of [['name'], ['-name']]) {
        await ensurePages(tester, { kind: 'list', q: 'ann', sort }, items)
      }
    },
  },
  'a page after the last is empty': {
    rule: 'The page after the last item is empty.',
    async test(tester) {
      const [one, , three] = await createThree(tester)
      await tester.expectList({ sort: ['name'], after: three }, [])
      await tester.expectList({ sort: ['-name'], after: one, limit: 5 }, [])
      await tester.expectList({ sort: ['note', '-name'], after: one }, [])
    },
  },
  'pages go on where an item was deleted': {
    rule: 'A cursor is a position in the order: it stays valid after its item is deleted.',
    needs: ['create', 'delete', 'list'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.perform({ kind: 'delete', id: two.id })
      await tester.expectList({ sort: ['name'], after: two }, [three])
      await tester.expectList({ sort: ['-name'], after: two, limit: 2 }, [one])
    },
  },
  'pages go on where an item was changed': {
    rule: 'A cursor is a position in the order: it does not move with its item.',
    needs: ['create', 'list', 'update'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.perform(replacing(two, { name: 'z' }))
      await tester.expectList({ sort: ['name'], after: two }, [three, two])
      await tester.expectList({ sort: ['-name'], after: two }, [one])
    },
  },
  'pages go on while items are created': {
    rule: 'A new item before the cursor changes no later page. One after the cursor appears.',
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.expectList({ sort: ['name'], limit: 2 }, [one, two])
      await tester.createAll(named('A', 'aa'))
      const later = await tester.create({ name: 'bb' })
      await tester.expectList({ sort: ['name'], after: two }, [later, three])
    },
  },
}

/** Checks that the joined pages of a list, of several lengths, are the items in their order. */
export async function ensurePages(
  tester: Tester,
  input: OperationInput,
  items: readonly Specimen[],
): Promise<void> {
  const expected = specimenIdsOf(sortSpecimens(items, input.sort))
  for (const limit of [1, 2, 3, items.length]) {
    const result = await joinPages(tester, { ...input, limit }, items.length)
    tester.assert(isSameJson(specimenIdsOf(result), expected), () => ({
      operation: `${show({ ...input, limit })}, page by page`,
      result: show(result),
      expected: `the items of the ids ${show(expected)}`,
    }))
  }
}

// Stops soon after the expected length, since wrong pages may never end.
async function joinPages(
  tester: Tester,
  input: OperationInput,
  length: number,
): Promise<readonly Specimen[]> {
  const all: Specimen[] = []
  while (all.length <= length) {
    const page = await tester.list({ ...input, after: all.at(-1) })
    if (page.length === 0) break
    all.push(...page)
  }
  return all
}
