import { type } from 'arktype'
import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  type Issue,
  problems,
  type Registry,
  type StandardSchema,
} from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { toOpenApi } from 'nounful/openapi'
import * as valibot from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { registry } from '../../examples/companies/registry.ts'
import { shopRegistry } from '../support/shop.ts'
import { exchange } from '../support/socket.ts'

type Row = readonly [line: string, body: string | undefined, detail: string]
const born = '"birthdate":"1990-01-01"'

// biome-ignore format: a row stays a line
const rows: readonly Row[] = [
  ['GET /v1/employee',               undefined, 'No resource "employee". Did you mean "/v1/employees"?'],
  ['GET /v3/x',                      undefined, 'No version "v3": start the path with /v1 or /v2.'],
  ['GET /v1/employees?foo=1',        undefined, 'Unknown parameter "foo". Allowed: q, id, company_id, name, email, birthdate, created_at, sort, limit, offset, after, fields, include.'],
  ['GET /v1/employees?field=name',   undefined, 'Unknown parameter "field". Did you mean "fields"?'],
  ['GET /v1/employees?sort=foo',     undefined, 'Cannot sort by "foo". Sortable: id, name, birthdate, created_at.'],
  ['GET /v1/employees?limit=0',      undefined, '"limit" must be a whole number from 1 to 1000'],
  ['GET /v1/employees?include=foo',  undefined, '"include" does not take "foo". Allowed: company.'],
  ['GET /v2/employees?email:foo=x',  undefined, '"email" has no ":foo". It takes =, :ne, :null, :contains, :startsWith, :endsWith.'],
  ['GET /v1/employees/zzz',          undefined, 'No employee "zzz".'],
  ['GET /v1/companies/zzz/employees', undefined, 'No company "zzz".'],
  ['DELETE /v1/employees?name=x',    undefined, 'This deletes all items that match: send "prefer: max-affected=N" with the most items.'],
  ['POST /v1/employees',             '{', 'Invalid JSON at line 1, column 2: expected a key in quotes.'],
  ['POST /v1/employees',             undefined, 'This request needs a body: send JSON.'],
  ['POST /v1/employees',             '{"name":null}', 'name: cannot be null; birthdate: is required'],
  ['PATCH /v1/employees/001',        '{"name":null}', 'name: cannot be null'],
  ['PUT /v1/employees',              '{}', 'The body must be an array of items'],
  ['POST /v1/employees',             `{"name":"x",${born},"company_id":"999"}`, 'company_id: no company "999"'],
  ['POST /v1/companies/001/employees', `{"name":"x",${born},"company_id":"002"}`, 'company_id: must be "001", as in the path, or left out'],
]
test.each(rows)('%s with %s says %s', async (line, body, detail) => {
  const [method = '', url = ''] = line.split(' ')
  const sent = { method, url, headers: { 'content-type': 'application/json' } }
  const response = await handle(body === undefined ? sent : { ...sent, body }, registry)
  expect(response.body).toMatchObject({ detail, message: detail })
})

const Note = z.object({ id: z.string(), text: z.string('Bitte einen Text.') })
const notes = defineResource('notes', { schema: Note, create: Note.omit({ id: true }) })
const view = defineView('notes_v1', notes, {
  schema: z.object({ id: z.string(), body: z.string() }),
  // Takes what the stored resource refuses.
  create: z.object({ body: z.any() }),
  fields: { body: 'text' },
})
const versions = () => ({ v1: { '/notes': view }, v2: { '/notes': notes } })
const authors = ['core', 'validator'] as const
const info = { title: 'Notes', version: '1' }
const options = { defaultVersion: 'v2' } as const
const both = authors.map((messages) =>
  defineRegistry(defineApi(versions(), { messages }), options).adapters({
    notes: memoryAdapter({ items: [{ id: '1', text: 'x' }] }),
  }),
)

