import { revealAll } from '../../contract/declare/reveal.ts'
import type { Adapter, Binding, UncheckedAdapter } from '../../contract/resource/adapter.ts'
import { idFor } from '../../contract/resource/id.ts'
import { bypassOf, storageMethodOf } from '../../contract/resource/siblings.ts'
import { isOwner } from '../../contract/values/caller.ts'
import { joinsIn } from '../../contract/values/related.ts'
import { type AdapterMethod, adapterMethods } from '../../convention/adapter-methods.ts'
import { bodyOf } from '../../convention/kinds.ts'
import { fieldOf, isRecord, tryParseJson } from '../../convention/value.ts'
import {
  type Api,
  defineRegistry,
  everything,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Operation,
  type Registry,
} from '../../index.ts'
import { type ParsedCall, parseRequest } from '../../wire/request.ts'
import { isRegistry, type Source } from '../load.ts'

/** A request that has run to the storage: its own item is not there, all others are. */
export interface Run {
  readonly registry: Registry
  /** `undefined` when the request names no operation. */
  readonly call?: ParsedCall
  /** In their order, to the first that reads or writes what the request names. */
  readonly calls: { readonly method: AdapterMethod; readonly operation: Operation }[]
  /** The response where all other items are there; `undefined` when it depends on its own. */
  readonly response?: HttpResponse
  /** The errors of schemas that threw. */
  readonly errors: unknown[]
}

/** Runs a request. Calls the schemas and views of the contract, but no other code of the user. */
export async function runRequest(request: HttpRequest, source: Source): Promise<Run> {
  const registry = isRegistry(source) ? source : withoutAdapters(source)
  const { api, bindings } = registry
  const run: Run = { registry, calls: [], errors: [] }
  const recording: Registry = {
    ...registry,
    bindings: bindings.map((binding) => recordingBinding(binding, api, run)),
    // The core makes the context once it knows the operation.
    context: () => Object.assign(run, { call: parseRequest(request, registry) }),
    scope: ({ call }: Run) => callerFor(call, api, request),
    reveal: () => Object.fromEntries(revealAll(api)),
    idempotentFor: undefined,
    middleware: [],
    onError: (error) => void run.errors.push(error),
  }
  // The response to GET has a body, which gives the reason.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const response = await handle({ ...request, method }, recording)
  const last = run.calls.at(-1)
  // A stand-in for another item may be none that the contract allows.
  const isOpen = last && (isOwn(last.operation, run.call) || response.status === 500)
  return isOpen ? { ...run, errors: [] } : { ...run, response }
}

/**
 * Returns a binding whose adapter records its calls in place of a storage. A view still converts
 * and judges what it hands on. Other items than the own are all there.
 */
function recordingBinding({ adapter, ...binding }: Binding, { messages }: Api, run: Run): Binding {
  const record = (method: AdapterMethod) => (operation: Operation) => {
    run.calls.push({ method, operation })
    if (isOwn(operation, run.call)) throw new Error('No storage answers.')
    const { scope, id, query } = operation
    const owners = Object.entries(scope).map(([field, value]) => [field, [value].flat()[0]])
    const itemOf = (itemId: unknown) => ({ ...Object.fromEntries(owners), id: itemId })
    if (id !== undefined) return itemOf(id)
    return query.where.flatMap(({ field, values }) => (field === 'id' ? values.map(itemOf) : []))
  }
  const methods = adapterMethods
    .filter((name) => typeof adapter[name] === 'function')
    // The core counts over the list where a "countBy" goes past it.
    .filter((name) => name !== 'countBy' || bypassOf(adapter, name) !== undefined)
    .map((name) => [name, record(name)])
  const recording = { ...Object.fromEntries(methods), ...assumptionsOf(adapter) }
  const { resource } = binding
  const view = resource.view && { ...resource.view, messages, rules: undefined }
  // The rules of the registry are not asked, but they decide what it offers.
  const rules = undefined
  return { ...binding, rules, adapter: view?.adapterOver(view, resource, recording) ?? recording }
}

/** The storage of an adapter that tells none. It may join any other. */
const unknownStorage: object = {}

/** Returns the answers of a recording adapter about joins and values. No storage is asked. */
function assumptionsOf(adapter: UncheckedAdapter): Partial<Adapter> {
  const storage = storageMethodOf(adapter)?.() ?? unknownStorage
  const isJoinable = (join: ReturnType<typeof joinsIn>[number]): boolean =>
    join?.selection === storage || [join?.selection, storage].includes(unknownStorage)
  return {
    ...(bypassOf(adapter, 'selection') && { selection: () => storage }),
    ...(bypassOf(adapter, 'joinsSelection') && {
      joinsSelection: ({ query }) => joinsIn(query).every(isJoinable),
    }),
    // A page may have ended at any value.
    ...(adapter.holdsValue && { holdsValue: () => true }),
  }
}

/** Tells whether an operation reads or writes the items of the request, not those it names. */
export function isOwn({ kind, path }: Operation, call: Run['call']): boolean {
  const isOfBody = kind === 'list' && call !== undefined && bodyOf(call.kind) !== undefined
  return path === call?.target.collection.path && !isOfBody
}

function withoutAdapters(api: Api): Registry {
  const methods = [...adapterMethods, 'selection', 'joinsSelection', 'holdsValue']
  const adapter = Object.fromEntries(methods.map((method) => [method, () => null]))
  const adapters = Object.fromEntries([...api.stored.keys()].map((name) => [name, adapter]))
  // The contract does not name the default of several versions.
  const options = api.versions.size + api.retired.size > 1 ? { defaultVersion: false as const } : {}
  const builder = defineRegistry(api, options)
  const scoped = api.ownerFields.length === 0 ? builder : builder.scope(() => everything)
  return { ...scoped.adapters(adapters as never), context: () => ({}) }
}

/**
 * Returns the scope of a caller who owns the items that a request names: `explain` does not know
 * the real one. A path comes before the body.
 */
function callerFor(call: Run['call'], { ownerFields }: Api, { body }: HttpRequest): object {
  const { collection, parents = [] } = call?.target ?? {}
  const items = [tryParseJson(`${body}`)].flat().filter(isRecord)
  const ownersOf = (field: string): unknown => {
    const index = collection?.parameters.indexOf(field) ?? -1
    const ancestor = collection?.ancestors[index]
    if (ancestor) return idFor(ancestor.resource, `${parents[index]}`) ?? '…'
    const sent = items.map((item) => fieldOf(item, field)).filter(isOwner)
    return sent.length > 0 ? sent : '…'
  }
  return Object.fromEntries(ownerFields.map((field) => [field, ownersOf(field)]))
}
