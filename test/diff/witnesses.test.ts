import { describe, expect, test } from 'vitest'
import type { Snapshot, SnapshotResource } from '../../src/diff/snapshot.ts'
import { base, changed, changesOf, objectWith, withNotes } from './contracts.ts'

// A witness is a request that the old service takes, with all that its body needs.

const without = (...lost: readonly string[]): Snapshot =>
  changed(({ versions }) => {
    const path = versions.v2?.paths['/kinds/:kind/notes'] as { operations: readonly string[] }
    Object.assign(path, { operations: path.operations.filter((kind) => !lost.includes(kind)) })
  })

function bulkOnly(from: Snapshot): Snapshot {
  return changed(({ versions }) => {
    for (const path of Object.values(versions.v2?.paths ?? {}))
      Object.assign(path, { operations: ['list', 'updateMany'] })
  }, from)
}

const note = { rank: 0, text: 'a' }
const untold: Partial<SnapshotResource> = { update: null }
const numbers = objectWith({ type: 'integer' }, ['x'])
const listed = objectWith({ enum: ['a'] }, ['x'])
const never = objectWith({ enum: [] })
const nothing = objectWith({ enum: [] }, ['x'])
const secret = withNotes({ update: nothing })

const withoutReferences = changed(({ resources }) => {
  for (const resource of Object.values(resources)) Reflect.deleteProperty(resource, 'references')
})
const renamedKinds = changed(({ resources, versions }) => {
  Object.assign(resources, { sorts: resources.kinds })
  Object.assign(versions.v2?.paths['/kinds'] ?? {}, { resource: 'sorts' })
  Object.assign(resources.notes ?? {}, { references: { kind: 'sorts' } })
})

function onlyReads(from: Snapshot): Snapshot {
  return changed(({ versions }) => {
    for (const path of Object.values(versions.v2?.paths ?? {}))
      Object.assign(path, { operations: ['list'] })
  }, from)
}

function removesOnly(from: Snapshot): Snapshot {
  return changed(({ versions }) => {
    for (const { paths } of Object.values(versions))
      for (const path of Object.values(paths)) Object.assign(path, { operations: ['deleteMany'] })
  }, from)
}

const lowerBulk = changed(({ limits }) => {
  limits.bulk = 10
})

type Row = readonly [rule: string, title: string, Snapshot, Snapshot, witness: object]

const states = (moves: Readonly<Record<string, readonly string[]>>) =>
  ({ field: 'kind', initial: 'a', moves }) as const

const titled = (sortable: readonly string[], searchable: readonly string[]) =>
  changed(({ resources }) => {
    const filterable = { title: { type: 'text', values: null } }
    Object.assign(resources.kinds ?? {}, { filterable, sortable, searchable })
  })

