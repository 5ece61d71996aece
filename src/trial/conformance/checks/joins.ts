import { addRelatedValues, positionOf, sorted } from '../../../contract/values/order.ts'
import { fieldOf } from '../../../convention/value.ts'
import { type Checks, calls, checksOf, queryDeletions, queryReads } from '../check.ts'
import { isSameJson, show, specimenIdsOf } from '../compare.ts'
import {
  conditionOn,
  type ListInput,
  type OperationInput,
  ownerFields,
  toOperation,
} from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'
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

// Each item with itself.
function withSame(selection: object): ListInput {
  return { related: [{ as: 'same', where: [], join: { field: 'id', selection } }] }
}

const lists = [['list', calls.list()], ...queryReads] as const

// By the filters alone, an item of both selections is one of the joined ones.
async function expectAlike(tester: Tester, [outer, inner]: Row): Promise<void> {
  const joined = await tester.joinWith(inner, withSame)
  if (joined === undefined) return
  const within = await withoutJoin(tester, [outer, inner])
  for (const [method, input] of lists) {
    if (!tester.has(method)) continue
    const result = await tester.perform({ ...outer, ...joined, ...input })
    const expected = await tester.perform({ ...within, ...input })
    tester.assert(isSameJson(result ?? null, expected ?? null), () => ({
      operation: `${method} ${show(outer)} of the items of ${show(inner)}`,
      result: show(result),
      expected: show(expected),
    }))
  }
}

async function withoutJoin(tester: Tester, [outer, inner]: Row): Promise<ListInput> {
  const selected = await tester.list({ ...inner, limit: undefined })
  const isSelected = conditionOn('id', 'in', specimenIdsOf(selected))
  return { ...outer, where: [...(outer.where ?? []), ...(inner.where ?? []), isSelected] }
}

// Each deletes other items than those before.
const deletedRows: readonly Row[] = [
  [{ where: low }, { where: ann }],
  [{}, { where: [...ann, conditionOn('note', 'in', ['y'])] }],
  [{ q: 'bob' }, { scope: { owner_id: 'b' } }],
]

async function expectDeleted(tester: Tester, row: Row, input: OperationInput): Promise<void> {
  const [outer, inner] = row
  const joined = await tester.joinWith(inner, withSame)
  if (joined === undefined) return
  const before = specimenIdsOf(await tester.list({}))
  const deleted = specimenIdsOf(await tester.list(await withoutJoin(tester, row)))
  const result = await tester.perform({ ...outer, ...joined, ...input })
  const remaining = specimenIdsOf(await tester.list({}))
  const expected = before.filter((id) => !deleted.includes(id))
  tester.assert(result === deleted.length && isSameJson(remaining, expected), () => ({
    operation: `${input.kind} ${show(outer)} of the items of ${show(inner)}`,
    result: `${show(result)}, and ${show(remaining)} are left`,
    expected: `${deleted.length}, and ${show(expected)} are left`,
  }))
}

const owners: readonly NewSpecimen[] = [
  { name: 'b', note: 'x', rank: 10, owner_id: 'a' },
  { name: 'B', rank: 9, flag: true, owner_id: 'b' },
  { name: 'é', note: '', rank: -1, flag: false, owner_id: 'a' },
  { name: 'a', note: 'y', owner_id: 'b' },
  { name: 'a', rank: 2, owner_id: 'a' },
  { name: '😀', note: 'x' },
]

/** An order, the list that it sorts, and the list of the owners that it joins. */
type OrderRow = readonly [sort: string, outer: ListInput, inner: ListInput]

const orderRows: readonly OrderRow[] = [
  ['owner.name', {}, {}],
  ['-owner.name', {}, {}],
  ['owner.rank,-name', {}, {}],
  ['-owner.note,owner.flag', {}, {}],
  ['name,-owner.rank,-id', { q: 'i', where: [conditionOn('rank', 'gte', [0])] }, {}],
  ['owner.name', {}, { scope }],
  ['-owner.name', {}, { scope: { owner_id: 'b' } }],
  ['-owner.rank', {}, { where: [conditionOn('name', 'notIn', ['b'])] }],
  ['owner.note', {}, { where: [conditionOn('name', 'in', [])] }],
]

