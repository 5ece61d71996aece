import type { Adapter, UncheckedAdapter } from '../../contract/resource/adapter.ts'
import { bind } from '../../contract/resource/binding.ts'
import { ownerValues } from '../../contract/resource/operation.ts'
import { bypassOf, storageMethodOf } from '../../contract/resource/siblings.ts'
import { joinsIn } from '../../contract/values/related.ts'
import { type AdapterMethod, adapterMethods } from '../../convention/adapter-methods.ts'
import { bodyOf } from '../../convention/kinds.ts'
import type { Operation, Registry } from '../../index.ts'
import type { ParsedCall } from '../../wire/request.ts'

/** A call of an adapter's method. */
export interface AdapterCall {
  readonly method: AdapterMethod
  readonly operation: Operation
}

/**
 * Returns bindings whose adapters record their calls in place of a storage. A view still converts
 * and judges what it hands on. Other items than the own are all there.
 */
export function recordingBindings(
  { api, bindings }: Registry,
  call: ParsedCall | undefined,
  calls: AdapterCall[],
): Registry['bindings'] {
  return bindings.map(({ resource, adapter, methods: offered, joined }) => {
    const record = (method: AdapterMethod) => (operation: Operation) => {
      calls.push({ method, operation })
      if (isOwn(operation, call)) throw new Error('No storage answers.')
      const { scope, id, query } = operation
      const owners = Object.keys(scope).map((field) => [field, ownerValues(scope, field)[0]])
      const itemOf = (itemId: unknown) => ({ ...Object.fromEntries(owners), id: itemId })
      if (id !== undefined) return itemOf(id)
      return query.where.flatMap(({ field, values }) => (field === 'id' ? values.map(itemOf) : []))
    }
    const methods = methodsIn(adapter).map((name) => [name, record(name)] as const)
    const recording = { ...Object.fromEntries(methods), ...assumptionsOf(adapter) }
    const { view } = resource
    const { messages } = api
    const recordingAdapter =
      view?.adapterOver({ ...view, messages, rules: undefined }, resource, recording) ?? recording
    // The rules of the registry are not asked, but they decide what it offers.
    return { ...bind(resource, recordingAdapter), methods: offered, joined }
  })
}

// The core counts over the list where a "countBy" goes past it.
function methodsIn(adapter: UncheckedAdapter): readonly AdapterMethod[] {
  return adapterMethods
    .filter((method) => typeof adapter[method] === 'function')
    .filter((method) => method !== 'countBy' || bypassOf(adapter, 'countBy') !== undefined)
}

/** The storage of an adapter that tells none. It may join any other. */
const unknownStorage: object = {}

/** Returns the answers of a recording adapter about joins and values. No storage is asked. */
function assumptionsOf(
  adapter: UncheckedAdapter,
): Pick<Adapter, 'selection' | 'joinsSelection' | 'holdsValue'> {
  const storage = storageMethodOf(adapter)?.() ?? unknownStorage
  const isJoinable = (selection: object | undefined): boolean =>
    selection === storage || [selection, storage].includes(unknownStorage)
  return {
    ...(bypassOf(adapter, 'selection') && { selection: () => storage }),
    ...(bypassOf(adapter, 'joinsSelection') && {
      joinsSelection: ({ query }) => joinsIn(query).every((join) => isJoinable(join?.selection)),
    }),
    // A page may have ended at any value.
    ...(adapter.holdsValue && { holdsValue: () => true }),
  }
}

/** Tells whether an operation reads or writes the items of the request, not those it names. */
export function isOwn({ kind, path }: Operation, call: ParsedCall | undefined): boolean {
  const isOfBody = kind === 'list' && call !== undefined && bodyOf(call.kind) !== undefined
  return path === call?.target.collection.path && !isOfBody
}
