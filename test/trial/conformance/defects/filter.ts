import type { Item } from 'nounful'
import { compareValues, foldCase, scalarOf } from '../../../../src/contract/values/order.ts'
import { meeting } from '../../../../src/contract/values/search.ts'
import type { Comparison, Condition } from '../../../../src/convention/filter-operators.ts'
import {
  asking,
  type BrokenRow,
  broken,
  type Defect,
  filtering,
  isMissing,
  itemsOf,
  listIn,
  mistaking,
} from '../broken.ts'

/** Takes some values for others, on both sides of some comparisons. */
function taking(
  comparisons: readonly Comparison[],
  change: (value: string | number | boolean) => string | number | boolean,
): Defect {
  return filtering((item, where) =>
    where.every((condition) => {
      const { field, is, values } = condition
      if (!comparisons.includes(is)) return meeting([condition])(item)
      const value = scalarOf(item, field)
      const other = value === null ? {} : { [field]: change(value) }
      return meeting([{ ...condition, values: values.map(change) }])({ ...item, ...other })
    }),
  )
}

const equalities = ['in', 'notIn'] as const
const bounds = ['gt', 'gte', 'lt', 'lte'] as const
const parts = ['contains', 'startsWith', 'endsWith'] as const

function ofText(change: (text: string) => string) {
  return <Value>(value: Value | string) => (typeof value === 'string' ? change(value) : value)
}

/** Compares bounds in an order of its own. */
function bounding(compare: (one: unknown, other: unknown) => number): Defect {
  return filtering((item, where) =>
    where.every((condition) => {
      const { field, is, values } = condition
      const value = scalarOf(item, field)
      const isBound = bounds.some((bound) => bound === is)
      if (!isBound || value === null) return meeting([condition])(item)
      const order = compare(value, values[0])
      if (order === 0) return is === 'gte' || is === 'lte'
      return order > 0 === is.startsWith('g')
    }),
  )
}

/** Tests each condition with a function; `undefined` for the correct test. */
function testing(test: (value: unknown, condition: Condition) => boolean | undefined): Defect {
  return filtering((item, where) =>
    where.every(
      (condition) => test(scalarOf(item, condition.field), condition) ?? meeting([condition])(item),
    ),
  )
}

function patternOf(part: string, is: Comparison): RegExp {
  const plain = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = plain.replaceAll('\\\\', '').replaceAll('%', '.*').replaceAll('_', '.')
  const [start, end] = [
    is === 'contains' || is === 'endsWith',
    is === 'contains' || is === 'startsWith',
  ]
  return new RegExp(`^${start ? '.*' : ''}${pattern}${end ? '.*' : ''}$`, 'isu')
}

const isCollated = (one: unknown, other: unknown): number =>
  typeof one === 'string' && typeof other === 'string'
    ? one.localeCompare(other)
    : compareValues(one, other)

