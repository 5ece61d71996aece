import { idFor } from '../../contract/resource/id.ts'
import type { Resource } from '../../contract/resource/resource.ts'
import {
  type Awaitable,
  inTurn,
  isPending,
  nextTurn,
  whenReady,
} from '../../convention/awaitable.ts'
import { bulkTooLarge, type Issue, type ProblemError } from '../../convention/problem.ts'
import { fieldOf } from '../../convention/value.ts'
import { type Content, readContent, takeBody } from '../../wire/body.ts'
import { issueAt } from '../../wire/issues.ts'
import { type BodyDrafts, type Draft, type Form, invalid, readDraft } from '../checks/body.ts'
import { formFor, formOfItem, judgeNewId } from '../checks/form.ts'
import { readPatch } from '../checks/patch.ts'
import type { Task, TaskChanges } from '../task.ts'

/**
 * Reads and validates the body: one draft an item. All issues of all items are collected. Returns
 * the problem of the parameters, which comes first.
 *
 * @throws {ProblemError} `unsupported_media_type`, `unsupported_encoding`, `body_missing`,
 *   `body_too_large`, `request_timeout`, the codes of JSON, `bulk_too_large`, `validation_failed`,
 *   `reserved_id`.
 */
export function readBody(task: Task): Awaitable<TaskChanges | ProblemError> {
  const { lifetime, plan, fault } = task
  if (fault !== undefined) return fault
  const content = takeBody(lifetime.request, lifetime.registry.limits, plan.body?.types)
  return isPending(content)
    ? lifetime.arrival(content, (arrived) => withDrafts(arrived, task))
    : withDrafts(content, task)
}

// A body of so many bytes takes a few milliseconds to read, and as many to store and to answer:
// other requests go on in between. The first turn is still that in which the body came.
const largeBody = 2 ** 18

function withDrafts(content: Content, task: Task): Awaitable<TaskChanges> {
  const { plan, operation, lifetime } = task
  const { limits } = lifetime.registry
  const value = readContent(content, limits)
  const isBulk = plan.body?.isMany || (plan.takesMany && Array.isArray(value))
  const read = plan.isMerging ? readPatch : readDraft
  const filled = isBulk
    ? readItems(value, task)
    : read(value, formFor(task, { id: operation.id, at: [], most: limits.issues }))
  const isSized = typeof content === 'string' || content instanceof Uint8Array
  const isLarge = isSized && content.length >= largeBody && !isPending(filled)
  const turns = isLarge && nextTurn().then(nextTurn)
  return whenReady(turns ? turns.then(() => filled) : filled, ({ drafts, issues }) => {
    if (issues.length > 0) throw invalid(issues)
    return { drafts }
  })
}

function readItems(body: unknown, task: Task): Awaitable<BodyDrafts> {
  const { limits } = task.lifetime.registry
  if (!Array.isArray(body)) {
    throw invalid([{ pointer: '', code: 'invalid_type', message: 'must be an array of items' }])
  }
  if (body.length > limits.bulk) throw bulkTooLarge(limits.bulk)
  const read = task.plan.isMerging ? readPatch : readDraft
  const isNew = task.plan.kind === 'create'
  const seenIds = new Set<unknown>()
  const drafts: Draft[] = []
  const issues: Issue[] = []
  const bulk = formFor(task, { id: undefined, at: [], most: limits.issues })
  const readOne = (item: unknown, index: number): Awaitable<void> => {
    const at = [index]
    const sent = sentId(item)
    const isRepeated = sent !== undefined && seenIds.has(sent)
    seenIds.add(sent)
    const id = isNew ? undefined : idOf(sent, task.plan.resource)
    const judgeId: Form['judgeId'] = (body, validItem, form) =>
      isNew && !isRepeated
        ? judgeNewId(body, validItem, form)
        : issuesOfBulkId(sent, { id, at, isRepeated })
    // Every item at fault has an issue, but a response holds no more than the limit.
    const most = Math.max(1, limits.issues - issues.length)
    const form = formOfItem(bulk, { id, sent, at, most, judgeId })
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
