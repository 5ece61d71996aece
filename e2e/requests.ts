import { faults } from './requests/faults.ts'
import { framing } from './requests/framing.ts'
import { paths } from './requests/paths.ts'
import { reads } from './requests/reads.ts'
import type { Table } from './requests/row.ts'
import { writes } from './requests/writes.ts'

/** Every request, in the order they are sent. */
export const requests: readonly Table[] = [...reads, ...paths, ...faults, ...framing, ...writes]
