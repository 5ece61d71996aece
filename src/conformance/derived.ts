import { compareBy } from '../model/order.ts'
import { type CheckDefinition, named } from './check.ts'
import { orderOf } from './operation-input.ts'
import type { NewSpecimen } from './specimens.ts'

const items: readonly NewSpecimen[] = [
  { name: 'b', rank: 2 },
  { name: 'B', rank: 10, note: 'x' },
  { name: 'é', rank: 2, note: '' },
  { name: 'a', note: 'x' },
  { name: 'z', rank: 9, flag: true },
  { name: 'z', flag: false },
]

const sorts = [
  [],
  ['name'],
  ['-name'],
  ['rank'],
  ['-rank'],
  ['note', '-rank'],
  ['-flag', 'name'],
  ['-id'],
]

/** Checks of `first`, `last` and `count`, for adapters that do not leave them to the core. */
export const derivedChecks: readonly CheckDefinition[] = [
  ...(['first', 'last'] as const).flatMap((kind): readonly CheckDefinition[] => [
    {
      name: `${kind} gives the ${kind} of the list`,
      rule: `\`${kind}\` gives the ${kind} item of the sorted list, at ties or missing values too.`,
      needs: ['create', kind],
      async test(tester) {
        const created = await tester.createAll(items)
        for (const sort of sorts) {
          const sorted = created.toSorted(compareBy(orderOf(sort)))
          await tester.expectResult({ kind, sort }, sorted.at(kind === 'first' ? 0 : -1))
        }
      },
    },
    {
      name: `${kind} honours the search`,
      rule: `\`${kind}\` gives the ${kind} of the matching items.`,
      needs: ['create', kind],
      async test(tester) {
        const [one, two] = await tester.createAll(named('b ann', 'c ann'))
        await tester.createAll(named('a bob', 'd bob'))
        await tester.expectResult({ kind, q: 'ann', sort: ['name'] }, kind === 'first' ? one : two)
      },
    },
    {
      name: `${kind} gives null without a match`,
      rule: 'An empty collection and a search without a match have neither first nor last item.',
      needs: ['create', kind],
      async test(tester) {
        await tester.expectNull({ kind, sort: ['-name'] })
        await tester.createAll(named('ann'))
        await tester.expectNull({ kind, q: 'bob' })
      },
    },
  ]),
  {
    name: 'count gives how many there are',
    rule: '`count` gives the length of the list as a number.',
    needs: ['count', 'create'],
    async test(tester) {
      await tester.expectResult({ kind: 'count' }, 0)
      await tester.createAll(items)
      await tester.expectResult({ kind: 'count' }, items.length)
    },
  },
  {
    name: 'count honours the search',
    rule: '`count` counts each matching item once, in all searchable fields.',
    needs: ['count', 'create'],
    async test(tester) {
      await tester.createAll([
        { name: 'ann', note: 'ann' },
        { name: 'bob', note: 'Ann' },
        { name: 'eve' },
      ])
      await tester.expectResult({ kind: 'count', q: 'ann' }, 2)
      await tester.expectResult({ kind: 'count', q: 'ann bob' }, 1)
      await tester.expectResult({ kind: 'count', q: 'zoe' }, 0)
    },
  },
  {
    name: 'count honours search and scope together',
    rule: '`count` counts the matching items of the scope.',
    needs: ['count', 'create'],
    async test(tester) {
      const fields = [{ name: 'ann' }, { name: 'bob', note: 'ann' }, { name: 'eve' }]
      await tester.createAll(fields, { owner_id: 'a' })
      await tester.createAll([...fields, ...fields], { owner_id: 'b' })
      await tester.expectResult({ kind: 'count', q: 'ann', scope: { owner_id: 'a' } }, 2)
    },
  },
  {
    name: 'count follows deletions',
    rule: '`count` leaves out deleted items.',
    needs: ['count', 'create', 'delete'],
    async test(tester) {
      const [one] = await tester.createAll(named('a', 'b'))
      await tester.perform({ kind: 'delete', id: one?.id ?? '' })
      await tester.expectResult({ kind: 'count' }, 1)
    },
  },
]
