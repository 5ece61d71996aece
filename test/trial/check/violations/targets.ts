import type { HttpRequest } from 'nounful'
import {
  always,
  announcing,
  answering,
  codeIn,
  fine,
  type Injected,
  isList,
  lenient,
  listing,
  pathOf,
  renamed,
  sending,
} from './tools.ts'

const json = { 'content-type': 'application/json' }
const isGet = ({ method }: { readonly method: string }) => method === 'GET'

const isHome = (request: HttpRequest) => isGet(request) && pathOf(request) === '/v1'

// A home document with one resource.
const homeOf = (resource: object) => () =>
  fine({ versions: [{ name: 'v1', resources: [resource] }] })

/** Violations of rules about paths, parents, methods and responses. */
export const targets: readonly Injected[] = [
  [
    'trailing-slash',
    'a slash is redirected',
    answering(
      (request) => isGet(request) && /players\/$/.test(pathOf(request)),
      (_, request) => ({ status: 301, headers: { location: request.url.slice(0, -1) }, body: '' }),
    ),
    ['twelve-statuses'],
  ],
  [
    'trailing-slash',
    'a slash is something else',
    renamed((request) => isGet(request) && /\/count\/$/.test(pathOf(request)), 404, 'not_found'),
  ],
  [
    'empty-segment',
    'slashes are merged',
    sending(
      ({ url }) => url.includes('//'),
      (request) => ({ ...request, url: request.url.replace(/\/\/+/g, '/') }),
    ),
  ],
  [
    'percent-faults',
    'a broken escape is an id',
    renamed((_, reply) => codeIn(reply) === 'bad_percent_encoding', 404, 'not_found'),
  ],
  [
    'dots',
    'dots are resolved',
    answering(
      (request, reply) => isGet(request) && codeIn(reply) === 'bad_path',
      () => fine([]),
    ),
  ],
  [
    'decoded-once',
    'segments are decoded twice',
    sending(
      ({ url }) => url.includes('%2566'),
      (request) => ({ ...request, url: request.url.replaceAll('%25', '%') }),
    ),
    ['client-ids'],
  ],
  [
    'reserved-words',
    'only as they are written',
    renamed((request) => /%66irst$/.test(request.url), 404, 'not_found'),
    ['decoded-once'],
  ],
  [
    'case-sensitive',
    'case is folded',
    sending(
      ({ url }) => /PLAYERS|FIRST/.test(url),
      (request) => ({ ...request, url: request.url.toLowerCase() }),
    ),
  ],
  [
    'unknown-resource',
    'an unknown noun is an empty list',
    lenient(
      'unknown_resource',
      [],
      ({ method, url }) => method === 'GET' && url.includes('nounful_no'),
    ),
  ],
  [
    'unknown-version',
    'any version is the only one',
    sending(
      ({ url }) => /^\/v999/.test(url),
      (request) => ({ ...request, url: request.url.replace('/v999', '') }),
    ),
  ],
  [
    'unknown-version',
    'without the supported ones',
    answering(
      (_, reply) => codeIn(reply) === 'unknown_version',
      (reply) => {
        const { supported, ...body } = Object(reply.body)
        return { ...reply, body }
      },
    ),
  ],
  [
    'version-exact',
    'versions are numbers',
    sending(
      ({ url }) => /^\/v01\//.test(url),
      (request) => ({ ...request, url: request.url.replace('/v01', '/v1') }),
    ),
  ],
  [
    'unversioned',
    'without a version is an error',
    renamed((request) => /^\/teams/.test(request.url), 400, 'bad_path'),
  ],
  [
    'parent-missing',
    'a missing parent has an empty list',
    lenient(
      'parent_not_found',
      [],
      ({ method, url }) => method === 'GET' && /\/players$/.test(url) && url.includes('nounful_no'),
    ),
  ],
  [
    'parent-missing',
    'a missing parent counts nothing',
    lenient('parent_not_found', { count: 0 }, ({ url }) => /\/count$/.test(url)),
  ],
  [
    'parent-reserved',
    'a reserved word is a parent',
    lenient('parent_not_found', [], ({ url }) => /teams\/(?:first|last)\//.test(url)),
  ],
  [
    'scope-list',
    'a nested list has everything',
    listing(
      (request) => !request.url.includes('?') && request.url.includes('t1'),
      (items) => items.map((item, place) => (place === 0 ? { ...item, team_id: 't2' } : item)),
    ),
    [
      'item-by-id',
      'first-is-first',
      'last-is-last',
      'decoded-once',
      'pages-join',
      'q-everywhere',
      'filter-everywhere',
      'trailing-slash',
      'reserved-words',
      'fields-empty',
      'include-adds',
      'include-several',
      'include-same',
      'include-fields',
    ],
  ],
  [
    'scope-item',
    'an item is anywhere',
    answering(
      (request, reply) =>
        isGet(request) && codeIn(reply) === 'not_found' && /t2\/players\/p[1-5]$/.test(request.url),
      (_, request, serve) => serve({ ...request, url: request.url.replace('t2', 't1') }),
    ),
  ],
  [
    'scope-count',
    'a count is of all',
    answering(
      (request, { status }) => status === 200 && /t1\/players\/c(?:o|%6F)unt$/.test(request.url),
      () => fine({ count: 6 }),
    ),
    ['count-agrees', 'options', 'reserved-words'],
  ],
  [
    'parent-is-item',
    'a parent cannot be read',
    renamed((request) => isGet(request) && /\/teams\/t1$/.test(request.url), 404, 'not_found'),
    ['include-same'],
  ],
  [
    'method-not-allowed',
    'a strange method is 400',
    renamed((_, reply) => codeIn(reply) === 'method_not_allowed', 400, 'bad_request'),
    ['no-post-on-item'],
  ],
  [
    'method-not-allowed',
    'a strange method is 501',
    answering(
      ({ method }) => method === 'PROPFIND',
      (reply) => ({ ...reply, status: 501 }),
    ),
    ['twelve-statuses', 'no-server-error', 'problem-members', 'problem-code'],
  ],
  [
    'allow',
    '405 without Allow',
    answering(
      (_, { status }) => status === 405,
      (reply) => {
        const { allow, ...headers } = reply.headers
        return { ...reply, headers }
      },
    ),
  ],
  [
    'allow',
    'Allow has every method',
    answering(
      (_, { status }) => status === 405,
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
      }),
    ),
    ['options'],
  ],
  [
    'options',
    'OPTIONS is 204',
    answering(
      ({ method }) => method === 'OPTIONS',
      ({ headers }) => ({ status: 204, headers, body: '' }),
    ),
    ['twelve-statuses', 'json-type', 'next-keeps-query'],
  ],
  [
    'options',
    'OPTIONS has another Allow',
    answering(
      ({ method }) => method === 'OPTIONS',
      (reply) => ({ ...reply, headers: { ...reply.headers, allow: 'OPTIONS' } }),
    ),
    ['home'],
  ],
  [
    'accept-patch',
    'there is none',
    answering(
      ({ method, url }) => method === 'OPTIONS' && !/players$/.test(url),
      ({ headers: { 'accept-patch': _, ...headers }, ...reply }) => ({ ...reply, headers }),
    ),
  ],
  [
    'accept-patch',
    'a collection takes merge patches',
    answering(
      ({ method, url }) => method === 'OPTIONS' && /players$/.test(url),
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, 'accept-patch': 'application/merge-patch+json' },
      }),
    ),
  ],
  ['head', 'HEAD is 405', renamed(({ method }) => method === 'HEAD', 405, 'method_not_allowed')],
  [
    'head',
    'HEAD has another type',
    answering(
      ({ method }) => method === 'HEAD',
      (reply) => ({ ...reply, headers: { ...reply.headers, 'content-type': 'text/plain' } }),
    ),
    ['json-type', 'problem-type'],
  ],
  [
    'home',
    'the home document names no nested resource',
    answering(isHome, homeOf({ path: '/v1/teams', methods: ['GET', 'OPTIONS'] })),
  ],
  [
    'home',
    'the home document names a method that the resource lacks',
    answering(isHome, homeOf({ path: '/v1/teams/{team_id}/players', methods: ['GET', 'TRACE'] })),
  ],
  [
    'get-body',
    'a body on GET is ignored',
    sending(
      (request) => isGet(request),
      (request) => ({ ...request, body: undefined }),
    ),
  ],
  [
    'accept-ignored',
    'Accept is heeded',
    answering(
      ({ headers }) => headers?.accept === 'application/xml',
      (reply) => ({ ...reply, status: 406 }),
    ),
    ['twelve-statuses', 'problem-type', 'problem-members', 'problem-code'],
  ],
  [
    'conditions-ignored',
    'If-None-Match is 304',
    answering(
      ({ method, headers }) => method === 'GET' && headers?.['if-none-match'] !== undefined,
      () => ({ status: 304, headers: {}, body: '' }),
    ),
    ['twelve-statuses'],
  ],
  [
    'ranges-ignored',
    'a range is 206',
    answering(
      (request, { status }) =>
        isGet(request) && status === 200 && request.headers?.range !== undefined,
      (reply) => ({ ...reply, status: 206 }),
    ),
    ['twelve-statuses'],
  ],
  [
    'twelve-statuses',
    'a strange status',
    answering(
      (request) => /limit=abc/.test(request.url),
      (reply) => ({ ...reply, status: 418 }),
    ),
    ['limit-bounds', 'problem-members', 'problem-code'],
  ],
  [
    'twelve-statuses',
    '410 for what is gone',
    answering(
      (request) => isGet(request) && /%2566irst$/.test(request.url),
      (reply) => ({ ...reply, status: 410, body: { ...Object(reply.body), status: 410 } }),
    ),
    ['decoded-once', 'problem-code'],
  ],
  [
    'json-type',
    'a list is text',
    answering(
      (request, { status }) => status === 200 && isList(request),
      (reply) => ({
        ...reply,
        headers: { ...reply.headers, 'content-type': 'text/html; charset=utf-8' },
      }),
    ),
    ['head'],
  ],
  [
    'problem-type',
    'a problem is JSON',
    answering(
      (_, { status }) => status >= 400,
      (reply) => ({ ...reply, headers: { ...reply.headers, ...json } }),
    ),
  ],
  [
    'problem-members',
    'a problem without a message',
    answering(
      (_, { status }) => status >= 400,
      (reply) => {
        const { message, ...body } = Object(reply.body)
        return { ...reply, body }
      },
    ),
  ],
  [
    'problem-members',
    'a problem is text',
    answering(
      (_, { status }) => status === 404,
      (reply) => ({ ...reply, body: 'Not found' }),
    ),
    ['problem-code', 'unknown-version', 'head'],
  ],
  [
    'problem-code',
    'a code of its own',
    answering(
      (_, reply) => codeIn(reply) === 'not_found',
      (reply) => ({ ...reply, body: { ...Object(reply.body), code: 'ENOENT' } }),
    ),
  ],
  [
    'problem-code',
    'a code of another status',
    answering(
      (_, reply) => codeIn(reply) === 'empty_collection',
      (reply) => ({ ...reply, body: { ...Object(reply.body), code: 'conflict' } }),
    ),
    ['empty-collection', 'related-everywhere'],
  ],
  [
    'no-server-error',
    'an internal error',
    renamed((request) => /limit=abc/.test(request.url), 500, 'internal_error'),
    ['limit-bounds'],
  ],
  [
    'safe-methods',
    'HEAD loses an item',
    (() => {
      let isLost = false
      const lose = listing(always, (items) => (isLost ? items.slice(1) : items))
      return (request, serve) => {
        isLost ||= request.method === 'HEAD' && /players\/p1$/.test(pathOf(request))
        return lose(request, serve)
      }
    })(),
  ],
  ['deprecation-syntax', 'it is true', announcing({ deprecation: 'true' })],
  [
    'deprecation-syntax',
    'it is a date of HTTP',
    announcing({ deprecation: 'Sun, 01 Nov 2026 00:00:00 GMT' }),
  ],
  [
    'sunset-syntax',
    'it is a day',
    announcing({ deprecation: '@1793491200', sunset: '2027-11-01' }),
  ],
  [
    'sunset-syntax',
    'it is in UTC, as in the example of RFC 9745',
    announcing({ deprecation: '@1793491200', sunset: 'Mon, 01 Nov 2027 00:00:00 UTC' }),
  ],
  [
    'sunset-after-deprecation',
    'the sunset comes first',
    announcing({ deprecation: '@1793491200', sunset: 'Fri, 01 Nov 2019 00:00:00 GMT' }),
  ],
  [
    'deprecation-everywhere',
    'problems lack it',
    announcing({ deprecation: '@1793491200' }, ({ status }) => status < 400),
  ],
  [
    'successor-answers',
    'the successor is not there',
    announcing({ deprecation: '@1793491200', link: '</v9/none>; rel="successor-version"' }),
  ],
]
