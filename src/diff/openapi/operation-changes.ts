import { bodyChanges } from './body-changes.ts'
import { type DocumentFinding, findingOf } from './finding.ts'
import { lifetimeChanges } from './lifetime.ts'
import type { OperationPair } from './operation-pair.ts'
import { parameterChanges } from './parameter-changes.ts'
import { responseChanges } from './response-changes.ts'
import { securityChanges } from './security-changes.ts'

/** Compares an operation that both documents have. */
export function operationChanges(pair: OperationPair): readonly DocumentFinding[] {
  return [
    ...serverChanges(pair),
    ...lifetimeChanges(
      'operation',
      { old: pair.old.lifetime, new: pair.new.lifetime },
      (rule, parts) => findingOf(rule, pair.place, parts),
    ),
    ...idChange(pair),
    ...securityChanges(pair),
    ...parameterChanges(pair),
    ...bodyChanges(pair),
    ...responseChanges(pair),
  ]
}

function serverChanges({ old, new: next, place }: OperationPair): readonly DocumentFinding[] {
  const at = `${place} servers`
  const shared = 'servers'
  return [
    ...old.servers
      .filter((url) => !next.servers.includes(url))
      .map((url) =>
        findingOf('server-removed', at, {
          ...{ shared, from: url },
          message: `the document no longer names the address "${url}"`,
        }),
      ),
    ...next.servers
      .filter((url) => !old.servers.includes(url))
      .map((url) =>
        findingOf('server-added', at, {
          ...{ shared, to: url },
          message: `the document names the address "${url}"`,
        }),
      ),
  ]
}

// Generators name a function without an id by themselves.
function idChange({ old, new: next, place }: OperationPair): readonly DocumentFinding[] {
  if (old.id === next.id || old.id === undefined) return []
  return [
    findingOf('operation-id-changed', place, {
      from: old.id,
      to: next.id ?? null,
      message: `the id of the operation is ${next.id ?? 'gone'}, it was ${old.id}`,
    }),
  ]
}
