import process from 'node:process'
import { isRecord } from '../../convention/value.ts'
import {
  type CallerName,
  type Exchange,
  type IsolationFinding,
  type IsolationRule,
  isolationRules,
  type SendAs,
} from '../isolation/exchange.ts'
import { type ProofOptions, type ProofOutcome, proveIsolation } from '../isolation/prove.ts'
import {
  type BodyDraft,
  describeCollections,
  draftsFrom,
  idIn,
  namedItemsIn,
  type ProvenCollection,
  pathOfCollection,
} from '../isolation/tree.ts'
import type { CheckWriteOptions } from './collection.ts'
import { type Connection, curlOf, openConnection, type ProgressListener } from './connection.ts'
import { findCollections, readSamples } from './find.ts'
import { parseHeaders } from './headers.ts'
import { isSuccess, type SendRequest, toCheckRequest } from './message.ts'
import { type Redact, redactorFor } from './redact.ts'
import { type CheckOutcome, type CheckReport, type RuleVerdict, runRules } from './run.ts'
import { UsageError } from './usage-error.ts'

// Requests by default: of a check, at least and for each collection, and of an isolation proof.
const fewestRequests = 10_000
const requestsEach = 2500
const proofRequestsEach = 10_000

/** The options of `nounful check`, as text. */
export interface CheckOptions extends CallerOptions {
  readonly collection: readonly string[]
  readonly header: readonly string[]
  readonly timeout: string
  readonly requests?: string
  readonly bytes: string
  readonly time: string
  readonly empty?: boolean
  readonly sample?: string
  /** Gets the progress after each response. */
  readonly onProgress?: ProgressListener
}

/**
 * Checks a running server against the convention.
 *
 * @param log Receives the line that announces the number of requests.
 * @throws {UsageError} For an invalid URL or option, and when the server does not respond.
 */
export async function checkServer(
  address: string,
  options: CheckOptions,
  log: (text: string) => void,
): Promise<CheckReport> {
  const url = parseUrl(address)
  const limits = limitsOf(options)
  const isDefault = options.requests === undefined
  const headers = { ...credentialsIn(url), ...parseHeaders(options.header) }
  const callers = readCallers(options)
  const writing = writeOptionsOf(options)
  const { origin, pathname } = url
  const opened = openConnection({ origin, headers, ...limits, ...listenerIn(options) })
  const connection = callers === undefined ? opened : asBob(opened, callers)
  const each = callers === undefined ? requestsEach : proofRequestsEach
  const more = isDefault ? `, or ${each} a collection` : ''
  log(`At most ${limits.requests} requests to ${origin}${more}, one after another.`)
  const stop = (): void => connection.stop('Interrupted.')
  for (const signal of signals) process.once(signal, stop)
  try {
    const names = await findCollections(connection.send, pathname, options.collection)
    if (isDefault) opened.allow(Math.max(limits.requests, each * names.length))
    const write = writing && { ...writing, samples: readSamples(options.sample, names) }
    const outcome = await (callers && write
      ? runIsolation(opened, names, { callers, writing: write })
      : runRules(connection, inOrder(names, options), write))
    return {
      url: connection.redact(origin + pathname),
      collections: names.map(connection.redact),
      requests: connection.log.length,
      mode: modeOf(options),
      ...outcome,
    }
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(connection.redact(error.message)) : error
  } finally {
    for (const signal of signals) process.off(signal, stop)
    connection.close()
  }
}

function listenerIn({ onProgress }: CheckOptions): Pick<CheckOptions, 'onProgress'> {
  return onProgress === undefined ? {} : { onProgress }
}

function limitsOf({ requests, timeout, bytes, time }: CheckOptions) {
  return {
    requests: requests === undefined ? fewestRequests : parseWhole(requests, '--requests'),
    timeout: parseWhole(timeout, '--timeout'),
    bytes: parseWhole(bytes, '--bytes'),
    time: parseWhole(time, '--time'),
  }
}

