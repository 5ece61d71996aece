import { type OperationKind, operationKinds } from '../model/convention.ts'
import type { Operation } from '../model/operation.ts'
import { type CheckDefinition, full } from './check.ts'
import { isSameJson, overwrite, show } from './compare.ts'
import { type OperationInput, replacementInput, replacing, toOperation } from './operation-input.ts'
import type { Specimen } from './specimens.ts'

const givers = ['create', 'read', 'list', 'first', 'last', 'update', 'updateMany'] as const
const takers = ['create', 'update', 'updateMany'] as const

/** Checks that stored items share nothing with the values of callers. */
export const copyChecks: readonly CheckDefinition[] = [
  ...givers.map(
    (kind): CheckDefinition => ({
      name: `${kind} gives a copy`,
      rule: 'A change of a returned item does not change the stored item: it is a copy, or frozen.',
      needs: needing(kind),
      async test(tester) {
        const input = inputFor(kind, await tester.create(full))
        const answer = await tester.perform(input)
        const item = structuredClone(tester.itemFrom(firstOf(answer), input))
        overwrite(answer)
        await tester.expectStored(item)
      },
    }),
  ),
  ...takers.map(
    (kind): CheckDefinition => ({
      name: `${kind} copies what it takes`,
      rule: 'A later change of the sent item does not change the stored item.',
      needs: needing(kind),
      async test(tester) {
        const input = inputFor(kind, await tester.create(full))
        const operation = toOperation(input)
        const answer = await tester.call(operation)
        const item = structuredClone(tester.itemFrom(firstOf(answer), input))
        overwrite(operation.item)
        overwrite(operation.items)
        await tester.expectStored(item)
      },
    }),
  ),
  ...operationKinds.map(
    (kind): CheckDefinition => ({
      name: `${kind} leaves its operation alone`,
      rule: 'The adapter never changes its operation: item, scope, words and order stay the same.',
      needs: kind === 'create' ? ['create'] : ['create', kind],
      async test(tester) {
        const input = inputFor(kind, await tester.create(full))
        const operation = toOperation(input)
        const before = structuredClone(plainOf(operation))
        await tester.call(operation)
        tester.assert(isSameJson(plainOf(operation), before), () => ({
          operation: input,
          result: `an operation changed to ${show(plainOf(operation))}`,
          expected: show(before),
        }))
      },
    }),
  ),
]

function needing(kind: OperationKind): readonly OperationKind[] {
  return [...new Set<OperationKind>(['create', 'read', kind])]
}

function inputFor(kind: OperationKind, item: Specimen): OperationInput {
  const query = { q: 'ada first', sort: ['-name', 'rank'], scope: { owner_id: 'a' } }
  switch (kind) {
    case 'create':
      return { kind, item: full, scope: query.scope }
    case 'update':
      return replacing(item, { ...full, name: 'new' })
    case 'updateMany':
      return { kind, items: [replacementInput(item, { ...full, name: 'new' })] }
    case 'read':
    case 'delete':
      return { kind, id: item.id }
    case 'deleteAll':
      return { kind, scope: query.scope, maxAffected: 9 }
    default:
      return { kind, ...query }
  }
}

function firstOf(answer: unknown): unknown {
  return Array.isArray(answer) ? answer[0] : answer
}

// Without the parts that cannot be cloned: the resource holds functions, the signal is native.
function plainOf({ resource, signal, ...plain }: Operation): object {
  return plain
}
