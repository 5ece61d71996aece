import type { HttpRequest } from 'nounful'
import type { Reply, Violation } from '../faulty-server.ts'
import {
  answering,
  codeIn,
  fine,
  type Injected,
  type Item,
  isList,
  parameterIn,
  pathOf,
  sending,
  stripped,
} from './tools.ts'

const pattern = /^(team|rival)\./
const asks = ({ method, url }: HttpRequest): boolean =>
  method === 'GET' && /[?&](team|rival)\./.test(url)
const asksFor = (operator: string) => (request: HttpRequest) =>
  asks(request) && new RegExp(`name(:|%3A)${operator}=`).test(request.url)
const ignoring = (isMeant: (request: HttpRequest) => boolean): Violation =>
  sending(
    (request) => asks(request) && isMeant(request),
    (request) => stripped(request, pattern),
  )
const equals = ({ url }: HttpRequest): boolean => /(team|rival)\.name=/.test(url)
const at =
  (word: string) =>
  (request: HttpRequest): boolean =>
    pathOf(request).endsWith(word)
const whole = (request: HttpRequest): boolean =>
  isList(request) && parameterIn(request, 'limit') === undefined

// Adds the items that name no other.
const withOrphans = (operator: string): Violation =>
  answering(
    (request, { status }) => asksFor(operator)(request) && isList(request) && status === 200,
    async (reply, request, serve) => {
      const { body } = await serve(stripped(request, pattern))
      const found = new Set((reply.body as Item[]).map(({ id }) => id))
      const all = body as Item[]
      return { ...reply, body: all.filter(({ id, rival_id }) => found.has(id) || !rival_id) }
    },
  )

const sorts = ({ url }: HttpRequest): boolean => /[?&]sort=-?(team|rival)\./.test(url)
const descends = ({ url }: HttpRequest): boolean => url.includes('sort=-')

const refused =
  (code: string) =>
  (request: HttpRequest, reply: Reply): boolean =>
    asks(request) && codeIn(reply) === code

/** Violations of filters by related items. Reading finds them. */
export const relations: readonly Injected[] = [
  ['related-equal', 'it is ignored', ignoring((request) => whole(request) && equals(request)), ['related-everywhere', 'related-unknown']],
  ['related-equal', 'its case counts not', sending((request) => asks(request) && equals(request), (request) => ({ ...request, url: request.url.replace(/name=[^&]*/, 'name:contains=t') })), ['related-everywhere']],
  ['related-equal', 'it finds nothing', answering((request, { status }) => whole(request) && asks(request) && equals(request) && status === 200, () => fine([])), ['related-everywhere']],
  ['related-equal', 'one reference is taken for the other', sending((request) => whole(request) && equals(request), (request) => ({ ...request, url: request.url.replace('rival.', 'team.') })), ['related-everywhere']],
  ['related-unequal', 'no related item is unequal', withOrphans('ne')],
  ['related-unequal', 'no related item has no value', withOrphans('null')],
  ['related-unequal', 'it is equal', sending(asksFor('ne'), (request) => ({ ...request, url: request.url.replace(/name(:|%3A)ne/, 'name') }))],
  ['related-part', 'the case counts', answering((request) => /(contains|startsWith|endsWith)=[A-Z]/.test(request.url) && asks(request), () => fine([]))],
  ['related-part', 'the start is anywhere', sending((request) => asksFor('startsWith')(request) && asks(request), (request) => ({ ...request, url: request.url.replace(/startsWith=[^&]*/, 'contains=o') })), ['related-bounds']],
  ['related-everywhere', 'count ignores it', ignoring(at('/count'))],
  ['related-everywhere', 'the first item ignores it', ignoring(at('/first'))],
  ['related-everywhere', 'the last item ignores it', ignoring(at('/last'))],
  ['related-everywhere', 'the second page ignores it', answering((request, { headers }) => asks(request) && headers.link !== undefined, (reply) => ({ ...reply, headers: { ...reply.headers, link: `</v1/teams/t1/players?limit=1>; rel="next"` } }))],
  ['related-order', 'it is ignored', sending((request) => sorts(request) && isList(request), (request) => ({ ...request, url: request.url.replace(/sort=[^&]*/, 'sort=id') }))],
  ['related-order', 'the missing come first', answering((request, { status }) => sorts(request) && isList(request) && status === 200 && !descends(request), (reply) => ({ ...reply, body: (reply.body as Item[]).toSorted((a, b) => Number(a.rival != null || a.team != null) - Number(b.rival != null || b.team != null)) }))],
  ['related-order', 'it has one direction', sending((request) => sorts(request) && isList(request), (request) => ({ ...request, url: request.url.replace('sort=-', 'sort=') }))],
  ['related-unknown', 'an unknown field is ignored', answering(refused('unknown_parameter'), (_, request, serve) => serve(stripped(request, pattern)))],
  ['related-unknown', 'an id is taken', answering((request, reply) => refused('unknown_parameter')(request, reply) && /\.id=/.test(request.url), () => fine([]))],
  ['related-bounds', 'any number of them', answering(refused('bad_parameter'), () => fine([]))],
] // biome-ignore format: a row stays a line
