import { type Checks, createThree, full, named } from './check.ts'
import { show } from './compare.ts'
import { renaming, replacementInput } from './operation-input.ts'
import type { Specimen } from './specimens.ts'

const absentId = 'the id of no item'

/** Checks of `updateMany` and `deleteAll`. */
export const bulkChecks: Checks = {
  'updateMany gives items in request order': {
    rule: '`updateMany` gives the items as stored, in the order of the request.',
    needs: ['create', 'read', 'updateMany'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      const items = [three, one, two].map((item) =>
        replacementInput(item, { ...full, name: item.name }),
      )
      await tester.expectResult({ kind: 'updateMany', items }, items)
      for (const item of items) await tester.expectStored(item)
    },
  },
  'updateMany replaces whole items': {
    rule: 'A bulk removes fields that a new item lacks.',
    needs: ['create', 'read', 'updateMany'],
    async test(tester) {
      const created = [await tester.create(full), await tester.create({ name: 'bare' })]
      const fields = [{ name: 'now bare' }, full]
      const items = created.map((item, index) => replacementInput(item, fields[index] ?? full))
      await tester.expectResult({ kind: 'updateMany', items }, items)
      await tester.expectStored(...items)
    },
  },
  'updateMany gives unchanged items': {
    rule: '`updateMany` finds items although their values do not change.',
    needs: ['create', 'updateMany'],
    async test(tester) {
      const items = await tester.createAll([full, ...named('a', 'b')])
      await tester.expectResult({ kind: 'updateMany', items }, items)
    },
  },
  'updateMany leaves unlisted items alone': {
    rule: '`updateMany` replaces only the listed items.',
    needs: ['create', 'read', 'updateMany'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.perform(renaming([one, two], 'new'))
      await tester.expectStored(three)
    },
  },
  'updateMany marks absent ids by null': {
    rule: '`updateMany` gives null for each absent id, and only there.',
    needs: ['create', 'updateMany'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      const items = [one, absent(two), two, absent(three, '2'), three]
      await tester.expectNullAt([1, 3], { kind: 'updateMany', items })
    },
  },
  'updateMany writes nothing beside an absent id': {
    rule: 'With one absent id, at any index, `updateMany` writes no item at all.',
    needs: ['create', 'read', 'updateMany'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.perform(renaming([absent(one), one, two], 'new'))
      await tester.perform(renaming([one, absent(two), three], 'new'))
      await tester.perform(renaming([two, three, absent(three)], 'new'))
      await tester.expectStored(one, two, three)
      await tester.expectNull({ kind: 'read', id: absent(one).id })
    },
  },
  'updateMany takes a thousand items': {
    rule: '`updateMany` writes 1,000 whole items, the default limit of a registry.',
    needs: ['create', 'read', 'updateMany'],
    async test(tester) {
      const created = await tester.createAll(
        named(...Array.from({ length: 1000 }, (_, n) => `${n}`)),
      )
      const items = created.map((item) =>
        replacementInput(item, { ...full, name: `new ${item.name}` }),
      )
      const result = await tester.perform({ kind: 'updateMany', items })
      tester.assert(Array.isArray(result) && result.length === 1000, () => ({
        operation: 'updateMany of 1,000 items',
        result: show(result),
        expected: 'the 1,000 items',
      }))
      await tester.expectStored(...items.filter((_, index) => index % 333 === 0))
    },
  },
  'deleteAll gives how many it deleted': {
    rule: '`deleteAll` deletes every item and gives their number, 0 for an empty collection.',
    needs: ['create', 'deleteAll', 'list'],
    async test(tester) {
      await tester.expectResult({ kind: 'deleteAll' }, 0)
      await tester.createAll([full, ...named('a', 'b')])
      await tester.expectResult({ kind: 'deleteAll' }, 3)
      await tester.expectList({}, [])
    },
  },
  'deleteAll refuses to delete too many': {
    rule: 'Above `maxAffected`, even 0, `deleteAll` deletes none and throws `too_many_affected`.',
    needs: ['create', 'deleteAll', 'read'],
    async test(tester) {
      const items = await createThree(tester)
      for (const maxAffected of [2, 1, 0]) {
        await tester.expectProblem({ kind: 'deleteAll', maxAffected }, 'too_many_affected')
      }
      await tester.expectStored(...items)
    },
  },
  'deleteAll deletes as many as allowed': {
    rule: '`deleteAll` deletes up to `maxAffected` items. Items outside the scope do not count.',
    needs: ['create', 'deleteAll'],
    async test(tester) {
      const scope = { owner_id: 'a' }
      await tester.createAll(named('a', 'b'), scope)
      await tester.createAll(named('c', 'd', 'e'), { owner_id: 'b' })
      await tester.expectResult({ kind: 'deleteAll', scope, maxAffected: 2 }, 2)
      await tester.expectResult({ kind: 'deleteAll', scope, maxAffected: 0 }, 0)
    },
  },
}

function absent(item: Specimen, mark = '1'): Specimen {
  return { ...item, id: `${absentId} ${mark}` }
}
