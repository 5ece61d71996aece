import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
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

const versions = () => {
  const schema = z.object({ id: z.string(), text: z.string('Bitte einen Text.') })
  return { v1: { '/notes': defineResource('notes', { schema }) } }
}

const judged = async (options: { messages?: 'core' | 'validator' }): Promise<unknown> => {
  const api = defineApi(versions(), options)
  const registry = defineRegistry(api).adapters({ notes: memoryAdapter() })
  const sent = { headers: { 'content-type': 'application/json' }, body: '{"text":7}' }
  const { status, body } = await handle({ method: 'PUT', url: '/v1/notes/1', ...sent }, registry)
  return [status, Object(body).detail]
}

test('a validator may keep its own sentences', async () => {
  expect(await judged({})).toEqual([422, 'text: must be a text'])
  expect(await judged({ messages: 'core' })).toEqual([422, 'text: must be a text'])
  expect(await judged({ messages: 'validator' })).toEqual([422, 'text: Bitte einen Text.'])
})

test('another author of sentences is refused', () => {
  const declare = () => Reflect.apply(defineApi, undefined, [versions(), { messages: 'mine' }])
  expect(declare).toThrow(new TypeError('"messages" of defineApi must be "core" or "validator".'))
})
