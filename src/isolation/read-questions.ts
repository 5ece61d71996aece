import { isRecord } from '../model/declared.ts'
import { type FilterOperator, filterOperatorNames } from '../model/filter-operators.ts'
import { type Asked, type Bearings, plainly, type Question, queryText } from './question.ts'

type Pairs = readonly (readonly [string, unknown])[]

/** Asks everything that a caller can read of a collection of its own. */
export function readQuestions(asked: Asked, bearings: Bearings): readonly Question[] {
  const get = (suffix: string, pairs: Pairs = [], headers = {}): Question =>
    plainly(asked, { method: 'GET', path: asked.path + suffix + queryText(pairs), headers })
  const exact = { prefer: 'count=exact' }
  const own = bearings.own.of(asked.collection)
  return [
    get(''),
    get('', [], exact),
    ...['/count', '/first', '/last'].map((word) => get(word)),
    ...['HEAD', 'OPTIONS'].map((method) => plainly(asked, { method, path: asked.path })),
    ...pagePairs.map((pairs) => get('', pairs)),
    get('', [['limit', 1]], exact),
    ...['', '/count', '/first', '/last'].map((word) => get(word, [['q', bearings.mark]])),
    get('', [['q', bearings.mark]], exact),
    get('', [['fields', 'id']]),
    ...sortQuestions(asked, bearings, get),
    ...filterQuestions(asked, bearings, get),
    ...own.flatMap(({ id }) => includesOf(asked).map((pairs) => get(`/${id}`, pairs))),
    ...includesOf(asked).map((pairs) => get('', pairs)),
    ...own.map(({ id }) => get(`/${id}`)),
    ...own.map(({ id }) => get(`/${id}`, [['fields', 'id']])),
  ]
}

type Get = (suffix: string, pairs?: Pairs) => Question

const pagePairs: readonly Pairs[] = [
  [['limit', 1]],
  [['limit', 2]],
  [
    ['limit', 1],
    ['offset', 1],
  ],
  [['offset', 2]],
]

function includesOf({ collection }: Asked): readonly Pairs[] {
  return collection.references.flatMap(({ include }) =>
    include === undefined ? [] : [[['include', include] as const]],
  )
}

function sortQuestions({ collection }: Asked, bearings: Bearings, get: Get): readonly Question[] {
  const fields = collection.sortable ?? fieldsOf(bearings, collection.name)
  return fields
    .flatMap((field) => [field, `-${field}`])
    .flatMap((sort) => [
      get('', [['sort', sort]]),
      get('', [
        ['sort', sort],
        ['limit', 1],
      ]),
      get('/first', [['sort', sort]]),
      get('/last', [['sort', sort]]),
    ])
}

// The order of two ids tells nothing of an item.
const ranges: ReadonlySet<FilterOperator> = new Set(['gt', 'gte', 'lt', 'lte'])

function filterQuestions(
  { collection }: Asked,
  { foreign, owners, own }: Bearings,
  get: Get,
): readonly Question[] {
  const { filterable, references } = collection
  const [theirs] = foreign.of(collection)
  const values = { ...own.of(collection)[0]?.sent, ...theirs?.sent, ...owners, id: theirs?.id }
  return Object.entries(values)
    .filter(([field, value]) => isPlain(value) && (filterable?.includes(field) ?? true))
    .flatMap(([field, value]) => {
      const isId = field === 'id' || references.some((one) => one.field === field)
      const operators = filterOperatorNames.filter((name) => !isId || !ranges.has(name))
      return operators.flatMap((name) => {
        const parameter = name === 'eq' ? field : `${field}:${name}`
        const pairs: Pairs = [[parameter, name === 'null' ? true : value]]
        return [get('', pairs), get('/count', pairs)]
      })
    })
}

function isPlain(value: unknown): boolean {
  return value !== null && value !== undefined && !isRecord(value) && !Array.isArray(value)
}

function fieldsOf({ own }: Bearings, name: string): readonly string[] {
  return Object.entries(own.of({ name })[0]?.stored ?? {}).flatMap(([field, value]) =>
    isPlain(value) ? field : [],
  )
}
