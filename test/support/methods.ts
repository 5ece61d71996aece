import {
  type AdapterMethod,
  adapterMethods,
  methodSets,
} from '../../src/convention/adapter-methods.ts'
import type { OperationKind } from '../../src/convention/operations.ts'

/** Returns the method of an adapter that serves a kind of operation: `patch` → `modify`. */
export function methodOf(kind: OperationKind): AdapterMethod {
  const last = methodSets[kind][0]?.at(-1)
  return adapterMethods.find((method) => method === last) ?? 'list'
}
