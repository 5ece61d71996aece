import { v5 as uuidv5 } from 'uuid'
import { ownerFieldsOf } from '../../contract/resource/resource.ts'
import { writeOnlyFieldsOf } from '../../contract/schema/outline.ts'
import { everything } from '../../contract/values/caller.ts'
import { isSameDate } from '../../contract/values/dates.ts'
import { type Awaitable, settle, whenReady } from '../../convention/awaitable.ts'
import { isProblem, problem } from '../../convention/problem.ts'
import { fieldOf, isSame, pickFields } from '../../convention/value.ts'
import { formatPath } from '../../wire/path.ts'
import { judgeByRule } from '../checks/item-rules.ts'
import { breach, checkNewItem, findItem } from '../checks/outcome.ts'
import { complete, operationOf, readOf } from '../operations.ts'
import type { Task, TaskChanges } from '../task.ts'

type Draft = Task['drafts'][number]
type Item = NonNullable<Task['replayed']>

/** The namespace of ids that keys become (RFC 9562 §5.5). */
const namespace = '8f0a8e0c-6a0f-5d0b-9d35-2f6f3f7c9d11'

/**
 * Finds the item that an earlier request with the same `Idempotency-Key` created. Gives a new item
 * the id that the key becomes, so that the storage itself refuses a second one.
 *
 * @throws {ProblemError} `idempotency_unsupported` for many items, an id in the body, and a
 *   resource without the option; `idempotency_mismatch` for an earlier request with another body.
 * @see docs/requests.md, C8.1
 */
export function findReplay(task: Task): Awaitable<TaskChanges> {
  const { conditions, drafts, operation } = task
  if (conditions.key === undefined) return undefined
  const draft = repeatable(task, drafts)
  if (operation.isDryRun) return undefined
  const id = idOfKey(task, conditions.key, draft)
  return whenReady(replayOf(task, id, draft), (replayed) => ({
    keyed: { id, draft },
    replayed,
    drafts: [{ ...draft, item: { ...draft.item, id } }],
  }))
}

function repeatable({ plan }: Task, [draft]: readonly Draft[]): Draft {
  const refuse = (detail: string): never => {
    throw problem('idempotency_unsupported', detail)
  }
  if (!plan.resource.idempotent) return refuse('This resource takes no "idempotency-key".')
  if (draft === undefined || draft.at.length > 0) {
    return refuse('An "idempotency-key" is for one item: send no array.')
  }
  if (Object.hasOwn(draft.body, 'id')) {
    return refuse('An "idempotency-key" becomes the id of the item: send no "id".')
  }
  return draft
}

function idOfKey(task: Task, key: string, draft: Draft): string {
  const { target, operation } = task
  const caller = callerOf(task)
  // Callers without a text of their own would meet.
  if (typeof caller !== 'string')
    throw new TypeError(
      `"idempotentFor" gave no text for a caller: return one, such as a user's id`,
    )
  const { version, scope, resource } = operation
  const owners = { ...scope, ...pickFields(draft.item, ownerFieldsOf(resource)) }
  return uuidv5(JSON.stringify([version, formatPath(target), owners, caller, key]), namespace)
}

// Without a context and a scope all callers are one.
function callerOf({ lifetime: { registry }, caller, context }: Task): unknown {
  const { idempotentFor, scope } = registry
  if (idempotentFor !== undefined) return idempotentFor(context as never)
  if (scope === undefined) return ''
  return caller === everything ? '*' : JSON.stringify(caller)
}

function replayOf(task: Task, id: string, draft: Draft): Awaitable<Item | undefined> {
  const { plan, operation, context } = task
  const reading = readOf(operation, id)
  return whenReady(plan.adapter.read?.(reading, context), (result) => {
    const item = findItem(result, reading)
    if (item === undefined || isAsSent(item, draft, task)) return item
    return whenReady(projectionOf(task, id, draft), (projection) => {
      if (projection && isAsSent(item, { ...draft, item: projection }, task)) return item
      throw problem(
        'idempotency_mismatch',
        'Another request has created an item with this key: send a new key for another item.',
      )
    })
  })
}

