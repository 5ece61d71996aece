import type { Contender } from './contenders.ts'

/** The subject, the thoroughness and the Node of a bench. */
export interface Effort {
  /** `short` for the gate: a minute, generous bounds. `long` for a quiet machine: the goals. */
  readonly form: 'short' | 'long'
  /** The path of the Node that is measured. */
  readonly node: string
  /** The version of that Node: `v24.21.0`. */
  readonly version: string
  /** Options for that Node. */
  readonly flags: readonly string[]
  /** The processor of the measured process. */
  readonly core: number
  /** The processor of the client. */
  readonly otherCore: number
  /** How often everything starts anew, in fresh processes. */
  readonly runs: number
  /** How often each contender has its turn in a run, for each case. */
  readonly slices: number
  /** How long a turn takes, about, in milliseconds. */
  readonly batch: number
  /** The contenders, the yardstick and its control first. */
  readonly contenders: readonly Contender[]
  /** The names of the measured cases. */
  readonly cases: readonly string[]
}
