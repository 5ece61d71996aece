import { tryParseJson } from '../convention/value.ts'
import { formatCurl } from '../wire/curl.ts'

/** A request that a page shows. */
export interface ShownRequest {
  readonly method: string
  /** Path and query, percent-encoded, the prefix of a host included. */
  readonly url: string
  /** By lower-case name, without the headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  /** As text; `undefined` for none. */
  readonly body?: string | undefined
}

/** A response that a page shows. */
export interface ShownResponse {
  readonly status: number
  /** The reason phrase, like `Not Found`; `''` for none, as in HTTP/2. */
  readonly reason: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** As text. */
  readonly body: string
}

// Characters of a body.
const maxShown = 20_000

/** Writes a request as HTTP lines. */
export function requestLines({ method, url, headers, body }: ShownRequest): string {
  return formatMessage(`${method} ${url}`, headers, body)
}

/** Writes a response as HTTP lines. */
export function responseLines(received: ShownResponse): string {
  return formatMessage(formatStatus(received), received.headers, received.body)
}

/** Writes a status with its reason phrase: `404 Not Found`. */
export function formatStatus({ status, reason }: Pick<ShownResponse, 'status' | 'reason'>): string {
  return `${status} ${reason}`.trim()
}

/** Writes the bytes of a body, in two digits: `0.6 kB`. */
export function formatSize(body: string): string {
  const { length } = new TextEncoder().encode(body)
  return `${(length / 1000).toLocaleString('en', { maximumSignificantDigits: 2 })} kB`
}

function formatMessage(
  start: string,
  headers: ShownRequest['headers'],
  body: string | undefined,
): string {
  const lines = [start, ...headerLines(headers)]
  if (body !== undefined) lines.push('', cut(escaped(indented(body))))
  return lines.join('\n')
}

function headerLines(headers: ShownRequest['headers']): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
}

function indented(json: string): string {
  const value = tryParseJson(json)
  return value === undefined ? json : JSON.stringify(value, undefined, 2)
}

// Escapes the characters that would change the direction of the text.
function escaped(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function cut(text: string): string {
  if (text.length <= maxShown) return text
  return `${text.slice(0, maxShown).toWellFormed()}…\n\n(${text.length - maxShown} characters more)`
}

/**
 * Writes a request as a curl command of several lines.
 *
 * @param url Absolute.
 */
export function curlCommand({ method, headers, body }: ShownRequest, url: string): string {
  // For curl `[` and `{` would be patterns.
  const options = /[[\]{}]/.test(url) ? ['--globoff'] : []
  if (method !== 'GET') options.push('-X', method)
  return formatCurl({ url, options, fields: headerLines(headers), body }, ' \\\n  ')
}
