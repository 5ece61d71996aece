import type { HttpRequest } from 'nounful'
import {
  answering,
  bodyIn,
  codeIn,
  fine,
  type Injected,
  lenient,
  pathOf,
  renamed,
  sending,
  stripped,
  withoutHeader,
} from './tools.ts'

const isPost = ({ method, url, body }: HttpRequest) =>
  method === 'POST' && /\/players$/.test(url) && !/^\[[^5]/.test(String(body))
const isPut = ({ method, url }: HttpRequest) => method === 'PUT' && !url.includes('dry_run')
const isBulk = (request: HttpRequest) => isPut(request) && /\/players$/.test(pathOf(request))
const isDelete = ({ method, url }: HttpRequest) => method === 'DELETE' && !url.includes('dry_run')
const isDeleteAll = (request: HttpRequest) =>
  isDelete(request) && /\/players\/?$/.test(pathOf(request))
const declaring = (request: HttpRequest): HttpRequest => ({
  ...request,
  headers: { ...request.headers, 'content-type': 'application/json' },
})
const withoutBody = (request: HttpRequest): HttpRequest => ({ ...request, body: undefined })

/** Violations that only writing finds. */
export const writes: readonly Injected[] = [
  [
    'create',
    'created is 200',
    answering(
      (request, { status }) => isPost(request) && status === 201,
      (reply) => ({ ...reply, status: 200 }),
    ),
    ['scope-written', 'state-default'],
  ],
  [
    'create',
    'created is empty',
    answering(
      (request, { status }) => isPost(request) && status === 201,
      (reply) => ({ ...reply, status: 201, body: {} }),
    ),
    ['create-location', 'scope-written', 'state-default'],
  ],
  [
    'create-location',
    'there is no Location',
    answering(
      (request, { status }) => isPost(request) && status === 201,
      (reply) => {
        const { location, ...headers } = reply.headers
        return { ...reply, headers }
      },
    ),
  ],
  [
    'create-location',
    'Location is without version',
    answering(
      (request, { status }) => isPost(request) && status === 201,
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, location: `${reply.headers.location}`.replace('/v1', '') },
      }),
    ),
  ],
  [
    'create-location',
    'Location leads nowhere',
    answering(
      (request, { status }) => isPost(request) && status === 201,
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, location: `${reply.headers.location}x` },
      }),
    ),
  ],
  [
    'scope-written',
    'a contradiction is ignored',
    sending(
      (request) => isPost(request) && String(request.body).includes('"team_id":"'),
      (request) => ({ ...request, body: String(request.body).replace(/,?"team_id":"[^"]*"/, '') }),
    ),
  ],
  [
    'create-parent-missing',
    'an item is made without a parent',
    answering(
      (request, reply) => isPost(request) && codeIn(reply) === 'parent_not_found',
      () => ({ status: 201, headers: { 'content-type': 'application/json' }, body: { id: 'x' } }),
    ),
  ],
  ['body-type', 'any type is JSON', sending(isPost, declaring)],
  [
    'body-type',
    'a wrong type is 415',
    answering(
      (request, reply) => isPost(request) && codeIn(reply) === 'unsupported_media_type',
      (reply) => ({ ...reply, status: 415, body: { ...Object(reply.body), status: 415 } }),
    ),
    ['twelve-statuses', 'problem-code'],
  ],
  ['body-encoding', 'compression is ignored', sending(isPost, withoutHeader('content-encoding'))],
  [
    'body-missing',
    'a missing body is an empty object',
    sending(
      (request) => isPost(request) && request.body === undefined,
      (request) => ({ ...request, body: '{}' }),
    ),
  ],
  [
    'json-invalid',
    'broken JSON is 500',
    renamed(
      (request, reply) => isPost(request) && codeIn(reply) === 'json_invalid',
      500,
      'internal_error',
    ),
    ['no-server-error'],
  ],
  [
    'json-duplicate-key',
    'the last key counts',
    sending(isPost, (request) =>
      bodyIn(request) === undefined || /__proto__/.test(String(request.body))
        ? request
        : { ...request, body: JSON.stringify(bodyIn(request)) },
    ),
  ],
  [
    'json-proto',
    'a prototype is a field',
    sending(isPost, (request) => ({
      ...request,
      body:
        request.body === undefined ? undefined : String(request.body).replace('__proto__', 'proto'),
    })),
  ],
  [
    'json-too-deep',
    'any depth is read',
    renamed(
      (request, reply) => isPost(request) && codeIn(reply) === 'json_too_deep',
      422,
      'validation_failed',
    ),
  ],
  [
    'item-no-object',
    'a list is an item',
    renamed(
      (request, reply) =>
        isPost(request) && request.body === '[5]' && codeIn(reply) === 'validation_failed',
      400,
      'json_invalid',
    ),
  ],
  [
    'item-faults',
    'faults are 400',
    renamed(
      (request, reply) =>
        isPost(request) &&
        codeIn(reply) === 'validation_failed' &&
        String(request.body).includes('"nounful":[true]'),
      400,
      'bad_request',
    ),
  ],
  [
    'item-faults',
    'issues have no pointers',
    answering(
      (request, reply) => isPost(request) && codeIn(reply) === 'validation_failed',
      (reply) => {
        const { issues, ...body } = Object(reply.body)
        return { ...reply, body }
      },
    ),
    ['reference-created'],
  ],
  [
    'reserved-id',
    'reserved words are refused as conflicts',
    renamed((_, reply) => codeIn(reply) === 'reserved_id', 409, 'conflict'),
  ],
  [
    'client-ids',
    'an encoded slash splits',
    renamed(({ method, url }) => method === 'GET' && /%2F/.test(url), 404, 'not_found'),
  ],
  [
    'update',
    'updated is 201',
    answering(
      (request, { status }) => isPut(request) && !isBulk(request) && status === 200,
      (reply) => ({ ...reply, status: 201 }),
    ),
    ['update-replaces', 'include-sent-back'],
  ],
  [
    'update',
    'nothing is written',
    answering(
      (request) =>
        isPut(request) &&
        !isBulk(request) &&
        / changed"/.test(String(request.body)) &&
        Object.keys(request.headers ?? {}).every((name) => !name.startsWith('if-')),
      async (reply, request, serve) => {
        if (reply.status !== 200) return reply
        await serve({ ...request, body: String(request.body).replace(' changed', '') })
        return reply
      },
    ),
  ],
  [
    'update-replaces',
    'PUT merges',
    async (request, serve) => {
      const body = bodyIn(request)
      if (!isPut(request) || isBulk(request) || body?.name === undefined) return serve(request)
      const { nick } = Object((await serve({ method: 'GET', url: pathOf(request) })).body)
      return serve({ ...request, body: JSON.stringify({ nick, ...body }) })
    },
  ],
  [
    'update-faults',
    'a list is an item',
    answering(
      (request, reply) =>
        isPut(request) &&
        !isBulk(request) &&
        request.body === '[]' &&
        codeIn(reply) === 'validation_failed',
      () => fine({ id: 'x' }),
    ),
  ],
  [
    'update-id-mismatch',
    'the id of the body is ignored',
    sending(
      (request) => isPut(request) && !isBulk(request) && bodyIn(request)?.id !== undefined,
      (request) => ({ ...request, body: JSON.stringify({ ...bodyIn(request), id: undefined }) }),
    ),
  ],
  [
    'update-absent',
    'PUT creates',
    answering(
      (request, reply) =>
        isPut(request) && codeIn(reply) === 'not_found' && /players\/nounful/.test(request.url),
      (_, request, serve) =>
        serve({
          ...request,
          method: 'POST',
          url: request.url.replace(/\/nounful.*/, ''),
          body: JSON.stringify({ ...bodyIn(request), id: 'nounful_no_such_thing' }),
        }),
    ),
    ['bulk-whole-or-not', 'patch-absent'],
  ],
  ['content-range', 'Content-Range is ignored', sending(isPut, withoutHeader('content-range'))],
  [
    'if-match',
    'conditions are ignored',
    sending(
      (request) => isPut(request) || isDelete(request),
      (request) => withoutHeader('if-none-match')(withoutHeader('if-match')(request)),
    ),
  ],
  [
    'if-match',
    'a condition is 412',
    answering(
      (request, reply) =>
        (isPut(request) || isDelete(request)) && codeIn(reply) === 'precondition_failed',
      (reply) => ({ ...reply, status: 412, body: { ...Object(reply.body), status: 412 } }),
    ),
    ['twelve-statuses', 'problem-code'],
  ],
  [
    'write-parameter',
    'parameters on writes are ignored',
    sending(
      (request) => (isPut(request) || isDelete(request)) && !isDeleteAll(request),
      (request) => stripped(request, /./),
    ),
    ['include-written'],
  ],
  [
    'delete',
    'deleted is 204',
    answering(
      (request, { status }) => isDelete(request) && !isDeleteAll(request) && status === 200,
      () => ({ status: 204, headers: {}, body: '' }),
    ),
    ['twelve-statuses', 'json-type'],
  ],
  [
    'delete',
    'deleted is empty',
    answering(
      (request, { status }) => isDelete(request) && !isDeleteAll(request) && status === 200,
      () => fine({}),
    ),
  ],
  [
    'delete-absent',
    'deleting nothing is fine',
    lenient('not_found', {}, isDelete),
    ['scope-writes'],
  ],
  [
    'delete-body',
    'a body is ignored',
    sending((request) => isDelete(request) && !isDeleteAll(request), withoutBody),
  ],
  [
    'scope-writes',
    'items are deleted from anywhere',
    answering(
      (request, reply) =>
        isDelete(request) && /t1\/players\/./.test(request.url) && codeIn(reply) === 'not_found',
      () => fine({}),
    ),
  ],
  [
    'bulk-update',
    'bulks come in another order',
    answering(
      (request, { status }) => isBulk(request) && status === 200,
      (reply) => ({ ...reply, body: [...(reply.body as [])].reverse() }),
    ),
  ],
  [
    'bulk-update',
    'what is not sent is deleted',
    answering(
      (request, { status }) => isBulk(request) && status === 200,
      async (reply, request, serve) => {
        const kept = new Set(bodyIn(request).map(({ id }: { id: string }) => id))
        const { body } = await serve({ method: 'GET', url: request.url })
        for (const { id } of body as { id: string }[])
          if (!kept.has(id)) await serve({ method: 'DELETE', url: `${request.url}/${id}` })
        return reply
      },
    ),
    ['bulk-empty'],
  ],
  [
    'bulk-whole-or-not',
    'half is done',
    answering(
      (request, reply) => isBulk(request) && codeIn(reply) === 'not_found',
      async (reply, request, serve) => {
        for (const item of bodyIn(request))
          await serve({ ...request, body: JSON.stringify([item]) })
        return reply
      },
    ),
  ],
  [
    'bulk-whole-or-not',
    'what is unknown is left out',
    answering(
      (request, reply) => isBulk(request) && codeIn(reply) === 'not_found',
      () => fine([]),
    ),
  ],
  [
    'bulk-ids',
    'a repeated id is taken',
    lenient(
      'validation_failed',
      [],
      (request) =>
        isBulk(request) &&
        Array.isArray(bodyIn(request)) &&
        bodyIn(request).length === 2 &&
        bodyIn(request)[1] !== 5,
    ),
  ],
  [
    'bulk-no-array',
    'one item is a bulk',
    lenient(
      'validation_failed',
      [],
      (request) => isBulk(request) && !Array.isArray(bodyIn(request)),
    ),
  ],
  [
    'bulk-empty',
    'an empty bulk is refused',
    renamed((request) => isBulk(request) && request.body === '[]', 422, 'validation_failed'),
  ],
  [
    'collection-slash',
    'a slash on DELETE is ignored',
    sending(
      (request) => isDeleteAll(request),
      (request) => ({ ...request, url: request.url.replace('players/', 'players') }),
    ),
  ],
  [
    'item-slash',
    'a slash on DELETE of an item is ignored',
    sending(
      (request) => isDelete(request) && !isDeleteAll(request),
      (request) => ({ ...request, url: request.url.replace(/\/$/, '') }),
    ),
  ],
  [
    'item-slash',
    'a slash on PUT of an item is ignored',
    sending(
      (request) => isPut(request) && /\/players\/[^/]+\/$/.test(request.url),
      (request) => ({ ...request, url: request.url.slice(0, -1) }),
    ),
  ],
  [
    'delete-many-condition',
    'a blank search is ignored',
    sending(
      (request) => isDeleteAll(request) && /\?q=/.test(request.url),
      (request) => stripped(request, /./),
    ),
  ],
  [
    'delete-many',
    'a filter by id is ignored',
    sending(
      (request) => isDeleteAll(request) && /\?id/.test(request.url),
      (request) => stripped(request, /^id/),
    ),
    ['delete-many-bound', 'delete-many-most'],
  ],
  [
    'delete-many-bound',
    'there is a bound without the header',
    sending(
      (request) => isDeleteAll(request) && /\?id/.test(request.url),
      ({ headers, ...request }) => ({
        ...request,
        headers: { prefer: 'max-affected=9', ...headers },
      }),
    ),
  ],
  [
    'delete-many-most',
    'a bound of any size is taken',
    sending(
      ({ headers }) => /=9{9}/.test(`${headers?.prefer}`),
      ({ headers, ...request }) => ({
        ...request,
        headers: { ...headers, prefer: 'max-affected=9' },
      }),
    ),
  ],
  [
    'delete-many-parameter',
    'an unknown parameter beside a filter is ignored',
    sending(
      (request) => isDeleteAll(request) && /\?id/.test(request.url),
      (request) => stripped(request, /^(?!id)/),
    ),
  ],
  [
    'delete-many-dry-run',
    'a dry run deletes',
    sending(
      ({ method, url }) => method === 'DELETE' && /\?id.*dry_run/.test(url),
      (request) => stripped(request, /^dry_run/),
    ),
  ],
  [
    'delete-all-parameter',
    'an unknown parameter is ignored',
    sending(
      (request) => isDeleteAll(request) && !/[?&](id|q)=/.test(request.url),
      (request) => stripped(request, /./),
    ),
    ['delete-many-condition'],
  ],
  [
    'write-parameter',
    'a filter of DELETE is ignored',
    sending(
      (request) => isDelete(request) && !isDeleteAll(request) && /\?id=/.test(request.url),
      (request) => stripped(request, /^id/),
    ),
  ],
  [
    'delete-many-condition',
    'an empty query is ignored',
    sending(
      (request) => isDeleteAll(request) && request.url.endsWith('?'),
      (request) => ({ ...request, url: request.url.slice(0, -1) }),
    ),
  ],
  ['delete-all-body', 'a body is ignored', sending(isDeleteAll, withoutBody)],
  [
    'max-affected',
    'the bound is ignored',
    sending(isDelete, withoutHeader('prefer')),
    ['delete-many', 'delete-many-most'],
  ],
  [
    'delete-all',
    'it says nothing',
    answering(
      (request, { status }) => isDeleteAll(request) && status === 200,
      () => fine([]),
    ),
    ['delete-many'],
  ],
]
