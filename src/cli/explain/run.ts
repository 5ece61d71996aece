import { revealAll } from '../../contract/declare/reveal.ts'
import { bind } from '../../contract/resource/binding.ts'
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
  type Operation,
  type OperationKind,
  type Registry,
} from '../../index.ts'
import { readContent, takeBody } from '../../wire/body.ts'
import { type ParsedCall, parseRequest } from '../../wire/request.ts'
import { isRegistry, type Source } from '../load.ts'

/** The response to a request, where no adapter decides it. */
export interface RunResponse {
  /** `undefined` when the response depends on the adapter. */
  readonly response: HttpResponse | undefined
  /** The error of a schema that threw; else `undefined`. */
  readonly error: unknown
}

/** A request that has run up to the adapter. */
export interface Run extends RunResponse {
  /** `undefined` when the request names no operation. */
  readonly call: ParsedCall | undefined
  /** The JSON of the body; `undefined` where there is none to read. */
  readonly body: unknown
  readonly registry: Registry
  /** The first operation that reached an adapter; `undefined` for none. */
  readonly operation: Operation | undefined
}

/** Runs a request. Calls the schemas and views of the contract, but no other code of the user. */
export async function runRequest(request: HttpRequest, source: Source): Promise<Run> {
  const { registry: base, operations, errors } = dryRun(source)
  // The response to GET has a body, which gives the reason.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const call = parseCall(request, base)
  const body = call && (await bodyIn(request, call.kind, base))
  const registry = call ? { ...base, scope: () => callerFor(call, { body, api: base.api }) } : base
  const response = await handle({ ...request, method }, registry)
  const [operation] = operations
  const outcome =
    operation === undefined
      ? { response, error: errors[0] }
      : { response: undefined, error: undefined }
  return { call, body, registry, operation, ...outcome }
}

function parseCall(request: HttpRequest, registry: Registry): ParsedCall | undefined {
  try {
    return parseRequest(request, registry)
  } catch (error) {
    if (isProblem(error)) return undefined
    throw error
  }
}

// Returns the JSON of a body; `undefined` where there is none to read.
async function bodyIn(
  request: HttpRequest,
  kind: OperationKind,
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

/** A registry that runs no code of the user but schemas and views. */
interface DryRun {
  readonly registry: Registry
  /** The operations that reached an adapter. The first one ends the run. */
  readonly operations: Operation[]
  readonly errors: unknown[]
}

/**
 * Replaces every adapter method by one that records the operation. A view still converts and judges
 * what it hands on.
 */
function dryRun(source: Source): DryRun {
  const operations: Operation[] = []
  const errors: unknown[] = []
  const record = (operation: Operation): never => {
    operations.push(operation)
    throw new Error('A dry run calls no adapter.')
  }
  const base = isRegistry(source) ? source : withoutAdapters(source)
  const bindings = base.bindings.map(({ resource, adapter }) => {
    const methods = adapterMethods.filter((method) => typeof adapter[method] === 'function')
    const recording = Object.fromEntries(methods.map((name) => [name, record]))
    const { view } = resource
    const { messages } = base.api
    return bind(
      resource,
      view?.adapterOver({ ...view, messages }, resource, recording) ?? recording,
    )
  })
  const registry: Registry = {
    ...base,
    bindings,
    scope: undefined,
    reveal: () => Object.fromEntries(revealAll(base.api)),
    context: undefined,
    idempotentFor: undefined,
    middleware: [],
    onError: (error) => void errors.push(error),
  }
  return { registry, operations, errors }
}

function withoutAdapters(api: Api): Registry {
  const adapter = Object.fromEntries(adapterMethods.map((method) => [method, () => null]))
  const adapters = Object.fromEntries([...api.stored.keys()].map((name) => [name, adapter]))
  // The contract does not name the default of several versions.
  const options = api.versions.size + api.retired.size > 1 ? { defaultVersion: false as const } : {}
  const builder = defineRegistry(api, options)
  const scoped = api.ownerFields.length === 0 ? builder : builder.scope(() => everything)
  return scoped.adapters(adapters as never)
}

interface Named {
  readonly api: Api
  /** As JSON; `undefined` for none. */
  readonly body: unknown
}

/**
 * Makes the scope of a caller who owns the items that a request names: `explain` does not know the
 * real one. A path comes before the body.
 */
function callerFor({ target }: ParsedCall, { api, body }: Named): object {
  const { ancestors, parameters } = target.collection
  const items = [body].flat().filter(isRecord)
  const ownersOf = (field: string): unknown => {
    const index = parameters.indexOf(field)
    if (index >= 0)
      return idFor((ancestors[index] as Collection).resource, `${target.parents[index]}`) ?? unknown
    const sent = items.map((item) => fieldOf(item, field)).filter(isOwner)
    return sent.length > 0 ? sent : unknown
  }
  return Object.fromEntries(api.ownerFields.map((field) => [field, ownersOf(field)]))
}

const unknown = '…'