/** An operation on a whole list, and the items that it has to give. */
type Question = readonly [
  input: ListInput & { readonly kind: 'list' | 'first' | 'last' },
  expected: readonly Specimen[],
]

const ends = (all: readonly Specimen[]): readonly Question[] => [
  [{ kind: 'list' }, all],
  [{ kind: 'first' }, all.slice(0, 1)],
  [{ kind: 'last' }, all.slice(-1)],
]

const pages = (all: readonly Specimen[], { skips }: Tester): readonly Question[] => [
  ...all.map(
    (after, at): Question => [{ kind: 'list', after, limit: 3 }, all.slice(at + 1, at + 4)],
  ),
  ...(skips ? [[{ kind: 'list', offset: 2, limit: 3 }, all.slice(2, 5)] as const] : []),
]

// Items with an owner, without one, and with one that no item has as its id.
async function addOwned(tester: Tester): Promise<void> {
  for (const [rank, { id }] of (await tester.list({})).entries())
    for (const name of ['i', 'j']) await tester.create({ name, rank, owner_id: id })
}

// By the owners that a list without a join gives.
async function expectOrder(
  tester: Tester,
  [text, outer, inner]: OrderRow,
  questionsOn: typeof pages,
): Promise<void> {
  const sort = text.split(',')
  for (const isFilter of [false, true]) {
    const joined = await tester.joinWith({ ...inner, sort: ownerFields }, (selection) => {
      const filter = { as: 'owner', where: [], join: { field: 'owner_id', selection } }
      return { sort, owners: selection, related: isFilter ? [filter] : [] }
    })
    if (joined === undefined) return
    const order = toOperation({ ...joined, kind: 'list' }).query.sort
    const visible = new Map((await tester.list(inner)).map((owner) => [owner.id, owner]))
    const valued = (await tester.list(outer)).flatMap((item) => {
      const owner = visible.get(item.owner_id ?? '')
      const values = ownerFields.map((field) => [`owner.${field}`, fieldOf({ ...owner }, field)])
      if (isFilter && owner === undefined) return []
      return addRelatedValues({ ...item }, Object.fromEntries(values))
    })
    const positionsOf = (all: readonly Specimen[]) => all.map((item) => positionOf(item, order))
    const all = questionsOn(sorted(valued, order), tester)
    for (const [input, expected] of all.filter(([{ kind }]) => tester.has(kind))) {
      const operation = { ...outer, ...joined, ...input }
      const result = [(await tester.perform(operation)) ?? []].flat()
      const given = positionsOf(result.map((item) => tester.itemFrom(item, operation)))
      const wanted = positionsOf(expected)
      tester.assert(isSameJson(given, wanted), () => ({
        operation: `${input.kind} ${show({ ...outer, ...input, sort })} by ${show(inner)}`,
        result: show(given),
        expected: show(wanted),
      }))
    }
  }
}

const rule =
  'An item matches only if the field of each join holds the id of an item of its selection: one ' +
  'in its scope that meets its filters. An adapter that joins none passes.'

const sorts =
  'A list that joins a selection sorts by the values of its items, and each item has them as ' +
  '`Symbol.for("nounful.relatedValues")`.'

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
      await addOwned(tester)
      for (const gone of [undefined, first]) {
        if (gone) await tester.perform(calls.delete(gone))
        await expectAlike(tester, [{}, { where: ann }])
        await expectOrder(tester, ['owner.name', {}, {}], ends)
      }
    },
  },
  ...checksOf(queryDeletions, ([method, input]) => [
    `${method} deletes what a join selects`,
    {
      rule,
      needs: ['create', 'list', method],
      items,
      test: async (tester) => {
        for (const row of deletedRows) await expectDeleted(tester, row, input)
      },
    },
  ]),
  'list sorts by fields of related items': {
    rule: `${sorts} An item outside gives no value.`,
    items: owners,
    test: async (tester) => {
      await addOwned(tester)
      for (const row of orderRows) await expectOrder(tester, row, ends)
    },
  },
  'pages go on in fields of related items': {
    rule: `${sorts} A page goes on after its values: no item twice, none missing.`,
    items: owners,
    test: async (tester) => {
      await addOwned(tester)
      for (const row of orderRows) await expectOrder(tester, row, pages)
    },
  },
}
