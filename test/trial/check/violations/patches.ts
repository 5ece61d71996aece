import type { HttpRequest } from 'nounful'
import type { Reply, Serve } from '../faulty-server.ts'
import {
  answering,
  bodyIn,
  codeIn,
  fine,
  type Injected,
  lenient,
  meanwhile,
  pathOf,
  renamed,
  sending,
  stripped,
  withoutHeader,
} from './tools.ts'

const isAnyPatch = ({ method }: HttpRequest): boolean => method === 'PATCH'
const isPatch = (request: HttpRequest): boolean =>
  isAnyPatch(request) && /\/players\/[^/]+\/?$/.test(pathOf(request))
const isBulk = (request: HttpRequest): boolean =>
  isAnyPatch(request) && /\/players\/?$/.test(pathOf(request))
const isReal = ({ url }: HttpRequest): boolean => !url.includes('dry_run')
const isFine = ({ status }: Reply): boolean => status === 200
const keysOf = (request: HttpRequest): readonly string[] => Object.keys(Object(bodyIn(request)))
const withBody = (request: HttpRequest, body: unknown): HttpRequest => ({
  ...request,
  body: JSON.stringify(body),
})
/** Leaves out fields of the body. */
const leaving =
  (...fields: readonly string[]) =>
  (request: HttpRequest): HttpRequest =>
    withBody(
      request,
      Object.fromEntries(Object.entries(bodyIn(request)).filter(([key]) => !fields.includes(key))),
    )
const names =
  (field: string) =>
  (request: HttpRequest): boolean =>
    isPatch(request) && keysOf(request).includes(field)
const mergedArrays = async (request: HttpRequest, serve: Serve): Promise<Reply> => {
  const { tags } = Object(bodyIn(request))
  if (!isPatch(request) || !Array.isArray(tags) || keysOf(request).length > 1) return serve(request)
  const { body } = await serve({ method: 'GET', url: pathOf(request) })
  const stored: readonly unknown[] = Object(body).tags ?? []
  return serve(withBody(request, { tags: [...tags, ...stored.slice(tags.length)] }))
}
const eachAlone = meanwhile(async (request, serve) => {
  for (const one of bodyIn(request)) await serve(withBody(request, [one]))
})
const othersToo = meanwhile(async (request, serve) => {
  const { body } = await serve({ method: 'GET', url: request.url })
  const sent: readonly unknown[] = bodyIn(request).map(({ id }: { id: string }) => id)
  const others = (body as { id: string }[]).filter(({ id }) => !sent.includes(id))
  await serve(
    withBody(
      request,
      others.map(({ id }) => ({ id, nick: 'other' })),
    ),
  )
})
const writtenTwice = async (reply: Reply, request: HttpRequest, serve: Serve): Promise<Reply> => {
  await serve(withBody(request, { shirt: 99 }))
  return serve(withBody(request, { shirt: Object(reply.body).shirt ?? null }))
}
const createdInstead = (_: Reply, request: HttpRequest, serve: Serve): Promise<Reply> => {
  const url = request.url.replace(/\/nounful.*/, '')
  const body = { ...bodyIn(request), id: 'nounful_no_such_thing' }
  return serve({ ...withBody(request, body), method: 'POST', url })
}
const refusedWithAllow = async (_: Reply, __: HttpRequest, serve: Serve): Promise<Reply> => {
  const refused = await serve({ method: 'PUT', url: '/v1/teams/t1/players/first' })
  return { ...refused, headers: { ...refused.headers, allow: 'GET, PATCH' } }
}
const isMergePatch = (request: HttpRequest): boolean =>
  isPatch(request) && request.headers?.['content-type'] === 'application/merge-patch+json'
const isFaulty = (request: HttpRequest, reply: Reply): boolean =>
  isPatch(request) &&
  codeIn(reply) === 'validation_failed' &&
  String(request.body).includes('"nounful":[true]')
const lacksReference = (request: HttpRequest, { body }: Reply): boolean =>
  isPatch(request) && JSON.stringify(body).includes('reference_not_found')
const asJson = (request: HttpRequest): HttpRequest => ({
  ...request,
  headers: { ...request.headers, 'content-type': 'application/json' },
})
const withoutSlash = (request: HttpRequest): HttpRequest => ({
  ...request,
  url: request.url.replace(/\/$/, ''),
})
const hasAllow = (_: HttpRequest, { headers }: Reply): boolean => headers.allow !== undefined
const hidingPatch = ({ headers, ...reply }: Reply): Reply => {
  const { 'accept-patch': _, ...others } = headers
  const allow = `${headers.allow}`.replace(/PATCH, |, PATCH$/, '')
  return { ...reply, headers: { ...others, allow } }
}
const ofPatches = ['patch-types', 'patch-null', 'patch-arrays', 'patch-old-etag']

