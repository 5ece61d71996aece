import { idFor, isId } from '../../contract/resource/id.ts'
import { noScope, type Operation } from '../../contract/resource/operation.ts'
import type { Item, Resource } from '../../contract/resource/resource.ts'
import { meeting } from '../../contract/values/search.ts'
import type { Awaitable } from '../../convention/awaitable.ts'
import { type Chunk, ChunkedList, isStream, take } from '../../convention/stream.ts'
import { isInScope } from '../../convention/value.ts'

/**
 * Checks an item of an adapter: an object with an id, inside the scope.
 *
 * @throws {TypeError} For the author of the adapter; the response is `internal_error`.
 */
export function checkItem(value: unknown, operation: Operation): Item {
  const id = idIn(value)
  if (typeof id !== 'string' && !Number.isFinite(id)) {
    throw breach(
      operation,
      `${describeValue(value)} for an item: return an object with an "id" of text or number`,
    )
  }
  const item = value as Item
  if (operation.scope === noScope || isInScope(item, operation.scope)) return item
  throw breach(
    operation,
    `an item outside the scope ${JSON.stringify(operation.scope)}: look only inside it`,
  )
}

/**
 * Checks a new item of an adapter: a path must be able to name it.
 *
 * @throws {TypeError} As {@link checkItem}, and for an id that no path can name.
 */
export function checkNewItem(value: unknown, operation: Operation): Item {
  const item = checkItem(value, operation)
  if (isNameable(item, operation.resource)) return item
  throw breach(
    operation,
    `an id of type ${typeof item.id} that no path can name: ` +
      'declare what ids look like with "id", as in z.coerce.number()',
  )
}

/**
 * Checks an adapter's item of an id; `undefined` for none, and for an item outside the scope.
 *
 * @throws {TypeError} As {@link checkItem}, and for an item of another id.
 */
export function findItem(value: unknown, operation: Operation): Item | undefined {
  if (value === null || value === undefined) return undefined
  const id = idIn(value)
  if (id === undefined || id !== operation.id) {
    const remedy = 'return an object with an "id", or null where there is none'
    const fault = isItem(value)
      ? 'an item with another id than it was asked for'
      : `${describeValue(value)} for an item: ${remedy}`
    throw breach(operation, fault)
  }
  const item = value as Item
  return operation.scope === noScope || isInScope(item, operation.scope) ? item : undefined
}

/**
 * Checks a list of an adapter.
 *
 * @param meets The test of its filters, for a list that comes in parts. Default: a new one.
 */
export function checkItems(value: unknown, operation: Operation, meets?: Test): readonly Item[] {
  if (!Array.isArray(value))
    throw breach(
      operation,
      `${describeValue(value)} for a list: return an array or an async iterable`,
    )
  // By index: forEach steps over holes.
  for (let index = 0; index < value.length; index++) checkItem(value[index], operation)
  if (operation.query.where.length > 0) checkFilters(value, operation, meets)
  return value
}

/** Checks the first items of a list of an adapter, which may stream. */
export function checkSlice(
  list: unknown,
  operation: Operation,
  length: number,
): Awaitable<readonly Item[]> {
  if (Array.isArray(list) || !isStream(list)) return checkItems(list, operation)
  return take(list, length).then((items) => checkItems(items, operation))
}

/**
 * Checks the items that an adapter gives for the drafts of a body, in their order.
 *
 * @throws {TypeError} As {@link checkItem}.
 */
export function itemsOfDrafts(
  result: unknown,
  { operation, drafts }: ItemsOfDrafts,
): readonly Item[] {
  if (!Array.isArray(result) || result.length !== drafts.length) {
    throw breach(
      operation,
      `not one item for each of ${drafts.length}: return an array as long as "items", in its order`,
    )
  }
  return drafts.map(({ id }, index) => {
    const item = checkItem(result[index], operation)
    if (item.id === id) return item
    throw breach(operation, 'items in another order than the client sent')
  })
}

interface ItemsOfDrafts {
  readonly operation: Operation
  readonly drafts: readonly { readonly id: unknown }[]
}

type Test = (item: Item) => boolean

/**
 * Checks that items meet the filters of an operation.
 *
 * @throws {TypeError} As {@link checkItem}.
 */
export function checkFilters(
  items: readonly Item[],
  operation: Operation,
  meets: Test = meeting(operation.query.where),
): void {
  if (items.every((item) => meets(item))) return
  const { where } = operation.query
  const filters = where.map(({ field, is }) => `${field} ${is}`).join(', ')
  throw breach(operation, `an item that its filters leave out (${filters}): obey query.where`)
}

/** Checks each part of a list that streams, as it passes. */
export function checkStream(
  stream: AsyncIterable<unknown>,
  operation: Operation,
): ChunkedList<Item> {
  return new ChunkedList(checkEach(stream, operation), stream)
}

async function* checkEach(
  stream: AsyncIterable<unknown>,
  operation: Operation,
): AsyncGenerator<Chunk<Item>, void> {
  // Once for all parts: a test can hold many values.
  const meets = meeting(operation.query.where)
  for await (const chunk of stream) {
    const items = Array.isArray(chunk) ? chunk : [chunk]
    if (items.length > 0) yield checkItems(items, operation, meets)
  }
}

/** Checks a number of items of an adapter. */
export function checkCount(value: unknown, operation: Operation): number {
  if (isCount(value)) return value
  throw breach(
    operation,
    `${describeValue(value)} for a number of items: return a whole number from 0`,
  )
}

/** Tells whether a value is a number of items. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

/** The error of an adapter that breaks its contract. */
export function breach({ resource, kind }: Operation, gave: string): TypeError {
  return new TypeError(`The adapter of "${resource.name}" gave, for "${kind}", ${gave}.`)
}

/** Returns whether a path can name the id of an item. */
export function isNameable({ id }: Item, resource: Resource): boolean {
  // Most ids are any text.
  if (typeof id === 'string' && resource.id === undefined) return isId(id)
  return idFor(resource, String(id)) === id
}

/** Returns whether a value is an object with an id, which may be one that no path can name. */
export function isItem(value: unknown): value is Item {
  const id = idIn(value)
  return typeof id === 'string' || Number.isFinite(id)
}

// The own id of an object; `undefined` without one.
function idIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  // For a plain object this is quicker than hasOwn().
  const isOwn =
    (Object.getPrototypeOf(value) === Object.prototype && !('id' in Object.prototype)) ||
    Object.hasOwn(value, 'id')
  return isOwn ? (value as { readonly id?: unknown }).id : undefined
}

function describeValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object'
    ? 'an object without a usable "id"'
    : `a value of type ${typeof value}`
}
