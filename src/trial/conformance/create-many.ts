import { type Checks, full, named, readDuring } from './check.ts'
import { isAbsent, isSameJson, show, specimenIdsOf, withoutRevisions } from './compare.ts'
import { type OperationInput, sortSpecimens } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import type { Tester } from './tester.ts'

// Each item has other fields. A statement for all of them easily mixes them up.
const drafts: readonly NewSpecimen[] = [
  { name: 'bare' },
  full,
  { id: 'chosen', name: 'z', rank: 0, flag: false },
  { name: '', note: '', data: {} },
  { name: 'a', owner_id: 'b' },
  { name: 'bare' },
]

/** Checks of `createMany`. */
export const createManyChecks: Checks = {
  'createMany gives items in request order': {
    rule: '`createMany` gives the whole items as stored, in the order of the request.',
    needs: ['create', 'createMany', 'read'],
    async test(tester) {
      const before = await tester.create(full)
      const made = await createMany(tester, drafts)
      await tester.expectStored(...made, before)
    },
  },
  'createMany stores items in their scope': {
    rule: 'Items that are created in a scope have its fields.',
    needs: ['create', 'createMany', 'list'],
    async test(tester) {
      const scope = { owner_id: 'a' }
      const input: OperationInput = { kind: 'create', drafts: named('a', 'b'), scope }
      const made = [await tester.perform(input)].flat()
      await tester.expectResult({ kind: 'list', scope, sort: ['name'] }, made)
      await tester.expectList({ scope: { owner_id: 'b' } }, [])
    },
  },
  'createMany sets revisions': {
    rule: '`createMany` sets the revision of every item.',
    needs: ['create', 'createMany'],
    async test(tester) {
      const revisions = (await createMany(tester, drafts)).map(({ revision }) => revision)
      tester.assert(!revisions.some(isAbsent), () => ({
        operation: { kind: 'create', drafts },
        result: `the revisions ${show(revisions)}`,
        expected: 'a revision in each item',
      }))
    },
  },
  'createMany creates all items or none': {
    rule: 'If one id is taken, also by an item of the call, `createMany` throws `conflict`.',
    needs: ['create', 'createMany', 'list'],
    async test(tester) {
      const taken = await tester.create({ ...full, id: 'taken' })
      const [one = full, two = full] = named('1', '2')
      const second = { id: 'taken', name: 'second' }
      for (const some of [
        [second, one, two],
        [one, second, two],
        [one, two, second],
        [{ ...one, id: 'twice' }, two, { ...two, id: 'twice' }],
      ]) {
        await tester.expectProblem({ kind: 'create', drafts: some }, 'conflict')
        await tester.expectList({}, [taken])
      }
      await tester.expectResult({ kind: 'list' }, [taken])
    },
  },
  'createMany takes a thousand items': {
    rule: '`createMany` creates 1,000 whole items, the default limit of a registry.',
    needs: ['create', 'createMany', 'list', 'read'],
    async test(tester) {
      const all = Array.from({ length: 1000 }, (_, n) => ({ ...full, name: `${n}` }))
      const made = await createMany(tester, all)
      await tester.expectList({}, sortSpecimens(made))
      await tester.expectStored(...made.filter((_, index) => index % 333 === 0))
    },
  },
  'concurrent createMany calls give distinct ids': {
    rule: 'Several calls at once create all their items.',
    needs: ['create', 'createMany', 'list'],
    async test(tester) {
      const calls = Array.from({ length: 10 }, (_, n) => named(`${n}`, `${n}`, `${n}`))
      const made = await Promise.all(calls.map((some) => createMany(tester, some)))
      const ids = new Set(specimenIdsOf(made.flat()))
      const stored = await tester.list({})
      tester.assert(ids.size === 30 && stored.length === 30, () => ({
        operation: '10 calls of createMany at once, each with 3 items',
        result: `${ids.size} ids, and ${stored.length} stored items`,
        expected: '30 of each',
      }))
    },
  },
  'readers see createMany whole or not': {
    rule: 'A list during `createMany` has all of its items or none.',
    needs: ['create', 'createMany', 'list'],
    async test(tester) {
      const written = tester.perform({ kind: 'create', drafts: named(...'abcdefgh') })
      const lengths: number[] = []
      await readDuring(written, async () => lengths.push((await tester.list({})).length))
      tester.assert(
        lengths.every((length) => length === 0 || length === 8),
        () => ({
          operation: 'lists while createMany creates 8 items',
          result: `the lengths ${lengths}`,
          expected: 'each of them 0 or 8',
        }),
      )
    },
  },
}

// Expects each item whole, in order, with an id of its own.
async function createMany(
  tester: Tester,
  some: readonly NewSpecimen[],
): Promise<readonly Specimen[]> {
  const input: OperationInput = { kind: 'create', drafts: some }
  const result = await tester.perform(input)
  const items = [result].flat().map((item) => tester.itemFrom(item, input))
  const expected = some.map((draft, place) => ({ ...draft, id: draft.id ?? items[place]?.id }))
  const ids = new Set(specimenIdsOf(items))
  const isRight = isSameJson(withoutRevisions(result), expected) && ids.size === some.length
  tester.assert(isRight && !ids.has(''), () => ({
    operation: input,
    result: show(result),
    expected: `${show(some)}, each with an id of its own`,
  }))
  return items
}
