import type { OperationKind } from '../model/convention.ts'
import { type Demand, named } from './demand.ts'
import type { Lab } from './lab.ts'
import { replacementOf, replacing } from './question.ts'
import type { Specimen } from './specimens.ts'

const scope = { owner_id: 'a' }

interface Owned {
  readonly mine: Specimen
  readonly theirs: Specimen
  readonly nobodys: Specimen
}

type Stays = (lab: Lab, owned: Owned) => Promise<void>

// Outside the scope nothing exists: nothing is found, changed, deleted or counted there.
const stays: { readonly [Kind in Exclude<OperationKind, 'create'>]: Stays } = {
  async list(lab, { mine }) {
    await lab.lists({ scope }, [mine])
    await lab.lists({ scope, sort: ['-name'] }, [mine])
    await lab.lists({ scope: { owner_id: 'c' } }, [])
  },
  async count(lab) {
    await lab.gives({ kind: 'count', scope }, 1)
    await lab.gives({ kind: 'count', scope: { owner_id: 'c' } }, 0)
  },
  first: (lab, { mine }) => lab.gives({ kind: 'first', scope, sort: ['name'] }, mine),
  last: (lab, { mine }) => lab.gives({ kind: 'last', scope, sort: ['name'] }, mine),
  async read(lab, { mine, theirs, nobodys }) {
    await lab.gives({ kind: 'read', scope, id: mine.id }, mine)
    await lab.givesNone({ kind: 'read', scope, id: theirs.id })
    await lab.givesNone({ kind: 'read', scope, id: nobodys.id })
  },
  async update(lab, { theirs, nobodys }) {
    await lab.givesNone({ ...replacing(theirs, { name: 'taken' }), scope })
    await lab.givesNone({ ...replacing(nobodys, { name: 'taken' }), scope })
    await lab.holds(theirs, nobodys)
  },
  async delete(lab, { theirs, nobodys }) {
    await lab.givesNone({ kind: 'delete', scope, id: theirs.id })
    await lab.givesNone({ kind: 'delete', scope, id: nobodys.id })
    await lab.holds(theirs, nobodys)
  },
  async updateMany(lab, { mine, theirs, nobodys }) {
    const items = [theirs, nobodys].map((item) => replacementOf(item, { name: 'taken' }))
    await lab.givesNoneAt([0, 1], { kind: 'updateMany', scope, items })
    await lab.givesNoneAt([0, 1], { kind: 'updateMany', scope, items: [...items, mine] })
    await lab.holds(mine, theirs, nobodys)
  },
  async deleteAll(lab, { mine, theirs, nobodys }) {
    await lab.gives({ kind: 'deleteAll', scope }, 1)
    await lab.givesNone({ kind: 'read', id: mine.id })
    await lab.holds(theirs, nobodys)
  },
}

const kinds = [
  'list',
  'count',
  'first',
  'last',
  'read',
  'update',
  'delete',
  'updateMany',
  'deleteAll',
] as const
const writes: readonly OperationKind[] = ['update', 'delete', 'updateMany', 'deleteAll']

/** How every method keeps to the items of an owner. */
export const scopeDemands: readonly Demand[] = [
  ...kinds.map(
    (kind): Demand => ({
      name: `${kind} stays inside its scope`,
      rule: 'What another owner has, or none, does not exist for an operation in a scope.',
      // What a write has left behind is read.
      needs: ['create', kind, ...(writes.includes(kind) ? ['read' as const] : [])],
      async test(lab) {
        const theirs = await lab.create({ name: 'a' }, { owner_id: 'b' })
        const mine = await lab.create({ name: 'b' }, scope)
        const nobodys = await lab.create({ name: 'c' })
        await lab.create({ name: 'd' }, { owner_id: 'b' })
        await stays[kind](lab, { mine, theirs, nobodys })
      },
    }),
  ),
  {
    name: 'compares owners exactly',
    rule: 'Two owners whose ids merely look alike (case, accents, spaces, numbers) are two.',
    needs: ['create', 'list'],
    async test(lab) {
      const owners = [
        'a',
        'A',
        'a ',
        'á',
        '1',
        '01',
        '1abc',
        '1.0',
        'é',
        'e\u0301',
        '😀',
        '😁',
        '%',
        '',
      ]
      const items = new Map<string, Specimen>()
      for (const owner_id of owners)
        items.set(owner_id, await lab.create({ name: owner_id }, { owner_id }))
      for (const [owner_id, item] of items) await lab.lists({ scope: { owner_id } }, [item])
    },
  },
  {
    name: 'honours every field of a scope',
    rule: 'An item lies in a scope when all its fields are equal, however many parents a path has.',
    needs: ['create', 'list', 'read'],
    async test(lab) {
      const both = { owner_id: 'a', note: 'x' }
      const mine = await lab.create({ name: 'both' }, both)
      const others = [
        await lab.create({ name: 'owner only' }, { owner_id: 'a', note: 'y' }),
        await lab.create({ name: 'note only' }, { owner_id: 'b', note: 'x' }),
      ]
      await lab.lists({ scope: both }, [mine])
      for (const { id } of others) await lab.givesNone({ kind: 'read', scope: both, id })
    },
  },
  {
    name: 'searches stay inside their scope',
    rule: 'A search finds items of its scope only, in whichever field the words are.',
    needs: ['create', 'list'],
    async test(lab) {
      const mine = await lab.createAll([{ name: 'ann' }, { name: 'bob', note: 'ann' }], scope)
      await lab.createAll([{ name: 'ann' }, { name: 'bob', note: 'ann' }], { owner_id: 'b' })
      await lab.createAll(named('ann'))
      await lab.lists({ scope, q: 'ann', sort: ['name'] }, mine)
    },
  },
  {
    name: 'pages stay inside their scope',
    rule: 'A page that goes on holds items of its scope only, at ties and at missing values too.',
    needs: ['create', 'list'],
    async test(lab) {
      const fields = [
        { name: 'a', rank: 1 },
        { name: 'b', rank: 1 },
        { name: 'c', rank: 2 },
        { name: 'd' },
      ]
      const [first, ...others] = await lab.createAll(fields, scope)
      await lab.createAll(fields, { owner_id: 'b' })
      await lab.lists({ scope, sort: ['rank', 'name'], after: first }, others)
    },
  },
]
