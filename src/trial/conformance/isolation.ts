import { type Revealed, readRevealed } from '../../contract/declare/reveal.ts'
import type { HttpRequest, HttpResponse } from '../../contract/resource/http.ts'
import type { AnyRegistry, Registry } from '../../contract/resource/registry.ts'
import { type Caller, everything, readCaller } from '../../contract/values/caller.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import { isStream } from '../../convention/stream.ts'
import { handle } from '../../server/handle.ts'
import { formatCurl } from '../../wire/curl.ts'
import {
  type CallerName,
  type CallerResponse,
  type Exchange,
  type IsolationFinding,
  type IsolationRule,
  isolationRules,
  readText,
  type SendAs,
} from '../isolation/exchange.ts'
import { type ProofOptions, proveIsolation } from '../isolation/prove.ts'
import {
  type BodyDraft,
  describeCollections,
  draftsFrom,
  listCollections,
  type ProvenCollection,
} from '../isolation/tree.ts'
import { draftsOf, valuesForField } from '../isolation/values.ts'

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
  /** A fact of at most eight words: `GET /v1/projects tells nothing of others`. */
  readonly name: string
  /** The requirement in words. */
  readonly rule: string
  /** Rejects with an Error that names the requests as curl commands. The proof runs once. */
  run(): Promise<void>
}

/**
 * Returns the checks that prove the isolation of two callers, one for each collection and version:
 * `for (const check of isolationOf(registry, { as })) test(check.name, () => check.run())`.
 *
 * The proof writes to the storage of the registry, and deletes the items of both callers.
 *
 * @throws {TypeError} For an unknown rule among the gaps, and a header line without a colon.
 */
export function isolationOf(
  registry: AnyRegistry,
  options: IsolationOptions,
): readonly IsolationCheck[] {
  const { gaps = {} } = options
  for (const [name, reason] of Object.entries(gaps)) checkGap(name, reason)
  const rules = isolationRules.filter(({ name }) => !Object.hasOwn(gaps, name))
  const optionsOf = once(() => proofOptionsOf(registry, options))
  return registry.api.collections.map(({ version, path, resource }) => {
    const name = `/${version}${path}`
    const template = name.replace(/:(\w+)/g, '{$1}')
    const prove = once(async () => findingsAt(await optionsOf(), template))
    // The ids of the resource may count up: its declaration says so.
    const judged = rules.filter(
      ({ kinds }) => !kinds.includes('counted') || resource.ids === undefined,
    )
    const run = async (): Promise<void> => expectKept(judged, await prove())
    const rule = `What a caller does at ${name} tells and changes nothing of another caller.`
    return Object.freeze({ name: `${name} is isolated`, rule, run })
  })
}

// Each check proves once, however often it runs.
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= make()
    return result
  }
}

function checkGap(name: string, reason: unknown): void {
  const names = isolationRules.map((rule) => rule.name)
  if (!names.includes(name))
    throw new TypeError(`Unknown check "${name}". Allowed: ${names.join(', ')}`)
  if (typeof reason === 'string' && reason.trim() !== '') return
  throw new TypeError(`The gap "${name}" has no reason. Write one: { "${name}": "counted ids" }`)
}

function headersOf(caller: CallerHeaders): Readonly<Record<string, string>> {
  if (typeof caller !== 'string') return caller
  const colon = caller.indexOf(':')
  const name = caller.slice(0, Math.max(0, colon))
  if (name === '' || /\s/.test(name))
    throw new TypeError("A caller is no header line: write 'authorization: Bearer …'")
  return { [name.toLowerCase()]: caller.slice(colon + 1).trim() }
}

async function proofOptionsOf(
  registry: AnyRegistry,
  options: IsolationOptions,
): Promise<ProofOptions> {
  const { samples = {}, everything } = options
  const [alice, bob] = options.as.map(headersOf)
  const control = everything === undefined ? undefined : headersOf(everything)
  const headers: CallerHeadersByName = { alice, bob, everything: control }
  const { api } = registry
  const send = senderOf(headers, options.handler ?? handlerOf(registry))
  const rights = await rightsOf(registry, headers)
  const draftsFor = ({ resource }: ProvenCollection): readonly BodyDraft[] => {
    const sample = samples[resource]
    if (sample !== undefined) return draftsFrom(sample)
    return draftsOf(api.resources.get(resource))
  }
  return {
    collections: await describeCollections(await listCollections(send), send),
    send,
    sendAlways: send,
    sendRevealed: senderOf(headers, handlerOf(revealingAll(registry))),
    draftsFor,
    ...rights,
    valuesFor: ({ resource }, field) => valuesForField(api.resources.get(resource), field),
    isEmptied: true,
    hasControl: control !== undefined,
    asksNobody: true,
  }
}

