import { maxShown } from './bounds.ts'
import { formatCurl } from './curl.ts'
import type { Line } from './exchange.ts'
import { Breach, Unfit } from './expect.ts'
import { openLedger } from './ledger.ts'
import { type Rule, reasonAgainst } from './rule.ts'
import { answerRules } from './rules/answers.ts'
import { safeMethods } from './rules/safe.ts'
import { rules } from './rules.ts'
import { Silence } from './sent.ts'
import type { Writing } from './site.ts'
import type { Subject } from './subject.ts'
import { surveyOf } from './survey.ts'
import { UsageError } from './usage-error.ts'
import { Harm, openWatch, type Watch } from './watch.ts'

/** A rule that is broken somewhere. */
interface Fault {
  readonly collection: string
  /** What was answered instead, as a sentence. */
  readonly message: string
  /** A command line that shows it. */
  readonly curl: string
}

/** What came of a rule over all collections. */
export interface Verdict {
  readonly id: string
  readonly rule: string
  readonly verdict: 'kept' | 'broken' | 'not applicable'
  /** Of a broken rule, one for each collection. */
  readonly faults: readonly Fault[]
  /** Of one that does not apply. */
  readonly reason: string | undefined
}

/** What came of a check. */
export interface Outcome {
  readonly verdicts: readonly Verdict[]
  /** Items that were made and are not known to be removed. */
  readonly left: readonly string[]
  /** Why the check stopped before its end, as a sentence. */
  readonly stopped: string | undefined
}

/** What is said above items that were left. */
export const leftTold = 'These were made, and are not known to be removed:'

/** Tries every rule on every collection, one request after another, and removes what it has made. */
export async function check(
  line: Line,
  names: readonly string[],
  writing: Writing | undefined,
): Promise<Outcome> {
  const notes = new Map<string, Note>(
    rules.map(({ id }) => [id, { faults: [], reasons: [], isKept: false }]),
  )
  const left: string[] = []
  let stopped: string | undefined
  for (const name of names) {
    stopped = await checkCollection(line, { name, writing, notes, left })
    if (stopped !== undefined) break
  }
  const verdicts = rules.map(({ id, words }) => verdictOf(id, words, notes.get(id)))
  return { verdicts, left: left.map((path) => shown(path, line)), stopped }
}

interface Note {
  readonly faults: Fault[]
  readonly reasons: string[]
  isKept: boolean
}

interface Task {
  readonly name: string
  readonly writing: Writing | undefined
  readonly notes: ReadonlyMap<string, Note>
  /** What could not be removed. */
  readonly left: string[]
}

// Gives why the check has to stop.
async function checkCollection(
  line: Line,
  { name, writing, notes, left }: Task,
): Promise<string | undefined> {
  const watch = openWatch(line.ask)
  const ledger = openLedger({ ...line, ask: watch.ask })
  const last = new Set(answerRules)
  let subject: Subject
  try {
    subject = await surveyOf(name, { line, ledger, watch, writing })
    for (const rule of rules)
      if (!last.has(rule)) await tryRule(rule, subject, { line, notes, watch })
  } catch (error) {
    for (const path of await ledger.clear()) left.push(path)
    if (error instanceof Harm) return noteHarm(error, { line, name, notes })
    if (!(error instanceof Unfit || error instanceof Silence)) throw complaintOf(error, left)
    for (const { reasons } of notes.values()) reasons.push(shown(error.message, line))
    if (error instanceof Silence)
      notes.get('list-is-array')?.faults.push(faultOf(error, name, line))
    return undefined
  }
  for (const path of await ledger.clear()) left.push(path)
  for (const rule of answerRules) await tryRule(rule, subject, { line, notes, watch })
  return undefined
}

interface Harmed {
  readonly line: Line
  readonly name: string
  readonly notes: ReadonlyMap<string, Note>
}

function noteHarm(harm: Harm, { line, name, notes }: Harmed): string {
  const fault = faultOf(harm, name, line)
  notes.get(safeMethods)?.faults.push(fault)
  for (const { reasons } of notes.values()) reasons.push('The check has stopped.')
  return fault.message
}

// What ends a check does not hide what it leaves behind.
function complaintOf(error: unknown, left: readonly string[]): unknown {
  if (left.length === 0 || !(error instanceof Error)) return error
  return new UsageError([error.message, leftTold, ...left].join('\n'))
}

function faultOf(error: Breach | Harm | Silence, collection: string, line: Line): Fault {
  const message = error instanceof Silence ? `${error.message}.` : error.message
  return {
    collection: shown(collection, line),
    message: shown(message, line),
    curl: formatCurl(error.sent, line),
  }
}

// First without secrets: of one that is cut the beginning would be left.
function shown(text: string, { conceal }: Line): string {
  const open = conceal(text)
  return open.length > maxShown ? `${open.slice(0, maxShown)}…` : open
}

interface Desk {
  readonly line: Line
  readonly notes: ReadonlyMap<string, Note>
  readonly watch: Watch
}

async function tryRule(rule: Rule, subject: Subject, { line, notes, watch }: Desk): Promise<void> {
  const note = notes.get(rule.id)
  if (!note) return
  const reason = reasonAgainst(rule, subject)
  if (reason !== undefined) return void note.reasons.push(shown(reason, line))
  try {
    await rule.run(subject)
    await watch.look()
    note.isKept = true
  } catch (error) {
    if (error instanceof Unfit) note.reasons.push(shown(error.message, line))
    else if (error instanceof Breach || error instanceof Silence)
      note.faults.push(faultOf(error, subject.name, line))
    else throw error
    await watch.look()
  }
}

function verdictOf(id: string, rule: string, note: Note | undefined): Verdict {
  const { faults = [], reasons = [], isKept = false } = note ?? {}
  const verdict = faults.length > 0 ? 'broken' : isKept ? 'kept' : 'not applicable'
  const reason =
    verdict === 'not applicable'
      ? (reasons.find((one) => !one.startsWith('The collection is owned')) ?? reasons[0])
      : undefined
  return { id, rule, verdict, faults, reason }
}
