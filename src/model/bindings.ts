import type { Adapter } from './adapter.ts'
import type { Api } from './api.ts'
import { type Binding, bind } from './binding.ts'
import { checkOptions, isRecord } from './declared.ts'
import { changesStored, kindsWithout } from './kinds.ts'
import type { AdapterShape } from './operation.ts'

type Adapters = Readonly<Record<string, Adapter<AdapterShape>>>

/**
 * Binds every resource of an api to its adapter. Returns the bindings by the index of the
 * collection.
 *
 * @throws {TypeError} For a missing adapter, or one that lacks `read`; the message says what to
 *   write.
 */
export function bindAll(api: Api, adapters: Adapters): readonly Binding[] {
  checkOptions('.adapters()', adapters, Object.fromEntries(api.resources))
  const bindings = new Map<string, Binding>()
  for (const [name, resource] of api.resources) {
    const adapter = Object.hasOwn(adapters, name) ? adapters[name] : undefined
    if (!isRecord(adapter))
      throw new TypeError(
        `Resource "${name}" has no adapter: add "${name}: memoryAdapter()", or another.`,
      )
    bindings.set(name, bind(resource, adapter))
    const needs = typeof adapter.read === 'function' ? undefined : needOfRead(api, name, adapter)
    if (needs !== undefined) throw new TypeError(`Resource "${name}" ${needs}.`)
  }
  return api.collections.map(({ resource }) => bindings.get(resource.name) as Binding)
}

// Says why a resource needs `read`; `undefined` for a resource that does not.
function needOfRead(api: Api, name: string, adapter: Adapter): string | undefined {
  const isParent = api.collections.some(({ ancestors }) =>
    ancestors.some(({ resource }) => resource.name === name),
  )
  if (isParent) return 'owns others, so its adapter needs "read" to tell which there are'
  const written = api.collections.some(
    ({ resource, ancestors }) =>
      resource.name === name &&
      ancestors.length > 0 &&
      kindsWithout(resource.without).some(
        (kind) => changesStored(kind) && typeof adapter[kind] === 'function',
      ),
  )
  // Without `read`, an adapter that forgets the scope would let one owner write the items of
  // another.
  return written
    ? 'is owned, so its adapter needs "read" to keep writes inside their scope'
    : undefined
}
