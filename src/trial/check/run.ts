import { type ChangeMonitor, monitorChanges, UnsafeChange } from './change-monitor.ts'
import type { CheckedCollection } from './collection.ts'
import type { Connection } from './connection.ts'
import { curlOf } from './curl.ts'
import { NotApplicable, RuleViolation } from './expect.ts'
import type { CheckWriteOptions } from './find-writable.ts'
import { inspectCollection } from './inspect.ts'
import { maxMessageLength } from './limits.ts'
import { NoResponse, type RequestError } from './message.ts'
import { noParent } from './parent.ts'
import { type Rule, reasonToSkip } from './rule.ts'
import { safeMethods } from './rules/methods.ts'
import { responseRules } from './rules/responses.ts'
import { rules } from './rules.ts'
import { Exhausted, UsageError } from './usage-error.ts'
import { guardWrites } from './write-guard.ts'

/** A collection that breaks a rule. */
interface Violation {
  readonly collection: string
  /** How the response differs, as a sentence. */
  readonly message: string
  /** A command that shows it. */
  readonly curl: string
}

/** The verdict on a rule over all collections. */
export interface RuleVerdict {
  readonly id: string
  readonly rule: string
  readonly verdict: 'kept' | 'broken' | 'not applicable'
  /** One for each collection that breaks the rule. */
  readonly faults: readonly Violation[]
  /** Why the rule does not apply; else `undefined`. */
  readonly reason: string | undefined
}

/** The outcome of a check. */
export interface CheckOutcome {
  readonly verdicts: readonly RuleVerdict[]
  /** Items that the check created and that may still exist. */
  readonly left: readonly string[]
  /** Why the check stopped before its end, as a sentence. */
  readonly stopped: string | undefined
  /** The collections whose rules are not all judged; none after harm to the server. */
  readonly unfinished: readonly string[]
}

/** The heading above the items that may still exist. */
export const leftHeading = 'The check created these, and they may still exist:'

/** Checks every rule on every collection, then removes the items that it created. */
export async function runRules(
  connection: Connection,
  names: readonly string[],
  writing: CheckWriteOptions | undefined,
): Promise<CheckOutcome> {
  const trials = rules.map((rule): Trial => ({ rule, faults: [], reasons: [], isKept: false }))
  const left: string[] = []
  let end: End | undefined
  let unfinished: readonly string[] = []
  for (const [place, name] of names.entries()) {
    connection.begin({ collection: shown(name, connection), index: place, count: names.length })
    const monitor = monitorChanges(connection.send)
    end = await checkCollection({ connection, name, trials, monitor }, writing, left)
    if (end === undefined) continue
    if (!end.isHarm) unfinished = names.slice(place)
    break
  }
  return {
    verdicts: trials.map(verdictOf),
    left: left.map((path) => shown(path, connection)),
    stopped: end?.reason,
    unfinished: unfinished.map((name) => shown(name, connection)),
  }
}

/** Why a check stops before its end. */
interface End {
  readonly reason: string
  /** The server has lost or changed an item. */
  readonly isHarm: boolean
}

/** The results of a rule so far. */
interface Trial {
  readonly rule: Rule
  readonly faults: Violation[]
  readonly reasons: string[]
  isKept: boolean
}

interface Run {
  readonly connection: Connection
  /** The collection, as the user named it. */
  readonly name: string
  readonly trials: readonly Trial[]
  readonly monitor: ChangeMonitor
}

// Returns why the check has to stop. Adds items that may still exist to `left`.
async function checkCollection(
  run: Run,
  writing: CheckWriteOptions | undefined,
  left: string[],
): Promise<End | undefined> {
  const { connection, name, trials, monitor } = run
  const guard = guardWrites({ ...connection, send: monitor.send })
  const isLast = ({ rule }: Trial): boolean => responseRules.includes(rule)
  let collection: CheckedCollection
  try {
    collection = await inspectCollection(name, { connection, guard, monitor, writing })
    for (const trial of trials) if (!isLast(trial)) await tryRule(trial, collection, run)
  } catch (error) {
    for (const path of await guard.cleanUp()) left.push(path)
    const isHarm = error instanceof UnsafeChange
    if (isHarm || error instanceof Exhausted) {
      for (const { reasons } of trials) reasons.push('The check has stopped.')
      const { message } = error
      const reason = isHarm ? noteViolation(safeMethods, error, run) : shown(message, connection)
      return { reason, isHarm }
    }
    if (!(error instanceof NotApplicable || error instanceof NoResponse))
      throw withLeft(error, left)
    for (const { reasons } of trials) reasons.push(shown(error.message, connection))
    if (error instanceof NoResponse) noteViolation('list-is-array', error, run)
    return undefined
  }
  for (const path of await guard.cleanUp()) left.push(path)
  for (const trial of trials) if (isLast(trial)) await tryRule(trial, collection, run)
  return undefined
}

// An error that ends the check also lists the items that may still exist.
function withLeft(error: unknown, left: readonly string[]): unknown {
  if (left.length === 0 || !(error instanceof Error)) return error
  return new UsageError([error.message, leftHeading, ...left].join('\n'))
}

// Returns the message.
function noteViolation(id: string, error: RequestError, run: Run): string {
  const violation = toViolation(error, run)
  run.trials.find(({ rule }) => rule.id === id)?.faults.push(violation)
  return violation.message
}

function toViolation(error: RequestError, { connection, name }: Run): Violation {
  const message = error instanceof NoResponse ? `${error.message}.` : error.message
  return {
    collection: shown(name, connection),
    message: shown(message, connection),
    curl: curlOf(error.request, connection),
  }
}

// Redacts before it cuts: the beginning of a secret would remain.
function shown(text: string, { redact }: Connection): string {
  const safe = redact(text)
  return safe.length > maxMessageLength ? `${safe.slice(0, maxMessageLength)}…` : safe
}

const limitedReason = 'The server answers 429: it allows no more requests.'

async function tryRule(trial: Trial, collection: CheckedCollection, run: Run): Promise<void> {
  const { rule, faults, reasons } = trial
  const { connection, monitor } = run
  const reason = reasonToSkip(rule, collection)
  if (reason !== undefined) return void reasons.push(shown(reason, connection))
  const start = connection.log.length
  try {
    await rule.run(collection)
    await monitor.compare()
    trial.isKept = true
  } catch (error) {
    // A rule compares responses, and one of them is not that of the resource.
    const isLimited = connection.log.slice(start).some(({ status }) => status === 429)
    if (error instanceof NotApplicable) reasons.push(shown(error.message, connection))
    else if (error instanceof RuleViolation && isLimited) reasons.push(limitedReason)
    else if (error instanceof RuleViolation || error instanceof NoResponse)
      faults.push(toViolation(error, run))
    else throw error
    await monitor.compare()
  }
}

function verdictOf({ rule, faults, reasons, isKept }: Trial): RuleVerdict {
  const verdict = faults.length > 0 ? 'broken' : isKept ? 'kept' : 'not applicable'
  const [first] = reasons
  const reason =
    verdict === 'not applicable' ? (reasons.find((one) => one !== noParent) ?? first) : undefined
  return { id: rule.id, rule: rule.text, verdict, faults, reason }
}