const rows: readonly Row[] = [
  [
    'related-filter-removed',
    'of a field',
    titled([], []),
    base,
    { method: 'GET', target: '/v2/kinds/7/notes?sort_of.title=a' },
  ],
  [
    'related-filter-removed',
    'of a comparison',
    titled(['title'], ['title']),
    titled(['title'], []),
    { method: 'GET', target: '/v2/kinds/7/notes?sort_of.title%3Acontains=a' },
  ],
  [
    'related-order-removed',
    'of a field',
    titled(['id', 'title'], []),
    titled(['id'], []),
    { method: 'GET', target: '/v2/kinds/7/notes?sort=sort_of.title' },
  ],
  [
    'item-rule-added',
    'of a change',
    base,
    changed(({ versions }) => {
      for (const path of Object.values(versions.v2?.paths ?? {}))
        Object.assign(path, { rules: ['change'] })
    }),
    { method: 'PUT', note: 'the rule refuses the item' },
  ],
  [
    'states-set',
    'of a new item',
    base,
    withNotes({ states: states({ a: [], b: [] }) }),
    { method: 'POST', body: { ...note, kind: 'b' } },
  ],
  [
    'states-set',
    'of a move',
    base,
    withNotes({ states: states({ a: [] }) }),
    { method: 'PUT', note: 'a move of "kind" that the contract lacks' },
  ],
  [
    'states-set',
    'of another field',
    withNotes({ states: { ...states({ a: [] }), field: 'text' } }),
    withNotes({ states: states({ a: [] }) }),
    { method: 'PUT' },
  ],
  [
    'initial-state-changed',
    'of a new item',
    withNotes({ states: states({ a: [], b: [] }) }),
    withNotes({ states: { ...states({ a: [], b: [] }), initial: 'b' } }),
    { method: 'POST', body: { ...note, kind: 'a' } },
  ],
  [
    'initial-state-changed',
    'of an untold body',
    withNotes({ create: null, states: states({ a: [], b: [] }) }),
    withNotes({ create: null, states: { ...states({ a: [], b: [] }), initial: 'b' } }),
    { method: 'POST', note: 'a body with "a" as "kind"' },
  ],
  [
    'state-move-removed',
    'of a move',
    withNotes({ states: states({ a: ['b'], b: [] }) }),
    withNotes({ states: states({ a: [], b: [] }) }),
    { method: 'PUT', body: { ...note, kind: 'b' }, note: 'the item is "a"' },
  ],
  [
    'state-move-removed',
    'of a state that has gone',
    withNotes({ states: states({ a: ['b'], b: [] }) }),
    withNotes({ states: states({ a: [] }), update: null }),
    { method: 'PUT', note: 'the item is "a"' },
  ],
  ['operation-removed', 'of POST', base, without('create'), { method: 'POST', body: note }],
  [
    'operation-removed',
    'of a bulk',
    base,
    without('updateMany'),
    { method: 'PUT', target: '/v2/kinds/7/notes', body: [{ ...note, id: '7' }] },
  ],
  [
    'operation-removed',
    'of an untold body',
    withNotes(untold),
    without('update'),
    { method: 'PUT', target: '/v2/kinds/7/notes/7' },
  ],
  [
    'idempotent-dropped',
    'of POST',
    withNotes({ idempotent: true }),
    base,
    { header: 'Idempotency-Key: "a"', body: note },
  ],
  [
    'put-creates-dropped',
    'of PUT',
    withNotes({ putCreates: true }),
    base,
    { method: 'PUT', target: '/v2/kinds/7/notes/7', note: 'no item has this id yet' },
  ],
  [
    'client-id-refused',
    'of a whole body',
    withNotes({ takesId: true }),
    base,
    { body: { ...note, id: '7' } },
  ],
  [
    'request-read-only-set',
    'of a whole body',
    base,
    withNotes({ readOnly: ['kind'] }),
    { method: 'PUT', body: { ...note, kind: 'a' } },
  ],
  [
    'request-read-only-set',
    'of a bulk',
    bulkOnly(base),
    bulkOnly(withNotes({ readOnly: ['kind'] })),
    { method: 'PUT', body: [{ ...note, kind: 'a', id: '7' }] },
  ],
  [
    'request-read-only-set',
    'of an untold body',
    withNotes(untold),
    withNotes({ ...untold, readOnly: ['kind'] }),
    { method: 'PUT', note: 'a body that changes "kind"' },
  ],
  [
    'update-field-added',
    'of a body that nobody finds',
    secret,
    withNotes({ update: { ...nothing, properties: { ...Object(nothing.properties), y: {} } } }),
    { note: 'a body without "y"' },
  ],
  [
    'revision-field-dropped',
    'of an item',
    withNotes({ revision: 'rank' }),
    base,
    { target: '/v2/kinds/7/notes/7', header: 'If-Match: "1"', body: note },
  ],
  [
    'id-type-changed',
    'of an answer',
    base,
    withNotes({ id: { type: 'integer' }, item: numbers }),
    { answer: { id: 7, x: 0 } },
  ],
  [
    'id-type-changed',
    'of an untold answer',
    withNotes({ item: null }),
    withNotes({ item: null, id: { type: 'integer' } }),
    { answer: { id: 7 } },
  ],
  [
    'filterable-removed',
    'with a value of the type',
    withNotes({ filterable: { rank: { type: 'integer', values: null } } }),
    base,
    { target: '/v2/kinds/7/notes?rank=7' },
  ],
  [
    'filterable-removed',
    'of a list',
    withNotes({ filterable: { tags: { type: 'text', values: null, isList: true } } }),
    base,
    { target: '/v2/kinds/7/notes?tags%3Ahas=a' },
  ],
  [
    'filter-removed',
    'of a list that has one value now',
    withNotes({ filterable: { tags: { type: 'text', values: null, isList: true } } }),
    withNotes({ filterable: { tags: { type: 'text', values: null } } }),
    { target: '/v2/kinds/7/notes?tags%3Ahas=a' },
  ],
  [
    'filterable-removed',
    'by ids',
    withNotes({ filterable: { kind: { type: 'id', values: null } } }),
    base,
    { target: '/v2/kinds/7/notes?kind=a' },
  ],
  [
    'reference-set',
    'of POST',
    withNotes({ references: {} }),
    base,
    {
      target: '/v2/notes',
      body: { ...note, kind: 'none' },
      note: 'no item has the id of "kind"',
    },
  ],
  [
    'operation-removed',
    'of what matches',
    base,
    without('deleteMany'),
    { method: 'DELETE', target: '/v2/kinds/7/notes?id=7', header: 'Prefer: max-affected=1' },
  ],
  [
    'filterable-removed',
    'of what matches alone',
    removesOnly(withNotes({ filterable: { rank: { type: 'integer', values: null } } })),
    removesOnly(withNotes({ filterable: {} })),
    { method: 'DELETE', target: '/v2/kinds/7/notes?rank=7', header: 'Prefer: max-affected=1' },
  ],
  [
    'search-off',
    'of what matches alone',
    removesOnly(base),
    removesOnly(withNotes({ searchable: [] })),
    { method: 'DELETE', target: '/v2/kinds/7/notes?q=a' },
  ],
  [
    'limit-lowered',
    'of what matches alone',
    removesOnly(base),
    removesOnly(lowerBulk),
    { method: 'DELETE', header: 'Prefer: max-affected=1000' },
  ],
  [
    'reference-set',
    'of another resource',
    withNotes({ references: { kind: 'notes' } }),
    base,
    { target: '/v2/notes', body: { ...note, kind: 'none' } },
  ],
  [
    'reference-set',
    'with a number',
    withNotes({ create: numbers, references: {} }),
    withNotes({ create: numbers, references: { x: 'kinds' } }),
    { body: { x: 404_040_404 } },
  ],
  [
    'reference-set',
    'with an id of a list',
    withNotes({ create: listed, references: {} }),
    withNotes({ create: listed, references: { x: 'kinds' } }),
    { body: { x: 'a' } },
  ],
  [
    'reference-set',
    'without a value',
    withNotes({ create: never, references: {} }),
    withNotes({ create: never, references: { x: 'kinds' } }),
    { body: { x: null } },
  ],
  [
    'reference-set',
    'of an untold body',
    withNotes({ create: null, references: {} }),
    withNotes({ create: null }),
    { body: { kind: 'none' } },
  ],
]

