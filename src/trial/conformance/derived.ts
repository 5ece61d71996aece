import { type Checks, named } from './check.ts'
import { sortSpecimens } from './operation-input.ts'
import type { NewSpecimen } from './specimens.ts'

const items: readonly NewSpecimen[] = [
  { name: 'b', rank: 2 },
  { name: 'B', rank: 10, note: 'x' },
  { name: 'é', rank: 2, note: '' },
  { name: 'a', note: 'x' },
  { name: 'z', rank: 9, flag: true },
  { name: 'z', flag: false },
]

const sorts = ['', 'name', '-name', 'rank', '-rank', 'note,-rank', '-flag,name', '-id'].map(
  (text) => text.split(',').filter(Boolean),
)

/** Checks of `first`, `last` and `count`, for adapters that do not leave them to the core. */
export const derivedChecks: Checks = {
  ...endChecks('first', 0),
  ...endChecks('last', -1),
  'count gives how many there are': {
    rule: '`count` gives the length of the list as a number.',
    needs: ['count', 'create'],
    async test(tester) {
      await tester.expectResult({ kind: 'count' }, 0)
      await tester.createAll(items)
      await tester.expectResult({ kind: 'count' }, items.length)
    },
  },
  'count honours the search': {
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
  'count honours search and scope together': {
    rule: '`count` counts the matching items of the scope.',
    needs: ['count', 'create'],
    async test(tester) {
      const fields = [{ name: 'ann' }, { name: 'bob', note: 'ann' }, { name: 'eve' }]
      await tester.createAll(fields, { owner_id: 'a' })
      await tester.createAll([...fields, ...fields], { owner_id: 'b' })
      await tester.expectResult({ kind: 'count', q: 'ann', scope: { owner_id: 'a' } }, 2)
    },
  },
  'count follows deletions': {
    rule: '`count` leaves out deleted items.',
    needs: ['count', 'create', 'delete'],
    async test(tester) {
      const [one] = await tester.createAll(named('a', 'b'))
      await tester.perform({ kind: 'delete', id: one?.id ?? '' })
      await tester.expectResult({ kind: 'count' }, 1)
    },
  },
}

function endChecks(kind: 'first' | 'last', index: 0 | -1): Checks {
  const needs = ['create', kind] as const
  return {
    [`${kind} gives the ${kind} of the list`]: {
      rule: `\`${kind}\` gives the ${kind} item of the sorted list, at ties or missing values too.`,
      needs,
      async test(tester) {
        const created = await tester.createAll(items)
        for (const sort of sorts) {
          await tester.expectResult({ kind, sort }, sortSpecimens(created, sort).at(index))
        }
      },
    },
    [`${kind} honours the search`]: {
      rule: `\`${kind}\` gives the ${kind} of the matching items.`,
      needs,
      async test(tester) {
        const matching = await tester.createAll(named('b ann', 'c ann'))
        await tester.createAll(named('a bob', 'd bob'))
        await tester.expectResult({ kind, q: 'ann', sort: ['name'] }, matching.at(index))
      },
    },
    [`${kind} gives null without a match`]: {
      rule: 'An empty collection and a search without a match have neither first nor last item.',
      needs,
      async test(tester) {
        await tester.expectNull({ kind, sort: ['-name'] })
        await tester.createAll(named('ann'))
        await tester.expectNull({ kind, q: 'bob' })
      },
    },
  }
}
