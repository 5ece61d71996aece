import { show } from './compare.ts'
import { type Demand, full, named, trio } from './demand.ts'
import { type Question, replacementOf } from './question.ts'
import type { Specimen } from './specimens.ts'

const absentId = 'the id of no item'

/** What writing many items at once does. */
export const bulkDemands: readonly Demand[] = [
  {
    name: 'updateMany gives items in request order',
    rule: 'The answer to `updateMany` is the items as they are stored, in the order they were sent.',
    needs: ['create', 'read', 'updateMany'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      const items = [three, one, two].map((item) =>
        replacementOf(item, { ...full, name: item.name }),
      )
      await lab.gives({ kind: 'updateMany', items }, items)
      for (const item of items) await lab.holds(item)
    },
  },
  {
    name: 'updateMany replaces whole items',
    rule: 'What is not in a new item is gone, in a bulk too.',
    needs: ['create', 'read', 'updateMany'],
    async test(lab) {
      const created = [await lab.create(full), await lab.create({ name: 'bare' })]
      const fields = [{ name: 'now bare' }, full]
      const items = created.map((item, place) => replacementOf(item, fields[place] ?? full))
      await lab.gives({ kind: 'updateMany', items }, items)
      await lab.holds(...items)
    },
  },
  {
    name: 'updateMany gives unchanged items',
    rule: 'Replacing items by the same values finds them, although nothing changes.',
    needs: ['create', 'updateMany'],
    async test(lab) {
      const items = await lab.createAll([full, ...named('a', 'b')])
      await lab.gives({ kind: 'updateMany', items }, items)
    },
  },
  {
    name: 'updateMany leaves unlisted items alone',
    rule: 'Only the items that are listed are replaced.',
    needs: ['create', 'read', 'updateMany'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.ask(renaming([one, two], 'new'))
      await lab.holds(three)
    },
  },
  {
    name: 'updateMany marks absent ids by null',
    rule: 'Where an id is absent null stands in its place, and only there.',
    needs: ['create', 'updateMany'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      const items = [one, absent(two), two, absent(three, '2'), three]
      await lab.givesNoneAt([1, 3], { kind: 'updateMany', items })
    },
  },
  {
    name: 'updateMany writes nothing beside an absent id',
    rule: 'One absent id, wherever it stands, and not one of the items is written.',
    needs: ['create', 'read', 'updateMany'],
    async test(lab) {
      const [one, two, three] = await trio(lab)
      await lab.ask(renaming([absent(one), one, two], 'new'))
      await lab.ask(renaming([one, absent(two), three], 'new'))
      await lab.ask(renaming([two, three, absent(three)], 'new'))
      await lab.holds(one, two, three)
      await lab.givesNone({ kind: 'read', id: absent(one).id })
    },
  },
  {
    name: 'updateMany takes a thousand items',
    rule: 'A bulk of 1,000 whole items, the limit unless a registry sets another, is written.',
    needs: ['create', 'read', 'updateMany'],
    async test(lab) {
      const created = await lab.createAll(named(...Array.from({ length: 1000 }, (_, n) => `${n}`)))
      const items = created.map((item) =>
        replacementOf(item, { ...full, name: `new ${item.name}` }),
      )
      const came = await lab.ask({ kind: 'updateMany', items })
      lab.ensure(Array.isArray(came) && came.length === 1000, () => ({
        asked: 'updateMany of 1,000 items',
        came: show(came),
        expected: 'the 1,000 items',
      }))
      await lab.holds(...items.filter((_, place) => place % 333 === 0))
    },
  },
  {
    name: 'deleteAll gives how many it deleted',
    rule: 'The answer to `deleteAll` is a number, 0 where there is nothing, and nothing is left.',
    needs: ['create', 'deleteAll', 'list'],
    async test(lab) {
      await lab.gives({ kind: 'deleteAll' }, 0)
      await lab.createAll([full, ...named('a', 'b')])
      await lab.gives({ kind: 'deleteAll' }, 3)
      await lab.lists({}, [])
    },
  },
  {
    name: 'deleteAll refuses to delete too many',
    rule: 'When more would go than `maxAffected`, be it 0, that is the problem `too_many_affected` and all stay.',
    needs: ['create', 'deleteAll', 'read'],
    async test(lab) {
      const items = await trio(lab)
      for (const maxAffected of [2, 1, 0]) {
        await lab.refuses({ kind: 'deleteAll', maxAffected }, 'too_many_affected')
      }
      await lab.holds(...items)
    },
  },
  {
    name: 'deleteAll deletes as many as allowed',
    rule: 'As many items as `maxAffected` may go; those outside the scope do not count.',
    needs: ['create', 'deleteAll'],
    async test(lab) {
      const scope = { owner_id: 'a' }
      await lab.createAll(named('a', 'b'), scope)
      await lab.createAll(named('c', 'd', 'e'), { owner_id: 'b' })
      await lab.gives({ kind: 'deleteAll', scope, maxAffected: 2 }, 2)
      await lab.gives({ kind: 'deleteAll', scope, maxAffected: 0 }, 0)
    },
  },
]

function renaming(items: readonly Specimen[], name: string): Question {
  return { kind: 'updateMany', items: items.map((item) => replacementOf(item, { name })) }
}

function absent(item: Specimen, mark = '1'): Specimen {
  return { ...item, id: `${absentId} ${mark}` }
}
