import type { Api } from '../model/api.ts'
import { operationKinds, operations } from '../model/convention.ts'
import { fieldOf } from '../model/operation.ts'
import { errandOf, type Place } from './call.ts'
import type { Client } from './fluent.ts'
import { type ClientOptions, type Settings, settingsOf } from './options.ts'
import { itemsOf, type List, pagesOf } from './pages.ts'
import { send } from './send.ts'

/** What an api is called by whom the type was forgotten: the compiler's message then says what to write. */
interface MissingTypeofApi extends Api {
  readonly declaration: Readonly<Record<never, never>>
}

/**
 * Makes a client of an api, of which it needs the type only:
 * `createClient<typeof api>({ baseUrl }).v1.companies('7').employees.list({ sort: ['-name'] })`.
 *
 * Every call throws the problem that was answered (`isProblem`), an `UnexpectedResponse` where none of the api's answered, or what
 * `fetch` threw. Without the type of the api, a client has no versions: `createClient({ baseUrl }).v1` does not compile.
 *
 * @throws {TypeError} For an option that cannot be; the message says what to write instead.
 */
export function createClient<A extends Api = MissingTypeofApi>(options: ClientOptions): Client<A> {
  const settings = settingsOf(options)
  const client = lazily({}, /^v[1-9]\d*$/, (version) =>
    lazily({}, nounSyntax, (noun) => collectionAt({ version, nouns: [noun], ids: [] }, settings)),
  )
  // The type says what there is; the client has no contract, so that every name is one until the server is asked.
  return client as Client<A>
}

// As nouns are written. What everything is asked for by somebody (promises, JSON, inspectors, test runners) is none.
const nounSyntax =
  /^(?!(?:then|inspect|asymmetricMatch|nodeType|toJSON)$)[a-z][a-z\d]*(?:[-_][a-z\d]+)*$/i

/** An object that makes its further members when they are first asked for, each once. */
function lazily(own: object, syntax: RegExp, make: (name: string) => unknown): object {
  const made = new Map<string, unknown>()
  return new Proxy(Object.freeze(own), {
    get(target, name) {
      if (typeof name === 'symbol' || name in target || !syntax.test(name)) {
        return Reflect.get(target, name)
      }
      if (!made.has(name)) made.set(name, make(name))
      return made.get(name)
    },
  })
}

function collectionAt(place: Place, settings: Settings): unknown {
  const item = (id: unknown): unknown => {
    const at = { ...place, ids: [...place.ids, id] }
    return lazily(methodsAt(at, settings), nounSyntax, (noun) =>
      collectionAt({ ...at, nouns: [...at.nouns, noun] }, settings),
    )
  }
  const list: List = (...given) => send(errandOf('list', place, given), settings)
  const pages = (...given: Parameters<List>) => pagesOf(list, ...given)
  const items = (...given: Parameters<List>) => itemsOf(pages(...given))
  return Object.freeze(Object.assign(item, methodsAt(place, settings), { pages, items }))
}

/** A method for each operation on an item, or on a collection and what is reserved in it. */
function methodsAt(place: Place, settings: Settings): object {
  const isItem = place.ids.length === place.nouns.length
  const methods = operationKinds
    .filter((kind) => (operations[kind].target === 'item') === isItem)
    .map((kind) => [
      kind,
      async (...given: readonly unknown[]) => {
        const outcome = await send(errandOf(kind, place, given), settings)
        return fieldOf(outcome, outcome.gives)
      },
    ])
  return Object.fromEntries(methods)
}
