import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import connect from 'connect'
import express, { type ErrorRequestHandler } from 'express'
import { type HttpHeaders, handle, type Operation, type Registry } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { serve, toNodeListener } from 'nounful/node'
import { describe, expect, test } from 'vitest'
import { statuses } from '../src/convention/operations.ts'
import { companiesRegistry } from './support/companies.ts'
import { bytesOf, exchange } from './support/socket.ts'

/** A request and its verdict, and the runtimes that cannot send it or answer it themselves. */
interface Row {
  readonly method: string
  readonly target: string
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string | string[]>>
  readonly verdict: string
  /**
   * `wire`: a `Request` cannot hold it. `path`: nor can a prefix. `text`: a host's parser differs.
   */
  readonly only?: 'wire' | 'path' | 'text'
}

const json = { 'content-type': 'application/json' }
const gita = '{"name":"Gita","birthdate":"1991-04-09"}'
const post = (body: string | Uint8Array, verdict: string, only?: Row['only']): Row => {
  const row = { method: 'POST', target: '/v1/employees', headers: json, body, verdict }
  return only === undefined ? row : { ...row, only }
}
const typed = (type: string | string[], verdict: string, only?: Row['only']): Row => ({
  ...post(gita, verdict, only),
  headers: { 'content-type': type },
})
const get = (target: string, verdict: string, only?: Row['only']): Row => {
  const row = { method: 'GET', target, verdict }
  return only === undefined ? row : { ...row, only }
}
const put = (target: string, body: string, verdict: string, headers: object = {}): Row => {
  return { method: 'PUT', target, headers: { ...json, ...headers }, body, verdict }
}
const renamed = '{"name":"Ada King","birthdate":"1988-12-10"}'

