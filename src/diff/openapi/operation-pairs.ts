import type { ApiOperation } from './api-document.ts'
import { groupBy } from './group-by.ts'
import type { DocumentPair } from './schema-comparison.ts'

/** The operations of two documents that stand for each other. */
export interface OperationPairs {
  readonly pairs: readonly (readonly [old: ApiOperation, next: ApiOperation])[]
  readonly removed: readonly ApiOperation[]
  readonly added: readonly ApiOperation[]
}

/**
 * Returns a path template without the names of its parameters, which are in no request:
 * `/pets/{petId}` → `/pets/{}`.
 */
export function canonicalPath(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}')
}

/** Pairs the operations of two documents: those with equal templates first. */
export function pairOperations({ old, new: next }: DocumentPair): OperationPairs {
  return pairBy(old.operations, next.operations)
}

/** Pairs operations by method and path. */
export function pairBy(
  old: readonly ApiOperation[],
  next: readonly ApiOperation[],
): OperationPairs {
  const exact = match(old, next, ({ path }) => path)
  const rest = match(exact.removed, exact.added, ({ path }) => canonicalPath(path))
  return { ...rest, pairs: [...exact.pairs, ...rest.pairs] }
}

function match(
  old: readonly ApiOperation[],
  next: readonly ApiOperation[],
  pathOf: (operation: ApiOperation) => string,
): OperationPairs {
  const keyOf = (operation: ApiOperation) => `${operation.method} ${pathOf(operation)}`
  const waiting = groupBy(next, keyOf)
  const pairs: (readonly [ApiOperation, ApiOperation])[] = []
  const removed: ApiOperation[] = []
  for (const one of old) {
    const other = waiting.get(keyOf(one))?.shift()
    if (other) pairs.push([one, other])
    else removed.push(one)
  }
  return { pairs, removed, added: [...waiting.values()].flat() }
}
