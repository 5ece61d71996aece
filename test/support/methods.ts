import {
  type AdapterMethod,
  adapterMethods,
  methodSets,
} from '../../src/convention/adapter-methods.ts'
import type { OperationKind } from '../../src/convention/operations.ts'

/** Returns the method of an adapter that serves a kind of operation: `patch` → `modify`. */
export function methodOf(kind: OperationKind): AdapterMethod {
  const methods = methodSets[kind][0] ?? []
  const own = methods.find((method) => method === kind) ?? methods.at(-1)
  return adapterMethods.find((method) => method === own) ?? 'list'
}
