import type { Item } from 'nounful'
import { filterPathOf } from '../../../../src/contract/schema/filter.ts'
import { foldCase } from '../../../../src/contract/values/order.ts'
import { meeting } from '../../../../src/contract/values/search.ts'
import type { Condition } from '../../../../src/convention/filter-operators.ts'
import { fieldOf } from '../../../../src/convention/value.ts'
import { asking, type BrokenRow, broken, type Defect, filtering } from '../broken.ts'
import { removed, removingBy } from './remove.ts'

/** Tests each condition on a member with a function; `undefined` for the correct test. */
function onMembers(
  test: (object: unknown, member: string, condition: Condition, item: Item) => boolean | undefined,
): Defect {
  return filtering((item, where) =>
    where.every((condition) => {
      const { field, member } = filterPathOf(condition.field)
      const result =
        member === undefined ? undefined : test(fieldOf(item, field), member, condition, item)
      return result ?? meeting([condition])(item)
    }),
  )
}

/** Tests each condition on a list with a function. */
function onLists(test: (list: readonly unknown[], values: readonly unknown[]) => boolean): Defect {
  return filtering((item, where) =>
    where.every((condition) => {
      const list = fieldOf(item, condition.field)
      if (condition.is !== 'has') return meeting([condition])(item)
      return test(Array.isArray(list) ? list : [], condition.values)
    }),
  )
}

/** Compares another value in place of a member. */
function reading(
  read: (object: unknown, member: string, item: Item, condition: Condition) => unknown,
): Defect {
  return onMembers((object, member, condition, item) =>
    meeting([condition])({ data: { [member]: read(object, member, item, condition) } }),
  )
}

function memberOf(object: unknown, member: string): unknown {
  return fieldOf(Object(object), member)
}

// The value of the first member of a name, at any depth.
function deepMemberOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined
  const own = fieldOf(object, name)
  if (own !== undefined) return own
  return Object.values(object)
    .map((value) => deepMemberOf(value, name))
    .find((value) => value !== undefined)
}

const isNested = ({ field, is }: Condition): boolean => field.includes('.') || is === 'has'
const isPlain = (condition: Condition): boolean => !isNested(condition)
const kinds = ['list', 'first', 'last', 'count', 'deleteMany'] as const

const exactly = 'filters find members exactly'
const namesakes = 'filters tell members from their namesakes'
const missing = 'missing members meet notIn and missing only'
const types = 'filters tell the types of members apart'
const bounds = 'bounds compare members as fields'
const parts = 'filters find parts of members'
const members = 'filters of members'
const elements = 'filters find elements of lists'
const elementsExactly = 'filters find elements exactly'
const lists = 'filters of lists'
const groups = [members, lists]

