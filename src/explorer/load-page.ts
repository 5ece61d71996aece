import type { Target } from '../contract/resource/api.ts'
import type { Answer, HttpRequest, HttpResponse } from '../contract/resource/http.ts'
import { isId } from '../contract/resource/id.ts'
import { filtersOf } from '../contract/schema/filter.ts'
import { operations, type Status } from '../convention/operations.ts'
import { isProblem } from '../convention/problem.ts'
import { problems } from '../convention/problems.ts'
import { isStream, take } from '../convention/stream.ts'
import { jsonType } from '../wire/body.ts'
import { exactCount } from '../wire/conditions.ts'
import { pathOf } from '../wire/document.ts'
import { parametersFor } from '../wire/meaning.ts'
import { withoutOrigin } from '../wire/origin.ts'
import { parseProblem } from '../wire/problem.ts'
import { formatQuery } from '../wire/query.ts'
import { findCall, methodsFor, targetOf } from '../wire/request.ts'
import { type ExplorerSettings, filterPairsOf, type PageData } from './page-data.ts'

// Items of a page unless the request has a limit.
const defaultItems = 50
// The most items of a page, whatever the limit: longer tables help no reader.
const maxItems = 500

/** Returns the target of a page; `undefined` for an unknown path or an invalid id. */
export function targetOfPage(
  { url }: HttpRequest,
  { registry }: ExplorerSettings,
): Target | undefined {
  const target = targetOf({ method: 'GET', url }, registry)
  const ids = target?.kind === 'item' ? [...target.parents, target.id] : target?.parents
  return ids?.every(isId) ? target : undefined
}

/**
 * Requests the data of a page from the API as JSON. Returns a response unchanged when another
 * layer sent it.
 */
export async function loadPage(
  pageRequest: HttpRequest,
  answer: Answer,
  settings: ExplorerSettings,
): Promise<PageData | HttpResponse> {
  const target = targetOfPage(pageRequest, settings)
  const request =
    target === undefined ? pageRequest : withoutEmptyFilters(pageRequest, target, settings)
  const url = target === undefined ? request.url : urlToAsk(request, target, settings)
  const headers = target === undefined ? {} : headersToSend(target, settings)
  const response = await answer(target === undefined ? request : asJson(request, url, headers))
  if (target === undefined && parseProblem(response) === undefined) return response
  if (target !== undefined && !isApiResponse(response)) return response
  const { body: sent, status } = response
  const text = JSON.stringify(isStream(sent) ? await take(sent, maxItems) : sent)
  const body: unknown = JSON.parse(text)
  const problem = parseProblem({ headers: response.headers, body })
  // A client may have written the prefix: `//` would begin the name of another host.
  const base = (request.base ?? '').replace(/^[/\\]+/, '/')
  const reason = reasonPhrases[status]
  return {
    settings,
    request,
    base,
    target,
    isStart: target === undefined && pathOf(request) === '/',
    sent: { method: 'GET', url: base + url, headers: { accept: jsonType, ...headers } },
    received: { status, reason, headers: response.headers, body: text },
    body,
    problem,
    hidden:
      target === undefined ? new Set() : await hiddenFrom(request, { target, answer, settings }),
    title: problem === undefined ? reason : problems[problem.code].title,
  }
}

interface Seeking {
  readonly target: Target
  readonly answer: Answer
  readonly settings: ExplorerSettings
}

// The API itself tells which fields exist for this caller: `fields` takes no others.
async function hiddenFrom(
  request: HttpRequest,
  { target, answer, settings }: Seeking,
): Promise<ReadonlySet<string>> {
  const { restricted } = target.collection.resource
  const kind = methodsFor(target, settings.registry).kinds.get('GET')
  const parameterNames = kind === undefined ? [] : parametersFor(kind, target.collection)
  if (restricted.length === 0 || !parameterNames.includes('fields')) return new Set()
  const limit = parameterNames.includes('limit') ? { limit: 1 } : {}
  const query = formatQuery({ fields: restricted, ...limit })
  const path = pathOf({ method: 'GET', url: withoutOrigin(request.url) })
  const { headers, body: sent, status } = await answer(asJson(request, `${path}?${query}`, {}))
  const body: unknown = isStream(sent) ? await take(sent, 1) : sent
  if (status === 200) return new Set()
  const issues = parseProblem({ headers, body })?.members.issues ?? []
  const allowed = issues.flatMap((issue) => issue.allowed ?? [])
  return new Set(restricted.filter((field) => !allowed.includes(field)))
}

/** Tells whether the response comes from the API, not from another layer. */
export function isApiResponse({ headers }: HttpResponse): boolean {
  return /^application\/(?:problem\+)?json\b/.test(headers['content-type'] ?? '')
}

function asJson(
  request: HttpRequest,
  url: string,
  more: Readonly<Record<string, string>>,
): HttpRequest {
  const headers = { ...request.headers, accept: jsonType, ...more }
  return { ...request, method: 'GET', url, headers }
}

// A page tells how many items match in all.
function headersToSend(
  target: Target,
  { registry }: ExplorerSettings,
): Readonly<Record<string, string>> {
  const kind = methodsFor(target, registry).kinds.get('GET')
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
  { registry }: ExplorerSettings,
): HttpRequest {
  const url = withoutOrigin(request.url)
  const mark = url.indexOf('?')
  const kind = methodsFor(target, registry).kinds.get('GET')
  if (mark < 0 || url.length > registry.limits.target || kind === undefined) return request
  const { collection } = target
  const filters = filtersOf(collection.resource)
  const parameterNames = parametersFor(kind, collection).filter((name) => filters.has(name))
  const isKept = (pair: string): boolean => {
    // It would take a question mark off the start.
    const [[name, value] = ['', '']] = new URLSearchParams(`&${pair}`)
    return value !== '' || !parameterNames.includes(name)
  }
  const search = url
    .slice(mark + 1)
    .split('&')
    .filter(isKept)
    .join('&')
  return { ...request, url: url.slice(0, mark) + (search && `?${search}`) }
}

// A list may be long, so a page requests its beginning.
function urlToAsk(request: HttpRequest, target: Target, { registry }: ExplorerSettings): string {
  const { collection } = target
  const { resource } = collection
  const relative = withoutOrigin(request.url)
  const callOfPage = findCall({ method: 'GET', url: relative }, registry)
  const preset = Math.min(resource.defaultLimit ?? defaultItems, defaultItems, resource.maxLimit)
  // A list with included items needs a limit.
  const limited = `${relative}${relative.includes('?') ? '&' : '?'}limit=${preset}`
  const isWhole = !isProblem(callOfPage) && callOfPage.fault === undefined
  const call = isWhole ? callOfPage : findCall({ method: 'GET', url: limited }, registry)
  if (isProblem(call) || call.fault !== undefined) return relative
  if (!isWhole) return limited
  const { kind, parameters } = call
  if (!parametersFor(kind, collection).includes('limit')) return relative
  const requested = parameters.limit ?? preset
  const limit = Math.min(requested, maxItems, resource.maxLimit)
  if (limit === parameters.limit) return relative
  const where = filterPairsOf({ request, target })
  const query = formatQuery({ ...parameters, where, limit })
  return `${pathOf({ method: 'GET', url: relative })}?${query}`
}

// The phrases of Node. RFC 9110 calls 422 "Unprocessable Content".
const reasonPhrases: Readonly<Record<Status, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
