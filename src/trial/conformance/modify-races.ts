import { nextTurn } from '../../convention/awaitable.ts'
import { type Checks, full, named } from './check.ts'
import { isSameJson, show, withoutRevisions } from './compare.ts'
import { modifyingMany, type OperationInput, replacing } from './operation-input.ts'
import type { Specimen } from './specimens.ts'

/** Checks of `modify` and `modifyMany` beside other writes of their items. */
export const modifyRaceChecks: Checks = {
  'concurrent modifies lose no change': {
    rule: 'Two calls at once that change different fields of an item both have their effect.',
    needs: ['create', 'modify', 'read'],
    async test(tester) {
      const { id } = await tester.create(full)
      for (let n = 0; n < 20; n++) {
        const fields = [{ note: `${n}` }, { rank: n }]
        await Promise.all(fields.map((set) => tester.perform(setting(id, set))))
        await tester.expectResult({ kind: 'read', id }, { ...full, id, note: `${n}`, rank: n })
      }
    },
  },
  'a modify beside an update loses neither': {
    rule: 'Of a `modify` and an `update` at once, the later one starts from the item of the other.',
    needs: ['create', 'modify', 'read', 'update'],
    async test(tester) {
      for (let n = 0; n < 20; n++) {
        const item = await tester.create(full)
        const { id } = item
        const writes = [setting(id, { note: 'modified' }), replacing(item, { name: 'updated' })]
        await Promise.all(
          (n % 2 === 0 ? writes : writes.toReversed()).map((input) => tester.perform(input)),
        )
        const read: OperationInput = { kind: 'read', id }
        const result = withoutRevisions(await tester.perform(read))
        const updated = { id, name: 'updated' }
        const expected = [updated, { ...updated, note: 'modified' }]
        tester.assert(
          expected.some((one) => isSameJson(result, one)),
          () => ({
            operation: 'modify beside update',
            result: show(result),
            expected: `one of ${show(expected)}`,
          }),
        )
      }
    },
  },
  'concurrent modifyMany calls lose no change': {
    rule: 'Two calls at once over the same items, in opposite orders, both have their effect.',
    needs: ['create', 'modifyMany', 'read'],
    async test(tester) {
      const items = await tester.createAll(named(...'abcdefgh'))
      for (let n = 0; n < 5; n++) {
        const inputs = [
          modifyingMany(items, { note: `${n}` }),
          modifyingMany(items.toReversed(), { rank: n }),
        ]
        await Promise.all(inputs.map((input) => tester.perform(input)))
        await tester.expectStored(...items.map((item) => ({ ...item, note: `${n}`, rank: n })))
      }
    },
  },
}

// A `modify` that waits before it gives the changed item.
function setting(id: string, fields: Partial<Specimen>): OperationInput {
  return {
    kind: 'patch',
    id,
    async change(stored) {
      await nextTurn()
      return { ...stored, ...fields }
    },
  }
}
