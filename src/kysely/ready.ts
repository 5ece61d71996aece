import type { Collection } from '../model/api.ts'
import type { Resource } from '../model/resource.ts'
import { issueOfIdentity } from './identity.ts'
import { lookUpTable, type Store } from './store.ts'
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
  const table = await lookUpTable(store, resource)
  const { sortable, searchable, revision } = resource
  const checks = [
    ...[...sortable, ...searchable, ...(revision === undefined ? [] : [revision])].map(
      (name) => () => void fieldFor(table, name),
    ),
    ...mounts.map(({ parameters }) => () => {
      const failure = issueOfIdentity(table, parameters)
      if (failure !== undefined) throw new TypeError(failure)
    }),
  ]
  const failures = new Set(checks.flatMap(faultIn))
  if (failures.size > 0) throw new TypeError([...failures].join('\n'))
}

function faultIn(check: () => void): readonly string[] {
  try {
    check()
    return []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
