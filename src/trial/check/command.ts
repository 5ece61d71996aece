import { readFileSync } from 'node:fs'
import process from 'node:process'
import { isRecord } from '../../convention/value.ts'
import { type CallerOptions, type Callers, readCallers, redactingCallers } from './callers.ts'
import { type Connection, openConnection, type ProgressListener } from './connection.ts'
import { findCollections } from './find.ts'
import type { CheckWriteOptions } from './find-writable.ts'
import { parseHeaders } from './headers.ts'
import { runIsolation, sendAs } from './isolation.ts'
import { fewestRequests, proofRequestsEach, requestsEach } from './limits.ts'
import { toCheckRequest } from './message.ts'
import type { CheckReport } from './report.ts'
import { runRules } from './run.ts'
import { UsageError } from './usage-error.ts'

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
  const shown = address.replace(/^.*@/s, '…@')
  throw new UsageError(`"${shown}" is no URL of a server${hint}.`)
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
  return names.toSorted((one, other) => other.split('/').length - one.split('/').length)
}

function modeOf({ write, empty, as = [] }: CheckOptions): CheckReport['mode'] {
  if (as.length > 0) return 'writes as two callers'
  if (!write) return 'reads only'
  return empty ? 'reads, writes and empties' : 'reads and writes'
}

// The file holds one draft, or drafts by the name of their collection.
function readSamples(
  file: string | undefined,
  names: readonly string[],
): CheckWriteOptions['samples'] {
  if (file === undefined) return {}
  const json = readJsonFile(file)
  const [only = ''] = names
  if (!Object.keys(json).every((key) => key.startsWith('/'))) {
    if (names.length === 1) return { [only]: json }
    throw new UsageError(`${file} must name the collection: write { "${only}": { … } }.`)
  }
  const samples = Object.entries(json).map(([name, draft]) => {
    if (isRecord(draft)) return [name, draft] as const
    throw new UsageError(`${file} holds no object for ${name}: write a draft of an item.`)
  })
  return Object.fromEntries(samples)
}

function readJsonFile(file: string): Readonly<Record<string, unknown>> {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new UsageError(`${file} cannot be read as JSON: ${reason}.`)
  }
  if (isRecord(json)) return json
  throw new UsageError(`${file} must hold an object: a draft of an item, without its id.`)
}
