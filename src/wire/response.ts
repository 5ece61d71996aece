import { type OperationKind, operations } from '../model/convention.ts'
import type { HttpResponse } from '../model/http.ts'
import { fieldOf, type Outcome, type Query } from '../model/operation.ts'
import { problem } from '../model/problem.ts'
import { jsonType } from './body.ts'
import { formatETags, tagOf } from './etag.ts'
import { formatLink, parseLink } from './link.ts'
import { urlOfPage } from './page.ts'
import { formatPath, type Target } from './path.ts'
import { parseProblem } from './problem.ts'

/** An answer as it came in: of any status, since something in between may have answered. Header names in lower case. */
export type ReceivedResponse = Omit<HttpResponse, 'status'> & { readonly status: number }

/** What an answer answers. */
export interface Asked {
  readonly kind: OperationKind
  readonly target: Target
  readonly query: Query
  /** A path prefix that a host cut off; `''` for none. */
  readonly base: string
}

/**
 * Writes what an operation gave as an answer. The inverse of {@link parseResponse}.
 *
 * @see docs/requests.md, "Reading" and "Writing"
 */
export function formatResponse(outcome: Outcome, asked: Asked): HttpResponse {
  const { status } = operations[asked.kind]
  switch (outcome.gives) {
    case 'items':
      return { status, headers: headersOfItems(outcome.next, asked), body: outcome.items }
    case 'item':
      return { status, headers: headersOfItem(outcome.item, asked), body: outcome.item }
    case 'count':
      return { status, headers: jsonHeaders, body: { count: outcome.count } }
    case 'deleted':
      return { status, headers: jsonHeaders, body: { deleted: outcome.deleted } }
  }
}

/**
 * Reads what an operation gave from its answer. The inverse of {@link formatResponse}.
 *
 * @throws {ProblemError} The problem that was answered; `internal_error` when the answer is none of this kind.
 */
export function parseResponse(response: ReceivedResponse, kind: OperationKind): Outcome {
  const { body, headers, status } = response
  if (status !== operations[kind].status) throw parseProblem(response) ?? unexpected(status)
  const { gives } = operations[kind]
  if (gives === 'items' && Array.isArray(body)) {
    const next = nextOf(headers.link)
    return next === undefined ? { gives, items: body } : { gives, items: body, next }
  }
  if (gives === 'items' || typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw unexpected(status)
  }
  if (gives === 'item') return { gives, item: body }
  const number = fieldOf(body, gives)
  if (typeof number !== 'number') throw unexpected(status)
  return gives === 'count' ? { gives, count: number } : { gives, deleted: number }
}

const jsonHeaders: Readonly<Record<string, string>> = Object.freeze({ 'content-type': jsonType })

function headersOfItems(
  next: string | undefined,
  { target, query, base }: Asked,
): HttpResponse['headers'] {
  if (next === undefined) return jsonHeaders
  return {
    'content-type': jsonType,
    link: formatLink({ next: base + urlOfPage(next, query, target) }),
  }
}

function headersOfItem(item: object, { kind, target, base }: Asked): HttpResponse['headers'] {
  const { version } = target.collection.resource
  if (kind !== 'create' && version === undefined) return jsonHeaders
  const headers: Record<string, string> = { 'content-type': jsonType }
  if (kind === 'create') {
    const { collection, parents } = target
    const id = String(fieldOf(item, 'id'))
    headers.location = base + formatPath({ kind: 'item', collection, parents, id })
  }
  const tag = version === undefined ? undefined : tagOf(fieldOf(item, version))
  if (tag !== undefined) headers.etag = formatETags([tag])
  return headers
}

function nextOf(link: string | undefined): string | undefined {
  const { next = '' } = parseLink(link ?? '')
  const after = /[?&]after=([^&#]*)/.exec(next)?.[1]
  try {
    return after === undefined ? undefined : decodeURIComponent(after)
  } catch {
    throw problem('internal_error', 'The link to the next page holds a broken escape')
  }
}

function unexpected(status: number): Error {
  return problem('internal_error', `An answer of ${status} is not what this operation gives`)
}
