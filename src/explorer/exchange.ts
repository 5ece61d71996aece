/** A request as it went over the wire. */
export interface Sent {
  readonly method: string
  /** Path and query, percent-encoded, the prefix of a host included. */
  readonly url: string
  /** By lower-case name; those that say what is asked for, not those that every request has. */
  readonly headers: Readonly<Record<string, string>>
  /** As text; `undefined` for none. */
  readonly body?: string | undefined
}

/** The answer to it. */
export interface Received {
  readonly status: number
  /** The words that came after the status: `Not Found`; `''` for none, as over HTTP/2. */
  readonly reason: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** As text. */
  readonly body: string
}

// What is longer nobody reads in a page.
const maxShown = 20_000

/** Writes a request as its lines. */
export function formatSent({ method, url, headers, body }: Sent): string {
  return formatMessage(`${method} ${url}`, headers, body)
}

/** Writes an answer as its lines. */
export function formatReceived(received: Received): string {
  return formatMessage(formatStatus(received), received.headers, received.body)
}

/** Writes a status with its reason, where it has one: `404 Not Found`. */
export function formatStatus({ status, reason }: Pick<Received, 'status' | 'reason'>): string {
  return `${status} ${reason}`.trim()
}

// JSON with its parts on lines of their own, any other text as it is; what would turn the lines around is escaped.
function indent(json: string): string {
  return indented(json).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), undefined, 2)
  } catch {
    return json
  }
}

function formatMessage(start: string, headers: Sent['headers'], body: string | undefined): string {
  const lines = [start, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)]
  if (body !== undefined) lines.push('', cut(indent(body)))
  return lines.join('\n')
}

function cut(text: string): string {
  if (text.length <= maxShown) return text
  return `${text.slice(0, maxShown).toWellFormed()}…\n\n(${text.length - maxShown} characters more)`
}
