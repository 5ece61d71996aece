import { revealAll } from '../contract/declare/reveal.ts'
import type { Api } from '../contract/resource/api.ts'
import { bind } from '../contract/resource/binding.ts'
import type { Operation } from '../contract/resource/operation.ts'
import type { Registry } from '../contract/resource/registry.ts'
import { adapterMethods } from '../convention/adapter-methods.ts'
import { defineRegistry, everything } from '../index.ts'
import { isRegistry, type Source } from './load.ts'

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
export function dryRun(source: Source): DryRun {
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
