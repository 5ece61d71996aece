import { ownerValues, type Scope } from '../../../contract/resource/operation.ts'
import { type AdapterMethod, adapterMethods } from '../../../convention/adapter-methods.ts'
import { isInScope } from '../../../convention/value.ts'
import { type CheckDefinition, type Checks, calls, checksOf } from '../check.ts'
import { conditionOn, type OperationInput, sortSpecimens } from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'

type Questions = (scope: Scope, all: readonly Specimen[]) => readonly OperationInput[]

const namePresent = conditionOn('name', 'present')

/** Each method, called for items inside a scope and outside it. */
const questions: Readonly<Record<Exclude<AdapterMethod, 'create' | 'createMany'>, Questions>> = {
  list: (scope) => [calls.list({ scope }), calls.list({ scope, sort: ['-name'] })],
  count: (scope) => [{ kind: 'count', scope }],
  countBy: (scope) => [{ kind: 'count', scope, by: ['name'] }],
  first: (scope) => [{ kind: 'first', scope, sort: ['name'] }],
  last: (scope) => [{ kind: 'last', scope, sort: ['name'] }],
  read: (scope, all) => all.map(({ id }) => ({ kind: 'read', scope, id })),
  update: (scope, all) =>
    all.map((item) => ({ kind: 'update', scope, id: item.id, item: claimed(item, scope) })),
  delete: (scope, all) => all.map(({ id }) => ({ kind: 'delete', scope, id })),
  updateMany(scope, all) {
    const items = all.map((item) => claimed(item, scope))
    const isMine = (_: unknown, place: number) => isInScope(all[place] ?? {}, scope)
    const mine = items.filter(isMine)
    const foreign = items.filter((item) => !mine.includes(item))
    const bulks = [foreign, [...foreign, ...mine], mine].filter((some) => some.length > 0)
    return bulks.map((some) => ({ kind: 'updateMany', scope, items: some }))
  },
  modify: (scope, all) =>
    all.map(({ id }) => ({
      kind: 'patch',
      scope,
      id,
      change: (item) => ({ ...item, name: `${item.name} taken` }),
    })),
  modifyMany: (scope, all) => [
    calls.look(
      all.map(({ id }) => id),
      scope,
    ),
  ],
  deleteAll: (scope) => [{ kind: 'deleteAll', scope }],
  remove: (scope, all) =>
    all.map(({ id }) => ({ kind: 'delete', scope, id, judge: () => undefined })),
  removeMany: (scope) => [
    { kind: 'deleteMany', scope, where: [namePresent], maxAffected: 1000, judge: () => undefined },
    { kind: 'deleteAll', scope, judge: () => undefined },
  ],
  deleteMany: (scope, all) => [
    { kind: 'deleteMany', scope, where: [namePresent], maxAffected: 1000 },
    {
      kind: 'deleteMany',
      scope,
      where: [
        conditionOn(
          'id',
          'in',
          all.map(({ id }) => id),
        ),
      ],
      maxAffected: 1000,
    },
  ],
}

// The core writes owners of the scope only, also for the id of another owner.
function claimed({ revision, ...item }: Specimen, scope: Scope): Specimen {
  const renamed = { ...item, name: `${item.name} taken` }
  if (isInScope(item, scope)) return renamed
  const owners = Object.keys(scope).flatMap((field) =>
    ownerValues(scope, field)
      .slice(0, 1)
      .map((value) => [field, value] as const),
  )
  return { ...renamed, ...Object.fromEntries(owners) }
}

/** The features of a list that have to stay inside its scope too. */
const features: Readonly<Record<'searches' | 'pages' | 'filters', Questions>> = {
  searches: (scope) => [calls.list({ scope, q: 'ann', sort: ['-rank', 'name'] })],
  // A cursor may name an item that left the scope meanwhile.
  pages: (scope, all) =>
    sortSpecimens(all, ['rank', 'name']).flatMap((after) => [
      calls.list({ scope, sort: ['rank', 'name'], after }),
      calls.list({ scope, sort: ['-rank', '-name', '-id'], after, limit: 2 }),
    ]),
  filters: (scope, all) =>
    [
      conditionOn('name', 'in', ['ann']),
      conditionOn(
        'id',
        'in',
        all.map(({ id }) => id),
      ),
      conditionOn('owner_id', 'in', ['none']),
    ].map((condition) => calls.list({ scope, where: [condition] })),
}

