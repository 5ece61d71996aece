import { sql } from 'kysely'
import type { Operation } from '../contract/resource/operation.ts'
import { inOrder } from '../contract/values/write.ts'
import { operations } from '../convention/operations.ts'
import type { Issue, ProblemError } from '../convention/problem.ts'
import { isProblem, problem, takenId } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import type {
  ConstraintKind,
  DatabaseFailure,
  OperationalKind,
  Row,
  Session,
  Sql,
} from './engine/engine.ts'
import { encode, fits, inStoredForm, valueIn } from './fields.ts'
import { sessionOf } from './run/session.ts'
import {
  BrokenReference,
  fieldFor,
  isBulk,
  notDeleted,
  notSupported,
  type StorageTask,
  type Store,
  type Table,
  type Violation,
  type WrittenItem,
} from './table.ts'

/** The circumstances of a failure. */
interface FailureContext {
  readonly store: Store
  readonly operation: Operation
  /** `undefined` before the look-up of the table. */
  readonly task: StorageTask | undefined
}

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
  const location = await locate({ ...failure, kind }, context)
  return problemOf(location, error, context.operation)
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
  const location = { kind, issues, isReferred: isReferred(failure, context) }
  if ((kind !== 'unique' && kind !== 'reference') || task === undefined) return location
  const session = store.database
  const written = { session, table: task.table, items: task.written ?? [] }
  const lookUp = async (): Promise<FoundIssues> => {
    const dangling = await findBrokenReferences(written)
    if (dangling.length > 0) {
      const issues = issuesAt(dangling, 'reference', operation)
      return { kind: 'reference', issues, isReferred: false }
    }
    if (kind === 'reference') return location
    const violations = await findTakenValues(
      written,
      operation.kind === 'create' ? 'create' : 'update',
    )
    if (violations.length > 0)
      return { ...location, issues: issuesAt(violations, 'unique', operation) }
    const { exchanges = [] } = task
    if (exchanges.length === 0) return location
    return { ...location, issues: issuesAt(exchanges, 'exchange', operation), detail: exchanged }
  }
  const { deadline } = task
  // The adapter may report less, but the write stays rejected.
  return sessionOf(store)
    .attempt({ session, deadline }, lookUp)
    .catch(() => location)
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
    if (issues.some(({ pointer }) => pointer === '/id')) return takenId(cause)
    return problem('conflict', detail, { issues, cause })
  }
  if (kind === 'reference') {
    const isDeletion = operations[operation.kind].method === 'DELETE'
    if (isDeletion || isReferred) {
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

/** The items of a successful or failed write. */
interface WrittenItems {
  readonly session: Session
  readonly table: Table
  readonly items: readonly WrittenItem[]
}

/**
 * Returns the fields that reference a missing item, in the order of items. A database reports only
 * the first issue that it finds, and each finds another one first.
 */
async function findBrokenReferences(written: WrittenItems): Promise<readonly Violation[]> {
  const { references } = written.table.described
  const lookUps = references.flatMap(({ columns, table, keys }) =>
    lookUpsFor(written, { columns, keys, table: sql.id(...table), result: sql`1` }),
  )
  const results = await resultsOf(written, lookUps)
  return violationsOf(lookUps.filter((_, at) => results[at] === null))
}

/** Returns the fields whose unique values another item has, an item of the same write included. */
async function findTakenValues(
  written: WrittenItems,
  kind: 'create' | 'update',
): Promise<readonly Violation[]> {
  const { table, items } = written
  const id = fieldFor(table, 'id')
  const lookUps = holderLookUps(written, table.engine.readable(id.stored))
  const holders = await resultsOf(written, lookUps)
  const replaced = kind === 'create' ? [] : items
  const byId = new Map(replaced.map((written) => [fieldOf(written.item, 'id'), written]))
  // A replaced item gives up its value, unless it keeps it or another written item takes it.
  const isGivenUp = (holder: unknown, fields: readonly Violation[]): boolean => {
    const written = byId.get(holder)
    return written !== undefined && changesSome(written, fields)
  }
  const holderAt = (at: number): unknown =>
    holders[at] === null ? undefined : (id.decode?.(holders[at]) ?? holders[at])
  const isOwn = ({ item }: LookUp, at: number): boolean =>
    kind === 'update' && holderAt(at) === fieldOf(item, 'id')
  const heldValues = new Set(lookUps.filter(isOwn).map(({ value }) => value))
  const assignedValues = new Set<string>()
  return violationsOf(
    lookUps.filter((lookUp, at) => {
      const { value, violations } = lookUp
      if (isOwn(lookUp, at)) return false
      const holder = holderAt(at)
      const isFree = holder === undefined || isGivenUp(holder, violations)
      const isTaken = !isFree || heldValues.has(value) || assignedValues.has(value)
      assignedValues.add(value)
      return isTaken
    }),
  )
}

// One key may have two names. A key of some rows is about those that are not deleted.
function holderLookUps(written: WrittenItems, result: Sql): readonly LookUp[] {
  const { table } = written
  const { described, deletion } = table
  const holder = { table: table.base?.name ?? table.name, result }
  const keys = new Map([...described.keys.values()].map((key) => [key.join(), key]))
  const partial = deletion === undefined ? [] : described.partialKeys
  const conditions = notDeleted(table)
  return [
    ...[...keys.values()].flatMap((key) =>
      lookUpsFor(written, { ...holder, columns: key, keys: key }),
    ),
    ...partial.flatMap((key) =>
      lookUpsFor(written, { ...holder, columns: key, keys: key, conditions }),
    ),
  ]
}

function changesSome({ changed }: WrittenItem, fields: readonly Violation[]): boolean {
  return changed === undefined || fields.some(({ field }) => changed.includes(field))
}

interface Sought {
  /** The columns of the items. */
  readonly columns: readonly string[]
  /** The columns of the other table with the same values. */
  readonly keys: readonly string[]
  readonly table: Sql
  /** The result where they are the same. */
  readonly result: Sql
  /** Further conditions of the other table. Default: none. */
  readonly conditions?: readonly Sql[]
}

interface LookUp {
  readonly item: object
  readonly violations: readonly Violation[]
  /** The values of the fields, as text. */
  readonly value: string
  /** The statement of the look-up: `null` if the result is known. */
  readonly statement: Sql
}

function lookUpsFor(
  { table, items }: WrittenItems,
  { columns, keys, table: target, result, conditions = [] }: Sought,
): readonly LookUp[] {
  const { engine } = table
  const candidates = [...table.fields, ...table.folds.values()]
  const fields = columns.flatMap((name) => candidates.find(({ column }) => column === name) ?? [])
  if (fields.length < columns.length) return []
  return items.flatMap((written): LookUp[] => {
    const { item, place } = written
    const violations = fields.map(({ name, foldOf = name }) => ({ place, field: foldOf }))
    if (!changesSome(written, violations)) return []
    const values = fields.map((field) => inStoredForm(field, valueIn(field, item)))
    if (values.some((value) => value === undefined || value === null)) return []
    const isFit = fields.every((field, at) => fits(field, values[at], engine))
    const isSame = fields.map((field, at) => {
      const value = engine.writable(field.stored, sql`${encode(field, values[at], engine)}`)
      return sql`${sql.id(keys[at] ?? '')} = ${value}`
    })
    const all = sql.join([...isSame, ...conditions], sql` and `)
    const lookUp = sql`(select ${result} from ${target} where ${all} limit 1)`
    return [
      {
        item,
        violations,
        value: JSON.stringify([columns, values]),
        statement: isFit ? lookUp : sql`null`,
      },
    ]
  })
}

// Less than every engine's limit of parameters in a statement, with keys of some columns.
const lookUpsAtOnce = 25

async function resultsOf(
  { session }: WrittenItems,
  lookUps: readonly LookUp[],
): Promise<readonly unknown[]> {
  const results: unknown[] = []
  for (let start = 0; start < lookUps.length; start += lookUpsAtOnce) {
    const some = lookUps.slice(start, start + lookUpsAtOnce)
    const columns = some.map(({ statement }, at) => sql`${statement} as ${sql.id(`result ${at}`)}`)
    const { rows } = await sql<Row>`select ${sql.join(columns)}`.execute(session)
    results.push(...some.map((_, at) => rows[0]?.[`result ${at}`] ?? null))
  }
  return results
}

function violationsOf(lookUps: readonly LookUp[]): readonly Violation[] {
  return inOrder(lookUps.flatMap(({ violations }) => violations))
}
