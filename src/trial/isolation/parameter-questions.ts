import { type FilterOperator, filterOperatorNames } from '../../convention/filter-operators.ts'
import { isRecord } from '../../convention/value.ts'
import type { Asked, Question, QuestionFacts } from './question.ts'

/** The parameters of a query, in their order. */
export type Pairs = readonly (readonly [name: string, value: unknown])[]

/** Asks with GET: a word after the path, and parameters. */
export type Get = (suffix: string, pairs?: Pairs) => Question

/** Asks in each order. */
export function sortQuestions(asked: Asked, facts: QuestionFacts, get: Get): readonly Question[] {
  return [...sortableIn(asked, facts), 'id']
    .flatMap((field) => [field, `-${field}`])
    .flatMap((sort) => [
      get('', [['sort', sort]]),
      get('', [['sort', sort], one]),
      get('', [['sort', sort], one, ['offset', 1]]),
      get('/first', [['sort', sort]]),
      get('/last', [['sort', sort]]),
    ])
}

const one = ['limit', 1] as const

// The order of two ids tells nothing of an item.
const ranges: ReadonlySet<FilterOperator> = new Set(['gt', 'gte', 'lt', 'lte'])

/** Asks with each filter. */
export function filterQuestions(asked: Asked, facts: QuestionFacts, get: Get): readonly Question[] {
  const { references } = asked.collection
  return filterValues(asked, facts).flatMap(([field, value]) => {
    const isId = field === 'id' || references.some((one) => one.field === field)
    const operators = filterOperatorNames.filter((name) => !isId || !ranges.has(name))
    return operators.flatMap((name) => {
      const parameter = name === 'eq' ? field : `${field}:${name}`
      const pairs: Pairs = [[parameter, name === 'null' ? true : value]]
      return [get('', pairs), get('/count', pairs)]
    })
  })
}

/** Asks with parameters that meet: each two of them, and each at each word. */
export function mixedQuestions(asked: Asked, facts: QuestionFacts, get: Get): readonly Question[] {
  const parts = partsOf(asked, facts)
  const isPage = (pairs: Pairs): boolean => pairs[0]?.[0] === 'limit'
  const couples = parts.flatMap((one, index) =>
    parts
      .slice(index + 1)
      .filter((other) => !isPage(one) || !isPage(other))
      .map((other) => get('', [...new Map([...one, ...other].map(keyed)).values()])),
  )
  const words = ['/last', '/count'].flatMap((word) => parts.map((part) => get(word, part)))
  return [...parts.map((part) => get('', part)), ...couples, ...words]
}

// A parameter with two values has both; two parts with one parameter have one.
function keyed(pair: Pairs[number]): readonly [string, Pairs[number]] {
  const [name, value] = pair
  return [singles.has(name) ? name : `${name}=${value}`, pair]
}

const singles: ReadonlySet<string> = new Set(['limit', 'offset', 'q', 'sort', 'fields', 'include'])

/** Returns parameters of every kind, which items of both callers meet. */
export function partsOf(asked: Asked, facts: QuestionFacts): readonly Pairs[] {
  const { own, foreign, mark, key } = facts
  const { collection } = asked
  const [mine] = own.of(collection)
  const [theirs] = foreign.of(collection)
  const [field] = sortableIn(asked, facts)
  const filters = filterValues(asked, facts).filter(([name]) => name !== 'id')
  const includes = collection.references.flatMap(({ include }) => include ?? [])
  const both = filters
    .filter(([name]) => mine?.sent[name] !== theirs?.sent[name])
    .slice(0, 1)
    .flatMap(([name, value]) => [[name, mine?.sent[name]] as const, [name, value] as const])
  return [
    // The texts of both callers begin alike.
    [['q', mark.slice(0, -1)]],
    // A URL that no other world has asked.
    [['id:ne', key]],
    [
      ['id', mine?.id],
      ['id', theirs?.id],
    ],
    ...filters.slice(0, 3).map((filter) => [filter]),
    ...(both.length === 0 ? [] : [both]),
    [['sort', field === undefined ? '-id' : `-${field},-id`]],
    [one],
    [['limit', 1000]],
    [one, ['offset', 1]],
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

// The values of the other's items, and of the own items where the other's have none. The server
// sets some fields: their values are those of the other's items before both worlds.
function filterValues({ collection }: Asked, { foreign, owners, own, past }: QuestionFacts): Pairs {
  const [theirs] = foreign.of(collection)
  const [mine] = own.of(collection)
  const [once] = past.of(collection)
  const stored = { ...mine?.stored, ...once?.stored }
  const values = { ...stored, ...mine?.sent, ...theirs?.sent, ...owners, id: theirs?.id }
  const { filterable } = collection
  const known = Object.entries(values).filter(
    ([field, value]) => isPlain(value) && (field === 'id' || (filterable?.includes(field) ?? true)),
  )
  const names = new Set(known.map(([name]) => name))
  const unknown = (filterable ?? []).filter((name) => !names.has(name))
  return [...known, ...unknown.map((name) => [name, anyValue] as const)]
}

// The value of a field that no known item has. Its filter of missing values needs none.
const anyValue = 1

function isPlain(value: unknown): boolean {
  return value !== null && value !== undefined && !isRecord(value) && !Array.isArray(value)
}

function sortableIn({ collection }: Asked, { own }: QuestionFacts): readonly string[] {
  if (collection.sortable !== undefined) return collection.sortable.filter((name) => name !== 'id')
  const stored = Object.entries(own.of(collection)[0]?.stored ?? {})
  return stored.flatMap(([field, value]) => (isPlain(value) && field !== 'id' ? field : []))
}
