import type { Scalar } from '../../contract/resource/operation.ts'
import { scalarOf } from '../../contract/values/order.ts'
import { elementsIn, valueReaderOf } from '../../contract/values/search.ts'
import { type FilterOperator, filterOperatorNames } from '../../convention/filter-operators.ts'
import type { OfferedReference } from '../check/message.ts'
import type { CallerRequest, CanonicalResponse, Exchange } from './exchange.ts'
import type { ProvenCollection, Tree, TreeItem } from './tree.ts'

/** A request of the caller who must learn nothing. */
export interface Question {
  readonly collection: ProvenCollection
  /** Builds the request; a write gets an item of the caller that nothing else uses. */
  readonly build: (fresh: TreeItem) => CallerRequest
  /** The request needs such an item. */
  readonly isFresh: boolean
  /** The request names an item of the other caller as a reference or an owner. */
  readonly isNaming?: boolean
  /** The caller who asks, unless it is the asker. */
  readonly caller?: 'nobody'
}

/** The facts from which the questions are made. They differ in ids only, from world to world. */
export interface QuestionFacts {
  readonly ownTree: Tree
  /** The other caller's items, or items that never were. */
  readonly foreign: Tree
  /** Items of the other caller that were there before both worlds. */
  readonly past: Tree
  /** A text in every item of the other caller. */
  readonly mark: string
  /** Fields of the other caller's items that the server set from the caller. */
  readonly owners: Readonly<Record<string, unknown>>
  /** The beginning of an idempotency key. The other caller has used it, or no caller. */
  readonly key: string
  /** The asker's items are new in each world. */
  readonly isReseeded?: boolean
}

/** A place to ask about: a collection below parents. */
export interface Asked {
  readonly collection: ProvenCollection
  readonly path: string
}

/** Asks with a plain request. */
export function plainly({ collection }: Asked, request: CallerRequest): Question {
  return { collection, build: () => request, isFresh: false }
}

/** Asks with an item of the caller's own. */
export function freshly(
  { collection }: Asked,
  build: (fresh: TreeItem) => CallerRequest,
): Question {
  return { collection, build, isFresh: true }
}

/** Writes a query: `[['sort', 'name']]` → `?sort=name`. */
export function queryText(pairs: readonly (readonly [string, unknown])[]): string {
  const written = pairs.map(([name, value]) => `${name}=${encodeURIComponent(`${value}`)}`)
  return written.length === 0 ? '' : `?${written.join('&')}`
}

/** The responses to a question: the first, and those of what follows from it. */
export interface AskedAnswer {
  readonly question: Question
  readonly exchanges: readonly Exchange[]
  readonly canonical: readonly CanonicalResponse[]
}

/** The answers of one world. */
export interface Transcript {
  readonly facts: QuestionFacts
  /** In the order of the questions; `undefined` for one that was left out. */
  readonly answers: readonly (AskedAnswer | undefined)[]
  /** The ids of new items, by collection, in the order of their creation. */
  readonly ids: ReadonlyMap<string, readonly (string | number)[]>
}

/** The parameters of a query, in their order. */
export type Pairs = readonly (readonly [name: string, value: unknown])[]

/** Asks with GET: a word after the path, and parameters. */
type Get = (suffix: string, pairs?: Pairs) => Question

/** Asks in each order. */
export function sortQuestions(target: Asked, facts: QuestionFacts, get: Get): readonly Question[] {
  const related = target.collection.references.flatMap(ordersBy)
  return [...sortableIn(target, facts), ...related, 'id']
    .flatMap((field) => [field, `-${field}`])
    .flatMap((sort) => [
      get('', [['sort', sort]]),
      get('', [['sort', sort], singleItem]),
      get('', [['sort', sort], singleItem, ['offset', 1]]),
      get('/first', [['sort', sort]]),
      get('/last', [['sort', sort]]),
    ])
}

/** Returns the fields of related items that an order can name: `company.name`. */
export function ordersBy({
  as,
  sortable,
}: Pick<OfferedReference, 'as' | 'sortable'>): readonly string[] {
  return sortable.map((field) => `${as}.${field}`)
}

const singleItem = ['limit', 1] as const

// The order of two ids tells nothing of an item.
const ranges: ReadonlySet<FilterOperator> = new Set(['gt', 'gte', 'lt', 'lte'])

/** Asks with each filter. */
export function filterQuestions(
  target: Asked,
  facts: QuestionFacts,
  get: Get,
): readonly Question[] {
  return filterPairs(target, facts).flatMap((pairs) => [get('', pairs), get('/count', pairs)])
}

/** Returns each filter with a value, those of related items last. */
export function filterPairs(target: Asked, facts: QuestionFacts): readonly Pairs[] {
  const { references, related } = target.collection
  const own = filterValues(target, facts).flatMap(([field, value]) => {
    const isId = field === 'id' || references.some((reference) => reference.field === field)
    const operators = filterOperatorNames.filter((name) => !isId || !ranges.has(name))
    return operators.map((name): Pairs => {
      const parameter = name === 'eq' ? field : `${field}:${name}`
      return [[parameter, name === 'null' ? true : value]]
    })
  })
  const ofRelated = related.map((filter): Pairs => [[filter.name, relatedValue(filter, facts)]])
  return [...own, ...ofRelated]
}

// The value of an item that the other's items reference. The same in each world.
function relatedValue(
  { reference: { to }, field, operator }: ProvenCollection['related'][number],
  { foreign, ownTree }: QuestionFacts,
): unknown {
  if (operator === 'null') return true
  const values = [
    ...foreign.ofResource(to).map(({ sent }) => valueAt(sent, field)),
    ...ownTree.ofResource(to).map(({ stored }) => valueAt(stored, field)),
  ]
  return values.find((value) => value !== null) ?? anyValue
}

