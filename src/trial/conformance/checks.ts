import type { UncheckedAdapter } from '../../contract/resource/adapter.ts'
import { type AdapterMethod, adapterMethods } from '../../convention/adapter-methods.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import { type CheckDefinition, type Checks, perform } from './check.ts'
import { copyChecks, heldChecks } from './checks/copies.ts'
import { filterChecks } from './checks/filters.ts'
import { foldedChecks } from './checks/folded.ts'
import { generatedChecks } from './checks/generated.ts'
import { groupChecks } from './checks/groups.ts'
import { joinChecks } from './checks/joins.ts'
import { largeChecks } from './checks/large.ts'
import { orderChecks, pageChecks } from './checks/lists.ts'
import { modifyChecks } from './checks/modify.ts'
import { nestedChecks } from './checks/nested.ts'
import { raceChecks } from './checks/races.ts'
import { removeChecks } from './checks/remove.ts'
import { ownerListChecks, scopeChecks } from './checks/scopes.ts'
import { derivedChecks, searchChecks } from './checks/searches.ts'
import { idChecks, valueChecks } from './checks/values.ts'
import {
  bulkChecks,
  createManyChecks,
  revisionChecks,
  selectionChecks,
  writeChecks,
} from './checks/writes.ts'
import { Tester } from './tester.ts'

/** Creates an empty adapter for {@link specimens}. Two adapters share nothing. */
export type Make = () => Awaitable<UncheckedAdapter>

/** A rule that every adapter must follow, for any test runner. */
export interface Check {
  /** A fact of at most eight words, unique among all checks: `list sorts descending`. */
  readonly name: string
  /** The requirement in words. */
  readonly rule: string
  /** The methods that the check calls. It runs only for adapters that have all of them. */
  readonly needs: readonly AdapterMethod[]
  /** The name of the check's group, which a gap may name too. `undefined` for most checks. */
  readonly group: string | undefined
  /**
   * Creates one adapter and tests it. Rejects with an Error that names the operation, its result,
   * the expected result and the rule.
   */
  run(make: Make): Promise<void>
}

const definitions: Checks = {
  ...valueChecks,
  ...idChecks,
  ...writeChecks,
  ...bulkChecks,
  ...selectionChecks,
  ...createManyChecks,
  ...modifyChecks,
  ...removeChecks,
  ...scopeChecks,
  ...ownerListChecks,
  ...orderChecks,
  ...pageChecks,
  ...foldedChecks,
  ...heldChecks,
  ...searchChecks,
  ...filterChecks,
  ...nestedChecks,
  ...generatedChecks,
  ...derivedChecks,
  ...groupChecks,
  ...joinChecks,
  ...revisionChecks,
  ...copyChecks,
  ...raceChecks,
  ...largeChecks,
}

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries(definitions).map(([name, definition]) => [name, toCheck(name, definition)]),
)

const groups = [...checks.values()].flatMap(({ group }) => group ?? [])
const gapNames = new Set([...checks.keys(), ...groups])

/**
 * Returns the checks that need only methods of this adapter, without the `gaps`:
 * `for (const check of checksFor(adapter)) test(check.name, () => check.run(make))`.
 *
 * The core derives `first`, `last` and `count`, so only an adapter that has them is checked for
 * them. The checks start without items: add `create` to an adapter that lacks it.
 *
 * @param adapter Any result of `make`. No method of it is called.
 * @param gaps The names of checks to leave out, each with a reason:
 *   `{ 'list sorts descending': 'the log has one order' }`. `lists of owners` leaves out all checks
 *   of scopes with several owners, `folded orders` those of orders without case, `filters of
 *   members` and `filters of lists` those of objects and lists. Default: none.
 * @throws {TypeError} For an unknown check, a missing reason, and an adapter without any check.
 */
export function checksFor(
  adapter: UncheckedAdapter,
  gaps: Readonly<Record<string, string>> = {},
): readonly Check[] {
  for (const [name, reason] of Object.entries(gaps)) {
    const issue = issueOfGap(name, reason)
    if (issue !== undefined) throw new TypeError(issue)
  }
  const has = (method: AdapterMethod): boolean => typeof adapter[method] === 'function'
  const fitting = [...checks.values()].filter(({ needs }) => needs.every(has))
  if (fitting.length > 0) return fitting.filter((check) => !isLeftOut(check, gaps))
  throw new TypeError(
    'No check fits this adapter. Pass an adapter, not its factory, with "create" and more ' +
      `methods of: ${adapterMethods.join(', ')}`,
  )
}

function isLeftOut({ name, group }: Check, gaps: Readonly<Record<string, string>>): boolean {
  return Object.hasOwn(gaps, name) || (group !== undefined && Object.hasOwn(gaps, group))
}

function toCheck(name: string, definition: CheckDefinition): Check {
  const { rule, needs = ['create', 'list'], group, comparing = 'ids' } = definition
  const run = async (make: Make): Promise<void> =>
    perform(definition, new Tester(await make(), rule, comparing))
  return Object.freeze({ name, rule, needs, group, run })
}

function issueOfGap(name: string, reason: unknown): string | undefined {
  if (!gapNames.has(name)) {
    return `Unknown check "${name}". Did you mean "${nearest(name)}"? Use the "name" of a check.`
  }
  if (typeof reason === 'string' && reason.trim() !== '') return undefined
  return `The gap "${name}" has no reason. Write one: { "${name}": "the log has one order" }`
}

// The check that shares the most words with a name.
function nearest(name: string): string {
  const words = name.toLowerCase().split(/\s+/)
  const likeness = (name: string): number =>
    name.split(' ').filter((word) => words.includes(word)).length
  const [best = ''] = [...gapNames].toSorted((first, second) => likeness(second) - likeness(first))
  return best
}
