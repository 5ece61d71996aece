import { documentGroup } from './openapi/rules.ts'
import { itemGroup } from './rules/items.ts'
import { pathGroup } from './rules/paths.ts'
import { requestGroup } from './rules/requests.ts'
import { resourceGroup } from './rules/resources.ts'
import type { RuleGroup, RuleRow } from './rules/rule.ts'
import { serviceGroup } from './rules/service.ts'
import { versionGroup } from './rules/versions.ts'
import { viewGroup } from './rules/views.ts'

/** All rules of the gate, by subject. */
export const ruleGroups: readonly RuleGroup[] = [
  versionGroup,
  serviceGroup,
  pathGroup,
  resourceGroup,
  requestGroup,
  itemGroup,
  viewGroup,
  documentGroup,
]

const byId: ReadonlyMap<string, RuleRow> = new Map(
  ruleGroups.flatMap(({ rows }) => rows).map((row) => [row.id, row]),
)

/** Returns the row of a rule; `undefined` for an unknown one. */
export function ruleOf(id: string): RuleRow | undefined {
  return byId.get(id)
}
