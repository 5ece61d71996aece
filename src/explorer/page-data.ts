import type { Collection, Target } from '../contract/resource/api.ts'
import type { HttpRequest, HttpResponse } from '../contract/resource/http.ts'
import { idFor } from '../contract/resource/id.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { filtersOf } from '../contract/schema/filter.ts'
import type { ToJsonSchema } from '../contract/schema/json-schema.ts'
import { bodyOf } from '../convention/kinds.ts'
import type { OperationKind, ParameterOf } from '../convention/operations.ts'
import { isProblem, type ProblemError } from '../convention/problem.ts'
import type { WrittenPair } from '../wire/filter.ts'
import type { Parameters } from '../wire/parameters.ts'
import { formatPath } from '../wire/path.ts'
import { formatQuery } from '../wire/query.ts'
import { findCall, parseRequest } from '../wire/request.ts'
import type { ShownRequest, ShownResponse } from './message.ts'

/** The settings of an explorer, the same for every page. */
export interface ExplorerSettings {
  readonly registry: AnyRegistry
  readonly title: string
  /** The path of the style sheet and the script, without the prefix of a host. */
  readonly assets: string
  readonly schemaOf: ToJsonSchema
}

/** A request for a page, and the response of the API to the same request. */
export interface PageData {
  readonly settings: ExplorerSettings
  readonly request: HttpRequest
  /** The prefix that the host removed from the URL; `''` for none. */
  readonly base: string
  /** `undefined` for an unknown path. */
  readonly target: Target | undefined
  /** The request is for `/`, which lists all collections. */
  readonly isStart: boolean
  readonly sent: ShownRequest
  readonly received: ShownResponse & Pick<HttpResponse, 'status'>
  /** The value of the response body. */
  readonly body: unknown
  readonly problem: ProblemError | undefined
  /** The restricted fields that do not exist for this caller. */
  readonly hidden: ReadonlySet<string>
  /** The title of the problem, else the reason phrase. */
  readonly title: string
}

/** The data of a page about a target. */
export type TargetPage = PageData & { readonly target: Target }

/** Tells whether a link is a path on this server: `//` and `/\` would begin the name of another. */
export function isLocalPath(link: string): boolean {
  return /^\/(?![/\\])/.test(link)
}

/** The parameters of a page, with filters as the client wrote them. */
export type PageParameters = Omit<Parameters, ParameterOf<'filters'>> & {
  readonly [Name in ParameterOf<'filters'>]?: readonly WrittenPair[] | undefined
}

/** Returns the URL of a target, with the prefix of the host. */
export function urlOf(
  target: Target,
  { base }: Pick<PageData, 'base'>,
  parameters: PageParameters = {},
): string {
  const query = formatQuery(parameters)
  return base + formatPath(target) + (query && `?${query}`)
}

/** A collection with the ids of its parents. */
export type Place = Pick<Target, 'collection' | 'parents'>

/** Returns the target of a collection, or of a reserved word after it. */
export function targetAt(
  { collection, parents }: Place,
  kind: Exclude<Target['kind'], 'item'> = 'collection',
): Target {
  return { kind, collection, parents, id: undefined }
}

/** Returns the target of an item. */
export function itemAt({ collection, parents }: Place, id: string): Target {
  return { kind: 'item', collection, parents, id }
}

/** Tells whether an operation takes an array in place of one item: its adapter has a method. */
export function takesArray(kind: OperationKind, { settings, target }: TargetPage): boolean {
  const method = bodyOf(kind)?.orMany
  const adapter = settings.registry.bindings[target.collection.place]?.adapter
  return method !== undefined && adapter?.[method] !== undefined
}

/** Returns the parameters of the request of a page. */
export function parametersOf(page: TargetPage): PageParameters {
  const { request, settings, sent, base } = page
  const call = findCall({ method: 'GET', url: request.url }, settings.registry)
  const where = filterPairsOf(page)
  const isReadable = !isProblem(call) && call.fault === undefined
  const { parameters } = isReadable
    ? call
    : parseRequest({ method: 'GET', url: sent.url.slice(base.length) }, settings.registry)
  // Else the page has added it.
  const limit = isReadable ? parameters.limit : undefined
  return { ...parameters, limit, where: where.length === 0 ? undefined : where }
}

/** Returns the parameters of the first page of the same list. */
export function withoutPosition({
  after,
  offset,
  ...listParameters
}: PageParameters): PageParameters {
  return listParameters
}

/** Returns the filters of the request of a page, as the client wrote them. */
export function filterPairsOf(
  page: Pick<TargetPage, 'request' | 'target'>,
): readonly WrittenPair[] {
  const filters = filtersOf(page.target.collection.resource)
  return pairsOfUrl(page).filter(([name]) => filters.has(name))
}

/** Returns all parameters of the request of a page, also those that the server refuses. */
export function pairsOfUrl({
  request: { url },
}: Pick<PageData, 'request'>): readonly WrittenPair[] {
  const mark = url.indexOf('?')
  return mark < 0 ? [] : [...new URLSearchParams(url.slice(mark))]
}

/** Returns the text of an id in a path; `undefined` for a value that is no id in the collection. */
export function idText({ resource }: Collection, value: unknown): string | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  return isScalar && idFor(resource, `${value}`) === value ? `${value}` : undefined
}
