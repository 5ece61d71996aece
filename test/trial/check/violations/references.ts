import type { HttpRequest } from 'nounful'
import type { Reply, Serve, Violation } from '../faulty-server.ts'
import {
  answering,
  codeIn,
  fine,
  type Injected,
  isList,
  parameterIn,
  pathOf,
  renamed,
  sending,
  stripped,
} from './tools.ts'

const includes = (request: HttpRequest): boolean =>
  request.method === 'GET' && parameterIn(request, 'include') !== undefined
const isPlayer = (request: HttpRequest): boolean => /\/players\/p\d$/.test(pathOf(request))
const includesOnItem = (request: HttpRequest): boolean => includes(request) && isPlayer(request)
const isMissing = ({ body }: Reply): boolean => JSON.stringify(body).includes('reference_not_found')
const writesTo = (method: string, end: RegExp) => (request: HttpRequest) =>
  request.method === method && end.test(pathOf(request))
const isPost = writesTo('POST', /\/players$/)
const isPut = writesTo('PUT', /\/players\/[^/]+$/)
const isBulk = writesTo('PUT', /\/players$/)
const withoutRival = (request: HttpRequest): HttpRequest => ({
  ...request,
  body: String(request.body).replace(/,?"rival_id":"[^"]*"/g, ''),
})
const storedWithout = async (reply: Reply, request: HttpRequest, serve: Serve): Promise<Reply> => {
  await serve(withoutRival(request))
  return reply
}
const changed = (reply: Reply, change: (item: Record<string, unknown>) => object): Reply => ({
  ...reply,
  body: Array.isArray(reply.body) ? reply.body.map(change) : change(Object(reply.body)),
})
const isFine = ({ status }: Reply): boolean => status === 200
const otherwise = (
  isMeant: (request: HttpRequest) => boolean,
  change: (item: Record<string, unknown>) => object,
) =>
  answering(
    (request, reply) => isMeant(request) && isFine(reply),
    (reply) => changed(reply, change),
  )
/** Answers as if the request had no "include". */
const ignoring = (isMeant: (request: HttpRequest) => boolean) =>
  sending(isMeant, (request) => stripped(request, /^include=/))

/** Violations of `include`. Reading finds them. */
export const inclusions: readonly Injected[] = [
  ['include-adds', 'an item includes nothing', ignoring(includesOnItem), ['include-same', 'include-fields', 'include-unknown', 'include-bounds']],
  ['include-adds', 'a list includes nothing', ignoring((request) => includes(request) && isList(request)), ['include-several', 'include-pages', 'include-unknown', 'include-bounds']],
  ['include-adds', 'the first item includes nothing', ignoring((request) => includes(request) && /first$/.test(pathOf(request))), ['include-unknown']],
  ['include-adds', 'no item is no member', otherwise(includes, (item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))), ['include-several', 'include-pages', 'include-fields']],
  ['include-adds', 'no item is an empty item', otherwise(includes, (item) => ('rival' in item ? { ...item, rival: item.rival ?? { id: 't1' } } : item)), ['include-several', 'include-fields', 'related-unequal']],
  ['include-adds', 'another item is included', otherwise(includesOnItem, (item) => ('team' in item ? { ...item, team: { id: 't2', name: 'Borough' } } : item)), ['include-same', 'include-fields']],
  ['include-adds', 'the field of the reference goes', otherwise(includesOnItem, ({ team_id: _, ...item }) => item)],
  ['include-adds', 'the whole has another tag', answering((request, reply) => includesOnItem(request) && isFine(reply), (reply) => ({ ...reply, headers: { ...reply.headers, etag: '"x"' } }))],
  ['include-several', 'the first name counts', sending((request) => includes(request) && /team,rival|include=team&include=/.test(request.url), (request) => ({ ...request, url: request.url.replace(/(include=team).*$/, '$1') })), ['include-unknown']],
  ['include-several', 'the last value counts', sending(({ url }) => /include=team&include=rival/.test(url), (request) => ({ ...request, url: request.url.replace('include=team&', '') }))],
  ['include-same', 'a part is included', otherwise(includesOnItem, (item) => ('team' in item ? { ...item, team: { id: Object(item.team).id } } : item))],
  ['include-same', 'nothing is readable', otherwise(includesOnItem, (item) => ('team' in item ? { ...item, team: null } : item))],
  ['include-same', 'a hidden item is included', renamed(({ method, url }) => method === 'GET' && /\/teams\/t\d$/.test(url), 404, 'not_found'), ['parent-is-item']],
  ['include-fields', 'fields leaves the member out', otherwise((request) => includes(request) && parameterIn(request, 'fields') !== undefined, ({ id }) => ({ id }))],
  ['include-fields', 'fields is ignored', sending(includes, (request) => stripped(request, /^fields=/))],
  ['include-pages', 'the link forgets it', answering((request, { headers }) => includes(request) && headers.link !== undefined, (reply) => ({ ...reply, headers: { ...reply.headers, link: `${reply.headers.link}`.replace(/include=[^&>]*&?/, '') } }))],
  ['include-pages', 'the second page includes nothing', ignoring((request) => parameterIn(request, 'after') !== undefined)],
  ['include-empty', 'an empty one is all', answering((request, reply) => parameterIn(request, 'include') === '' && isFine(reply), (reply) => changed(reply, (item) => ({ ...item, team: null })))],
  ['include-empty', 'a page of one includes', otherwise((request) => isList(request) && request.url.endsWith('?limit=1'), (item) => ({ ...item, rival: null })), ['limit-cuts']],
  ['include-unknown', 'an unknown name is ignored', answering((request, reply) => includes(request) && codeIn(reply) === 'bad_parameter' && /include=nounful/.test(request.url), () => fine([]))],
  ['include-unknown', 'a path of names is taken', answering((request, reply) => codeIn(reply) === 'bad_parameter' && /include=\w+\.id/.test(request.url), () => fine([]))],
  ['include-unknown', 'the allowed names are missing', answering((request, reply) => includes(request) && codeIn(reply) === 'bad_parameter', (reply) => changed(reply, ({ allowed: _, ...problem }) => problem))],
  ['include-bounds', 'any number of names', sending(includes, (request) => ({ ...request, url: request.url.replace(/(?:team,){4}/, '') }))],
  ['include-bounds', 'a whole list includes', sending((request) => includes(request) && isList(request) && parameterIn(request, 'limit') === undefined, (request) => ({ ...request, url: `${request.url}&limit=100` }))],
  ['include-count', 'count ignores it', ignoring(({ url }) => /\/count\?/.test(url)), ['misplaced-parameter']],
] // biome-ignore format: a row stays a line

