import type { UncheckedRules } from '../../contract/resource/item-rules.ts'
import { fieldsKeptBy } from '../../contract/resource/keep.ts'
import type { Operation } from '../../contract/resource/operation.ts'
import type { Item } from '../../contract/resource/resource.ts'
import { isPending } from '../../convention/awaitable.ts'
import type { RuleName } from '../../convention/kinds.ts'
import { type Issue, problem } from '../../convention/problem.ts'
import { pickFields } from '../../convention/value.ts'
import { formatPointer } from '../../wire/pointer.ts'
import type { Plan } from '../plan.ts'
import type { Draft } from './body.ts'
import type { Replacing } from './stored.ts'

/** An item before a rule, and where it stands in the body. */
interface Subject {
  readonly at?: readonly PropertyKey[]
}

/**
 * Judges items by a rule of their resource.
 *
 * @param judge Calls the rule for the subject of an index.
 * @throws {ProblemError} `forbidden` for `false`, with an issue for each refused item of a bulk.
 * @throws {TypeError} For a rule that returns no boolean.
 */
export function judgeByRule(
  rule: RuleName,
  { resource }: Pick<Operation, 'resource'>,
  subjects: readonly Subject[],
  judge: (index: number) => unknown,
): void {
  const refused = subjects.filter((_, index) => {
    const verdict = judge(index)
    if (typeof verdict === 'boolean') return !verdict
    // Nobody else waits for it.
    if (isPending(verdict)) Promise.resolve(verdict).catch(() => undefined)
    throw new TypeError(
      `The rule "${rule}" of "${resource.base.name}" gave ${describeVerdict(verdict)}: return ` +
        'true or false at once.',
    )
  })
  if (refused.length === 0) return
  const issues = refused.flatMap(({ at = [] }): readonly Issue[] =>
    at.length === 0
      ? []
      : [{ pointer: formatPointer(at), code: 'forbidden', message: `is not yours to ${rule}` }],
  )
  const text = `You may not ${rule} ${subjects.length > 1 ? 'all of these items' : 'this item'}.`
  throw problem('forbidden', text, issues.length > 0 ? { issues } : undefined)
}

function describeVerdict(verdict: unknown): string {
  return isPending(verdict) ? 'a promise' : `a value of type ${typeof verdict}`
}

/**
 * Makes the function that judges deletions by the rules of a resource; every deletion is allowed
 * without such a rule.
 *
 * @throws {ProblemError} `forbidden`.
 */
export function deletionJudge(
  rules: UncheckedRules | undefined,
  operation: Pick<Operation, 'resource'>,
  context: unknown,
): (stored: readonly Item[]) => void {
  return (stored) => {
    if (rules?.delete === undefined) return
    // Nothing in the request names one of several items.
    judgeByRule('delete', operation, stored.map(toSubject), (index) =>
      rules.delete?.(stored[index] as Item, context),
    )
  }
}

function toSubject(): Subject {
  return {}
}
/** The parts of a task that change stored items. */
interface Changing extends Pick<Replacing, 'drafts'> {
  readonly plan: Replacing['plan'] & Pick<Plan, 'itemRules'>
  readonly operation: Pick<Operation, 'resource'>
  readonly context: unknown
}

/**
 * Asks the rule of changes about stored items and the items to store.
 *
 * @throws {ProblemError} `forbidden`.
 */
export function judgeChanges(
  items: readonly Item[],
  stored: readonly unknown[],
  { plan, operation, drafts, context }: Changing,
): void {
  const { itemRules, body, resource } = plan
  judgeByRule('change', operation, drafts, (index) => {
    const storedItem = Object(stored[index])
    // A replacement keeps fields that its client does not say.
    const keptFields = body?.isPatch ? [] : fieldsKeptBy((drafts[index] as Draft).body, resource)
    const wholeItem = { ...pickFields(storedItem, keptFields), ...items[index] }
    return itemRules?.change?.(storedItem, context, wholeItem)
  })
}

const refusedItems = new WeakMap<object, readonly Item[]>()

/** Notes the new items that the error of a conflict refuses. */
export function noteRefused(error: unknown, items: readonly Item[]): void {
  refusedItems.set(Object(error), items)
}

/**
 * Returns the new items that the error of a conflict refuses; `undefined` for another error. A view
 * asks the rule of its base about them first.
 */
export function refusedBy(error: unknown): readonly Item[] | undefined {
  return refusedItems.get(Object(error))
}