const methods = adapterMethods.filter((method) => method !== 'create' && method !== 'createMany')
const writes: readonly AdapterMethod[] = [
  'update',
  'modify',
  'delete',
  'updateMany',
  'modifyMany',
  'deleteAll',
  'deleteMany',
  'remove',
  'removeMany',
]

// After a write, the check reads the other items.
function needsOf(kind: AdapterMethod): readonly AdapterMethod[] {
  return ['create', kind, ...(writes.includes(kind) ? ['read' as const] : [])]
}

const scope = { owner_id: 'a' }
const twoFields = { owner_id: 'a', note: 'x' }
const otherwise = [{ owner_id: 'a', note: 'y' }, { owner_id: 'b', note: 'x' }, { note: 'x' }, {}]

// In the scope of another owner, no item is there.
function staying(
  kind: keyof typeof questions,
  scope: Scope,
  owners: readonly Partial<NewSpecimen>[],
): Pick<CheckDefinition, 'needs' | 'items' | 'ask'> {
  return {
    needs: needsOf(kind),
    items: owners.map((owner, index) => ({ ...owner, name: `${index}` })),
    ask: (all) =>
      [{ ...scope, owner_id: 'c' }, scope].flatMap((each) => questions[kind](each, all)),
  }
}

// With ties and missing values.
function specimensOf(owners: readonly Partial<NewSpecimen>[]): readonly NewSpecimen[] {
  const fields = [{ name: 'ann', rank: 1 }, { name: 'bob', rank: 1 }, { name: 'ann' }]
  return owners.flatMap((owner) => fields.map((item) => ({ ...item, ...owner })))
}

/** Checks that every method stays inside its scope. */
export const scopeChecks: Checks = {
  ...checksOf(methods, (kind) => [
    `${kind} stays inside its scope`,
    {
      rule: 'An operation in a scope does not see items of another owner or of none.',
      ...staying(kind, scope, [{ owner_id: 'b' }, scope, {}, { owner_id: 'b' }]),
    },
  ]),
  ...checksOf(methods, (kind) => [
    `${kind} stays inside a scope of two fields`,
    {
      rule: 'An operation in a scope does not see items that differ from it in one field.',
      ...staying(kind, twoFields, [...otherwise, twoFields, twoFields, ...otherwise]),
    },
  ]),
  ...checksOf(Object.entries(features), ([feature, ask]) => [
    `${feature} stay inside a scope of two fields`,
    {
      rule: 'A list has items that equal the scope in both fields, also after a cursor.',
      items: specimensOf([twoFields, ...otherwise]),
      ask: (all) => ask(twoFields, all),
    },
  ]),
  ...checksOf(['read', 'list'] as const, (kind) => [
    `${kind} without a scope finds every owner`,
    {
      rule: 'Without a scope, each id finds its item, of any owner or none: references name any.',
      needs: ['create', kind],
      items: [{ name: 'a', owner_id: 'b' }, { name: 'b', ...scope }, { name: 'c' }],
      ask(all) {
        const ids = all.map(({ id }) => id)
        if (kind === 'read') return ids.map((id) => ({ kind, id }))
        return [ids, [...ids, 'none']].map((values) =>
          calls.list({ where: [conditionOn('id', 'in', values)], limit: values.length }),
        )
      },
    },
  ]),
  'compares owners exactly': {
    rule: 'Owners with similar ids (case, accents, spaces, numbers) are different owners.',
    items: similarOwners().map((owner_id) => ({ name: owner_id, owner_id })),
    ask: () => similarOwners().map((owner_id) => calls.list({ scope: { owner_id } })),
  },
  'honours every field of a scope': {
    rule: 'An item is in a scope if it equals the scope in every field, for any number of parents.',
    needs: ['create', 'list', 'read'],
    items: [twoFields, ...otherwise].map((owner) => ({ ...owner, name: 'owned' })),
    ask: (all) => [
      calls.list({ scope: twoFields }),
      ...all.map(({ id }) => ({ kind: 'read' as const, scope: twoFields, id })),
    ],
  },
  'searches stay inside their scope': {
    rule: 'A search finds items of its scope only, in all searchable fields.',
    items: [scope, { owner_id: 'b' }, {}].flatMap((owner) => [
      { name: 'ann', ...owner },
      { name: 'bob', note: 'ann', ...owner },
    ]),
    ask: () => [calls.list({ scope, q: 'ann', sort: ['name'] })],
  },
  'pages stay inside their scope': {
    rule: 'A page after a cursor has items of its scope only, at ties and missing values too.',
    items: [scope, { owner_id: 'b' }].flatMap((owner) => [
      { name: 'a', rank: 1, ...owner },
      { name: 'b', rank: 1, ...owner },
      { name: 'c', rank: 2, ...owner },
      { name: 'd', ...owner },
    ]),
    ask: (_, after) => [calls.list({ scope, sort: ['rank', 'name'], after })],
  },
}

