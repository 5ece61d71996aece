import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../../../src/diff/openapi/document-changes.ts'
import { documentOf, json, linesOf, type Part } from './documents.ts'

function sent(schema: unknown, further: Part = {}): Part {
  return documentOf({ requestBody: { required: true, content: json(schema) } }, further)
}

function given(schema: unknown, further: Part = {}): Part {
  return documentOf({ responses: { 200: { content: json(schema) } } }, further)
}

function older(document: Part): Part {
  return { ...document, openapi: '3.0.3' }
}

function withField(name: string, property: Part, more: Part = {}): Part {
  return { type: 'object', properties: { id: { type: 'string' }, [name]: property }, ...more }
}

const text = { type: 'string' }
const pet = withField('name', text)
const strict = { ...pet, additionalProperties: false }

describe('schemas of OpenAPI 3.0', () => {
  test.each([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'nullable of an enum',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [
      'nullable beside allOf',
      { allOf: [{ type: 'string' }], nullable: true },
      { type: ['string', 'null'] },
    ],
    [
      'exclusive limits',
      { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: true },
      { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 5 },
    ],
    [
      'limits that include',
      { type: 'integer', minimum: 1, exclusiveMinimum: false, exclusiveMaximum: true },
      { type: 'integer', minimum: 1 },
    ],
  ])('say the same in 3.1: %s', (_, one, other) => {
    expect(linesOf(older(sent(one)), sent(other))).toEqual([])
    expect(linesOf(given(other), older(given(one)))).toEqual([])
  })

  test('ignore what stands beside a reference', () => {
    const components = { components: { schemas: { Pet: pet } } }
    const next = { $ref: '#/components/schemas/Pet', maxProperties: 1 }
    expect(linesOf(older(sent(pet)), older(sent(next, components)))).toEqual([])
    expect(linesOf(sent(pet), sent(next, components))).not.toEqual([])
  })
})

