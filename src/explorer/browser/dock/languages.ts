import { tryParseJson } from '../../../convention/value.ts'
import { curlCommand, requestLines, type ShownRequest } from '../../message.ts'

/** A language of a request. */
export type Language = 'curl' | 'fetch' | 'client' | 'Python' | 'HTTP'

/** Where an API is: the origin, and the prefix of its paths. */
export interface ApiAddress {
  readonly origin: string
  /** `''` for none. */
  readonly base: string
}

/** The languages, in the order of their buttons. */
export const languages: readonly Language[] = ['curl', 'fetch', 'client', 'Python', 'HTTP']

/** Writes a request in a language. `client` is the typed client of this library. */
export function requestIn(
  language: Language,
  request: ShownRequest,
  { origin, base }: ApiAddress,
): string {
  switch (language) {
    case 'curl':
      return curlCommand(request, origin + request.url)
    case 'fetch':
      return fetchCall(request, origin)
    case 'client':
      return clientCall(request, { origin, base })
    case 'Python':
      return pythonCall(request, origin)
    case 'HTTP':
      return requestLines(request)
  }
}

function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

function fetchCall({ method, url, headers, body }: ShownRequest, origin: string): string {
  const options = { ...(method === 'GET' ? {} : { method }), headers, ...(body ? { body } : {}) }
  return `const response = await fetch(${literal(origin + url)}, ${literal(options)})
console.log(response.status, await response.json())`
}

// Python reads the escapes of JSON, but for the names of constants.
function pythonCall({ method, url, headers, body }: ShownRequest, origin: string): string {
  const data = body === undefined ? '' : `\n    data=${literal(body)}.encode(),`
  return `import json
from urllib.request import Request, urlopen

request = Request(
    ${literal(origin + url)},
    method=${literal(method)},
    headers=${literal(headers).replaceAll('\n', '\n    ')},${data}
)
with urlopen(request) as response:
    print(response.status, json.load(response))`
}

const reserved: readonly string[] = ['first', 'last', 'count']

// A path is a version, then nouns and ids by turns.
function clientCall(request: ShownRequest, { origin, base }: ApiAddress): string {
  const { pathname, searchParams } = new URL(request.url, origin)
  const [version = '', ...segments] = pathname
    .slice(base.length + 1)
    .split('/')
    .filter(Boolean)
  const names = segments.map(decodeURIComponent)
  const last = names.at(-1) ?? ''
  const isEnd = names.length % 2 === 0 && reserved.includes(last)
  const isItem = names.length % 2 === 0 && !isEnd
  const chain = (isEnd ? names.slice(0, -1) : names).map((name, index) =>
    index % 2 === 0 ? member(name) : `(${JSON.stringify(name)})`,
  )
  const isCounted = /count=exact/.test(request.headers.prefer ?? '')
  const kind = isEnd ? last : isCounted ? 'page' : kindOf(request, isItem)
  const parts = argumentsOf(request, searchParams)
  return `import { createClient } from 'nounful/client'

const client = createClient<typeof api>({ baseUrl: ${JSON.stringify(origin + base)} })
await client${member(version)}${chain.join('')}.${kind}(${parts.map(literal).join(', ')})`
}

function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function kindOf({ method, url, body }: ShownRequest, isItem: boolean): string {
  const isArray = Array.isArray(tryParseJson(body ?? ''))
  const kinds: Readonly<Record<string, readonly [item: string, collection: string]>> = {
    GET: ['read', 'list'],
    POST: ['create', isArray ? 'createMany' : 'create'],
    PUT: ['update', 'updateMany'],
    PATCH: ['patch', 'patchMany'],
    DELETE: ['delete', url.includes('?') ? 'deleteMany' : 'deleteAll'],
  }
  return kinds[method]?.[isItem ? 0 : 1] ?? 'list'
}

function argumentsOf({ headers, body }: ShownRequest, search: URLSearchParams): readonly unknown[] {
  const [, most] = /max-affected=(\d+)/.exec(headers.prefer ?? '') ?? []
  const [, tag] = /^"(.*)"$/.exec(headers['if-match'] ?? '') ?? []
  const query = {
    ...queryOf(search),
    ...(most === undefined ? {} : { maxAffected: Number(most) }),
    ...(tag === undefined ? {} : { ifRevision: tag }),
  }
  const item = body === undefined ? [] : [tryParseJson(body)]
  return Object.keys(query).length === 0 ? item : [...item, query]
}

const lists: readonly string[] = ['sort', 'fields', 'include', 'by']
const numbers: readonly string[] = ['limit', 'offset']

function queryOf(search: URLSearchParams): object {
  const where: Record<string, unknown> = {}
  const query: Record<string, unknown> = {}
  for (const name of new Set(search.keys())) {
    const texts = search.getAll(name)
    const value = texts.length > 1 ? texts : texts[0]
    if (lists.includes(name)) query[name] = texts.flatMap((text) => text.split(','))
    else if (numbers.includes(name)) query[name] = Number(value)
    else if (name === 'q' || name === 'after') query[name] = value
    else if (name === 'dry_run') query[name] = true
    else {
      const [field = '', operator] = name.split(':')
      where[field] = operator === undefined ? value : { ...Object(where[field]), [operator]: value }
    }
  }
  return Object.keys(where).length === 0 ? query : { ...query, where }
}
