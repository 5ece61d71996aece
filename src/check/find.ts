import { reservedWords } from '../model/convention.ts'
import { isRecord } from '../model/declared.ts'
import { maxPathLength, maxPaths } from './bounds.ts'
import { isPlain } from './place.ts'
import type { Ask, Exchange } from './sent.ts'
import { Silence } from './sent.ts'
import { textsIn } from './subject.ts'
import { UsageError } from './usage-error.ts'

/**
 * Finds the collections of a server: those that are named, the one that the url is, or those that the server tells of itself,
 * on `OPTIONS *` or in its OpenAPI document.
 *
 * @param path That of the url.
 * @param named As they were given: `/v1/companies/{company_id}/customers`.
 * @throws {UsageError} When there are none, or nobody answers.
 */
export async function findCollections(
  ask: Ask,
  path: string,
  named: readonly string[],
): Promise<readonly string[]> {
  const base = path.replace(/\/+$/, '')
  const first = await begin(ask, base || '/')
  if (named.length > 0) return named.map((name) => namedAt(base, name))
  if (first.answer.status === 200 && Array.isArray(first.answer.json) && base !== '') return [base]
  const found = [...(await fromOptions(ask, base)), ...(await fromDocument(ask, base))]
  if (found.length > 0) return [...new Set(found)]
  const { status } = first.answer
  if (status === 401 || status === 403)
    throw new UsageError(`The answer is ${status}: say who asks with --header 'authorization: …'.`)
  // A collection that answers something else than a list is a collection still.
  if (base !== '' && isCollectionLike(first)) return [base]
  throw new UsageError(
    `No collection was found: ${base || '/'} is answered ${status}, and neither OPTIONS * nor ${base}/openapi.json tells of any. Name them: --collection /v1/employees --collection '/v1/companies/{company_id}/customers'.`,
  )
}

async function begin(ask: Ask, path: string): Promise<Exchange> {
  try {
    return await ask('GET', path)
  } catch (error) {
    if (error instanceof Silence) throw new UsageError(`${error.message}.`)
    throw error
  }
}

function withBase(base: string, name: string): string {
  const path = `/${name.replace(/^\/+|\/+$/g, '').replace(/[^!-~]+/g, encodeURIComponent)}`
  return path === base || path.startsWith(`${base}/`) ? path : base + path
}

function namedAt(base: string, name: string): string {
  const path = withBase(base, name)
  if (isName(path)) return path
  throw new UsageError(
    `--collection cannot be "${name}": write a path without empty and dot segments, like '/v1/companies/{company_id}/customers'.`,
  )
}

// A path that every server reads as it is written, percent-encoded as it should be.
function isName(path: string): boolean {
  return path.length <= maxPathLength && isPlain(path) && !/[?#]|%(?![\da-f]{2})/i.test(path)
}

function isCollectionLike({ answer }: Exchange): boolean {
  return answer.status === 200 && isRecord(answer.json)
}

async function fromOptions(ask: Ask, base: string): Promise<readonly string[]> {
  const paths = textsIn((await quietly(ask, 'OPTIONS', '*'))?.answer.json, 'paths') ?? []
  // It tells of the whole server.
  return paths
    .slice(0, maxPaths)
    .filter((path) => path.startsWith(`${base}/`) && isName(path))
    .map((path) => withBase(base, path.replace(/:(\w+)/g, '{$1}')))
}

async function fromDocument(ask: Ask, base: string): Promise<readonly string[]> {
  const json = (await quietly(ask, 'GET', `${base}/openapi.json`))?.answer.json
  const paths = isRecord(json) && isRecord(json.paths) ? json.paths : {}
  const names = Object.keys(paths).slice(0, maxPaths).filter(isName)
  const isItem = (path: string) => path.endsWith('}')
  const isEnd = (path: string) => reservedWords.some((word) => path.endsWith(`/${word}`))
  return names
    .filter(
      (path) => !isItem(path) && !isEnd(path) && isRecord(paths[path]) && 'get' in paths[path],
    )
    .filter((path) => names.some((other) => isItem(other) && other.startsWith(`${path}/{`)))
    .map((path) => withBase(base, path))
}

// A server may not know what it is asked here, down to closing the connection.
async function quietly(ask: Ask, method: string, path: string): Promise<Exchange | undefined> {
  try {
    const exchange = await ask(method, path)
    return exchange.answer.status === 200 ? exchange : undefined
  } catch (error) {
    if (error instanceof Silence) return undefined
    throw error
  }
}