function similarOwners(): readonly string[] {
  return '|a|A|a |á|1|01|1abc|1.0|é|e\u0301|😀|😁|%'.split('|')
}

const group = 'lists of owners'
const several = { owner_id: ['a', 'b'] }
const owners = [{ owner_id: 'c' }, { owner_id: 'a' }, {}, { owner_id: 'b' }, { owner_id: 'A' }]

// Owners of its own for each round, since a write changes the items of a round.
const rounds: readonly ((owner: (name: string) => string) => Scope)[] = [
  (owner) => ({ owner_id: [owner('a'), owner('b')] }),
  (owner) => ({ owner_id: [owner('b'), owner('none'), owner('a')], note: 'x' }),
  (owner) => ({ owner_id: [owner('a'), owner('b')], note: ['z', 'x'] }),
  (owner) => ({ owner_id: [owner('c')] }),
  () => ({ owner_id: [] }),
  (owner) => ({ owner_id: owner('a'), note: [] }),
]
const ownersOfRound = [...[...'cabaA'].map((name) => [name, 'x']), ['b', 'y'], ['none', 'x']]

/** Checks of scopes with several owners. A gap may name their group. */
export const ownerListChecks: Checks = {
  ...checksOf(methods, (kind) => [
    `${kind} stays inside a list of owners`,
    {
      group,
      rule: 'A list in a scope means any of its values. An empty list holds no item.',
      needs: needsOf(kind),
      items: rounds.flatMap((_, round) =>
        ownersOfRound.map(([owner = '', note], index) => ({
          name: `${index}`,
          note,
          ...(owner === 'none' ? {} : { owner_id: owner + round }),
        })),
      ),
      ask: (all) =>
        rounds.flatMap((scopeOf, round) => {
          const start = round * ownersOfRound.length
          const items = all.slice(start, start + ownersOfRound.length)
          return questions[kind](
            scopeOf((name) => name + round),
            items,
          )
        }),
    },
  ]),
  ...checksOf(Object.entries(features), ([feature, ask]) => [
    `${feature} stay inside a list of owners`,
    {
      group,
      rule: 'A list has the items of all owners in the scope in one order, also after a cursor.',
      items: specimensOf(owners),
      ask: (all) => [several, { owner_id: [] }].flatMap((scope) => ask(scope, all)),
    },
  ]),
  ...checksOf(['create', 'createMany'] as const, (method) => [
    `${method} takes one of several owners`,
    {
      group,
      rule: 'A new item names one of the owners itself. The adapter stores this one only.',
      needs: [...new Set([method, 'create', 'list'] as const)],
      ask() {
        const item = { name: 'a', owner_id: 'b' }
        const body = method === 'createMany' ? { drafts: [item] } : { item }
        const scopes = [{ owner_id: 'b' }, { owner_id: 'a' }, several]
        return [
          { kind: 'create', scope: several, ...body },
          ...scopes.map((scope) => calls.list({ scope })),
        ]
      },
    },
  ]),
  'compares a list of owners exactly': {
    group,
    rule: 'A list does not hold owners with similar ids (case, accents, spaces, numbers).',
    items: similarOwners().map((owner_id) => ({ name: owner_id, owner_id })),
    ask: () =>
      similarOwners().map((name, index, names) =>
        calls.list({ scope: { owner_id: [name, names[(index + 5) % names.length] ?? name] } }),
      ),
  },
}
