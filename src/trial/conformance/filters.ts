import { type Checks, checksOf, full, named } from './check.ts'
import { filterRows } from './filter-rows.ts'
import { conditionOn, sortSpecimens } from './operation-input.ts'
import { ensurePages } from './pages.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'

const items: readonly NewSpecimen[] = [
  { name: 'ann', note: 'x', rank: 1, flag: true },
  { name: 'Ann', note: 'x', rank: 2 },
  { name: 'bob', note: 'y', rank: 2, flag: false },
  { name: 'eve', rank: 3, flag: true },
  { name: 'ann lee', note: 'x', flag: true },
  { name: 'joanna', note: '', rank: 2 },
  { name: 'zoe' },
]
const scope = { owner_id: 'a' }
const others = { owner_id: 'b' }
const inX = conditionOn('note', 'in', ['x'])
const isTwo = conditionOn('rank', 'in', [2])
const isNotTrue = conditionOn('flag', 'notIn', [true])

/** Checks of filters. */
export const filterChecks: Checks = {
  ...checksOf(Object.entries(filterRows), ([name, { rule, items: fields, finds }]) => [
    name,
    {
      rule,
      async test(tester) {
        const created = await tester.createAll(fields)
        for (const [where, names] of finds)
          await tester.expectList({ where }, itemsNamed(created, names))
      },
    },
  ]),
  'conditions hold together': {
    rule: 'An item matches if every condition holds, also several on one field.',
    async test(tester) {
      const created = await tester.createAll(items)
      const expect = async (where: readonly ReturnType<typeof conditionOn>[], ...names: string[]) =>
        tester.expectList({ where }, itemsNamed(created, names))
      await expect([inX, isTwo], 'Ann')
      await expect([isTwo, isNotTrue], 'Ann', 'bob', 'joanna')
      await expect([conditionOn('rank', 'gte', [2]), conditionOn('rank', 'lt', [3]), inX], 'Ann')
      await expect([conditionOn('note', 'present'), conditionOn('rank', 'missing')], 'ann lee')
      await expect(
        [conditionOn('note', 'in', ['x', 'y']), conditionOn('note', 'notIn', ['x'])],
        'bob',
      )
      await expect(
        [conditionOn('name', 'contains', ['ann']), conditionOn('name', 'endsWith', ['N'])],
        ...['ann', 'Ann'],
      )
      await expect([inX, conditionOn('note', 'in', ['y'])])
    },
  },
  'filters and search hold together': {
    rule: 'An item matches if it meets every condition and has every word of the search.',
    async test(tester) {
      const created = await tester.createAll(items)
      await tester.expectList(
        { q: 'ann', where: [inX] },
        itemsNamed(created, ['ann', 'Ann', 'ann lee']),
      )
      await tester.expectList({ q: 'ann', where: [isTwo] }, itemsNamed(created, ['Ann', 'joanna']))
      await tester.expectList({ q: 'x lee', where: [isTwo] }, [])
    },
  },
  'filters stay inside their scope': {
    rule: 'A filter finds items of its scope only, by id and by owner too.',
    async test(tester) {
      const mine = await tester.createAll(named('ann', 'bob'), scope)
      const theirs = await tester.createAll(named('ann', 'bob'), others)
      const [ann] = mine
      const expected = ann === undefined ? [] : [ann]
      const all = [...mine, ...theirs].map(({ id }) => id)
      await tester.expectList({ scope, where: [conditionOn('name', 'in', ['ann'])] }, expected)
      await tester.expectList({ scope, where: [conditionOn('id', 'in', all)] }, sortSpecimens(mine))
      await tester.expectList({ scope, where: [conditionOn('owner_id', 'in', ['b'])] }, [])
      const notTheirs = [conditionOn('owner_id', 'notIn', ['b'])]
      await tester.expectList({ scope, where: notTheirs, q: 'ann' }, expected)
    },
  },
  'filters keep order and limit': {
    rule: 'A filtered list has the order and the limit of any list.',
    async test(tester) {
      const created = await tester.createAll(items)
      const matching = created.filter(({ rank }) => rank === 2)
      for (const sort of [['-name'], ['note', 'name'], []]) {
        const expected = sortSpecimens(matching, sort)
        for (const limit of [1, 2, 3, undefined])
          await tester.expectList({ where: [isTwo], sort, limit }, expected.slice(0, limit))
      }
    },
  },
  'pages of a filter are the filter': {
    rule: 'A page after a cursor has only items that meet the filters.',
    async test(tester) {
      const created = await tester.createAll([...items, ...items])
      const where = [conditionOn('rank', 'gte', [2]), isNotTrue]
      const matching = created.filter(({ rank = 0, flag }) => rank >= 2 && flag !== true)
      for (const sort of [['name'], ['-note', 'rank'], ['-flag'], []])
        await ensurePages(tester, { kind: 'list', where, sort }, matching)
    },
  },
  'filters find many by id': {
    rule: 'A filter by ids finds each item once and passes over ids of no item.',
    async test(tester) {
      const ids = 'a|A|á|a\u0301|1|01|1.0|%|_|😀|😁'.split('|')
      const created = await tester.createAll(ids.map((id) => ({ id, name: id })))
      const expectIds = async (where: readonly ReturnType<typeof conditionOn>[], found: string[]) =>
        tester.expectList({ where }, sortSpecimens(itemsNamed(created, found)))
      for (const id of ids) await expectIds([conditionOn('id', 'in', [id])], [id])
      await expectIds([conditionOn('id', 'in', ['a', '01', '😁', 'none', 'A '])], ['a', '01', '😁'])
      await expectIds([conditionOn('id', 'notIn', ids.slice(1))], ['a'])
      await expectIds([conditionOn('id', 'in', ids), conditionOn('id', 'gt', ['á'])], ['😀', '😁'])
    },
  },
  'a filter without values finds nothing': {
    rule: '`in` with no values finds nothing, whatever else the list asks.',
    async test(tester) {
      await tester.create(full)
      for (const field of ['id', 'name', 'note', 'rank', 'flag', 'owner_id']) {
        const none = conditionOn(field, 'in', [])
        await tester.expectList({ where: [none] }, [])
        await tester.expectList({ where: [conditionOn('name', 'present'), none], q: 'ada' }, [])
      }
    },
  },
  'filters take a thousand values': {
    rule: 'A filter takes 1,000 values: the core reads the items of many ids at once.',
    async test(tester) {
      const [one, two] = await tester.createAll([
        { name: 'v1', note: 'x', rank: 1 },
        { name: 'v999', rank: 999 },
        { name: 'other', note: 'v1', rank: -1 },
      ])
      if (one === undefined || two === undefined) return
      const numbers = Array.from({ length: 998 }, (_, index) => index + 2)
      const texts = numbers.map((number) => `v${number}`)
      const inIds = conditionOn('id', 'in', [...texts, one.id, two.id])
      const inNames = conditionOn('name', 'in', [...texts, 'v0', 'v1'])
      const notInRanks = conditionOn('rank', 'notIn', [...numbers, 0, -2])
      const sort = ['name']
      await tester.expectList({ where: [inIds], sort }, [one, two])
      await tester.expectList({ where: [inNames], sort }, [one, two])
      await tester.expectList({ where: [inNames, notInRanks], sort }, [one])
    },
  },
  'filters follow writes': {
    rule: 'A filter finds an item by its values of now, not by those before a write.',
    needs: ['create', 'delete', 'list', 'update'],
    async test(tester) {
      const expectName = async (name: string, ...found: Specimen[]) =>
        tester.expectList({ where: [conditionOn('name', 'in', [name])] }, found)
      await expectName('new')
      const item = await tester.create({ name: 'old' })
      await expectName('old', item)
      const changed = await tester.update(item, { name: 'new' })
      await expectName('old')
      await expectName('new', changed)
      await tester.perform({ kind: 'delete', id: item.id })
      await expectName('new')
    },
  },
  'count honours filters': {
    rule: '`count` counts the items that meet every filter and the search, in the scope.',
    needs: ['count', 'create'],
    async test(tester) {
      await tester.createAll(items, scope)
      await tester.createAll(items)
      await tester.expectResult({ kind: 'count', where: [isTwo] }, 6)
      await tester.expectResult({ kind: 'count', where: [isTwo, isNotTrue], scope }, 3)
      await tester.expectResult({ kind: 'count', where: [isTwo], q: 'ann', scope }, 2)
      await tester.expectResult({ kind: 'count', where: [conditionOn('id', 'in', [])] }, 0)
    },
  },
  ...endChecks('first', 0),
  ...endChecks('last', -1),
}

function endChecks(kind: 'first' | 'last', index: 0 | -1): Checks {
  return {
    [`${kind} honours filters`]: {
      rule: `\`${kind}\` gives the ${kind} of the items that meet every filter, else null.`,
      needs: ['create', kind],
      async test(tester) {
        const created = await tester.createAll(items, scope)
        await tester.createAll(items)
        const matching = created.filter(({ rank }) => rank === 2)
        for (const sort of [['name'], ['-note']]) {
          const expected = sortSpecimens(matching, sort).at(index)
          await tester.expectResult({ kind, where: [isTwo], sort, scope }, expected)
        }
        await tester.expectNull({ kind, where: [isTwo, conditionOn('rank', 'gt', [2])] })
      },
    },
  }
}

/** Returns the items with these names, in the order of their ids. */
function itemsNamed(created: readonly Specimen[], names: readonly string[]): readonly Specimen[] {
  return sortSpecimens(created.filter(({ name }) => names.includes(name)))
}