/** Adapters with defects of filters that look into objects and lists. */
export const nestedRows: readonly BrokenRow[] = [
  ...kinds.map(
    (kind): BrokenRow => [
      `forgets filters of nested values in ${kind}`,
      () => broken(asking((where) => where.filter(isPlain), [kind])),
      groups.flatMap((group) =>
        kind === 'list'
          ? [`${group} hold with others`, `${group} follow writes`, `${group} agree with the core`]
          : [`${kind} honours ${group}`],
      ),
    ],
  ),
  [
    'forgets filters of nested values in groups',
    () =>
      broken(asking((where, { query }) => (query.by ? where.filter(isPlain) : where), ['count'])),
    groups.map((group) => `countBy honours ${group}`),
  ],
  [
    'forgets filters of nested values where a rule judges',
    removingBy((operation, judge, sound) => {
      const { query } = operation
      const where = query.where.filter(isPlain)
      return removed({ ...operation, query: { ...query, where } }, judge, sound)
    }),
    groups.map((group) => `removeMany honours ${group}`),
  ],
  [
    'takes a missing member for one beside :ne',
    () =>
      broken(
        onMembers((object, member, { is }) =>
          is === 'notIn' && (memberOf(object, member) ?? null) === null ? false : undefined,
        ),
      ),
    [missing, namesakes, `${members} agree with the core`],
  ],
  [
    'tells a null member from an absent one',
    () =>
      broken(
        onMembers((object, member, { is }) =>
          is === 'missing' && memberOf(object, member) === null ? false : undefined,
        ),
      ),
    [missing],
  ],
  [
    'tells an absent object from one without the member',
    () =>
      broken(
        onMembers((object, _, { is }) =>
          is === 'missing' && object === undefined ? false : undefined,
        ),
      ),
    [missing],
  ],
  [
    'takes a list in an object for a value',
    () =>
      broken(
        onMembers((object, member, { is }) =>
          is === 'present' && Array.isArray(memberOf(object, member)) ? true : undefined,
        ),
      ),
    [missing],
  ],
  [
    'finds the first element of a list in an object',
    () => broken(reading((object, member) => [memberOf(object, member)].flat()[0])),
    [missing],
  ],
  [
    'compares members without case',
    () =>
      broken(
        onMembers((object, member, condition) => {
          const value = memberOf(object, member)
          if (condition.is !== 'in' || typeof value !== 'string') return undefined
          return condition.values.map(String).map(foldCase).includes(foldCase(value))
        }),
      ),
    [exactly],
  ],
  [
    'folds parts of members in ASCII only',
    () =>
      broken(
        onMembers((object, member, { is, values: [part] }) => {
          const value = memberOf(object, member)
          if (is !== 'contains' || typeof value !== 'string') return undefined
          return value.toLowerCase().includes(`${part}`.toLowerCase())
        }),
      ),
    [parts],
  ],
  [
    'compares the field with the name of the member',
    () => broken(reading((_, member, item) => fieldOf(item, member))),
    [namesakes, exactly],
  ],
  ['finds a deeper member of the name', () => broken(reading(deepMemberOf)), [namesakes]],
  [
    'takes the case of a member name for none',
    () =>
      broken(
        reading((object, member) => {
          const entries = Object.entries(Object(object))
          return entries.find(([name]) => name.toLowerCase() === member)?.[1]
        }),
      ),
    [namesakes],
  ],
  [
    'compares members as text',
    () =>
      broken(
        reading((object, member, _, { type }) => {
          const value = memberOf(object, member)
          return type === 'text' && typeof value === 'number' ? `${value}` : value
        }),
      ),
    [types],
  ],
  [
    'takes texts of members for numbers',
    () =>
      broken(
        reading((object, member, _, { type }) => {
          const value = memberOf(object, member)
          return type === 'number' && typeof value === 'string' ? Number(value) : value
        }),
      ),
    [types],
  ],
  [
    'compares numbers of members as text',
    () =>
      broken(
        onMembers((object, member, { is, values: [bound] }) => {
          const value = memberOf(object, member)
          return is === 'lt' && typeof value === 'number' ? `${value}` < `${bound}` : undefined
        }),
      ),
    [bounds],
  ],
  [
    'finds numbers of members as floats',
    () =>
      broken(
        onMembers((object, member, { is, values: [sought] }) => {
          const value = memberOf(object, member)
          if (is !== 'in' || typeof value !== 'number') return undefined
          return Math.fround(value) === Math.fround(Number(sought))
        }),
      ),
    [bounds],
  ],
  [
    'finds parts of elements',
    () =>
      broken(
        onLists((list, values) =>
          values.some((value) => list.some((text) => `${text}`.includes(`${value}`))),
        ),
      ),
    [elementsExactly, `${lists} agree with the core`],
  ],
  [
    'finds elements in the text of the list',
    () =>
      broken(onLists((list, values) => values.some((value) => list.join().includes(`${value}`)))),
    [elementsExactly],
  ],
  [
    'finds the first element only',
    () => broken(onLists(([first], values) => values.includes(first))),
    [elements, ...['count', 'first', 'last'].map((kind) => `${kind} honours ${lists}`)],
  ],
  [
    'finds lists with each value',
    () => broken(onLists((list, values) => values.every((value) => list.includes(value)))),
    [elements],
  ],
  [
    'finds elements without case',
    () =>
      broken(
        onLists((list, values) => {
          const folded = list.map((text) => foldCase(`${text}`))
          return values.some((value) => folded.includes(foldCase(`${value}`)))
        }),
      ),
    [elementsExactly],
  ],
  [
    'finds elements by a collation that pads',
    () =>
      broken(
        onLists((list, values) =>
          values.some((value) => list.some((text) => `${text}`.trimEnd() === `${value}`.trimEnd())),
        ),
      ),
    [elementsExactly],
  ],
]
