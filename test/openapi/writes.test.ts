import {
  type Adapter,
  defineApi,
  defineRegistry,
  defineResource,
  handle,
  type StandardSchema,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { type OpenApiDocument, toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { arktypes, deep, info } from './contracts.ts'
import { finderFor, follow } from './declared.ts'

type Node = Readonly<Record<string, unknown>>

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const schemasOf = ({ components }: OpenApiDocument): Readonly<Record<string, Node>> =>
  Object(components.schemas)
const at = (document: OpenApiDocument, method: string, url: string) =>
  finderFor(document)(method, url)
const schemaIn = (response: unknown) => Object(Object(response).content)['application/json']?.schema

const Note = z.strictObject({ id: z.string(), text: z.string(), rank: z.number() })
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true, rank: true }),
  readOnly: ['rank'],
  searchable: ['text'],
})
const api = defineApi({ v1: { '/notes': notes } })

/** The document of a memory adapter with these methods in place of its bulks and patches. */
function documentWith(more: object, arrays: 'extension' | 'union' = 'extension'): OpenApiDocument {
  const { createMany, modify, modifyMany, ...others } = memoryAdapter()
  const adapter = { ...others, ...more } as Adapter as never
  const registry = defineRegistry(api).adapters({ notes: adapter })
  return toOpenApi(registry, { info, methods: 'all', arrays })
}

/** A schema with any JSON Schema as its input. */
function saying(input: object): StandardSchema<object, { id: string }> {
  const validate = (value: unknown) => ({ value: value as { id: string } })
  const jsonSchema = {
    input: () => input,
    output: () => ({ type: 'object', properties: { id: { type: 'string' } } }),
  }
  return { '~standard': { version: 1, vendor: 'test', validate, jsonSchema } } as never
}

function patchOf(update: object, schemas = ['NotePatch']): unknown {
  const notes = defineResource('notes', { schema: saying(update) })
  const shared = schemasOf(toOpenApi(defineApi({ v1: { '/notes': notes } }), { info }))
  const [patch, ...others] = schemas.map((name) => shared[name])
  const { id, ...fields } = Object(patch?.properties)
  const { type, properties, ...rest } = Object(patch)
  return others.length > 0 ? [fields, ...others] : { ...fields, ...rest }
}

describe('the schema of a patch', () => {
  const text = { type: 'string' }
  const none = { type: 'null' }
  const object = (properties: object, more: object = {}) => ({
    type: 'object',
    properties,
    ...more,
  })
  const address = object({ city: text, street: text }, { required: ['city'] })
  const addressPatch = object({ city: text, street: { type: ['string', 'null'] } })

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, update: object, patch: object])[] = [
    ['needs no field',                      object({ a: text, b: text }, { required: ['a', 'b'] }),       { a: text, b: text }],
    ['takes null for an optional field',    object({ a: { type: 'string', minLength: 1 } }),              { a: { type: ['string', 'null'], minLength: 1 } }],
    ['takes null of an enum beside it',     object({ a: { type: 'string', enum: ['x'] } }),               { a: { anyOf: [{ type: 'string', enum: ['x'] }, none] } }],
    ['takes null once',                     object({ a: { anyOf: [text, none] }, b: { type: ['null', 'string'] } }), { a: { anyOf: [text, none] }, b: { type: ['null', 'string'] } }],
    ['takes a required null as it is',      object({ a: { type: ['string', 'null'] } }, { required: ['a'] }), { a: { type: ['string', 'null'] } }],
    ['keeps a field of any value',          object({ a: {}, b: true }),                                   { a: {}, b: true }],
    ['has no default',                      object({ a: { ...text, default: 'x' } }),                     { a: { type: ['string', 'null'] } }],
    ['is open',                             object({ a: text }, { required: ['a'], additionalProperties: false }), { a: text }],
    ['has no number of fields',             object({ a: text }, { required: ['a'], minProperties: 1, maxProperties: 1 }), { a: text }],
    ['judges no whole object',              object({ a: text }, { required: ['a'], if: {}, else: false, not: { required: ['b'] } }), { a: text }],
    ['changes objects inside',              object({ a: address }, { required: ['a'] }),                  { a: addressPatch }],
    ['removes objects inside',              object({ a: address }),                                       { a: { anyOf: [addressPatch, none] } }],
    ['replaces arrays whole',               object({ a: { type: 'array', items: address } }, { required: ['a'] }), { a: { type: 'array', items: address } }],
    ['removes entries of a record',         object({ a: { type: 'object', additionalProperties: text } }, { required: ['a'] }), { a: { type: 'object', additionalProperties: { type: ['string', 'null'] } } }],
    ['fits several alternatives',           object({ a: { oneOf: [address, text] } }, { required: ['a'] }), { a: { anyOf: [addressPatch, text] } }],
    ['fits alternatives of both kinds',     object({ a: { oneOf: [text], anyOf: [text] } }, { required: ['a'] }), { a: { anyOf: [text], allOf: [{ anyOf: [text] }] } }],
    ['keeps what all parts require',        object({ a: { allOf: [object({ b: text })], required: ['b'] } }, { required: ['a'] }), { a: { allOf: [object({ b: text })] } }],
  ]
  test.each(rows)('%s', (_, update, patch) => {
    expect(patchOf(update)).toEqual(patch)
  })

  test('shares the patches of referenced schemas', () => {
    const $defs = { Address: address, Word: text }
    const reference = { $ref: '#/$defs/Address' }
    const update = object(
      { home: reference, work: reference, word: { $ref: '#/$defs/Word' } },
      { $defs, required: ['home', 'word'] },
    )
    expect(patchOf(update, ['NotePatch', 'AddressPatch', 'WordPatch'])).toEqual([
      {
        home: refTo('AddressPatch'),
        work: { anyOf: [refTo('AddressPatch'), none] },
        word: refTo('Word'),
      },
      addressPatch,
      undefined,
    ])
  })

  test('may be recursive', () => {
    const tree = object({
      left: { $ref: '#/$defs/Tree' },
      trees: { type: 'array', items: { $ref: '#' } },
    })
    const update = object({ tree: { $ref: '#/$defs/Tree' } }, { $defs: { Tree: tree } })
    const [, patch] = Object(patchOf(update, ['NotePatch', 'TreePatch']))
    expect(patch.properties).toEqual({
      left: { anyOf: [refTo('TreePatch'), none] },
      trees: { anyOf: [{ type: 'array', items: refTo('NoteInput') }, none] },
    })
  })
})

