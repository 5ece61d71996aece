import { isRecord } from '../../convention/value.ts'
import { describeCollections, type ProvenCollection } from '../isolation/catalog.ts'
import { type BodyDraft, draftsFrom } from '../isolation/drafts.ts'
import { type Exchange, isDone, type SendAs } from '../isolation/exchange.ts'
import { type ProofOptions, type ProofOutcome, proveIsolation } from '../isolation/prove.ts'
import { type IsolationRule, isolationRules } from '../isolation/rules.ts'
import type { IsolationFinding } from '../isolation/session.ts'
import { idIn, pathOfCollection } from '../isolation/tree.ts'
import { hiddenValues } from '../isolation/values.ts'
import { type Callers, redactingCallers } from './callers.ts'
import type { Connection } from './connection.ts'
import { curlOf } from './curl.ts'
import type { CheckWriteOptions } from './find-writable.ts'
import { type SendRequest, toCheckRequest } from './message.ts'
import type { CheckOutcome, RuleVerdict } from './run.ts'

interface IsolationContext {
  readonly callers: Callers
  readonly writing: CheckWriteOptions
}

/** Proves the isolation of two callers of a server. */
export async function runIsolation(
  connection: Connection,
  names: readonly string[],
  { callers, writing }: IsolationContext,
): Promise<CheckOutcome> {
  const shown = { ...connection, redact: redactingCallers(callers, connection.redact) }
  const send = sendAs(connection.send, callers)
  const collections = await describeCollections(names, send)
  const drafts = await draftsIn(collections, send, writing)
  const options: ProofOptions = {
    collections,
    send,
    sendAlways: sendAs(connection.sendAlways, callers),
    sendRevealed: undefined,
    draftsFor: ({ name }) => drafts.get(name) ?? [],
    ...(await rightsIn(collections, send)),
    valuesFor: () => hiddenValues,
    isEmptied: writing.isEmptied,
    hasControl: callers.everything !== undefined,
    asksNobody: connection.headerNames.length === 0,
  }
  const outcomes: ProofOutcome[] = []
  for (const [index, focus] of collections.entries()) {
    connection.begin({ collection: shown.redact(focus.name), index, count: collections.length })
    outcomes.push(await proveIsolation(options, focus))
  }
  const findings = outcomes.flatMap((outcome) => outcome.findings)
  const left = outcomes.flatMap((outcome) => outcome.left)
  const verdicts = isolationRules.map((rule) => verdictFor(rule, findings, { shown, callers }))
  return { verdicts, left: left.map(shown.redact), stopped: undefined, unfinished: [] }
}

// A caller of several owners names the one of its first item. A caller who sees a restricted field
// can choose it.
async function rightsIn(
  collections: readonly ProvenCollection[],
  send: SendAs,
): Promise<Pick<ProofOptions, 'ownersFor' | 'isRevealed'>> {
  const owners = new Map<string, BodyDraft>()
  for (const { name, owners: fields, ancestors } of collections) {
    for (const caller of ['alice', 'bob'] as const) {
      if (fields.length === 0 || ancestors.length > 0) continue
      const { json } = await send(caller, { method: 'GET', path: `${name}?limit=1000` })
      const items = Array.isArray(json) ? json.filter(isRecord) : []
      const several = fields.filter((field) => new Set(items.map((item) => item[field])).size > 1)
      const named = several.map((field) => [field, items[0]?.[field]])
      owners.set(`${caller} ${name}`, Object.fromEntries(named))
    }
  }
  return {
    ownersFor: ({ name }, caller) => owners.get(`${caller} ${name}`) ?? {},
    isRevealed: async (caller, { path: at, field }) => {
      const path = `${at}?fields=${encodeURIComponent(field)}`
      return isDone(await send(caller, { method: 'GET', path }))
    },
  }
}

/** Sends the requests of callers through a connection. */
export function sendAs(send: SendRequest, callers: Callers): SendAs {
  return async (caller, { method, path, headers, body }) => {
    const declared = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const all = { ...declared, ...callers[caller], ...headers }
    return send(method, path, { headers: all, body })
  }
}

// A sample, else a copy of an item of bob.
async function draftsIn(
  collections: readonly ProvenCollection[],
  send: SendAs,
  { samples }: CheckWriteOptions,
): Promise<ReadonlyMap<string, readonly BodyDraft[]>> {
  const drafts = new Map<string, readonly BodyDraft[]>()
  const ids = new Map<string, string | number>()
  for (const collection of collections) {
    const { name, ancestors } = collection
    const parents = ancestors.flatMap((ancestor) => ids.get(ancestor) ?? [])
    const path = pathOfCollection(collection, parents)
    const isThere = parents.length === ancestors.length
    const { json } = isThere ? await send('bob', { method: 'GET', path }) : { json: undefined }
    const [item]: readonly unknown[] = Array.isArray(json) ? json : []
    const id = idIn(item)
    if (id !== undefined) ids.set(name, id)
    const { id: _, ...copy } = isRecord(item) ? item : { id: undefined }
    const sample = sampleOf(name, samples) ?? (isRecord(item) ? copy : undefined)
    if (sample !== undefined) drafts.set(name, draftsFrom(sample))
  }
  return drafts
}

// A sample may name the parameters of its path in either way.
function sampleOf(name: string, samples: CheckWriteOptions['samples']): BodyDraft | undefined {
  const found = Object.entries(samples).find(([other]) => other.replace(/:(\w+)/g, '{$1}') === name)
  return found?.[1]
}

interface Showing {
  readonly shown: Connection
  readonly callers: Callers
}

// Two findings leak no item, so the report lists them apart.
const unavoidable: readonly IsolationFinding['kind'][] = ['taken', 'counted']

function verdictFor(
  { name, rule, kinds }: IsolationRule,
  findings: readonly IsolationFinding[],
  showing: Showing,
): RuleVerdict {
  const found = findings.filter(({ kind }) => kinds.includes(kind))
  const id = name.replaceAll(' ', '-')
  const [first] = found
  if (first === undefined) return { id, rule, verdict: 'kept', faults: [], reason: undefined }
  if (unavoidable.includes(first.kind)) {
    const reason = showing.shown.redact(first.message)
    return { id, rule, verdict: 'not applicable', faults: [], reason }
  }
  const faults = found.slice(0, 10).map(({ collection, message, exchanges }) => ({
    collection,
    message: showing.shown.redact(message),
    curl: exchanges.map((exchange) => shownExchange(exchange, showing)).join('; '),
  }))
  return { id, rule, verdict: 'broken', faults, reason: undefined }
}

function shownExchange({ caller, request }: Exchange, { shown, callers }: Showing): string {
  const { method, path, headers = {}, body } = request
  const headerNames = [...new Set([...shown.headerNames, ...Object.keys(callers[caller] ?? {})])]
  return curlOf(toCheckRequest(method, path, { headers, body }), { ...shown, headerNames })
}
