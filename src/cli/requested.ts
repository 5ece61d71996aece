import { readFileSync } from 'node:fs'
import { headersOf } from '../check/headers.ts'
import { UsageError } from '../check/usage-error.ts'
import type { HttpRequest } from '../model/http.ts'
import { jsonType } from '../wire/body.ts'

/** What `nounful explain` takes besides the request line, as it is written. */
export interface RequestedOptions {
  readonly header: readonly string[]
  /** Text, or `@` and the name of a file. */
  readonly body?: string
}

/**
 * Reads a request as one writes it down: `DELETE /v1/employees?q=x`, `GET http://host/v1/employees`, or a path alone, which is
 * to be got. A body is JSON unless a header says otherwise; `content-type:` says that it is not declared.
 *
 * @throws {UsageError} For a text that is no request, and a file that cannot be read.
 */
export function requestedOf(line: string, { header, body }: RequestedOptions): HttpRequest {
  const [, method = 'GET', url = ''] = /^(?:(\S+)[ \t]+)?(\S.*)$/.exec(line.trim()) ?? []
  if (!/^(?:\/|\*$|https?:\/\/)/i.test(url))
    throw new UsageError(`"${line}" is no request: write it like "GET /v1/employees?sort=name".`)
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method))
    throw new UsageError(`"${method}" is no method: write it like "GET ${url}".`)
  const headers = headersOf(header)
  if (body === undefined) return { method, url, headers }
  const content = body.startsWith('@') ? contentOf(body.slice(1)) : body
  const { 'content-type': type = jsonType, ...rest } = headers
  return {
    method,
    url,
    headers: type === '' ? rest : { ...rest, 'content-type': type },
    body: content,
  }
}

function contentOf(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new UsageError(
      `The body cannot be read: ${error instanceof Error ? error.message : error}.`,
    )
  }
}
