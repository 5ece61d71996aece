import {
  type Answer,
  type HttpRequest,
  type HttpResponse,
  headerOf,
  type Layer,
} from '../contract/resource/http.ts'
import type { Resource } from '../contract/resource/resource.ts'
import { problem } from '../convention/problem.ts'
import { isRecord } from '../convention/value.ts'
import type { ServedContent } from '../file/open.ts'
import { jsonType } from '../wire/body.ts'

type Collections = ServedContent['collections']

/**
 * Makes a layer that takes the parameters and paths of json-server, of version 0.17 and of version
 * 1, where they have one meaning. It refuses the others, and names the way of this API.
 */
export function jsonServerDialect(collections: Collections): Layer {
  return async (request, answer, { target }) => {
    const { path, query } = splitUrl(request.url)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path === '/db' && isRead) return wholeFile(collections, request, answer)
    const single = collections.find(({ key, isOne }) => isOne && path === `/${key}`)
    if (single !== undefined && target === undefined) return answerOne(single, request, answer)
    const parameters = [...new URLSearchParams(query)]
    const refused = parameters.flatMap(([name]) => refusals.get(name) ?? [])
    if (refused[0] !== undefined) throw refusal(refused[0])
    if (!isRead || target === undefined) return answer(request)
    const { resource } = target.collection
    const written = joined(parameters.flatMap((pair) => translate(pair, resource)))
    if (target.kind !== 'collection') return answer({ ...request, url: urlOf(path, written) })
    return answerList({ request, answer, path, parameters, written })
  }
}

// The explanation of each parameter that has no counterpart.
const refusals: ReadonlyMap<string, string> = new Map([
  ['_where', '"_where" is not supported: write a parameter for each condition'],
  ['_dependent', '"_dependent" is not supported: delete the items that refer to this one first'],
])

function refusal(message: string) {
  const [, parameter = ''] = /^"([^"]*)"/.exec(message) ?? []
  return problem('bad_parameter', message, {
    issues: [{ parameter, code: 'bad_parameter', message }],
  })
}

function splitUrl(url: string) {
  const [path = '', query = ''] = url.split('?', 2)
  return { path: path.replace(/^(?:https?:\/\/[^/]*)/i, '').replace(/(?<=.)\/$/, ''), query }
}

type Pair = readonly [name: string, value: string]

function urlOf(path: string, pairs: readonly Pair[]): string {
  const query = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return query === '' ? path : `${path}?${query}`
}

const pageNames = ['_page', '_per_page', '_limit', '_start', '_end', '_sort', '_order']

// Version 0.17 writes `views_gte`, version 1 `views:gte`, and its first releases `views_gt` too.
const operatorSyntax = /^(.+?)(?:_(gte?|lte?|ne|like)|:(eq|in))$/

function translate([name, value]: Pair, resource: Resource): readonly Pair[] {
  if (pageNames.includes(name)) return []
  if (name === '_embed' || name === '_expand') return [['include', includedBy(value, resource)]]
  const [, field = '', old, operator = old] = operatorSyntax.exec(name) ?? []
  // A list has no such operators: the problem names what the client wrote.
  const scalars = resource.filterable.filter(({ isList }) => !isList)
  const fields = ['id', ...scalars.map((filter) => filter.name)]
  if (!fields.includes(field) || fields.includes(name)) return [[name, value]]
  if (operator === 'eq') return [[field, value]]
  if (operator === 'in') return value.split(',').map((each) => [field, each.trim()])
  if (operator !== 'like') return [[`${field}:${operator}`, value]]
  if (/[\\^$.*+?()[\]{}|]/.test(value))
    throw refusal(`"${name}" takes no regular expression here: write "${field}:contains"`)
  return [[`${field}:contains`, value]]
}

// `_expand` may be repeated, and `include` is one list.
function joined(pairs: readonly Pair[]): readonly Pair[] {
  const includes = pairs.filter(([name]) => name === 'include').map(([, value]) => value)
  const filters = pairs.filter(([name]) => name !== 'include')
  return includes.length === 0 ? filters : [...filters, ['include', includes.join(',')]]
}

function includedBy(value: string, { references, name }: Resource): string {
  if (references.some(({ as }) => as === value)) return value
  throw refusal(`"_embed" cannot add "${value}": list its items at /${name}/:id/${value}`)
}

interface ListRequest {
  readonly request: HttpRequest
  readonly answer: Answer
  readonly path: string
  /** As the client wrote them. */
  readonly parameters: readonly Pair[]
  /** Those of this API, without the page and the order. */
  readonly written: readonly Pair[]
}

async function answerList(list: ListRequest): Promise<HttpResponse> {
  const { parameters, written } = list
  const textOf = (name: string): string | undefined => parameters.find(([key]) => key === name)?.[1]
  const window = windowOf(textOf)
  const sorted = [...written, ...sortOf(textOf('_sort'), textOf('_order'))]
  if (window === undefined) return answerWhole(list, sorted)
  const { total, response } = await askPage(list, sorted, window)
  if (total === undefined) return response
  const last = Math.max(1, Math.ceil(total / window.limit))
  if (window.kind === 'envelope') {
    const page = Math.min(window.page, last)
    const current =
      page === window.page
        ? response
        : (await askPage(list, sorted, { ...window, page, offset: (page - 1) * window.limit }))
            .response
    const pages = {
      first: 1,
      prev: page > 1 ? page - 1 : null,
      next: page < last ? page + 1 : null,
      last,
    }
    const { link: _, ...headers } = current.headers
    const body = { ...pages, pages: last, items: total, data: await itemsIn(current.body) }
    return { ...current, headers: { ...headers, 'content-type': jsonType }, body }
  }
  const link = window.kind === 'page' ? linksOf(list, window.page, last) : ''
  const { link: _, ...headers } = response.headers
  return { ...response, headers: link === '' ? headers : { ...headers, link } }
}

