import { adapterMethods } from '../../../src/model/adapter-methods.ts'
import { fieldOf } from '../../../src/model/value.ts'
import { answering, type BrokenRow, broken, isMissing, itemsOf, mistaking } from '../broken.ts'

/** Adapters with defects of scopes. */
export const scopeRows: readonly BrokenRow[] = [
  [
    'knows no scope',
    () => broken((operation, next) => next({ ...operation, scope: {} })),
    [
      ...adapterMethods
        .filter((method) => !method.startsWith('create'))
        .map((method) => `${method} stays inside its scope`),
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
    ['honours every field of a scope'],
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
