import type { Operation } from '../../contract/resource/operation.ts'
import { type AdapterMethod, adapterMethods } from '../../convention/adapter-methods.ts'
import { type Checks, checksOf, full, needing } from './check.ts'
import { isSameJson, overwrite, show } from './compare.ts'
import {
  conditionOn,
  type OperationInput,
  replacementInput,
  replacing,
  toOperation,
} from './operation-input.ts'
import type { Specimen } from './specimens.ts'
import type { Tester } from './tester.ts'

const takers = ['create', 'createMany', 'update', 'updateMany', 'modify', 'modifyMany'] as const
const givers = [...takers, 'read', 'list', 'first', 'last'] as const

/** Checks that stored items share nothing with the values of callers. */
export const copyChecks: Checks = {
  ...checksOf(givers, (kind) => [
    `${kind} gives a copy`,
    {
      rule: 'A change of a returned item does not change the stored item: it is a copy, or frozen.',
      needs: needing(kind),
      test: (tester) => ensureApart(tester, kind, ({ result }) => overwrite(result)),
    },
  ]),
  ...checksOf(takers, (kind) => [
    `${kind} copies what it takes`,
    {
      rule: 'A later change of the sent item does not change the stored item.',
      needs: needing(kind),
      test: (tester) =>
        ensureApart(tester, kind, async ({ input, operation, item }) => {
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
async function ensureApart(
  tester: Tester,
  kind: AdapterMethod,
  change: (held: Held) => void | Promise<void>,
): Promise<void> {
  const input = inputFor(kind, await tester.create(full))
  const operation = toOperation(input)
  const result = await tester.perform(input, operation)
  const item = structuredClone(tester.itemFrom([result].flat()[0], input))
  await change({ input, operation, result, item: structuredClone(item) })
  await tester.expectStored(item)
}

function inputFor(kind: AdapterMethod, item: Specimen): OperationInput {
  const where = [conditionOn('name', 'in', [full.name, 'b']), conditionOn('rank', 'lt', [0])]
  const query = { q: 'ada first', where, sort: ['-name', 'rank'], scope: { owner_id: 'a' } }
  // Each call of the function returns the same object.
  const changed = structuredClone({ ...item, name: 'new' })
  switch (kind) {
    case 'create':
      return { kind, item: full, scope: query.scope }
    case 'createMany':
      return { kind: 'create', drafts: [full], scope: query.scope }
    case 'update':
      return replacing(item, { ...full, name: 'new' })
    case 'updateMany':
      return { kind, items: [replacementInput(item, { ...full, name: 'new' })] }
    case 'modify':
      return { kind: 'patch', id: item.id, change: () => changed }
    case 'modifyMany':
      return { kind: 'patchMany', ids: [item.id], changeMany: () => [changed] }
    case 'read':
    case 'delete':
      return { kind, id: item.id }
    case 'deleteAll':
      return { kind, scope: query.scope, maxAffected: 9 }
    default:
      return { kind, ...query }
  }
}

// Without the parts that cannot be cloned: a resource holds functions, the signal is native.
function plainOf({ resource, signal, parents, ...plain }: Operation): object {
  return { ...plain, parents: parents.map(({ id }) => id) }
}