// The next list has the item that was refused.
function storingAll(): Violation {
  let refused: object | undefined
  return async (request, serve) => {
    const reply = await serve(request)
    if (isPost(request) && isMissing(reply)) refused = JSON.parse(String(request.body))
    if (!isList(request) || refused === undefined) return reply
    const stray = { ...refused, id: 'stray', rival_id: undefined }
    refused = undefined
    return { ...reply, body: [...(reply.body as object[]), stray] }
  }
}

/** Violations of references that only writing finds. */
export const referrals: readonly Injected[] = [
  ['reference-created', 'any reference is taken', sending((request) => isPost(request) && /nounful/.test(String(request.body)), withoutRival)],
  ['reference-created', 'the issue names no field', answering((request, reply) => isPost(request) && isMissing(reply), (reply) => changed(reply, ({ issues: _, ...problem }) => ({ ...problem, issues: [] })))],
  ['reference-created', 'a missing item is a conflict', answering((request, reply) => isPost(request) && isMissing(reply), (reply) => ({ ...reply, status: 409, body: { ...Object(reply.body), status: 409, code: 'conflict' } }))],
  ['reference-created', 'it is refused and stored', storingAll()],
  ['reference-updated', 'any reference is taken', sending((request) => isPut(request) && /nounful/.test(String(request.body)), withoutRival)],
  ['reference-updated', 'the item changes all the same', answering((request, reply) => isPut(request) && isMissing(reply), storedWithout)],
  ['reference-bulk', 'any reference is taken', sending((request) => isBulk(request) && /nounful/.test(String(request.body)), withoutRival)],
  ['reference-bulk', 'the first one is named', answering((request, reply) => isBulk(request) && isMissing(reply), (reply) => changed(reply, (problem) => ({ ...problem, issues: (problem.issues as unknown[]).slice(0, 1) })))],
  ['reference-bulk', 'the others are stored', answering((request, reply) => isBulk(request) && isMissing(reply), storedWithout)],
  ['include-sent-back', 'a member is an unknown field', answering((request) => isPut(request) && /"team":|"rival":/.test(String(request.body)), (_, request, serve) => serve({ ...request, body: String(request.body).replace('"team":', '"teem":') }))],
  ['include-sent-back', 'a member stays', answering((request, reply) => isPut(request) && isFine(reply) && /"team":/.test(String(request.body)), (reply) => changed(reply, (item) => ({ ...item, team: null })))],
  ['include-written', 'PUT ignores it', ignoring(isPut)],
  ['include-written', 'POST includes', ignoring(isPost)],
] // biome-ignore format: a row stays a line
