import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { ContractChange } from '../../diff/change.ts'
import { type Finding, findingsOf, newAcceptances } from '../../diff/fingerprint.ts'
import { groupFindings } from '../../diff/report/entries.ts'
import type { Acceptance } from '../../diff/snapshot.ts'
import { formatAcceptances, parseAcceptances } from '../../diff/snapshot-text.ts'
import { UsageError } from '../../trial/check/usage-error.ts'
import { readTextFile, writeOutput } from '../io.ts'
import { parseGitSide, readFromGit } from './git.ts'
import { today } from './options.ts'

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

/** The options that accept changes. */
export interface AcceptFlags {
  readonly accept: readonly string[]
  /** One for each of `accept`. */
  readonly reason: readonly string[]
  /** Default: today. */
  readonly on?: string
}

/** Checks that each change to accept has a reason. */
export function checkReasons({ accept, reason }: AcceptFlags): void {
  if (accept.length !== reason.length)
    throw new UsageError(
      `Each --accept needs a --reason of its own: ${accept.length} and ${reason.length} are given.`,
    )
  const empty = reason.find((text) => text.trim() === '')
  if (empty !== undefined) throw new UsageError('--reason is empty: say why the break is fine.')
}

/**
 * Returns the entries for the log of accepted changes. The fingerprint of an entry of the report
 * accepts each of its changes.
 *
 * @param log The acceptances in force: the report shows their changes apart.
 * @throws {UsageError} For a fingerprint that no change has, and for a change that is fine.
 */
export function acceptancesOf(
  changes: readonly ContractChange[],
  { accept, reason, on = today() }: AcceptFlags,
  log: readonly Acceptance[] = [],
): readonly Acceptance[] {
  const findings = findingsOf(changes, log)
  const groups: readonly Group[] = [
    ...groupFindings(findings).map(({ fingerprint, lead, followers }) => {
      return { fingerprint, findings: [lead, ...followers] }
    }),
    ...findings.map((finding) => ({ fingerprint: finding.fingerprint, findings: [finding] })),
  ]
  return accept.flatMap((fingerprint, index) => {
    const needing = groups
      .find((group) => group.fingerprint === fingerprint)
      ?.findings.filter(({ verdict }) => verdict !== 'fine')
    if (needing === undefined || needing.length === 0)
      throw new UsageError(
        `No change has the fingerprint "${fingerprint}" that would need to be accepted.`,
      )
    return needing.map(({ fingerprint: change, rule, at, from, to }) => {
      return { change, rule, at, from, to, reason: reason[index] ?? '', on }
    })
  })
}

interface Group {
  readonly fingerprint: string
  readonly findings: readonly Finding[]
}