describe('a patch', () => {
  const document = toOpenApi(deep().registry.api, { info, examples: deep().items })
  const { patch } = Object(document.paths['/v1/rooms/{id}'])
  const { patch: patchMany } = Object(document.paths['/v1/rooms'])

  test('has its own media type, and that of JSON', () => {
    const schema = refTo('RoomPatch')
    expect(patch.requestBody).toEqual({
      required: true,
      content: {
        'application/merge-patch+json': { schema },
        'application/json': { schema },
      },
    })
  })

  test('of many is JSON, and each has its id', () => {
    const id = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
    const schema = {
      type: 'array',
      maxItems: 1000,
      items: { allOf: [refTo('RoomPatch'), id] },
      examples: [[{ id: 'r1', label: null }]],
    }
    expect(patchMany.requestBody.content).toEqual({ 'application/json': { schema } })
  })

  test('changes items in words', () => {
    expect([patch.summary, patchMany.summary]).toEqual(['Change a room', 'Change some rooms'])
    expect(patch.description).toMatch(/RFC 7396.*`null` removes.*array replaces.*keeps the `ETag`/)
    expect(patchMany.description).toMatch(/all or none.*RFC 7396.*with its id/)
  })

  test('has the conditions, problems and headers of an update', () => {
    const [changed, replaced] = ['PATCH', 'PUT'].map((method) =>
      at(document, method, '/v1/rooms/r'),
    )
    expect(changed?.parameters).toEqual(replaced?.parameters)
    const { 400: malformed, ...responses } = Object(changed?.responses)
    expect(responses).toEqual({ ...replaced?.responses, 400: undefined })
    // A PATCH takes no key; a PUT ignores it.
    expect(JSON.stringify(malformed)).toContain('idempotency_unsupported')
    expect(JSON.stringify(replaced?.responses[400])).not.toContain('idempotency_unsupported')
    expect(Object.keys(Object(changed?.responses[200]?.headers))).toEqual(['ETag'])
  })

  test('needs no field, and never removes the id, the owner or the revision', () => {
    const { RoomPatchOfSiteOfRegion: room } = schemasOf(document)
    expect(room).not.toHaveProperty('required')
    expect(room?.properties).toMatchObject({
      id: { type: 'string' },
      region_id: { type: 'integer' },
      revision: { type: 'integer' },
      made_at: { type: 'string' },
    })
  })

  test('may lead from an alternative to another', () => {
    const { PaymentPatch } = schemasOf(toOpenApi(arktypes().registry.api, { info }))
    const members = Object(PaymentPatch).anyOf
    expect(members).toMatchObject([
      { properties: { id: {}, kind: { const: 'card' }, number: {} } },
      { properties: { id: {}, kind: { const: 'cash' }, amount: {} } },
    ])
    expect(JSON.stringify(members)).not.toMatch(/required|additionalProperties/)
  })

  test('has one field as example', () => {
    const { RegionPatch } = schemasOf(document)
    expect(RegionPatch?.examples).toEqual([{ name: 'North' }])
  })

  const modify = () => null
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, more: object, one: boolean, many: boolean])[] = [
    ['neither',    {},                     false, false],
    ['modify',     { modify },             true,  false],
    ['modifyMany', { modifyMany: modify }, false, true],
  ]
  test.each(rows)('of an adapter with %s stands in its document', (_, more, one, many) => {
    const document = documentWith(more)
    expect(Object.hasOwn(Object(document.paths['/v1/notes/{id}']), 'patch')).toBe(one)
    expect(Object.hasOwn(Object(document.paths['/v1/notes']), 'patch')).toBe(many)
    const headersAt = (url: string) =>
      Object.entries(Object(at(document, 'OPTIONS', url)?.responses[200]?.headers)).map(
        ([name, header]) => [name, follow(document, header).required] as const,
      )
    const header = ['Accept-Patch', true]
    expect(headersAt('/v1/notes/1')).toEqual([['Allow', true], ...(one ? [header] : [])])
    expect(headersAt('/v1/notes')).toEqual([['Allow', true], ...(many ? [header] : [])])
  })
})

