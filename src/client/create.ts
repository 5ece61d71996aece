import type { Api } from '../contract/resource/api.ts'
import { bodyOf } from '../convention/kinds.ts'
import { type OperationKind, operationKinds, operations } from '../convention/operations.ts'
import { fieldOf } from '../convention/value.ts'
import { formatCall } from '../wire/request.ts'
import { type ClientPath, clientCallOf } from './call.ts'
import { deleteEach } from './delete-each.ts'
import type { Client } from './fluent.ts'
import {
  type CallOptions,
  type ClientOptions,
  checkNames,
  type Settings,
  settingsOf,
} from './options.ts'
import { itemsOf, type List, pagesOf } from './pages.ts'
import type { ReadManyOptions } from './query.ts'
import { readMany } from './read-many.ts'
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
  const item = (id: unknown): unknown => {
    const at = pathOf(id)
    return lazyObject(methodsAt(at, settings), nounSyntax, (noun) =>
      collectionAt({ ...at, nouns: [...at.nouns, noun] }, settings),
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
    readMany: async (ids: readonly unknown[], all: ReadManyOptions = {}) => {
      checkNames(all, ['signal', 'headers', 'fields', 'include'])
      const { fields, include, ...options } = all
      const query = { fields, include }
      const { url } = formatCall(clientCallOf('list', path, [query, options]).call)
      return readMany(list, { ids, query, url: settings.baseUrl + url }, options)
    },
    deleteMany: async (ids: readonly unknown[], options?: CallOptions) => {
      // Refuses invalid options and parents once for all ids.
      clientCallOf('list', path, [{}, options])
      const remove = (id: unknown) => methodOf('delete', pathOf(id), settings)(options)
      return deleteEach(ids, remove, options)
    },
  }
  return Object.freeze(Object.assign(item, methodsAt(path, settings), methods))
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
    return fieldOf(outcome, outcome.gives)
  }
}
