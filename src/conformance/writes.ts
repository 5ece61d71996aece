import { type Demand, full, trio } from './demand.ts'
import { replacementOf, replacing } from './question.ts'

/** What replacing and deleting one item does. */
export const writeDemands: readonly Demand[] = [
  {
    name: 'update gives the item as stored',
    rule: 'The answer to `update` is the whole item as it is stored from then on.',
    needs: ['create', 'read', 'update'],
    async test(lab) {
      const item = await lab.create({ name: 'before', note: 'gone', rank: 1, flag: true })
      await lab.gives(replacing(item, full), { ...full, id: item.id })
      await lab.gives({ kind: 'read', id: item.id }, { ...full, id: item.id })
    },
  },
  {
    name: 'update replaces the whole item',
    rule: 'What is not in the new item is gone: optional fields that are left out are missing afterwards.',
    needs: ['create', 'read', 'update'],
    async test(lab) {
      const item = await lab.create(full)
      await lab.gives(replacing(item, { name: 'bare' }), { id: item.id, name: 'bare' })
      await lab.gives({ kind: 'read', id: item.id }, { id: item.id, name: 'bare' })
    },
  },
  {
    name: 'update gives an unchanged item',
    rule: 'Replacing an item by the same values finds it, although nothing changes.',
    needs: ['create', 'update'],
    async test(lab) {
      const item = await lab.create(full)
      await lab.gives(replacing(item, full), item)
      await lab.gives({ kind: 'update', id: item.id, item }, item)
    },
  },
  {
    name: 'update leaves other items alone',
    rule: 'Only the item of the id is replaced.',
    needs: ['create', 'read', 'update'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.ask(replacing(two, { name: 'new' }))
      await lab.holds(one, three)
    },
  },
  {
    name: 'update moves an item to another owner',
    rule: 'The scopes an item is in are those its fields say, also after they have changed.',
    needs: ['create', 'list', 'update'],
    async test(lab) {
      const item = await lab.create({ name: 'moves', owner_id: 'a' })
      await lab.lists({ scope: { owner_id: 'a' } }, [item])
      await lab.ask(replacing(item, { name: 'moves', owner_id: 'b' }))
      await lab.lists({ scope: { owner_id: 'a' } }, [])
      await lab.lists({ scope: { owner_id: 'b' } }, [item])
    },
  },
  {
    name: 'update moves an item in the order',
    rule: 'Lists are in the order of what is stored now.',
    needs: ['create', 'list', 'update'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.lists({ sort: ['name'] }, [one, two, three])
      await lab.ask(replacing(one, { name: 'z' }))
      await lab.lists({ sort: ['name'] }, [two, three, one])
    },
  },
  {
    name: 'delete gives the deleted item',
    rule: 'The answer to `delete` is the item as it was stored last.',
    needs: ['create', 'delete'],
    async test(lab) {
      const item = await lab.create(full)
      await lab.gives({ kind: 'delete', id: item.id }, item)
    },
  },
  {
    name: 'delete removes only that item',
    rule: 'A deleted item is found no more; all others are.',
    needs: ['create', 'delete', 'read'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.ask({ kind: 'delete', id: two.id })
      await lab.givesNone({ kind: 'read', id: two.id })
      await lab.holds(one, three)
    },
  },
  {
    name: 'a second delete gives null',
    rule: 'An item can be deleted once.',
    needs: ['create', 'delete'],
    async test(lab) {
      const item = await lab.create(full)
      await lab.ask({ kind: 'delete', id: item.id })
      await lab.givesNone({ kind: 'delete', id: item.id })
    },
  },
  {
    name: 'update does not revive a deleted item',
    rule: 'Replacing an item that was deleted answers null and stores nothing.',
    needs: ['create', 'delete', 'read', 'update'],
    async test(lab) {
      const item = await lab.create(full)
      await lab.ask({ kind: 'delete', id: item.id })
      await lab.givesNone({ kind: 'update', id: item.id, item: replacementOf(item, full) })
      await lab.givesNone({ kind: 'read', id: item.id })
    },
  },
]
