/** The callers of a proof: two who own items, one who sees everything, and one without headers. */
export type CallerName = 'alice' | 'bob' | 'everything' | 'nobody'

/** A request of a caller, without the caller's own headers. */
export interface CallerRequest {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A value to write as JSON; `undefined` for none. */
  readonly body?: unknown
}

/** A response as the proof compares it. */
export interface CallerResponse {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; `undefined` for other text. */
  readonly json: unknown
}

/** A request of a caller with its response. */
export interface Exchange {
  readonly caller: CallerName
  readonly request: CallerRequest
  readonly response: CallerResponse
}

/** Sends a request as a caller. */
export type SendAs = (caller: CallerName, request: CallerRequest) => Promise<CallerResponse>

/** Tells a status of success, 200 to 299. */
export function isDone({ status }: Pick<CallerResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** Returns the value of a text as JSON; `undefined` for other text. */
export function readText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
