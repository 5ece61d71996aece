import type { AdapterShape, Operation } from '../contract/resource/operation.ts'
import type { CreateOperation } from '../contract/resource/operation-types.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import {
  checkComplete,
  checkNewId,
  revisionAfter,
  withoutWriteOnly,
} from '../contract/values/write.ts'
import { type Awaitable, inTurn, whenReady } from '../convention/awaitable.ts'
import { fieldOf } from '../convention/value.ts'
import { checkDistinct, checkReferences, withDates } from './constraints.ts'
import { freeze } from './freeze.ts'
import { highestIdOf, idAfter, putItems } from './store.ts'
import type { MemoryStorage } from './table.ts'

/** The operation of one item or of many, and the context of its request. */
interface Creating<S extends AdapterShape> {
  readonly operation: Operation
  readonly context: S['context']
}

/** A new item, and the fields that `onCreate` sets. */
interface Draft<S extends AdapterShape> {
  readonly item: S['create']
  readonly set: Partial<S['item']>
}

/**
 * Stores new items: all or none.
 *
 * @param creations The operation of each item.
 */
export function storeItems<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  creations: readonly CreateOperation<S>[],
  { operation, context }: Creating<S>,
): Awaitable<readonly S['item'][]> {
  const { onCreate } = storage.options
  const drafts = inTurn<CreateOperation<S>, Draft<S>>(creations, (creation) => {
    const { item } = creation
    if (onCreate === undefined) return { item, set: {} }
    return whenReady(onCreate(item, creation, context), (set) => ({ item, set }))
  })
  return whenReady(drafts, (all) => addDrafts(storage, all, operation))
}

const hasId = (item: object): item is Item => fieldOf(item, 'id') !== undefined

function addDrafts<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  drafts: readonly Draft<S>[],
  operation: Operation,
): readonly S['item'][] {
  const { store, options } = storage
  const { resource } = operation
  let highestId = highestIdOf(drafts.map(({ item }) => item).filter(hasId), store.highestId)
  const nextId = options.nextId ?? (() => idAfter(highestId++, resource))
  const items = drafts.map((draft) => toItem(draft, { nextId, resource }))
  const writing = { operation }
  const stored = withDates(items, writing)
  for (const item of stored) {
    checkComplete(item, operation)
    // The core has checked an id of the body, and the default ids always fit.
    if (options.nextId ?? options.onCreate) checkNewId(item, resource)
  }
  checkReferences(storage, stored, writing)
  checkDistinct(storage, stored, writing)
  putItems(store, stored)
  return stored
}

interface Making<S extends AdapterShape> {
  readonly nextId: () => S['item']['id']
  readonly resource: Resource
}

function toItem<S extends AdapterShape>(
  { item, set }: Draft<S>,
  { nextId, resource }: Making<S>,
): S['item'] {
  const idMember: Pick<S['item'], 'id'> = { id: hasId(item) ? item.id : nextId() }
  const revision = revisionAfter(undefined, resource)
  // The id comes first for readers, and again last: a schema may leave an undefined id in the item.
  const chosen = hasId(item) ? idMember : {}
  const fields = { ...idMember, ...item, ...idMember, ...revision, ...set, ...chosen }
  return freeze(withoutWriteOnly(fields, resource))
}
