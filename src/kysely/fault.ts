import type { Operation } from '../model/operation.ts'
import { type Issue, isProblem, type ProblemError, problem } from '../model/problem.ts'
import { type Breach, danglingIn, takenIn } from './broken.ts'
import type { Engine, Session } from './engine.ts'
import { type Fault, type Hindrance, isHindrance } from './hindrance.ts'
import type { Table } from './table.ts'
import { notTaken } from './taken.ts'

/** Where something went wrong. */
export interface Scene {
  readonly engine: Engine
  readonly operation: Operation
  /** `undefined` before it was looked up. */
  readonly table: Table | undefined
  readonly session: Session
  /** The place in a bulk of the item that was written. */
  readonly place: number | undefined
  /** The items that were written. */
  readonly written: readonly object[]
}

/** What is thrown for a reference to an item that cannot exist, as its column does not hold such a value. */
export class Dangling extends Error {}

/** What has been tried of an operation. */
interface Tried {
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
export function waitAfter(
  error: unknown,
  { engine, operation }: Pick<Scene, 'engine' | 'operation'>,
  { attempts, milliseconds, timeout }: Tried,
): number | undefined {
  const kind = faultOf(error, engine)?.kind
  if (kind === 'away')
    return attempts < maxLosses && isReading(operation) ? 20 * (attempts - 1) : undefined
  // Not all at the same time again.
  if (kind === 'locked' && milliseconds < timeout)
    return Math.random() * Math.min(longestWaitForLock, 2 ** attempts)
  if (kind === 'again' && milliseconds < patience)
    return Math.random() * Math.min(longestWait, 5 * 2 ** attempts)
  return undefined
}

/** Tells whether something failed since the table is not as it was looked up. */
export function isChanged(error: unknown, engine: Engine): boolean {
  return faultOf(error, engine)?.kind === 'changed'
}

/** What is thrown for something that went wrong: a problem, or the error itself where nobody knows what it means. */
export async function toThrown(error: unknown, scene: Scene): Promise<unknown> {
  const fault = faultOf(error, scene.engine)
  if (fault === undefined) return error
  if (isHindered(fault)) return hindered(fault.kind, error, scene)
  const { kind, ...found } = await located(fault, scene)
  return refusals[kind]({ ...found, cause: error }, scene)
}

type Refusal = Exclude<Fault, { readonly kind: Hindrance }>

function isHindered(fault: Fault): fault is { readonly kind: Hindrance } {
  return isHindrance(fault.kind)
}

function hindered(kind: Hindrance, cause: unknown, { operation, table }: Scene): unknown {
  if (kind === 'changed') return cause
  if (kind === 'denied') return problem('forbidden', undefined, { cause })
  return kind === 'untaken' && table !== undefined
    ? notTaken(table, operation, cause)
    : problem('unavailable', undefined, { cause })
}

interface Located extends Omit<Told, 'cause'> {
  readonly kind: Refusal['kind']
}

// A database tells the first constraint that it finds broken. A reference is told before a taken value, and all of a kind at once.
async function located(fault: Refusal, scene: Scene): Promise<Located> {
  const { kind } = fault
  const told = { kind, issues: issuesOf(fault, scene), isReferred: isReferred(fault, scene) }
  if ((kind !== 'unique' && kind !== 'reference') || scene.table === undefined) return told
  const written = { session: scene.session, table: scene.table, items: scene.written }
  const { operation } = scene
  try {
    const dangling = await danglingIn(written)
    if (dangling.length > 0) {
      return {
        kind: 'reference',
        issues: issuesAt(dangling, 'reference', operation),
        isReferred: false,
      }
    }
    if (kind === 'reference') return told
    const taken = await takenIn(written, operation.kind === 'create' ? 'create' : 'update')
    return taken.length > 0 ? { ...told, issues: issuesAt(taken, 'unique', operation) } : told
  } catch {
    // Less can be told, but what has been refused stays refused.
    return told
  }
}

// Only an item that was there before is referred to: by values that its table's unique keys hold, where the database tells which.
function isReferred(fault: Refusal, { operation, table }: Scene): boolean {
  if (operation.kind === 'create') return false
  if (fault.isReferred !== undefined) return fault.isReferred
  const held = fault.columns.join()
  return held === '' || (table?.keys.some((key) => key.join() === held) ?? false)
}

/** What went wrong, where it is the database that says so. */
function faultOf(error: unknown, engine: Engine): Fault | undefined {
  if (typeof error !== 'object' || error === null || isProblem(error)) return undefined
  if (error instanceof Dangling) return { kind: 'reference', columns: [] }
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
  const breaches = fields.map(({ name }) => ({ place: place ?? 0, field: name }))
  return issuesAt(breaches, fault.kind, operation)
}

function issuesAt(
  breaches: readonly Breach[],
  kind: Refusal['kind'],
  operation: Operation,
): readonly Issue[] {
  return breaches.map(({ place, field }) => ({
    pointer: operation.kind === 'updateMany' ? `/${place}/${field}` : `/${field}`,
    ...told[kind],
  }))
}

function isReading({ kind }: Operation): boolean {
  return (
    kind === 'read' || kind === 'list' || kind === 'first' || kind === 'last' || kind === 'count'
  )
}

// Of the system and of the drivers, which have no codes for all of them.
const lost: readonly RegExp[] = [
  /^(?:CONNECT(?:ION)?_|ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOST|ENET|EAI_|ENOTFOUND|PROTOCOL_|POOL_)/,
  /[Cc]onnection (?:terminated|ended|lost)|connection is closed|closed state|timeout exceeded when trying to connect|is not queryable|Queue limit reached|No connections available|not yet accepting/,
]

function isLost(error: object): boolean {
  const { code, message } = Object(error)
  return lost.some((words) => words.test(String(code)) || words.test(String(message)))
}
