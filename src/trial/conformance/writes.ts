import { type Checks, createThree, full } from './check.ts'
import { replacementInput, replacing } from './operation-input.ts'

/** Checks of `update` and `delete`. */
export const writeChecks: Checks = {
  'update gives the item as stored': {
    rule: '`update` gives the whole item as stored.',
    needs: ['create', 'read', 'update'],
    async test(tester) {
      const item = await tester.create({ name: 'before', note: 'gone', rank: 1, flag: true })
      await tester.expectResult(replacing(item, full), { ...full, id: item.id })
      await tester.expectResult({ kind: 'read', id: item.id }, { ...full, id: item.id })
    },
  },
  'update replaces the whole item': {
    rule: '`update` removes the optional fields that the new item lacks.',
    needs: ['create', 'read', 'update'],
    async test(tester) {
      const item = await tester.create(full)
      await tester.expectResult(replacing(item, { name: 'bare' }), { id: item.id, name: 'bare' })
      await tester.expectResult({ kind: 'read', id: item.id }, { id: item.id, name: 'bare' })
    },
  },
  'update gives an unchanged item': {
    rule: '`update` finds an item although its values do not change.',
    needs: ['create', 'update'],
    async test(tester) {
      const item = await tester.create(full)
      await tester.expectResult(replacing(item, full), item)
      await tester.expectResult({ kind: 'update', id: item.id, item }, item)
    },
  },
  'update leaves other items alone': {
    rule: '`update` replaces only the item of the id.',
    needs: ['create', 'read', 'update'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.perform(replacing(two, { name: 'new' }))
      await tester.expectStored(one, three)
    },
  },
  'update moves an item to another owner': {
    rule: 'An item lies in the scope of its current fields, also after a change.',
    needs: ['create', 'list', 'update'],
    async test(tester) {
      const item = await tester.create({ name: 'moves', owner_id: 'a' })
      await tester.expectList({ scope: { owner_id: 'a' } }, [item])
      await tester.perform(replacing(item, { name: 'moves', owner_id: 'b' }))
      await tester.expectList({ scope: { owner_id: 'a' } }, [])
      await tester.expectList({ scope: { owner_id: 'b' } }, [item])
    },
  },
  'update moves an item in the order': {
    rule: 'A list has the order of the current values.',
    needs: ['create', 'list', 'update'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.expectList({ sort: ['name'] }, [one, two, three])
      await tester.perform(replacing(one, { name: 'z' }))
      await tester.expectList({ sort: ['name'] }, [two, three, one])
    },
  },
  'delete gives the deleted item': {
    rule: '`delete` gives the item as last stored.',
    needs: ['create', 'delete'],
    async test(tester) {
      const item = await tester.create(full)
      await tester.expectResult({ kind: 'delete', id: item.id }, item)
    },
  },
  'delete removes only that item': {
    rule: '`delete` deletes only the item of the id.',
    needs: ['create', 'delete', 'read'],
    async test(tester) {
      const [one, two, three] = await createThree(tester)
      await tester.perform({ kind: 'delete', id: two.id })
      await tester.expectNull({ kind: 'read', id: two.id })
      await tester.expectStored(one, three)
    },
  },
  'a second delete gives null': {
    rule: '`delete` gives an item once, then null.',
    needs: ['create', 'delete'],
    async test(tester) {
      const item = await tester.create(full)
      await tester.perform({ kind: 'delete', id: item.id })
      await tester.expectNull({ kind: 'delete', id: item.id })
    },
  },
  'update does not revive a deleted item': {
    rule: '`update` of a deleted item gives null and stores nothing.',
    needs: ['create', 'delete', 'read', 'update'],
    async test(tester) {
      const item = await tester.create(full)
      await tester.perform({ kind: 'delete', id: item.id })
      await tester.expectNull({ kind: 'update', id: item.id, item: replacementInput(item, full) })
      await tester.expectNull({ kind: 'read', id: item.id })
    },
  },
}