// One of the callers finds the collections.
function asBob(connection: Connection, callers: Callers): Connection {
  const send = sendAs(connection.send, callers)
  return {
    ...connection,
    redact: redactingCallers(callers, connection.redact),
    send: async (method, path, parts) => ({
      ...(await send('bob', { method, path, ...parts })),
      request: toCheckRequest(method, path, parts ?? {}),
    }),
  }
}

// The first signal ends the requests, so that the check still removes the items it created.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// As curl does, sends the credentials in the URL.
function credentialsIn({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  } catch {
    throw new UsageError('The user or the password in the URL has a broken escape: write % as %25.')
  }
}

function parseUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const hint = /^(?:localhost|[\w.-]+):\d+/.test(address)
    ? `: write http://${address}`
    : ', like http://127.0.0.1:3000/v1/employees'
  // The command cannot know where a password ends in a text that is no URL.
  const text = address.replace(/^.*@/s, '…@')
  throw new UsageError(`"${text}" is no URL of a server${hint}.`)
}

function parseWhole(text: string, name: string): number {
  const number = Number(text)
  if (/^\d{1,9}$/.test(text) && number > 0) return number
  throw new UsageError(`${name} cannot be "${text}": write a whole number from 1.`)
}

function writeOptionsOf({ write, empty, sample }: CheckOptions): CheckWriteOptions | undefined {
  if (write) return { samples: {}, isEmptied: empty === true }
  if (empty)
    throw new UsageError(
      '--empty deletes every item of the collections: allow writing too, with --write.',
    )
  if (sample !== undefined) throw new UsageError('--sample is for writing: allow it with --write.')
  return undefined
}

// With --empty, children come before their parents.
function inOrder(names: readonly string[], { empty }: CheckOptions): readonly string[] {
  if (!empty) return names
  return names.toSorted((first, second) => second.split('/').length - first.split('/').length)
}

function modeOf({ write, empty, as = [] }: CheckOptions): CheckReport['mode'] {
  if (as.length > 0) return 'writes as two callers'
  if (!write) return 'reads only'
  return empty ? 'reads, writes and empties' : 'reads and writes'
}

/** The options of `nounful check` that name callers. */
interface CallerOptions {
  readonly as?: readonly string[]
  readonly asEverything?: string
  readonly write?: boolean
}

/** The headers of each caller, by lower-case name. */
type Callers = Readonly<Partial<Record<CallerName, Readonly<Record<string, string>> | undefined>>>

/**
 * Reads the callers of a proof; `undefined` without `--as`.
 *
 * @throws {UsageError} Unless there are two callers, and `--write`.
 */
function readCallers({ as = [], asEverything, write }: CallerOptions): Callers | undefined {
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
function redactingCallers(callers: Callers, redact: Redact): Redact {
  const redactors = Object.values(callers).flatMap((headers) =>
    headers === undefined ? [] : [redactorFor(headers)],
  )
  return [redact, ...redactors].reduce((inner, outer) => (text) => outer(inner(text)))
}

interface IsolationContext {
  readonly callers: Callers
  readonly writing: CheckWriteOptions
}

/** Proves the isolation of two callers of a server. */
async function runIsolation(
  connection: Connection,
  names: readonly string[],
  { callers, writing }: IsolationContext,
): Promise<CheckOutcome> {
  const text = { ...connection, redact: redactingCallers(callers, connection.redact) }
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
    isEmptied: writing.isEmptied,
    hasControl: callers.everything !== undefined,
    asksNobody: connection.headerNames.length === 0,
  }
  const outcomes: ProofOutcome[] = []
  for (const [index, focus] of collections.entries()) {
    connection.begin({ collection: text.redact(focus.name), index, count: collections.length })
    outcomes.push(await proveIsolation(options, focus))
  }
  const findings = outcomes.flatMap((outcome) => outcome.findings)
  const remaining = outcomes.flatMap((outcome) => outcome.left)
  const verdicts = isolationRules.map((rule) => verdictFor(rule, findings, { connection, callers }))
  return { verdicts, left: remaining.map(text.redact), stopped: undefined, unfinished: [] }
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
      return isSuccess(await send(caller, { method: 'GET', path }))
    },
  }
}

