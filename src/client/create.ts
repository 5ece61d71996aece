import type { Api } from '../contract/resource/api.ts'
import { isId } from '../contract/resource/id.ts'
import { maxFilterValues } from '../convention/filter-operators.ts'
import { bodyOf } from '../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../convention/operations.ts'
import { fieldOf } from '../convention/value.ts'
import { formatCall } from '../wire/request.ts'
import { type ClientPath, clientCallOf, textOfId } from './call.ts'
import type { Client } from './fluent.ts'
import {
  type CallOptions,
  type ClientOptions,
  checkNames,
  isPlainObject,
  type Settings,
  settingsOf,
} from './options.ts'
import type {
  CountedPage,
  DeleteManyQuery,
  ListQuery,
  Page,
  ReadManyOptions,
  ReadQuery,
} from './query.ts'
import { sendCall } from './send.ts'

/** The api of a client without a type argument: its name shows in the compiler's message. */
interface MissingTypeofApi extends Api {
  readonly declaration: Readonly<Record<never, never>>
}

/**
 * Makes a client of an api from its type alone:
 * `createClient<typeof api>({ baseUrl }).v1.companies('7').employees.list({ sort: ['-name'] })`.
 *
 * Every call throws the server's problem (`isProblem`), an `UnexpectedResponse` for any other
 * response, or the error of `fetch`. Without the api's type, `.v1` does not compile.
 *
 * @throws {TypeError} For an invalid option.
 */
export function createClient<A extends Api = MissingTypeofApi>(options: ClientOptions): Client<A> {
  const settings = settingsOf(options)
  const client = lazyObject({}, /^v[1-9]\d*$/, (version) =>
    lazyObject({}, nounSyntax, (noun) =>
      collectionAt({ version, nouns: [noun], ids: [] }, settings),
    ),
  )
  // The type lists the nouns. At runtime the client has no contract and takes every noun.
  return client as Client<A>
}

// Promises, JSON, inspectors and test runners read the excluded names from every object.
const nounSyntax =
  /^(?!(?:then|inspect|asymmetricMatch|nodeType|toJSON)$)[a-z][a-z\d]*(?:[-_][a-z\d]+)*$/i

/** Returns an object that makes each further member once, at its first use. */
function lazyObject(members: object, syntax: RegExp, make: (name: string) => unknown): object {
  const cache = new Map<string, unknown>()
  return new Proxy(Object.freeze(members), {
    get(target, name) {
      if (typeof name === 'symbol' || name in target || !syntax.test(name)) {
        return Reflect.get(target, name)
      }
      if (!cache.has(name)) cache.set(name, make(name))
      return cache.get(name)
    },
  })
}

function collectionAt(path: ClientPath, settings: Settings): unknown {
  const pathOf = (id: unknown): ClientPath => ({ ...path, ids: [...path.ids, id] })
  const itemAt = (id: unknown): unknown => {
    const itemPath = pathOf(id)
    return lazyObject(methodsAt(itemPath, settings), nounSyntax, (noun) =>
      collectionAt({ ...itemPath, nouns: [...itemPath.nouns, noun] }, settings),
    )
  }
  const list: List = (...args) => sendCall(clientCallOf('list', path, args), settings)
  const pages = (...args: Parameters<List>) => pagesOf(list, ...args)
  const methods = {
    pages,
    items: (...args: Parameters<List>) => itemsOf(pages(...args)),
    page: async (...args: Parameters<List>) => {
      const call = clientCallOf('list', { ...path, isCounted: true }, args)
      const { gives, ...page } = await sendCall(call, settings)
      return page
    },
    readMany: async (ids: readonly unknown[], readOptions: ReadManyOptions = {}) => {
      checkNames(readOptions, ['signal', 'headers', 'fields', 'include'])
      const { fields, include, ...options } = readOptions
      const query = { fields, include }
      const { url } = formatCall(clientCallOf('list', path, [query, options]).call)
      return readMany(list, { ids, query, url: settings.baseUrl + url }, options)
    },
    deleteMany: async (ids: readonly unknown[] | DeleteManyQuery, options?: CallOptions) => {
      if (isPlainObject(ids)) return methodOf('deleteMany', path, settings)(ids, options)
      // Refuses invalid options and parents once for all ids.
      clientCallOf('list', path, [{}, options])
      const remove = (id: unknown) => methodOf('delete', pathOf(id), settings)(options)
      return deleteEach(ids, remove, options)
    },
  }
  return Object.freeze(Object.assign(itemAt, methodsAt(path, settings), methods))
}

