import type { Adapter } from '../contract/resource/adapter.ts'
import {
  type AdapterShape,
  type ChangeMany,
  type ChangingOperation,
  type CreateOperation,
  noScope,
  type Operation,
  type Scope,
} from '../contract/resource/operation.ts'
import type { Item, Resource } from '../contract/resource/resource.ts'
import { keepsReadOnly } from '../contract/resource/siblings.ts'
import {
  checkComplete,
  checkNewId,
  checkRevision,
  revisionAfter,
  withoutWriteOnly,
  writeRulesFor,
} from '../contract/values/write.ts'
import { type Awaitable, inTurn, isPending, whenReady } from '../convention/awaitable.ts'
import { fieldOf } from '../convention/value.ts'
import { deleteInScope, deleteMatching, deleteOne } from './delete.ts'
import type { MemoryOptions } from './options.ts'
import { findInScope } from './read.ts'
import { highestIdOf, type ItemStore, idAfter, putItems } from './store.ts'
import {
  checkDistinct,
  checkReferences,
  freeze,
  type MemoryTable,
  type Writing,
  withDates,
} from './table.ts'

/** The end of the last write of each item, while the write lasts. */
type Queue = Map<Item['id'], Promise<void>>

/** A table with the options of its adapter. */
export interface MemoryStorage<S extends AdapterShape> extends MemoryTable<S['item']> {
  readonly options: MemoryOptions<S>
  /** The writes that wait for a function of the caller. */
  readonly queue: Queue
}

/** Makes the methods of an adapter that write to its storage. */
export function writesOf<S extends AdapterShape>(storage: MemoryStorage<S>): Adapter<S> {
  return {
    create: (operation, context) => {
      const stored = storeItems(storage, [operation], { operation, context })
      return whenReady(stored, ([item]) => item as S['item'])
    },
    createMany: (operation, context) => {
      const creations = operation.items.map((item) => ({ ...operation, item, items: undefined }))
      return storeItems(storage, creations, { operation, context })
    },
    update: keepsReadOnly((operation, context) => {
      const replaced = replaceItems(storage, [operation.item], { operation, context })
      return whenReady(replaced, ([item = null]) => item)
    }),
    updateMany: (operation, context) =>
      replaceItems(storage, operation.items, { operation, context }),
    modify: (operation, context, change) => {
      const changeOne = ([stored]: readonly (S['item'] | undefined)[]) =>
        stored === undefined ? [] : whenReady(change(stored), (item) => [item])
      const replacing = { operation, context, change: changeOne }
      return whenReady(modifyItems(storage, [operation.id], replacing), ([item = null]) => item)
    },
    modifyMany: (operation, context, change) =>
      modifyItems(storage, operation.ids, { operation, context, change }),
    delete: (operation) => deleteOne(storage, operation),
    deleteAll: (operation) => deleteInScope(storage, operation),
    deleteMany: (operation) => deleteMatching(storage, operation),
    remove: (operation, _, judge) => deleteOne(storage, operation, judge),
    removeMany: (operation, _, judge) =>
      operation.kind === 'deleteMany'
        ? deleteMatching(storage, operation, judge)
        : deleteInScope(storage, operation, judge),
  }
}

/** The operation of one item or of many, and the context of its request. */
interface Creating<S extends AdapterShape> {
  readonly operation: Operation
  readonly context: S['context']
}

/** A new item, its id, and the fields that `onCreate` sets. */
interface Draft<S extends AdapterShape> {
  readonly item: S['create']
  /** `undefined` where the adapter chooses one. */
  readonly id: S['item']['id'] | undefined
  readonly set: Partial<S['item']>
}

/**
 * Stores new items: all or none.
 *
 * @param creations The operation of each item.
 */
function storeItems<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  creations: readonly CreateOperation<S>[],
  { operation, context }: Creating<S>,
): Awaitable<readonly S['item'][]> {
  const { onCreate } = storage.options
  if (onCreate === undefined) {
    const drafts = creations.map(({ item }) => ({ item, id: idOf(item), set: {} }))
    return addDrafts(storage, drafts, operation)
  }
  const drafts = inTurn<CreateOperation<S>, Draft<S>>(creations, (creation) => {
    const { item } = creation
    return whenReady(onCreate(item, creation, context), (set) => ({ item, id: idOf(item), set }))
  })
  return whenReady(drafts, (all) => addDrafts(storage, all, operation))
}

