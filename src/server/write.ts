import { type Awaitable, settle, whenReady } from '../model/awaitable.ts'
import { isBounded } from '../model/bounded.ts'
import { isKeeping } from '../model/keeping.ts'
import type { Outcome } from '../model/operation.ts'
import { type ProblemError, problem } from '../model/problem.ts'
import { breach, checkCount, checkItem, checkNewItem, findItem } from './check.ts'
import { callAdapter } from './derive.ts'
import type { Errand } from './errand.ts'
import type { RequestedOperation } from './operation.ts'
import { checkCollectionConditions, checkConditions } from './precondition.ts'
import { type Lost, lostAgain } from './race.ts'
import {
  expectedRevision,
  notFound,
  prepare,
  type Replacement,
  readStored,
  storedRevision,
} from './stored.ts'

/** Creates the item that was sent. */
export function create({ operation, binding, drafts, context }: Errand): Awaitable<Outcome> {
  operation.item = drafts[0]?.item
  return whenReady(binding.adapter.create?.(operation, context), (created) => ({
    gives: 'item',
    item: checkNewItem(created, operation),
  }))
}

/** Replaces one item. */
export function update(errand: Errand): Awaitable<Outcome> {
  return isKeeping(errand.binding.adapter.update) ? updateOnce(errand) : updateGuarded(errand)
}

function updateOnce(errand: Errand): Awaitable<Outcome> {
  return whenReady(prepare(errand), ([replacement]) => {
    checkConditions(errand.call.conditions, replacement?.stored, errand.operation.resource)
    return write(replacement, errand, expectedRevision(errand, replacement?.stored))
  })
}

// The item holds read-only fields as they were read: a change of them meanwhile must not be undone, so that all is done again.
function updateGuarded(errand: Errand, lost?: Lost): Awaitable<Outcome> {
  const { call, operation } = errand
  return whenReady(prepare(errand), ([replacement]) => {
    checkConditions(call.conditions, replacement?.stored, operation.resource)
    const revision = storedRevision(operation.resource, replacement?.stored)
    return settle(
      () => write(replacement, errand, revision),
      (outcome) => outcome,
      (error) => updateGuarded(errand, lostAgain({ error, revision }, lost)),
    )
  })
}

function write(
  replacement: Replacement | undefined,
  { operation, binding, context }: Errand,
  ifRevision: unknown,
): Awaitable<Outcome> {
  operation.item = replacement?.item
  operation.ifRevision = ifRevision
  return whenReady(binding.adapter.update?.(operation, context), (updated) =>
    foundOutcome(updated, operation),
  )
}

/** Deletes one item. */
export function deleteOne(errand: Errand): Awaitable<Outcome> {
  const { operation, binding, call, context } = errand
  return whenReady(readStored(errand, operation.id), (stored) => {
    if (stored === undefined) throw notFound([])
    checkConditions(call.conditions, stored, operation.resource)
    operation.ifRevision = expectedRevision(errand, stored)
    return whenReady(binding.adapter.delete?.(operation, context), (deleted) =>
      foundOutcome(deleted, operation),
    )
  })
}

/** Replaces exactly the items that were sent, or none. */
export function updateMany(errand: Errand): Awaitable<Outcome> {
  const { operation, binding, call, context } = errand
  return whenReady(prepare(errand), (replacements) => {
    checkCollectionConditions(call.conditions)
    if (replacements.length === 0) return { gives: 'items', items: [] }
    operation.items = replacements.map(({ item }) => checkItem(item, operation))
    return whenReady(binding.adapter.updateMany?.(operation, context), (updated) =>
      manyOutcome(updated, errand),
    )
  })
}

/** Deletes everything in the scope, or nothing when that is more than the client allows. */
export function deleteAll(errand: Errand): Awaitable<Outcome> {
  const { operation, binding, call, context } = errand
  checkCollectionConditions(call.conditions)
  if (call.conditions.maxAffected === undefined && isBounded(call.target.collection)) {
    throw problem(
      'too_many_affected',
      'Everything here would go: send "prefer: max-affected=N", the most items that may',
    )
  }
  return whenReady(refuseTooMany(errand), () => {
    operation.maxAffected = call.conditions.maxAffected
    return whenReady(binding.adapter.deleteAll?.(operation, context), (deleted) => ({
      gives: 'deleted',
      deleted: checkCount(deleted, operation),
    }))
  })
}

function foundOutcome(given: unknown, operation: RequestedOperation): Outcome {
  const item = findItem(given, operation)
  if (item === undefined) throw notFound([])
  return { gives: 'item', item }
}

function manyOutcome(given: unknown, { operation, drafts }: Errand): Outcome {
  if (!Array.isArray(given) || given.length !== drafts.length) {
    throw breach(
      operation,
      `not one item for each of ${drafts.length}: return an array as long as "items", in its order`,
    )
  }
  const unknown = drafts.filter((_, place) => given[place] === null || given[place] === undefined)
  if (unknown.length > 0) throw notFound(unknown)
  const items = drafts.map(({ id }, place) => {
    const item = checkItem(given[place], operation)
    if (item.id !== id) throw breach(operation, 'items in another order than they were sent')
    return item
  })
  return { gives: 'items', items }
}

// Counted first, so that a bound holds also where the adapter does not know it; the adapter that does closes the gap between.
function refuseTooMany({ operation, binding, call, context }: Errand): Awaitable<void> {
  const { maxAffected } = call.conditions
  if (maxAffected === undefined) return
  const { adapter } = binding
  if (typeof adapter.count !== 'function' && typeof adapter.list !== 'function')
    throw problem('too_many_affected', 'How many items would be deleted cannot be told')
  const count = operation.reask({ kind: 'count', id: undefined, query: undefined })
  return whenReady(callAdapter(count, binding, context), (given) => {
    if (checkCount(given, count) > maxAffected) throw tooMany(maxAffected)
  })
}

function tooMany(maxAffected: number): ProblemError {
  return problem('too_many_affected', `More would be deleted than ${maxAffected}`)
}