/** Adapters with defects of filters. */
export const filterRows: readonly BrokenRow[] = [
  [
    'knows no filters',
    () => broken(asking(() => [])),
    [
      'filters find several values',
      'filters find booleans',
      'filters find many by id',
      'filters follow writes',
      'conditions hold together',
      'filters agree with the core',
      'count agrees with the core',
      ...['count', 'first', 'last'].map((kind) => `${kind} honours filters`),
    ],
  ],
  ...(['count', 'first', 'last'] as const).map(
    (kind): BrokenRow => [
      `forgets filters in ${kind}`,
      () => broken(asking(() => [], [kind])),
      [`${kind} honours filters`],
    ],
  ),
  ...Object.entries({
    'minds no case in filters': (text: string) => text.toLowerCase(),
    'takes padded text for equal': (text: string) => text.trimEnd(),
    'takes composed accents for equal': (text: string) => text.normalize('NFC'),
    'takes every emoji for one in filters': (text: string) => text.replace(/[^\0-\uffff]/gu, '?'),
  }).map(
    ([defect, change]): BrokenRow => [
      defect,
      () => broken(taking(equalities, ofText(change))),
      ['filters find text exactly'],
    ],
  ),
  [
    'takes ids of other spellings for equal',
    () =>
      broken(
        filtering((item, where) =>
          meeting(where.map((one) => (one.field === 'id' ? loosened(one) : one)))(
            where.some(({ field }) => field === 'id') ? { ...item, id: loose(item.id) } : item,
          ),
        ),
      ),
    ['filters find many by id'],
  ],
  [
    'compares bounds as dictionaries do',
    () => broken(bounding(isCollated)),
    ['filters compare text by code point', 'filters agree with the core'],
  ],
  [
    'compares moments as text',
    () =>
      broken(
        filtering((item, where) =>
          meeting(where.map((condition) => ({ ...condition, type: 'text' })))(item),
        ),
      ),
    ['filters compare moments as the core'],
  ],
  [
    'compares bounds of numbers as text',
    () => broken(bounding((one, other) => compareValues(`${one}`, `${other}`))),
    ['filters compare numbers by size', 'filters agree with the core'],
  ],
  [
    'finds numbers as floats',
    () =>
      broken(
        taking(equalities, (value) => (typeof value === 'number' ? Math.fround(value) : value)),
      ),
    ['filters find numbers exactly', 'filters agree with the core'],
  ],
  [
    'tells -0 from 0',
    () =>
      broken(testing((value, { is }) => (is === 'in' && Object.is(value, -0) ? false : undefined))),
    ['filters take -0 for 0'],
  ],
  [
    'takes missing for false',
    () =>
      broken(
        testing((value, { field, is, values }) =>
          field === 'flag' && is === 'in' && isMissing(value) ? values.includes(false) : undefined,
        ),
      ),
    ['filters find booleans'],
  ],
  [
    'takes empty for missing',
    () =>
      broken(
        testing((value, { is }) =>
          is === 'missing' || is === 'present' ? !value === (is === 'missing') : undefined,
        ),
      ),
    ['filters tell missing from empty'],
  ],
  [
    'excludes missing values as SQL does',
    () =>
      broken(testing((value, { is }) => (is === 'notIn' && isMissing(value) ? false : undefined))),
    [
      'missing values meet notIn and missing only',
      'filters find several values',
      'filters find booleans',
      'filters agree with the core',
    ],
  ],
  [
    'finds no missing value beside others',
    () =>
      broken(
        testing((value, { is }) => (is === 'inOrMissing' && isMissing(value) ? false : undefined)),
      ),
    ['filters find values or none'],
  ],
  [
    'sorts missing values beyond all bounds',
    () =>
      broken(
        testing((value, { is }) => (is.startsWith('g') && isMissing(value) ? true : undefined)),
      ),
    ['missing values meet notIn and missing only', 'filters compare numbers by size'],
  ],
  [
    'finds parts anywhere',
    () => broken(asking((where) => where.map(anywhere))),
    ['filters find parts of text'],
  ],
  ...Object.entries({
    'minds the case of parts': String,
    'folds the case of parts in ASCII only': (text: string) =>
      text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  }).map(
    ([defect, fold]): BrokenRow => [
      defect,
      () =>
        broken(
          testing((value, { is, values: [part] }) =>
            typeof value === 'string' && typeof part === 'string'
              ? hasPart(fold(value), is, fold(part))
              : undefined,
          ),
        ),
      ['parts of text ignore case', 'filters agree with the core'],
    ],
  ),
  [
    'takes parts for patterns of LIKE',
    () =>
      broken(
        testing((value, { is, values: [part] }) =>
          parts.some((one) => one === is) && typeof value === 'string'
            ? patternOf(foldCase(`${part}`), is).test(foldCase(value))
            : undefined,
        ),
      ),
    ['parts of text are plain text', 'filters agree with the core'],
  ],
  [
    'trims parts',
    () => broken(asking((where) => where.map(trimmed))),
    ['parts of text keep their spaces'],
  ],
  [
    'takes any condition for all',
    () =>
      broken(
        filtering((item, where) => where.length === 0 || where.some((one) => meeting([one])(item))),
      ),
    ['conditions hold together', 'filters agree with the core'],
  ],
  [
    'keeps the last condition of a field',
    () => broken(asking((where) => [...new Map(where.map((one) => [one.field, one])).values()])),
    ['conditions hold together'],
  ],
  [
    'searches without its filters',
    () => broken(asking((where, { query }) => (query.q === '' ? where : []))),
    ['filters and search hold together', 'count honours filters'],
  ],
  [
    'filters without its search',
    () =>
      broken(
        mistaking(['list'], ({ query }) => ({
          query: { ...query, words: query.where.length > 0 ? [] : query.words },
        })),
      ),
    ['filters and search hold together', 'filters agree with the core'],
  ],
  [
    'finds ids outside of the scope',
    () =>
      broken((operation, next) =>
        operation.kind === 'list' && operation.query.where.some(({ field }) => field === 'id')
          ? next({ ...operation, scope: {} })
          : next(operation),
      ),
    ['filters stay inside their scope', 'filters agree with the core'],
  ],
  [
    'limits before it filters',
    () =>
      broken((operation, next) => {
        const { kind, query } = operation
        if (kind !== 'list') return next(operation)
        const cut = itemsOf(next({ ...operation, query: { ...query, where: [] } }))
        return cut.filter(meeting(query.where))
      }),
    ['filters keep order and limit', 'pages of a filter are the filter'],
  ],
  [
    'gives filtered items as they were created',
    () =>
      broken((operation, next) => {
        const { kind, query, scope } = operation
        if (kind !== 'list' || query.where.length === 0 || query.limit === undefined)
          return next(operation)
        return listIn(operation, next, scope).filter(meeting(query.where)).slice(0, query.limit)
      }),
    ['filters keep order and limit'],
  ],
  [
    'filters the first page only',
    () => broken(asking((where, { query }) => (query.after ? [] : where))),
    ['pages of a filter are the filter', 'filters agree with the core'],
  ],
  [
    'finds everything for no values',
    () =>
      broken(asking((where) => where.filter(({ is, values }) => is !== 'in' || values.length > 0))),
    ['a filter without values finds nothing', 'count honours filters'],
  ],
  [
    'takes nine hundred values at most',
    () =>
      broken(asking((where) => where.map((one) => ({ ...one, values: one.values.slice(0, 900) })))),
    ['filters take a thousand values'],
  ],
  [
    'finds items by their first values',
    () => {
      const first = new Map<Item['id'], Item>()
      return broken(
        filtering((item, where) => {
          const known = first.get(item.id) ?? item
          first.set(item.id, known)
          return meeting(where)(known)
        }),
      )
    },
    ['filters follow writes'],
  ],
  [
    'sorts the values of its filters',
    () =>
      broken((operation, next) => {
        for (const { values } of operation.query.where) Array.prototype.reverse.call(values)
        return next(operation)
      }),
    ['list', 'first', 'last', 'count'].map((kind) => `${kind} leaves its operation alone`),
  ],
]

function loose(id: Item['id']): string {
  return `${id}`.toLowerCase().replace(/^0+|\.0$/g, '')
}

function loosened(condition: Condition): Condition {
  return { ...condition, values: condition.values.map((value) => loose(`${value}`)) }
}

function anywhere(condition: Condition): Condition {
  const { is } = condition
  return is === 'startsWith' || is === 'endsWith' ? { ...condition, is: 'contains' } : condition
}

function trimmed(condition: Condition): Condition {
  const isPart = parts.some((part) => part === condition.is)
  return isPart
    ? { ...condition, values: condition.values.map((value) => `${value}`.trim()) }
    : condition
}

function hasPart(text: string, is: Comparison, part: string): boolean | undefined {
  if (is === 'contains') return text.includes(part)
  if (is === 'startsWith') return text.startsWith(part)
  return is === 'endsWith' ? text.endsWith(part) : undefined
}
