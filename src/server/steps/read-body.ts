import { type Awaitable, inTurn, isPending, nextTurn, whenReady } from '../../model/awaitable.ts'
import { idFor, isId } from '../../model/id.ts'
import { bulkTooLarge, type Issue, type ProblemError, problem } from '../../model/problem.ts'
import type { Resource } from '../../model/resource.ts'
import { fieldOf } from '../../model/value.ts'
import { type Content, readContent, takeBody } from '../../wire/body.ts'
import { type Draft, type Filled, type Form, fillIn, issueAt } from '../checks/body.ts'
import type { PathId } from '../operations.ts'
import type { Task } from '../task.ts'

/**
 * Reads and validates the body: one draft an item. All issues of all items are collected.
 *
 * @throws {ProblemError} `unsupported_media_type`, `unsupported_encoding`, `body_missing`,
 *   `body_too_large`, `request_timeout`, the codes of JSON, `bulk_too_large`, `validation_failed`,
 *   `reserved_id`.
 */
export function readBody(task: Task): Awaitable<Task> {
  const { lifetime, plan } = task
  const { limits } = lifetime.registry
  const read = plan.row.takes === 'item' ? readItem : readItems
  const readArrived = (content: Content): Awaitable<Task> =>
    whenReady(read(readContent(content, limits), task), ({ drafts, issues }) => {
      if (issues.length > 0) throw invalid(issues)
      return { ...task, drafts }
    })
  const content = takeBody(lifetime.request, limits)
  return isPending(content) ? lifetime.arrival(content, readArrived) : readArrived(content)
}

function invalid(issues: readonly Issue[]): ProblemError {
  const isReserved = issues.some(({ code }) => code === 'reserved_id')
  return problem(isReserved ? 'reserved_id' : 'validation_failed', undefined, { issues })
}

function readItem(body: unknown, task: Task): Awaitable<Filled> {
  const { id, resource } = task.operation
  const most = task.lifetime.registry.limits.issues
  const judgeId = (sent: object, item?: object): readonly Issue[] =>
    task.plan.kind === 'create' ? issuesOfNewId(sent, item, resource) : none
  return fillIn(body, formFor(task, { id, at: [], most, judgeId }))
}

function readItems(body: unknown, task: Task): Awaitable<Filled> {
  const { limits } = task.lifetime.registry
  if (!Array.isArray(body)) {
    throw invalid([{ pointer: '', code: 'invalid_type', message: 'is not an array of items' }])
  }
  if (body.length > limits.bulk) throw bulkTooLarge(limits.bulk)
  const seen = new Set<unknown>()
  const drafts: Draft[] = []
  const issues: Issue[] = []
  const readOne = (item: unknown, index: number): Awaitable<void> => {
    const sent = sentId(item)
    const id = idOf(sent, task.plan.resource)
    const at = [index]
    const ofId = issuesOfBulkId(sent, { id, at, isRepeated: seen.has(sent) })
    seen.add(sent)
    // Every item at fault has an issue, but a response holds no more than the limit.
    const most = Math.max(1, limits.issues - issues.length)
    const form = formFor(task, { id, sent, at, most, judgeId: () => ofId })
    return whenReady(fillIn(item, form), (one) => {
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

interface Reading extends Pick<Form, 'id' | 'at' | 'most' | 'judgeId'> {
  /** The id in the body of an item in a bulk. */
  readonly sent?: unknown
}

function formFor(
  { plan, operation, target, parentIds }: Task,
  { sent, ...reading }: Reading,
): Form {
  const { kind, resource, scope, id } = operation
  const isNew = kind === 'create'
  return {
    ...reading,
    schema: isNew ? resource.create : resource.update,
    given: isNew ? scope : { id: reading.id ?? sent, ...scope },
    scope,
    // The fields that the server sets: a new item must lack them, an update may send them back.
    refused: isNew ? resource.readOnly : none,
    ignored: isNew ? none : plan.ignored,
    isNowhere: (target.kind === 'item' && id === undefined) || parentIds.includes(undefined),
  }
}

const none: readonly never[] = Object.freeze([])

function sentId(body: unknown): unknown {
  return typeof body === 'object' && body !== null ? fieldOf(body, 'id') : undefined
}

// The id of a resource that a JSON value writes; `undefined` for a value that is none.
function idOf(sent: unknown, resource: Resource): PathId {
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

function faultOfBulkId(sent: unknown, id: PathId, isRepeated: boolean): string | undefined {
  if (sent === undefined) return 'is missing'
  if (typeof sent !== 'string' && typeof sent !== 'number')
    return 'is no id: an id is text or a number'
  // An id of the right form may be unknown: the core finds that out later.
  if (id !== undefined && id !== sent) return `is no id: an id of this resource is a ${typeof id}`
  return isRepeated ? 'is the id of another item too' : undefined
}

// Judges the id that a body sends by itself too, since the schema may know no ids.
function issuesOfNewId(
  body: object,
  item: object | undefined,
  resource: Resource,
): readonly Issue[] {
  const sent = fieldOf(body, 'id')
  if (typeof sent === 'string' && !isId(sent)) {
    return [issueAt([], 'id', { code: 'reserved_id', message: 'is an id that no item can have' })]
  }
  const id = item === undefined ? undefined : fieldOf(item, 'id')
  if (id === undefined || idOf(id, resource) === id) return none
  return [issueAt([], 'id', { code: 'invalid_id', message: 'is no id of this resource' })]
}
