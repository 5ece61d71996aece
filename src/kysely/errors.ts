import type { Operation } from '../model/operation.ts'
import { type Issue, isProblem, type ProblemError, problem } from '../model/problem.ts'
import type { Engine, Session } from './engine.ts'
import { type DatabaseFailure, isOperational, type OperationalFailure } from './failure.ts'
import { notSupported } from './supported.ts'
import type { Table } from './table.ts'
import { findBrokenReferences, findTakenValues, type Violation } from './violations.ts'

/** Where something went wrong. */
export interface FailureContext {
  readonly engine: Engine
  readonly operation: Operation
  /** `undefined` before it was looked up. */
  readonly table: Table | undefined
  readonly session: Session
  /** The index in a bulk of the item that was written. */
  readonly index: number | undefined
  /** The items that were written. */
  readonly written: readonly object[]
}

/** What is thrown for a reference to an item that cannot exist, as its column does not hold such a value. */
export class BrokenReference extends Error {}

/** What has been tried of an operation. */
interface RetryState {
  readonly attempts: number
  /** Since the first of them failed. */
  readonly milliseconds: number
  /** Milliseconds that the operation may take. */
  readonly timeout: number
}

// Milliseconds, while others finish what was in the way.
const patience = 1000
const longestWait = 160
const longestWaitForLock = 50
// A pool may hold several connections that have died while nobody used them.
const maxLosses = 5

/**
 * How long to wait before something that failed is done again, in milliseconds; `undefined` when it is not. The adapter waits for
 * a lock as long as the operation may take. It does again for about a second what the database has rolled back, and a few times
 * what only reads, when the connection was lost.
 */
export function retryDelay(
  error: unknown,
  { engine, operation }: Pick<FailureContext, 'engine' | 'operation'>,
  { attempts, milliseconds, timeout }: RetryState,
): number | undefined {
  const kind = failureOf(error, engine)?.kind
  if (kind === 'unavailable')
    return attempts < maxLosses && isReading(operation) ? 20 * (attempts - 1) : undefined
  // Not all at the same time again.
  if (kind === 'locked' && milliseconds < timeout)
    return Math.random() * Math.min(longestWaitForLock, 2 ** attempts)
  if (kind === 'retry' && milliseconds < patience)
    return Math.random() * Math.min(longestWait, 5 * 2 ** attempts)
  return undefined
}

/** Tells whether something failed since the table is not as it was looked up. */
export function isChanged(error: unknown, engine: Engine): boolean {
  return failureOf(error, engine)?.kind === 'changed'
}

/** What is thrown for something that went wrong: a problem, or the error itself where nobody knows what it means. */
export async function errorToThrow(error: unknown, context: FailureContext): Promise<unknown> {
  const failure = failureOf(error, context.engine)
  if (failure === undefined) return error
  if (isOperationalFailure(failure)) return operationalError(failure.kind, error, context)
  const { kind, ...found } = await locate(failure, context)
  return problemsByKind[kind]({ ...found, cause: error }, context)
}

type ConstraintFailure = Exclude<DatabaseFailure, { readonly kind: OperationalFailure }>

function isOperationalFailure(
  failure: DatabaseFailure,
): failure is { readonly kind: OperationalFailure } {
  return isOperational(failure.kind)
}

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

// A database tells the first constraint that it finds broken. A reference is told before a taken value, and all of a kind at once.
async function locate(failure: ConstraintFailure, context: FailureContext): Promise<Located> {
  const { kind } = failure
  const issueTexts = {
    kind,
    issues: issuesOf(failure, context),
    isReferred: isReferred(failure, context),
  }
  if ((kind !== 'unique' && kind !== 'reference') || context.table === undefined) return issueTexts
  const written = { session: context.session, table: context.table, items: context.written }
  const { operation } = context
  try {
    const dangling = await findBrokenReferences(written)
    if (dangling.length > 0) {
      return {
        kind: 'reference',
        issues: issuesAt(dangling, 'reference', operation),
        isReferred: false,
      }
    }
    if (kind === 'reference') return issueTexts
    const taken = await findTakenValues(written, operation.kind === 'create' ? 'create' : 'update')
    return taken.length > 0
      ? { ...issueTexts, issues: issuesAt(taken, 'unique', operation) }
      : issueTexts
  } catch {
    // Less can be told, but what has been refused stays refused.
    return issueTexts
  }
}

