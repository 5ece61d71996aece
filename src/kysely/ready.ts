import type { Collection } from '../model/api.ts'
import type { Resource } from '../model/resource.ts'
import { issueOfIdentity } from './identity.ts'
import { lookUpTable, type Store } from './store.ts'
import { fieldFor } from './table.ts'

/**
 * Looks up the table of a resource and checks that it serves every path of the resource.
 *
 * @throws {TypeError} With every misfit, one in each line of the message.
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
