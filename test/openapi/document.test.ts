import { defineApi, defineRegistry, defineResource, handle, type StandardSchema } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { type OpenApiDocument, openApiAt, toOpenApi } from 'nounful/openapi'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { servedPageOf } from '../../src/contract/resource/http.ts'
import { companiesRegistry } from '../support/companies.ts'
import { arktypes, deep, info, valibots, versions } from './contracts.ts'
import { finderFor, follow } from './declared.ts'

const companies = companiesRegistry()
const plainNote = z.object({ id: z.string() })
const document = toOpenApi(companies, { info, methods: 'all' })

interface Shown {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly object[]
  readonly responses: Readonly<Record<string, object>>
}

function operationsOf({ paths }: OpenApiDocument): ReadonlyMap<string, Shown> {
  const methods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete']
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      methods
        .filter((method) => item[method] !== undefined)
        .map((method) => [`${method} ${path}`, item[method] as Shown] as const),
    ),
  )
}

function codesAt(shown: OpenApiDocument, method: string, url: string): Record<string, string[]> {
  const responses = finderFor(shown)(method, url)?.responses ?? {}
  return Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { content }]) => [
        status,
        Object(content)['application/problem+json'].schema.allOf[1].properties.code.enum,
      ]),
  )
}

describe('operations', () => {
  test('have ids from version and nouns', () => {
    const ids = [...operationsOf(document).values()].map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining([
        'v1.employees.list',
        'v1.companies.employees.updateMany',
        'v1.companies.employees.list.head',
        'v1.companies.employees.item.options',
      ]),
    )
  })

  test('keep their ids when you add others', () => {
    const more = defineResource('offices', { schema: z.object({ id: z.string() }) })
    const { v1 } = companies.api.declaration
    const bigger = defineApi({ v1: { '/offices': more, ...v1 }, v2: { '/offices': more } } as never)
    const after = operationsOf(toOpenApi(bigger, { info, methods: 'all' }))
    for (const [place, { operationId }] of operationsOf(document)) {
      expect([place, after.get(place)?.operationId]).toEqual([place, operationId])
    }
  })

  test('are those of the adapters', () => {
    const { registry, options } = valibots()
    const places = [...operationsOf(toOpenApi(registry, { ...options, methods: 'main' })).keys()]
    expect(places.filter((place) => place.includes('equipment'))).toEqual([
      'get /v1/staff/{staff_id}/equipment',
      'get /v1/staff/{staff_id}/equipment/{id}',
      'get /v1/staff/{staff_id}/equipment/first',
      'get /v1/staff/{staff_id}/equipment/last',
    ])
  })

  test('have HEAD and OPTIONS on request alone', () => {
    const main = toOpenApi(companies, { info })
    const extra = /^(?:head|options) /
    expect([...operationsOf(main).keys()].filter((place) => extra.test(place))).toEqual([])
    expect(main).toEqual(toOpenApi(companies, { info, methods: 'main' }))
    expect(main.info.description).toMatch(/HEAD/)
    expect([...operationsOf(document).keys()].filter((place) => extra.test(place))).toHaveLength(40)
  })

  test('have their noun as tag', () => {
    expect(operationsOf(document).get('get /v1/companies/{company_id}/employees')?.tags).toEqual([
      'employees',
    ])
    expect(document.tags.map(({ name }) => name)).toEqual([
      'employees',
      'companies',
      'customers',
      'HEAD and OPTIONS',
    ])
  })
})

describe('summaries', () => {
  const rows: readonly (readonly [noun: string, summary: string])[] = [
    ['user-addresses', 'Create a user address'],
    ['urns', 'Create an urn'],
    ['units', 'Create a unit'],
    ['hours', 'Create an hour'],
    ['houses', 'Create a house'],
    ['one-time-codes', 'Create a one time code'],
    ['oneirologies', 'Create an oneirology'],
    ['european-cities', 'Create a european city'],
    ['orderItems', 'Create an order item'],
  ]
  test.each(rows)('of %s are English', (noun, summary) => {
    const resource = defineResource(noun, { schema: z.object({ id: z.string() }) })
    const shown = toOpenApi(defineApi({ v1: { [`/${noun}`]: resource } } as never), { info })
    expect(operationsOf(shown).get(`post /v1/${noun}`)).toMatchObject({ summary })
  })
})