const rows: readonly Row[] = [
  // The operations, at the top and nested.
  get('/v1/employees', '200'),
  get('/employees', '200'),
  get('/v1/employees/', '200'),
  get('/v1/employees/?q=ada', '200'),
  get('/v1/employees?sort=name,-birthdate,-created_at', '200'),
  get('/v1/employees?limit=2', '200'),
  get('/v1/companies/c-acme/employees/?sort=-birthdate&limit=1', '200'),
  get('/v1/companies/c-acme/customers/?q=harbor', '200'),
  get('/v1/employees/e-ada', '200'),
  get('/v1/employees/first', '200'),
  get('/v1/employees/last?sort=-name', '200'),
  get('/v1/employees/count', '200'),
  get('/v1/companies/c-acme/employees/count', '200'),
  get('/v1/companies/c-umbra/employees/first', '404 empty_collection'),
  get('/v1/employees/%66irst', '200'),
  get('/v1/companies/c-acme/employees/e-ada', '200'),
  post(gita, '201'),
  post('{"name":"Zo\\u00eb 😀 \\"q\\" <b>","birthdate":"1991-04-09"}', '201'),
  { ...post('{"name":"Kay"}', '201'), target: '/v1/companies/c-acme/customers' },
  put('/v1/employees/e-ada', renamed, '200'),
  put('/v1/employees', '[{"id":"e-ada","name":"Ada King","birthdate":"1988-12-10"}]', '200'),
  put('/v1/employees', '[]', '200'),
  { method: 'DELETE', target: '/v1/employees/e-ada', verdict: '200' },
  { method: 'DELETE', target: '/v1/employees', verdict: '200' },
  { method: 'DELETE', target: '/v1/companies/c-acme/customers', verdict: '200' },
  { method: 'DELETE', target: '/v1/companies/c-acme', verdict: '409 conflict' },
  { method: 'HEAD', target: '/v1/employees', verdict: '200' },
  { method: 'HEAD', target: '/v1/employees/e-nobody', verdict: '404' },
  { method: 'HEAD', target: '/v1/employees?sort=bogus', verdict: '400' },
  { method: 'OPTIONS', target: '/v1/employees', verdict: '200' },
  { method: 'OPTIONS', target: '/v1/employees/e-ada?x=%zz', verdict: '200' },
  { method: 'OPTIONS', target: '*', verdict: '200', only: 'path' },
  // Methods
  { ...post(gita, '405 method_not_allowed'), target: '/v1/employees/e-ada' },
  { ...post(gita, '405 method_not_allowed'), target: '/v1/employees/first' },
  {
    method: 'PATCH',
    target: '/v1/employees/first',
    headers: json,
    body: '{}',
    verdict: '405 method_not_allowed',
  },
  { method: 'PROPFIND', target: '/v1/employees', verdict: '405 method_not_allowed' },
  { method: 'TRACE', target: '/v1/employees', verdict: '405 method_not_allowed', only: 'wire' },
  { ...get('/v1/employees/e-ada', '200'), headers: { 'x-http-method-override': 'DELETE' } },
  // Paths
  get('/', '200'),
  get('/v1', '200'),
  get('/?q=ada', '400 unknown_parameter'),
  { method: 'DELETE', target: '/v1/', verdict: '405 method_not_allowed' },
  { method: 'OPTIONS', target: '/', verdict: '200' },
  get('//', '404 unknown_resource'),
  get('/v1/nowhere', '404 unknown_resource'),
  get('/v1/employee', '404 unknown_resource'),
  get('/v1/Employees', '404 unknown_resource'),
  get('/v1/__proto__', '404 unknown_resource'),
  get('/v1/employees/constructor', '404 not_found'),
  get('/v2/employees', '404 unknown_version'),
  get('/v01/employees', '404 unknown_version'),
  get('/v1//employees', '404 unknown_resource'),
  get('/v1/employees//', '404 unknown_resource'),
  get('/v1/employees//e-ada', '404 unknown_resource'),
  get('/v1/employees/e-ada/e-ben', '404 unknown_resource'),
  get('/v1/companies/first/employees', '404 parent_not_found'),
  get('/v1/companies/c-nobody/employees', '404 parent_not_found'),
  get('/v1/companies/c-globex/employees/e-ada', '404 not_found'),
  get('/v1/companies/c-acme%2Femployees', '404 not_found'),
  get('/v1/employees/e-ada%0d%0aX-Injected:%201', '404 not_found'),
  get('/v1/employees/%zz', '400 bad_percent_encoding'),
  get('/v1/employees/%C0%AF', '400 bad_percent_encoding'),
  get('/v1/employees/e-ada%00', '400 bad_percent_encoding'),
  get('/v1/employees/..', '400 bad_path', 'wire'),
  get('/v1/employees/%2e%2e/e-ada', '400 bad_path', 'wire'),
  get('/v1/employees\\e-ada', '400 bad_path', 'wire'),
  get('/v1/employees#first', '400 bad_path', 'wire'),
  get(`/v1/employees/${'a'.repeat(5000)}`, '400 uri_too_long'),
  get('http://other.example/v1/employees', '200', 'path'),
  { method: 'DELETE', target: '/v1/employees/', verdict: '400 bad_path' },
  // Parameters
  get('/v1/employees?x=1', '400 unknown_parameter'),
  get('/v1/employees?q=a&q=b', '400 repeated_parameter'),
  get('/v1/employees?sort[]=name', '400 unknown_parameter'),
  get('/v1/employees?sort=email', '400 sort_unknown_field'),
  get('/v1/employees?sort=name,name', '400 sort_duplicate_field'),
  get('/v1/employees?sort=,', '400 sort_invalid'),
  get('/v1/employees?limit=0', '400 bad_parameter'),
  get('/v1/employees?after=x', '400 invalid_cursor'),
  get('/v1/employees?q=%', '400 bad_percent_encoding'),
  { method: 'DELETE', target: '/v1/employees?q=', verdict: '400 bad_parameter' },
  // Bodies and their declarations
  { method: 'POST', target: '/v1/employees', verdict: '400 unsupported_media_type' },
  { method: 'POST', target: '/v1/employees', headers: json, verdict: '400 body_missing' },
  { method: 'POST', target: '/v1/employees', headers: json, body: '', verdict: '400 body_missing' },
  typed('application/json; charset="utf-8"', '201'),
  typed('application/json; charset=latin1', '400 unsupported_media_type', 'text'),
  typed('text/plain', '400 unsupported_media_type'),
  typed('application/jsonp', '400 unsupported_media_type'),
  typed(['text/plain', 'application/json'], '400 unsupported_media_type'),
  typed(['application/json', 'application/json'], '400 unsupported_media_type', 'text'),
  {
    ...post(gita, '400 unsupported_encoding', 'text'),
    headers: { ...json, 'content-encoding': 'gzip' },
  },
  post('{"name":"x",}', '400 json_invalid', 'text'),
  post('\ufeff{"name":"x","birthdate":"1990-01-01"}', '400 json_invalid', 'text'),
  post(Buffer.from('{"name":"\xc0\xaf"}', 'latin1'), '400 json_invalid', 'text'),
  post(`${'['.repeat(33)}${']'.repeat(33)}`, '400 json_too_deep'),
  post('{"name":"x","name":"y"}', '400 json_duplicate_key', 'text'),
  post('{"name":"x","__proto__":{}}', '400 json_forbidden_key'),
  post('null', '422 validation_failed', 'text'),
  post('[5]', '422 validation_failed'),
  post('{"name":"","birthdate":"x","role":"admin","id":"first"}', '422 reserved_id'),
  post('{"name":"a\\u0000","birthdate":"1990-01-01"}', '422 validation_failed'),
  post(`"${'a'.repeat(1_048_576)}"`, '400 body_too_large', 'text'),
  {
    ...post(
      '{"name":"x","birthdate":"1990-01-01","company_id":"c-globex"}',
      '422 validation_failed',
    ),
    target: '/v1/companies/c-acme/employees',
  },
  {
    method: 'DELETE',
    target: '/v1/employees',
    headers: json,
    body: '[{"id":"e-ada"}]',
    verdict: '400 body_not_allowed',
  },
  {
    method: 'GET',
    target: '/v1/employees',
    headers: json,
    body: '{}',
    verdict: '400 body_not_allowed',
    only: 'wire',
  },
  put(
    '/v1/employees/e-ada',
    '{"id":"e-ben","name":"x","birthdate":"1990-01-01"}',
    '409 id_mismatch',
  ),
  put('/v1/employees/e-ada', renamed, '409 precondition_failed', { 'if-match': '"1"' }),
  put('/v1/employees/e-ada', renamed, '400 bad_request', { 'content-range': 'bytes 0-1/2' }),
  put(
    '/v1/employees',
    '[{"id":"e-ada","name":1},{"id":{"toString":1},"name":"x"}]',
    '422 validation_failed',
  ),
  put(
    '/v1/employees',
    '[{"id":"e-ada","name":"x","birthdate":"1990-01-01"},{"id":"z","name":"x","birthdate":"1990-01-01"}]',
    '404 not_found',
  ),
  {
    method: 'DELETE',
    target: '/v1/employees',
    headers: { prefer: 'max-affected=2' },
    verdict: '409 too_many_affected',
  },
  {
    ...get('/v1/employees/e-ada', '200'),
    headers: { 'if-none-match': '*', range: 'bytes=0-5', accept: 'text/html' },
  },
]

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface Runtime {
  readonly name: string
  /** The path of the mount. */
  readonly base: string
  readonly cannot: readonly Row['only'][]
  /** The host has something to say about unknown paths. */
  readonly isHost: boolean
  readonly ask: (row: Row, registry: Registry) => Promise<Answer>
}

