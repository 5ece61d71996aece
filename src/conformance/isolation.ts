import {
  describeCollections,
  listCollections,
  type ProvenCollection,
} from '../isolation/catalog.ts'
import { type BodyDraft, draftsFrom } from '../isolation/drafts.ts'
import {
  type CallerName,
  type CallerResponse,
  type Exchange,
  readText,
  type SendAs,
} from '../isolation/exchange.ts'
import { type ProofOutcome, proveIsolation } from '../isolation/prove.ts'
import { type IsolationRule, isolationRules } from '../isolation/rules.ts'
import type { Awaitable } from '../model/awaitable.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { jsonSchemaOf } from '../model/json-schema.ts'
import type { AnyRegistry, Registry } from '../model/registry.ts'
import { isStream } from '../model/stream.ts'
import { handle } from '../server/handle.ts'
import { formatCurl } from '../wire/curl.ts'
import { draftsForSchema } from './drafts.ts'

/** The headers of a caller: `{ authorization: 'Bearer A' }`, or the same as one line. */
export type CallerHeaders = string | Readonly<Record<string, string>>

/** The options of {@link isolationOf}. */
export interface IsolationOptions {
  /** Two callers, neither of whom may learn anything of the other. */
  readonly as: readonly [alice: CallerHeaders, bob: CallerHeaders]
  /** A caller whose scope is `everything`. The proof then checks that this caller sees both. */
  readonly everything?: CallerHeaders
  /**
   * Bodies of new items by the name of the resource, without ids, references and owners. `{n}`
   * becomes a text that differs. Default: made from the schema `create`.
   */
  readonly samples?: Readonly<Record<string, BodyDraft>>
  /** The names of checks to leave out, each with a reason. Default: none. */
  readonly gaps?: Readonly<Record<string, string>>
  /** Answers a request. Default: `handle(request, registry)`. */
  readonly handler?: (request: HttpRequest) => Awaitable<HttpResponse>
}

/** A check of isolation, for any test runner. */
export interface IsolationCheck {
  /** A fact of at most eight words: `responses tell nothing of other callers`. */
  readonly name: string
  /** The requirement in words. */
  readonly rule: string
  /** Rejects with an Error that names the requests as curl commands. The proof runs once. */
  run(): Promise<void>
}

/**
 * Returns the checks that prove the isolation of two callers:
 * `for (const check of isolationOf(registry, { as })) test(check.name, () => check.run())`.
 *
 * The proof writes to the storage of the registry, and deletes the items of both callers.
 *
 * @throws {TypeError} For an unknown check among the gaps, and a header line without a colon.
 */
export function isolationOf(
  registry: AnyRegistry,
  options: IsolationOptions,
): readonly IsolationCheck[] {
  const { gaps = {}, everything } = options
  for (const [name, reason] of Object.entries(gaps)) checkGap(name, reason)
  const [alice, bob] = options.as.map(headersOf)
  const control = everything === undefined ? undefined : headersOf(everything)
  const send = sender(registry, { alice, bob, everything: control }, options.handler)
  let outcome: Promise<ProofOutcome> | undefined
  const prove = (): Promise<ProofOutcome> => {
    outcome ??= proofOf(registry, options, send)
    return outcome
  }
  return isolationRules
    .filter(({ name }) => !Object.hasOwn(gaps, name))
    .map((rule) => Object.freeze({ ...rule, run: async () => expectKept(rule, await prove()) }))
}

function checkGap(name: string, reason: unknown): void {
  const names = isolationRules.map((rule) => rule.name)
  if (!names.includes(name))
    throw new TypeError(`Unknown check "${name}". Allowed: ${names.join(', ')}`)
  if (typeof reason === 'string' && reason.trim() !== '') return
  throw new TypeError(`The gap "${name}" has no reason. Write one: { "${name}": "counted ids" }`)
}

function headersOf(given: CallerHeaders): Readonly<Record<string, string>> {
  if (typeof given !== 'string') return given
  const colon = given.indexOf(':')
  const name = given.slice(0, Math.max(0, colon))
  if (name === '' || /\s/.test(name))
    throw new TypeError("A caller is no header line: write 'authorization: Bearer …'")
  return { [name.toLowerCase()]: given.slice(colon + 1).trim() }
}

async function proofOf(
  { api }: AnyRegistry,
  { samples = {}, everything }: IsolationOptions,
  send: SendAs,
): Promise<ProofOutcome> {
  const collections = await describeCollections(await listCollections(send), send)
  const draftsFor = ({ resource }: ProvenCollection): readonly BodyDraft[] => {
    const sample = samples[resource]
    if (sample !== undefined) return draftsFrom(sample)
    const create = api.resources.get(resource)?.create
    return create === undefined ? [] : draftsForSchema(jsonSchemaOf(create, { direction: 'input' }))
  }
  const hasControl = everything !== undefined
  return proveIsolation({
    collections,
    send,
    sendAlways: send,
    draftsFor,
    isEmptied: true,
    hasControl,
    asksNobody: true,
  })
}

type Callers = Readonly<Partial<Record<CallerName, Readonly<Record<string, string>> | undefined>>>

function sender(
  registry: AnyRegistry,
  callers: Callers,
  handler: IsolationOptions['handler'] = (request) => handle(request, registry as Registry),
): SendAs {
  return async (caller, { method, path, headers, body }) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const request = { method, url: path, headers: { ...type, ...callers[caller], ...headers } }
    return readAll(await handler(text === undefined ? request : { ...request, body: text }))
  }
}

async function readAll({ status, headers, body }: HttpResponse): Promise<CallerResponse> {
  const items: unknown[] = []
  if (isStream(body)) for await (const item of body) items.push(item)
  const value = isStream(body) ? items : body
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`])
  const read = { status, headers: Object.fromEntries(named), text }
  // Most responses are compared as texts alone.
  return {
    ...read,
    get json() {
      return readText(text)
    },
  }
}

function expectKept({ kinds, rule }: IsolationRule, { findings }: ProofOutcome): void {
  const broken = findings.filter(({ kind }) => kinds.includes(kind))
  if (broken.length === 0) return
  const shown = broken
    .slice(0, 5)
    .map(({ message, exchanges }) => [message, ...exchanges.map(showExchange)].join('\n'))
  throw new Error(`${broken.length} findings. Rule: ${rule}\n\n${shown.join('\n\n')}`)
}

function showExchange({ caller, request, response }: Exchange): string {
  const { method, path, headers = {}, body } = request
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const url = `http://localhost${path}`
  const curl = formatCurl({ url, options: ['-i', '-X', method], fields, body: text }, ' ')
  const received = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`)
  return `  as ${caller}: ${curl}\n    ${response.status} ${received.join(', ')} ${response.text}`
}
