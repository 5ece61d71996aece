import { readFileSync } from 'node:fs'
import type { HttpRequest } from '../contract/resource/http.ts'
import { parseHeaders } from '../trial/check/headers.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { jsonType } from '../wire/body.ts'
import { messageOf } from './io.ts'

/** The options of `nounful explain` about the request, as text. */
export interface RequestOptions {
  readonly header: readonly string[]
  /** Text, or `@` and the name of a file. */
  readonly body?: string
}

/**
 * Reads a request line: `DELETE /v1/employees?q=x`, `GET http://host/v1/employees`, or a path
 * alone for GET. A body is JSON unless a header names another type. The header `content-type:`
 * leaves its type undeclared.
 *
 * @throws {UsageError} For an invalid request line, and a file that cannot be read.
 */
export function parseRequestLine(line: string, { header, body }: RequestOptions): HttpRequest {
  const [, method = 'GET', url = ''] = /^(?:(\S+)[ \t]+)?(\S.*)$/.exec(line.trim()) ?? []
  if (!/^(?:\/|\*$|https?:\/\/)/i.test(url))
    throw new UsageError(`"${line}" is no request: write it like "GET /v1/employees?sort=name".`)
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method))
    throw new UsageError(`"${method}" is no method: write it like "GET ${url}".`)
  const headers = parseHeaders(header)
  if (body === undefined) return { method, url, headers }
  const content = body.startsWith('@') ? readBodyFile(body.slice(1)) : body
  const { 'content-type': type = jsonType, ...otherHeaders } = headers
  const declared = type === '' ? otherHeaders : { ...otherHeaders, 'content-type': type }
  return { method, url, headers: declared, body: content }
}

function readBodyFile(file: string): Uint8Array {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new UsageError(`The body cannot be read: ${messageOf(error)}.`)
  }
}
