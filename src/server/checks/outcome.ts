import { idFor, isId } from '../../model/id.ts'
import { isInScope, noScope, type Operation } from '../../model/operation.ts'
import type { Item, Resource } from '../../model/resource.ts'
import { type Part, Parts } from '../../model/stream.ts'

/**
 * Checks an item of an adapter: an object with an id, inside the scope.
 *
 * @throws {TypeError} For the author of the adapter; the response is `internal_error`.
 */
export function checkItem(value: unknown, operation: Operation): Item {
  if (!isItem(value)) {
    throw breach(
      operation,
      `${describe(value)} for an item: return an object with an "id" of text or number`,
    )
  }
  if (operation.scope === noScope || isInScope(value, operation.scope)) return value
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
  if (!isItem(value)) {
    throw breach(
      operation,
      `${describe(value)} for an item: return an object with an "id", or null where there is none`,
    )
  }
  if (value.id !== operation.id)
    throw breach(operation, 'an item with another id than it was asked for')
  return operation.scope === noScope || isInScope(value, operation.scope) ? value : undefined
}

/** Checks a list of an adapter. */
export function checkItems(value: unknown, operation: Operation): readonly Item[] {
  if (!Array.isArray(value))
    throw breach(operation, `${describe(value)} for a list: return an array or an async iterable`)
  // By index: forEach steps over holes.
  for (let place = 0; place < value.length; place++) checkItem(value[place], operation)
  return value
}

/** Checks each part of a list that streams, as it passes. */
export function checkStream(stream: AsyncIterable<unknown>, operation: Operation): Parts<Item> {
  return new Parts(checkEach(stream, operation))
}

async function* checkEach(
  stream: AsyncIterable<unknown>,
  operation: Operation,
): AsyncGenerator<Part<Item>, void> {
  for await (const part of stream) {
    if (!Array.isArray(part)) yield checkItem(part, operation)
    else if (part.length > 0) yield checkItems(part, operation)
  }
}

/** Checks a number of items of an adapter. */
export function checkCount(value: unknown, operation: Operation): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw breach(operation, `${describe(value)} for a number of items: return a whole number from 0`)
}

/** The error of an adapter that breaks its contract. */
export function breach({ resource, kind }: Operation, gave: string): TypeError {
  return new TypeError(`The adapter of "${resource.name}" gave, for "${kind}", ${gave}.`)
}

/** Returns whether a path can name the id of an item. */
export function isNameable({ id }: Item, resource: Resource): boolean {
  return idFor(resource, String(id)) === id
}

/** Returns whether a value is an object with a usable id. */
export function isItem(value: unknown): value is Item {
  if (typeof value !== 'object' || value === null) return false
  const { id } = value as { readonly id?: unknown }
  // For a plain object this is quicker than hasOwn().
  const isOwn =
    (Object.getPrototypeOf(value) === Object.prototype && !('id' in Object.prototype)) ||
    Object.hasOwn(value, 'id')
  return isOwn && (typeof id === 'string' ? isId(id) : Number.isFinite(id))
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object'
    ? 'an object without a usable "id"'
    : `a value of type ${typeof value}`
}
