import { type ChangeMonitor, monitorChanges, UnsafeChange } from './change-monitor.ts'
import { type CheckedCollection, type CheckWriteOptions, noParent } from './collection.ts'
import { type Connection, curlOf } from './connection.ts'
import { inspectCollection } from './inspect.ts'
import { maxMessageLength } from './limits.ts'
import { NoResponse, NotApplicable, type RequestError, RuleViolation } from './message.ts'
import { type Rule, reasonToSkip, safeMethods } from './rule.ts'
import { absentRules } from './rules/absent.ts'
import { bulkPatchRules, bulkRules, changeRules } from './rules/changes.ts'
import { bulkCreateRules, createRules } from './rules/creates.ts'
import { dryRunRules } from './rules/dry-run.ts'
import { filterFaultRules, filterRules, manyRules } from './rules/filters.ts'
import { listRules, offsetRules, pageRules } from './rules/lists.ts'
import { lifecycleRules, methodRules, safeRules } from './rules/methods.ts'
import { fieldRules, filteredListRules, totalRules } from './rules/parameters.ts'
import { patchFaultRules, patchRules } from './rules/patches.ts'
import { parentRules, pathRules, responseRules } from './rules/paths.ts'
import { includeRules, referenceRules } from './rules/references.ts'
import { relatedRules } from './rules/related.ts'
import { noKeyRules, repeatRules } from './rules/repeat.ts'
import { searchRules, sortRules } from './rules/searches.ts'
import { selectionRules } from './rules/selections.ts'
import { bulkStateRules, stateRules } from './rules/states.ts'
import { Exhausted, UsageError } from './usage-error.ts'
import { guardWrites } from './write-guard.ts'

/** The rules by their subject, in the order of the check. Those about every response come last. */
export const rulesBySubject: readonly (readonly [group: string, rules: readonly Rule[]])[] = [
  ['lists', [...listRules, ...sortRules, ...searchRules]],
  ['pages', [...pageRules, ...offsetRules]],
  [
    'filters',
    [...filterRules, ...filteredListRules, ...filterFaultRules, ...manyRules, ...relatedRules],
  ],
  ['fields, includes and totals', [...fieldRules, ...includeRules, ...totalRules]],
  ['paths and methods', [...pathRules, ...parentRules, ...methodRules, ...safeRules]],
  ['create', [...createRules, ...repeatRules, ...noKeyRules, ...bulkCreateRules]],
  [
    'change and delete',
    [...changeRules, ...absentRules, ...patchRules, ...patchFaultRules, ...stateRules],
  ],
  ['bulks', [...bulkRules, ...selectionRules, ...bulkPatchRules, ...bulkStateRules]],
  ['dry runs and references', [...dryRunRules, ...referenceRules]],
  ['every response', [...responseRules, ...lifecycleRules]],
]

/** All rules, in the order of the check. */
export const rules: readonly Rule[] = rulesBySubject.flatMap(([, group]) => group)

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
  const remaining: string[] = []
  let end: End | undefined
  let unfinished: readonly string[] = []
  for (const [place, name] of names.entries()) {
    connection.begin({ collection: safeText(name, connection), index: place, count: names.length })
    const monitor = monitorChanges(connection.send)
    end = await checkCollection({ connection, name, trials, monitor }, writing, remaining)
    if (end === undefined) continue
    if (!end.isHarm) unfinished = names.slice(place)
    break
  }
  return {
    verdicts: trials.map(verdictOf),
    left: remaining.map((path) => safeText(path, connection)),
    stopped: end?.reason,
    unfinished: unfinished.map((name) => safeText(name, connection)),
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
  remaining: string[],
): Promise<End | undefined> {
  const { connection, name, trials, monitor } = run
  const guard = guardWrites({ ...connection, send: monitor.send })
  const isLast = ({ rule }: Trial): boolean => responseRules.includes(rule)
  let collection: CheckedCollection
  try {
    collection = await inspectCollection(name, { connection, guard, monitor, writing })
    for (const trial of trials) if (!isLast(trial)) await tryRule(trial, collection, run)
  } catch (error) {
    for (const path of await guard.cleanUp()) remaining.push(path)
    const isHarm = error instanceof UnsafeChange
    if (isHarm || error instanceof Exhausted) {
      for (const { reasons } of trials) reasons.push('The check has stopped.')
      const { message } = error
      const reason = isHarm ? noteViolation(safeMethods, error, run) : safeText(message, connection)
      return { reason, isHarm }
    }
    if (!(error instanceof NotApplicable || error instanceof NoResponse))
      throw withLeft(error, remaining)
    for (const { reasons } of trials) reasons.push(safeText(error.message, connection))
    if (error instanceof NoResponse) noteViolation('list-is-array', error, run)
    return undefined
  }
  for (const path of await guard.cleanUp()) remaining.push(path)
  for (const trial of trials) if (isLast(trial)) await tryRule(trial, collection, run)
  return undefined
}

// An error that ends the check also lists the items that may still exist.
function withLeft(error: unknown, remaining: readonly string[]): unknown {
  if (remaining.length === 0 || !(error instanceof Error)) return error
  return new UsageError([error.message, leftHeading, ...remaining].join('\n'))
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
    collection: safeText(name, connection),
    message: safeText(message, connection),
    curl: curlOf(error.request, connection),
  }
}

// Redacts before it cuts: the beginning of a secret would remain.
function safeText(text: string, { redact }: Connection): string {
  const safe = redact(text)
  return safe.length > maxMessageLength ? `${safe.slice(0, maxMessageLength)}…` : safe
}

const limitedReason = 'The server answers 429: it allows no more requests.'

async function tryRule(trial: Trial, collection: CheckedCollection, run: Run): Promise<void> {
  const { rule, faults, reasons } = trial
  const { connection, monitor } = run
  const reason = reasonToSkip(rule, collection)
  if (reason !== undefined) return void reasons.push(safeText(reason, connection))
  const start = connection.log.length
  try {
    await rule.run(collection)
    await monitor.compare()
    trial.isKept = true
  } catch (error) {
    // A rule compares responses, and one of them is not that of the resource.
    const isLimited = connection.log.slice(start).some(({ status }) => status === 429)
    if (error instanceof NotApplicable) reasons.push(safeText(error.message, connection))
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
    verdict === 'not applicable' ? (reasons.find((text) => text !== noParent) ?? first) : undefined
  return { id: rule.id, rule: rule.text, verdict, faults, reason }
}

/** The report of a check. Its members are public: `--json` prints them. */
export interface CheckReport extends CheckOutcome {
  readonly url: string
  readonly collections: readonly string[]
  /** The number of requests. */
  readonly requests: number
  readonly mode:
    | 'reads only'
    | 'reads and writes'
    | 'reads, writes and empties'
    | 'writes as two callers'
}