/** Asks for the groups of each field, and of fields together. */
export function groupQuestions(
  { collection: { countable, related } }: Asked,
  facts: QuestionFacts,
  get: Get,
): readonly Question[] {
  const { mark } = facts
  const pairs = countable.slice(1).map((field, place) => `${countable[place]},${field}`)
  return [...countable, ...pairs].flatMap((by) => [
    get('/count', [['by', by]]),
    get('/count', [
      ['by', by],
      ['q', mark],
    ]),
    ...related.slice(0, 1).map((filter) =>
      get('/count', [
        ['by', by],
        [filter.name, relatedValue(filter, facts)],
      ]),
    ),
  ])
}

/** Asks with parameters that meet: each two of them, and each at each word. */
export function mixedQuestions(target: Asked, facts: QuestionFacts, get: Get): readonly Question[] {
  const parts = partsOf(target, facts)
  const isPage = (pairs: Pairs): boolean => pairs[0]?.[0] === 'limit'
  const couples = parts.flatMap((first, index) =>
    parts
      .slice(index + 1)
      .filter((second) => !isPage(first) || !isPage(second))
      .map((second) => get('', [...new Map([...first, ...second].map(keyed)).values()])),
  )
  const words = ['/last', '/count'].flatMap((word) => parts.map((pairs) => get(word, pairs)))
  return [...parts.map((pairs) => get('', pairs)), ...couples, ...words]
}

// A parameter with two values has both; two parts with one parameter have one.
function keyed(pair: Pairs[number]): readonly [string, Pairs[number]] {
  const [name, value] = pair
  return [singles.has(name) ? name : `${name}=${value}`, pair]
}

const singles: ReadonlySet<string> = new Set(['limit', 'offset', 'q', 'sort', 'fields', 'include'])

/** Returns parameters of every kind, which items of both callers meet. */
export function partsOf(target: Asked, facts: QuestionFacts): readonly Pairs[] {
  const { ownTree, foreign, mark, key } = facts
  const { collection } = target
  const [mine] = ownTree.of(collection)
  const [theirs] = foreign.of(collection)
  const [field] = sortableIn(target, facts)
  const filters = filterValues(target, facts).filter(([name]) => name !== 'id')
  const includes = collection.references.flatMap(({ include }) => include ?? [])
  const [related] = collection.related
  return [
    // The texts of both callers begin alike.
    [['q', mark.slice(0, -1)]],
    // A URL that no other world has asked.
    [['id:ne', key]],
    [
      ['id', mine?.id],
      ['id', theirs?.id],
    ],
    ...filters.slice(0, 3).map(([name, value]): Pairs => [[equalityOf(name, mine), value]]),
    ...(related === undefined ? [] : [[[related.name, relatedValue(related, facts)] as const]]),
    ...bothValues(filters, [mine, theirs]),
    [['sort', field === undefined ? '-id' : `-${field},-id`]],
    [singleItem],
    [['limit', 1000]],
    [singleItem, ['offset', 1]],
    [['fields', 'id']],
    ...(includes.length === 0
      ? []
      : [
          [
            ['include', includes.slice(0, 4).join(',')],
            ['limit', 100],
          ] as const,
        ]),
  ]
}

// A filter with the values of both callers, where one differs.
function bothValues(
  filters: Pairs,
  [mine, theirs]: readonly [TreeItem | undefined, TreeItem | undefined],
): readonly Pairs[] {
  const found = filters.find(([name]) => valueAt(mine?.sent, name) !== valueAt(theirs?.sent, name))
  if (found === undefined) return []
  const [name, value] = found
  const parameter = equalityOf(name, mine)
  const own = [parameter, valueAt(mine?.sent, name)] as const
  return [[own, [parameter, value]]]
}

// The values of the other's items, and of the own items where the other's have none. The server
// sets some fields: their values are those of the other's items before both worlds.
function filterValues(
  { collection }: Asked,
  { foreign, owners, ownTree, past }: QuestionFacts,
): Pairs {
  const [theirs] = foreign.of(collection)
  const [mine] = ownTree.of(collection)
  const [once] = past.of(collection)
  const stored = { ...mine?.stored, ...once?.stored }
  const values = { ...stored, ...mine?.sent, ...theirs?.sent, ...owners, id: theirs?.id }
  const { filterable } = collection
  const isFilter = (name: string): boolean => name === 'id' || (filterable?.includes(name) ?? true)
  const names = new Set([...Object.keys(values).filter(isFilter), ...(filterable ?? [])])
  const pairs = [...names].map((name) => [name, valueAt(values, name)] as const)
  const valued = pairs.filter(([, value]) => value !== null)
  const unknown = pairs.filter(([name, value]) => value === null && filterable?.includes(name))
  return [...valued, ...unknown.map(([name]) => [name, anyValue] as const)]
}

/**
 * Returns the value that a filter of a name compares: of a field, of a member, or the first element
 * of a list; `null` for none.
 */
export function valueAt(item: object | undefined, name: string): Scalar {
  if (item === undefined) return null
  const [element = valueReaderOf(name)(item)] = elementsIn(item, name)
  return element
}

// The filter that finds the items with a value.
function equalityOf(name: string, item: TreeItem | undefined): string {
  return Array.isArray(item?.stored?.[name]) ? `${name}:has` : name
}

// The value of a field that no known item has. Its filter of missing values needs none.
const anyValue = 1

function sortableIn({ collection }: Asked, { ownTree }: QuestionFacts): readonly string[] {
  if (collection.sortable !== undefined) return collection.sortable.filter((name) => name !== 'id')
  const stored = ownTree.of(collection)[0]?.stored ?? {}
  return Object.keys(stored).filter((name) => name !== 'id' && scalarOf(stored, name) !== null)
}