// Only an item that was there before is referred to: by values that its table's unique keys hold, where the database tells which.
function isReferred(failure: ConstraintFailure, { operation, table }: FailureContext): boolean {
  if (operation.kind === 'create') return false
  if (failure.isReferred !== undefined) return failure.isReferred
  const held = failure.columns.join()
  return held === '' || (table?.keys.some((key) => key.join() === held) ?? false)
}

/** What went wrong, where it is the database that says so. */
function failureOf(error: unknown, engine: Engine): DatabaseFailure | undefined {
  if (typeof error !== 'object' || error === null || isProblem(error)) return undefined
  if (error instanceof BrokenReference) return { kind: 'reference', columns: [] }
  return engine.failureOf(error) ?? (isConnectionLost(error) ? { kind: 'unavailable' } : undefined)
}

interface FoundIssues {
  /** It is another item that refers to this one. */
  readonly isReferred: boolean
  readonly issues: readonly Issue[]
  readonly cause: unknown
}

const problemsByKind: Readonly<
  Record<
    'unique' | 'reference' | 'required' | 'value',
    (found: FoundIssues, context: FailureContext) => ProblemError
  >
> = {
  unique: ({ issues, cause }) =>
    issues.some(({ pointer }) => pointer?.endsWith('/id'))
      ? problem('conflict', 'There is an item with this id already', { cause })
      : problem('conflict', undefined, { issues, cause }),
  reference: ({ issues, cause, isReferred }, { operation }) => {
    if (operation.kind === 'delete' || operation.kind === 'deleteAll' || isReferred)
      return problem('conflict', 'The item is still named by another, which has to go first', {
        cause,
      })
    const isOwner = issues.some(({ pointer = '' }) => isOf(operation, fieldIn(pointer)))
    if (isOwner || (issues.length === 0 && Object.keys(operation.scope).length > 0)) {
      return problem('parent_not_found', 'The path leads through an item that is not there', {
        cause,
      })
    }
    return problem('validation_failed', undefined, { issues, cause })
  },
  required: ({ issues, cause }) => problem('validation_failed', undefined, { issues, cause }),
  value: ({ issues, cause }) => problem('validation_failed', undefined, { issues, cause }),
}

function isOf({ scope }: Operation, field: string): boolean {
  return Object.hasOwn(scope, field)
}

function fieldIn(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1)
}

const found = {
  unique: { code: 'not_unique', message: 'is taken by another item' },
  reference: { code: 'unknown_reference', message: 'is the id of no item' },
  required: { code: 'required', message: 'is missing' },
  value: { code: 'unfit', message: 'cannot be stored' },
} as const

function issuesOf(
  failure: ConstraintFailure,
  { table, index, operation }: FailureContext,
): readonly Issue[] {
  // In a batch nobody tells which item it was.
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
    ...found[kind],
  }))
}

function isReading({ kind }: Operation): boolean {
  return (
    kind === 'read' || kind === 'list' || kind === 'first' || kind === 'last' || kind === 'count'
  )
}

// Of the system and of the drivers, which have no codes for all of them.
const lostConnection: readonly RegExp[] = [
  /^(?:CONNECT(?:ION)?_|ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOST|ENET|EAI_|ENOTFOUND|PROTOCOL_|POOL_)/,
  /[Cc]onnection (?:terminated|ended|lost)|connection is closed|closed state|timeout exceeded when trying to connect|is not queryable|Queue limit reached|No connections available|not yet accepting/,
]

function isConnectionLost(error: object): boolean {
  const { code, message } = Object(error)
  return lostConnection.some((words) => words.test(String(code)) || words.test(String(message)))
}
