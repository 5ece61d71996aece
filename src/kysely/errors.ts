import type { Operation } from '../contract/resource/operation.ts'
import { operations } from '../convention/operations.ts'
import { type Issue, isProblem, type ProblemError, problem } from '../convention/problem.ts'
import type { ConstraintKind, DatabaseFailure, OperationalKind } from './failure.ts'
import type { StorageTask, Store, Violation } from './table.ts'
import { isBulk, notSupported } from './table-checks.ts'
import { inSavepoint } from './transaction.ts'
import { findBrokenReferences, findTakenValues } from './violations.ts'

/** The circumstances of a failure. */
interface FailureContext {
  readonly store: Store
  readonly operation: Operation
  /** `undefined` before the look-up of the table. */
  readonly task: StorageTask | undefined
}

/** A reference to an item that cannot exist, since the column cannot hold its id. */
export class BrokenReference extends Error {}

// Milliseconds, while other operations finish.
const retryTime = 1000
const longestWait = 160
const longestWaitForLock = 50
// Several idle connections of a pool may have died.
const maxLosses = 5

/**
 * Returns the milliseconds to wait before the next attempt, and `undefined` for no attempt. The
 * adapter waits for a lock as long as the operation may take. It repeats a rolled-back operation
 * for about a second, and a read a few times after a lost connection.
 */
export function retryDelay(
  error: unknown,
  context: FailureContext,
  { attempts, since }: { readonly attempts: number; readonly since: number },
): number | undefined {
  const milliseconds = performance.now() - since
  const kind = failureOf(error, context)?.kind
  if (kind === 'unavailable')
    return attempts < maxLosses && operations[context.operation.kind].safe
      ? 20 * (attempts - 1)
      : undefined
  // Spreads the next attempts of several operations.
  if (kind === 'locked' && milliseconds < context.store.timeout)
    return Math.random() * Math.min(longestWaitForLock, 2 ** attempts)
  if (kind === 'retry' && milliseconds < retryTime)
    return Math.random() * Math.min(longestWait, 5 * 2 ** attempts)
  return undefined
}

/** Tells whether the table differs from its look-up. */
export function isChanged(error: unknown, context: FailureContext): boolean {
  return failureOf(error, context)?.kind === 'changed'
}

/** Returns the error to throw: a problem, or the given error if its meaning is unknown. */
export async function errorToThrow(error: unknown, context: FailureContext): Promise<unknown> {
  const failure = failureOf(error, context)
  if (failure === undefined) return error
  const { kind } = failure
  if (!isConstraint(kind)) return operationalError(kind, error, context)
  const found = await locate({ ...failure, kind }, context)
  return problemOf(found, error, context.operation)
}

function operationalError(
  kind: OperationalKind,
  cause: unknown,
  { operation, task }: FailureContext,
): unknown {
  if (kind === 'changed') return cause
  if (kind === 'denied') return problem('forbidden', undefined, { cause })
  return kind === 'unsupported' && task !== undefined
    ? notSupported(task.table, operation, cause)
    : problem('unavailable', undefined, { cause })
}

interface FoundIssues {
  readonly kind: ConstraintKind
  readonly issues: readonly Issue[]
  /** Another item references this one. */
  readonly isReferred: boolean
  /** Default: the sentence of the kind. */
  readonly detail?: string
}

interface ConstraintFailure extends DatabaseFailure {
  readonly kind: ConstraintKind
}

// A database reports the first broken constraint only. The adapter reports broken references before
// taken values, and all of one kind at once.
async function locate(failure: ConstraintFailure, context: FailureContext): Promise<FoundIssues> {
  const { kind } = failure
  const { operation, task, store } = context
  const issues = issuesOf(failure, context)
  const found = { kind, issues, isReferred: isReferred(failure, context) }
  if ((kind !== 'unique' && kind !== 'reference') || task === undefined) return found
  const session = store.database
  const written = { session, table: task.table, items: task.written ?? [] }
  const lookUp = async (): Promise<FoundIssues> => {
    const dangling = await findBrokenReferences(written)
    if (dangling.length > 0) {
      const issues = issuesAt(dangling, 'reference', operation)
      return { kind: 'reference', issues, isReferred: false }
    }
    if (kind === 'reference') return found
    const taken = await findTakenValues(written, operation.kind === 'create' ? 'create' : 'update')
    if (taken.length > 0) return { ...found, issues: issuesAt(taken, 'unique', operation) }
    const { exchanges = [] } = task
    if (exchanges.length === 0) return found
    return { ...found, issues: issuesAt(exchanges, 'exchange', operation), detail: exchanged }
  }
  const { deadline } = task
  const looked = store.isJoined ? inSavepoint({ session, deadline }, lookUp) : lookUp()
  // The adapter may report less, but the write stays rejected.
  return looked.catch(() => found)
}

