import type { Collection, RelatedResource } from '../../contract/resource/api.ts'
import {
  noQuery,
  type Operation,
  type Outcome,
  type RelatedConditions,
} from '../../contract/resource/operation.ts'
import { relatedIn } from '../../contract/values/related.ts'
import { type Awaitable, inTurn, whenReady } from '../../convention/awaitable.ts'
import { maxRelated } from '../../convention/limits.ts'
import { fieldOf } from '../../convention/value.ts'
import { parameterIssue, problemOfQuery } from '../../wire/parameter-issue.ts'
import { breach, checkSlice } from '../checks/outcome.ts'
import { itemsOfOutcome, through, unlessHidden } from '../middleware.ts'
import { operationAcross, operationInForm, operationOf } from '../operations.ts'
import { type ItemReader, pathsOfItems, readerOf } from '../read-referenced.ts'
import type { Task, TaskChanges } from '../task.ts'

type Condition = Operation['query']['where'][number]

/**
 * Looks up the related items that filters select: for each reference a list of the client's own,
 * through scope and middleware. The adapter gets the ids as a plain condition. The middleware
 * around the request still sees the filters as sent, in `query.related`.
 *
 * @throws {ProblemError} `bad_parameter` for more than 1,000 items, and for items without a list.
 * @see docs/requests.md, C4.10
 */
export function findRelated(task: Task): Awaitable<TaskChanges> {
  const { operation, target, sentQuery } = task
  const { kind, query } = operation
  // The way has this step only for a query with such filters.
  const related = query.related as readonly RelatedConditions[]
  const conditions = inTurn(related, (match) => conditionOn(match, target.collection, task))
  return whenReady(conditions, (added) => {
    const where = [...query.where, ...added]
    const facts = { ...operation, query: { ...query, where, related: undefined } }
    return { sentQuery: sentQuery ?? query, operation: operationOf(kind, operation, facts) }
  })
}

// The condition that an item references one of the items that match.
function conditionOn(
  match: RelatedConditions,
  { related }: Collection,
  task: Task,
): Awaitable<Condition> {
  // The parameters name no other.
  const { reference } = relatedIn(`${match.as}.`, related) as RelatedResource
  const lookup = { match, reader: readerOf(reference.target, task) }
  return whenReady(readIds(lookup, [], undefined), (ids) => hasOneOf(reference.field, ids))
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
}

// Slice by slice: a middleware and parents out of reach may hide any number of items.
function readIds(
  lookup: Lookup,
  ids: readonly Id[],
  after: Listed | undefined,
): Awaitable<readonly Id[]> {
  const { match, reader } = lookup
  const listed = unlessHidden(() => listSlice(lookup, after), reader.signal)
  return whenReady(listed, (slice) => {
    const { items, visible } = slice ?? noSlice
    return whenReady(pathsOfItems(visible, reader), (paths) => {
      const reachable = visible.filter((_, index) => paths[index] !== undefined)
      const all = [...ids, ...reachable.map(({ id }) => id)]
      if (all.length > maxRelated) {
        throw badFilter(match, `selects more than ${maxRelated} related items: add a filter`)
      }
      return items.length > maxRelated ? readIds(lookup, all, items.at(-1)) : all
    })
  })
}

/** A part of a list as the adapter gave it, and its items that the middleware let through. */
interface Slice {
  readonly items: readonly Listed[]
  readonly visible: readonly Listed[]
}

const noSlice: Slice = { items: [], visible: [] }

function listSlice({ match, reader }: Lookup, after: Listed | undefined): Awaitable<Slice> {
  const { registry, target, signal, context, caller } = reader
  const position = after && { id: after.id }
  const query = { ...noQuery, where: match.where, limit: maxRelated + 1, after: position }
  const operation = operationAcross(target, { kind: 'list', id: undefined, query, signal, caller })
  // A middleware that answers itself finds none.
  let items: readonly Listed[] = []
  const carryOut = (): Awaitable<Outcome> =>
    whenReady(listStored(operation, match, reader), (stored) => {
      if (after !== undefined && stored.at(-1)?.id === after.id)
        throw breach(operation, 'the same page again: return only items after "query.after"')
      items = stored
      return { gives: 'items', items }
    })
  const outcome = through(registry.middleware, { operation, context }, carryOut)
  return whenReady(outcome, (result) =>
    whenReady(itemsOfOutcome(result), (listed) => {
      const ids = new Set(listed.map((item) => fieldOf(item, 'id')))
      return { items, visible: items.filter(({ id }) => ids.has(id)) }
    }),
  )
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
  return whenReady(adapter.storedForm?.(operation, context), (form) => {
    const stored = form === undefined ? operation : operationInForm(operation, form)
    return whenReady(adapter.list?.(stored, context), (result) =>
      checkSlice(result, stored, maxRelated + 1),
    )
  })
}

function badFilter({ as, where }: RelatedConditions, message: string) {
  const [{ field = '' } = {}] = where
  return problemOfQuery([parameterIssue('bad_parameter', `${as}.${field}`, message)])
}
