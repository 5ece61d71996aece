import type { Target } from '../../contract/resource/api.ts'
import type { HttpRequest, HttpResponse } from '../../contract/resource/http.ts'
import type { AnyRegistry } from '../../contract/resource/registry.ts'
import type { ToJsonSchema } from '../../contract/schema/json-schema.ts'
import { bodyOf } from '../../convention/kinds.ts'
import type { OperationKind, ParameterName } from '../../convention/operations.ts'
import { isProblem, type ProblemError } from '../../convention/problem.ts'
import { parametersFor, rowsFor } from '../../wire/meaning.ts'
import { methodsFor } from '../../wire/path.ts'
import { findCall, type ParsedCall, parseRequest } from '../../wire/request.ts'
import type { ShownRequest, ShownResponse } from '../message.ts'
import { filterPairsOf, type PageParameters } from './page-url.ts'

/** The settings of an explorer, the same for every page. */
export interface ExplorerSettings {
  readonly registry: AnyRegistry
  readonly title: string
  /** A text about the API; `undefined` for none. */
  readonly description: string | undefined
  /** The path of the style sheet and the script, without the prefix of a host. */
  readonly assets: string
  readonly schemaOf: ToJsonSchema
  readonly exampleUsers: () => Promise<Readonly<Record<string, string>>>
}

/** A request for a page, and the response of the API to the same request. */
export interface PageData {
  readonly settings: ExplorerSettings
  readonly request: HttpRequest
  /** The prefix that the host removed from the URL; `''` for none. */
  readonly base: string
  /** `undefined` for an unknown path. */
  readonly target: Target | undefined
  /** The version whose collections a start page lists, `''` for all; else `undefined`. */
  readonly start: string | undefined
  readonly sent: ShownRequest
  readonly received: ShownResponse & Pick<HttpResponse, 'status'>
  /** The value of the response body. */
  readonly body: unknown
  readonly problem: ProblemError | undefined
  /** The restricted fields that do not exist for this caller. */
  readonly hidden: ReadonlySet<string>
  /** The names of the items that the page links, by the path of each. */
  readonly names: ReadonlyMap<string, string>
  /** The first items of the collections at the top, on a start page, by the path of each. */
  readonly parents: ReadonlyMap<string, readonly ParentItem[]>
  /** The paths of the documents of the API, by their names. */
  readonly documents: Readonly<Record<string, string>>
  /** The users of an example, for the page of a 401: their authorizations by name. */
  readonly users: Readonly<Record<string, string>>
  /** The title of the problem, else the reason phrase. */
  readonly title: string
}

/** An item with collections below it. */
export interface ParentItem {
  readonly id: string
  /** Its name, else its id. */
  readonly name: string
}

/** The data of a page about a target. */
export type TargetPage = PageData & { readonly target: Target }

/** Tells whether an operation takes an array in place of one item: its adapter has a method. */
export function takesArray(kind: OperationKind, { settings, target }: TargetPage): boolean {
  const method = bodyOf(kind)?.orMany
  const adapter = settings.registry.bindings[target.collection.place]?.adapter
  return method !== undefined && adapter?.[method] !== undefined
}

/** Returns the operation that GET calls at a target; `undefined` for none. */
export function readKindOf(
  target: Target,
  { registry }: Pick<ExplorerSettings, 'registry'>,
): OperationKind | undefined {
  return methodsFor(target, registry).kinds.get('GET')
}

/** Returns the names of the parameters that GET takes at a target; `undefined` without GET. */
export function readParametersOf(
  target: Target,
  settings: ExplorerSettings,
): readonly string[] | undefined {
  const kind = readKindOf(target, settings)
  return kind && parametersFor(kind, target.collection)
}

/** Returns the rows of {@link readParametersOf} in the table of parameters. */
export function readRowsOf(
  target: Target,
  settings: ExplorerSettings,
): readonly ParameterName[] | undefined {
  const kind = readKindOf(target, settings)
  return kind && rowsFor(kind, target.collection)
}

/** Returns the call of GET at a URL; `undefined` where the server refuses it or its parameters. */
export function readCallOf(url: string, { registry }: ExplorerSettings): ParsedCall | undefined {
  const call = findCall({ method: 'GET', url }, registry)
  return isProblem(call) || call.fault !== undefined ? undefined : call
}

/** Returns the parameters of the request of a page. */
export function parametersOf(page: TargetPage): PageParameters {
  const { request, settings, sent, base } = page
  const where = filterPairsOf(page)
  const call = readCallOf(request.url, settings)
  const { parameters } =
    call ?? parseRequest({ method: 'GET', url: sent.url.slice(base.length) }, settings.registry)
  // Else the page has added it.
  const limit = call?.parameters.limit
  return { ...parameters, limit, where: where.length === 0 ? undefined : where }
}