// Only an older item can have referrers. They hold values of the unique keys of its table.
function isReferred(failure: ConstraintFailure, { operation, task }: FailureContext): boolean {
  if (operation.kind === 'create') return false
  if (failure.isReferred !== undefined) return failure.isReferred
  const held = failure.columns?.join() ?? ''
  return held === '' || (task?.table.keys.some((key) => key.join() === held) ?? false)
}

/** Returns the failure that the database reports. */
function failureOf(
  error: unknown,
  { store: { engine } }: FailureContext,
): DatabaseFailure | undefined {
  if (typeof error !== 'object' || error === null || isProblem(error)) return undefined
  if (error instanceof BrokenReference) return { kind: 'reference' }
  return engine.failureOf(error) ?? (isConnectionLost(error) ? { kind: 'unavailable' } : undefined)
}

function problemOf(
  { kind, issues, isReferred, detail }: FoundIssues,
  cause: unknown,
  operation: Operation,
): ProblemError {
  if (kind === 'unique') {
    return issues.some(({ pointer }) => pointer === '/id')
      ? problem('conflict', 'An item with this id exists already.', { cause })
      : problem('conflict', detail, { issues, cause })
  }
  if (kind === 'reference') {
    if (operation.kind === 'delete' || operation.kind === 'deleteAll' || isReferred) {
      const detail = 'Another item still references this one. Delete that item first.'
      return problem('conflict', detail, { cause })
    }
    // A new item names one of several owners itself, so the client can correct that.
    const owners = Object.entries(operation.scope).flatMap(([field, value]) =>
      Array.isArray(value) ? [] : field,
    )
    const isOwner = issues.some(({ pointer = '' }) =>
      owners.includes(pointer.slice(pointer.lastIndexOf('/') + 1)),
    )
    if (isOwner || (issues.length === 0 && owners.length > 0)) {
      return problem('parent_not_found', 'A parent in the path does not exist.', { cause })
    }
  }
  return problem('validation_failed', undefined, { issues, cause })
}

const exchanged =
  'Items of this request exchange unique values, which the database cannot do in one step. ' +
  'Change one of them to a free value first.'

const issueTexts = {
  exchange: {
    code: 'not_unique',
    message: 'is exchanged with another item of this request: take a free value first',
  },
  unique: { code: 'not_unique', message: 'is taken by another item' },
  reference: { code: 'reference_not_found', message: 'is the id of no item' },
  required: { code: 'required', message: 'is required' },
  value: { code: 'unfit', message: 'cannot be stored' },
} as const

function isConstraint(kind: DatabaseFailure['kind']): kind is ConstraintKind {
  return Object.hasOwn(issueTexts, kind)
}

function issuesOf(
  failure: ConstraintFailure,
  { task, operation }: FailureContext,
): readonly Issue[] {
  const { table, index } = task ?? {}
  // A batch does not report which item failed.
  if (isBulk(operation) && index === undefined) return []
  const named = table?.described.keys.get(failure.key ?? '') ?? failure.columns ?? []
  const fields = table?.fields.filter(({ column }) => named.includes(column)) ?? []
  const violations = fields.map(({ name }) => ({ place: index ?? 0, field: name }))
  return issuesAt(violations, failure.kind, operation)
}

function issuesAt(
  violations: readonly Violation[],
  kind: keyof typeof issueTexts,
  operation: Operation,
): readonly Issue[] {
  return violations.map(({ place, field }) => ({
    pointer: isBulk(operation) ? `/${place}/${field}` : `/${field}`,
    ...issueTexts[kind],
  }))
}

// Codes and messages of the system and of drivers, which do not have a code for each case.
const lostConnection: readonly RegExp[] = [
  /^(?:CONNECT(?:ION)?_|ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOST|ENET|EAI_|ENOTFOUND|PROTOCOL_|POOL_)/,
  /[Cc]onnection (?:terminated|ended|lost)|connection is closed|closed state/,
  /timeout exceeded when trying to connect|is not queryable/,
  /Queue limit reached|No connections available|not yet accepting/,
]

function isConnectionLost(error: object): boolean {
  const { code, message } = Object(error)
  return lostConnection.some((words) => words.test(String(code)) || words.test(String(message)))
}
