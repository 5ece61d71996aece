import { escapeControls } from './escape.ts'
import { isRecord } from './value.ts'

/** A mismatch between a resource and its storage, or advice. */
export interface Mismatch {
  readonly resource: string
  /** The table, as the adapter's option names it. */
  readonly table?: string
  readonly field?: string
  /** The mismatch, and what to change. */
  readonly message: string
  /** The SQL statement that corrects it. */
  readonly fix?: string
}

/** The storage of a resource, for `nounful doctor`. */
export interface Examination {
  readonly table: string
  /** The mismatches, in place of those that `ready` names. Default: those. */
  readonly mismatches?: readonly Mismatch[]
  /** Changes that would make it work better. */
  readonly advice: readonly Mismatch[]
}

/** Returns findings without repetitions: two versions may have the same about one table. */
export function distinctMismatches(findings: readonly Mismatch[]): readonly Mismatch[] {
  const byText = new Map(
    findings.map((finding) => [`${finding.resource} ${finding.message} ${finding.fix}`, finding]),
  )
  return [...byText.values()]
}

/**
 * Adds mismatches to an error as `mismatches`, and as `misfits`, the old name. A log of the error
 * leaves both out.
 */
export function withMismatches<E extends Error>(error: E, mismatches: readonly Mismatch[]): E {
  const property = { value: mismatches }
  return Object.defineProperties(error, { mismatches: property, misfits: property })
}

/** Returns the mismatches of an error of `ready`: its `mismatches`, else one with its message. */
export function mismatchesOf(error: unknown, resource: string): readonly Mismatch[] {
  const { mismatches, message, code } = Object(error)
  if (Array.isArray(mismatches) && mismatches.every(isMismatch)) return mismatches
  // The error of a refused connection may have a code alone.
  return [{ resource, message: `${message || code || error}` }]
}

function isMismatch(value: unknown): value is Mismatch {
  return isRecord(value) && typeof value.message === 'string'
}

/**
 * Writes findings about a storage as lines below a title; no line for no finding. Findings of one
 * message are one suggestion. A statement stands alone in its line, to copy it.
 */
export function formatFindings(title: string, findings: readonly Mismatch[]): readonly string[] {
  if (findings.length === 0) return []
  const statements = new Map<string, string[]>()
  for (const { resource, message, fix } of findings) {
    const line = `  ${resource}: ${escapeControls(message)}`
    const lines = statements.get(line) ?? []
    statements.set(line, fix === undefined ? lines : [...lines, `    ${escapeControls(fix)}`])
  }
  return [title, ...[...statements].flatMap(([line, lines]) => [line, ...lines])]
}
