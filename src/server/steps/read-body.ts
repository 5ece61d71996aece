import { idFor, isId } from '../../contract/resource/id.ts'
import { keepsStored } from '../../contract/resource/keep.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import {
  type Awaitable,
  inTurn,
  isPending,
  nextTurn,
  whenReady,
} from '../../convention/awaitable.ts'
import { bulkTooLarge, type Issue, type ProblemError, problem } from '../../convention/problem.ts'
import { fieldOf } from '../../convention/value.ts'
import { type Content, readContent, takeBody } from '../../wire/body.ts'
import { issueAt } from '../../wire/issues.ts'
import { type Draft, type Filled, type Form, fillIn } from '../checks/body.ts'
import { formFor, judgeNoId } from '../checks/form.ts'
import { readPatch } from '../checks/patch.ts'
import type { Task } from '../task.ts'

/**
 * Reads and validates the body: one draft an item. All issues of all items are collected. Returns
 * the problem of the parameters, which comes first.
 *
 * @throws {ProblemError} `unsupported_media_type`, `unsupported_encoding`, `body_missing`,
 *   `body_too_large`, `request_timeout`, the codes of JSON, `bulk_too_large`, `validation_failed`,
 *   `reserved_id`.
 */
export function readBody(task: Task): Awaitable<Task | ProblemError> {
  const { lifetime, plan, fault } = task
  if (fault !== undefined) return fault
  const { limits } = lifetime.registry
  const { body } = plan
  const readArrived = (content: Content): Awaitable<Task> => {
    const value = readContent(content, limits)
    const read = body?.isMany || isBulk(value, task) ? readItems : readItem
    return whenReady(read(value, task), ({ drafts, issues }) => {
      if (issues.length > 0) throw invalid(issues)
      return { ...task, drafts }
    })
  }
  const content = takeBody(lifetime.request, limits, body?.types)
  return isPending(content) ? lifetime.arrival(content, readArrived) : readArrived(content)
}

// The adapter may have no method for many.
function isBulk(value: unknown, { plan: { adapter, body } }: Task): boolean {
  const method = body?.orMany && adapter[body.orMany]
  return Array.isArray(value) && typeof method === 'function'
}

function invalid(issues: readonly Issue[]): ProblemError {
  const isReserved = issues.some(({ code }) => code === 'reserved_id')
  return problem(isReserved ? 'reserved_id' : 'validation_failed', undefined, { issues })
}

function readItem(body: unknown, task: Task): Awaitable<Filled> {
  const { id } = task.operation
  const at: Draft['at'] = []
  const most = task.lifetime.registry.limits.issues
  return readerOf(task)(body, formFor(task, { id, at, most, judgeId: judgeFor(task, at) }))
}

function judgeFor({ plan, operation }: Task, at: Draft['at']): Form['judgeId'] {
  const { resource } = operation
  if (plan.kind !== 'create') return judgeNoId
  return (sent, item) => issuesOfNewId(sent, { item, at, resource })
}

function readerOf({ plan }: Task): (body: unknown, form: Form) => Awaitable<Filled> {
  return plan.body?.isPatch || keepsStored(plan) ? readPatch : fillIn
}

function readItems(body: unknown, task: Task): Awaitable<Filled> {
  const { limits } = task.lifetime.registry
  if (!Array.isArray(body)) {
    throw invalid([{ pointer: '', code: 'invalid_type', message: 'must be an array of items' }])
  }
  if (body.length > limits.bulk) throw bulkTooLarge(limits.bulk)
  const read = readerOf(task)
  const isNew = task.plan.kind === 'create'
  const seenIds = new Set<unknown>()
  const drafts: Draft[] = []
  const issues: Issue[] = []
  const readOne = (item: unknown, index: number): Awaitable<void> => {
    const at = [index]
    const sent = sentId(item)
    const isRepeated = sent !== undefined && seenIds.has(sent)
    seenIds.add(sent)
    const id = isNew ? undefined : idOf(sent, task.plan.resource)
    const judgeNew = judgeFor(task, at)
    const judgeId: Form['judgeId'] = (body, validItem) =>
      isNew && !isRepeated
        ? judgeNew(body, validItem)
        : issuesOfBulkId(sent, { id, at, isRepeated })
    // Every item at fault has an issue, but a response holds no more than the limit.
    const most = Math.max(1, limits.issues - issues.length)
    const form = formFor(task, { id, sent, at, most, judgeId })
    return whenReady(read(item, form), (result) => {
      drafts.push(...result.drafts)
      issues.push(...result.issues)
    })
  }
  // One after another: a validator that asks a database must not ask it a thousand times at once.
  const all = inTurn<unknown, void>(body, (item, index) =>
    index > 0 && index % itemsATurn === 0
      ? nextTurn().then(() => readOne(item, index))
      : readOne(item, index),
  )
  return whenReady(all, () => ({ drafts, issues }))
}

// Other requests go on in between: a validator may take 20 milliseconds for a thousand items.
const itemsATurn = 100

const none: readonly never[] = Object.freeze([])

function sentId(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? fieldOf(body, 'id') : undefined
}

// The id of a resource that a JSON value writes; `undefined` for a value that is none.
function idOf(sent: unknown, resource: Resource): Draft['id'] {
  return typeof sent === 'string' || typeof sent === 'number'
    ? idFor(resource, String(sent))
    : undefined
}

// Judges the id of an item in a bulk. `id` is its meaning, `undefined` without one.
function issuesOfBulkId(
  sent: unknown,
  { id, isRepeated, at }: Pick<Draft, 'id' | 'at'> & { readonly isRepeated: boolean },
): readonly Issue[] {
  const message = faultOfBulkId(sent, id, isRepeated)
  return message === undefined ? none : [issueAt(at, 'id', { code: 'invalid_id', message })]
}

function faultOfBulkId(sent: unknown, id: Draft['id'], isRepeated: boolean): string | undefined {
  if (sent === undefined) return 'is required'
  if (typeof sent !== 'string' && typeof sent !== 'number')
    return 'must be an id: a text or a number'
  // An id of the right form may be unknown: the core finds that out later.
  if (id !== undefined && id !== sent)
    return `must be a ${typeof id === 'number' ? 'number' : 'text'}, as all ids of this resource`
  return isRepeated ? 'is the id of another item of the body too' : undefined
}

interface NewItem extends Pick<Draft, 'at'> {
  /** As the schema gave it. */
  readonly item: object | undefined
  readonly resource: Resource
}

// Judges the id that a body sends by itself too, since the schema may know no ids.
function issuesOfNewId(body: object, { item, at, resource }: NewItem): readonly Issue[] {
  const sent = fieldOf(body, 'id')
  if (typeof sent === 'string' && !isId(sent)) {
    return [
      issueAt(at, 'id', { code: 'reserved_id', message: 'is reserved: no item can have this id' }),
    ]
  }
  const id = item === undefined ? undefined : fieldOf(item, 'id')
  if (id === undefined || idOf(id, resource) === id) return none
  return [issueAt(at, 'id', { code: 'invalid_id', message: 'must be an id of this resource' })]
}
