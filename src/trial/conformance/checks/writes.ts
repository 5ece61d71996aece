import {
  type Checks,
  calls,
  checksOf,
  full,
  named,
  numbered,
  partial,
  queryDeletions,
  three,
} from '../check.ts'
import { conditionOn, type OperationInput } from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'

/** Checks of `update` and `delete`. */
export const writeChecks: Checks = {
  'update gives the item as stored': {
    rule: '`update` gives the whole item as stored.',
    needs: ['create', 'read', 'update'],
    items: [partial],
    ask: (_, item) => [calls.replace(item, full)],
  },
  'update replaces the whole item': {
    rule: '`update` removes the optional fields that the new item lacks.',
    needs: ['create', 'read', 'update'],
    items: [full],
    ask: (_, item) => [calls.replace(item, { name: 'bare' })],
  },
  'update gives an unchanged item': {
    rule: '`update` finds an item although its values do not change.',
    needs: ['create', 'update'],
    items: [full],
    ask: (_, item) => [calls.replace(item, full), calls.replace(item, full)],
  },
  'update leaves other items alone': {
    rule: '`update` replaces only the item of the id.',
    needs: ['create', 'read', 'update'],
    items: three,
    ask: (_, __, two) => [calls.replace(two, { name: 'new' })],
  },
  'update moves an item to another owner': {
    rule: 'An item lies in the scope of its current fields, also after a change.',
    needs: ['create', 'list', 'update'],
    items: [{ name: 'moves', owner_id: 'a' }],
    ask: (_, item) => [
      calls.list({ scope: { owner_id: 'a' } }),
      calls.replace(item, { name: 'moves', owner_id: 'b' }),
      calls.list({ scope: { owner_id: 'a' } }),
      calls.list({ scope: { owner_id: 'b' } }),
    ],
  },
  'update moves an item in the order': {
    rule: 'A list has the order of the current values.',
    needs: ['create', 'list', 'update'],
    items: three,
    ask: (_, item) => [
      calls.list({ sort: ['name'] }),
      calls.replace(item, { name: 'z' }),
      calls.list({ sort: ['name'] }),
    ],
  },
  'delete gives the deleted item': {
    rule: '`delete` gives the item as last stored.',
    needs: ['create', 'delete'],
    items: [full],
    ask: (_, item) => [calls.delete(item)],
  },
  'delete removes only that item': {
    rule: '`delete` deletes only the item of the id.',
    needs: ['create', 'delete', 'read'],
    items: three,
    ask: (_, __, two) => [calls.delete(two)],
  },
  'a second delete gives null': {
    rule: '`delete` gives an item once, then null.',
    needs: ['create', 'delete'],
    items: [full],
    ask: (_, item) => [calls.delete(item), calls.delete(item)],
  },
  'update does not revive a deleted item': {
    rule: '`update` of a deleted item gives null and stores nothing.',
    needs: ['create', 'delete', 'read', 'update'],
    items: [full],
    ask: (_, item) => [calls.delete(item), calls.replace(item, full)],
  },
}

const renaming = (items: readonly Specimen[]) => calls.replaceAll(items, () => ({ name: 'new' }))
const absent: Specimen = { id: 'the id of no item 1', name: 'absent' }
const alsoAbsent: Specimen = { id: 'the id of no item 2', name: 'absent' }
const scope = { owner_id: 'a' }

