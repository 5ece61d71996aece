import type { Target } from '../../contract/resource/api.ts'
import type { Answer, HttpRequest, HttpResponse } from '../../contract/resource/http.ts'
import type { Status } from '../../convention/operations.ts'
import { problems } from '../../convention/problems.ts'
import { isStream, take } from '../../convention/stream.ts'
import { fieldOf } from '../../convention/value.ts'
import { jsonType } from '../../wire/body.ts'
import { pathOf } from '../../wire/document.ts'
import { parseProblem } from '../../wire/problem.ts'
import type { ExplorerSettings, PageData } from './page-data.ts'
import { homeOf, maxItems, pageRequestOf, targetOfPage, urlOfRestricted } from './page-request.ts'
import { isLocalPath } from './page-url.ts'

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
  const { request, url, headers } =
    target === undefined
      ? { request: pageRequest, url: pageRequest.url, headers: {} }
      : pageRequestOf(pageRequest, target, settings)
  const response = await answer(
    target === undefined ? request : requestOfJson(request, url, headers),
  )
  const isOfApi = target !== undefined || homeOf(request, settings) !== undefined
  if (isOfApi ? !isApiResponse(response) : parseProblem(response) === undefined) return response
  const { body: sent, status } = response
  const text = JSON.stringify(isStream(sent) ? await take(sent, maxItems) : sent)
  const body: unknown = JSON.parse(text)
  const problem = parseProblem({ headers: response.headers, body })
  // A client may have written the prefix: `//` would begin the name of another host.
  const base = (request.base ?? '').replace(/^[/\\]+/, '/')
  const reason = reasonPhrases[status]
  const api = { answer, settings }
  return {
    settings,
    request,
    base,
    target,
    start: target === undefined ? startOf(request, settings, status) : undefined,
    sent: { method: 'GET', url: base + url, headers: { accept: jsonType, ...headers } },
    received: { status, reason, headers: response.headers, body: text },
    body,
    problem,
    hidden: await loadHidden(request, target, api),
    documents: await loadDocuments(request, api),
    ...{ names: new Map(), parents: new Map() },
    users: status === 401 ? await settings.exampleUsers() : {},
    title: problem === undefined ? reason : problems[problem.code].title,
  }
}

// The start page needs no home document. That of a version does.
function startOf(
  request: HttpRequest,
  settings: ExplorerSettings,
  status: Status,
): string | undefined {
  if (pathOf(request) === '/') return ''
  return status === 200 ? homeOf(request, settings) : undefined
}

interface Api {
  readonly answer: Answer
  readonly settings: ExplorerSettings
}

// The API itself decides which fields exist for this caller: `fields` takes no others.
async function loadHidden(
  request: HttpRequest,
  target: Target | undefined,
  { answer, settings }: Api,
): Promise<ReadonlySet<string>> {
  const url = target && urlOfRestricted(target, settings)
  if (target === undefined || url === undefined) return new Set()
  const { headers, body: sent, status } = await answer(requestOfJson(request, url, {}))
  const body: unknown = isStream(sent) ? await take(sent, 1) : sent
  if (status === 200) return new Set()
  const issues = parseProblem({ headers, body })?.members.issues ?? []
  const allowed = issues.flatMap((issue) => issue.allowed ?? [])
  const { restricted } = target.collection.resource
  return new Set(restricted.filter((field) => !allowed.includes(field)))
}

// Layers below the explorer add their documents to the home document.
async function loadDocuments(
  request: HttpRequest,
  { answer, settings }: Api,
): Promise<PageData['documents']> {
  if (!settings.registry.home) return {}
  const home = await answer(requestOfJson(request, '/', {}))
  if (home.status !== 200 || !isApiResponse(home)) return {}
  const documents = Object.entries(Object(fieldOf(Object(home.body), 'documents')))
  const isLink = (entry: [string, unknown]): entry is [string, string] => isLocalPath(`${entry[1]}`)
  return Object.fromEntries(documents.filter(isLink))
}

/** Tells whether the response comes from the API, not from another layer. */
export function isApiResponse({ headers }: HttpResponse): boolean {
  return /^application\/(?:problem\+)?json\b/.test(headers['content-type'] ?? '')
}

/** Returns the request of a page for JSON at another URL. */
export function requestOfJson(
  request: HttpRequest,
  url: string,
  extraHeaders: Readonly<Record<string, string>>,
): HttpRequest {
  const headers = { ...request.headers, accept: jsonType, ...extraHeaders }
  return { ...request, method: 'GET', url, headers }
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
