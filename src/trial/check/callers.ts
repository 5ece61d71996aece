import type { CallerName } from '../isolation/exchange.ts'
import { parseHeaders } from './headers.ts'
import { type Redact, redactorFor } from './redact.ts'
import { UsageError } from './usage-error.ts'

/** The options of `nounful check` that name callers. */
export interface CallerOptions {
  readonly as?: readonly string[]
  readonly asEverything?: string
  readonly write?: boolean
}

/** The headers of each caller, by lower-case name. */
export type Callers = Readonly<
  Partial<Record<CallerName, Readonly<Record<string, string>> | undefined>>
>

/**
 * Reads the callers of a proof; `undefined` without `--as`.
 *
 * @throws {UsageError} Unless there are two callers, and `--write`.
 */
export function readCallers({ as = [], asEverything, write }: CallerOptions): Callers | undefined {
  if (as.length === 0 && asEverything === undefined) return undefined
  if (as.length !== 2)
    throw new UsageError(
      "--as names a caller, and the proof needs two: --as 'authorization: Bearer A' " +
        "--as 'authorization: Bearer B'.",
    )
  if (!write)
    throw new UsageError('--as creates items of two callers: allow writing too, with --write.')
  const [alice, bob] = as.map((line) => parseHeaders([line]))
  return { alice, bob, everything: asEverything ? parseHeaders([asEverything]) : undefined }
}

/** Returns a function that hides the values of every caller's headers, after another. */
export function redactingCallers(callers: Callers, redact: Redact): Redact {
  const redactors = Object.values(callers).flatMap((headers) =>
    headers === undefined ? [] : [redactorFor(headers)],
  )
  return [redact, ...redactors].reduce((one, other) => (text) => other(one(text)))
}
