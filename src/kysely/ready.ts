import type { Collection } from '../model/api.ts'
import type { Resource } from '../model/resource.ts'
import { faultOfIdentity } from './identity.ts'
import { lookUp, type Store } from './store.ts'
import { fieldFor } from './table.ts'

/**
 * Looks the table of a resource up, and whether it serves every path at which the resource is mounted.
 *
 * @throws {TypeError} With every misfit, each in a line of the message.
 */
export async function checkTable(
  store: Store,
  resource: Resource,
  mounts: readonly Collection[],
): Promise<void> {
  const table = await lookUp(store, resource)
  const { sortable, searchable, revision } = resource
  const checks = [
    ...[...sortable, ...searchable, ...(revision === undefined ? [] : [revision])].map(
      (name) => () => void fieldFor(table, name),
    ),
    ...mounts.map(({ parameters }) => () => {
      const fault = faultOfIdentity(table, parameters)
      if (fault !== undefined) throw new TypeError(fault)
    }),
  ]
  const faults = new Set(checks.flatMap(faultIn))
  if (faults.size > 0) throw new TypeError([...faults].join('\n'))
}

function faultIn(check: () => void): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
