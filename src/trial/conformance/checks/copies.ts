import type { Operation } from '../../../contract/resource/operation.ts'
import { scalarOf } from '../../../contract/values/order.ts'
import { type AdapterMethod, adapterMethods } from '../../../convention/adapter-methods.ts'
import { type Checks, calls, checksOf, full, longTexts, needing } from '../check.ts'
import { isSameJson, overwrite, show, withoutRevisions } from '../compare.ts'
import { conditionOn, type OperationInput, toOperation } from '../operation.ts'
import type { NewSpecimen, Specimen } from '../specimens.ts'
import type { Tester } from '../tester.ts'

const takers = ['create', 'createMany', 'update', 'updateMany', 'modify', 'modifyMany'] as const
const givers = [...takers, 'read', 'list', 'first', 'last'] as const

/** Checks that stored items share nothing with the values of callers. */
export const copyChecks: Checks = {
  ...checksOf(givers, (kind) => [
    `${kind} gives a copy`,
    {
      rule: 'A change of a returned item does not change the stored item: it is a copy, or frozen.',
      needs: needing(kind),
      test: (tester) => expectApart(tester, kind, ({ result }) => overwrite(result)),
    },
  ]),
  ...checksOf(takers, (kind) => [
    `${kind} copies what it takes`,
    {
      rule: 'A later change of the sent item does not change the stored item.',
      needs: needing(kind),
      test: (tester) =>
        expectApart(tester, kind, async ({ input, operation, item }) => {
          overwrite(operation.item)
          overwrite(operation.items)
          overwrite(await input.change?.(item))
          overwrite(await input.changeMany?.([item]))
        }),
    },
  ]),
  ...checksOf(adapterMethods, (kind) => [
    `${kind} leaves its operation alone`,
    {
      rule: 'The adapter never changes its operation: item, scope, words and order stay the same.',
      needs: kind === 'create' ? ['create'] : ['create', kind],
      async test(tester) {
        const input = inputFor(kind, await tester.create(full))
        const operation = toOperation(input)
        const before = structuredClone(plainOf(operation))
        await tester.perform(input, operation)
        tester.assert(isSameJson(plainOf(operation), before), () => ({
          operation: input,
          result: `an operation changed to ${show(plainOf(operation))}`,
          expected: show(before),
        }))
      },
    },
  ]),
}

interface Held {
  readonly input: OperationInput
  readonly operation: Operation
  readonly result: unknown
  /** The item as returned. */
  readonly item: Specimen
}

// Changes what the caller holds, and expects the stored item unchanged.
async function expectApart(
  tester: Tester,
  kind: AdapterMethod,
  change: (held: Held) => void | Promise<void>,
): Promise<void> {
  const input = inputFor(kind, await tester.create(full))
  const operation = toOperation(input)
  const result = await tester.perform(input, operation)
  const item = structuredClone(tester.itemFrom([result].flat()[0], input))
  await change({ input, operation, result, item: structuredClone(item) })
  const read = await tester.perform({ kind: 'read', id: item.id })
  const isKept = isSameJson(withoutRevisions(read), withoutRevisions(item))
  tester.assert(isKept, () => ({ operation: input, result: show(read), expected: show(item) }))
}

function inputFor(kind: AdapterMethod, item: Specimen): OperationInput {
  const where = [conditionOn('name', 'in', [full.name, 'b']), conditionOn('rank', 'lt', [0])]
  const query = { q: 'ada first', where, sort: ['-name', 'rank'], scope: { owner_id: 'a' } }
  // Each call of the function returns the same object.
  const changed = structuredClone({ ...item, name: 'new' })
  const { id, revision } = item
  const replacement = { ...full, name: 'new', revision }
  switch (kind) {
    case 'create':
      return { kind, item: full, scope: query.scope }
    case 'createMany':
      return { kind: 'create', drafts: [full], scope: query.scope }
    case 'update':
      return calls.replace(item, replacement)
    case 'updateMany':
      return calls.replaceAll([item], () => replacement)
    case 'modify':
      return { kind: 'patch', id, change: () => changed }
    case 'modifyMany':
      return { kind: 'patchMany', ids: [id], changeMany: () => [changed] }
    case 'read':
    case 'delete':
      return { kind, id }
    case 'countBy':
      return { kind: 'count', ...query, by: ['name'] }
    case 'deleteAll':
      return { kind, scope: query.scope, maxAffected: 9 }
    case 'deleteMany':
      return { kind, ...query, sort: [], maxAffected: 9 }
    case 'remove':
      return { kind: 'delete', id, judge: () => undefined }
    case 'removeMany':
      return { kind: 'deleteAll', scope: query.scope, judge: () => undefined }
    default:
      return { kind, ...query }
  }
}

// Without the parts that cannot be cloned: a resource holds functions, the signal is native.
function plainOf({ resource, signal, parents, ...plain }: Operation): object {
  return { ...plain, parents: parents.map(({ id }) => id) }
}

const fields = ['id', 'name', 'note', 'rank', 'flag'] as const
const names = "|0|1|-1.5|true|null|now|infinity|2026-01-01|X'61'|a |é|😀|first|%".split('|')
const numbers = [-1e300, -1.5, -0, 0, 0.1, 5e-324, 2 ** 53 - 1, 2 ** 53 + 2, 1e21, 1e300]
const items: readonly NewSpecimen[] = [
  ...names.map((name) => ({ name })),
  ...names.map((note, index) => ({ name: 'n', note, flag: index % 2 === 0 })),
  ...numbers.map((rank) => ({ name: 'n', rank })),
  ...longTexts.slice(0, 2).map((name) => ({ name })),
]

/** Checks of the values that an adapter says its fields hold. */
export const heldChecks: Checks = {
  'holdsValue holds every listed value': {
    rule:
      '`holdsValue` is true for each sort value of each listed item, a missing one included, and ' +
      'a page goes on after each item. An adapter without the method passes.',
    items,
    async test(tester) {
      for (const item of await tester.list({})) {
        for (const field of fields) {
          const value = scalarOf(item, field)
          const result = await tester.holdsValue(field, value)
          tester.assert(result === true, () => ({
            operation: `holdsValue ${show(field)} ${show(value)}`,
            result: show(result),
            expected: `true, since the list has the item ${show(item)}`,
          }))
        }
      }
    },
    *ask() {
      for (const field of fields) yield* calls.pages({ sort: [`-${field}`] }, items.length)
    },
  },
}
