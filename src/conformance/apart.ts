import { type OperationKind, operationKinds } from '../model/convention.ts'
import type { Operation } from '../model/operation.ts'
import { isSame, scribble, show } from './compare.ts'
import { type Demand, full } from './demand.ts'
import { type Question, replacementOf, replacing, toOperation } from './question.ts'
import type { Specimen } from './specimens.ts'

const givers = ['create', 'read', 'list', 'first', 'last', 'update', 'updateMany'] as const
const takers = ['create', 'update', 'updateMany'] as const

/** How what is stored is kept apart from what is given and taken. */
export const apartDemands: readonly Demand[] = [
  ...givers.map(
    (kind): Demand => ({
      name: `what ${kind} gives is a copy`,
      rule: 'Changing an answer does not change what is stored: it is a copy, or frozen.',
      needs: needing(kind),
      async test(lab) {
        const question = questionFor(kind, await lab.create(full))
        const answer = await lab.ask(question)
        const item = structuredClone(lab.itemIn(firstOf(answer), question))
        scribble(answer)
        await lab.holds(item)
      },
    }),
  ),
  ...takers.map(
    (kind): Demand => ({
      name: `${kind} copies what it takes`,
      rule: 'Changing what was sent, after the answer, does not change what is stored.',
      needs: needing(kind),
      async test(lab) {
        const question = questionFor(kind, await lab.create(full))
        const operation = toOperation(question)
        const answer = await lab.call(operation)
        const item = structuredClone(lab.itemIn(firstOf(answer), question))
        scribble(operation.item)
        scribble(operation.items)
        await lab.holds(item)
      },
    }),
  ),
  ...operationKinds.map(
    (kind): Demand => ({
      name: `${kind} leaves its operation alone`,
      rule: "An operation is not the adapter's to change: item, scope, words and order are as they were.",
      needs: kind === 'create' ? ['create'] : ['create', kind],
      async test(lab) {
        const question = questionFor(kind, await lab.create(full))
        const operation = toOperation(question)
        const before = structuredClone(plainOf(operation))
        await lab.call(operation)
        lab.ensure(isSame(plainOf(operation), before), () => ({
          asked: question,
          came: `an operation changed to ${show(plainOf(operation))}`,
          expected: show(before),
        }))
      },
    }),
  ),
]

function needing(kind: OperationKind): readonly OperationKind[] {
  return [...new Set<OperationKind>(['create', 'read', kind])]
}

function questionFor(kind: OperationKind, item: Specimen): Question {
  const query = { q: 'ada first', sort: ['-name', 'rank'], scope: { owner_id: 'a' } }
  switch (kind) {
    case 'create':
      return { kind, item: full, scope: query.scope }
    case 'update':
      return replacing(item, { ...full, name: 'new' })
    case 'updateMany':
      return { kind, items: [replacementOf(item, { ...full, name: 'new' })] }
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

// Without what cannot be cloned: the resource holds functions, the signal is an object of the platform.
function plainOf({ resource, signal, ...plain }: Operation): object {
  return plain
}
