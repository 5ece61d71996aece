import type { Scope } from '../../contract/resource/operation.ts'
import { type AdapterMethod, adapterMethods } from '../../convention/adapter-methods.ts'
import { type Checks, checksOf, named } from './check.ts'
import { conditionOn, sortSpecimens } from './operation-input.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import { createAround, features, specimensOf, stays } from './stays.ts'
import type { Tester } from './tester.ts'

const scope = { owner_id: 'a' }

// An owner and a note.
const both = { owner_id: 'a', note: 'x' }
const otherwise = [{ owner_id: 'a', note: 'y' }, { owner_id: 'b', note: 'x' }, { note: 'x' }, {}]

/** The methods whose operations find items. */
export const scopedMethods = adapterMethods.filter(
  (method) => method !== 'create' && method !== 'createMany',
)

const writes: readonly AdapterMethod[] = [
  'update',
  'modify',
  'delete',
  'updateMany',
  'modifyMany',
  'deleteAll',
]

/** Returns the methods of a check of one method. After a write, it reads the other items. */
export function needsOf(kind: AdapterMethod): readonly AdapterMethod[] {
  return ['create', kind, ...(writes.includes(kind) ? ['read' as const] : [])]
}

interface Scoped {
  readonly scope: Scope
  readonly owners: readonly Partial<NewSpecimen>[]
}

async function ensureStays(
  tester: Tester,
  kind: keyof typeof stays,
  { scope, owners }: Scoped,
): Promise<void> {
  const fields = owners.map((owner, index) => ({ ...owner, name: `${index}` }))
  const { mine, others } = await createAround(tester, scope, fields)
  const none = { ...scope, owner_id: 'c' }
  await stays[kind](tester, { scope: none, mine: [], others: [...mine, ...others] })
  await stays[kind](tester, { scope, mine, others })
}

/** Checks that every method stays inside its scope. */
export const scopeChecks: Checks = {
  ...checksOf(scopedMethods, (kind) => [
    `${kind} stays inside its scope`,
    {
      rule: 'An operation in a scope does not see items of another owner or of none.',
      needs: needsOf(kind),
      async test(tester) {
        const owners = [{ owner_id: 'b' }, scope, {}, { owner_id: 'b' }]
        await ensureStays(tester, kind, { scope, owners })
      },
    },
  ]),
  ...checksOf(scopedMethods, (kind) => [
    `${kind} stays inside a scope of two fields`,
    {
      rule: 'An operation in a scope does not see items that differ from it in one field.',
      needs: needsOf(kind),
      async test(tester) {
        const owners = [...otherwise, both, both, ...otherwise]
        await ensureStays(tester, kind, { scope: both, owners })
      },
    },
  ]),
  ...checksOf(Object.entries(features), ([feature, ensure]) => [
    `${feature} stay inside a scope of two fields`,
    {
      rule: 'A list has items that equal the scope in both fields, also after a cursor.',
      async test(tester) {
        const fields = specimensOf([both, ...otherwise])
        await ensure(tester, await createAround(tester, both, fields))
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