describe('two apis over one resource', () => {
  // biome-ignore format: a row stays a line
  const writes: readonly (readonly [line: string, body: unknown, place: string, own: string])[] = [
    ['POST /v2/notes',    { text: 7 },              'text',   'must be a text'],
    ['POST /v2/notes',    [{ text: 'x' }, {}],      '1/text', 'is required'],
    ['PUT /v2/notes/1',   { text: null },           'text',   'cannot be null'],
    ['PUT /v2/notes',     [{ id: '1', text: 7 }],   '0/text', 'must be a text'],
    ['PATCH /v2/notes/1', { text: 7 },              'text',   'must be a text'],
    ['PATCH /v2/notes',   [{ id: '1', text: 7 }],   '0/text', 'must be a text'],
    ['POST /v1/notes',    { body: 7 },              'body',   'must be a text'],
    ['POST /v1/notes',    [{ body: 7 }],            '0/body', 'must be a text'],
    ['PUT /v1/notes/1',   { body: 7 },              'body',   'must be a text'],
    ['PUT /v1/notes',     [{ id: '1', body: 7 }],   '0/body', 'must be a text'],
    ['PATCH /v1/notes/1', { body: 7 },              'body',   'must be a text'],
    ['PATCH /v1/notes',   [{ id: '1', body: 7 }],   '0/body', 'must be a text'],
    ['POST /v1/notes?dry_run=true', { body: 7 },    'body',   'must be a text'],
  ]
  test.each(writes)('%s %j have texts of their own', async (line, body, place, own) => {
    const [method = '', url = ''] = line.split(' ')
    const sent = { method, url, headers: { 'content-type': 'application/json' } }
    for (const at of [0, 1, 0, 1]) {
      const response = await handle({ ...sent, body: JSON.stringify(body) }, both[at] as Registry)
      const text = at === 0 ? own : 'Bitte einen Text.'
      expect([response.status, Object(response.body).detail]).toEqual([422, `${place}: ${text}`])
    }
  })

  test('have the same documents', () => {
    const [one, other] = both.map((registry) =>
      JSON.stringify(toOpenApi(registry as never, { info })),
    )
    expect(one).toBe(other)
  })

  test('have the same pages', async () => {
    const page = async (registry: Registry) => {
      const request = new Request('http://x.test/v2/notes/1', { headers: { accept: 'text/html' } })
      const service = toFetchHandler(registry, { layers: [explorer(registry)] })
      return (await service(request)).text()
    }
    const [one, other] = await Promise.all(both.map((registry) => page(registry as never)))
    expect(one).toContain('<!doctype html>')
    expect(one).toBe(other)
  })
})

const none = Symbol('no body')
const bo = { name: 'Bo', email: 'bo@x.example' }
const sku = '7b0a4f0e-4bb2-4c3a-9a3c-1f6a2f0d9b11'
const item = { sku, amount: 1 }
const cart = { customer_id: 'acme', status: 'open', lines: [item], total: 1 }
const as = (token: string, more: object = {}) => ({ authorization: `Bearer ${token}`, ...more })
const deep = '['.repeat(7) + ']'.repeat(7)
const long = 'x'.repeat(700)
const key = { 'idempotency-key': 'k-1' }
const withKey = [{ ...cart, total: 2 }, key] as const

/** A request and its problem; issues as `pointer code`, where they differ from the detail. */
type Aloud = readonly [
  line: string,
  sent: unknown,
  verdict: string,
  detail: string,
  issues?: readonly string[],
  headers?: object,
]

