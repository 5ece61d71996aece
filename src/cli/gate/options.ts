import { isDay, isMoment } from '../../convention/format.ts'
import type { CompareOptions } from '../../diff/compare/context.ts'
import { UsageError } from '../../trial/check/usage-error.ts'

/** The options of the commands that compare. */
export interface GateFlags {
  /** Default: today. */
  readonly on?: string
  readonly grace: string
}

const maxGrace = 36_500

/**
 * Reads `--on` and `--grace`.
 *
 * @throws {UsageError} For no date, and no number of days.
 */
export function compareOptionsOf({ on = today(), grace }: GateFlags): CompareOptions {
  if (!isDay(on) && !isMoment(on))
    throw new UsageError(`--on cannot be "${on}": write a date, as in 2026-11-01.`)
  const days = Number(grace)
  if (!/^\d+$/.test(grace) || days > maxGrace)
    throw new UsageError(`--grace cannot be "${grace}": write a number of days, 0 to ${maxGrace}.`)
  return { on, grace: days }
}

/** Returns the day in UTC: `2026-11-01`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}
