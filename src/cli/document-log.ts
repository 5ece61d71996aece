import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { ContractChange } from '../diff/change.ts'
import { newAcceptances } from '../diff/fingerprint.ts'
import type { Acceptance } from '../diff/snapshot.ts'
import { formatAcceptances, parseAcceptances } from '../diff/snapshot-text.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { type AcceptFlags, acceptancesOf, checkReasons } from './accept.ts'
import { parseGitSide, readFromGit } from './git.ts'
import { readTextFile, writeOutput } from './io.ts'

/** The options that tell which changes of a document are accepted. */
export interface DocumentLogFlags extends AcceptFlags {
  /** The log, a file. A document itself has no place for it. */
  readonly accepted?: string
}

/**
 * Returns what a log accepts of the changes of an OpenAPI document, and adds to the log what the
 * user accepts now. Entries that the log has in the commit of the old document count no more.
 */
export async function acceptedOfDocument(
  old: string,
  changes: readonly ContractChange[],
  flags: DocumentLogFlags,
): Promise<readonly Acceptance[]> {
  const { accepted: file, accept } = flags
  checkReasons(flags)
  if (file === undefined) {
    if (accept.length === 0) return []
    throw new UsageError('--accept needs a file for the log: add --accepted accepted.json.')
  }
  const log = existsSync(file) ? logIn(file, readTextFile(file)) : []
  const acceptances = [...log, ...acceptancesOf(changes, flags)]
  if (accept.length > 0) writeOutput(file, formatAcceptances(acceptances))
  return newAcceptances(acceptances, await olderLog(old, file))
}

async function olderLog(old: string, file: string): Promise<readonly Acceptance[]> {
  const git = parseGitSide(old)
  if (git === undefined) return []
  const path = relative('.', file)
  // The commit may be older than the log.
  const text = await readFromGit({ ref: git.ref, path }).catch(() => undefined)
  return text === undefined ? [] : logIn(`git:${git.ref}:${path}`, text)
}

function logIn(name: string, text: string): readonly Acceptance[] {
  try {
    return parseAcceptances(text)
  } catch (error) {
    throw error instanceof TypeError ? new UsageError(`${name}: ${error.message}`) : error
  }
}
