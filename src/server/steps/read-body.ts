import { type Awaitable, inTurn, isPending, nextTurn, whenReady } from '../../model/awaitable.ts'
import type { HttpRequest } from '../../model/http.ts'
import { bulkTooLarge, type Issue, type ProblemError, problem } from '../../model/problem.ts'
import {
  type Content,
  readContent,
  refuseAnyBody as refuseContent,
  takeBody,
} from '../../wire/body.ts'
import { type Filled, type Form, fillIn } from '../checks/body.ts'
import { type Draft, idOf, issuesOfBulkId, issuesOfNewId, sentId } from '../checks/draft.ts'
import { namesNoItem } from '../operation.ts'
import type { Task } from '../task.ts'

/**
 * Makes sure that a request whose operation takes no body has none.
 *
 * @throws {ProblemError} `body_not_allowed`.
 */
export function refuseBody(task: Task): Awaitable<Task> {
  const { request } = task.lifetime
  return request.body === undefined ? task : refuseAny(request, task)
}

function refuseAny(request: HttpRequest, task: Task): Awaitable<Task> {
  return whenReady(refuseContent(request), () => task)
}

/**
 * Reads and validates the body: one draft an item. All issues of all items are collected.
 *
 * @throws {ProblemError} `unsupported_media_type`, `unsupported_encoding`, `body_missing`,
 *   `body_too_large`, `request_timeout`, the codes of JSON, `bulk_too_large`, `validation_failed`,
 *   `reserved_id`.
 */
export function readBody(task: Task): Awaitable<Task> {
  const { request, registry } = task.lifetime
  const content = takeBody(request, registry.limits)
  return isPending(content)
    ? task.lifetime.arrival(content, (arrived) => readArrived(arrived, task))
    : readArrived(content, task)
}

function readArrived(content: Content, task: Task): Awaitable<Task> {
  const body = readContent(content, task.lifetime.registry.limits)
  return whenReady(
    task.plan.row.takes === 'item' ? readItem(body, task) : readItems(body, task),
    (read) => {
      if (read.issues.length > 0) throw invalid(read.issues)
      return { ...task, drafts: read.drafts }
    },
  )
}

/** The drafts of a body; fewer than its items where there are issues. */
interface Read {
  readonly drafts: readonly Draft[]
  readonly issues: readonly Issue[]
}

function invalid(issues: readonly Issue[]): ProblemError {
  const isReserved = issues.some(({ code }) => code === 'reserved_id')
  return problem(isReserved ? 'reserved_id' : 'validation_failed', undefined, { issues })
}

function readItem(body: unknown, task: Task): Awaitable<Read> {
  const { operation, lifetime } = task
  const { kind, id, resource } = operation
  const form = formFor(task, { id, at: [], most: lifetime.registry.limits.issues })
  return whenReady(fillIn(body, form), (filled) =>
    kind === 'create'
      ? toRead(filled, undefined, issuesOfNewId(body, filled.item, resource))
      : toRead(filled, id, []),
  )
}

function readItems(body: unknown, task: Task): Awaitable<Read> {
  const { limits } = task.lifetime.registry
  if (!Array.isArray(body)) {
    throw invalid([{ pointer: '', code: 'invalid_type', message: 'is not an array of items' }])
  }
  if (body.length > limits.bulk) throw bulkTooLarge(limits.bulk)
  const seen = new Set<unknown>()
  const drafts: Draft[] = []
  const issues: Issue[] = []
  const readOne = (item: unknown, index: number): Awaitable<void> => {
    // Every item at fault has an issue, but a response holds no more than the limit.
    const most = Math.max(1, limits.issues - issues.length)
    return whenReady(readOneOf(item, task, { index, seen, most }), (one) => {
      drafts.push(...one.drafts)
      issues.push(...one.issues)
    })
  }
  // One after another: a validator that asks a database must not ask it a thousand times at once.
  const all = inTurn([...body.entries()], ([index, item]) =>
    index > 0 && index % itemsATurn === 0
      ? nextTurn().then(() => readOne(item, index))
      : readOne(item, index),
  )
  return whenReady(all, () => ({ drafts, issues }))
}

// Other requests go on in between: a validator may take 20 milliseconds for a thousand items.
const itemsATurn = 100

interface Reading {
  readonly index: number
  /** The ids of the items before. */
  readonly seen: Set<unknown>
  readonly most: number
}

function readOneOf(body: unknown, task: Task, { index, seen, most }: Reading): Awaitable<Read> {
  const sent = sentId(body)
  const id = idOf(sent, task.plan.resource)
  const at = [index]
  const issues = issuesOfBulkId(sent, { id, at, isRepeated: seen.has(sent) })
  seen.add(sent)
  const form = formFor(task, { id: id ?? sent, at, most })
  return whenReady(fillIn(body, form), (filled) => toRead(filled, id, filled.body ? issues : []))
}

interface Place extends Pick<Form, 'at' | 'most'> {
  readonly id: unknown
}

function formFor({ operation, target }: Task, { id, at, most }: Place): Form {
  const { kind, resource, scope } = operation
  const isNew = kind === 'create'
  return {
    schema: isNew ? resource.create : resource.update,
    given: isNew ? scope : { id, ...scope },
    scope,
    // The fields that the server sets: a new item must lack them, an update may send them back.
    refused: isNew ? resource.readOnly : noFields,
    ignored: isNew ? noFields : resource.readOnly,
    isNowhere: namesNoItem(target, operation),
    at,
    most,
  }
}

const noFields: readonly string[] = Object.freeze([])

function toRead(
  { body, item, at, issues }: Filled,
  id: string | number | undefined,
  more: readonly Issue[],
): Read {
  return {
    drafts: body && item ? [{ body, item, at, id }] : [],
    issues: more.length === 0 ? issues : [...more, ...issues],
  }
}
