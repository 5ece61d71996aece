import { type AdapterMethod, adapterMethods } from '../model/adapter-methods.ts'
import { type Checks, checksOf, named } from './check.ts'
import { expectGiven } from './modify.ts'
import { conditionOn, replacementInput, replacing, sortSpecimens } from './operation-input.ts'
import type { Specimen } from './specimens.ts'
import type { Tester } from './tester.ts'

const scope = { owner_id: 'a' }

interface Owned {
  readonly mine: Specimen
  readonly theirs: Specimen
  readonly nobodys: Specimen
}

type Creating = 'create' | 'createMany'

type Stays = (tester: Tester, owned: Owned) => Promise<void>

// An operation finds, changes, deletes and counts nothing outside its scope.
const stays: { readonly [Method in Exclude<AdapterMethod, Creating>]: Stays } = {
  async list(tester, { mine }) {
    await tester.expectList({ scope }, [mine])
    await tester.expectList({ scope, sort: ['-name'] }, [mine])
    await tester.expectList({ scope: { owner_id: 'c' } }, [])
  },
  async count(tester) {
    await tester.expectResult({ kind: 'count', scope }, 1)
    await tester.expectResult({ kind: 'count', scope: { owner_id: 'c' } }, 0)
  },
  first: (tester, { mine }) => tester.expectResult({ kind: 'first', scope, sort: ['name'] }, mine),
  last: (tester, { mine }) => tester.expectResult({ kind: 'last', scope, sort: ['name'] }, mine),
  async read(tester, { mine, theirs, nobodys }) {
    await tester.expectResult({ kind: 'read', scope, id: mine.id }, mine)
    await tester.expectNull({ kind: 'read', scope, id: theirs.id })
    await tester.expectNull({ kind: 'read', scope, id: nobodys.id })
  },
  async update(tester, { theirs, nobodys }) {
    await tester.expectNull({ ...replacing(theirs, { name: 'taken' }), scope })
    await tester.expectNull({ ...replacing(nobodys, { name: 'taken' }), scope })
    await tester.expectStored(theirs, nobodys)
  },
  async delete(tester, { theirs, nobodys }) {
    await tester.expectNull({ kind: 'delete', scope, id: theirs.id })
    await tester.expectNull({ kind: 'delete', scope, id: nobodys.id })
    await tester.expectStored(theirs, nobodys)
  },
  async updateMany(tester, { mine, theirs, nobodys }) {
    const items = [theirs, nobodys].map((item) => replacementInput(item, { name: 'taken' }))
    await tester.expectNullAt([0, 1], { kind: 'updateMany', scope, items })
    await tester.expectNullAt([0, 1], { kind: 'updateMany', scope, items: [...items, mine] })
    await tester.expectStored(mine, theirs, nobodys)
  },
  async modify(tester, { theirs, nobodys }) {
    const change = (stored: Specimen) => ({ ...stored, name: 'taken' })
    await tester.expectNull({ kind: 'patch', scope, id: theirs.id, change })
    await tester.expectNull({ kind: 'patch', scope, id: nobodys.id, change })
    await tester.expectStored(theirs, nobodys)
  },
  async modifyMany(tester, { mine, theirs, nobodys }) {
    const ids = [mine, theirs, nobodys].map(({ id }) => id)
    await expectGiven(tester, { ids, scope }, [mine, undefined, undefined])
    await tester.expectStored(mine, theirs, nobodys)
  },
  async deleteAll(tester, { mine, theirs, nobodys }) {
    await tester.expectResult({ kind: 'deleteAll', scope }, 1)
    await tester.expectNull({ kind: 'read', id: mine.id })
    await tester.expectStored(theirs, nobodys)
  },
}

const methods = adapterMethods.filter(
  (method): method is Exclude<AdapterMethod, Creating> =>
    method !== 'create' && method !== 'createMany',
)
const writes: readonly AdapterMethod[] = [
  'update',
  'modify',
  'delete',
  'updateMany',
  'modifyMany',
  'deleteAll',
]

