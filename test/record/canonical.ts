import { createHash } from 'node:crypto'
import type { HttpRequest, HttpResponse } from 'nounful'

/** Returns a request and its response as one text, equal in each run. */
export async function canonicalOf(request: HttpRequest, response: HttpResponse): Promise<string> {
  const { method, url, headers, body } = request
  const sorted = Object.entries(response.headers).sort(([a], [b]) => (a < b ? -1 : 1))
  const question = [
    `${method} ${url}`,
    JSON.stringify(headers ?? {}),
    ...(body ? [String(body)] : []),
  ]
  const answer = [`${response.status}`, ...sorted.map(([name, value]) => `${name}: ${value}`)]
  return [...question, ...answer, await textOf(response.body), ''].join('\n')
}

/** Writes a body as text. It keeps the order of members, which belongs to the answer. */
export async function textOf(body: unknown): Promise<string> {
  if (!isStream(body)) return typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
  const items: unknown[] = []
  for await (const item of body) items.push(item)
  return JSON.stringify(items)
}

function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Returns the SHA-256 of a text. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
