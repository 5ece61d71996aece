import { readFileSync } from 'node:fs'
import { isRecord } from '../../convention/value.ts'
import type { CheckWriteOptions } from './collection.ts'
import { maxPathLength, maxPaths } from './limits.ts'
import { type CheckResponse, NoResponse, type SendRequest, stringsIn } from './message.ts'
import { endsWithReservedWord, isUnambiguous } from './path.ts'
import { UsageError } from './usage-error.ts'

/**
 * Finds the collections to check: the named ones, else the one at the URL. Else the server lists
 * them in response to `OPTIONS *` or in its OpenAPI document.
 *
 * @param path The path of the URL.
 * @param named As the user wrote them: `/v1/companies/{company_id}/customers`.
 * @throws {UsageError} When there are none, or the server does not respond.
 */
export async function findCollections(
  send: SendRequest,
  path: string,
  named: readonly string[],
): Promise<readonly string[]> {
  const base = path.replace(/\/+$/, '')
  const first = await sendFirst(send, base || '/')
  if (named.length > 0) return named.map((name) => pathNamed(base, name))
  const { status, json } = first
  if (status === 200 && Array.isArray(json) && base !== '') return [base]
  const paths = [...(await fromOptions(send, base)), ...(await fromDocument(send, base))]
  if (paths.length > 0) return [...new Set(paths)]
  if (status === 401 || status === 403)
    throw new UsageError(
      `The server responds with ${status}: pass credentials with --header 'authorization: …'.`,
    )
  // The URL may be a collection whose list has another form.
  if (base !== '' && status === 200 && isRecord(json)) return [base]
  throw new UsageError(
    `No collection was found: ${base || '/'} responds with ${status}, and neither OPTIONS * ` +
      `nor ${base}/openapi.json lists any. Name them: --collection /v1/employees ` +
      "--collection '/v1/companies/{company_id}/customers'.",
  )
}

async function sendFirst(send: SendRequest, path: string): Promise<CheckResponse> {
  try {
    return await send('GET', path)
  } catch (error) {
    throw error instanceof NoResponse ? new UsageError(`${error.message}.`) : error
  }
}

function withBase(base: string, name: string): string {
  const path = `/${name.replace(/^\/+|\/+$/g, '').replace(/[^!-~]+/g, encodeURIComponent)}`
  return path === base || path.startsWith(`${base}/`) ? path : base + path
}

function pathNamed(base: string, name: string): string {
  const path = withBase(base, name)
  if (isUsable(path)) return path
  throw new UsageError(
    `--collection cannot be "${name}": write a path without empty and dot segments, ` +
      "like '/v1/companies/{company_id}/customers'.",
  )
}

// Every server reads such a path alike, and its escapes are valid.
function isUsable(path: string): boolean {
  return path.length <= maxPathLength && isUnambiguous(path) && !/[?#]|%(?![\da-f]{2})/i.test(path)
}

// `OPTIONS *` lists the paths of the whole server.
async function fromOptions(send: SendRequest, base: string): Promise<readonly string[]> {
  const paths = stringsIn((await tryToSend(send, 'OPTIONS', '*'))?.json, 'paths') ?? []
  return paths
    .slice(0, maxPaths)
    .filter((path) => path.startsWith(`${base}/`) && isUsable(path))
    .map((path) => withBase(base, path.replace(/:(\w+)/g, '{$1}')))
}

async function fromDocument(send: SendRequest, base: string): Promise<readonly string[]> {
  const json = (await tryToSend(send, 'GET', `${base}/openapi.json`))?.json
  const paths = isRecord(json) && isRecord(json.paths) ? json.paths : {}
  const names = Object.keys(paths).slice(0, maxPaths).filter(isUsable)
  const items = names.filter((path) => path.endsWith('}'))
  return names
    .filter((path) => !path.endsWith('}') && !endsWithReservedWord(path))
    .filter((path) => isRecord(paths[path]) && 'get' in paths[path])
    .filter((path) => items.some((item) => item.startsWith(`${path}/{`)))
    .map((path) => withBase(base, path))
}

// A server may reject this request in any way, and even close the connection.
async function tryToSend(
  send: SendRequest,
  method: string,
  path: string,
): Promise<CheckResponse | undefined> {
  try {
    const response = await send(method, path)
    return response.status === 200 ? response : undefined
  } catch (error) {
    if (error instanceof NoResponse) return undefined
    throw error
  }
}

/** Reads a file with one draft, or with drafts by the name of their collection. */
export function readSamples(
  file: string | undefined,
  names: readonly string[],
): CheckWriteOptions['samples'] {
  if (file === undefined) return {}
  const json = readJsonFile(file)
  const [only = ''] = names
  if (!Object.keys(json).every((key) => key.startsWith('/'))) {
    if (names.length === 1) return { [only]: json }
    throw new UsageError(`${file} must name the collection: write { "${only}": { … } }.`)
  }
  const samples = Object.entries(json).map(([name, draft]) => {
    if (isRecord(draft)) return [name, draft] as const
    throw new UsageError(`${file} holds no object for ${name}: write a draft of an item.`)
  })
  return Object.fromEntries(samples)
}

function readJsonFile(file: string): Readonly<Record<string, unknown>> {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new UsageError(`${file} cannot be read as JSON: ${reason}.`)
  }
  if (isRecord(json)) return json
  throw new UsageError(`${file} must hold an object: a draft of an item, without its id.`)
}
