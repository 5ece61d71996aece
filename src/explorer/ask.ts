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
import type { Received } from './exchange.ts'
import { reasons } from './reason.ts'
import type { Site, Visit } from './site.ts'

// Items of a page where nobody asks for another number.
const itemsOfPage = 50
// The most items of a page, whatever is asked for: a table of more is no help.
const mostItems = 500

/** What the path of a page names; `undefined` where it names nothing, or holds a text that is never an id. */
export function targetOfPage({ url }: HttpRequest, { registry }: Site): Target | undefined {
  const target = targetOf({ method: 'GET', url }, registry)
  const ids = target?.kind === 'item' ? [...target.parents, target.id] : target?.parents
  return ids?.every(isId) ? target : undefined
}

/**
 * Asks the api, as JSON, for what a page is wanted of. Where the answer is something that another layer serves, it is given
 * as it is, to be sent on.
 */
export async function visit(
  request: HttpRequest,
  answer: Answer,
  site: Site,
): Promise<Visit | HttpResponse> {
  const target = targetOfPage(request, site)
  const url = target === undefined ? request.url : urlToAsk(request, target, site)
  const response = await answer(target === undefined ? request : asJson(request, url))
  if (target === undefined && parseProblem(response) === undefined) return response
  if (target !== undefined && !isOfApi(response)) return response
  const text = JSON.stringify(await contentOf(response.body))
  // A host may have cut off whatever a client wrote there: `//` would begin the name of another host.
  const base = (request.base ?? '').replace(/^[/\\]+/, '/')
  const sent = { method: 'GET', url: base + url, headers: { accept: jsonType } }
  const body: unknown = JSON.parse(text)
  const received = receivedOf(response, text)
  const isStart = target === undefined && pathOf(request) === '/'
  return {
    site,
    request,
    base,
    target,
    isStart,
    sent,
    answer: response,
    received,
    body,
    title: titleOf(received, body),
  }
}

/** Tells whether the api itself has answered, not a layer between. */
export function isOfApi({ headers }: HttpResponse): boolean {
  return /^application\/(?:problem\+)?json\b/.test(headers['content-type'] ?? '')
}

function asJson(request: HttpRequest, url: string): HttpRequest {
  return { ...request, method: 'GET', url, headers: { ...request.headers, accept: jsonType } }
}

// A whole list may be of any length, so a page asks for its beginning.
function urlToAsk({ url }: HttpRequest, target: Target, { registry }: Site): string {
  const { maxLimit, defaultLimit = itemsOfPage } = target.collection.resource
  const relative = url.startsWith('/') ? url : relativeOf(url, target)
  const call = understood(relative, registry)
  if (call?.kind !== 'list' || call.fault !== undefined) return relative
  const { parameters } = call
  const most = parameters.limit === undefined ? itemsOfPage : mostItems
  const limit = Math.min(parameters.limit ?? defaultLimit, most, maxLimit)
  if (limit === parameters.limit) return relative
  return `${pathOf({ method: 'GET', url: relative })}?${formatQuery({ ...parameters, limit })}`
}

function understood(
  url: string,
  registry: Site['registry'],
): ReturnType<typeof parseRequest> | undefined {
  try {
    return parseRequest({ method: 'GET', url }, registry)
  } catch {
    // It cannot be read: 405, which the api will say itself.
    return undefined
  }
}

function relativeOf(url: string, target: Target): string {
  const question = url.indexOf('?')
  return formatPath(target) + (question < 0 ? '' : url.slice(question))
}

async function contentOf(body: unknown): Promise<unknown> {
  return isStream(body) ? take(body, mostItems) : body
}

function receivedOf({ status, headers }: HttpResponse, text: string): Received {
  return { status, reason: reasons[status], headers, body: text }
}

function titleOf({ reason, headers }: Received, body: unknown): string {
  const code = parseProblem({ headers, body })?.code
  return code === undefined ? reason : problems[code].title
}
