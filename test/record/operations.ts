import {
  isProblem,
  type Operation,
  type OperationKind,
  type Query,
  type Scope,
  type UncheckedAdapter,
} from 'nounful'
import { textOf } from './canonical.ts'
import { specimens } from './contract.ts'
import { numbers, texts } from './values.ts'

type Item = Readonly<Record<string, unknown>>
type Condition = Query['where'][number]
type Change = (stored: never) => unknown

/** A call of an adapter: the method, and what its operation has beyond a plain one. */
interface Call {
  readonly method:
    | 'createMany'
    | 'modify'
    | 'modifyMany'
    | Exclude<OperationKind, 'patch' | 'patchMany'>
  readonly kind: OperationKind
  readonly scope?: Scope
  readonly query?: Partial<Query>
  readonly id?: string
  readonly ids?: readonly string[]
  readonly item?: Item
  readonly items?: readonly Item[]
  readonly maxAffected?: number
  /** The name of a function of {@link functions}. */
  readonly change?: string
}

const plainQuery: Query = {
  q: '',
  words: [],
  where: [],
  sort: [{ field: 'id', direction: 'asc' }],
  limit: undefined,
  offset: 0,
  after: undefined,
  fields: undefined,
  include: undefined,
}
const { signal } = new AbortController()

function operationOf({ method, change, query, ...own }: Call): Operation {
  return {
    resource: specimens,
    version: 'v2',
    path: '/specimens',
    scope: {},
    parents: [],
    id: undefined,
    item: undefined,
    items: undefined,
    ids: undefined,
    isDryRun: false,
    isDeprecated: false,
    maxAffected: undefined,
    ifRevision: undefined,
    signal,
    ...structuredClone(own),
    query: { ...plainQuery, ...structuredClone(query) },
  }
}

/** The specimens that most calls are about. */
const items: readonly Item[] = texts.map((name, n) => ({
  id: `i${(n * 17) % 36}${n % 7 === 0 ? 'X' : ''}`,
  name,
  ...(n % 3 !== 0 && { note: n % 6 === 1 ? 'a' : texts[(n * 7) % texts.length] }),
  ...(n % 4 !== 0 && { rank: numbers[n % numbers.length] }),
  ...(n % 2 !== 0 && { flag: n % 3 === 0 }),
  ...(n % 5 === 0 && { data: { born: 1815, works: ['Notes', { year: 1843, read: null }] } }),
}))
const ids = items.map(({ id }) => String(id))
const scopes: readonly Scope[] = [
  ...[
    {},
    { note: 'a' },
    { note: 'b' },
    { note: 'none' },
    { note: [] },
    { note: ['a', 'Ida Lund'] },
  ],
]
const kinds = ['list', 'count', 'first', 'last'] as const
const sorted = ['name', 'note', 'rank', 'flag'] as const

function orderOf(...fields: readonly string[]): Query['sort'] {
  const order = fields.map((text) => ({
    field: text.replace('-', ''),
    direction: text.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }))
  const isTotal = order.some(({ field }) => field === 'id')
  return (isTotal ? order : [...order, ...plainQuery.sort]) as Query['sort']
}

const orders = [
  ...['id', '-id', ...sorted, ...sorted.map((field) => `-${field}`)].map((field) => [field]),
  ...[
    ['name', '-rank'],
    ['flag', '-name'],
    ['-note', 'rank', '-flag'],
    ['rank', 'note', '-id'],
  ],
].map((fields) => orderOf(...fields))

/** Every condition on a field. Its values are in order, each once, as the core makes them. */
function conditionsOn(field: string, values: Condition['values']): readonly Condition[] {
  const type = { rank: 'number', flag: 'boolean' }[field] ?? 'text'
  const condition = (is: string, list: Condition['values']) =>
    ({ field, is, values: list, type }) as Condition
  const lists = [...values.map((value) => [value]), values.slice(0, 3), []]
  const isText = type === 'text' && field !== 'id'
  const comparisons = type === 'boolean' || field === 'id' ? [] : ['gt', 'gte', 'lt', 'lte']
  return [
    ...['in', 'notIn', 'inOrMissing'].flatMap((is) => lists.map((list) => condition(is, list))),
    ...['missing', 'present'].map((is) => condition(is, [])),
    ...comparisons.flatMap((is) => values.map((value) => condition(is, [value]))),
    ...(isText ? ['contains', 'startsWith', 'endsWith'] : []).flatMap((is) =>
      ['a', 'A', 'é', '%', '_', '\\', 'ß', 'ss', 'Σ', ' ', 'b'].map((part) =>
        condition(is, [part]),
      ),
    ),
  ]
}