describe('create', () => {
  const createMany = () => []
  const bind = (methods: object, arrays?: 'extension' | 'union') => documentWith(methods, arrays)

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [string, OpenApiDocument, isMany: boolean, hint: boolean])[] = [
    ['an adapter without createMany', bind({}),                 false, false],
    ['an adapter with createMany',    bind({ createMany }),     true,  false],
    ['an api',                        toOpenApi(api, { info }), true,  true],
  ]
  test.each(rows)('of %s takes and gives one item', (_, document, isMany, hint) => {
    const one = at(document, 'POST', '/v1/notes')
    const { post } = Object(document.paths['/v1/notes'])
    expect(one?.body).toEqual(refTo('NewNote'))
    for (const status of [200, 201]) expect(schemaIn(one?.responses[status])).toEqual(refTo('Note'))
    const location = Object(one?.responses[201]?.headers).Location
    expect(follow(document, location).required).toBe(true)
    expect(one?.responses[200]).not.toHaveProperty('headers')
    expect(/An array/.test(post.description)).toBe(isMany)
    expect(/`x-nounful-many`/.test(post.description)).toBe(isMany)
    expect(/answers 422/.test(post.description)).toBe(hint)
    expect(JSON.stringify(one?.responses[400]).includes('bulk_too_large')).toBe(isMany)
    expect(Object.hasOwn(post, 'x-nounful-many')).toBe(isMany)
  })

  const ref = { $ref: expect.stringMatching(/^#\/components\/\w+\/Note\.many(?:\.2)?$/) }
  test('describes arrays in an extension', () => {
    const document = bind({ createMany })
    const { post } = Object(document.paths['/v1/notes'])
    expect(post['x-nounful-many']).toEqual({ requestBody: ref, responses: { 200: ref, 201: ref } })
    const many = finderFor(document)('POST', '/v1/notes', '[]')
    const list = (name: string, more: object = {}) => ({
      type: 'array',
      ...more,
      items: refTo(name),
    })
    expect(many?.body).toEqual(list('NewNote', { maxItems: 1000 }))
    expect(schemaIn(many?.responses[201])).toEqual(list('Note'))
    expect(schemaIn(many?.responses[200])).toEqual(list('NoteDraft'))
    expect(many?.responses[201]).not.toHaveProperty('headers')
    expect(many?.responses[201]).not.toHaveProperty('links')
  })

  test('describes a dry run in an extension', () => {
    const dry = finderFor(bind({}))('POST', '/v1/notes?dry_run=true')
    expect(schemaIn(dry?.responses[200])).toEqual(refTo('NoteDraft'))
    expect(schemaIn(dry?.responses[201])).toEqual(refTo('Note'))
  })

  // biome-ignore format: a row stays a line
  const unions: readonly (readonly [string, methods: object, isMany: boolean])[] = [
    ['without createMany', {},             false],
    ['with createMany',    { createMany }, true],
  ]
  test.each(unions)('of an adapter %s may have unions', (_, methods, isMany) => {
    const document = bind(methods, 'union')
    const union = at(document, 'POST', '/v1/notes')
    const oneOf = (name: string, more: object = {}) => {
      const items = refTo(name)
      return isMany ? { oneOf: [items, { type: 'array', ...more, items }] } : items
    }
    expect(union?.body).toEqual(oneOf('NewNote', { maxItems: 1000 }))
    expect(schemaIn(union?.responses[201])).toEqual(oneOf('Note'))
    expect(schemaIn(union?.responses[200])).toEqual(oneOf('NoteDraft'))
    const location = Object(union?.responses[201]?.headers).Location
    expect(follow(document, location).required).toBe(isMany ? undefined : true)
    const read = schemaIn(at(document, 'GET', '/v1/notes/1')?.responses[200])
    expect(read).toEqual({ anyOf: [refTo('Note'), refTo('NoteFields')] })
    expect(JSON.stringify(document.paths)).not.toContain('x-nounful-')
  })

  test('in a dry run gives an item without the fields of the server', () => {
    const examples = { notes: { id: '1', text: 'a', rank: 1 } }
    const { Note, NoteDraft } = schemasOf(toOpenApi(api, { info, examples }))
    expect(Note?.required).toEqual(['id', 'text', 'rank'])
    expect(NoteDraft?.required).toEqual(['text'])
    expect(Object.keys(Object(NoteDraft?.properties)).sort()).toEqual(['id', 'rank', 'text'])
    expect(NoteDraft?.examples).toEqual([{ text: 'a' }])
  })

  test('in a dry run may lack the fields that the storage fills', () => {
    const notes = defineResource('notes', {
      schema: Note,
      create: Note.omit({ id: true, rank: true }),
      filled: ['rank'],
    })
    const { NoteDraft } = schemasOf(toOpenApi(defineApi({ v1: { '/notes': notes } }), { info }))
    expect(NoteDraft?.required).toEqual(['text'])
  })
})

describe('dry_run', () => {
  const document = toOpenApi(api, { info })

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [request: string, isTaken: boolean])[] = [
    ['POST /v1/notes',     true],
    ['PUT /v1/notes',      true],
    ['PATCH /v1/notes',    true],
    ['PUT /v1/notes/1',    true],
    ['PATCH /v1/notes/1',  true],
    ['DELETE /v1/notes/1', false],
    ['DELETE /v1/notes',   true],
    ['GET /v1/notes',      false],
  ]
  test.each(rows)('of %s is a parameter: %s', (request, isTaken) => {
    const [method = '', url = ''] = request.split(' ')
    const operation = at(document, method, url)
    const parameter = operation?.parameters.find(({ name }) => name === 'dry_run')
    expect(parameter !== undefined).toBe(isTaken)
    expect(/`dry_run`/.test(String(operation?.responses[200]?.description))).toBe(isTaken)
    if (isTaken) expect(parameter).toMatchObject({ schema: { type: 'boolean', const: true } })
    const codes = JSON.stringify(operation?.responses[400])
    if (isTaken) expect(codes).toMatch(/repeated_parameter.*bad_parameter/)
  })

  test('is one component', () => {
    const names = Object.keys(Object(document.components.parameters))
    expect(names.filter((name) => name.includes('dry_run'))).toEqual(['dry_run'])
  })
})

