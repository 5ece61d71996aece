import { revealAll } from '../../contract/declare/reveal.ts'
import { idFor } from '../../contract/resource/id.ts'
import { isOwner } from '../../contract/values/caller.ts'
import { adapterMethods } from '../../convention/adapter-methods.ts'
import { bodyOf } from '../../convention/kinds.ts'
import { fieldOf, isRecord } from '../../convention/value.ts'
import {
  type Api,
  type Collection,
  defineRegistry,
  everything,
  type HttpRequest,
  type HttpResponse,
  handle,
  isProblem,
  type Registry,
} from '../../index.ts'
import { readContent, takeBody } from '../../wire/body.ts'
import { type ParsedCall, parseRequest } from '../../wire/request.ts'
import { isRegistry, type Source } from '../load.ts'
import { type AdapterCall, isOwn, recordingBindings } from './recording.ts'

/** A request that has run to the storage: its own item is not there, all others are. */
export interface Run {
  /** `undefined` when the request names no operation. */
  readonly call: ParsedCall | undefined
  /** The JSON of the body; `undefined` where there is none to read. */
  readonly body: unknown
  /** In their order, to the first that reads or writes what the request names. */
  readonly calls: readonly AdapterCall[]
  /** The response where all other items are there; `undefined` when it depends on its own. */
  readonly response: HttpResponse | undefined
  /** The error of a schema that threw; else `undefined`. */
  readonly error: unknown
}

/** Runs a request. Calls the schemas and views of the contract, but no other code of the user. */
export async function runRequest(request: HttpRequest, source: Source): Promise<Run> {
  const registry = isRegistry(source) ? source : withoutAdapters(source)
  const call = callOf(request, registry)
  const body = call && (await bodyIn(request, call, registry))
  const calls: AdapterCall[] = []
  const errors: unknown[] = []
  const recording: Registry = {
    ...registry,
    bindings: recordingBindings(registry, call, calls),
    scope: call && (() => callerFor(call, registry.api, body)),
    reveal: () => Object.fromEntries(revealAll(registry.api)),
    context: undefined,
    idempotentFor: undefined,
    middleware: [],
    onError: (error) => void errors.push(error),
  }
  // The response to GET has a body, which gives the reason.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const response = await handle({ ...request, method }, recording)
  const last = calls.at(-1)
  // A stand-in for another item may be none that the contract allows.
  const isOpen = last !== undefined && (isOwn(last.operation, call) || response.status === 500)
  return isOpen
    ? { call, body, calls, response: undefined, error: undefined }
    : { call, body, calls, response, error: errors[0] }
}

/** Tells whether a call looks up the related items that filters of the request select. */
export function isLookUp({ operation }: AdapterCall, call: ParsedCall | undefined): boolean {
  const { kind, query } = operation
  return (
    kind === 'list' && !isOwn(operation, call) && query.where.some(({ field }) => field !== 'id')
  )
}

function callOf(request: HttpRequest, registry: Registry): ParsedCall | undefined {
  try {
    return parseRequest(request, registry)
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

async function bodyIn(
  request: HttpRequest,
  { kind }: ParsedCall,
  { limits }: Registry,
): Promise<unknown> {
  const types = bodyOf(kind)?.types
  if (types === undefined) return undefined
  try {
    return readContent(await takeBody(request, limits, types), limits)
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

function withoutAdapters(api: Api): Registry {
  const methods = [...adapterMethods, 'selection', 'joinsSelection', 'holdsValue']
  const adapter = Object.fromEntries(methods.map((method) => [method, () => null]))
  const adapters = Object.fromEntries([...api.stored.keys()].map((name) => [name, adapter]))
  // The contract does not name the default of several versions.
  const options = api.versions.size + api.retired.size > 1 ? { defaultVersion: false as const } : {}
  const builder = defineRegistry(api, options)
  const scoped = api.ownerFields.length === 0 ? builder : builder.scope(() => everything)
  return scoped.adapters(adapters as never)
}

/**
 * Returns the scope of a caller who owns the items that a request names: `explain` does not know
 * the real one. A path comes before the body.
 */
function callerFor({ target }: ParsedCall, { ownerFields }: Api, body: unknown): object {
  const { ancestors, parameters } = target.collection
  const items = [body].flat().filter(isRecord)
  const ownersOf = (field: string): unknown => {
    const index = parameters.indexOf(field)
    if (index >= 0)
      return idFor((ancestors[index] as Collection).resource, `${target.parents[index]}`) ?? unknown
    const sent = items.map((item) => fieldOf(item, field)).filter(isOwner)
    return sent.length > 0 ? sent : unknown
  }
  return Object.fromEntries(ownerFields.map((field) => [field, ownersOf(field)]))
}

const unknown = '…'
