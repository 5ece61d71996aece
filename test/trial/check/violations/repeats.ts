import type { HttpRequest } from 'nounful'
import type { Reply, Violation } from '../faulty-server.ts'
import {
  answering,
  bodyIn,
  codeIn,
  fine,
  type Injected,
  pathOf,
  renamed,
  sending,
  withoutHeader,
} from './tools.ts'

const key = 'idempotency-key'
const keyOf = ({ headers }: HttpRequest): string => String(headers?.[key] ?? '')
const isKeyed = (request: HttpRequest): boolean =>
  request.method === 'POST' && /\/players$/.test(pathOf(request)) && keyOf(request) !== ''
const withKey = (request: HttpRequest, value: string): HttpRequest => ({
  ...request,
  headers: { ...request.headers, [key]: value },
})
const isReplay = (_: HttpRequest, { headers }: Reply): boolean =>
  headers['idempotency-replayed'] !== undefined
const replayed = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'idempotency-replayed': 'true' },
})
const unkeyed = withoutHeader(key)

// Knows the items that keys created, and serves a key again only while its item is there.
function rememberingKeys(): Violation {
  const locations = new Map<string, string>()
  return async (request, serve) => {
    const made = keyOf(request)
    const url = locations.get(made)
    const isGone = url !== undefined && (await serve({ method: 'GET', url })).status === 404
    const reply = await serve(isGone ? withKey(request, `${made}-again`) : request)
    const { location } = reply.headers
    if (isKeyed(request) && location !== undefined) locations.set(made, location)
    return reply
  }
}

/** Violations of `Idempotency-Key`. */
// biome-ignore format: a row stays a line
export const repeats: readonly Injected[] = [
  ['key-create', 'a key is ignored', sending(isKeyed, unkeyed), ['key-mismatch', 'key-item-deleted', 'key-value', 'key-one-item']],
  ['key-create', 'a replay does not say so', answering(isReplay, ({ headers: { 'idempotency-replayed': _, ...headers }, ...reply }) => ({ ...reply, headers }))],
  ['key-create', 'a new item is said to be a replay', answering((request, reply) => isKeyed(request) && reply.status === 201, replayed), ['key-item-deleted']],
  ['key-create', 'a replay has another Location', answering(isReplay, (reply) => ({ ...reply, headers: { ...reply.headers, location: `${reply.headers.location}0` } }))],
  ['key-create', 'a replay is 200', answering(isReplay, (reply) => ({ ...reply, status: 200 }))],
  ['key-create', 'a quoted key is another', sending((request) => isKeyed(request) && /^".{8,}"$/.test(keyOf(request)), (request) => withKey(request, keyOf(request).replace(/"$/, '-"')))],
  ['key-apart', 'the body is the key', sending((request) => isKeyed(request) && /^"?[\w-]{36}"?$/.test(keyOf(request)), (request) => withKey(request, Buffer.from(String(request.body)).toString('base64url').slice(-200))), ['key-mismatch']],
  ['key-mismatch', 'another body is a replay', answering((_, reply) => codeIn(reply) === 'idempotency_mismatch', () => replayed({ ...fine({ id: 'p1' }), status: 201 }))],
  ['key-mismatch', 'another body is 409', renamed((_, reply) => codeIn(reply) === 'idempotency_mismatch', 409, 'conflict')],
  ['key-item-deleted', 'a deleted item comes back under another id', rememberingKeys()],
  ['key-value', 'a long key is cut', sending((request) => keyOf(request).length > 255, (request) => withKey(request, keyOf(request).slice(0, 255)))],
  ['key-value', 'an empty key is none', sending((request) => keyOf(request) === '""', unkeyed)],
  ['key-one-item', 'an id wins over the key', sending((request) => isKeyed(request) && bodyIn(request)?.id !== undefined, unkeyed)],
  ['key-one-item', 'an array takes no key', sending((request) => isKeyed(request) && Array.isArray(bodyIn(request)), unkeyed)],
  ['key-unsupported', 'PATCH ignores it', sending(({ method }) => method === 'PATCH', unkeyed)],
]
