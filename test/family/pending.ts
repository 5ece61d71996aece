import type { Fault } from './fault.ts'
import type { Exclusion } from './pairs.ts'

/** Pairs whose faults are being mended: each line goes with its mend. */
export const pendingPairs: readonly Exclusion[] = []

/** Faults that are being mended, by their law and a part of their detail. */
const pendingFaults: readonly (readonly [law: RegExp, detail: RegExp])[] = [
  // It takes a parameter two parents up for a column.
  [/^a statement of doctor/, /./],
]

/** Tells whether a fault is being mended. */
export function isPending({ law, detail }: Fault): boolean {
  return pendingFaults.some(([laws, details]) => laws.test(law) && details.test(detail))
}
