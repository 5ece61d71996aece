import { problems } from '../model/convention.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import { isId } from '../model/id.ts'
import type { Answer } from '../model/layer.ts'
import { isStream, take } from '../model/stream.ts'
import type { Target } from '../model/target.ts'
import { jsonType } from '../wire/body.ts'
import { pathOf } from '../wire/document.ts'
import { formatPath } from '../wire/path.ts'
import { parseProblem } from '../wire/problem.ts'
import { formatQuery } from '../wire/query.ts'
import { parseRequest, targetOf } from '../wire/request.ts'
import type { ShownResponse } from './message.ts'
import type { ExplorerSettings, PageData } from './page-data.ts'
import { reasonPhrases } from './reason.ts'

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
  request: HttpRequest,
  answer: Answer,
  settings: ExplorerSettings,
): Promise<PageData | HttpResponse> {
  const target = targetOfPage(request, settings)
  const url = target === undefined ? request.url : urlToAsk(request, target, settings)
  const response = await answer(target === undefined ? request : asJson(request, url))
  if (target === undefined && parseProblem(response) === undefined) return response
  if (target !== undefined && !isApiResponse(response)) return response
  const text = JSON.stringify(await contentOf(response.body))
  // A client may have written the prefix: `//` would begin the name of another host.
  const base = (request.base ?? '').replace(/^[/\\]+/, '/')
  const sent = { method: 'GET', url: base + url, headers: { accept: jsonType } }
  const body: unknown = JSON.parse(text)
  const received = receivedOf(response, text)
  const isStart = target === undefined && pathOf(request) === '/'
  return {
    settings: settings,
    request,
    base,
    target,
    isStart,
    shownRequest: sent,
    response: response,
    shownResponse: received,
    body,
    title: titleOf(received, body),
  }
}

/** Tells whether the response comes from the API, not from another layer. */
export function isApiResponse({ headers }: HttpResponse): boolean {
  return /^application\/(?:problem\+)?json\b/.test(headers['content-type'] ?? '')
}

function asJson(request: HttpRequest, url: string): HttpRequest {
  return { ...request, method: 'GET', url, headers: { ...request.headers, accept: jsonType } }
}

// A list may be long, so a page requests its beginning.
function urlToAsk({ url }: HttpRequest, target: Target, { registry }: ExplorerSettings): string {
  const { maxLimit, defaultLimit = defaultItems } = target.collection.resource
  const relative = url.startsWith('/') ? url : relativeOf(url, target)
  const call = understood(relative, registry)
  if (call?.kind !== 'list' || call.fault !== undefined) return relative
  const { parameters } = call
  const most = parameters.limit === undefined ? defaultItems : maxItems
  const limit = Math.min(parameters.limit ?? defaultLimit, most, maxLimit)
  if (limit === parameters.limit) return relative
  return `${pathOf({ method: 'GET', url: relative })}?${formatQuery({ ...parameters, limit })}`
}

function understood(
  url: string,
  registry: ExplorerSettings['registry'],
): ReturnType<typeof parseRequest> | undefined {
  try {
    return parseRequest({ method: 'GET', url }, registry)
  } catch {
    // The API responds with 405.
    return undefined
  }
}

function relativeOf(url: string, target: Target): string {
  const question = url.indexOf('?')
  return formatPath(target) + (question < 0 ? '' : url.slice(question))
}

async function contentOf(body: unknown): Promise<unknown> {
  return isStream(body) ? take(body, maxItems) : body
}

function receivedOf({ status, headers }: HttpResponse, text: string): ShownResponse {
  return { status, reason: reasonPhrases[status], headers, body: text }
}

function titleOf({ reason, headers }: ShownResponse, body: unknown): string {
  const code = parseProblem({ headers, body })?.code
  return code === undefined ? reason : problems[code].title
}
