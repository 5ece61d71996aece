import type { Operation } from '../model/operation.ts'
import { type Issue, isProblem, type ProblemError, problem } from '../model/problem.ts'
import { type Breach, danglingIn, takenIn } from './broken.ts'
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
  /** The items that were written. */
  readonly written: readonly object[]
}

/** What is thrown for a reference to an item that cannot exist, as its column does not hold such a value. */
export class Dangling extends Error {}

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
  const { kind, ...found } = await located(fault, scene)
  return refusals[kind]({ ...found, cause: error }, scene)
}

type Refusal = Exclude<Fault, { readonly kind: Hindrance }>

function isHindered(fault: Fault): fault is { readonly kind: Hindrance } {
  return isHindrance(fault.kind)
}

interface Located extends Omit<Told, 'cause'> {
  readonly kind: Refusal['kind']
}

// A database tells the first constraint that it finds broken. A reference is told before a taken value, and all of a kind at once.
async function located(fault: Refusal, scene: Scene): Promise<Located> {
  const { kind, table } = fault
  const isOther = table !== undefined && table !== scene.table?.tableName
  const told = { kind, issues: issuesOf(fault, scene), isReferred: isOther }
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
    // What refers to nothing itself is referred to by another.
    if (kind === 'reference') return { ...told, isReferred: isOther || told.issues.length === 0 }
    const taken = await takenIn(written, operation.kind === 'create' ? 'create' : 'update')
    return taken.length > 0 ? { ...told, issues: issuesAt(taken, 'unique', operation) } : told
  } catch {
    // Less can be told, but what has been refused stays refused.
    return told
  }
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
  /^(?:ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOST|ENET|EAI_|ENOTFOUND|PROTOCOL_|POOL_)/,
  /[Cc]onnection (?:terminated|ended|lost)|connection is closed|closed state|timeout exceeded when trying to connect|is not queryable|Queue limit reached|No connections available|not yet accepting/,
]

function isLost(error: object): boolean {
  const { code, message } = Object(error)
  return lost.some((words) => words.test(String(code)) || words.test(String(message)))
}
