import type { Rule } from './rule.ts'
import { bodyRules } from './rules/body.ts'
import { bulkRules } from './rules/bulk.ts'
import { changeRules } from './rules/change.ts'
import { createRules } from './rules/create.ts'
import { listRules } from './rules/list.ts'
import { methodRules } from './rules/methods.ts'
import { pageRules } from './rules/pages.ts'
import { parentRules } from './rules/parents.ts'
import { pathRules } from './rules/paths.ts'
import { removeRules } from './rules/remove.ts'
import { responseRules } from './rules/responses.ts'
import { safeRules } from './rules/safe.ts'
import { searchRules } from './rules/search.ts'
import { sortRules } from './rules/sort.ts'

/** All rules, in the order of the check. The rules about every response come last. */
export const rules: readonly Rule[] = [
  ...listRules,
  ...sortRules,
  ...searchRules,
  ...pageRules,
  ...pathRules,
  ...parentRules,
  ...methodRules,
  ...safeRules,
  ...createRules,
  ...bodyRules,
  ...changeRules,
  ...removeRules,
  ...bulkRules,
  ...responseRules,
]