describe('schemas', () => {
  test.each([
    [
      'a field that becomes required',
      sent(pet),
      sent({ ...pet, required: ['name'] }),
      'breaking request-field-became-required GET /pets body /name',
    ],
    [
      'a type',
      given(pet),
      given(withField('name', { type: 'integer' })),
      'breaking item-type-changed GET /pets 200 /name',
    ],
    [
      'a field that leaves the answers',
      given({ ...pet, required: ['name'] }),
      given(withField('name', { ...text, writeOnly: true }, { required: ['name'] })),
      'breaking item-field-removed GET /pets 200 /name',
    ],
    [
      'an optional field that leaves the answers',
      given(pet),
      given({ type: 'object', properties: { id: text } }),
      'breaking item-field-removed GET /pets 200 /name',
    ],
    [
      'an alternative with fields of its own',
      sent({ oneOf: [pet, withField('color', text), withField('size', text)] }),
      sent({ oneOf: [pet, withField('color', text)] }),
      'breaking request-alternative-removed GET /pets body',
    ],
    [
      'a field that becomes required beside one that nothing declares',
      sent({ ...pet, required: ['tag'] }),
      sent({ ...pet, required: ['tag', 'name'] }),
      'breaking request-field-became-required GET /pets body /name',
    ],
    [
      'a field that leaves the requests',
      sent(strict),
      sent({
        ...strict,
        properties: { ...(pet.properties as Part), name: { ...text, readOnly: true } },
      }),
      'breaking request-field-removed GET /pets body /name',
    ],
  ])('have the rules of the gate: %s', (_, old, next, line) => {
    expect(linesOf(old, next)).toEqual([line])
  })

  const refer = (name: string): Part => ({ $ref: `#/components/schemas/${name}` })
  const [cat, dog] = [withField('lives', text), withField('tricks', text)]

  test.each([
    ['order', { oneOf: [refer('Dog'), refer('Cat')] }, { Cat: cat, Dog: dog }],
    ['name', { oneOf: [refer('Cat'), refer('Hound')] }, { Cat: cat, Hound: dog }],
  ])('are the same by another %s of alternatives', (_, next, schemas) => {
    const old = { oneOf: [refer('Cat'), refer('Dog')] }
    const pair = [
      sent(old, { components: { schemas: { Cat: cat, Dog: dog } } }),
      sent(next, { components: { schemas } }),
    ] as const
    expect(linesOf(...pair)).toEqual([])
  })

  test('need no field that the server alone writes', () => {
    const next = withField('name', { ...text, readOnly: true }, { required: ['name'] })
    expect(linesOf(sent(withField('name', { ...text, readOnly: true })), sent(next))).toEqual([])
    const shared = { components: { schemas: { Name: { ...text, readOnly: true } } } }
    const refer = { $ref: '#/components/schemas/Name' }
    const parts = { allOf: [withField('name', refer)], required: ['name'] }
    expect(linesOf(sent(withField('name', refer), shared), sent(parts, shared))).toEqual([])
  })

  test.each([
    ['a part of a component', '#/components/schemas/Pet/properties/name'],
    ['a part of a path', '#/paths/~1pets/post/requestBody/content/application~1json/schema'],
    ['an escaped part', '#/paths/~1pets/post/requestBody/content/application%7E1json/schema'],
  ])('follow a reference to %s', (_, $ref) => {
    const content = json(text)
    const further = {
      components: { schemas: { Pet: pet } },
      paths: {
        '/pets': {
          get: { requestBody: { content: json({ $ref }) } },
          post: { requestBody: { content } },
        },
      },
    }
    const plain = {
      ...further,
      paths: { '/pets': { get: { requestBody: { content } }, post: { requestBody: { content } } } },
    }
    expect(linesOf(documentOf({}, further), documentOf({}, plain))).toEqual([])
  })

  test('may hold themselves', () => {
    const tree = (limit: number) => ({
      components: {
        schemas: {
          Tree: {
            type: 'object',
            properties: {
              name: { ...text, maxLength: limit },
              parts: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
            },
          },
        },
      },
    })
    const refer = { $ref: '#/components/schemas/Tree' }
    expect(linesOf(sent(refer, tree(8)), sent(refer, tree(8)))).toEqual([])
    const [change] = compareDocuments(sent(refer, tree(8)), sent(refer, tree(5)))
    expect(change).toMatchObject({ rule: 'request-max-length-lowered', verdict: 'breaking' })
    expect(change?.witness).toMatchObject({ method: 'GET', target: '/pets' })
  })

  test('show a whole answer that clients do not expect', () => {
    const old = given({ type: 'array', items: withField('name', text) })
    const next = given({ type: 'array', items: withField('name', { type: ['string', 'null'] }) })
    const [change] = compareDocuments(old, next)
    expect(change?.at).toBe('GET /pets 200 /-/name')
    expect(change?.witness?.answer).toEqual([expect.objectContaining({ name: null })])
  })

  test('of errors break nothing', () => {
    const needed = { ...pet, required: ['name'] }
    const at = (schema: Part) =>
      documentOf({ responses: { 200: {}, 409: { content: json(schema) } } })
    const [change] = compareDocuments(at(needed), at({ type: 'object', properties: { id: text } }))
    expect(change).toMatchObject({ rule: 'item-field-removed', verdict: 'depends' })
    expect(change?.because).toContain('an error')
  })

  test('may be alternatives of their own base', () => {
    const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const forms = (limit: number) => ({
      components: {
        schemas: {
          Pet: { ...pet, oneOf: [refer('Cat'), refer('Dog')] },
          Cat: { allOf: [refer('Pet'), withField('lives', { type: 'integer', maximum: limit })] },
          Dog: { allOf: [refer('Pet')], required: ['bark'], properties: { bark: text } },
        },
      },
    })
    expect(linesOf(sent(refer('Pet'), forms(9)), sent(refer('Pet'), forms(9)))).toEqual([])
    const lines = linesOf(sent(refer('Cat'), forms(9)), sent(refer('Cat'), forms(7)))
    expect(lines).toEqual(['breaking request-maximum-lowered GET /pets body /lives'])
  })

  test('name their form by the discriminator', () => {
    const forms = (propertyName: string) =>
      sent({ oneOf: [pet, text], discriminator: { propertyName } })
    expect(linesOf(forms('kind'), forms('type'))).toEqual([
      'depends discriminator-changed GET /pets body',
    ])
    const mapped = (target: string) =>
      sent({ anyOf: [pet], discriminator: { propertyName: 'kind', mapping: { pet: target } } })
    expect(linesOf(mapped('A'), mapped('B'))).toHaveLength(1)
    expect(linesOf(forms('kind'), sent({ oneOf: [pet, text] }))).toEqual([])
  })
})

describe('components', () => {
  const paths = Object.fromEntries(
    [...'abcde'].map((name) => [
      `/${name}`,
      { post: { requestBody: { content: json({ $ref: '#/components/schemas/Pet' }) } } },
    ]),
  )
  const withPet = (schema: Part) =>
    documentOf({}, { paths, components: { schemas: { Pet: schema } } })

  test('of many places are one change', () => {
    const [change, ...more] = compareDocuments(
      withPet(pet),
      withPet({ ...pet, required: ['name'] }),
    )
    expect(more).toEqual([])
    expect(change).toMatchObject({
      rule: 'request-field-became-required',
      at: 'components/schemas/Pet /name',
      witness: { method: 'POST', target: '/a' },
    })
    expect(change?.message).toContain('(5 places: POST /a body /name; ')
  })

  test('with other names are the same', () => {
    const text = JSON.stringify(withPet(pet)).replaceAll('Pet', 'Animal')
    expect(linesOf(withPet(pet), JSON.parse(text))).toEqual([])
  })
})

