import type { Awaitable } from '../model/awaitable.ts'
import type { UncheckedAdapter } from '../model/binding.ts'
import { type OperationKind, operationKinds } from '../model/convention.ts'
import { apartDemands } from './apart.ts'
import { bulkDemands } from './bulk.ts'
import type { Demand } from './demand.ts'
import { endDemands } from './ends.ts'
import { idDemands } from './ids.ts'
import { createLab } from './lab.ts'
import { longDemands } from './long.ts'
import { meanwhileDemands } from './meanwhile.ts'
import { orderDemands } from './order.ts'
import { pageDemands } from './pages.ts'
import { revisionDemands } from './revisions.ts'
import { scopeDemands } from './scope.ts'
import { searchDemands } from './search.ts'
import { valueDemands } from './values.ts'
import { writeDemands } from './writes.ts'

/** Makes an adapter for {@link specimens} with nothing in it; two of them share nothing. */
export type Make = () => Awaitable<UncheckedAdapter>

/** One thing an adapter must do, for any test runner. */
export interface Check {
  /** A fact, its own among all checks: `list sorts descending`. */
  readonly name: string
  /** What is demanded, in words. */
  readonly rule: string
  /** The methods that an adapter must have for the check to be about it. */
  readonly needs: readonly OperationKind[]
  /**
   * Makes one adapter and questions it.
   *
   * Rejects with an Error that says what was asked, what came, what was expected and which rule says so.
   */
  run(make: Make): Promise<void>
}

const demands: readonly Demand[] = [
  ...valueDemands,
  ...idDemands,
  ...writeDemands,
  ...bulkDemands,
  ...scopeDemands,
  ...orderDemands,
  ...pageDemands,
  ...searchDemands,
  ...endDemands,
  ...revisionDemands,
  ...apartDemands,
  ...meanwhileDemands,
  ...longDemands,
]

const checks: ReadonlyMap<string, Check> = new Map(
  demands.map((demand) => [demand.name, toCheck(demand)]),
)

/**
 * The checks that are about an adapter: those that need only methods it has, but for the `gaps`.
 * `for (const check of checksFor(adapter)) test(check.name, () => check.run(make))`
 *
 * What the core derives is not checked: `first`, `last` and `count` only where the adapter has them.
 * An adapter without `create` has to be given one for its checks, which start from nothing.
 *
 * @param adapter Any of those that `make` gives; it is only looked at.
 * @param gaps Checks to leave out, each by its name with the reason in words:
 *   `{ 'list sorts descending': 'the log has one order' }`. Default: none.
 * @throws {TypeError} For a gap that names no check or gives no reason, and when no check is about the adapter;
 *   the message says what to write.
 */
export function checksFor(
  adapter: UncheckedAdapter,
  gaps: Readonly<Record<string, string>> = {},
): readonly Check[] {
  for (const [name, reason] of Object.entries(gaps)) {
    const fault = faultOfGap(name, reason)
    if (fault !== undefined) throw new TypeError(fault)
  }
  const has = (kind: OperationKind): boolean => typeof adapter[kind] === 'function'
  const fitting = [...checks.values()].filter(({ needs }) => needs.every(has))
  if (fitting.length > 0) return fitting.filter(({ name }) => !Object.hasOwn(gaps, name))
  throw new TypeError(
    `No check is about this adapter: give one that has "create" and others of ${operationKinds.join(', ')}, not the function that makes it.`,
  )
}

function toCheck({ name, rule, needs, test }: Demand): Check {
  return Object.freeze({
    name,
    rule,
    needs,
    run: async (make: Make) => test(createLab(await make(), rule)),
  })
}

function faultOfGap(name: string, reason: unknown): string | undefined {
  if (!checks.has(name)) {
    return `There is no check "${name}" to leave out: write "${nearest(name)}" or the "name" of another check.`
  }
  if (typeof reason === 'string' && reason.trim() !== '') return undefined
  return `Check "${name}" is left out without a reason: write one, { "${name}": "the log has one order" }.`
}

// The check with which a name has the most words in common.
function nearest(name: string): string {
  const words = name.toLowerCase().split(/\s+/)
  const likeness = (other: string): number =>
    other.split(' ').filter((word) => words.includes(word)).length
  const [best = ''] = [...checks.keys()].toSorted((one, other) => likeness(other) - likeness(one))
  return best
}
