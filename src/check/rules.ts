import type { Rule } from './rule.ts'
import { bulkRules } from './rules/bulk.ts'
import { bulkCreateRules } from './rules/bulk-create.ts'
import { bulkPatchRules } from './rules/bulk-patch.ts'
import { changeRules } from './rules/change.ts'
import { createRules } from './rules/create.ts'
import { dryRunRules } from './rules/dry-run.ts'
import { fieldRules } from './rules/fields.ts'
import { filterFaultRules } from './rules/filter-faults.ts'
import { filteredListRules } from './rules/filtered-lists.ts'
import { filterRules } from './rules/filters.ts'
import { includeRules } from './rules/include.ts'
import { lifecycleRules } from './rules/lifecycle.ts'
import { listRules } from './rules/list.ts'
import { manyRules } from './rules/many.ts'
import { methodRules, safeRules } from './rules/methods.ts'
import { offsetRules } from './rules/offset.ts'
import { pageRules } from './rules/pages.ts'
import { patchRules } from './rules/patch.ts'
import { patchFaultRules } from './rules/patch-faults.ts'
import { parentRules, pathRules } from './rules/paths.ts'
import { referenceRules } from './rules/references.ts'
import { noKeyRules, repeatRules } from './rules/repeat.ts'
import { responseRules } from './rules/responses.ts'
import { searchRules } from './rules/search.ts'
import { sortRules } from './rules/sort.ts'
import { totalRules } from './rules/totals.ts'

/** All rules, in the order of the check. The rules about every response come last. */
export const rules: readonly Rule[] = [
  ...listRules,
  ...sortRules,
  ...searchRules,
  ...pageRules,
  ...offsetRules,
  ...filterRules,
  ...filteredListRules,
  ...filterFaultRules,
  ...manyRules,
  ...fieldRules,
  ...includeRules,
  ...totalRules,
  ...pathRules,
  ...parentRules,
  ...methodRules,
  ...safeRules,
  ...createRules,
  ...repeatRules,
  ...noKeyRules,
  ...bulkCreateRules,
  ...changeRules,
  ...patchRules,
  ...patchFaultRules,
  ...bulkRules,
  ...bulkPatchRules,
  ...dryRunRules,
  ...referenceRules,
  ...responseRules,
  ...lifecycleRules,
]