// The core has checked it.
function idOf(item: object): Item['id'] | undefined {
  return Object.hasOwn(item, 'id') ? (item as Partial<Item>).id : undefined
}

function addDrafts<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  drafts: readonly Draft<S>[],
  operation: Operation,
): readonly S['item'][] {
  const { store, options } = storage
  const { resource } = operation
  let highestId = highestIdOf(drafts, store.highestId)
  const nextId = options.nextId ?? (() => idAfter(highestId++, resource))
  const hasWriteOnly = writeRulesFor(resource).writeOnly.size > 0
  const items = drafts.map((draft) => toItem(draft, { nextId, resource, hasWriteOnly }))
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
  /** A body can hold fields that an item does not. */
  readonly hasWriteOnly: boolean
}

function toItem<S extends AdapterShape>(
  { item, id, set }: Draft<S>,
  { nextId, resource, hasWriteOnly }: Making<S>,
): S['item'] {
  const idMember: Pick<S['item'], 'id'> = { id: id === undefined ? nextId() : id }
  const revision = revisionAfter(undefined, resource)
  // The id comes first for readers, and again last: a schema may leave an undefined id in the item.
  const chosen = id === undefined ? {} : idMember
  const fields = { ...idMember, ...item, ...idMember, ...revision, ...set, ...chosen }
  return freeze(hasWriteOnly ? withoutWriteOnly(fields, resource) : fields)
}

// A write never waits for the items of another owner: that would tell that they exist.
function idsIn(
  store: ItemStore<Item>,
  ids: readonly Item['id'][],
  scope: Scope,
): readonly Item['id'][] {
  return scope === noScope ? ids : ids.filter((id) => findInScope(store, { id, scope }))
}

// An item that came into the scope meanwhile was not waited for.
function findAmong<Stored extends Item>(
  mine: readonly Item['id'][],
  store: ItemStore<Stored>,
  { id, scope }: { readonly id: Item['id']; readonly scope: Scope },
): Stored | undefined {
  return scope === noScope || mine.includes(id) ? findInScope(store, { id, scope }) : undefined
}

/** A replacement of items, and the context of its request. */
interface Replacing<S extends AdapterShape> {
  readonly operation: ChangingOperation<S>
  readonly context: S['context']
}

/** A stored item, and the one to store for it: itself for no change. */
interface Pair<S extends AdapterShape> {
  readonly stored: S['item']
  readonly item: S['item']
}

/**
 * Replaces all items, or none when one is absent. Waits for its turn while another write of an item
 * waits for a function.
 */
function replaceItems<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  items: readonly S['item'][],
  { operation, context }: Replacing<S>,
): Awaitable<readonly (S['item'] | null)[]> {
  const { resource, scope, signal } = operation
  const { revision } = resource
  const ids = items.map(({ id }) => operation.id ?? id)
  const mine = idsIn(storage.store, ids, scope)
  return inQueue<readonly (S['item'] | null)[]>(storage.queue, { ids: mine, signal }, (again) => {
    const storedItems = ids.map((id) => findAmong(mine, storage.store, { id, scope }))
    const pairs = items.flatMap((item, place) => {
      const stored = storedItems[place]
      if (stored === undefined) return []
      const revisionOfItem = revision && fieldOf(item, revision)
      checkRevision(
        stored,
        operation.kind === 'update' ? operation.ifRevision : revisionOfItem,
        resource,
      )
      return { item: withReadOnly(item, stored, resource), stored }
    })
    if (pairs.length < items.length) return storedItems.map((stored) => stored ?? null)
    return putPairs(storage, pairs, { operation, context, again })
  })
}

// The core has read these fields before the write got its turn.
function withReadOnly<Stored extends Item>(
  item: Stored,
  stored: Stored,
  { readOnly }: Resource,
): Stored {
  const old = readOnly.filter(
    (field) => Object.hasOwn(stored, field) && fieldOf(item, field) !== fieldOf(stored, field),
  )
  if (old.length === 0) return item
  return { ...item, ...Object.fromEntries(old.map((field) => [field, fieldOf(stored, field)])) }
}

