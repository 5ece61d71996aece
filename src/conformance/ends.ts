import { compareBy } from '../model/order.ts'
import { type Demand, named } from './demand.ts'
import { orderOf } from './question.ts'
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

/** What the ends and the length of a list are, for adapters that do not leave them to the core. */
export const endDemands: readonly Demand[] = [
  ...(['first', 'last'] as const).flatMap((kind): readonly Demand[] => [
    {
      name: `${kind} gives the ${kind} of the list`,
      rule: `The answer to \`${kind}\` is the ${kind} item of the list in the same order, at ties and missing values too.`,
      needs: ['create', kind],
      async test(lab) {
        const created = await lab.createAll(items)
        for (const sort of sorts) {
          const sorted = created.toSorted(compareBy(orderOf(sort)))
          await lab.gives({ kind, sort }, sorted.at(kind === 'first' ? 0 : -1))
        }
      },
    },
    {
      name: `${kind} honours the search`,
      rule: `The answer to \`${kind}\` is the ${kind} of the items that match.`,
      needs: ['create', kind],
      async test(lab) {
        const [one, two] = await lab.createAll(named('b ann', 'c ann'))
        await lab.createAll(named('a bob', 'd bob'))
        await lab.gives({ kind, q: 'ann', sort: ['name'] }, kind === 'first' ? one : two)
      },
    },
    {
      name: `${kind} gives null where none is`,
      rule: 'Of an empty collection, or of a search that finds nothing, there is neither first nor last.',
      needs: ['create', kind],
      async test(lab) {
        await lab.givesNone({ kind, sort: ['-name'] })
        await lab.createAll(named('ann'))
        await lab.givesNone({ kind, q: 'bob' })
      },
    },
  ]),
  {
    name: 'count gives how many there are',
    rule: 'The answer to `count` is a number, the length of the list.',
    needs: ['count', 'create'],
    async test(lab) {
      await lab.gives({ kind: 'count' }, 0)
      await lab.createAll(items)
      await lab.gives({ kind: 'count' }, items.length)
    },
  },
  {
    name: 'count honours the search',
    rule: 'Only items that match count, once each, in whichever fields the words are.',
    needs: ['count', 'create'],
    async test(lab) {
      await lab.createAll([
        { name: 'ann', note: 'ann' },
        { name: 'bob', note: 'Ann' },
        { name: 'eve' },
      ])
      await lab.gives({ kind: 'count', q: 'ann' }, 2)
      await lab.gives({ kind: 'count', q: 'ann bob' }, 1)
      await lab.gives({ kind: 'count', q: 'zoe' }, 0)
    },
  },
  {
    name: 'count honours search and scope together',
    rule: 'Items count that match and lie in the scope.',
    needs: ['count', 'create'],
    async test(lab) {
      const fields = [{ name: 'ann' }, { name: 'bob', note: 'ann' }, { name: 'eve' }]
      await lab.createAll(fields, { owner_id: 'a' })
      await lab.createAll([...fields, ...fields], { owner_id: 'b' })
      await lab.gives({ kind: 'count', q: 'ann', scope: { owner_id: 'a' } }, 2)
    },
  },
  {
    name: 'count follows deletions',
    rule: 'What is deleted counts no more.',
    needs: ['count', 'create', 'delete'],
    async test(lab) {
      const [one] = await lab.createAll(named('a', 'b'))
      await lab.ask({ kind: 'delete', id: one?.id ?? '' })
      await lab.gives({ kind: 'count' }, 1)
    },
  },
]
