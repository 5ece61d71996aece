import type { BrokenRow } from './broken.ts'
import { bulkRows } from './faults/bulk.ts'
import { longRows } from './faults/long.ts'
import { meanwhileRows } from './faults/meanwhile.ts'
import { orderRows } from './faults/order.ts'
import { pageRows } from './faults/page.ts'
import { scopeRows } from './faults/scope.ts'
import { searchRows } from './faults/search.ts'
import { valueRows } from './faults/value.ts'
import { writeRows } from './faults/write.ts'

/** Every way to be wrong. */
export const brokenRows: readonly BrokenRow[] = [
  ...valueRows,
  ...writeRows,
  ...bulkRows,
  ...scopeRows,
  ...orderRows,
  ...pageRows,
  ...searchRows,
  ...meanwhileRows,
  ...longRows,
]
