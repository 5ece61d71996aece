import type { Facts, FoundChange } from './compare/context.ts'
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

/** Makes a change by a rule at a place. */
export function makeChange(rule: string, at: string, facts: Facts): FoundChange {
  const { from = null, to = null, message, field, because, witness, probe } = facts
  const verdict = facts.verdict ?? ruleOf(rule)?.verdict ?? 'depends'
  return {
    rule,
    at,
    from,
    to,
    verdict,
    message,
    ...(field !== undefined && { field }),
    ...(because !== undefined && { because }),
    ...(witness !== undefined && { witness }),
    ...(probe !== undefined && { probe }),
  }
}