describe('parameters', () => {
  test('require Prefer for a bounded deleteAll', () => {
    const notes = defineResource('notes', {
      schema: z.object({ id: z.string(), note_id: z.string() }),
      bounded: true,
    })
    const shown = toOpenApi(
      defineApi({ v1: { '/notes': notes, '/notes/:note_id/notes': notes } }),
      {
        info,
      },
    )
    const takenAt = (url: string) => finderFor(shown)('DELETE', url)?.parameters.at(-1)
    const example = 'max-affected=10'
    const description = expect.stringContaining('(RFC 7240)')
    const parameter = { name: 'Prefer', required: true, description, example }
    expect([takenAt('/v1/notes'), takenAt('/v1/notes/1/notes')]).toMatchObject([
      parameter,
      parameter,
    ])
    for (const url of ['/v1/notes', '/v1/notes/1/notes'])
      expect(codesAt(shown, 'DELETE', url)[409]).toContain('too_many_affected')
  })

  test('have the bounds of the resource', () => {
    const { registry, options } = versions()
    const shown = toOpenApi(registry, options)
    const taken = finderFor(shown)('GET', '/v2/people')?.parameters
    const known = ['q', 'sort', 'limit', 'after']
    expect(taken?.filter(({ name }) => known.includes(String(name)))).toMatchObject([
      { name: 'q', schema: { maxLength: 256 } },
      {
        name: 'sort',
        style: 'form',
        explode: false,
        schema: {
          items: { enum: ['id', '-id', 'name', '-name', 'email', '-email'] },
          maxItems: 8,
          uniqueItems: true,
        },
      },
      { name: 'limit', schema: { minimum: 1, maximum: 100, default: 20 } },
      { name: 'after' },
    ])
    const plain = finderFor(shown)('GET', '/v1/people')?.parameters
    const names = ['sort', 'limit', 'offset', 'after', 'fields', 'id', 'id:ne', 'Prefer']
    expect(plain?.map(({ name }) => name)).toEqual(names)
  })

  test('of paths may have any name', () => {
    const cafes = defineResource('cafes', { schema: z.object({ id: z.string() }) })
    const tables = defineResource('tables', {
      schema: z.object({ id: z.string(), café_id: z.string() }),
    })
    const api = defineApi({ v1: { '/cafes': cafes, '/cafes/:café_id/tables': tables } })
    const { paths, components } = toOpenApi(api, { info })
    expect(Object.keys(paths)).toContain('/v1/cafes/{café_id}/tables')
    expect(Object.keys(Object(components.parameters)).join('')).toMatch(/^[\w.-]+$/)
    expect(components.parameters).toMatchObject({ 'cafes.caf_C3_A9_id': { name: 'café_id' } })
  })

  test('of paths have the schema of the id', () => {
    const shown = toOpenApi(deep().registry, { info })
    const taken = finderFor(shown)('PUT', '/v1/regions/1/sites/2/rooms/3')?.parameters
    expect(taken).toMatchObject([
      { name: 'region_id', schema: { type: 'integer' } },
      { name: 'site_id', schema: { format: 'uuid' } },
      { name: 'id', schema: { type: 'string', minLength: 1, maxLength: 255 } },
      { name: 'dry_run', in: 'query' },
      { name: 'If-Match', in: 'header' },
      { name: 'If-None-Match', in: 'header' },
    ])
  })

  const words = ['', 'first', 'last', 'count', '.', '..']
  const bounds = { minLength: 1, maxLength: 255, not: { enum: words } }
  const text = { type: 'string', ...bounds }
  const telling = (json: object): StandardSchema<unknown, string> => {
    const schema = z.string()
    const jsonSchema = { input: () => json, output: () => json }
    return { '~standard': { ...schema['~standard'], jsonSchema } as never }
  }
  const own = { type: 'string', not: { const: 'x' } }

  // biome-ignore format: a row stays a line
  const ids: [name: string, id: StandardSchema<unknown, string> | undefined, schema: object][] = [
    ['any text',             undefined,                                 text],
    ['text',                 z.string(),                                text],
    ['short text',           z.string().min(3).max(9),                  { ...text, minLength: 3, maxLength: 9 }],
    ['text that may be none', z.string().min(0).max(999),               text],
    ['text of a pattern',    z.string().regex(/^[a-z]+$/),              { ...text, pattern: '^[a-z]+$' }],
    ['some words',           z.enum(['a', 'first']),                    { ...text, enum: ['a', 'first'] }],
    ['text but one',         telling(own),                              { ...text, not: { anyOf: [{ ...own.not, type: 'string' }, bounds.not] } }],
    ['text or a number',     telling({ type: ['string', 'integer'] }),  { ...bounds, type: ['string', 'integer'] }],
    ['one of two',           telling({ anyOf: [{ type: 'string' }, { type: 'integer' }] }), { ...bounds, anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    ['nobody knows what',    z.string().transform((value) => value),    text],
    ['untold',               v.string(),                                { ...bounds, type: ['string', 'number'] }],
    ['a uuid',               telling({ type: 'string', format: 'uuid' }), { type: 'string', format: 'uuid' }],
    ['an integer',           telling({ type: 'integer' }),              { type: 'integer' }],
    ['a number',             telling({ type: 'number' }),               { type: 'number' }],
  ]
  for (const [name, id, schema] of ids) {
    test(`of paths exclude reserved words when ids are ${name}`, () => {
      const Note = z.object({ id: z.string(), note_id: z.string() })
      const notes = defineResource('notes', { schema: Note, ...(id && { id }) })
      const api = defineApi({ v1: { '/notes': notes, '/notes/:note_id/notes': notes } })
      const taken = finderFor(toOpenApi(api, { info }))('GET', '/v1/notes/1/notes/2')?.parameters
      const ofPath = taken?.filter((parameter) => parameter.in === 'path')
      expect(ofPath?.map((parameter) => parameter.schema)).toEqual([schema, schema])
    })
  }
})

describe('problems', () => {
  test('are those of the operation', () => {
    expect(codesAt(document, 'GET', '/v1/companies/7/customers')).toMatchObject({
      400: expect.arrayContaining(['sort_unknown_field', 'invalid_cursor', 'body_not_allowed']),
      404: ['parent_not_found'],
      500: ['internal_error'],
      503: ['unavailable'],
    })
    expect(codesAt(document, 'PUT', '/v1/employees/7')).toMatchObject({
      404: ['not_found'],
      405: ['method_not_allowed'],
      409: ['conflict', 'id_mismatch', 'precondition_failed'],
      422: ['validation_failed'],
    })
    expect(Object.keys(codesAt(document, 'GET', '/v1/employees'))).toEqual(['400', '500', '503'])
  })

  test('of authentication need a context or security', () => {
    const guarded = codesAt(toOpenApi(valibots().registry, { info }), 'GET', '/v1/staff')
    expect(guarded).toMatchObject({
      401: ['unauthenticated'],
      403: ['forbidden'],
      429: ['rate_limited'],
    })
    const secured = codesAt(
      toOpenApi(companies, {
        info,
        security: [{ key: [] }],
        securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      }),
      'GET',
      '/v1/employees',
    )
    expect(Object.keys(secured)).toEqual(['400', '401', '403', '500', '503'])
  })

  test.each([
    ['create', ['POST /v1/notes', 'PUT /v1/notes/1']],
    ['change', ['PUT /v1/notes', 'PUT /v1/notes/1', 'PATCH /v1/notes', 'PATCH /v1/notes/1']],
    ['delete', ['DELETE /v1/notes', 'DELETE /v1/notes/1']],
  ])('of the rule %s are those of its operations', (rule, operations) => {
    const Note = z.object({ id: z.string(), text: z.string() })
    const notes = defineResource('notes', { schema: Note, create: Note, putCreates: true })
    const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
      .rules({ notes: { [rule]: () => true } })
      .adapters({ notes: memoryAdapter() })
    const ruled = toOpenApi(registry, { info, methods: 'all' })
    const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].flatMap((method) =>
      ['/v1/notes', '/v1/notes/1'].map((path) => [method, path] as const),
    )
    const refused = all.filter(
      ([method, path]) => finderFor(ruled)(method, path) && '403' in codesAt(ruled, method, path),
    )
    expect(refused.map((words) => words.join(' '))).toEqual(operations)
  })

  test('include those of the option problems', () => {
    const shown = toOpenApi(companies, { info, problems: ['rate_limited', 'conflict'] })
    expect(codesAt(shown, 'GET', '/v1/employees')).toMatchObject({
      409: ['conflict'],
      429: ['rate_limited'],
    })
  })

  test('of an api include method_not_allowed', () => {
    const codes = codesAt(toOpenApi(companies.api, { info }), 'GET', '/v1/employees')
    expect(codes).toMatchObject({ 401: ['unauthenticated'], 405: ['method_not_allowed'] })
  })

  test('of success with a body are no references', () => {
    // swagger-typescript-api reads no body behind a reference.
    for (const { registry, options } of [versions(), deep(), valibots()]) {
      const shown = toOpenApi(registry, options)
      for (const [place, { responses }] of operationsOf(shown)) {
        const [success] = Object.values(responses)
        expect([place, follow(shown, success).content !== undefined]).toEqual([
          place,
          !place.startsWith('head '),
        ])
        if (!place.startsWith('head ')) expect([place, success]).not.toHaveProperty('1.$ref')
      }
    }
  })

  test('stand in the description too', () => {
    const declared = finderFor(document)('PUT', '/v1/companies/7/employees/8')
    const { description } = Object(declared?.responses[404])
    expect(description).toMatch(/`parent_not_found`, `not_found`/)
  })

  test('have their headers', () => {
    const declared = finderFor(document)('PUT', '/v1/employees/7')
    const header = (status: number, name: string) =>
      follow(document, Object(declared?.responses[status]?.headers)[name]).required
    expect([header(405, 'Allow'), header(503, 'Retry-After')]).toEqual([true, true])
  })

  test('have the type of the registry', () => {
    const { registry, options } = versions()
    expect(JSON.stringify(toOpenApi(registry, options))).toContain('https://x.example/p#not_found')
  })
})

describe('a document', () => {
  test('is the same each time', () => {
    const { registry, options } = deep()
    expect(JSON.stringify(toOpenApi(registry, options))).toBe(
      JSON.stringify(toOpenApi(deep().registry, options)),
    )
  })

  test('has the type of every constant', () => {
    for (const { registry, options } of [versions(), deep(), valibots(), arktypes()]) {
      // Generators ignore `not`, and examples are values.
      const text = JSON.stringify(toOpenApi(registry, options), (key, value) =>
        key === 'examples' || key === 'not' ? undefined : value,
      )
      JSON.parse(text, (key, value) => {
        const isConstant = Object.hasOwn(Object(value), 'const')
        const isChoice = Array.isArray(Object(value).enum)
        if (key !== 'properties' && (isConstant || isChoice)) expect(value).toHaveProperty('type')
        return value
      })
    }
  })

  test('has exactly the components that it references', () => {
    for (const { registry, options } of [versions(), deep(), valibots()]) {
      const shown = toOpenApi(registry, options)
      const text = JSON.stringify(shown)
      const used = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name]) => name))
      const there = Object.entries(shown.components)
        .filter(([sort]) => sort !== 'securitySchemes')
        .flatMap(([sort, parts]) => Object.keys(parts).map((name) => `${sort}/${name}`))
      expect([...used].sort()).toEqual(there.sort())
    }
  })

  test('grows by some 20 kB a collection', () => {
    const schema = z.object({ id: z.string(), name: z.string() })
    const paths = Array.from({ length: 100 }, (_, at) => {
      const name = `x${at}-notes`
      return [`/${name}`, defineResource(name, { schema, sortable: ['name'] })]
    })
    const api = defineApi({ v1: Object.fromEntries(paths) })
    const adapters = Object.fromEntries(
      [...api.resources.keys()].map((name) => [name, memoryAdapter()]),
    )
    const bytes = JSON.stringify(toOpenApi(defineRegistry(api).adapters(adapters), { info })).length
    expect(bytes / 100).toBeLessThan(20_000)
  })

  // biome-ignore format: a row stays a line
  const faults: readonly (readonly [name: string, options: unknown, message: RegExp])[] = [
    ['no title',            {},                                    /title and a version/],
    ['an unknown option',   { info, server: [] },                  /write "servers"/],
    ['an unknown resource', { info, examples: { employee: {} } },  /write "employees"/],
    ['an unknown problem',  { info, problems: ['not_there'] },     /problem "not_there"/],
    ['unknown methods',     { info, methods: 'none' },             /Allowed: all, main/],
    ['unknown arrays',      { info, arrays: 'oneOf' },             /"arrays" "oneOf"\. Allowed: extension, union/],
    ['no options',          undefined,                             /takes an object/],
    ['a description of 5',  { info: { ...info, description: 5 } }, /"description" must be text/],
    ['one server',          { info, servers: 'http://x' },         /a list as "servers"/],
    ['a server as text',    { info, servers: ['http://x'] },       /url: "https/],
    ['one code',            { info, problems: 'conflict' },        /problems: \['conflict'\]/],
    ['an unknown noun',     { info, tags: { companys: '' } },      /write "companies"/],
    ['tags as a list',      { info, tags: [] },                    /"tags" takes an object/],
    ['no examples',         { info, examples: null },              /"examples" takes an object/],
    ['an unknown scheme',   { info, security: [{ key: [] }] },     /Unknown security scheme "key".*none is declared/],
    ['a scheme as text',    { info, security: ['key'] },           /"security" takes an object/],
    ['an example as text',  { info, examples: { employees: '' } }, /example of "employees" must be an item/],
    ['a type as a number',  { info, problemTypes: 5 },             /"problemTypes" must be text/],
    ['a bigint',            { info, examples: { employees: { id: 1n } } }, /JSON cannot express "examples"/],
    ['no converter',        { info, toJsonSchema: {} },            /"toJsonSchema" takes a function/],
  ]
  test.each(faults)('with %s is refused', (_, options, message) => {
    expect(() => toOpenApi(companies, options as never)).toThrow(message)
  })

  test('of another value is refused', () => {
    expect(() => toOpenApi({} as never, { info })).toThrow(/an api or a registry/)
  })
})

