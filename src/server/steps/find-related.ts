import type { UncheckedAdapter } from '../../contract/resource/adapter.ts'
import {
  noQuery,
  type Operation,
  type Outcome,
  type RelatedConditions,
} from '../../contract/resource/operation.ts'
import { bypassOf } from '../../contract/resource/siblings.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { maxRelated } from '../../convention/limits.ts'
import { fieldOf } from '../../convention/value.ts'
import { parameterIssue, problemOfQuery } from '../../wire/parameter-issue.ts'
import { breach, checkSlice } from '../checks/outcome.ts'
import { itemsOfOutcome, standIn, through, unlessHidden } from '../middleware.ts'
import { operationAcross, operationInForm, operationOf } from '../operations.ts'
import { type ItemReader, pathsOfItems, readerOf } from '../read-referenced.ts'
import type { Task, TaskChanges } from '../task.ts'

type Condition = Operation['query']['where'][number]

/** A reference, and the conditions on its items. */
interface Related {
  readonly field: string
  readonly target: ItemReader['target']
  readonly match: RelatedConditions
}

/**
 * Finds the related items that filters select: for each reference a list of the client's own,
 * through scope and middleware. If nothing there has looked at the items, the adapter may join
 * them: it gets the selection in `query.related`. Else it gets their ids as a plain condition. The
 * middleware around the request sees the filters as sent, in `query.related`.
 *
 * @throws {ProblemError} `bad_parameter` for more than 1,000 items, and for items without a list.
 * @see docs/requests.md, C4.10
 */
export function findRelated(task: Task): Awaitable<TaskChanges> {
  const { operation, target, sentQuery } = task
  const { kind, query } = operation
  // The way has this step only for a query with such filters.
  const sent = query.related as readonly RelatedConditions[]
  const related = target.collection.related.flatMap(({ reference }) =>
    sent.filter(({ as }) => as === reference.as).map((match) => ({ ...reference, match })),
  )
  const conditions = inTurn(related, (each) => conditionOn(each, task))
  return whenReady(conditions, (added) => {
    const where = [...query.where, ...added.filter((condition) => 'is' in condition)]
    const joined = added.filter((condition) => 'as' in condition)
    const facts = {
      ...operation,
      query: { ...query, where, related: joined.length === 0 ? undefined : joined },
    }
    return { sentQuery: sentQuery ?? query, operation: operationOf(kind, operation, facts) }
  })
}

// The condition that an item references one of the items that match.
function conditionOn(
  { field, target, match }: Related,
  task: Task,
): Awaitable<Condition | RelatedConditions> {
  const { plan, operation, context } = task
  const joiner = { adapter: plan.adapter, match, field, operation, context }
  const lookup = { match, reader: readerOf(target, task), joiner }
  return whenReady(readIds(lookup, [], undefined), (found) =>
    'as' in found ? found : hasOneOf(field, found),
  )
}

// Without an id nothing tells its type: no item has one of no ids.
function hasOneOf(field: string, ids: readonly Id[]): Condition {
  const [first] = ids
  const type = typeof first === 'number' ? 'number' : 'text'
  return { field: first === undefined ? 'id' : field, is: 'in', values: ids, type }
}

type Id = string | number

/** An item of the adapter. */
interface Listed {
  readonly id: Id
}

interface Lookup {
  readonly match: RelatedConditions
  readonly reader: ItemReader
  /** `undefined` once a middleware has looked at the items. */
  readonly joiner: Joiner | undefined
}

// Slice by slice: a middleware and parents out of reach may hide any number of items.
function readIds(
  lookup: Lookup,
  ids: readonly Id[],
  after: Listed | undefined,
): Awaitable<readonly Id[] | RelatedConditions> {
  const { match, reader } = lookup
  const listed = unlessHidden(() => listSlice(lookup, after), reader.signal)
  return whenReady(listed, (slice) => {
    if (slice !== undefined && 'as' in slice) return slice
    const { items, visible } = slice ?? noSlice
    return whenReady(pathsOfItems(visible, reader), (paths) => {
      const reachable = visible.filter((_, index) => paths[index] !== undefined)
      const all = [...ids, ...reachable.map(({ id }) => id)]
      if (all.length > maxRelated) {
        throw badFilter(match, `selects more than ${maxRelated} related items: add a filter`)
      }
      const rest = { ...lookup, joiner: undefined }
      return items.length > maxRelated ? readIds(rest, all, items.at(-1)) : all
    })
  })
}

/** A part of a list as the adapter gave it, and its items that the middleware let through. */
interface Slice {
  readonly items: readonly Listed[]
  readonly visible: readonly Listed[]
}

const noSlice: Slice = { items: [], visible: [] }

