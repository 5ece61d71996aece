import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../../../src/diff/openapi/document-changes.ts'
import { documentOf, json, linesOf } from './documents.ts'

const fine = documentOf({})

function circle(): unknown {
  const given: Record<string, unknown> = { openapi: '3.1.0' }
  given.paths = given
  return given
}

describe('documents', () => {
  test.each([
    ['nothing', undefined, 'write an object'],
    ['a text', 'openapi: 3.1.0', 'write an object'],
    ['a list', [], 'write an object'],
    ['a circle', circle(), 'JSON cannot express it'],
    ['no version', {}, 'its "openapi" is 3.0, 3.1 or 3.2'],
    ['version 4', { openapi: '4.0.0' }, 'its "openapi" is 3.0, 3.1 or 3.2'],
    ['Swagger', { swagger: '2.0' }, 'convert it to OpenAPI 3 first'],
    ['paths as a list', { openapi: '3.1.0', paths: [] }, 'at paths: write an object'],
    [
      'an operation of text',
      { openapi: '3.0.0', paths: { '/a': { get: 'x' } } },
      'at paths /a get',
    ],
    [
      'a response of text',
      documentOf({ responses: { 200: 'x' } }),
      'at paths /pets get responses 200',
    ],
    [
      'parameters as text',
      documentOf({ parameters: 'x' }),
      'at paths /pets get parameters: write a list',
    ],
    ['a parameter without a name', documentOf({ parameters: [{ in: 'query' }] }), 'parameters 0'],
    [
      'a parameter nowhere',
      documentOf({ parameters: [{ name: 'a', in: 'body' }] }),
      '"in" is one of',
    ],
    ['a body of text', documentOf({ requestBody: 'x' }), 'at paths /pets get requestBody'],
    ['a content of text', documentOf({ requestBody: { content: 'x' } }), 'requestBody content'],
    [
      'security of text',
      documentOf({ security: 'x' }),
      'at paths /pets get security: write a list',
    ],
  ])('are refused with their place: %s', (_, given, text) => {
    expect(() => compareDocuments(given, fine)).toThrow(TypeError)
    expect(() => compareDocuments(given, fine)).toThrow(text)
    expect(() => compareDocuments(given, fine)).toThrow('The old document')
    expect(() => compareDocuments(fine, given)).toThrow('The new document')
  })

  test.each([
    ['nothing but a version', { openapi: '3.1.0' }],
    ['no responses', { openapi: '3.0.3', paths: { '/a': { get: {} } } }],
    ['names of prototypes', JSON.parse('{"openapi":"3.1.0","paths":{"__proto__":{"get":{}}}}')],
    ['security of an unknown scheme', documentOf({ security: [{ constructor: [] }] })],
    ['a content of an unknown type', documentOf({ requestBody: { content: { x: {} } } })],
    ['servers of text', documentOf({ servers: 'x' })],
  ])('are the same as themselves: %s', (_, given) => {
    expect(compareDocuments(given, given)).toEqual([])
  })

  test('tell a path with the name of a prototype', () => {
    const given = JSON.parse('{"openapi":"3.1.0","paths":{"__proto__":{"get":{}}}}')
    expect(linesOf(given, { openapi: '3.1.0' })).toEqual(['breaking path-removed __proto__'])
  })

  test.each([
    ['a parameter', documentOf({ parameters: [{ $ref: '#/components/parameters/No' }] })],
    ['a body', documentOf({ requestBody: { $ref: 'bodies.yaml#/Pet' } })],
    ['a response', documentOf({ responses: { 200: { $ref: '#/components/responses/toString' } } })],
    ['a schema', documentOf({ requestBody: { content: json({ $ref: 'pets.yaml' }) } })],
    ['a schema within', documentOf({ requestBody: { content: json({ items: { $ref: '#/x' } }) } })],
  ])('depend on a reference to nothing: %s', (_, given) => {
    const lines = linesOf(given, given)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^depends schema-untold /)
  })

  test('end at a circle of references', () => {
    const given = documentOf(
      { parameters: [{ $ref: '#/components/parameters/A' }] },
      {
        components: {
          parameters: {
            A: { $ref: '#/components/parameters/B' },
            B: { $ref: '#/components/parameters/A' },
          },
        },
      },
    )
    expect(linesOf(given, given)).toEqual(['depends schema-untold #/components/parameters/A'])
  })

  test('end within deep schemas', () => {
    let schema: unknown = {}
    for (let depth = 0; depth < 3000; depth++) schema = { items: schema }
    const given = documentOf({ requestBody: { content: json(schema) } })
    expect(() => compareDocuments(given, given)).not.toThrow()
  })
})