test('a PUT that creates has the response of a create too', () => {
  const statusesOf = (putCreates: boolean) => {
    const create = Note.omit({ id: true, rank: true })
    const notes = defineResource('notes', { schema: Note, create, readOnly: ['rank'], putCreates })
    const { paths } = toOpenApi(defineApi({ v1: { '/notes': notes } }), { info })
    const { put, post } = Object(paths['/v1/notes/{id}'] ?? {})
    expect(post).toBeUndefined()
    return [Object.keys(put.responses).slice(0, 2), put.responses[201]?.headers?.Location]
  }
  expect(statusesOf(false)).toEqual([['200', '400'], undefined])
  expect(statusesOf(true)).toEqual([['200', '201'], { $ref: expect.stringContaining('Location') }])
})

// Each document says what the server does: it answers the same requests.
test.each([
  [false, false, 'Replace a note', 'Replaces the item. It must exist.', ''],
  [false, true, 'Replace a note', 'Replaces the item. It must exist.', 'If-Match If-None-Match'],
  [true, false, 'Replace or create a note', 'creates it if it does', 'If-Match If-None-Match'],
  [true, true, 'Replace or create a note', 'creates it if it does', 'If-Match If-None-Match'],
])('words of PUT, putCreates %s, revision %s', async (putCreates, has, summary, text, headers) => {
  const create = Note.omit({ id: true, rank: true })
  const declaration = { schema: Note, create, readOnly: ['rank'], putCreates } as const
  const notes = defineResource('notes', has ? { ...declaration, revision: 'rank' } : declaration)
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
    notes: memoryAdapter({ onCreate: () => ({ rank: 1 }) as never }) as never,
  })
  const document = toOpenApi(registry, { info })
  const put = Object(document.paths['/v1/notes/{id}']).put
  expect(put).toMatchObject({ summary, description: expect.stringContaining(text) })
  const parameters = (put.parameters as object[]).map((each) => Object(follow(document, each)))
  const named = parameters.filter((each) => each.in === 'header').map(({ name }) => name)
  expect(named.join(' ')).toBe(headers)
  const statusOf = async (id: string, more: object) => {
    const sent = { 'content-type': 'application/json', ...more }
    const url = `/v1/notes/${id}`
    const body = JSON.stringify({ text: 'x' })
    return (await handle({ method: 'PUT', url, headers: sent, body }, registry)).status
  }
  const creating = [
    await statusOf('a', { 'if-match': '*' }),
    await statusOf('a', { 'if-none-match': '*' }),
    await statusOf('a', { 'if-none-match': '*' }),
    await statusOf('b', {}),
  ]
  expect(creating).toEqual(putCreates ? [409, 201, 409, 201] : [404, 404, 404, 404])
})