/**
 * Reads items, changes them, and stores the results: all or none. Waits for its turn as
 * {@link replaceItems} does.
 */
function modifyItems<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  ids: readonly S['item']['id'][],
  { operation, context, change }: Replacing<S> & { readonly change: ChangeMany<S['item']> },
): Awaitable<readonly S['item'][]> {
  const { scope, signal } = operation
  const mine = idsIn(storage.store, ids, scope)
  return inQueue<readonly S['item'][]>(storage.queue, { ids: mine, signal }, (again) => {
    const storedItems = ids.map((id) => findAmong(mine, storage.store, { id, scope }))
    return whenReady(change(storedItems), (items) => {
      const pairs = items.flatMap((item, place) => {
        const stored = storedItems[place]
        return stored ? [{ item, stored }] : []
      })
      return putPairs(storage, pairs, { operation, context, again })
    })
  })
}

interface Putting<S extends AdapterShape, Made> extends Replacing<S> {
  /** Starts again: a deletion does not wait for its turn, and an aborted write loses its turn. */
  again(): Awaitable<readonly Made[]>
}

function putPairs<S extends AdapterShape, Made>(
  storage: MemoryStorage<S>,
  pairs: readonly Pair<S>[],
  { operation, context, again }: Putting<S, Made>,
): Awaitable<readonly (S['item'] | Made)[]> {
  const { resource } = operation
  const { items: storedItems } = storage.store
  const isCurrent = () => pairs.every(({ stored }) => storedItems.get(stored.id) === stored)
  const changed = pairs.filter(({ item, stored }) => item !== stored)
  if (changed.length === 0 && isCurrent()) return pairs.map(({ stored }) => stored)
  const replacements = inTurn(changed, ({ item, stored }) => {
    const set = storage.options.onUpdate?.(item, stored, operation, context)
    const counted = { ...item, ...revisionAfter(stored, resource) }
    return whenReady(set, (set) => freeze(withoutWriteOnly({ ...counted, ...set }, resource)))
  })
  return whenReady(replacements, (items) => {
    if (!isCurrent()) return again()
    const placeOf = (index: number): number => pairs.indexOf(changed[index] as Pair<S>)
    const writing = { operation, placeOf, changed }
    const replaced = putReplaced(storage, items, writing).values()
    return pairs.map(({ item, stored }) =>
      item === stored ? stored : (replaced.next().value ?? stored),
    )
  })
}

function putReplaced<S extends AdapterShape>(
  storage: MemoryStorage<S>,
  items: readonly S['item'][],
  writing: Writing & { readonly changed: readonly Pair<S>[] },
): readonly S['item'][] {
  const replaced = withDates(items, writing)
  for (const [place, item] of replaced.entries()) {
    checkComplete(item, writing.operation, writing.changed[place]?.stored)
  }
  checkReferences(storage, replaced, writing)
  checkDistinct(storage, replaced, writing)
  putItems(storage.store, replaced)
  return replaced
}

interface Turn extends Pick<Operation, 'signal'> {
  readonly ids: readonly Item['id'][]
}

/**
 * Runs a write after all earlier writes of its items, so that later writes cannot overtake it for
 * ever. It runs at once, and stays synchronous, if no such write lasts. A write that hangs lasts
 * until its signal is aborted.
 *
 * @param write Gets a function that runs the write again, and throws if its signal is aborted.
 */
function inQueue<Made>(
  queue: Queue,
  { ids, signal }: Turn,
  write: (again: () => Awaitable<Made>) => Awaitable<Made>,
): Awaitable<Made> {
  const again = (): Awaitable<Made> => {
    signal.throwIfAborted()
    return write(again)
  }
  const earlier = ids.flatMap((id) => queue.get(id) ?? [])
  const result = earlier.length === 0 ? write(again) : Promise.all(earlier).then(again)
  if (!isPending(result)) return result
  const written = Promise.resolve(result)
  const end = endOf(written, signal).then(() => {
    for (const id of ids) if (queue.get(id) === end) queue.delete(id)
  })
  for (const id of ids) queue.set(id, end)
  return written
}

function endOf(written: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    written.then(end, end)
    if (signal.aborted) end()
  })
}