// biome-ignore format: a row stays a line
const aloud: readonly Aloud[] = [
  ['GET /v3/customers',                 none, '404 unknown_version', 'No version "v3": start the path with /v2.'],
  ['GET /v1/customers',                 none, '404 retired_version', 'Version v1 ended on 2026-01-31: use v2.'],
  ['GET /v2/costumers',                 none, '404 unknown_resource', 'No resource "costumers". Did you mean "/v2/customers"?'],
  ['GET /v2/zzz',                       none, '404 unknown_resource', 'No resource "zzz". Resources here: customers, orders, countries.'],
  ['GET /v2/customers/acme/order',      none, '404 unknown_resource', 'No resource "order". Did you mean "/v2/customers/acme/orders"?'],
  ['GET /v2/orders/o1/lines',           none, '404 unknown_resource', 'No resource "lines": nothing stands below an item here.'],
  ['GET /v2/customers/../x',            none, '400 bad_path', 'A path holds no "." and no "..": write the whole path.'],
  ['DELETE /v2/customers/acme/',        none, '400 bad_path', 'DELETE takes no trailing slash: a URL parser leaves one where an id is "", "." or "..".'],
  ['DELETE /v2/customers?',             none, '400 bad_parameter', 'Select the items: send a filter or a "q" that is not blank.', [], as('max')],
  ['GET /v2/customers/%zz',             none, '400 bad_percent_encoding', 'The path holds an escape that is not "%" and two hexadecimal digits of UTF-8.'],
  ['GET /v2/customers/%00',             none, '400 bad_percent_encoding', 'The path holds NUL, which no id can have.'],
  [`GET /v2/customers?q=${long}`,       none, '400 uri_too_long', 'The request target has more than 600 bytes.'],
  ['POST /v2/countries',                {},   '405 method_not_allowed', '"POST" is not allowed here: use GET, HEAD, OPTIONS.'],
  ['GET /v2/customers',                 none, '401 unauthenticated', 'This request needs valid credentials: send "authorization: Bearer …".', [], as('nobody')],
  ['DELETE /v2/customers',              none, '403 forbidden', 'You may not delete customers.'],
  ['GET /v2/customers',                 none, '429 rate_limited', 'Too many requests in a short time: wait, and try again.', [], as('quick')],
  ['GET /v2/customers',                 none, '500 internal_error', 'The server failed: its log has more by the request id.', [], as('broken')],
  ['GET /v2/customers',                 none, '503 unavailable', 'The service cannot answer now: try again later.', [], as('late')],
  ['DELETE /v2/customers',              none, '409 too_many_affected', 'This deletes the whole collection: send "prefer: max-affected=N" with the most items.', [], as('max')],
  ['DELETE /v2/customers',              none, '409 too_many_affected', 'This would delete more than 1 item: the server deleted none. Raise "max-affected", or narrow the filter.', [], as('max', { prefer: 'max-affected=1' })],
  ['DELETE /v2/customers',              none, '400 bad_request', 'Write "max-affected" of "prefer" as "max-affected=10".', [], as('max', { prefer: 'max-affected=x' })],
  ['DELETE /v2/customers?name=x',       none, '400 unknown_parameter', 'Unknown parameter "name". Allowed: q, id, email, born, active, credit, dry_run.', ['name'], as('max')],
  ['DELETE /v2/customers?id=acme',      none, '409 too_many_affected', 'This deletes all items that match: send "prefer: max-affected=N" with the most items.', [], as('max')],
  ['DELETE /v2/customers?id=acme',      none, '400 bad_request', '"max-affected" of "prefer" is at most 3 here.', [], as('max', { prefer: 'max-affected=1001' })],
  ['DELETE /v2/customers/acme?name=x',  none, '400 unknown_parameter', 'Unknown parameter "name". DELETE of an item takes none: it deletes the item in the path.', ['name']],
  ['GET /v2/customers?field=name',      none, '400 unknown_parameter', 'Unknown parameter "field". Did you mean "fields"?', ['field']],
  ['GET /v2/customers?credt=1',         none, '400 unknown_parameter', 'Unknown parameter "credt". Allowed: q, id, email, born, active, sort, limit, offset, after, fields.', ['credt']],
  ['GET /v2/customers?email:gt=x',      none, '400 unknown_parameter', '"email" has no ":gt": only sortable fields do. It takes =, :ne, :null.', ['email:gt']],
  ['GET /v2/customers?limit=5&limit=6', none, '400 repeated_parameter', '"limit" stands more than once: send it once', ['limit']],
  ['GET /v2/customers?limit=0',         none, '400 bad_parameter', '"limit" must be a whole number from 1 to 100', ['limit']],
  ['GET /v2/customers?born=soon',       none, '400 bad_parameter', '"born" must be a date, as in 2020-12-31', ['born']],
  ['GET /v2/orders?status=lost',        none, '400 bad_parameter', '"status" must be one of open, paid, sent', ['status']],
  ['GET /v2/orders?total=abc',          none, '400 bad_parameter', '"total" must be a number', ['total']],
  ['GET /v2/orders?include=customers',  none, '400 bad_parameter', '"include" does not take "customers". Did you mean "customer"?', ['include']],
  ['GET /v2/customers?fields=credit',   none, '400 bad_parameter', '"fields" does not take "credit". Allowed: id, shop_id, name, email, site, born, code, nick, active, created_at, version.', ['fields']],
  ['POST /v2/customers?dry_run=yes',    bo,   '400 bad_parameter', '"dry_run" must be true, or left out', ['dry_run']],
  ['GET /v2/customers?sort=name,,born', none, '400 sort_invalid', '"sort" holds an empty field: write names between commas', ['sort']],
  ['GET /v2/customers?sort=credit',     none, '400 sort_unknown_field', 'Cannot sort by "credit". Sortable: id, name, born.', ['sort']],
  ['GET /v2/customers?sort=name,name',  none, '400 sort_duplicate_field', '"sort" names "name" twice', ['sort']],
  ['GET /v2/customers?after=x',         none, '400 invalid_cursor', '"after" is no cursor of this query: take it from a "next" link, with the same parameters', ['after']],
  ['GET /v2/customers/hidden',          none, '404 not_found', 'No customer "hidden".'],
  ['GET /v2/customers/hidden/orders',   none, '404 parent_not_found', 'No customer "hidden".'],
  ['GET /v2/customers/first?email=z',   none, '404 empty_collection', 'There is no first item: no item matches.'],
  ['PATCH /v2/customers',               [{ id: 'zzz' }], '404 not_found', '0/id: no customer "zzz"'],
  ['POST /v2/customers',                none, '400 body_missing', 'This request needs a body: send JSON.'],
  ['POST /v2/customers',                bo,   '400 unsupported_media_type', 'Declare the body: send "content-type: application/json", in UTF-8.', [], { 'content-type': 'text/plain' }],
  ['POST /v2/customers',                bo,   '400 unsupported_encoding', 'The body must not be compressed: send no "content-encoding".', [], { 'content-encoding': 'gzip' }],
  ['DELETE /v2/customers/acme',         bo,   '400 body_not_allowed', 'DELETE takes no body: send none.'],
  ['POST /v2/customers',                '{',  '400 json_invalid', 'Invalid JSON at line 1, column 2: expected a key in quotes.'],
  ['POST /v2/customers',                '[1 2]', '400 json_invalid', 'Invalid JSON at line 1, column 4: expected "," or "]".'],
  ['POST /v2/customers',                '{} x', '400 json_invalid', 'Invalid JSON at line 1, column 4: expected the end of the body.'],
  ['POST /v2/customers',                deep, '400 json_too_deep', 'The body is nested more than 6 levels deep.'],
  ['POST /v2/customers',                '{"a":1,"a":2}', '400 json_duplicate_key', 'The body has the key "a" twice in one object.'],
  ['POST /v2/customers',                '{"__proto__":1}', '400 json_forbidden_key', 'The body has the key "__proto__": leave it out.'],
  ['POST /v2/customers',                { name: 'x'.repeat(5000) }, '400 body_too_large', 'The body has more than 4000 bytes.'],
  ['POST /v2/customers',                [bo, bo, bo, bo], '400 bulk_too_large', 'The body has more than 3 items: send them in parts.'],
  ['POST /v2/orders',                   '{"total":9007199254740993}', '422 validation_failed', 'total: has more digits than a double holds: the server would change it'],
  ['POST /v2/customers',                { ...bo, name: '\0' }, '422 validation_failed', 'name: must not hold NUL'],
  ['POST /v2/customers',                7,    '422 validation_failed', 'The body must be an object', ['']],
  ['PUT /v2/customers',                 bo,   '422 validation_failed', 'The body must be an array of items', ['']],
  ['PUT /v2/customers',                 [{ ...bo, id: 7 }], '422 validation_failed', '0/id: must be a text, as all ids of this resource'],
  ['POST /v2/customers',                {},   '422 validation_failed', 'name: is required; email: is required'],
  ['POST /v2/customers',                { ...bo, name: '' }, '422 validation_failed', 'name: must not be empty'],
  ['POST /v2/customers',                { ...bo, name: 'x'.repeat(51) }, '422 validation_failed', 'name: must have at most 50 characters'],
  ['POST /v2/customers',                { ...bo, email: 'x', site: 'x', born: 'x' }, '422 validation_failed', 'email: must be an email address; site: must be a URL, as in https://example.org; born: must be a date, as in 2020-12-31'],
  ['POST /v2/customers',                { ...bo, code: 'x' }, '422 validation_failed', 'code: must be two capitals and three digits, as in AB123'],
  ['POST /v2/customers',                { ...bo, nick: 'admin' }, '422 validation_failed', 'nick: is reserved for the shop'],
  ['POST /v2/customers',                { ...bo, active: 'yes' }, '422 validation_failed', 'active: must be true or false'],
  ['POST /v2/customers',                { ...bo, nmae: 'x' }, '422 validation_failed', 'nmae: is no known field. Did you mean "name"?'],
  ['POST /v2/customers',                { ...bo, credt: 1 }, '422 validation_failed', 'credt: is no known field'],
  ['POST /v2/customers',                { ...bo, created_at: 'x' }, '422 validation_failed', 'created_at: is set by the server: leave it out'],
  ['POST /v2/customers',                { ...bo, id: 'first' }, '422 reserved_id', 'id: is reserved: no item can have this id'],
  ['POST /v2/customers',                { ...bo, id: 'acme' }, '409 conflict', 'This id is taken: choose another one.'],
  ['POST /v2/customers',                { ...bo, email: 'a@acme.example' }, '409 conflict', 'email: is taken by another item'],
  ['POST /v2/customers',                { ...bo, shop_id: 'south' }, '422 validation_failed', 'shop_id: must be "north", as for all of your items, or left out'],
  ['POST /v2/customers',                bo,   '422 validation_failed', 'shop_id: is required: it names the owner', ['/shop_id'], as('all')],
  ['POST /v2/orders',                   { ...cart, status: 'lost' }, '422 validation_failed', 'status: must be one of open, paid, sent'],
  ['POST /v2/orders',                   { ...cart, status: null, total: '9' }, '422 validation_failed', 'status: cannot be null; total: must be a number'],
  ['POST /v2/orders',                   { ...cart, lines: [] }, '422 validation_failed', 'lines: must not be empty'],
  ['POST /v2/orders',                   { ...cart, lines: [item, item, item, item] }, '422 validation_failed', 'lines: must have at most 3 elements'],
  ['POST /v2/orders',                   { ...cart, lines: [{ sku: 'x', amount: 1.5 }] }, '422 validation_failed', 'lines/0/sku: must be a UUID; lines/0/amount: must be a whole number'],
  ['POST /v2/orders',                   { ...cart, lines: [{ ...item, amount: 0, gift: {} }] }, '422 validation_failed', 'lines/0/amount: must be at least 1; lines/0/gift/to: is required; lines/0/gift/by: is required'],
  ['POST /v2/orders',                   { ...cart, lines: [{ ...item, colour: 'x' }, null] }, '422 validation_failed', 'lines/0/colour: is no known field; lines/1: cannot be null'],
  ['POST /v2/orders',                   { ...cart, total: 1.005, due: 'x' }, '422 validation_failed', 'total: must be a multiple of 0.01; due: must be a date with time, as in 2020-12-31T23:59:59Z'],
  ['POST /v2/orders',                   { ...cart, payment: {} }, '422 validation_failed', 'payment/kind: is required'],
  ['POST /v2/orders',                   { ...cart, payment: { kind: 'cash' } }, '422 validation_failed', 'payment/kind: must be one of card, transfer'],
  ['POST /v2/orders',                   { ...cart, payment: { kind: 'card', digits: '1' } }, '422 validation_failed', 'payment/digits: must have 4 characters'],
  ['POST /v2/orders',                   { ...cart, delivery: { box: 'x' } }, '422 validation_failed', 'delivery/box: must be a whole number'],
  ['POST /v2/orders',                   { ...cart, delivery: {} }, '422 validation_failed', 'delivery: must have one of the allowed forms'],
  ['POST /v2/orders',                   { ...cart, tags: [7, null] }, '422 validation_failed', 'tags/0: must be a text; tags/1: cannot be null'],
  ['POST /v2/orders',                   { ...cart, size: 2 }, '422 validation_failed', 'size: must be 1'],
  ['POST /v2/orders',                   { ...cart, customer_id: 'zzz' }, '422 validation_failed', 'customer_id: no customer "zzz"'],
  ['POST /v2/orders',                   { ...cart, customer_id: 'hidden' }, '422 validation_failed', 'customer_id: no customer "hidden"'],
  ['POST /v2/customers/acme/orders',    { ...cart, customer_id: 'globex' }, '422 validation_failed', 'customer_id: must be "acme", as in the path, or left out'],
  ['PATCH /v2/customers/acme',          { name: null }, '422 validation_failed', 'name: cannot be null'],
  ['PATCH /v2/customers/acme',          { created_at: 'x' }, '422 validation_failed', 'created_at: is set by the server: leave it out, or send it unchanged'],
  ['PUT /v2/customers/acme',            { ...bo, id: 'x' }, '409 id_mismatch', 'id: must be "acme", as in the path, or left out'],
  ['PUT /v2/customers/acme',            { ...bo, version: 1 }, '409 precondition_failed', 'version: is an old revision: the item has changed since you read it'],
  ['PUT /v2/customers/acme',            bo,   '409 precondition_failed', 'The item has changed since you read it. Its ETag is now "4": read it again, and repeat the request.', [], { 'if-match': '"3"' }],
  ['PUT /v2/customers/acme',            bo,   '400 bad_request', '"if-match" is neither "*" nor a list of entity tags in quotes.', [], { 'if-match': '3' }],
  ['DELETE /v2/customers/acme',         none, '409 conflict', 'Another item still references this one. Delete that item first.'],
  ['POST /v2/customers',                bo,   '400 idempotency_unsupported', 'This resource takes no "idempotency-key".', [], key],
  ['POST /v2/orders',                   withKey[0], '422 idempotency_mismatch', 'Another request has created an item with this key: send a new key for another item.', [], withKey[1]],
]