// The server sets the rank, which a dry run does not.
test('a dry run of a PUT that creates may lack the fields that the server sets', () => {
  const create = Note.omit({ id: true, rank: true })
  const declaration = { schema: Note, create, readOnly: ['rank'] } as const
  const notes = defineResource('notes', { ...declaration, putCreates: true })
  const plain = defineResource('plain_notes', declaration)
  const contract = defineApi({ v1: { '/notes': notes, '/plain_notes': plain } })
  const putOf = (noun: string, arrays?: 'union') =>
    Object(toOpenApi(contract, { info, ...(arrays && { arrays }) }).paths[`/v1/${noun}/{id}`]).put
  const schemaOf = (response: object) => JSON.stringify(Reflect.get(response, 'content'))
  const { responses, 'x-nounful-dry-run': dryRun } = putOf('notes')
  for (const status of [200, 201]) expect(schemaOf(responses[status])).not.toContain('Draft')
  expect(JSON.stringify(dryRun)).toContain('200')
  expect(putOf('plain_notes')['x-nounful-dry-run']).toBeUndefined()
  const union = putOf('notes', 'union').responses
  expect(schemaOf(union[200])).toMatch(/anyOf.*Note".*NoteDraft"/)
  expect(schemaOf(union[201])).not.toContain('Draft')
  expect(schemaOf(putOf('plain_notes', 'union').responses[200])).not.toContain('Draft')
})

describe('the key of a create', () => {
  const keyed = { schema: Note, create: Note.omit({ id: true, rank: true }), readOnly: ['rank'] }
  const documentOf = (idempotent: boolean) => {
    const notes = defineResource('notes', { ...keyed, idempotent } as never)
    const document = toOpenApi(defineApi({ v1: { '/notes': notes } }), { info })
    return JSON.stringify(document)
  }

  test('is a header of an idempotent resource', () => {
    const written = documentOf(true)
    expect(written).toContain('"#/components/parameters/Idempotency-Key"')
    for (const word of ['idempotency_unsupported', 'idempotency_mismatch', 'Idempotency-Replayed'])
      expect(written).toContain(word)
  })

  test('is none of another, which refuses it', () => {
    expect(documentOf(false)).not.toContain('#/components/parameters/Idempotency-Key')
    expect(documentOf(false)).not.toContain('idempotency_mismatch`')
  })

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [request: string, isRefused: boolean])[] = [
    ['POST /v1/notes',     true],
    ['PATCH /v1/notes/1',  true],
    ['PATCH /v1/notes',    true],
    ['PUT /v1/notes/1',    false],
    ['DELETE /v1/notes/1', false],
    ['GET /v1/notes',      false],
  ]
  test.each(rows)('is refused at %s: %s', async (request, isRefused) => {
    const [method = '', url = ''] = request.split(' ')
    const registry = defineRegistry(api).adapters({ notes: memoryAdapter() })
    const response = at(toOpenApi(registry, { info }), method, url)?.responses[400]
    expect(JSON.stringify(response).includes('idempotency_unsupported')).toBe(isRefused)
    const body = method === 'POST' || method === 'PATCH' ? { text: 'a' } : undefined
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'k' }
    const text = url.endsWith('1') || method === 'POST' ? body : body && [{ ...body, id: '1' }]
    const answer = await handle({ method, url, headers, ...(text && { body: text }) }, registry)
    const isUnsupported = Object(answer.body).code === 'idempotency_unsupported'
    expect(isUnsupported).toBe(isRefused)
  })
})
