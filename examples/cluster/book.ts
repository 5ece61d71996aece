import type { Answer } from './client.ts'
import { History } from './history.ts'

/** A group of items that are always written together, all with the same name. */
export interface Group {
  readonly company: string
  readonly ids: readonly string[]
  readonly history: History
}

/** A request that writes, as the figures need it. */
export interface Written {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly status: number
}

/** Everything that was written and read, and every wrong answer. */
export class Book {
  readonly histories = new Map<string, History>()
  readonly groups: Group[] = []
  readonly writes: Written[] = []
  readonly faults: string[] = []
  /** Creates that got no response, and were repeated with their keys. */
  repeated = 0
  /** How many of them had been stored all the same. */
  replays = 0
  reads = 0
  readsElsewhere = 0
  readsRefused = 0

  /** Notes a request that writes; tells whether it was acknowledged. */
  note(kind: string, { status, start, end, body }: Answer): boolean {
    this.writes.push({ kind, status, start, end })
    if (status === 200 || status === 201) return true
    if (!isUnknown(status)) this.fault(`${kind}: ${status} ${JSON.stringify(body)}`)
    return false
  }

  /** Notes something that must never happen. */
  fault(what: string): void {
    const at = (performance.now() / 1000).toFixed(2)
    this.faults.push(`at ${at} s: ${what}`)
  }

  /** The history of an item. */
  of(id: string): History {
    const known = this.histories.get(id) ?? new History()
    this.histories.set(id, known)
    return known
  }

  /** Notes an answer to who reads; tells whether it says anything. */
  noteRead({ status }: Answer): boolean {
    this.reads++
    if (!isUnknown(status)) return true
    this.readsRefused++
    return false
  }
}

/**
 * Tells whether a response leaves the outcome open: a broken connection, or a balancer's status.
 */
export function isUnknown(status: number): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504
}
