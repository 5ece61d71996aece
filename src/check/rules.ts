import type { Rule } from './rule.ts'
import { answerRules } from './rules/answers.ts'
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
import { safeRules } from './rules/safe.ts'
import { searchRules } from './rules/search.ts'
import { sortRules } from './rules/sort.ts'

/** Every rule, in the order they are tried. Those of every answer come last, when all has been answered. */
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
  ...answerRules,
]