/** Violations of PATCH that only writing finds. */
export const patches: readonly Injected[] = [
  ['patch', 'the other fields go', sending((request) => names('name')(request) && keysOf(request).length === 1, (request) => asJson({ ...request, method: 'PUT' })), [...ofPatches, 'patch-unchanged', 'dry-run-patch', 'key-unsupported']],
  ['patch', 'nothing is written', sending((request) => isPatch(request) && isReal(request) && !request.url.includes('?'), (request) => ({ ...request, url: `${request.url}?dry_run=true` })), [...ofPatches, 'patch-slash']],
  ['patch', 'the response has only the patch', answering((request, reply) => isPatch(request) && isReal(request) && isFine(reply), (reply, request) => ({ ...reply, body: { ...bodyIn(request), id: Object(reply.body).id } })), ofPatches],
  ['patch-types', 'a merge patch is an unknown type', renamed(isMergePatch, 400, 'unsupported_media_type')],
  ['patch-types', '405 has an Allow with PATCH', answering(isMergePatch, refusedWithAllow)],
  ['patch-null', 'null is no change', sending((request) => isPatch(request) && Object.values(Object(bodyIn(request))).includes(null), (request) => withBody(request, {}))],
  ['patch-arrays', 'arrays are merged', mergedArrays],
  ['patch-unchanged', 'every PATCH is a revision', answering((request, reply) => isPatch(request) && isFine(reply) && keysOf(request).length === 0, writtenTwice)],
  ['patch-old-etag', 'an old ETag is ignored', sending((request) => isPatch(request) && !String(request.headers?.['if-match']).includes('nounful'), withoutHeader('if-match'))],
  ['patch-type', 'any type is a patch', sending(isPatch, asJson)],
  ['patch-json', 'the last key counts', sending((request) => isPatch(request) && request.body === '{"a":1,"a":2}', (request) => ({ ...request, body: '{"a":2}' }))],
  ['patch-json', 'a forbidden key is left out', sending((request) => isPatch(request) && String(request.body).includes('__proto__'), (request) => ({ ...request, body: '{}' }))],
  ['patch-json', 'any depth is read', renamed((request, reply) => isPatch(request) && codeIn(reply) === 'json_too_deep', 422, 'validation_failed')],
  ['patch-no-object', 'a list is a patch of nothing', sending((request) => isPatch(request) && request.body === '[]', (request) => ({ ...request, body: '{}' }))],
  ['patch-faults', 'a fault is 400', renamed(isFaulty, 400, 'bad_request')],
  ['patch-faults', 'the valid fields are written', answering(isFaulty, meanwhile((request, serve) => serve(leaving('name')(request))))],
  ['patch-read-only', 'a read-only field is ignored', sending(names('joined'), leaving('joined'))],
  ['patch-read-only', 'an old revision is ignored', sending(names('revision'), leaving('revision'))],
  ['patch-id-mismatch', 'the id of the body is ignored', sending(names('id'), leaving('id'))],
  ['patch-absent', 'PATCH creates', answering((request, reply) => isPatch(request) && codeIn(reply) === 'not_found' && /players\/nounful/.test(request.url), createdInstead)],
  ['patch-condition', 'conditions are ignored', sending(isPatch, (request) => withoutHeader('if-none-match')(withoutHeader('if-match')(request))), ['patch-old-etag']],
  ['patch-parameter', 'parameters are ignored', sending((request) => isPatch(request) && isReal(request), (request) => stripped(request, /./))],
  ['patch-slash', 'a slash is ignored', sending(isPatch, withoutSlash)],
  ['patch-scope', 'items are patched from anywhere', answering((request, reply) => isPatch(request) && /t1\/players\/./.test(request.url) && codeIn(reply) === 'not_found', () => fine({ id: 'x' }))],
  ['patch-owner', 'another parent is ignored', sending(names('team_id'), leaving('team_id'))],
  ['no-post-on-item', 'PATCH is taken, and Allow leaves it out', answering(hasAllow, hidingPatch), ['home']],
  ['no-post-on-item', 'POST on an item is a PATCH', sending(({ method, url }) => method === 'POST' && /\/players\/[^/]+$/.test(url) && !/(?:first|last|count)$/.test(url), (request) => ({ ...request, method: 'PATCH' }))],
  ['reference-patched', 'any reference is taken', sending((request) => isPatch(request) && /"rival_id":"nounful/.test(String(request.body)), leaving('rival_id'))],
  ['reference-patched', 'the item changes all the same', answering(lacksReference, meanwhile((request, serve) => serve(leaving('rival_id')(request))))],
  ['bulk-patch', 'patches come in another order', answering((request, reply) => isBulk(request) && isReal(request) && isFine(reply), (reply) => ({ ...reply, body: [...(reply.body as [])].reverse() }))],
  ['bulk-patch', 'other items change', answering((request, reply) => isBulk(request) && isReal(request) && isFine(reply) && bodyIn(request).length > 0, othersToo)],
  ['bulk-patch', 'the other fields go', sending((request) => isBulk(request) && isReal(request) && bodyIn(request)?.length === 2 && keysOf(withBody(request, bodyIn(request)[0])).length === 2, (request) => ({ ...request, method: 'PUT' }))],
  ['bulk-patch-whole-or-not', 'half is done', answering((request, reply) => isBulk(request) && codeIn(reply) === 'not_found', eachAlone)],
  ['bulk-patch-whole-or-not', 'what is unknown is left out', answering((request, reply) => isBulk(request) && codeIn(reply) === 'not_found', () => fine([]))],
  ['bulk-patch-ids', 'a repeated id is taken', lenient('validation_failed', [], (request) => isBulk(request) && bodyIn(request).length === 2 && bodyIn(request)[1] !== 5)],
  ['bulk-patch-no-array', 'one patch is a bulk', lenient('validation_failed', [], (request) => isBulk(request) && !Array.isArray(bodyIn(request)))],
  ['bulk-patch-empty', 'an empty bulk is refused', renamed((request) => isBulk(request) && request.body === '[]' && !request.url.endsWith('/'), 422, 'validation_failed')],
  ['bulk-patch-type', 'a bulk is a merge patch too', sending(isBulk, asJson)],
  ['bulk-patch-parameter', 'a filter is ignored', sending((request) => isBulk(request) && isReal(request), (request) => stripped(request, /./))],
  ['bulk-patch-slash', 'a slash is ignored', sending(isBulk, withoutSlash)],
] // biome-ignore format: a row stays a line
