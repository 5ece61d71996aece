import type { HttpRequest } from 'nounful'
import type { Reply, Violation } from '../faulty-server.ts'
import {
  answering,
  bodyIn,
  codeIn,
  fine,
  type Injected,
  isList,
  lenient,
  meanwhile,
  pathOf,
  renamed,
  sending,
  stripped,
} from './tools.ts'

const isDry = ({ url }: HttpRequest): boolean => url.includes('dry_run=')
const writesBy =
  (method: string, end: RegExp) =>
  (request: HttpRequest): boolean =>
    request.method === method && end.test(pathOf(request))
const isPost = writesBy('POST', /\/players$/)
const isMany = (request: HttpRequest): boolean => isPost(request) && Array.isArray(bodyIn(request))
const isFilled = (request: HttpRequest): boolean => isMany(request) && bodyIn(request).length > 1
const isPut = writesBy('PUT', /\/players\/[^/]+$/)
const isPatch = writesBy('PATCH', /\/players\/[^/]+$/)
const isBulkPut = writesBy('PUT', /\/players$/)
const isBulkPatch = writesBy('PATCH', /\/players$/)
const isDelete = writesBy('DELETE', /\/players\/[^/]+$/)
const pretending =
  (isMeant: (request: HttpRequest) => boolean): Violation =>
  async (request, serve) => {
    if (!isDry(request) || !isMeant(request)) return serve(request)
    const {
      headers: { location: _, etag: __, ...headers },
      ...reply
    } = await serve(stripped(request, /./))
    return { ...reply, status: reply.status === 201 ? 200 : reply.status, headers }
  }
const created = (reply: Reply): boolean => reply.status === 201
const bodied = (reply: Reply, body: unknown): Reply => ({ ...reply, body })

// The next two lists have the first item of the bulk that was refused.
function storingValid(): Violation {
  let stray: object | undefined
  let lists = 0
  return async (request, serve) => {
    const reply = await serve(request)
    if (isMany(request) && codeIn(reply) === 'validation_failed') {
      stray = { ...bodyIn(request)[0], id: 'stray' }
      lists = 2
    }
    if (!isList(request) || stray === undefined || lists === 0) return reply
    lists--
    return bodied(reply, [...(reply.body as object[]), stray])
  }
}

/** Violations of arrays on POST and of `dry_run`. */
export const previews: readonly Injected[] = [
  ['item-no-object', 'null is an item', renamed((request, reply) => isPost(request) && request.body === 'null' && codeIn(reply) === 'validation_failed', 400, 'json_invalid')],
  ['bulk-create', 'items come in another order', answering((request, reply) => isMany(request) && created(reply), (reply) => bodied(reply, [...(reply.body as [])].reverse()))],
  ['bulk-create', 'a bulk has a Location', answering((request, reply) => isFilled(request) && created(reply), (reply, request) => ({ ...reply, headers: { ...reply.headers, location: request.url } }))],
  ['bulk-create', 'a bulk is 200', answering((request, reply) => isFilled(request) && created(reply), (reply) => ({ ...reply, status: 200 }))],
  ['bulk-create', 'an item is lost', answering((request, reply) => isFilled(request) && created(reply), meanwhile((request, serve, { body }) => serve({ method: 'DELETE', url: `${request.url}/${(body as [{ id: string }])[0].id}` })))],
  ['bulk-create-whole-or-not', 'the valid ones are stored', storingValid()],
  ['bulk-create-whole-or-not', 'issues point to no item', answering((request, reply) => isMany(request) && codeIn(reply) === 'validation_failed', (reply) => bodied(reply, JSON.parse(JSON.stringify(reply.body).replaceAll('"/1', '"/0'))))],
  ['bulk-create-empty', 'an empty bulk is refused', renamed((request) => isMany(request) && request.body === '[]', 422, 'validation_failed')],
  ['dry-run-create', 'the item is created', sending((request) => isDry(request) && isPost(request) && !isMany(request), (request) => stripped(request, /=true/)), ['dry-run-faults']],
  ['dry-run-create', 'the item is created and shown', pretending((request) => isPost(request) && !isMany(request)), ['dry-run-value']],
  ['dry-run-create', 'the status is 201', answering((request, reply) => isDry(request) && isPost(request) && reply.status === 200, (reply) => ({ ...reply, status: 201 })), ['dry-run-bulk-create']],
  ['dry-run-create', 'there is a Location', answering((request, reply) => isDry(request) && isPost(request) && reply.status === 200, (reply, request) => ({ ...reply, headers: { ...reply.headers, location: `${pathOf(request)}/x` } })), ['dry-run-bulk-create']],
  ['dry-run-bulk-create', 'the items are created and shown', pretending(isMany)],
  ['dry-run-bulk-create', 'one item is shown', answering((request, reply) => isDry(request) && isMany(request) && reply.status === 200, (reply) => bodied(reply, (reply.body as []).slice(1)))],
  ['dry-run-update', 'PUT is carried out', pretending(isPut), ['dry-run-value']],
  ['dry-run-update', 'there is an ETag', answering((request, reply) => isDry(request) && isPut(request) && reply.status === 200, (reply) => ({ ...reply, headers: { ...reply.headers, etag: '"1"' } }))],
  ['dry-run-patch', 'PATCH is carried out', pretending(isPatch)],
  ['dry-run-patch', 'the stored item is shown', answering((request, reply) => isDry(request) && isPatch(request) && reply.status === 200, async (reply, request, serve) => bodied(reply, (await serve({ method: 'GET', url: pathOf(request) })).body))],
  ['dry-run-bulk-update', 'PUT is carried out', pretending(isBulkPut)],
  ['dry-run-bulk-patch', 'PATCH is carried out', pretending(isBulkPatch)],
  ['dry-run-value', 'any value is true', sending(isDry, (request) => ({ ...request, url: request.url.replace(/dry_run=\w+/, 'dry_run=true') }))],
  ['dry-run-value', 'false is absent', sending(({ url }) => /dry_run=false/.test(url), (request) => stripped(request, /./))],
  ['dry-run-faults', 'an old item is no fault', lenient('precondition_failed', {}, isDry)],
  ['dry-run-faults', 'an invalid item is no fault', lenient('validation_failed', {}, (request) => isDry(request) && isPost(request))],
  ['dry-run-only-writes', 'DELETE ignores it', sending((request) => isDelete(request) && isDry(request), (request) => stripped(request, /./))],
  ['dry-run-only-writes', 'GET ignores it', answering((request, reply) => request.method === 'GET' && isDry(request) && codeIn(reply) === 'unknown_parameter', () => fine([])), ['misplaced-parameter']],
] // biome-ignore format: a row stays a line
