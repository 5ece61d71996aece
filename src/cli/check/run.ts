import { Complaint } from '../complaint.ts'
import { formatCurl } from './curl.ts'
import { type Line, Silence } from './exchange.ts'
import { Breach, Unfit } from './expect.ts'
import { openLedger } from './ledger.ts'
import { type Rule, reasonAgainst } from './rule.ts'
import { answerRules } from './rules/answers.ts'
import { rules } from './rules.ts'
import type { Subject } from './subject.ts'
import { surveyOf, type Writing } from './survey.ts'

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
  for (const name of names) await checkCollection(line, { name, writing, notes, left })
  const verdicts = rules.map(({ id, words }) => verdictOf(id, words, notes.get(id)))
  return { verdicts, left }
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

async function checkCollection(line: Line, { name, writing, notes, left }: Task): Promise<void> {
  const ledger = openLedger(line)
  const last = new Set(answerRules)
  let subject: Subject
  try {
    subject = await surveyOf(name, { line, ledger, writing })
    for (const rule of rules) if (!last.has(rule)) await tryRule(rule, subject, { line, notes })
  } catch (error) {
    left.push(...(await ledger.clear()))
    if (!(error instanceof Unfit || error instanceof Silence)) throw complaintOf(error, left)
    for (const { reasons } of notes.values()) reasons.push(error.message)
    if (error instanceof Silence)
      notes.get('list-is-array')?.faults.push(faultOf(error, name, line.origin))
    return
  }
  left.push(...(await ledger.clear()))
  for (const rule of answerRules) await tryRule(rule, subject, { line, notes })
}

// What ends a check does not hide what it leaves behind.
function complaintOf(error: unknown, left: readonly string[]): unknown {
  if (left.length === 0 || !(error instanceof Error)) return error
  return new Complaint([error.message, leftTold, ...left].join('\n'))
}

function faultOf(error: Breach | Silence, collection: string, origin: string): Fault {
  const message = error instanceof Silence ? `${error.message}.` : error.message
  return { collection, message, curl: formatCurl(error.sent, origin) }
}

interface Desk {
  readonly line: Line
  readonly notes: ReadonlyMap<string, Note>
}

async function tryRule(rule: Rule, subject: Subject, { line, notes }: Desk): Promise<void> {
  const note = notes.get(rule.id)
  if (!note) return
  const reason = reasonAgainst(rule, subject)
  if (reason !== undefined) return void note.reasons.push(reason)
  try {
    await rule.run(subject)
    note.isKept = true
  } catch (error) {
    if (error instanceof Unfit) note.reasons.push(error.message)
    else if (error instanceof Breach || error instanceof Silence)
      note.faults.push(faultOf(error, subject.name, line.origin))
    else throw error
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
