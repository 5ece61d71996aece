import { itemRules } from './rules/items.ts'
import { pathRules } from './rules/paths.ts'
import { requestRules } from './rules/requests.ts'
import { resourceRules } from './rules/resources.ts'
import type { RuleGroup, RuleRow } from './rules/rule.ts'
import { serviceRules } from './rules/service.ts'
import { versionRules } from './rules/versions.ts'
import { viewRules } from './rules/views.ts'

/** All rules of the gate, by subject. */
export const ruleGroups: readonly RuleGroup[] = [
  versionRules,
  serviceRules,
  pathRules,
  resourceRules,
  requestRules,
  itemRules,
  viewRules,
]

const byId: ReadonlyMap<string, RuleRow> = new Map(
  ruleGroups.flatMap(({ rows }) => rows).map((row) => [row.id, row]),
)

/** Returns the row of a rule; `undefined` for an unknown one. */
export function ruleOf(id: string): RuleRow | undefined {
  return byId.get(id)
}
