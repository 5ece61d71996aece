import { type Checks, calls } from '../check.ts'
import { isSameJson, show } from '../compare.ts'
import { conditionOn, type ListInput, type OperationInput } from '../operation.ts'
import type { NewSpecimen } from '../specimens.ts'
import type { Tester } from '../tester.ts'

const items: readonly NewSpecimen[] = [
  { name: 'Ann', note: 'x', rank: 1, owner_id: 'a' },
  { name: 'Ann', note: 'y', rank: 2, owner_id: 'b' },
  { name: 'ann', note: 'x', rank: 3, owner_id: 'a' },
  { name: 'Bob', rank: 1, owner_id: 'b' },
  { name: 'Bob', note: '', rank: 2 },
]

const ann = [conditionOn('name', 'in', ['Ann'])]
const low = [conditionOn('rank', 'lt', [2])]
const scope = { owner_id: 'a' }

/** What an operation selects, and what the selection that it joins does. */
type Row = readonly [outer: ListInput, inner: ListInput]

const rows: readonly Row[] = [
  [{}, {}],
  [{}, { where: ann }],
  [{ where: low }, { where: ann }],
  [{ where: ann }, { where: [conditionOn('note', 'missing')] }],
  [{ where: low }, { where: [...ann, conditionOn('note', 'in', ['x', 'y'])] }],
  [{}, { where: [...ann, conditionOn('note', 'in', ['y'])] }],
  [{}, { scope }],
  [{ scope }, { where: ann }],
  [{ scope }, { scope: { owner_id: 'b' } }],
  [{ scope: { owner_id: ['a', 'b'] } }, { where: low, scope: { owner_id: ['b', 'c'] } }],
  [{ q: 'ann', sort: ['-rank'] }, { where: [conditionOn('rank', 'notIn', [1])] }],
  [{ sort: ['-name'], limit: 1 }, { where: [conditionOn('name', 'contains', ['n'])] }],
  [{}, { where: [conditionOn('name', 'in', [])] }],
]

const kinds = ['list', 'first', 'last', 'count'] as const

// By the filters alone, an item of both selections is one of the joined ones.
async function expectAlike(tester: Tester, [outer, inner]: Row): Promise<void> {
  const related = await tester.joinWith(inner)
  const where = [...(outer.where ?? []), ...(inner.where ?? [])]
  for (const kind of kinds) {
    if (related === undefined || !tester.has(kind)) continue
    const result = await tester.perform({ ...outer, kind, related })
    const selected = await tester.list({ ...inner, limit: undefined })
    const within = [
      ...where,
      conditionOn(
        'id',
        'in',
        selected.map(({ id }) => id),
      ),
    ]
    const expected = await tester.perform({ ...outer, kind, where: within })
    const operation = `${kind} ${show(outer)} of the items of ${show(inner)}`
    tester.assert(isSameJson(result ?? null, expected ?? null), () => ({
      operation,
      result: show(result),
      expected: show(expected),
    }))
  }
}

const rule =
  'An item matches only if the field of each join holds the id of an item of its selection: one ' +
  'in its scope that meets its filters. An adapter that joins none passes.'

/** Checks of joins, which let a client filter by the fields of related items. */
export const joinChecks: Checks = {
  'joins select the items of a selection': {
    rule,
    items,
    test: async (tester) => {
      for (const row of rows) await expectAlike(tester, row)
    },
  },
  'joins follow writes': {
    rule: 'A join selects by the related items as they are now.',
    needs: ['create', 'list', 'delete'],
    items,
    test: async (tester) => {
      const [first] = await tester.list({ where: ann })
      await expectAlike(tester, [{}, { where: ann }])
      if (first) await tester.perform(calls.delete(first))
      await expectAlike(tester, [{}, { where: ann }])
    },
  },
  'deleteMany deletes what a join selects': {
    rule,
    needs: ['create', 'list', 'deleteMany'],
    items,
    test: async (tester) => {
      const related = await tester.joinWith({ where: ann })
      if (related === undefined) return
      const operation: OperationInput = { kind: 'deleteMany', where: low, related, maxAffected: 9 }
      const result = await tester.perform(operation)
      const remaining = await tester.list({})
      tester.assert(result === 1 && remaining.length === items.length - 1, () => ({
        operation: `deleteMany ${show(low)} of the items of ${show(ann)}`,
        result: `${show(result)}, and ${remaining.length} items are left`,
        expected: `1, and ${items.length - 1} items are left`,
      }))
    },
  },
}