/** Returns a method for each operation on an item, or on a collection and its reserved words. */
function methodsAt(path: ClientPath, settings: Settings): object {
  const isItem = path.ids.length === path.nouns.length
  const methods = operationKinds
    .filter((kind) => (operations[kind].target === 'item') === isItem)
    .flatMap((kind) => {
      const method = methodOf(kind, path, settings)
      // The body tells one item from many.
      return [kind, bodyOf(kind)?.orMany ?? kind].map((name) => [name, method])
    })
  return Object.fromEntries(methods)
}

type Method = (...args: readonly unknown[]) => Promise<unknown>

function methodOf(kind: OperationKind, path: ClientPath, settings: Settings): Method {
  return async (...args) => {
    const outcome = await sendCall(clientCallOf(kind, path, args), settings)
    const { gives, ...rest } = outcome
    return 'groups' in rest ? rest : fieldOf(outcome, gives)
  }
}

/** Sends a `list` and returns its page. */
type List = (
  query?: ListQuery,
  options?: CallOptions,
) => Promise<Partial<CountedPage<object>> & { readonly gives: string }>

/**
 * Yields page after page, and sends a request only when you ask for the next page.
 *
 * @throws {Error} When the server repeats a cursor, at most three times the cycle's length later.
 */
async function* pagesOf(
  list: List,
  query: ListQuery = {},
  options?: CallOptions,
): AsyncGenerator<Page<object>, void, undefined> {
  let { after, offset } = query
  // Brent's cycle detection: compares each cursor with one that moves on at powers of two.
  let checkpoint = after
  for (let page = 1; ; page++) {
    const { items = [], next } = await list({ ...query, offset, after }, options)
    yield { items, next }
    if (next === undefined) return
    if (next === checkpoint) throw new Error('The server repeats a cursor')
    if ((page & (page - 1)) === 0) checkpoint = next
    after = next
    offset = undefined
  }
}

/** Yields the items of all pages one by one. */
async function* itemsOf(
  pages: AsyncIterable<Page<object>>,
): AsyncGenerator<object, void, undefined> {
  for await (const { items } of pages) yield* items
}

// Bytes of a URL. A server takes 4,096, and may keep 1,024 of them for a cursor.
const maxUrlLength = 3000

/** The items to read. */
interface ReadManyInput {
  readonly ids: readonly unknown[]
  /** The fields and the items to include. */
  readonly query: ReadQuery
  /** The URL of the list without the ids: its length counts in each target. */
  readonly url: string
}

/**
 * Reads the items of some ids, by lists of at most 100 ids, one after another. Returns an item or
 * `undefined` for each id, in the order of the ids.
 *
 * @throws {TypeError} For an id that is not text or a finite number.
 */
async function readMany(
  list: List,
  { ids, query, url }: ReadManyInput,
  options: CallOptions,
): Promise<readonly (object | undefined)[]> {
  const texts = ids.map(textOfId)
  const itemsById = new Map<unknown, object>()
  for (const id of slicesOf(new Set(texts.filter(isId)), maxUrlLength - url.length)) {
    for await (const item of itemsOf(pagesOf(list, { ...query, where: { id } }, options))) {
      itemsById.set(`${fieldOf(item, 'id')}`, item)
    }
  }
  return texts.map((text) => itemsById.get(text))
}

function* slicesOf(ids: Iterable<string>, maxLength: number): Generator<readonly string[]> {
  let slice: string[] = []
  let length = 0
  for (const id of ids) {
    const size = `&id=${encodeURIComponent(id)}`.length
    if (slice.length === maxFilterValues || (length > 0 && length + size > maxLength)) {
      yield slice
      slice = []
      length = 0
    }
    slice.push(id)
    length += size
  }
  if (length > 0) yield slice
}

// A browser opens no more connections to a server of HTTP/1.1.
const maxConnections = 6

/**
 * Deletes the items of some ids, at most six at a time. Returns an outcome for each id, in the
 * order of the ids. Throws the reason of a signal, after which it starts no request.
 *
 * @param remove Sends the request of one id.
 */
async function deleteEach(
  ids: readonly unknown[],
  remove: (id: unknown) => Promise<unknown>,
  { signal }: CallOptions = {},
): Promise<readonly object[]> {
  const outcomes = ids.map((id) => ({ id }))
  const queue = outcomes.values()
  const worker = async (): Promise<void> => {
    for (const outcome of queue) {
      const settled = remove(outcome.id).then(
        (item) => ({ item }),
        (error: unknown) => ({ error }),
      )
      Object.assign(outcome, await settled)
    }
  }
  await Promise.all(Array.from({ length: maxConnections }, worker))
  signal?.throwIfAborted()
  return outcomes
}