// A view may show another value than the client sent: a stand-in, a text that its base trims.
function projectionOf(task: Task, id: string, draft: Draft): Awaitable<object | undefined> {
  const { plan, operation, context } = task
  if (plan.resource.view === undefined) return undefined
  const trial = operationOf(operation.kind, operation, { ...operation, isDryRun: true })
  complete(trial, 'item', { ...draft.item, id })
  return whenReady(plan.adapter.create?.(trial, context), Object)
}

// Compares only the fields that the client sent, as the schema gave them.
function isAsSent(item: Item, { body, item: sent }: Draft, { plan: { resource } }: Task): boolean {
  const hidden = writeOnlyFieldsOf(resource)
  return Object.keys(body).every((field) => {
    const value = fieldOf(sent, field)
    const stored = fieldOf(item, field)
    // A new item has no other than the first state, and may have moved on.
    if (hidden.has(field) || value === undefined || field === resource.states?.field) return true
    // A missing field may be stored as null, and the reverse.
    if (isSame(value ?? undefined, stored ?? undefined)) return true
    return isSameDate(field, [value, stored], resource)
  })
}

function withId(changes: TaskChanges, id: string, { operation }: Task): TaskChanges {
  const outcome = changes?.outcome
  if (outcome?.gives === 'item' && fieldOf(outcome.item, 'id') === id) return changes
  throw breach(operation, 'an item with another id: keep the id of operation.item')
}

/**
 * Creates the item of the body, or all items of an array, or none; the item of a key once.
 *
 * @throws {ProblemError} `forbidden` for an item that a rule refuses.
 * @throws {TypeError} For results that are no items, and for another id than the key became.
 */
export function create(task: Task): Awaitable<TaskChanges> {
  const { plan, operation, drafts, context, keyed } = task
  if (keyed !== undefined) return createOnce(task, keyed)
  const { itemRules } = plan
  if (itemRules?.create !== undefined)
    judgeByRule('create', operation, drafts, (index) =>
      // A copy: what a rule writes to it is not stored.
      itemRules.create?.({ ...drafts[index]?.item }, context),
    )
  const [draft] = drafts
  // The body itself is the item: its place is no index.
  if (draft?.at.length === 0) {
    const { item } = draft
    complete(operation, 'item', item)
    if (operation.isDryRun) return { outcome: { gives: 'item', item } }
    return whenReady(plan.adapter.create?.(operation, context), (result) => ({
      outcome: { gives: 'item', item: checkNewItem(result, operation) },
    }))
  }
  const items = drafts.map(({ item }) => item)
  complete(operation, 'items', items)
  if (operation.isDryRun || items.length === 0) return { outcome: { gives: 'items', items } }
  return whenReady(plan.adapter.createMany?.(operation, context), (results) => {
    if (!Array.isArray(results) || results.length !== items.length) {
      const form = 'return an array as long as "items", in its order'
      throw breach(operation, `not one item for each of ${items.length}: ${form}`)
    }
    return {
      outcome: { gives: 'items', items: results.map((item) => checkNewItem(item, operation)) },
    }
  })
}

// Another request with the key may create the item meanwhile. A database that crashes may report
// a row as taken, and lose it: then no item is found, and the second attempt creates it.
function createOnce(
  task: Task,
  { id, draft }: NonNullable<Task['keyed']>,
  attempts = 2,
): Awaitable<TaskChanges> {
  const { replayed } = task
  if (replayed !== undefined) return withReplayed(task, replayed)
  return settle(
    () => create({ ...task, keyed: undefined }),
    (changes) => withId(changes, id, task),
    (error) => {
      const isConflict = isProblem(error) && (error.status === 409 || error.status === 422)
      if (!isConflict) throw error
      return whenReady(replayOf(task, id, draft), (item) => {
        if (item !== undefined) return withReplayed(task, item)
        if (attempts > 1 && error.status === 409)
          return createOnce(task, { id, draft }, attempts - 1)
        throw error
      })
    },
  )
}

function withReplayed(task: Task, item: Item): TaskChanges {
  complete(task.operation, 'item', item)
  return { replayed: item, outcome: { gives: 'item', item } }
}