describe('openApiAt', () => {
  test('needs a path and options', () => {
    const forgotten = openApiAt as (...given: unknown[]) => unknown
    expect(() => forgotten('/openapi.json', companies)).toThrow(/a title and a version|an object/)
    expect(() => forgotten('openapi.json', companies, { info })).toThrow(/no path of a document/)
    expect(() => forgotten(undefined, companies, { info })).toThrow(/no path of a document/)
  })

  const rows: readonly (readonly [path: string, base: string, server: string])[] = [
    ['/openapi.json', '', '/'],
    ['/openapi.json', '/api', '/api'],
    ['/docs/openapi.json', '/api', '/api'],
    ['/a/b/openapi.json', '/x/y', '/x/y'],
  ]
  test.each(rows)('serves %s below "%s" with the server %s', async (path, base, url) => {
    const layers = [openApiAt(path, companies, { info })]
    const fetch = toFetchHandler(companies, { base, layers })
    const response = await fetch(new Request(`http://x.example${base}${path}`))
    expect(response.headers.get('content-type')).toBe('application/json')
    const shown = (await response.json()) as OpenApiDocument
    expect(shown).toEqual(toOpenApi(companies, { info, servers: [{ url }] }))
  })

  test('keeps the option servers', async () => {
    const servers = [{ url: 'https://x.example/behind/a/proxy' }]
    const layers = [openApiAt('/openapi.json', companies, { info, servers })]
    const fetch = toFetchHandler(companies, { base: '/api', layers })
    const response = await fetch(new Request('http://x.example/api/openapi.json'))
    expect(await response.json()).toMatchObject({ servers })
  })

  test('makes the document once, at its first request', async () => {
    let count = 0
    const toJsonSchema = () => {
      count++
      return undefined
    }
    const fetch = toFetchHandler(companies, {
      layers: [openApiAt('/openapi.json', companies, { info, toJsonSchema })],
    })
    await fetch(new Request('http://x.example/v1/employees'))
    expect(count).toBe(0)
    await fetch(new Request('http://x.example/openapi.json'))
    const first = count
    expect(first).toBeGreaterThan(0)
    await fetch(new Request('http://x.example/openapi.json'))
    expect(count).toBe(first)
  })

  test('tells onError why a document fails', async () => {
    const errors: unknown[] = []
    const api = defineApi({ v1: { '/notes': defineResource('notes', { schema: plainNote }) } })
    const onError = (error: unknown) => void errors.push(error)
    const registry = defineRegistry(api).onError(onError).adapters({ notes: memoryAdapter() })
    const broken = new Error('no licence today')
    let isBroken = false
    const failing = {
      ...info,
      get license() {
        if (isBroken) throw broken
        return { name: 'MIT' }
      },
    }
    const fetch = toFetchHandler(registry, {
      layers: [openApiAt('/openapi.json', registry, { info: failing })],
    })
    isBroken = true
    const statuses = []
    for (const path of ['/openapi.json', '/v1/notes'])
      statuses.push((await fetch(new Request(`http://x.example${path}`))).status)
    expect([statuses, errors]).toEqual([[500, 200], [broken]])
  })

  test('has a title and a path for the terminal', () => {
    const layer = openApiAt('/openapi.json', companies, { info })
    expect(servedPageOf(layer)).toEqual({ title: 'OpenAPI', path: '/openapi.json' })
    expect(servedPageOf((request, answer) => answer(request))).toBeUndefined()
  })

  test('does not change the api', async () => {
    const fetch = toFetchHandler(companies, {
      layers: [openApiAt('/openapi.json', companies, { info })],
    })
    const { status } = await handle({ method: 'GET', url: '/v1/employees' }, companies)
    expect((await fetch(new Request('http://x.example/v1/employees'))).status).toBe(status)
  })
})