function listSlice(
  lookup: Lookup,
  after: Listed | undefined,
): Awaitable<Slice | RelatedConditions> {
  const { match, reader, joiner } = lookup
  const { registry, target, signal, context, caller } = reader
  const position = after && { id: after.id }
  const query = { ...noQuery, where: match.where, limit: maxRelated + 1, after: position }
  const operation = operationAcross(target, { kind: 'list', id: undefined, query, signal, caller })
  // A middleware that answers itself finds none.
  let items: readonly Listed[] = []
  let joined: RelatedConditions | undefined
  const whole = standIn()
  const readItems = (): Awaitable<Outcome> =>
    whenReady(listStored(operation, match, reader), (stored) => {
      if (after !== undefined && stored.at(-1)?.id === after.id)
        throw breach(operation, 'the same page again: return only items after "query.after"')
      items = stored
      return { gives: 'items', items }
    })
  const carryOut = (): Awaitable<Outcome> =>
    joiner === undefined
      ? readItems()
      : whenReady(joinOf(joiner, operation, reader), (found) => {
          joined = found
          return found === undefined ? readItems() : whole.outcome
        })
  const outcome = through(registry.middleware, { operation, context }, carryOut, whole.check)
  return whenReady(outcome, (result) => {
    const isWhole = result === whole.outcome && !whole.isTouched()
    whole.end()
    if (joined !== undefined)
      return isWhole ? joined : listSlice({ ...lookup, joiner: undefined }, after)
    return whenReady(itemsOfOutcome(result), (listed) => {
      const ids = new Set(listed.map((item) => fieldOf(item, 'id')))
      return { items, visible: items.filter(({ id }) => ids.has(id)) }
    })
  })
}

function listStored(
  operation: Operation,
  match: RelatedConditions,
  { registry, target, context }: ItemReader,
): Awaitable<readonly Listed[]> {
  const adapter = registry.bindings[target.place]?.adapter
  if (typeof adapter?.list !== 'function') {
    throw badFilter(match, 'has no use here: the server does not list the related items')
  }
  return whenReady(formed(operation, adapter, context), (stored) =>
    whenReady(adapter.list?.(stored, context), (result) =>
      checkSlice(result, stored, maxRelated + 1),
    ),
  )
}

/** An adapter, and a reference of its items that it may join. */
interface Joiner {
  readonly adapter: UncheckedAdapter
  readonly match: RelatedConditions
  readonly field: string
  readonly operation: Operation
  readonly context: unknown
}

// The conditions with the items that an operation lists; `undefined` where no storage joins them.
function joinOf(
  { adapter, match, field, operation, context }: Joiner,
  list: Operation,
  reader: ItemReader,
): Awaitable<RelatedConditions | undefined> {
  const joins = bypassOf(adapter, 'joinsSelection')
  if (joins === undefined) return undefined
  return whenReady(selectionOf(list, reader), (selection) => {
    if (selection === undefined) return undefined
    const joined = { ...match, join: { field, selection } }
    const query = { ...operation.query, related: [joined] }
    const asked = operationOf(operation.kind, operation, { ...operation, query })
    return whenReady(joins.call(adapter, asked, context), (answer) => (answer ? joined : undefined))
  })
}

function selectionOf(list: Operation, reader: ItemReader): Awaitable<object | undefined> {
  const { registry, target, context } = reader
  const adapter = registry.bindings[target.place]?.adapter
  const select = adapter && bypassOf(adapter, 'selection')
  if (select === undefined || typeof adapter?.list !== 'function') return undefined
  return whenReady(inReach(list, adapter, reader), (reachable) =>
    reachable === undefined
      ? undefined
      : whenReady(formed(reachable, adapter, context), (stored) =>
          select.call(adapter, stored, context),
        ),
  )
}

// Adds the condition that the parent of each item is within reach too; `undefined` where no
// storage can tell, and where several ids of the path have to agree.
function inReach(
  list: Operation,
  adapter: UncheckedAdapter,
  reader: ItemReader,
): Awaitable<Operation | undefined> {
  const { target, signal, context, caller } = reader
  const parent = target.ancestors.at(-1)
  if (parent === undefined) return list
  const [field, ...further] = target.owners
  if (field === undefined || further.length > 0 || field !== target.parameters.at(-1))
    return undefined
  const facts = { kind: 'list', id: undefined, query: noQuery, signal, caller } as const
  const parents = operationAcross(parent, facts)
  const match = { as: field, where: noQuery.where }
  const joiner = { adapter, match, field, operation: list, context }
  return whenReady(joinOf(joiner, parents, { ...reader, target: parent }), (joined) => {
    if (joined === undefined) return undefined
    return operationOf('list', list, { ...list, query: { ...list.query, related: [joined] } })
  })
}

function formed(
  operation: Operation,
  adapter: UncheckedAdapter,
  context: unknown,
): Awaitable<Operation> {
  return whenReady(adapter.storedForm?.(operation, context), (form) =>
    form === undefined ? operation : operationInForm(operation, form),
  )
}

function badFilter({ as, where }: RelatedConditions, message: string) {
  const [{ field = '' } = {}] = where
  return problemOfQuery([parameterIssue('bad_parameter', `${as}.${field}`, message)])
}