type Window = { readonly offset: number; readonly limit: number } & (
  | { readonly kind: 'slice' }
  | { readonly kind: 'page' | 'envelope'; readonly page: number }
)

const usualLimit = 10

function windowOf(textOf: (name: string) => string | undefined): Window | undefined {
  const numberOf = (name: string): number | undefined => {
    const number = Number.parseInt(textOf(name) ?? '', 10)
    return Number.isNaN(number) ? undefined : number
  }
  const [start = 0, end] = [numberOf('_start'), numberOf('_end')]
  const isEnvelope = textOf('_per_page') !== undefined
  if (textOf('_page') !== undefined || isEnvelope) {
    const size = numberOf(isEnvelope ? '_per_page' : '_limit') ?? usualLimit
    const [page, limit] = [Math.max(1, numberOf('_page') ?? 1), Math.max(1, size)]
    return { kind: isEnvelope ? 'envelope' : 'page', page, limit, offset: (page - 1) * limit }
  }
  const limit = end === undefined ? numberOf('_limit') : Math.max(0, end - start)
  if (limit === undefined && textOf('_start') !== undefined)
    throw refusal('"_start" needs "_end" or "_limit"')
  return limit === undefined ? undefined : { kind: 'slice', offset: start, limit }
}

// `_sort=a,b&_order=desc,asc` and `_sort=-a,b` → `sort=-a,b`
function sortOf(sort = '', order = ''): readonly Pair[] {
  if (sort === '') return []
  const orders = order.toLowerCase().split(',')
  const fields = sort
    .split(',')
    .map((field, place) => (orders[place] === 'desc' ? `-${field}` : field))
  return [['sort', fields.join(',')]]
}

/** Asks for the items of a window, and their number in all; `undefined` for a problem. */
async function askPage(
  { request, answer, path }: ListRequest,
  pairs: readonly Pair[],
  window: Window,
) {
  const { offset, limit } = window
  // An empty slice has a total too.
  const page: readonly Pair[] = [
    ['offset', `${offset}`],
    ['limit', `${Math.max(1, limit)}`],
  ]
  const headers = { ...request.headers, prefer: 'count=exact' }
  const url = urlOf(path, [...pairs, ...page])
  const response = await answer({ ...plain(request), method: 'GET', url, headers })
  if (response.status >= 400) return { response }
  const { 'preference-applied': _, ...sent } = response.headers
  const total = Number(sent['x-total-count'])
  return { total, response: { ...response, headers: sent, body: limit === 0 ? [] : response.body } }
}

// The fields of the headers are other ones now.
function plain({ field: _, ...request }: HttpRequest): HttpRequest {
  return request
}

// The most items that this API adds others to.
const mostIncluding = 1000

async function answerWhole({ request, answer, path }: ListRequest, pairs: readonly Pair[]) {
  const isIncluding = pairs.some(([name]) => name === 'include')
  if (!isIncluding) return answer({ ...request, url: urlOf(path, pairs) })
  const url = urlOf(path, [...pairs, ['limit', `${mostIncluding}`]])
  const response = await answer({ ...request, url })
  if (response.headers.link === undefined) return response
  throw refusal(`"_embed" takes at most ${mostIncluding} items: add "_limit"`)
}

function linksOf({ request, path, parameters }: ListRequest, page: number, last: number): string {
  const pages = { first: 1, prev: page - 1, next: page + 1, last }
  const host = headerOf(request, 'host')
  const origin = host === undefined ? '' : `http://${host}`
  return Object.entries(pages)
    .filter(([, number]) => last > 1 && number >= 1 && number <= last)
    .map(([rel, number]) => {
      const pairs = parameters.map(
        ([name, value]): Pair => [name, name === '_page' ? `${number}` : value],
      )
      return `<${origin}${urlOf(path, pairs)}>; rel="${rel}"`
    })
    .join(', ')
}

async function answerOne(
  { noun, ids, id }: Collections[number],
  request: HttpRequest,
  answer: Answer,
): Promise<HttpResponse> {
  const response = await answer({
    ...request,
    url: `/${noun}/${encodeURIComponent(`${ids.values[0]}`)}`,
  })
  return response.status < 400 ? { ...response, body: withoutId(response.body, id) } : response
}

function withoutId(body: unknown, id: string | undefined): unknown {
  const { id: _, ...fields } = Object(body)
  return id === undefined && isRecord(body) ? fields : body
}

async function wholeFile(collections: Collections, request: HttpRequest, answer: Answer) {
  const members: [string, unknown][] = []
  let response: HttpResponse | undefined
  for (const { key, noun, isOne, id } of collections) {
    response = await answer({ ...request, method: 'GET', url: `/${noun}` })
    if (response.status >= 400) return response
    const items = await itemsIn(response.body)
    members.push([key, isOne ? withoutId(items[0], id) : items])
  }
  if (response === undefined) return answer(request)
  return { ...response, headers: { 'content-type': jsonType }, body: Object.fromEntries(members) }
}

async function itemsIn(body: unknown): Promise<readonly unknown[]> {
  if (Array.isArray(body)) return body
  const items: unknown[] = []
  for await (const item of body as AsyncIterable<unknown>) items.push(item)
  return items
}