describe('many components', () => {
  // Each component holds each later one, so that the ways from one to another double each time.
  const many = (limit: number) => {
    const schemas = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`C${index}`, holding(index, limit)]),
    )
    return given({ $ref: '#/components/schemas/C0' }, { components: { schemas } })
  }
  const holding = (index: number, limit: number) => ({
    type: 'object',
    properties: {
      ...Object.fromEntries(
        [index + 1, index + 2]
          .filter((next) => next < 60)
          .map((next) => [`c${next}`, { $ref: `#/components/schemas/C${next}` }]),
      ),
      name: { ...text, maxLength: index === 50 ? limit : 10 },
      ...(index === 40 ? { first: { $ref: '#/components/schemas/C0' } } : {}),
    },
  })

  test('are compared one by one', () => {
    expect(linesOf(many(10), many(10))).toEqual([])
    expect(linesOf(many(10), many(5))).toEqual([
      'fine item-bound-tightened GET /pets 200 in C50 /name',
    ])
    const [change] = compareDocuments(many(5), many(10))
    expect(change).toMatchObject({ rule: 'item-bound-loosened', verdict: 'depends' })
    expect(change?.because).toContain('too many components')
  })

  test('may be parts of each other', () => {
    const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` })
    const more = (kind: Part) => ({
      components: {
        schemas: {
          ...(many(10).components as { schemas: Part }).schemas,
          Whole: { allOf: [refer('C0'), { properties: { kind } }] },
          Choice: { oneOf: [refer('Whole'), text] },
          Both: { type: 'object', properties: { a: refer('Whole') }, anyOf: [refer('Whole')] },
        },
      },
    })
    const all = { properties: { a: refer('Choice'), b: { items: refer('Both') } } }
    expect(linesOf(given(all, more(text)), given(all, more(text)))).toEqual([])
    const lines = linesOf(given(all, more(text)), given(all, more({ type: 'integer' })))
    expect(lines).toContain('breaking item-type-changed GET /pets 200 in Whole /kind')
  })
})

describe('texts of parameters', () => {
  const at = (schema: Part, more: Part = {}) =>
    documentOf({ parameters: [{ name: 'q', in: 'query', schema, ...more }] })

  test.each([
    ['an integer to a text', { type: 'integer' }, text, 'fine request-type-widened'],
    ['a text to an integer', text, { type: 'integer' }, 'breaking request-type-changed'],
    [
      'a number to an integer',
      { type: 'number' },
      { type: 'integer' },
      'breaking request-type-narrowed',
    ],
  ])('%s', (_, old, next, line) => {
    expect(linesOf(at(old), at(next)).map((full) => full.slice(0, line.length))).toEqual([line])
  })

  test.each([
    [
      'an integer to a list of them',
      { type: 'integer' },
      { type: 'array', items: { type: 'integer' } },
    ],
    ['texts of integers to them', { type: 'string', enum: ['1', '2'] }, { type: 'integer' }],
    ['texts of true and false', { type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }],
    ['constants to texts', { type: 'integer', enum: [1] }, { type: 'string', enum: ['1', 'a'] }],
    ['types to a text', { type: ['integer', 'boolean'] }, text],
    [
      'lists of them',
      { type: 'array', items: { type: 'integer' } },
      { type: 'array', items: text },
    ],
  ])('are fine from %s', (_, old, next) => {
    expect(linesOf(at(old), at(next)).filter((line) => !line.startsWith('fine'))).toEqual([])
  })

  test('with a comma are two values', () => {
    const list = { type: 'array', items: text }
    expect(linesOf(at(text), at(list)).filter((line) => !line.startsWith('fine'))).toEqual([])
    const lines = linesOf(at(text, { explode: false }), at(list, { explode: false }))
    expect(lines.some((line) => line.startsWith('breaking'))).toBe(true)
  })

  test('show the target that breaks', () => {
    const limit = (maximum: number) => at({ type: 'integer', minimum: 1, maximum })
    const [change] = compareDocuments(limit(500), limit(100))
    expect(change).toMatchObject({ rule: 'request-maximum-lowered', at: 'GET /pets query q' })
    expect(change?.witness?.target).toMatch(/^\/pets\?q=\d{3}$/)
  })

  test('of headers are compared the other way', () => {
    const header = (schema: Part) =>
      documentOf({ responses: { 200: { headers: { 'X-Count': { schema } } } } })
    const lines = linesOf(header(text), header({ type: 'integer' }))
    expect(lines.filter((line) => !line.startsWith('fine'))).toEqual([])
    expect(linesOf(header({ type: 'integer' }), header(text))[0]).toMatch(/^breaking /)
  })
})
