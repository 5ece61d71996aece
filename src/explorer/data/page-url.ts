import type { Collection, Target } from '../../contract/resource/api.ts'
import type { HttpRequest } from '../../contract/resource/http.ts'
import { idFor } from '../../contract/resource/id.ts'
import { filtersIn } from '../../contract/values/related.ts'
import type { ParameterOf } from '../../convention/operations.ts'
import type { WrittenPair } from '../../wire/filter.ts'
import type { Parameters } from '../../wire/parameters.ts'
import { formatPath } from '../../wire/path.ts'
import { formatQuery } from '../../wire/query.ts'

/** The parameters of a page, with filters as the client wrote them. */
export type PageParameters = Omit<Parameters, ParameterOf<'filters'>> & {
  readonly [Name in ParameterOf<'filters'>]?: readonly WrittenPair[] | undefined
}

/** Returns the URL of a target, with the prefix of the host. */
export function urlOf(
  target: Target,
  { base }: { readonly base: string },
  parameters: PageParameters = {},
): string {
  const query = formatQuery(parameters)
  return base + formatPath(target) + (query && `?${query}`)
}

/** Tells whether a link is a path on this server: `//` and `/\` would begin the name of another. */
export function isLocalPath(link: string): boolean {
  return /^\/(?![/\\])/.test(link)
}

/** A collection with the ids of its parents. */
export type CollectionPath = Pick<Target, 'collection' | 'parents'>

/** Returns the target of a collection, or of a reserved word after it. */
export function targetAt(
  { collection, parents }: CollectionPath,
  kind: Exclude<Target['kind'], 'item'> = 'collection',
): Target {
  return { kind, collection, parents, id: undefined }
}

/** Returns the target of an item. */
export function itemAt({ collection, parents }: CollectionPath, id: string): Target {
  return { kind: 'item', collection, parents, id }
}

/** Returns the text of an id in a path; `undefined` for a value that is no id in the collection. */
export function idText({ resource }: Collection, value: unknown): string | undefined {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  return isScalar && idFor(resource, `${value}`) === value ? `${value}` : undefined
}

/** Tells whether a text is an id of a collection. */
export function isIdText({ resource }: Collection, text: string): boolean {
  return idFor(resource, text) !== undefined
}

/** Returns the parameters of the first page of the same list. */
export function withoutPosition({
  after,
  offset,
  ...listParameters
}: PageParameters): PageParameters {
  return listParameters
}

interface RequestedPage {
  readonly request: Pick<HttpRequest, 'url'>
}

/** Returns the filters of the request of a page, as the client wrote them. */
export function filterPairsOf(
  page: RequestedPage & { readonly target: Target },
): readonly WrittenPair[] {
  const filters = filtersIn(page.target.collection)
  return pairsOfUrl(page).filter(([name]) => filters.has(name))
}

/** Returns the fields of the request that a filter compares with whole values, with each value. */
export function equalityPairsOf(
  page: RequestedPage & { readonly target: Target },
): readonly WrittenPair[] {
  const filters = filtersIn(page.target.collection)
  return filterPairsOf(page).flatMap(([name, text]) => {
    const filter = filters.get(name)
    const isEquality = filter?.operator === 'eq' || filter?.operator === 'ne'
    return isEquality ? [[filter.field.name, text] as const] : []
  })
}

/** Returns all parameters of the request of a page, also those that the server refuses. */
export function pairsOfUrl({ request: { url } }: RequestedPage): readonly WrittenPair[] {
  const mark = url.indexOf('?')
  return mark < 0 ? [] : [...new URLSearchParams(url.slice(mark))]
}
