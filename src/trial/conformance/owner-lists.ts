import type { Scope } from '../../contract/resource/operation.ts'
import { type CheckDefinition, type Checks, checksOf } from './check.ts'
import { sortSpecimens } from './operation-input.ts'
import { needsOf, scopedMethods } from './scope.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'
import { createAround, features, specimensOf, stays } from './stays.ts'

const scope: Scope = { owner_id: ['a', 'b'] }
const owners = [{ owner_id: 'c' }, { owner_id: 'a' }, {}, { owner_id: 'b' }, { owner_id: 'A' }]

// Owners of its own for each round, since a write changes the items of a round.
const rounds: readonly ((name: (owner: string) => string) => Scope)[] = [
  (name) => ({ owner_id: [name('a'), name('b')] }),
  (name) => ({ owner_id: [name('b'), name('none'), name('a')], note: 'x' }),
  (name) => ({ owner_id: [name('a'), name('b')], note: ['z', 'x'] }),
  (name) => ({ owner_id: [name('c')] }),
  () => ({ owner_id: [] }),
  (name) => ({ owner_id: name('a'), note: [] }),
]

function fieldsOf(name: (owner: string) => string): readonly NewSpecimen[] {
  const own = ['c', 'a', 'b', 'a', 'A'].map((owner) => ({ owner_id: name(owner), note: 'x' }))
  const all = [...own, { owner_id: name('b'), note: 'y' }, { note: 'x' }]
  return all.map((fields, index) => ({ ...fields, name: `${index}` }))
}

/** Checks of scopes with several owners. A gap may name their group. */
export const ownerListChecks: Checks = inGroup({
  ...checksOf(scopedMethods, (kind) => [
    `${kind} stays inside a list of owners`,
    {
      rule: 'A list in a scope means any of its values. An empty list holds no item.',
      needs: needsOf(kind),
      async test(tester) {
        for (const [round, scopeOf] of rounds.entries()) {
          const name = (owner: string): string => `${owner}${round}`
          await stays[kind](tester, await createAround(tester, scopeOf(name), fieldsOf(name)))
        }
      },
    },
  ]),
  ...checksOf(Object.entries(features), ([feature, ensure]) => [
    `${feature} stay inside a list of owners`,
    {
      rule: 'A list has the items of all owners in the scope in one order, also after a cursor.',
      async test(tester) {
        const { mine, others } = await createAround(tester, scope, specimensOf(owners))
        await ensure(tester, { scope, mine, others })
        const none = { scope: { owner_id: [] }, mine: [], others: [...mine, ...others] }
        await ensure(tester, none)
      },
    },
  ]),
  ...checksOf(['create', 'createMany'] as const, (method) => [
    `${method} takes one of several owners`,
    {
      rule: 'A new item names one of the owners itself. The adapter stores this one only.',
      needs: [...new Set([method, 'create', 'list'] as const)],
      async test(tester) {
        const item = { name: 'a', owner_id: 'b' }
        const isMany = method === 'createMany'
        const one = { kind: 'create', scope, ...(isMany ? { drafts: [item] } : { item }) } as const
        await tester.perform(one)
        const stored = await tester.list({ scope: { owner_id: 'b' } })
        tester.assert(stored.length === 1, () => ({
          operation: one,
          result: `${stored.length} items of the owner "b"`,
          expected: 'one item of the owner "b"',
        }))
        await tester.expectList({ scope: { owner_id: 'a' } }, [])
        await tester.expectList({ scope }, stored)
      },
    },
  ]),
  'compares a list of owners exactly': {
    rule: 'A list does not hold owners with similar ids (case, accents, spaces, numbers).',
    async test(tester) {
      const names = '|a|A|a |á|1|01|1abc|1.0|é|e\u0301|😀|😁|%'.split('|')
      const items: Specimen[] = []
      for (const owner_id of names) items.push(await tester.create({ name: owner_id, owner_id }))
      for (const [index, item] of items.entries()) {
        const next = items[(index + 5) % items.length] ?? item
        const owner_id = [item, next].map(({ name }) => name)
        await tester.expectList({ scope: { owner_id } }, sortSpecimens([item, next]))
      }
    },
  },
})

function inGroup(checks: Checks): Checks {
  const grouped = (definition: CheckDefinition) => ({ ...definition, group: 'lists of owners' })
  return Object.fromEntries(Object.entries(checks).map(([name, one]) => [name, grouped(one)]))
}
