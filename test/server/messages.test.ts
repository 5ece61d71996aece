import {
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  handle,
  type Registry,
} from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { registry } from '../../examples/companies/registry.ts'

type Row = readonly [line: string, body: string | undefined, detail: string]
const born = '"birthdate":"1990-01-01"'

// biome-ignore format: a row stays a line
const rows: readonly Row[] = [
  ['GET /v1/employee',               undefined, 'No resource "employee". Did you mean "/v1/employees"?'],
  ['GET /v3/x',                      undefined, 'No version "v3": start the path with /v1 or /v2.'],
  ['GET /v1/employees?foo=1',        undefined, 'Unknown parameter "foo".'],
  ['GET /v1/employees?field=name',   undefined, 'Unknown parameter "field". Did you mean "fields"?'],
  ['GET /v1/employees?sort=foo',     undefined, 'Cannot sort by "foo". Sortable: id, name, birthdate, created_at.'],
  ['GET /v1/employees?limit=0',      undefined, '"limit" must be a whole number from 1 to 1000'],
  ['GET /v1/employees?include=foo',  undefined, '"include" does not take "foo": write company'],
  ['GET /v2/employees?email:foo=x',  undefined, '"email" has no ":foo". It takes =, :ne, :null, :contains, :startsWith, :endsWith.'],
  ['GET /v1/employees/zzz',          undefined, 'No employee "zzz".'],
  ['GET /v1/companies/zzz/employees', undefined, 'No company "zzz".'],
  ['DELETE /v1/employees?name=x',    undefined, 'Unknown parameter "name". DELETE of a collection takes none: it deletes every item.'],
  ['POST /v1/employees',             '{', 'Invalid JSON at line 1, column 2: expected a key in quotes.'],
  ['POST /v1/employees',             undefined, 'This request needs a body: send JSON.'],
  ['POST /v1/employees',             '{"name":null}', 'name: cannot be null; birthdate: is required'],
  ['PATCH /v1/employees/001',        '{"name":null}', 'name: cannot be null'],
  ['PUT /v1/employees',              '{}', 'must be an array of items'],
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

test('another author of sentences is refused', () => {
  const declare = () => Reflect.apply(defineApi, undefined, [versions(), { messages: 'mine' }])
  expect(declare).toThrow(new TypeError('"messages" of defineApi must be "core" or "validator".'))
})
