/** A request as it is sent: nothing resolves or encodes its path on the way. */
export interface CheckRequest {
  readonly method: string
  /** With the query, percent-encoded. */
  readonly path: string
  /** Without the headers of every request, which may hold secrets. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A response, with the request it belongs to. */
export interface CheckResponse {
  readonly request: CheckRequest
  readonly status: number
  /** By lower-case name. Several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The text as JSON; `undefined` when it is not JSON. */
  readonly json: unknown
}

/** Headers and body of a request. A body that is not a string is written as JSON. */
export interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends a request. Rejects with {@link NoResponse} when no response comes. */
export type SendRequest = (
  method: string,
  path: string,
  parts?: RequestParts,
) => Promise<CheckResponse>

/** An error that a request shows. */
export class RequestError extends Error {
  readonly request: CheckRequest

  constructor(request: CheckRequest, message: string) {
    super(message)
    this.request = request
  }
}

/** No response came, it was not HTTP, or it exceeded a limit. */
export class NoResponse extends RequestError {}

/** Builds a request as it is sent. */
export function toCheckRequest(
  method: string,
  path: string,
  { headers = {}, body }: RequestParts,
): CheckRequest {
  if (body === undefined || typeof body === 'string') return { method, path, headers, body }
  const declared = { 'content-type': 'application/json', ...headers }
  return { method, path, headers: declared, body: JSON.stringify(body) }
}

/** Tells a status of success, 200 to 299. */
export function isSuccess({ status }: Pick<CheckResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** The methods that change data. */
export const writeMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