const texted = [...new Set(texts)].toSorted()
const conditions: readonly Condition[] = [
  ...conditionsOn('name', texted),
  ...conditionsOn('note', texted),
  ...conditionsOn(
    'rank',
    numbers.toSorted((a, b) => a - b),
  ),
  ...conditionsOn('flag', [false, true]),
  ...conditionsOn('id', [...ids.slice(0, 4), 'none'].toSorted()),
]
const searches = [
  ...['', 'a', 'A', 'é', 'e\u0301', 'ß', 'ss', 'σ', 'Σ', '%', '_', '\\', "'", 'a b', 'b a', 'c'],
  ...['10', '😀', ' ', 'zz', 'mile', 'ann lee', 'lee ann', 'null', '2020'],
].map((q) => ({ q, words: q.split(/\s+/u).filter((word) => word !== '') }))

/** The reads of some items: by id, in each scope, in each order, by each search and condition. */
function readsOf(some: readonly string[]): readonly Call[] {
  const read = (id: string, scope: Scope): Call => ({ method: 'read', kind: 'read', id, scope })
  const each = (query: Partial<Query>, scope: Scope = {}): readonly Call[] =>
    kinds.map((kind) => ({ method: kind, kind, query, scope }))
  const [flag] = conditionsOn('flag', [true])
  const seldom = conditions.filter((_, index) => index % 9 === 0)
  return [
    ...some.flatMap((id) => scopes.map((scope) => read(id, scope))),
    ...['none', '', 'I1', 'i1 ', '0'].map((id) => read(id, {})),
    ...scopes.flatMap((scope) =>
      [{}, { q: 'a', words: ['a'] }, { where: flag ? [flag] : [] }].flatMap((query) =>
        each(query, scope),
      ),
    ),
    ...orders.flatMap((sort) => each({ sort })),
    ...searches.flatMap((query) => each(query)),
    ...conditions.flatMap((condition) => each({ where: [condition] }).slice(0, 2)),
    ...seldom.flatMap((condition, index) =>
      seldom
        .slice(index + 1, index + 4)
        .flatMap((second) =>
          each({ where: [condition, second], sort: orderOf('-name'), limit: 5 }).slice(0, 1),
        ),
    ),
  ]
}

/** The position of an item in an order. */
function positionOf(item: Item, sort: Query['sort']): Query['after'] {
  return Object.fromEntries(sort.map(({ field }) => [field, item[field] ?? null])) as Query['after']
}

const create = (item: Item, scope: Scope = {}): Call => ({
  method: 'create',
  kind: 'create',
  item,
  scope,
})
const createMany = (list: readonly Item[]): Call => ({
  method: 'createMany',
  kind: 'create',
  items: list,
})
const updateMany = (list: readonly Item[], scope: Scope = {}): Call => ({
  method: 'updateMany',
  kind: 'updateMany',
  items: list,
  scope,
})
const modifyMany = (some: readonly string[], scope: Scope, change: string): Call => ({
  method: 'modifyMany',
  kind: 'patchMany',
  ids: some,
  scope,
  change,
})
const deleteAll = (scope: Scope, maxAffected?: number): Call => ({
  method: 'deleteAll',
  kind: 'deleteAll',
  scope,
  ...(maxAffected !== undefined && { maxAffected }),
})

const creations: readonly Call[] = [
  ...items.slice(0, 20).map((item) => create(item)),
  create({ id: ids[0], name: 'again' }),
  createMany(items.slice(20)),
  createMany([
    { id: 'new1', name: 'n' },
    { id: ids[0], name: 'again' },
  ]),
  createMany([
    { id: 'new1', name: 'n' },
    { id: 'new1', name: 'm' },
  ]),
  createMany([]),
  create({ id: 'owned', name: 'o', note: 'a' }, { note: 'a' }),
]

