import fc from 'fast-check'
import type { Collection, Target } from '../../src/contract/resource/api.ts'
import { isId } from '../../src/contract/resource/id.ts'
import { noScope, type SortField } from '../../src/contract/resource/operation.ts'
import { isConditional } from '../../src/convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../../src/convention/operations.ts'
import { faultOfValue } from '../../src/convention/value.ts'
import type { Conditions } from '../../src/wire/conditions.ts'
import { toQuery } from '../../src/wire/meaning.ts'
import { endPage } from '../../src/wire/next.ts'
import type { Parameters } from '../../src/wire/parameters.ts'
import type { Call } from '../../src/wire/request.ts'
import { api } from '../contract/companies.ts'

// Ids of any Unicode text.
const anyId: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom('.', '/', '%', '2', 'F', '?', '#', '+', '\\', ' ', 'v') }),
  )
  .filter(isId)

/** Targets of a kind, or of any, in any collection of the test api. */
export function anyTarget(kind?: Target['kind']): fc.Arbitrary<Target> {
  const kinds = ['collection', 'item', 'first', 'last', 'count'] as const
  return fc
    .tuple(fc.constantFrom(...api.collections), fc.constantFrom(...(kind ? [kind] : kinds)))
    .chain(([collection, chosen]) =>
      fc
        .tuple(idsOf(collection), anyId)
        .map(
          ([parents, id]): Target =>
            chosen === 'item'
              ? { kind: chosen, collection, parents, id }
              : { kind: chosen, collection, parents, id: undefined },
        ),
    )
}

/** Parameters that a target takes of a kind of operation. */
export function anyParameters(kind: OperationKind, target: Target): fc.Arbitrary<Parameters> {
  const { sortable, searchable, maxLimit } = target.collection.resource
  const takes: readonly string[] = operations[kind].parameters
  const takesSort = takes.includes('sort') && sortable.length > 0
  const all = fc.record(
    {
      ...(takes.includes('q') && searchable.length > 0 ? { q: anySearch } : {}),
      ...(takesSort ? { sort: anySort(sortable) } : {}),
      ...(takes.includes('limit') ? { limit: fc.integer({ min: 1, max: maxLimit }) } : {}),
    },
    { requiredKeys: operations[kind].selects ? ['q'] : [] },
  )
  if (!takes.includes('after')) return all
  return fc
    .tuple(all, fc.option(fc.record({ id: anyId, name: anyText, birthdate: anyText })))
    .map(([parameters, item]) => {
      if (item === null) return parameters
      const asked = {
        query: toQuery(parameters, target),
        target,
        caller: noScope,
        maxLength: 10_000,
        reserve: 1024,
      }
      return { ...parameters, after: endPage([item], asked).next }
    })
}

const anyText = fc
  .string({ unit: 'binary', maxLength: 99 })
  .filter((text) => faultOfValue(text) === undefined)

/** Searches that are not blank. */
export const anySearch: fc.Arbitrary<string> = fc
  .string({ unit: 'binary', maxLength: 256 })
  .filter((q) => /\S/u.test(q) && !/\p{Cc}/u.test(q))

/** Orders by some of the fields, each once. */
export function anySort(sortable: readonly string[]): fc.Arbitrary<SortField[]> {
  return fc.uniqueArray(
    fc.record({
      field: fc.constantFrom(...sortable),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
    }),
    { selector: ({ field }) => field, minLength: 1, maxLength: 8 },
  )
}

/** Calls of every kind that the target's resource does not go without. */
export const anyCall: fc.Arbitrary<Call> = fc
  .constantFrom(...operationKinds)
  .chain((kind) => fc.tuple(fc.constant(kind), anyTarget(operations[kind].target)))
  .filter(
    ([
      kind,
      {
        collection: { resource },
      },
    ]) => {
      const isAskable = !operations[kind].selects || resource.searchable.length > 0
      return isAskable && !resource.without.includes(kind)
    },
  )
  .chain(([kind, target]) =>
    fc
      .tuple(anyParameters(kind, target), anyConditions(kind))
      .map(([parameters, conditions]) => ({ kind, target, parameters, conditions })),
  )

function anyConditions(kind: OperationKind): fc.Arbitrary<Conditions> {
  const { method } = operations[kind]
  const tags = fc.oneof(
    fc.constant('*' as const),
    fc.array(fc.string({ unit: fc.constantFrom('3', '%', 'é', ',') }), { minLength: 1 }),
  )
  const isWrite = method === 'PUT' || method === 'PATCH' || method === 'DELETE'
  const nothing = fc.constant(undefined)
  return fc.record({
    maxAffected: isConditional(kind, 'bound')
      ? fc.option(fc.nat(kind === 'deleteMany' ? 1000 : 2 ** 31 - 1), { nil: undefined })
      : nothing,
    ifMatch: isWrite ? fc.option(tags, { nil: undefined }) : nothing,
    ifNoneMatch: isWrite ? fc.option(tags, { nil: undefined }) : nothing,
  })
}

function idsOf({ parameters }: Collection): fc.Arbitrary<string[]> {
  return fc.array(anyId, { minLength: parameters.length, maxLength: parameters.length })
}
