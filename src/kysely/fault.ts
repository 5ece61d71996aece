import type { Operation } from '../model/operation.ts'
import { type Issue, isProblem, type ProblemError, problem } from '../model/problem.ts'
import { danglingIn } from './dangling.ts'
import { type Engine, type Fault, type Hindrance, isHindrance, type Session } from './engine.ts'
import type { Table } from './table.ts'

/** Where something went wrong. */
export interface Scene {
  readonly engine: Engine
  readonly operation: Operation
  /** `undefined` before it was looked up. */
  readonly table: Table | undefined
  readonly session: Session
  /** The place in a bulk of the item that was written. */
  readonly place: number | undefined
  /** That item, or the only one. */
  readonly written: object | undefined
}

// About a second in all, while others finish.
const maxAttempts = 12
const longestWait = 160
// A pool may hold several connections that have died while nobody used them.
const maxLosses = 5

/**
 * How long to wait before something that failed is done again, in milliseconds; `undefined` when it is not: what the
 * database has rolled back is, and what only reads, a few times, when the connection was lost.
 */
export function waitAfter(
  error: unknown,
  { engine, operation }: Pick<Scene, 'engine' | 'operation'>,
  attempts: number,
): number | undefined {
  const kind = faultOf(error, engine)?.kind
  if (kind === 'away')
    return attempts < maxLosses && isReading(operation) ? 20 * (attempts - 1) : undefined
  if (kind !== 'again' || attempts >= maxAttempts) return undefined
  // Not all at the same time again.
  return Math.random() * Math.min(longestWait, 5 * 2 ** attempts)
}

/** What is thrown for something that went wrong: a problem, or the error itself where nobody knows what it means. */
export async function toThrown(error: unknown, scene: Scene): Promise<unknown> {
  const fault = faultOf(error, scene.engine)
  if (fault === undefined) return error
  if (isHindered(fault)) {
    return problem('unavailable', undefined, { cause: error })
  }
  const { table, ...refusal } = await located(fault, scene)
  const issues = issuesOf(refusal, scene)
  const isReferred = table !== undefined && table !== scene.table?.tableName
  return refusals[fault.kind]({ issues, cause: error, isReferred }, scene)
}

type Refusal = Exclude<Fault, { readonly kind: Hindrance }>

function isHindered(fault: Fault): fault is { readonly kind: Hindrance } {
  return isHindrance(fault.kind)
}

async function located(fault: Refusal, { session, table, written }: Scene): Promise<Refusal> {
  if (fault.kind !== 'reference' || fault.columns.length > 0) return fault
  if (table === undefined || written === undefined) return fault
  try {
    const columns = await danglingIn(session, table, written)
    // What refers to nothing itself is referred to by another.
    return columns.length > 0 ? { ...fault, columns } : { ...fault, table: 'another' }
  } catch {
    // Less can be told, but what has been refused stays refused.
    return fault
  }
}

/** What went wrong, where it is the database that says so. */
function faultOf(error: unknown, engine: Engine): Fault | undefined {
  if (typeof error !== 'object' || error === null || isProblem(error)) return undefined
  return engine.faultOf(error) ?? (isLost(error) ? { kind: 'away' } : undefined)
}

interface Told {
  /** It is another item that refers to this one. */
  readonly isReferred: boolean
  readonly issues: readonly Issue[]
  readonly cause: unknown
}

const refusals: Readonly<
  Record<'unique' | 'reference' | 'required' | 'value', (told: Told, scene: Scene) => ProblemError>
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

const told = {
  unique: { code: 'not_unique', message: 'is taken by another item' },
  reference: { code: 'unknown_reference', message: 'is the id of no item' },
  required: { code: 'required', message: 'is missing' },
  value: { code: 'unfit', message: 'cannot be stored' },
} as const

function issuesOf(fault: Refusal, { table, place, operation }: Scene): readonly Issue[] {
  // In a batch nobody tells which item it was.
  if (operation.kind === 'updateMany' && place === undefined) return []
  const named = table?.described.keys.get(fault.key ?? '') ?? fault.columns
  const fields = table?.fields.filter(({ column }) => named.includes(column)) ?? []
  const start = place === undefined ? '' : `/${place}`
  return fields.map(({ name }) => ({ pointer: `${start}/${name}`, ...told[fault.kind] }))
}

function isReading({ kind }: Operation): boolean {
  return (
    kind === 'read' || kind === 'list' || kind === 'first' || kind === 'last' || kind === 'count'
  )
}

// Of the system and of the drivers, which have no codes for all of them.
const lost: readonly RegExp[] = [
  /^(?:ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOST|ENET|EAI_|ENOTFOUND|PROTOCOL_|POOL_)/,
  /[Cc]onnection (?:terminated|ended|lost)|connection is closed|closed state|timeout exceeded when trying to connect|is not queryable|Queue limit reached|No connections available|not yet accepting/,
]

function isLost(error: object): boolean {
  const { code, message } = Object(error)
  return lost.some((words) => words.test(String(code)) || words.test(String(message)))
}
