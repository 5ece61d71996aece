import type { UncheckedAdapter } from '../../contract/resource/adapter.ts'
import {
  byId,
  conditionOfIds,
  noQuery,
  type Operation,
  type Outcome,
  parentFieldOf,
  type Query,
  type RelatedConditions,
  type SortField,
} from '../../contract/resource/operation.ts'
import { bypassOf } from '../../contract/resource/siblings.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { maxRelated } from '../../convention/limits.ts'
import { invalidCursor } from '../../convention/problem.ts'
import { parameterIssue, problemOfQuery } from '../../wire/parameter-issue.ts'
import { breach, checkSlice } from '../checks/outcome.ts'
import { idsOfOutcome, standIn, through, unlessHidden } from '../middleware.ts'
import { operationAcross, operationInForm, operationOf } from '../operations.ts'
import { type ItemReader, pathsOfItems, readerOf } from '../read-referenced.ts'
import type { Task, TaskChanges } from '../task.ts'

type Condition = Operation['query']['where'][number]

/** A reference, and what a query says of its items. */
interface Related {
  readonly field: string
  readonly target: ItemReader['target']
  /** The conditions on them; none for an order alone. */
  readonly match: RelatedConditions
  readonly isFilter: boolean
  /** The fields of the order that are theirs. */
  readonly sort: readonly RelatedSort[]
}

/** A field of an order that related items have. */
type RelatedSort = SortField & Required<Pick<SortField, 'related'>>

/** Conditions with the items that meet them. */
type JoinedConditions = RelatedConditions & {
  readonly join: NonNullable<RelatedConditions['join']>
}

/** The part of the adapter's query for the items of a reference. */
interface RelatedQuery {
  readonly condition?: Condition
  readonly joined?: JoinedConditions
  /** The fields of the order; none where no item is visible. */
  readonly sort: readonly SortField[]
}

/**
 * Finds the related items that filters and orders name: for each reference a list of the client's
 * own, through scope and middleware. If nothing there has looked at the items, the adapter may join
 * them: it gets the selection in `query.related`, or in `query.sort`. Else it gets their ids as a
 * plain condition, and an order is refused. The middleware around the request sees the query as
 * sent.
 *
 * @throws {ProblemError} `bad_parameter` for more than 1,000 items, for items without a list, and
 *   for an order that the storage cannot join; `invalid_cursor`.
 * @see docs/requests.md, C4.10 and C4.12
 */
export function findRelated(task: Task): Awaitable<TaskChanges> {
  const { operation, target, sentQuery } = task
  const { kind, query } = operation
  // The way has this step only for a query of related items.
  const sent = query.related as readonly RelatedConditions[]
  const related = target.collection.related.flatMap(({ reference }): readonly Related[] => {
    const { as } = reference
    const filter = sent.find((match) => match.as === as)
    const sort = query.sort.filter(isRelatedSort).filter(({ related }) => related.as === as)
    const match = filter ?? { as, where: noQuery.where }
    const isNamed = filter !== undefined || sort.length > 0
    return isNamed ? [{ ...reference, match, isFilter: filter !== undefined, sort }] : []
  })
  const relatedQueries = inTurn(related, (each) => findOne(each, task))
  return whenReady(relatedQueries, (queries) => {
    const where = [...query.where, ...queries.flatMap(({ condition }) => condition ?? [])]
    const joined = queries.flatMap(({ joined }) => joined ?? [])
    const order = queries.flatMap(({ sort }) => sort)
    const facts = {
      ...operation,
      query: {
        ...query,
        where,
        related: joined.length === 0 && order.length === 0 ? undefined : joined,
        sort: orderOf(query, order),
      },
    }
    return { sentQuery: sentQuery ?? query, operation: operationOf(kind, operation, facts) }
  })
}

function isRelatedSort(sortField: SortField): sortField is RelatedSort {
  return sortField.related !== undefined
}

// Without a visible related item, each item misses the value: the field orders nothing.
function orderOf({ sort, after }: Query, joined: readonly SortField[]): Query['sort'] {
  return sort.flatMap((sortField) => {
    if (sortField.related === undefined) return sortField
    const joinedField = joined.find(({ field }) => field === sortField.field)
    if (joinedField !== undefined) return joinedField
    // No page of this client ends at a value.
    if ((after?.[sortField.field] ?? null) !== null) throw invalidCursor()
    return []
  })
}

function findOne(related: Related, task: Task): Awaitable<RelatedQuery> {
  const { field, target, match, isFilter, sort } = related
  const { plan, operation, context } = task
  const joiner = { adapter: plan.adapter, related, operation, context }
  const lookup = { match, reader: readerOf(target, task), joiner, sort }
  return whenReady(readIds(lookup, [], undefined), (result) => {
    if (!('as' in result))
      return isFilter ? { condition: conditionOfIds(field, result), sort: [] } : { sort: [] }
    return { ...(isFilter && { joined: result }), sort: joinedSort(sort, result.join) }
  })
}

