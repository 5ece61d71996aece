import { readFileSync } from 'node:fs'
import process from 'node:process'
import { isRecord } from '../model/declared.ts'
import { type Line, openLine } from './exchange.ts'
import { findCollections } from './find.ts'
import { headersOf } from './headers.ts'
import type { Checked } from './report.ts'
import { check } from './run.ts'
import type { Writing } from './site.ts'
import { UsageError } from './usage-error.ts'

/** What `nounful check` takes, as it is written. */
export interface CheckOptions {
  readonly collection: readonly string[]
  readonly header: readonly string[]
  readonly timeout: string
  readonly requests: string
  readonly bytes: string
  readonly time: string
  readonly write?: boolean
  readonly empty?: boolean
  readonly sample?: string
}

/**
 * Tries a running server against the convention.
 *
 * @param tell Is told how much is going to be sent.
 *
 * @throws {UsageError} For a url or an option that cannot be, and when nobody answers.
 */
export async function checkServer(
  address: string,
  options: CheckOptions,
  tell: (text: string) => void,
): Promise<Checked> {
  const url = urlOf(address)
  const requests = wholeOf(options.requests, '--requests')
  const timeout = wholeOf(options.timeout, '--timeout')
  const bytes = wholeOf(options.bytes, '--bytes')
  const time = wholeOf(options.time, '--time')
  const headers = { ...credentialsIn(url), ...headersOf(options.header) }
  writingFor(options)
  const line = openLine({ origin: url.origin, headers, timeout, requests, bytes, time })
  tell(`At most ${requests} requests to ${url.origin}, one after another.`)
  const stop = () => line.stop('Interrupted.')
  for (const signal of signals) process.once(signal, stop)
  try {
    return await checkAt(line, url, options)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(line.conceal(error.message)) : error
  } finally {
    for (const signal of signals) process.off(signal, stop)
    line.close()
  }
}

async function checkAt(line: Line, { pathname }: URL, options: CheckOptions): Promise<Checked> {
  const writing = writingFor(options)
  const names = await findCollections(line.ask, pathname, options.collection)
  const samples = writing && samplesFrom(options.sample, names)
  const outcome = await check(
    line,
    ordered(names, options),
    writing && { ...writing, samples: samples ?? {} },
  )
  return {
    url: line.conceal(line.origin + pathname),
    collections: names.map(line.conceal),
    requests: line.log.length,
    mode: modeOf(options),
    ...outcome,
  }
}

// What is made is removed before the process ends.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// As curl does, what a url says of who asks is sent, and not shown.
function credentialsIn({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {}
  try {
    const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
  } catch {
    throw new UsageError('The user or the password in the url has a broken escape: write % as %25.')
  }
}

function urlOf(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const hint = /^(?:localhost|[\w.-]+):\d+/.test(address)
    ? `: write http://${address}`
    : ', like http://127.0.0.1:3000/v1/employees'
  // The text is no url, so the command cannot tell where a password ends in it.
  const shown = address.replace(/^.*@/s, '…@')
  throw new UsageError(`"${shown}" is no url of a server${hint}.`)
}

function wholeOf(text: string, name: string): number {
  const number = Number(text)
  if (/^\d{1,9}$/.test(text) && number > 0) return number
  throw new UsageError(`${name} cannot be "${text}": write a whole number from 1.`)
}

function writingFor({ write, empty, sample }: CheckOptions): Writing | undefined {
  if (write) return { samples: {}, isEmptied: empty === true }
  if (empty)
    throw new UsageError(
      '--empty deletes everything in the collections: allow writing too, with --write.',
    )
  if (sample !== undefined)
    throw new UsageError('--sample is for writing: allow that with --write.')
  return undefined
}

// What is below is emptied before what owns it.
function ordered(names: readonly string[], { empty }: CheckOptions): readonly string[] {
  if (!empty) return names
  return names.toSorted((one, other) => other.split('/').length - one.split('/').length)
}

function modeOf({ write, empty }: CheckOptions): Checked['mode'] {
  if (!write) return 'reads only'
  return empty ? 'reads, writes and empties' : 'reads and writes'
}

// One draft where there is one collection; else by their names.
function samplesFrom(file: string | undefined, names: readonly string[]): Writing['samples'] {
  if (file === undefined) return {}
  const json = readJson(file)
  const [only = ''] = names
  const keys = Object.keys(json)
  if (!keys.every((key) => key.startsWith('/'))) {
    if (names.length > 1)
      throw new UsageError(
        `${file} has to say which collection it is for: write { "${only}": { … } }.`,
      )
    return { [only]: json }
  }
  const samples = Object.entries(json).map(([name, draft]) => {
    if (!isRecord(draft))
      throw new UsageError(`${file} has something else than an item for ${name}.`)
    return [name, draft] as const
  })
  return Object.fromEntries(samples)
}

function readJson(file: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isRecord(json)) return json
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read as JSON: ${error instanceof Error ? error.message : error}.`,
    )
  }
  throw new UsageError(`${file} has to hold an object: a draft of an item, without its id.`)
}