/** Checks of `updateMany` and `deleteAll`. */
export const bulkChecks: Checks = {
  'updateMany gives items in request order': {
    rule: '`updateMany` gives the items as stored, in the order of the request.',
    needs: ['create', 'read', 'updateMany'],
    items: three,
    ask: (_, first, two, last) => [
      calls.replaceAll([last, first, two], ({ name }) => ({ ...full, name })),
    ],
  },
  'updateMany replaces whole items': {
    rule: 'A bulk removes fields that a new item lacks.',
    needs: ['create', 'read', 'updateMany'],
    items: [full, { name: 'bare' }],
    ask: (all) => [
      calls.replaceAll(all, (_, place) => (place === 0 ? { name: 'now bare' } : full)),
    ],
  },
  'updateMany gives unchanged items': {
    rule: '`updateMany` finds items although their values do not change.',
    needs: ['create', 'updateMany'],
    items: [full, ...named('a', 'b')],
    ask: (all) => [calls.replaceAll(all, (_, place) => [full, ...named('a', 'b')][place] ?? full)],
  },
  'updateMany leaves unlisted items alone': {
    rule: '`updateMany` replaces only the listed items.',
    needs: ['create', 'read', 'updateMany'],
    items: three,
    ask: (_, first, two) => [renaming([first, two])],
  },
  'updateMany marks absent ids by null': {
    rule: '`updateMany` gives null for each absent id, and only there.',
    needs: ['create', 'updateMany'],
    items: three,
    ask: (_, first, two, last) => [renaming([first, absent, two, alsoAbsent, last])],
  },
  'updateMany writes nothing beside an absent id': {
    rule: 'With one absent id, at any index, `updateMany` writes no item at all.',
    needs: ['create', 'read', 'updateMany'],
    items: three,
    ask: (_, first, two, last) => [
      renaming([absent, first, two]),
      renaming([first, absent, last]),
      renaming([two, last, absent]),
      { kind: 'read', id: absent.id },
    ],
  },
  'updateMany takes a thousand items': {
    rule: '`updateMany` writes 1,000 whole items, the default limit of a registry.',
    needs: ['create', 'read', 'updateMany'],
    items: numbered(1000),
    ask: (all) => [calls.replaceAll(all, ({ name }) => ({ ...full, name: `new ${name}` }))],
  },
  'deleteAll gives how many it deleted': {
    rule: '`deleteAll` deletes every item and gives their number, 0 for an empty collection.',
    needs: ['create', 'deleteAll', 'list'],
    ask: () => [
      { kind: 'deleteAll' },
      ...[full, ...named('a', 'b')].map(calls.create),
      { kind: 'deleteAll' },
      calls.list(),
    ],
  },
  'deleteAll refuses to delete too many': {
    rule: 'Above `maxAffected`, even 0, `deleteAll` deletes none and throws `too_many_affected`.',
    needs: ['create', 'deleteAll', 'read'],
    items: three,
    ask: () => [2, 1, 0].map((maxAffected) => ({ kind: 'deleteAll', maxAffected })),
  },
  'deleteAll deletes as many as allowed': {
    rule: '`deleteAll` deletes up to `maxAffected` items. Items outside the scope do not count.',
    needs: ['create', 'deleteAll'],
    items: [...'aabbb'].map((owner_id) => ({ name: 'n', owner_id })),
    ask: () => [2, 0].map((maxAffected) => ({ kind: 'deleteAll', scope, maxAffected })),
  },
}

const selectedItems: readonly NewSpecimen[] = [
  { name: 'ann one', owner_id: 'a', rank: 1, note: 'Old' },
  { name: 'ann two', owner_id: 'a', rank: 2 },
  { name: 'bob', owner_id: 'a', rank: 3, note: 'old' },
  { name: 'ann three', owner_id: 'b', rank: 1, note: 'old' },
]

const deleting = (input: Omit<OperationInput, 'kind'>): OperationInput => ({
  kind: 'deleteMany',
  maxAffected: 1000,
  ...input,
})

function checksOfSelection([method, input]: (typeof queryDeletions)[number]): Checks {
  const needs = ['create', method, 'read'] as const
  const items = selectedItems
  return {
    [`${method} deletes what matches`]: {
      rule: `\`${method}\` deletes the items that match every filter, and gives their number.`,
      ...{ needs, items },
      ask: () =>
        [
          [conditionOn('rank', 'gte', [2]), conditionOn('note', 'missing')],
          [conditionOn('rank', 'lt', [0])],
          [conditionOn('note', 'in', ['old'])],
        ].map((where) => ({ ...input, where })),
    },
    [`${method} searches`]: {
      rule: `\`${method}\` deletes the items that have every word of \`q\`, as in a list.`,
      ...{ needs, items },
      ask: () => ['ANN t', 'nobody'].map((q) => ({ ...input, q })),
    },
    [`${method} deletes by ids`]: {
      rule: `\`${method}\` deletes the items of the ids in a filter, and ignores absent ones.`,
      ...{ needs, items },
      ask: (_, first, two) => {
        const where = [conditionOn('id', 'in', [first.id, two.id, absent.id])]
        return [{ ...input, where, maxAffected: 2 }]
      },
    },
  }
}

/** Checks of `deleteMany`, and of the selection of `removeMany`. */
export const selectionChecks: Checks = {
  ...Object.assign({}, ...queryDeletions.map(checksOfSelection)),
  'deleteMany refuses to delete too many': {
    rule: 'Above `maxAffected`, even 0, `deleteMany` deletes none and throws `too_many_affected`.',
    needs: ['create', 'deleteMany', 'read'],
    items: selectedItems,
    ask: () => [2, 1, 0].map((maxAffected) => deleting({ q: 'ann', maxAffected })),
  },
  'deleteMany counts only what matches': {
    rule: '`deleteMany` deletes up to `maxAffected` items. Others, of any owner, do not count.',
    needs: ['create', 'deleteMany', 'read'],
    items: selectedItems,
    ask: () => [
      deleting({ q: 'ann', scope, maxAffected: 2 }),
      deleting({ q: 'bob', maxAffected: 1 }),
    ],
  },
  'deleteMany deletes a thousand items': {
    rule: '`deleteMany` deletes 1,000 items, the default limit of a registry, or none of more.',
    needs: ['create', 'deleteMany', 'list'],
    items: numbered(1001),
    ask: (all) => [
      deleting({ where: [conditionOn('name', 'notIn', ['x'])] }),
      deleting({ where: [conditionOn('id', 'notIn', [all[0]?.id ?? ''])] }),
      calls.list(),
    ],
  },
}