/** Stands for a body of the host's own server. */
const hosts = 'the host'

const giveUp: ErrorRequestHandler = (_error, _request, response, _next) => {
  response.status(500).end()
}

const runtimes: readonly Runtime[] = [
  { name: 'fetch', base: '', cannot: ['wire', 'path'], isHost: false, ask: askFetch },
  {
    name: 'Node',
    base: '',
    cannot: [],
    isHost: false,
    ask: asking((registry) => createServer(toNodeListener(registry))),
  },
  {
    name: 'Express',
    base: '/api',
    cannot: ['path'],
    isHost: true,
    ask: asking((registry) =>
      mount(express().disable('x-powered-by').use('/api', toNodeListener(registry))),
    ),
  },
  {
    name: 'Express after express.json',
    base: '/api',
    cannot: ['path', 'text'],
    isHost: true,
    ask: asking((registry) =>
      mount(
        express().disable('x-powered-by').use(express.json()).use('/api', toNodeListener(registry)),
      ),
    ),
  },
  {
    name: 'Connect',
    base: '/api',
    cannot: ['path'],
    isHost: true,
    ask: asking((registry) => {
      const app = connect().use('/api', toNodeListener(registry))
      return createServer(
        app.use((_request, response) =>
          response.writeHead(404, { 'content-length': hosts.length }).end(hosts),
        ) as RequestListener,
      )
    }),
  },
  { name: 'serve', base: '', cannot: [], isHost: false, ask: askServed },
]

/** The same registry, whose lists come item by item; the ends and the count are made of them. */
function streaming(registry: Registry): Registry {
  const bindings = registry.bindings.map(({ adapter, ...binding }) => {
    const { first: _, last: __, count: ___, ...others } = adapter
    async function* list(operation: Operation, context: unknown): AsyncGenerator<unknown> {
      const items = adapter.list?.(operation, context)
      if (Array.isArray(items)) yield* items
    }
    return { ...binding, adapter: { ...others, list } }
  })
  return { ...registry, bindings }
}

