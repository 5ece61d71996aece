import fc from 'fast-check'
import {
  defineApi,
  defineRegistry,
  defineResource,
  type HttpHeaders,
  type HttpRequest,
  handle,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { api } from '../../examples/companies/contract.ts'
import { explain } from '../../src/cli/explain.ts'
import { explanationData, formatExplanation } from '../../src/cli/format-explanation.ts'
import { parseRequestLine } from '../../src/cli/request-line.ts'
import { type CheckName, checkFor } from '../../src/model/checks.ts'
import type { ProblemCode } from '../../src/model/convention.ts'
import { companiesRegistry } from '../support/companies.ts'
import { sequence } from '../support/requests.ts'
import { anyOf } from '../support/texts.ts'

const json = { 'content-type': 'application/json' }
const employee = '{"name":"Ann","birthdate":"1990-01-01"}'

const sent: readonly HttpHeaders[] = [
  {},
  json,
  json,
  json,
  { 'content-type': 'text/plain' },
  { ...json, 'if-match': '"1"' },
  { prefer: 'max-affected=x' },
  { ...json, 'content-range': 'x' },
]

const odd: fc.Arbitrary<HttpRequest> = fc
  .record({
    method: anyOf('GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'get', 'X'),
    version: anyOf('/v1', '/v1', '/v1', '', '/v2', '/V1'),
    path: fc
      .array(
        anyOf(
          '/employees',
          '/companies',
          '/customers',
          '/c-acme',
          '/e-ada',
          '/first',
          '/count',
          '/',
          '/%zz',
          '/..',
          '/%2566',
          '/x',
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => parts.join('')),
    query: anyOf(
      '',
      '',
      '',
      '?',
      '?q=a',
      '?q=',
      '?sort=name',
      '?sort=x',
      '?sort=name,',
      '?limit=0',
      '?limit=1&limit=2',
      '?after=x',
      '?a=b',
      '?q=%zz',
    ),
    headers: anyOf(...sent),
    body: anyOf(
      undefined,
      undefined,
      employee,
      '{"name":"Ann"}',
      '{"a":1,"a":2}',
      '{',
      '[]',
      `[{"id":"e-ada",${employee.slice(1)}]`,
      '{"id":"first"}',
      '{"id":"e-ada","name":"A","birthdate":"1990-01-01"}',
    ),
  })
  .map(({ method, version, path, query, headers, body }) => ({
    method,
    url: version + path + query,
    headers,
    body,
  }))

async function agree(request: HttpRequest): Promise<void> {
  const registry = companiesRegistry()
  const { response, checks } = await explain(request, registry)
  const given = await handle(request, registry)
  const deciding = checks.find(({ state }) => state === 'decides')
  if (response === undefined) {
    expect(checks.some(({ state }) => state === 'depends')).toBe(true)
    expect(deciding).toBeUndefined()
    return
  }
  const { body, ...rest } = response
  // Of HEAD the explanation has the body that GET would have.
  expect(rest).toEqual({ status: given.status, headers: given.headers })
  if (request.method !== 'HEAD') expect(body).toEqual(given.body)
  expect(deciding?.name).toBe(given.status < 400 ? undefined : checkFor(codeIn(body)).name)
}

function codeIn(body: unknown): ProblemCode {
  return (body as { code: ProblemCode }).code
}

test('the bound that a deleteAll lacks decides, and is told', async () => {
  const notes = defineResource('notes', { schema: z.object({ id: z.string() }), bounded: true })
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
    notes: memoryAdapter(),
  })
  const request = parseRequestLine('DELETE /v1/notes', { header: [] })
  const explanation = await explain(request, registry)
  expect(explanation.checks.find(({ state }) => state === 'decides')?.name).toBe('conflict')
  expect(formatExplanation(request, explanation)).toContain(
    'The response is 409 too_many_affected: This deletes the whole collection: send "prefer: max-affected=N"',
  )
  const bound = parseRequestLine('DELETE /v1/notes', { header: ['prefer: max-affected=3'] })
  expect((await explain(bound, registry)).response).toBeUndefined()
})

describe('what decides', () => {
  test('is what the server answers, for odd requests', async () => {
    await fc.assert(fc.asyncProperty(odd, agree), { numRuns: 2000 })
  }, 30_000)

  test('is what the server answers, for likely ones', async () => {
    const request = sequence.map((steps) => steps.filter((step) => 'url' in step))
    await fc.assert(
      fc.asyncProperty(request, async (requests) => {
        for (const one of requests) await agree(one)
      }),
      { numRuns: 100 },
    )
  }, 30_000)

  // biome-ignore format: a row stays a line
  const decided: readonly (readonly [line: string, check: CheckName | undefined, body?: string])[] = [
    ['GET /v1/employees/..', 'path'],
    ['GET /v2/employees', 'version'],
    ['GET /v1/people', 'resource'],
    ['PATCH /v1/employees', 'method'],
    ['DELETE /v1/employees?q=x', 'parameters'],
    ['POST /v1/employees', 'body', '{"name":"Ann"}'],
    ['POST /v1/employees', undefined, employee],
    ['GET /v1/companies/first/customers', 'parent'],
    ['GET /v1/employees/a%07b', 'item'],
    ['PUT /v1/employees', undefined, '[]'],
    ['PUT /v1/employees', 'body', '[{}]'],
    ['OPTIONS /v1/employees', undefined],
    ['GET http://host:3000/employees?sort=-name', undefined],
    ['/v1/employees/count', undefined],
  ]
  for (const [line, check, body] of decided) {
    test(`${line} ${body ?? ''} is decided by ${check ?? 'nothing'}`, async () => {
      const request = parseRequestLine(
        line,
        body === undefined ? { header: [] } : { header: [], body },
      )
      const { checks } = await explain(request, companiesRegistry())
      expect(checks.find(({ state }) => state === 'decides')?.name).toBe(check)
      const names = checks.map(({ state }) => state)
      if (check !== undefined)
        expect(names.slice(names.indexOf('decides') + 1)).not.toContain('passed')
    })
  }
})

describe('what depends', () => {
  const dependsOn = async (line: string, source: Parameters<typeof explain>[1], body?: string) => {
    const request = parseRequestLine(
      line,
      body === undefined ? { header: [] } : { header: [], body },
    )
    const { checks } = await explain(request, source)
    return checks.flatMap(({ name, state }) => (state === 'depends' ? [name] : []))
  }

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [line: string, checks: readonly string[], body?: string])[] = [
    ['GET /v1/employees', ['answer']],
    ['GET /v1/employees/7', ['item', 'answer']],
    ['GET /v1/companies/7/employees/count', ['parent', 'answer']],
    ['DELETE /v1/companies/7/employees/8', ['parent', 'item', 'conflict', 'answer']],
    ['POST /v1/employees', ['conflict', 'answer'], employee],
    ['DELETE /v1/employees', ['conflict', 'answer']],
    ['OPTIONS /v1/employees', []],
  ]
  for (const [line, checks, body] of rows) {
    test(`of ${line} is ${checks.join(', ') || 'nothing'}`, async () => {
      expect(await dependsOn(line, companiesRegistry(), body)).toEqual(checks)
    })
    test(`of ${line} is authorization too, of an api alone`, async () => {
      const guarded = checks.length === 0 ? [] : ['authorization', ...checks]
      expect(await dependsOn(line, api, body)).toEqual(guarded)
    })
  }
})

