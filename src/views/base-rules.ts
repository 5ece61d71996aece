import type { Operation } from '../contract/resource/operation.ts'
import type { ApiConversion, Item, Resource } from '../contract/resource/resource.ts'
import { type Issue, problem } from '../convention/problem.ts'
import { fieldOf } from '../convention/value.ts'
import { issueOfInitial } from '../server/checks/body.ts'
import { judgeByRule } from '../server/checks/item-rules.ts'
import { issueOfMove, statesMissed } from '../server/checks/states.ts'

/** A write of items, with the caller whom the rules of the base ask about. */
export interface JudgedWrite {
  readonly view: ApiConversion
  /** The operation of the base. */
  readonly operation: Operation
  readonly context: unknown
}

/** An item of a body, and its place there. */
interface Place {
  readonly at: readonly PropertyKey[]
}

/**
 * Asks the rule of the base about new items.
 *
 * @throws {ProblemError} `forbidden`.
 */
export function judgeNewBase(
  items: readonly object[],
  places: readonly Place[],
  { view, operation, context }: JudgedWrite,
): void {
  const { rules } = view
  if (rules?.create === undefined) return
  judgeByRule('create', operation, places, (index) =>
    rules.create?.(items[index] as object, context),
  )
}

/** A stored base item, and its place in the body. */
interface StoredPlace extends Place {
  readonly stored: object
}

/**
 * Asks the rule of the base about changed items, and then compares their states.
 *
 * @throws {ProblemError} `forbidden`, then `conflict` in the words of the view.
 */
export function judgeChangedBase(
  items: readonly Item[],
  places: readonly StoredPlace[],
  { view, operation, context }: JudgedWrite,
): void {
  const { rules, base } = view
  const moves = places.map((place, index) => ({ ...place, item: items[index] as Item }))
  if (rules?.change !== undefined)
    judgeByRule('change', operation, moves, (index) => {
      const { stored, item } = moves[index] as Move
      return rules.change?.(stored, context, item)
    })
  if (base.states !== undefined) judgeViewMoves(base.states, moves, view)
}

type States = NonNullable<Resource['states']>

/** A changed item with the base item to store. */
interface Move {
  readonly stored: object
  readonly item: object
  /** The path of the item in the body. */
  readonly at: readonly PropertyKey[]
}

/**
 * Compares the states of changed base items with the stored ones.
 *
 * @throws {ProblemError} `conflict`, in the words of the view.
 * @see docs/requests.md, C3.15
 */
function judgeViewMoves(states: States, moves: readonly Move[], view: ApiConversion): void {
  const { field } = states
  const issues = moves.flatMap(({ at, stored, item }) => {
    const allowed = statesMissed(states, stored, item)
    const viewField = viewFieldOf(field, view)
    const names = allowed?.flatMap((state) => nameOf(state, { field, viewField, stored, view }))
    return names === undefined ? [] : issueOfMove(at, viewField, names)
  })
  if (issues.length > 0) throw problem('conflict', undefined, { issues })
}

// The field of a view that shows a base field; no name where it shows a part of it, or nothing.
function viewFieldOf(field: string, view: ApiConversion): string {
  const [viewField = ''] = view.pathOf([field]) ?? []
  return viewField
}

/** The state of a stored item, in the words of a view. */
interface StateOfView {
  readonly field: string
  readonly viewField: string
  readonly stored: object
  readonly view: ApiConversion
}

// The text that a client writes for a state; none where the view shows no such state, or writes
// another one for it.
function nameOf(state: string, { field, viewField, stored, view }: StateOfView): readonly string[] {
  const viewItem = view.get({ ...stored, [field]: state })
  const { item } = view.put(viewItem, stored)
  return fieldOf(Object(item), field) === state ? [String(fieldOf(viewItem, viewField))] : []
}

/** The new base item of a view. */
interface NewBaseItem {
  readonly item: object
  readonly at: readonly PropertyKey[]
  readonly view: ApiConversion
  /** The client sent a field that becomes the state. */
  readonly isSent: boolean
  /** The name of the view. */
  readonly name: string
}

/**
 * Returns the issue of a new item that does not begin in the first state, in the words of the view.
 *
 * @throws {TypeError} Where the view itself gives the item another state: no client can fix it.
 */
export function initialIssuesOfView(
  states: States,
  { item, at, view, isSent, name }: NewBaseItem,
): readonly Issue[] {
  const { field, initial } = states
  if (fieldOf(item, field) === initial) return []
  if (!isSent)
    throw new TypeError(
      `View "${name}" makes no item of "${view.base.name}", which begins in "${initial}": leave ` +
        `"${field}" out of "hidden".`,
    )
  const viewField = viewFieldOf(field, view)
  const viewItem = view.getNew({ ...item, [field]: initial })
  return [issueOfInitial(at, viewField, String(fieldOf(viewItem, viewField)))]
}
