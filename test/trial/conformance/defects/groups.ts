import type { Operation } from 'nounful'
import { fieldOf } from '../../../../src/convention/value.ts'
import { type BrokenRow, broken, type Next } from '../broken.ts'

/** Counts by values with another result, and everything else right. */
function grouping(
  change: (groups: readonly object[], operation: Operation, next: Next) => unknown,
): ReturnType<typeof broken> {
  return broken((operation, next) => {
    const result = next(operation)
    return operation.query.by && Array.isArray(result) ? change(result, operation, next) : result
  })
}

/** Asks `countBy` something else. */
function asked(change: (operation: Operation) => object): ReturnType<typeof broken> {
  return broken((operation, next) =>
    next(operation.query.by ? { ...operation, ...change(operation) } : operation),
  )
}

function merged(groups: readonly object[], fold: (text: string) => string): readonly object[] {
  const byName = new Map<unknown, object>()
  for (const group of groups) {
    const name = fieldOf(group, 'name')
    const key = typeof name === 'string' ? fold(name) : name
    const count = Number(fieldOf(byName.get(key) ?? {}, 'count') ?? 0)
    byName.set(key, { ...group, count: count + Number(fieldOf(group, 'count')) })
  }
  return [...byName.values()]
}

const noneOf = 'groups have one of missing values'
const once = 'groups have every value once'
const generated = 'groups agree with the core'
const apart = 'groups tell texts apart'
const selected = 'groups honour filters and search'

/** Adapters with defects of groups. */
export const groupRows: readonly BrokenRow[] = [
  ['gives a group for each item', () => grouping((groups) => groups.flatMap(eachAlone)), [once]],
  [
    'leaves out missing values',
    () =>
      grouping((groups, { query: { by = [] } }) =>
        groups.filter((group) => by.every((field) => fieldOf(group, field) !== null)),
      ),
    [noneOf, generated],
  ],
  [
    'gives an empty text for a missing value',
    () => grouping((groups) => groups.map((group) => withText(group, null, ''))),
    [noneOf],
  ],
  [
    'minds one field alone',
    () => asked(({ query }) => ({ query: { ...query, by: query.by?.slice(0, 1) } })),
    [once, generated],
  ],
  [
    'minds no case in groups',
    () => grouping((groups) => merged(groups, (text) => text.toLowerCase())),
    [apart],
  ],
  [
    'takes padded texts for one group',
    () => grouping((groups) => merged(groups, (text) => text.trimEnd())),
    [apart],
  ],
  [
    'takes composed accents for one group',
    () => grouping((groups) => merged(groups, (text) => text.normalize('NFC'))),
    [apart],
  ],
  [
    'forgets the filters of groups',
    () => asked(({ query }) => ({ query: { ...query, where: [] } })),
    [selected, generated],
  ],
  [
    'forgets the search of groups',
    () => asked(({ query }) => ({ query: { ...query, words: [] } })),
    [selected],
  ],
  [
    'forgets the scope of groups',
    () => asked(() => ({ scope: {} })),
    [selected, 'countBy stays inside its scope', generated],
  ],
  [
    'counts each value once',
    () => grouping((groups) => groups.map((group) => ({ ...group, count: 1 }))),
    [once, generated],
  ],
  [
    'remembers the groups of a query',
    () => {
      const known = new Map<string, unknown>()
      return grouping((groups, { query, scope }) => {
        const key = JSON.stringify([query, scope])
        if (!known.has(key)) known.set(key, groups)
        return known.get(key)
      })
    },
    ['groups follow writes'],
  ],
  ['gives groups as text', () => grouping((groups) => JSON.stringify(groups)), [once]],
]

function eachAlone(group: object): readonly object[] {
  const length = Number(fieldOf(group, 'count'))
  return Array.from({ length }, () => ({ ...group, count: 1 }))
}

function withText(group: object, value: unknown, text: string): object {
  const entries = Object.entries(group)
  return Object.fromEntries(entries.map(([name, own]) => [name, own === value ? text : own]))
}
