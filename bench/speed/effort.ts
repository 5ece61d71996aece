import type { Contender } from './contenders.ts'

/** What to measure, how thoroughly, and under which Node. */
export interface Effort {
  /** As the gate does it, in a minute, with generous bounds; or as one does it on a quiet machine. */
  readonly form: 'short' | 'long'
  /** The Node that is measured. */
  readonly node: string
  /** What that Node says it is: `v24.21.0`. */
  readonly version: string
  /** Options of that Node's. */
  readonly flags: readonly string[]
  /** Servers are asked as they are when they have just started. Otherwise they have rested: see `inside/rest.mjs`. */
  readonly isFresh: boolean
  /** The processor that what is measured is kept on. */
  readonly core: number
  /** Another one, for whoever asks. */
  readonly otherCore: number
  /** How often everything is started anew. */
  readonly starts: number
  /** Rounds of each start. */
  readonly rounds: number
  /** Milliseconds that a contender is asked for, about, each time. */
  readonly batch: number
  /** Those that are compared; the yardstick and its second copy come first. */
  readonly contenders: readonly Contender[]
  /** The names of those cases that are measured. */
  readonly cases: readonly string[]
}
