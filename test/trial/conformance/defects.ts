import type { BrokenRow } from './broken.ts'
import { bulkRows } from './defects/bulk.ts'
import { concurrencyRows } from './defects/concurrency.ts'
import { createManyRows } from './defects/create-many.ts'
import { filterRows } from './defects/filter.ts'
import { foldedRows } from './defects/folded.ts'
import { groupRows } from './defects/groups.ts'
import { heldRows } from './defects/held.ts'
import { joinRows } from './defects/joins.ts'
import { largeRows } from './defects/large.ts'
import { modifyRows } from './defects/modify.ts'
import { nestedRows } from './defects/nested.ts'
import { orderRows } from './defects/order.ts'
import { pageRows } from './defects/page.ts'
import { removeRows } from './defects/remove.ts'
import { scopeRows } from './defects/scope.ts'
import { searchRows } from './defects/search.ts'
import { valueRows } from './defects/value.ts'
import { writeRows } from './defects/write.ts'

/** All defects. */
export const brokenRows: readonly BrokenRow[] = [
  ...valueRows,
  ...writeRows,
  ...bulkRows,
  ...createManyRows,
  ...modifyRows,
  ...removeRows,
  ...scopeRows,
  ...orderRows,
  ...pageRows,
  ...heldRows,
  ...searchRows,
  ...filterRows,
  ...nestedRows,
  ...groupRows,
  ...joinRows,
  ...foldedRows,
  ...concurrencyRows,
  ...largeRows,
]
