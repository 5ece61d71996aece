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

/** The rules by their subject, in the order of the check. Those about every response come last. */
export const rulesBySubject: readonly (readonly [group: string, rules: readonly Rule[]])[] = [
  ['lists', [...listRules, ...sortRules, ...searchRules]],
  ['pages', [...pageRules, ...offsetRules]],
  ['filters', [...filterRules, ...filteredListRules, ...filterFaultRules, ...manyRules]],
  ['fields, includes and totals', [...fieldRules, ...includeRules, ...totalRules]],
  ['paths and methods', [...pathRules, ...parentRules, ...methodRules, ...safeRules]],
  ['create', [...createRules, ...repeatRules, ...noKeyRules, ...bulkCreateRules]],
  ['change and delete', [...changeRules, ...patchRules, ...patchFaultRules]],
  ['bulks', [...bulkRules, ...bulkPatchRules]],
  ['dry runs and references', [...dryRunRules, ...referenceRules]],
  ['every response', [...responseRules, ...lifecycleRules]],
]

/** All rules, in the order of the check. */
export const rules: readonly Rule[] = rulesBySubject.flatMap(([, group]) => group)