function mount(app: ReturnType<typeof express>): Server {
  app.use((_request, response) => void response.status(404).end(hosts)).use(giveUp)
  return createServer(app)
}

async function askFetch(
  { method, target, headers = {}, body }: Row,
  registry: Registry,
): Promise<Answer> {
  const sent = new Headers()
  for (const [name, values] of Object.entries(headers)) {
    for (const value of [values].flat()) sent.append(name, value)
  }
  const init: RequestInit = { method, headers: sent }
  if (body !== undefined) init.body = typeof body === 'string' ? body : Uint8Array.from(body)
  const request = new Request(`http://any.example${target}`, init)
  // `Request` adds a content type to a text, which the row does not have.
  if (headers['content-type'] === undefined) request.headers.delete('content-type')
  const response = await toFetchHandler(registry)(request)
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  }
}

function asking(serverFor: (registry: Registry) => Server): Runtime['ask'] {
  return async (row, registry) => {
    const server = serverFor(registry)
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    try {
      return await askPort((server.address() as AddressInfo).port, row)
    } finally {
      server.close()
    }
  }
}

async function askServed(row: Row, registry: Registry): Promise<Answer> {
  const server = await serve(registry, { port: 0, hosts: '*' })
  try {
    return await askPort(server.port, row)
  } finally {
    await server.close()
  }
}

async function askPort(port: number, { method, target, headers = {}, body }: Row): Promise<Answer> {
  const fields = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => [name, value] as const),
  )
  const { answers } = await exchange(port, bytesOf([method, target], fields, body), {
    heads: method === 'HEAD' ? [0] : [],
  })
  expect(answers).toHaveLength(1)
  return answers[0] as Answer
}

// Writes the response of `handle` as a door does: its body is a text with a length.
async function expected(
  { method, target, headers = {}, body }: Row,
  base: string,
): Promise<Answer> {
  const joined: HttpHeaders = headers
  const request = {
    method,
    url: target,
    headers: joined,
    base,
    body: body === '' ? undefined : body,
  }
  const answer = await handle(request, companiesRegistry())
  const full =
    method === 'HEAD' ? await handle({ ...request, method: 'GET' }, companiesRegistry()) : answer
  const text = JSON.stringify(full.body)
  return {
    status: answer.status,
    headers: { ...answer.headers, 'content-length': `${Buffer.byteLength(text)}` },
    text: method === 'HEAD' ? '' : text,
  }
}

// Leaves out connections. Runtimes differ in which of two faults of a content type they name.
function comparable({ status, headers, text }: Answer): object {
  const { date: _, connection: __, 'keep-alive': ___, 'content-length': length, ...kept } = headers
  const { detail, message, ...document } = text === '' ? {} : JSON.parse(text)
  const sentence = document.code === 'unsupported_media_type' ? {} : { detail, message, length }
  return { status, headers: kept, body: Array.isArray(document) ? text : document, ...sentence }
}

describe('handle', () => {
  for (const row of rows) {
    test(`${row.method} ${row.target.slice(0, 60)} is ${row.verdict}`, async () => {
      const { status, text } = await expected(row, '')
      const { code } = text === '' ? { code: undefined } : JSON.parse(text)
      expect(status < 400 || code === undefined ? `${status}` : `${status} ${code}`).toBe(
        row.verdict,
      )
      expect(statuses).toContain(status)
    })
  }
})

for (const { name, base, cannot, isHost, ask } of runtimes) {
  describe(`${name} answers as handle does`, () => {
    for (const row of rows.filter(({ only }) => only === undefined || !cannot.includes(only))) {
      test(`${row.method} ${row.target.slice(0, 60)} ${row.verdict}`, async () => {
        const answer = await ask({ ...row, target: base + row.target }, companiesRegistry())
        const isUnknown = /unknown_(resource|version)$/.test(row.verdict)
        if (isHost && isUnknown) expect([answer.status, answer.text]).toEqual([404, hosts])
        else expect(comparable(answer)).toEqual(comparable(await expected(row, base)))
      })
    }
  })

  describe(`${name} answers item by item as from an array`, () => {
    const reads = rows.filter(({ method, only }) => /GET|HEAD/.test(method) && only === undefined)
    for (const row of reads.filter(({ verdict }) => !/unknown_(resource|version)$/.test(verdict))) {
      test(`${row.method} ${row.target.slice(0, 60)} ${row.verdict}`, async () => {
        const asked = { ...row, target: base + row.target }
        const answer = await ask(asked, streaming(companiesRegistry()))
        expect(comparable(answer)).toEqual(comparable(await expected(row, base)))
      })
    }
  })
}
