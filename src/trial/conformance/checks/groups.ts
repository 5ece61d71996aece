import { type Checks, calls, named, numbered } from '../check.ts'
import { conditionOn } from '../operation.ts'
import type { NewSpecimen } from '../specimens.ts'

const scope = { owner_id: 'a' }

const items: readonly NewSpecimen[] = [
  { name: 'Ann', note: 'x', rank: 1, flag: true, ...scope },
  { name: 'Ann', note: 'x', rank: 2, flag: true, ...scope },
  { name: 'Ann', note: 'y', rank: 1, flag: false },
  { name: 'Bob', rank: 1, flag: true },
  { name: 'Bob', note: '', rank: -1.5 },
]

/** Checks of `countBy`, for adapters that do not leave it to the core. */
export const groupChecks: Checks = {
  'groups have every value once': {
    rule: '`countBy` gives each combination of values once, with the number of its items.',
    needs: ['countBy', 'create'],
    items,
    ask: () =>
      [['name'], ['rank'], ['flag'], ['name', 'flag'], ['flag', 'name']].map((by) => ({
        kind: 'count',
        by,
      })),
  },
  'groups have one of missing values': {
    rule: 'Items without a value are a group of their own, apart from the empty text.',
    needs: ['countBy', 'create'],
    items,
    ask: () => [['note'], ['note', 'flag'], ['owner_id']].map((by) => ({ kind: 'count', by })),
  },
  'groups tell texts apart': {
    rule: 'Texts that differ in case, in accents or in a space at the end make several groups.',
    needs: ['countBy', 'create'],
    items: named('a', 'A', 'á', 'a\u0301', 'a ', 'a', 'ß', 'ss', '😀', '😁'),
    ask: () => [{ kind: 'count', by: ['name'] }],
  },
  'groups honour filters and search': {
    rule: '`countBy` counts the items that meet every filter and the search, in the scope.',
    needs: ['countBy', 'create'],
    items,
    ask: () => [
      { kind: 'count', by: ['name'], where: [conditionOn('rank', 'in', [1])] },
      { kind: 'count', by: ['note'], q: 'ann' },
      { kind: 'count', by: ['name', 'rank'], scope },
      { kind: 'count', by: ['name'], where: [conditionOn('rank', 'in', [7])] },
    ],
  },
  'groups follow writes': {
    rule: '`countBy` counts the items as they are now.',
    needs: ['countBy', 'create', 'delete'],
    items: numbered(3, { note: 'x' }),
    ask: (_, first) => [
      calls.create({ name: 'new', note: 'x' }),
      { kind: 'count', by: ['note'] },
      calls.delete(first),
      { kind: 'count', by: ['note'] },
    ],
  },
}