/** Sends the requests of callers through a connection. */
function sendAs(send: SendRequest, callers: Callers): SendAs {
  return async (caller, { method, path, headers, body }) => {
    const declared = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const all = { ...declared, ...callers[caller], ...headers }
    return send(method, path, { headers: all, body })
  }
}

// A sample, else a copy of an item of bob, else one of alice.
async function draftsIn(
  collections: readonly ProvenCollection[],
  send: SendAs,
  { samples }: CheckWriteOptions,
): Promise<ReadonlyMap<string, readonly BodyDraft[]>> {
  const drafts = new Map<string, readonly BodyDraft[]>()
  for (const caller of ['alice', 'bob'] as const) {
    const ids = new Map<string, string | number>()
    for (const collection of collections) {
      const { name, ancestors } = collection
      const parents = ancestors.flatMap((ancestor) => ids.get(ancestor) ?? [])
      const path = pathOfCollection(collection, parents)
      const isThere = parents.length === ancestors.length
      const { json } = isThere ? await send(caller, { method: 'GET', path }) : { json: undefined }
      const [item]: readonly unknown[] = Array.isArray(json) ? json : []
      const id = idIn(namedItemsIn(json)[0])
      if (id !== undefined) ids.set(name, id)
      const { id: _, ...copy } = isRecord(item) ? item : { id: undefined }
      const sample = sampleOf(name, samples) ?? (isRecord(item) ? copy : undefined)
      if (sample !== undefined) drafts.set(name, draftsFrom(sample))
    }
  }
  // Below a parent without items, those of another collection of the resource.
  for (const { name, resource } of collections) {
    const siblings = collections.filter((collection) => collection.resource === resource)
    const siblingDrafts = siblings.map((sibling) => drafts.get(sibling.name)).find(Boolean)
    if (siblingDrafts !== undefined && !drafts.has(name)) drafts.set(name, siblingDrafts)
  }
  return drafts
}

// A sample may name the parameters of its path in either way.
function sampleOf(name: string, samples: CheckWriteOptions['samples']): BodyDraft | undefined {
  const entry = Object.entries(samples).find(([path]) => path.replace(/:(\w+)/g, '{$1}') === name)
  return entry?.[1]
}

interface Showing {
  readonly connection: Connection
  readonly callers: Callers
}

// Two findings leak no item, so the report lists them apart.
const unavoidable: readonly IsolationFinding['kind'][] = ['taken', 'counted']

function verdictFor(
  { name, rule, kinds }: IsolationRule,
  findings: readonly IsolationFinding[],
  showing: Showing,
): RuleVerdict {
  const broken = findings.filter(({ kind }) => kinds.includes(kind))
  const id = name.replaceAll(' ', '-')
  const [first] = broken
  if (first === undefined) return { id, rule, verdict: 'kept', faults: [], reason: undefined }
  if (unavoidable.includes(first.kind)) {
    const reason = showing.connection.redact(first.message)
    return { id, rule, verdict: 'not applicable', faults: [], reason }
  }
  const faults = broken.slice(0, 10).map(({ collection, message, exchanges }) => ({
    collection,
    message: showing.connection.redact(message),
    curl: exchanges.map((exchange) => shownExchange(exchange, showing)).join('; '),
  }))
  return { id, rule, verdict: 'broken', faults, reason: undefined }
}

function shownExchange({ caller, request }: Exchange, { connection, callers }: Showing): string {
  const { method, path, headers = {}, body } = request
  const headerNames = [
    ...new Set([...connection.headerNames, ...Object.keys(callers[caller] ?? {})]),
  ]
  return curlOf(toCheckRequest(method, path, { headers, body }), { ...connection, headerNames })
}