test('nothing of the user is called', async () => {
  const called: unknown[] = []
  const note = (...given: unknown[]): never => {
    called.push(given)
    throw new Error('called')
  }
  const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
    .context(note)
    .use(note)
    .onError(note)
    .adapters({ notes: { ...memoryAdapter(), list: note, read: note, create: note } })
  const explained = []
  for (const line of [
    'GET /notes',
    'GET /notes/1',
    'POST /notes',
    'GET /notes?x=1',
    'FOO /notes',
  ]) {
    const request = parseRequestLine(line, {
      header: [],
      ...(line.startsWith('POST') && { body: '{"id":"a"}' }),
    })
    explained.push(formatExplanation(request, await explain(request, registry)))
    expect(
      JSON.parse(JSON.stringify(explanationData(request, await explain(request, registry)))),
    ).toBeTypeOf('object')
  }
  expect(called).toEqual([])
  expect(explained[0]).toContain('depends on the context and 1 middleware')
  expect(explained[3]).toContain('The response is 400 unknown_parameter')
  expect(explained[3]).toContain('Authorization comes first')
})

describe('a request line', () => {
  test.for([
    ['GET /a', { method: 'GET', url: '/a' }],
    ['  /a ', { method: 'GET', url: '/a' }],
    ['OPTIONS *', { method: 'OPTIONS', url: '*' }],
    ['delete http://h/a?b c', { method: 'delete', url: 'http://h/a?b c' }],
  ] as const)('%s is read', ([line, expected]) => {
    expect(parseRequestLine(line, { header: [] })).toMatchObject(expected)
  })

  test.for(['', 'GET', 'employees', 'G(T /a'])('%j is refused', (line) => {
    expect(() => parseRequestLine(line, { header: [] })).toThrow(
      / is no (?:request|method): write it like/,
    )
  })

  test('has a body of JSON unless it says otherwise', () => {
    const declared = (header: readonly string[]) =>
      parseRequestLine('POST /a', { header, body: '{}' }).headers
    expect(declared([])).toEqual(json)
    expect(declared(['Content-Type: text/plain'])).toEqual({ 'content-type': 'text/plain' })
    expect(declared(['content-type:'])).toEqual({})
    expect(() => declared(['nonsense'])).toThrow('is no header')
  })
})
