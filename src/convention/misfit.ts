import { isRecord } from './declared.ts'

/** A mismatch between a resource and its storage, or advice. */
export interface Misfit {
  readonly resource: string
  /** The table, as the adapter's option names it. */
  readonly table?: string
  readonly field?: string
  /** The mismatch, and what to change. */
  readonly message: string
  /** The SQL statement that corrects it. */
  readonly mend?: string
}

/** The storage of a resource, for `nounful doctor`. */
export interface Examination {
  readonly table: string
  /** The mismatches, in place of those that `ready` names. Default: those. */
  readonly misfits?: readonly Misfit[]
  /** Changes that would make it work better. */
  readonly advice: readonly Misfit[]
}

/** Returns findings without repetitions: two versions may have the same about one table. */
export function distinctMisfits(findings: readonly Misfit[]): readonly Misfit[] {
  const byText = new Map(
    findings.map((finding) => [`${finding.resource} ${finding.message} ${finding.mend}`, finding]),
  )
  return [...byText.values()]
}

/** Adds mismatches to an error as `misfits`. A log of the error leaves them out. */
export function withMisfits<E extends Error>(error: E, misfits: readonly Misfit[]): E {
  return Object.defineProperty(error, 'misfits', { value: misfits })
}

/** Returns the mismatches of an error of `ready`: its `misfits`, else one with its message. */
export function misfitsOf(error: unknown, resource: string): readonly Misfit[] {
  const { misfits, message, code } = Object(error)
  if (Array.isArray(misfits) && misfits.every(isMisfit)) return misfits
  // The error of a refused connection may have a code alone.
  return [{ resource, message: `${message || code || error}` }]
}

function isMisfit(value: unknown): value is Misfit {
  return isRecord(value) && typeof value.message === 'string'
}
