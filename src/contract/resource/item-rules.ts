import { checkFunction, checkOptions } from '../../convention/declaration.ts'
import type { RuleName } from '../../convention/kinds.ts'

/** The rules of a resource, as the core calls them. It checks every result. */
export interface UncheckedRules {
  create?(draft: object, context: unknown): unknown
  change?(stored: object, context: unknown, changed: object): unknown
  delete?(stored: object, context: unknown): unknown
}

/** The rules of an api, by the name of the stored resource. */
export type RulesByName = ReadonlyMap<string, UncheckedRules>

/** An api without rules. */
export const noRules: RulesByName = /* @__PURE__ */ new Map()

const ruleNames: Readonly<Record<RuleName, true>> = { create: true, change: true, delete: true }

/**
 * Checks the rules of a registry.
 *
 * @throws {TypeError} For a name that is no stored resource, an unknown rule, and one that is no
 *   function.
 */
export function readRules(
  rules: unknown,
  { stored }: { readonly stored: ReadonlyMap<string, unknown> },
): RulesByName {
  checkOptions('.rules()', rules, Object.fromEntries(stored))
  const entries = Object.entries(Object(rules)).filter(([, entry]) => entry !== undefined)
  for (const [name, entry] of entries) {
    checkOptions(`The rules of "${name}"`, entry, ruleNames)
    for (const [rule, judge] of Object.entries(Object(entry)))
      if (judge !== undefined)
        checkFunction(
          `The rule "${rule}" of "${name}"`,
          judge,
          `${rule}: (item, context) => item.author_id === context.user.id`,
        )
  }
  return new Map(entries as readonly (readonly [string, UncheckedRules])[])
}