test('calls a move from a state fine that the contract knows no more', () => {
  const old = withNotes({ states: states({ a: [], b: ['a'] }) })
  const after = withNotes({ states: states({ a: [] }) })
  expect(changesOf(old, after).map(({ rule }) => rule)).toEqual(['unseen-changed'])
})

const silent: readonly (readonly [title: string, old: Snapshot, after: Snapshot])[] = [
  ['a reference of an old snapshot', withoutReferences, base],
  ['a reference that an old snapshot lacks', base, withoutReferences],
  ['another name of the same resource', base, renamedKinds],
  ['an operation that nobody has', onlyReads(withNotes({ references: {} })), onlyReads(base)],
]

test.each(silent)('says nothing of %s', (_, old, after) => {
  const rules = changesOf(old, after).map(({ rule }) => rule)
  expect(rules.filter((rule) => rule.startsWith('reference'))).toEqual([])
})

const unknownOrders = changed(
  ({ versions }) => {
    for (const path of Object.values(versions.v2?.paths ?? {}))
      Reflect.deleteProperty(path, 'joined')
  },
  titled(['title'], []),
)

test.each([
  ['an old snapshot does not tell', unknownOrders, titled(['title'], [])],
  ['a new snapshot does not tell', titled(['title'], []), unknownOrders],
])('says nothing of an order that %s', (_, old, after) => {
  const rules = changesOf(old, after).map(({ rule }) => rule)
  expect(rules).toEqual(['unseen-changed'])
})

test('says nothing of a bound where every deletion needs one', () => {
  const changes = changesOf(removesOnly(base), removesOnly(withNotes({ bounded: true })))
  expect(changes.filter(({ rule }) => rule.startsWith('bounded'))).toEqual([])
})

test.each([
  ['removed', titled([], []), base],
  ['added', base, titled([], [])],
])('calls a field of related items that is %s one change of each path', (end, old, after) => {
  const found = changesOf(old, after).filter(({ rule }) => rule.startsWith('related-filter'))
  const change = [`related-filter-${end}`, 'sort_of.title']
  const changes = found.map(({ rule, message }) => [rule, message.split(' ').at(-1)])
  expect(changes).toEqual([change, change])
})

test('calls a reference of a new field fine', () => {
  const old = withNotes({
    create: objectWith(undefined),
    update: objectWith(undefined),
    references: {},
  })
  const found = changesOf(old, base).filter(({ rule }) => rule === 'reference-set')
  expect(found.map(({ verdict }) => verdict)).toEqual(['fine', 'fine'])
})

describe.each(rows)('%s', (rule, title, old, after, witness) => {
  test(`has a witness ${title}`, () => {
    const change = changesOf(old, after).find((one) => one.rule === rule)
    expect(change?.witness).toMatchObject(witness)
  })
})