function joinedSort(
  sort: readonly RelatedSort[],
  join: JoinedConditions['join'],
): readonly SortField[] {
  return sort.map((sortField, place) => {
    return { ...sortField, related: { ...sortField.related, join: { ...join, place } } }
  })
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
  /** The fields that only a join can sort by. */
  readonly sort: readonly RelatedSort[]
}

// Slice by slice: a middleware and parents out of reach may hide any number of items.
function readIds(
  lookup: Lookup,
  ids: readonly Id[],
  after: Listed | undefined,
): Awaitable<readonly Id[] | JoinedConditions> {
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

function listSlice(lookup: Lookup, after: Listed | undefined): Awaitable<Slice | JoinedConditions> {
  const { match, reader, joiner, sort } = lookup
  const { registry, context } = reader
  const operation = listOf(lookup, after)
  // A middleware that answers itself finds none.
  let items: readonly Listed[] = []
  let joined: JoinedConditions | undefined
  let isCarriedOut = false
  const whole = standIn()
  const readItems = (): Awaitable<Outcome> =>
    whenReady(listStored(operation, match, reader), (stored) => {
      if (after !== undefined && stored.at(-1)?.id === after.id)
        throw breach(operation, 'the same page again: return only items after "query.after"')
      items = stored
      return { gives: 'items', items }
    })
  const carryOut = (): Awaitable<Outcome> => {
    isCarriedOut = true
    if (joiner === undefined) return readItems()
    return whenReady(joinOf(joiner, operation, reader), (conditions) => {
      joined = conditions
      return conditions === undefined && sort.length === 0 ? readItems() : whole.outcome
    })
  }
  const outcome = through(registry.middleware, { operation, context }, carryOut, whole.check)
  return whenReady(outcome, (result) => {
    const isWhole = result === whole.outcome && !whole.isTouched()
    whole.end()
    if (isCarriedOut && !(isWhole && joined)) refuseSort(sort)
    if (joined !== undefined)
      return isWhole ? joined : listSlice({ ...lookup, joiner: undefined }, after)
    return whenReady(idsOfOutcome(result), (ids) => ({
      items,
      visible: items.filter(({ id }) => ids.has(id)),
    }))
  })
}

function listOf({ match, reader, sort }: Lookup, after: Listed | undefined): Operation {
  const { target, signal, caller } = reader
  const query = {
    ...noQuery,
    where: match.where,
    sort: [...sort.map(fieldOfTarget), ...byId],
    limit: maxRelated + 1,
    after: after && { id: after.id },
  }
  return operationAcross(target, { kind: 'list', id: undefined, query, signal, caller })
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

// A middleware sees the list that has the order of the related items.
function fieldOfTarget({ related: { name: field }, direction, type }: RelatedSort): SortField {
  return { field, direction, ...(type && { type }) }
}

/** An adapter, and a reference of its items that it may join. */
interface Joiner {
  readonly adapter: UncheckedAdapter
  readonly related: Omit<Related, 'target'>
  readonly operation: Operation
  readonly context: unknown
}

// The conditions with the items that an operation lists; `undefined` where no storage joins them.
function joinOf(
  { adapter, related: { match, field, isFilter, sort }, operation, context }: Joiner,
  list: Operation,
  reader: ItemReader,
): Awaitable<JoinedConditions | undefined> {
  const joins = bypassOf(adapter, 'joinsSelection')
  if (joins === undefined) return undefined
  return whenReady(selectionOf(list, reader), (selection) => {
    if (selection === undefined) return undefined
    const join = { field, selection }
    const joined = { ...match, join }
    const order = [...joinedSort(sort, join), ...byId]
    const query = { ...operation.query, related: isFilter ? [joined] : [], sort: order }
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
  const field = parentFieldOf(target)
  if (field === undefined) return undefined
  const facts = { kind: 'list', id: undefined, query: noQuery, signal, caller } as const
  const parents = operationAcross(parent, facts)
  const match = { as: field, where: noQuery.where }
  const related = { match, field, isFilter: true, sort: [] }
  const joiner = { adapter, related, operation: list, context }
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

function refuseSort([sortField]: readonly SortField[]): void {
  if (sortField === undefined) return
  const message = `cannot take "${sortField.field}" here: the storage cannot sort by it`
  throw problemOfQuery([parameterIssue('bad_parameter', 'sort', message)])
}

function badFilter({ as, where }: RelatedConditions, message: string) {
  const [{ field = '' } = {}] = where
  return problemOfQuery([parameterIssue('bad_parameter', `${as}.${field}`, message)])
}