async function findingsAt(
  options: ProofOptions,
  name: string,
): Promise<readonly IsolationFinding[]> {
  const focus = options.collections.find((collection) => collection.name === name)
  if (focus !== undefined) return (await proveIsolation(options, focus)).findings
  const message = `OPTIONS does not list ${name} for bob.`
  return [{ kind: 'unseen', collection: name, message, exchanges: [] }]
}

function handlerOf(registry: AnyRegistry): NonNullable<IsolationOptions['handler']> {
  return (request) => handle(request, registry as Registry)
}

function senderOf(
  callers: CallerHeadersByName,
  handler: NonNullable<IsolationOptions['handler']>,
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

function expectKept(rules: readonly IsolationRule[], findings: readonly IsolationFinding[]): void {
  const broken = rules.flatMap(({ name, rule, kinds }) => {
    const relevant = findings.filter(({ kind }) => kinds.includes(kind))
    if (relevant.length === 0) return []
    const texts = relevant
      .slice(0, 5)
      .map(({ message, exchanges }) => [message, ...exchanges.map(showExchange)].join('\n'))
    return [`${relevant.length} findings against "${name}". ${rule}\n\n${texts.join('\n\n')}`]
  })
  if (broken.length > 0) throw new Error(broken.join('\n\n'))
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

/** The headers of each caller, by lower-case name. */
type CallerHeadersByName = Readonly<
  Partial<Record<CallerName, Readonly<Record<string, string>> | undefined>>
>

/** What a caller owns and sees. */
interface Rights {
  readonly caller: Caller | undefined
  readonly revealed: Revealed
}

/** Asks a registry which owners and restricted fields each caller has. */
async function rightsOf(
  registry: AnyRegistry,
  callers: CallerHeadersByName,
): Promise<Pick<ProofOptions, 'ownersFor' | 'isRevealed'>> {
  const rights = new Map<string, Rights>()
  for (const [name, headers = {}] of Object.entries(callers))
    rights.set(name, await rightsWith(registry as Registry, headers))
  const { resources } = registry.api
  return {
    ownersFor: (collection, caller) => ownersIn(rights.get(caller)?.caller, collection, resources),
    isRevealed: (caller, { collection: { resource }, field }) => {
      const stored = resources.get(resource)?.view
      const name = stored?.base.name ?? resource
      const fields = rights.get(caller)?.revealed.get(name) ?? []
      return fields.includes(stored?.plainOf(field) ?? field)
    },
  }
}

// A caller that the registry refuses owns and sees nothing.
async function rightsWith(
  { api, context, scope, reveal }: Registry,
  headers: Readonly<Record<string, string>>,
): Promise<Rights> {
  try {
    const request = { method: 'GET', url: '/', headers }
    const caller = (await context?.(request)) as never
    const owners = scope && readCaller(await scope(caller), api)
    return { caller: owners, revealed: readRevealed(await reveal?.(caller), api) }
  } catch {
    return { caller: undefined, revealed: new Map() }
  }
}

// A caller of one owner need not name it. One of several names the first.
function ownersIn(
  caller: Caller | undefined,
  { owners, resource }: ProvenCollection,
  resources: AnyRegistry['api']['resources'],
): BodyDraft {
  if (caller === undefined || caller === everything) return {}
  const view = resources.get(resource)?.view
  return Object.fromEntries(
    owners.flatMap((field) => {
      const value = caller[view?.plainOf(field) ?? field]
      return Array.isArray(value) && value.length > 0 ? [[field, value[0]]] : []
    }),
  )
}

/** Returns a registry that reveals every restricted field to every caller. */
function revealingAll(registry: AnyRegistry): AnyRegistry {
  const stored = [...registry.api.stored.values()]
  const all = stored.flatMap(({ name, restricted }) =>
    restricted.length === 0 ? [] : [[name, restricted] as const],
  )
  return all.length === 0 ? registry : { ...registry, reveal: () => Object.fromEntries(all) }
}
