import type { Target } from '../../contract/resource/api.ts'
import type { HttpRequest } from '../../contract/resource/http.ts'
import { isId } from '../../contract/resource/id.ts'
import { filtersIn } from '../../contract/values/related.ts'
import { operations } from '../../convention/operations.ts'
import { exactCount } from '../../wire/conditions.ts'
import { pathOf } from '../../wire/document.ts'
import { formatPath, homeVersionOf, targetOfRequest, withoutOrigin } from '../../wire/path.ts'
import { formatQuery } from '../../wire/query.ts'
import { type ExplorerSettings, readCallOf, readKindOf, readParametersOf } from './page-data.ts'
import { filterPairsOf, targetAt } from './page-url.ts'

// Items of a page unless the request has a limit.
const defaultItems = 50

/** The most items of a page, whatever the limit: longer tables help no reader. */
export const maxItems = 500

/** Returns the target of a page; `undefined` for an unknown path or an invalid id. */
export function targetOfPage(
  { url }: HttpRequest,
  { registry }: ExplorerSettings,
): Target | undefined {
  const target = targetOfRequest({ method: 'GET', url }, registry)
  const ids = target?.kind === 'item' ? [...target.parents, target.id] : target?.parents
  return ids?.every(isId) ? target : undefined
}

/** Returns the version whose home document a URL names, `''` for all; `undefined` for none. */
export function homeOf({ url }: HttpRequest, { registry }: ExplorerSettings): string | undefined {
  return homeVersionOf(url, registry)
}

/** The request of a page, and the request to the API that gives its data. */
export interface PageRequest {
  /** Without empty filters. */
  readonly request: HttpRequest
  /** The URL to request from the API. */
  readonly url: string
  /** The headers to send to the API, besides those of the page. */
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the request to the API for a page about a target. */
export function pageRequestOf(
  pageRequest: HttpRequest,
  target: Target,
  settings: ExplorerSettings,
): PageRequest {
  const request = withoutEmptyFilters(pageRequest, target, settings)
  return {
    request,
    url: urlWithLimit(request, target, settings),
    headers: headersFor(target, settings),
  }
}

/**
 * Returns the URL whose response says which restricted fields exist for the caller; `undefined`
 * where no caller can see one.
 */
export function urlOfRestricted(target: Target, settings: ExplorerSettings): string | undefined {
  const { restricted } = target.collection.resource
  if (restricted.length === 0) return undefined
  // A number has no fields, and its filters are those of the list.
  const asked = [target, targetAt(target)].find((candidate) =>
    readParametersOf(candidate, settings)?.includes('fields'),
  )
  if (asked === undefined) return undefined
  const hasLimit = readParametersOf(asked, settings)?.includes('limit')
  const query = formatQuery({ fields: restricted, ...(hasLimit && { limit: 1 }) })
  return `${formatPath(asked)}?${query}`
}

// A page says how many items match in all.
function headersFor(target: Target, settings: ExplorerSettings): PageRequest['headers'] {
  const kind = readKindOf(target, settings)
  const isCounted = kind !== undefined && operations[kind].counts
  return isCounted && target.collection.resource.total !== false ? { prefer: exactCount } : {}
}

/**
 * Takes the filters without a value out of the URL of a page: a form sends each input that is
 * empty. Only JSON can ask for the empty text.
 */
function withoutEmptyFilters(
  request: HttpRequest,
  target: Target,
  settings: ExplorerSettings,
): HttpRequest {
  const url = withoutOrigin(request.url)
  const mark = url.indexOf('?')
  const names = readParametersOf(target, settings)
  const isTooLong = url.length > settings.registry.limits.target
  if (mark < 0 || isTooLong || names === undefined) return request
  const filters = filtersIn(target.collection)
  const isFilter = (name: string): boolean => filters.has(name) && names.includes(name)
  const isEmptyFilter = (pair: string): boolean => {
    // Without the "&" the constructor removes a "?" at the start.
    const [[name, value] = ['', '']] = new URLSearchParams(`&${pair}`)
    return value === '' && isFilter(name)
  }
  const search = url
    .slice(mark + 1)
    .split('&')
    .filter((pair) => !isEmptyFilter(pair))
    .join('&')
  return { ...request, url: url.slice(0, mark) + (search && `?${search}`) }
}

// A list may be long, so a page requests its beginning.
function urlWithLimit(request: HttpRequest, target: Target, settings: ExplorerSettings): string {
  const { resource } = target.collection
  const url = withoutOrigin(request.url)
  const call = readCallOf(url, settings)
  const preset = Math.min(resource.defaultLimit ?? defaultItems, defaultItems, resource.maxLimit)
  if (call === undefined) {
    // A list with included items needs a limit.
    const limitedUrl = `${url}${url.includes('?') ? '&' : '?'}limit=${preset}`
    return readCallOf(limitedUrl, settings) === undefined ? url : limitedUrl
  }
  const { parameters } = call
  if (!readParametersOf(target, settings)?.includes('limit')) return url
  const limit = Math.min(parameters.limit ?? preset, maxItems, resource.maxLimit)
  if (limit === parameters.limit) return url
  const where = filterPairsOf({ request, target })
  const query = formatQuery({ ...parameters, where, limit })
  return `${pathOf({ method: 'GET', url })}?${query}`
}
