import type { Scope } from '../../../../src/contract/resource/operation.ts'
import { adapterMethods } from '../../../../src/convention/adapter-methods.ts'
import { operationKinds } from '../../../../src/convention/operations.ts'
import { fieldOf } from '../../../../src/convention/value.ts'
import {
  answering,
  type BrokenRow,
  broken,
  type Defect,
  isMissing,
  itemsOf,
  mistaking,
} from '../broken.ts'

const scoped = adapterMethods.filter((method) => !method.startsWith('create'))
const features = ['searches', 'pages', 'filters']
const twoFields = [...scoped, ...features].map((name) =>
  features.includes(name)
    ? `${name} stay inside a scope of two fields`
    : `${name} stays inside a scope of two fields`,
)
const methodLists = scoped.map((method) => `${method} stays inside a list of owners`)
const featureLists = features.map((feature) => `${feature} stay inside a list of owners`)
const lists = [...methodLists, ...featureLists]

// Changes the lists of every scope.
function mistakingLists(change: (values: readonly unknown[]) => Scope[string] | null): Defect {
  return mistaking(operationKinds, ({ scope }) => {
    const fields = Object.entries(scope).flatMap(([field, value]) => {
      const changed = Array.isArray(value) ? change(value) : value
      return changed === null ? [] : [[field, changed]]
    })
    return { scope: Object.fromEntries(fields) }
  })
}

/** Adapters with defects of scopes. */
export const scopeRows: readonly BrokenRow[] = [
  [
    'knows no scope',
    () => broken((operation, next) => next({ ...operation, scope: {} })),
    [
      ...scoped.map((method) => `${method} stays inside its scope`),
      ...twoFields,
      ...lists,
      'compares a list of owners exactly',
      'compares owners exactly',
      'honours every field of a scope',
      'searches stay inside their scope',
      'pages stay inside their scope',
      'count honours search and scope together',
      'update moves an item to another owner',
      'deleteAll deletes as many as allowed',
    ],
  ],
  ...(['read', 'list'] as const).map(
    (kind): BrokenRow => [
      `finds nothing of an owner without a scope, by ${kind}`,
      () =>
        broken(
          answering([kind], (answer, { scope }) => {
            const isFree = (item: unknown) => isMissing(fieldOf(Object(item), 'owner_id'))
            if (Object.keys(scope).length > 0) return answer
            if (Array.isArray(answer)) return answer.filter(isFree)
            return isFree(answer) ? answer : null
          }),
        ),
      [`${kind} without a scope finds every owner`],
    ],
  ),
  [
    'leaves one of many ids out',
    () =>
      broken(
        answering(['list'], (answer, { query }) => {
          const { length = 0 } = query.where[0]?.values ?? []
          return length > 1 && length === query.limit
            ? itemsOf(answer).slice(0, length - 1)
            : answer
        }),
      ),
    ['list without a scope finds every owner'],
  ],
  [
    'looks at the last field of a scope',
    () =>
      broken((operation, next) =>
        next({
          ...operation,
          scope: Object.fromEntries(Object.entries(operation.scope).slice(-1)),
        }),
      ),
    ['honours every field of a scope', ...twoFields],
  ],
  [
    'looks at the first field of a scope',
    () =>
      broken((operation, next) =>
        next({
          ...operation,
          scope: Object.fromEntries(Object.entries(operation.scope).slice(0, 1)),
        }),
      ),
    ['honours every field of a scope', ...twoFields, ...methodLists],
  ],
  [
    'takes the first of several owners only',
    () => broken(mistakingLists((values) => values.slice(0, 1).map(String))),
    [...lists, 'compares a list of owners exactly'],
  ],
  [
    'compares owners with a list as a whole',
    () => broken(mistakingLists((values) => JSON.stringify(values))),
    [...lists, 'compares a list of owners exactly'],
  ],
  [
    'takes an empty list for no scope',
    () => broken(mistakingLists((values) => (values.length === 0 ? null : values.map(String)))),
    lists,
  ],
  [
    'casts several owners to lower case',
    () => broken(mistakingLists((values) => values.map((value) => `${value}`.toLowerCase()))),
    ['compares a list of owners exactly'],
  ],
  [
    'stores items under the first of several owners',
    () =>
      broken((operation, next) => {
        const { kind, item, items, scope } = operation
        const [owner_id] = Array.isArray(scope.owner_id) ? scope.owner_id : []
        if (kind !== 'create' || owner_id === undefined) return next(operation)
        return next({
          ...operation,
          item: item && { ...item, owner_id },
          items: items && itemsOf(items).map((one) => ({ ...one, owner_id })),
        })
      }),
    ['create takes one of several owners', 'createMany takes one of several owners'],
  ],
  [
    'casts owners to lower case',
    () =>
      broken(
        mistaking(['list'], ({ scope: { owner_id } }) => ({
          scope: owner_id === undefined ? {} : { owner_id: `${owner_id}`.toLowerCase() },
        })),
      ),
    ['compares owners exactly'],
  ],
  [
    'leaves the scope when it searches',
    () =>
      broken(
        mistaking(['list', 'count'], ({ query, scope }) =>
          query.q === '' ? {} : { scope: { ...scope, owner_id: undefined } },
        ),
      ),
    ['searches stay inside their scope', 'count honours search and scope together'],
  ],
]