const none = 'none'
const changes: readonly Call[] = [
  ...scopes.flatMap((scope) =>
    ids.slice(4, 12).flatMap((id): readonly Call[] => [
      { method: 'update', kind: 'update', id, scope, item: { id, name: 'scoped', note: 'a' } },
      { method: 'read', kind: 'read', id },
    ]),
  ),
  { method: 'update', kind: 'update', id: none, item: { id: none, name: 'x' } },
  updateMany(ids.slice(10, 16).map((id) => ({ id, name: 'many' }))),
  updateMany([ids[3], none, ids[5]].map((id) => ({ id, name: 'half' }))),
  updateMany([]),
  ...scopes.map((scope) =>
    updateMany(
      ids.slice(11, 14).map((id) => ({ id, name: 'in scope', note: 'a' })),
      scope,
    ),
  ),
]

/** What `modify` and `modifyMany` do to stored items. */
const functions: Readonly<Record<string, Change>> = {
  note: (stored: Item) => ({ ...stored, note: 'patched' }),
  keep: (stored: Item) => stored,
  shorten: async ({ id }: Item) => ({ id, name: 'short' }),
  fail: () => {
    throw new RangeError('The function fails.')
  },
  noteAll: (stored: readonly (Item | undefined)[]) =>
    stored.map((item) => {
      if (item === undefined) throw new RangeError('An item is absent.')
      return { ...item, note: 'several' }
    }),
  rankAll: (stored: readonly Item[]) => stored.map((item) => ({ ...item, rank: 1 })),
}

const patches: readonly Call[] = [
  ...[...ids.slice(0, 6), none].flatMap((id) =>
    scopes.flatMap((scope) =>
      ['note', 'keep', 'shorten', 'fail'].map(
        (change): Call => ({ method: 'modify', kind: 'patch', id, scope, change }),
      ),
    ),
  ),
  ...scopes.map((scope) => modifyMany(ids.slice(6, 10).toReversed(), scope, 'noteAll')),
  modifyMany([ids[6] ?? none, none], {}, 'noteAll'),
  modifyMany([], {}, 'noteAll'),
]

const thousand = Array.from({ length: 1000 }, (_, n) => ({ id: `bulk${n}`, name: `b${n}` }))
const bulks: readonly Call[] = [
  createMany(thousand.map((item) => ({ ...item, note: 'bulk' }))),
  updateMany(thousand.map(({ id }) => ({ id, name: `c${id}`, note: 'bulk' }))),
  modifyMany(
    thousand.map(({ id }) => id),
    {},
    'rankAll',
  ),
  ...[0, 1, 999, 1000].map((maxAffected) => deleteAll({ note: 'bulk' }, maxAffected)),
]

const deletions: readonly Call[] = [
  ...scopes.flatMap((scope) =>
    [...ids.slice(16, 20), none].map(
      (id): Call => ({ method: 'delete', kind: 'delete', id, scope }),
    ),
  ),
  deleteAll({ note: none }),
  deleteAll({ note: 'a' }),
]

/** Calls the adapter of an empty storage, and returns each call and its result as one text. */
export async function pairsOfOperations(adapter: UncheckedAdapter): Promise<readonly string[]> {
  const pairs: string[] = []
  const ask = async (call: Call): Promise<unknown> => {
    const method = adapter[call.method]
    const values = [operationOf(call), undefined, functions[call.change ?? '']]
    const answer = async () => method && Reflect.apply(method, adapter, values)
    const value = await answer().catch((error: unknown) =>
      isProblem(error) ? error.code : Object(error).name,
    )
    const question = JSON.stringify(call, (_, part) => (part === undefined ? null : part))
    pairs.push(`${question}\n${await textOf(value ?? null)}\n`)
    return value
  }
  const askAll = async (calls: readonly Call[]) => {
    for (const call of calls) await ask(call)
  }
  await askAll([...creations, ...readsOf(ids)])
  for (const sort of orders) {
    const list = await ask({ method: 'list', kind: 'list', query: { sort } })
    const lasts = Array.isArray(list) ? list.filter((_, index) => index % 3 === 0) : []
    const limits = [1, 3, undefined]
    await askAll(
      lasts.flatMap((last: Item) =>
        limits.map((limit): Call => {
          const query = { sort, limit, after: positionOf(last, sort) }
          return { method: 'list', kind: 'list', query }
        }),
      ),
    )
  }
  await askAll([...changes, ...patches, ...bulks, ...deletions])
  await askAll([...readsOf(ids.slice(0, 6)), deleteAll({}), { method: 'list', kind: 'list' }])
  return pairs
}
