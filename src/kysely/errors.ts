import type { Operation } from '../model/operation.ts'
import { type Issue, isProblem, type ProblemError, problem } from '../model/problem.ts'
import type { Engine, Session } from './engine.ts'
import type { DatabaseFailure, OperationalFailure } from './failure.ts'
import { notSupported } from './supported.ts'
import type { Table } from './table.ts'
import { findBrokenReferences, findTakenValues, type Violation } from './violations.ts'

/** The circumstances of a failure. */
export interface FailureContext {
  readonly engine: Engine
  readonly operation: Operation
  /** `undefined` before the look-up of the table. */
  readonly table: Table | undefined
  readonly session: Session
  /** The index of the written item in a bulk. */
  readonly index: number | undefined
  /** The written items. */
  readonly written: readonly object[]
}

/** A reference to an item that cannot exist, since the column cannot hold its id. */
export class BrokenReference extends Error {}

/** The attempts of an operation so far. */
interface RetryState {
  readonly attempts: number
  /** The milliseconds since the first attempt failed. */
  readonly milliseconds: number
  /** The milliseconds that the operation may take. */
  readonly timeout: number
}

// Milliseconds, while other operations finish.
const patience = 1000
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
  { engine, operation }: Pick<FailureContext, 'engine' | 'operation'>,
  { attempts, milliseconds, timeout }: RetryState,
): number | undefined {
  const kind = failureOf(error, engine)?.kind
  if (kind === 'unavailable')
    return attempts < maxLosses && isReading(operation) ? 20 * (attempts - 1) : undefined
  // Spreads the next attempts of several operations.
  if (kind === 'locked' && milliseconds < timeout)
    return Math.random() * Math.min(longestWaitForLock, 2 ** attempts)
  if (kind === 'retry' && milliseconds < patience)
    return Math.random() * Math.min(longestWait, 5 * 2 ** attempts)
  return undefined
}

/** Tells whether the table differs from its look-up. */
export function isChanged(error: unknown, engine: Engine): boolean {
  return failureOf(error, engine)?.kind === 'changed'
}

/** Returns the error to throw: a problem, or the given error if its meaning is unknown. */
export async function errorToThrow(error: unknown, context: FailureContext): Promise<unknown> {
  const failure = failureOf(error, context.engine)
  if (failure === undefined) return error
  if (!('columns' in failure)) return operationalError(failure.kind, error, context)
  const { kind, ...found } = await locate(failure, context)
  return problemsByKind[kind]({ ...found, cause: error }, context)
}

type ConstraintFailure = Exclude<DatabaseFailure, { readonly kind: OperationalFailure }>

function operationalError(
  kind: OperationalFailure,
  cause: unknown,
  { operation, table }: FailureContext,
): unknown {
  if (kind === 'changed') return cause
  if (kind === 'denied') return problem('forbidden', undefined, { cause })
  return kind === 'unsupported' && table !== undefined
    ? notSupported(table, operation, cause)
    : problem('unavailable', undefined, { cause })
}

interface Located extends Omit<FoundIssues, 'cause'> {
  readonly kind: ConstraintFailure['kind']
}

// A database reports the first broken constraint only. The adapter reports broken references before
// taken values, and all of one kind at once.
async function locate(failure: ConstraintFailure, context: FailureContext): Promise<Located> {
  const { kind } = failure
  const { operation, session, table, written: items } = context
  const found = {
    kind,
    issues: issuesOf(failure, context),
    isReferred: isReferred(failure, context),
  }
  if ((kind !== 'unique' && kind !== 'reference') || table === undefined) return found
  const written = { session, table, items }
  try {
    const dangling = await findBrokenReferences(written)
    if (dangling.length > 0) {
      const issues = issuesAt(dangling, 'reference', operation)
      return { kind: 'reference', issues, isReferred: false }
    }
    if (kind === 'reference') return found
    const taken = await findTakenValues(written, operation.kind === 'create' ? 'create' : 'update')
    return taken.length > 0 ? { ...found, issues: issuesAt(taken, 'unique', operation) } : found
  } catch {
    // The adapter reports less, but the write stays rejected.
    return found
  }
}

// Only an older item can have referrers. They hold values of the unique keys of its table.
function isReferred(failure: ConstraintFailure, { operation, table }: FailureContext): boolean {
  if (operation.kind === 'create') return false
  if (failure.isReferred !== undefined) return failure.isReferred
  const held = failure.columns.join()
  return held === '' || (table?.keys.some((key) => key.join() === held) ?? false)
}

/** Returns the failure that the database reports. */
function failureOf(error: unknown, engine: Engine): DatabaseFailure | undefined {
  if (typeof error !== 'object' || error === null || isProblem(error)) return undefined
  if (error instanceof BrokenReference) return { kind: 'reference', columns: [] }
  return engine.failureOf(error) ?? (isConnectionLost(error) ? { kind: 'unavailable' } : undefined)
}

interface FoundIssues {
  /** Another item references this one. */
  readonly isReferred: boolean
  readonly issues: readonly Issue[]
  readonly cause: unknown
}

type ToProblem = (found: FoundIssues, context: FailureContext) => ProblemError

const invalid: ToProblem = ({ issues, cause }) =>
  problem('validation_failed', undefined, { issues, cause })

const problemsByKind: Readonly<Record<ConstraintFailure['kind'], ToProblem>> = {
  unique: ({ issues, cause }) =>
    issues.some(({ pointer }) => pointer?.endsWith('/id'))
      ? problem('conflict', 'An item with this id exists already', { cause })
      : problem('conflict', undefined, { issues, cause }),
  reference: (found, context) => {
    const { issues, cause, isReferred } = found
    const { operation } = context
    if (operation.kind === 'delete' || operation.kind === 'deleteAll' || isReferred)
      return problem('conflict', 'Another item still references this one. Delete that item first', {
        cause,
      })
    const isOwner = issues.some(({ pointer = '' }) =>
      Object.hasOwn(operation.scope, pointer.slice(pointer.lastIndexOf('/') + 1)),
    )
    if (isOwner || (issues.length === 0 && Object.keys(operation.scope).length > 0)) {
      return problem('parent_not_found', 'A parent in the path does not exist', { cause })
    }
    return invalid(found, context)
  },
  required: invalid,
  value: invalid,
}

const issueTexts = {
  unique: { code: 'not_unique', message: 'is taken by another item' },
  reference: { code: 'unknown_reference', message: 'is the id of no item' },
  required: { code: 'required', message: 'is missing' },
  value: { code: 'unfit', message: 'cannot be stored' },
} as const

function issuesOf(
  failure: ConstraintFailure,
  { table, index, operation }: FailureContext,
): readonly Issue[] {
  // A batch does not report which item failed.
  if (operation.kind === 'updateMany' && index === undefined) return []
  const named = table?.described.keys.get(failure.key ?? '') ?? failure.columns
  const fields = table?.fields.filter(({ column }) => named.includes(column)) ?? []
  const violations = fields.map(({ name }) => ({ place: index ?? 0, field: name }))
  return issuesAt(violations, failure.kind, operation)
}

function issuesAt(
  violations: readonly Violation[],
  kind: ConstraintFailure['kind'],
  operation: Operation,
): readonly Issue[] {
  return violations.map(({ place, field }) => ({
    pointer: operation.kind === 'updateMany' ? `/${place}/${field}` : `/${field}`,
    ...issueTexts[kind],
  }))
}

function isReading({ kind }: Operation): boolean {
  return ['read', 'list', 'first', 'last', 'count'].includes(kind)
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