// Each item has other fields. A statement for all of them easily mixes them up.
const drafts: readonly NewSpecimen[] = [
  { name: 'bare' },
  full,
  { id: 'chosen', name: 'z', rank: 0, flag: false },
  { name: '', note: '', data: {} },
  { name: 'a', owner_id: 'b' },
  { name: 'bare' },
]
const second = { id: 'taken', name: 'second' }
const creatingAll = (...all: readonly NewSpecimen[]): OperationInput => ({
  kind: 'create',
  drafts: all,
})

/** Checks of `createMany`. */
export const createManyChecks: Checks = {
  'createMany gives items in request order': {
    rule: '`createMany` gives the whole items as stored, in the order of the request.',
    needs: ['create', 'createMany', 'read'],
    items: [full],
    ask: () => [creatingAll(...drafts)],
  },
  'createMany stores items in their scope': {
    rule: 'Items that are created in a scope have its fields.',
    needs: ['create', 'createMany', 'list'],
    comparing: 'items',
    ask: () => [
      { ...creatingAll(...named('a', 'b')), scope },
      calls.list({ scope, sort: ['name'] }),
      calls.list({ scope: { owner_id: 'b' } }),
    ],
  },
  'createMany sets revisions': {
    rule: '`createMany` sets the revision of every item.',
    needs: ['create', 'createMany'],
    comparing: 'revisions',
    ask: () => [creatingAll(...drafts)],
  },
  'createMany creates all items or none': {
    rule: 'If one id is taken, also by an item of the call, `createMany` throws `conflict`.',
    needs: ['create', 'createMany', 'list'],
    items: [{ ...full, id: 'taken' }],
    comparing: 'items',
    ask: () => [
      ...[
        [second, { name: '1' }, { name: '2' }],
        [{ name: '1' }, second, { name: '2' }],
        [{ name: '1' }, { name: '2' }, second],
        [{ name: '1', id: 'twice' }, { name: '2' }, { name: '2', id: 'twice' }],
      ].flatMap((some) => [creatingAll(...some), calls.list()]),
    ],
  },
  'createMany takes a thousand items': {
    rule: '`createMany` creates 1,000 whole items, the default limit of a registry.',
    needs: ['create', 'createMany', 'list', 'read'],
    ask: () => [creatingAll(...numbered(1000, full)), calls.list()],
  },
}

const outdated =
  'A write that expects another revision throws `precondition_failed` and changes nothing.'

/** Checks of the revision field. */
export const revisionChecks: Checks = {
  'every write sets a new revision': {
    rule: '`create` sets the revision, and every `update` changes it, even without another change.',
    needs: ['create', 'update'],
    comparing: 'revisions',
    items: [full],
    ask: (_, item) => [1, 2].map(() => calls.replace(item, { name: 'changed' })),
  },
  'updateMany sets new revisions': {
    rule: '`updateMany` changes the revision of every item.',
    needs: ['create', 'list', 'updateMany'],
    comparing: 'revisions',
    items: [full],
    ask: (all) => [calls.replaceAll(all, () => full), calls.list()],
  },
  ...checksOf(['update', 'delete'] as const, (kind) => [
    `${kind} refuses an outdated revision`,
    {
      rule: outdated,
      needs: kind === 'update' ? ['create', 'read', kind] : ['create', kind, 'read', 'update'],
      items: [full],
      ask: (_, item) => [
        calls.replace(item, { name: 'changed' }),
        {
          ...(kind === 'update' ? calls.replace(item, { name: 'late' }) : calls.delete(item)),
          ifRevision: 'outdated',
        },
      ],
    },
  ]),
  'update takes the current revision': {
    rule: '`update` replaces an item that has the expected revision.',
    needs: ['create', 'update'],
    items: [full],
    ask: (_, item) => [{ ...calls.replace(item, { name: 'changed' }), ifRevision: 'current' }],
  },
  'delete takes the current revision': {
    rule: '`delete` deletes an item that has the expected revision.',
    needs: ['create', 'delete'],
    items: [full],
    ask: (_, item) => [{ ...calls.delete(item), ifRevision: 'current' }],
  },
}
