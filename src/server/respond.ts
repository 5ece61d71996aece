import { type Awaitable, whenReady } from '../model/awaitable.ts'
import type { HttpRequest, HttpResponse } from '../model/http.ts'
import type { Registry } from '../model/registry.ts'
import { formatJson } from '../wire/json.ts'
import { answer, refuse } from './handle.ts'

/** An answer ready to be sent: its body is text. HEAD has the body of GET, for the door to measure and leave out. */
export interface WrittenResponse extends Omit<HttpResponse, 'body'> {
  readonly text: string
  /** The path is none of this registry's: a host that has others may try them. */
  readonly isUnknownPath: boolean
}

/** Answers a request in text; a value that JSON cannot carry becomes `internal_error` before anything is sent. */
export function respond(request: HttpRequest, registry: Registry): Awaitable<WrittenResponse> {
  return whenReady(answer(request, registry), (response) => {
    try {
      return write(response)
    } catch (error) {
      return respondWith(error, request, registry)
    }
  })
}

/** Answers a request that something has gone wrong with before or after it was handled. */
export function respondWith(
  error: unknown,
  request: HttpRequest,
  registry: Registry,
): WrittenResponse {
  return write(refuse(error, { request, operation: undefined, registry }))
}

const unknownPaths: ReadonlySet<unknown> = new Set(['unknown_resource', 'unknown_version'])

function write({ status, headers, body }: HttpResponse): WrittenResponse {
  const text: string | undefined = formatJson(body)
  if (text === undefined) throw new TypeError('The adapter gave a value that JSON does not know.')
  const isUnknownPath = status === 404 && unknownPaths.has(Object(body).code)
  return { status, headers, text, isUnknownPath }
}