/** What only an HTTP server refuses, as bytes. */
// biome-ignore format: a row stays a line
const bytes: readonly (readonly [sent: string, verdict: string, detail: string])[] = [
  ['nonsense\r\n\r\n',                                                         '400 bad_request', 'The request is not valid HTTP.'],
  ['GET /v2/countries HTTP/1.1\r\nHost: a/b\r\n\r\n',                          '400 bad_host', 'Write "host" as one name or address, with or without a port.'],
  ['GET /v2/countries HTTP/1.1\r\nHost: other.example\r\n\r\n',                '400 bad_host', 'This server does not serve the host "other.example": add it to the option "hosts".'],
  [`GET /v2/countries HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,           '400 headers_too_large', 'The request line and the header fields are larger than the server reads.'],
  ['GET /v2/countries HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\n\r\n', '400 expectation_failed', 'The server knows no expectation but "100-continue".'],
  ['GET /v2/countries HTTP/1.1\r\nHost: localhost\r\n',                        '400 request_timeout', 'The request did not arrive in time.'],
  ['CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n',                              '400 bad_path', 'This server is no proxy: start the path with "/".'],
]

describe('a shop, read aloud', () => {
  const ask = (registry: ReturnType<typeof shopRegistry>, [line, sent, headers]: Asking) => {
    const [method = '', url = ''] = line.split(' ')
    const type =
      method === 'GET' || method === 'DELETE' ? {} : { 'content-type': 'application/json' }
    const request = { method, url, headers: { ...as('ann'), ...type, ...headers } }
    const body = typeof sent === 'string' ? sent : JSON.stringify(sent)
    return handle(sent === none ? request : { ...request, body }, registry)
  }

  for (const [line, sent, verdict, detail, where, headers] of aloud) {
    test(`${line} with ${JSON.stringify(sent)?.slice(0, 60)} is ${verdict}`, async () => {
      const registry = shopRegistry()
      // An item with this key is there already.
      if (verdict.includes('idempotency_mismatch')) await ask(registry, [line, cart, headers])
      const { status, body } = await ask(registry, [line, sent, headers])
      const { code, message, title, issues = [] } = Object(body)
      expect([`${status} ${code}`, Object(body).detail, message]).toEqual([verdict, detail, detail])
      expect(detail.toLowerCase().replace(/\.$/, '')).not.toBe(title.toLowerCase())
      const told = detail.split(/; (?=[\w/]+: )/).map((text) => text.split(': ')[0])
      const pointers = told.map((place) => `/${place}`)
      const isSummary = /^[\w/]+: /.test(detail)
      const expected = where ?? (isSummary ? pointers : [])
      const places = issues.map(({ pointer, parameter }: Issue) => pointer ?? parameter)
      expect(places).toEqual(expected)
      for (const { code, message } of issues) {
        expect(code).toMatch(/^[a-z_]+$/)
        expect(detail).toContain(message)
      }
    })
  }

  test.each(bytes)('%j is %s', async (sent, verdict, detail) => {
    const options = { port: 0, headersTimeout: 200, requestTimeout: 300 }
    const server = await serve(shopRegistry(), options)
    const { answers } = await exchange(server.port, sent, { count: 2 })
    await server.close()
    const told = JSON.parse(answers[0]?.text ?? '{}')
    expect([`${told.status} ${told.code}`, told.detail]).toEqual([verdict, detail])
  })

  test('has each code of the convention', () => {
    const codes = [...aloud.map(([, , verdict]) => verdict), ...bytes.map(([, verdict]) => verdict)]
    const seen = new Set(codes.map((verdict) => verdict.slice(4)))
    expect([...seen].sort()).toEqual(Object.keys(problems).sort())
  })

  test('names no hidden field and no item of another shop', async () => {
    for (const [line, sent, , , , headers] of aloud) {
      const { body } = await ask(shopRegistry(), [line, sent, headers])
      const asked = line + JSON.stringify(sent)
      const text = JSON.stringify(body)
      if (!asked.includes('credit') && headers === undefined) expect(text).not.toContain('credit')
      if (!asked.includes('hidden')) expect(text).not.toContain('hidden')
      if (!asked.includes('south')) expect(text).not.toContain('south')
    }
  })
})

type Asking = readonly [line: string, sent: unknown, headers: object | undefined]

const own = z.object({
  id: z.string(),
  text: z
    .string()
    .min(3)
    .refine((text) => text === 'abc', 'is not mine'),
})
const odd = type({ id: 'string', 'mail?': 'string.email', 'code?': '/^[A-Z]$/' })
const small = mini.object({ id: mini.string(), text: mini.string('Text, please.') })
const plain = valibot.object({ id: valibot.string(), text: valibot.string('Ein Text.') })

describe('a schema of any library', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [schema: StandardSchema, body: object, detail: RegExp])[] = [
    [own,   { text: 'x' },   /^text: must have at least 3 characters; text: is not mine$/],
    [own,   { text: 'xyz' }, /^text: is not mine$/],
    [odd,   { mail: 'x' },   /^mail: must be an email address$/],
    [odd,   { code: 'x' },   /^code: code must be matched by /],
    [odd,   { code: null },  /^code: cannot be null$/],
    [small, { text: 7 },     /^text: Text, please\.$/],
    [plain, { text: 7 },     /^text: Ein Text\.$/],
  ]
  for (const [schema, body, detail] of rows) {
    test(`of ${schema['~standard'].vendor} tells ${detail.source}`, async () => {
      const declared = Reflect.apply(defineResource, undefined, ['notes', { schema }])
      const api = Reflect.apply(defineApi, undefined, [{ v1: { '/notes': declared } }])
      const adapters = { notes: memoryAdapter() }
      const registry: Registry = Reflect.apply(defineRegistry, undefined, [api]).adapters(adapters)
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'PUT', url: '/v1/notes/1', headers, body: JSON.stringify(body) }
      const response = await handle(sent, registry)
      expect(Object(response.body).detail).toMatch(detail)
    })
  }
})

test('another author of sentences is refused', () => {
  const declare = () => Reflect.apply(defineApi, undefined, [versions(), { messages: 'mine' }])
  expect(declare).toThrow(new TypeError('"messages" of defineApi must be "core" or "validator".'))
})