/** Checks that every method stays inside its scope. */
export const scopeChecks: Checks = {
  ...checksOf(methods, (kind) => [
    `${kind} stays inside its scope`,
    {
      rule: 'An operation in a scope does not see items of another owner or of none.',
      // After a write, the check reads the items outside the scope.
      needs: ['create', kind, ...(writes.includes(kind) ? ['read' as const] : [])],
      async test(tester) {
        const theirs = await tester.create({ name: 'a' }, { owner_id: 'b' })
        const mine = await tester.create({ name: 'b' }, scope)
        const nobodys = await tester.create({ name: 'c' })
        await tester.create({ name: 'd' }, { owner_id: 'b' })
        await stays[kind](tester, { mine, theirs, nobodys })
      },
    },
  ]),
  ...checksOf(['read', 'list'] as const, (kind) => [
    `${kind} without a scope finds every owner`,
    {
      rule: 'Without a scope, each id finds its item, of any owner or none: references name any.',
      needs: ['create', kind],
      async test(tester) {
        const items = [
          await tester.create({ name: 'a' }, { owner_id: 'b' }),
          await tester.create({ name: 'b' }, scope),
          await tester.create({ name: 'c' }),
        ]
        if (kind === 'read') return await tester.expectStored(...items)
        const ids = items.map(({ id }) => id)
        for (const values of [ids, [...ids, 'none']]) {
          const where = [conditionOn('id', 'in', values)]
          await tester.expectList({ where, limit: values.length }, sortSpecimens(items))
        }
      },
    },
  ]),
  'compares owners exactly': {
    rule: 'Owners with similar ids (case, accents, spaces, numbers) are different owners.',
    async test(tester) {
      const owners = '|a|A|a |á|1|01|1abc|1.0|é|e\u0301|😀|😁|%'.split('|')
      const items = new Map<string, Specimen>()
      for (const owner_id of owners)
        items.set(owner_id, await tester.create({ name: owner_id }, { owner_id }))
      for (const [owner_id, item] of items) await tester.expectList({ scope: { owner_id } }, [item])
    },
  },
  'honours every field of a scope': {
    rule: 'An item is in a scope if it equals the scope in every field, for any number of parents.',
    needs: ['create', 'list', 'read'],
    async test(tester) {
      const both = { owner_id: 'a', note: 'x' }
      const mine = await tester.create({ name: 'both' }, both)
      const others = [
        await tester.create({ name: 'owner only' }, { owner_id: 'a', note: 'y' }),
        await tester.create({ name: 'note only' }, { owner_id: 'b', note: 'x' }),
      ]
      await tester.expectList({ scope: both }, [mine])
      for (const { id } of others) await tester.expectNull({ kind: 'read', scope: both, id })
    },
  },
  'searches stay inside their scope': {
    rule: 'A search finds items of its scope only, in all searchable fields.',
    async test(tester) {
      const mine = await tester.createAll([{ name: 'ann' }, { name: 'bob', note: 'ann' }], scope)
      await tester.createAll([{ name: 'ann' }, { name: 'bob', note: 'ann' }], { owner_id: 'b' })
      await tester.createAll(named('ann'))
      await tester.expectList({ scope, q: 'ann', sort: ['name'] }, mine)
    },
  },
  'pages stay inside their scope': {
    rule: 'A page after a cursor has items of its scope only, at ties and missing values too.',
    async test(tester) {
      const fields = [
        { name: 'a', rank: 1 },
        { name: 'b', rank: 1 },
        { name: 'c', rank: 2 },
        { name: 'd' },
      ]
      const [first, ...others] = await tester.createAll(fields, scope)
      await tester.createAll(fields, { owner_id: 'b' })
      await tester.expectList({ scope, sort: ['rank', 'name'], after: first }, others)
    },
  },
}
