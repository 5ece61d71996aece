import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../../../src/diff/openapi/document-changes.ts'
import { documentOf, linesOf, type Part } from './documents.ts'

function withParameters(...parameters: readonly Part[]): Part {
  return documentOf({ parameters })
}

const text = { schema: { type: 'string' } }
const q = { name: 'q', in: 'query', ...text }
const list = { name: 'ids', in: 'query', schema: { type: 'array', items: { type: 'string' } } }
const none = withParameters()

describe('parameters', () => {
  // Old and new, the line, and the line of the reverse.
  test.each([
    [withParameters(q), none, 'breaking parameter-removed', 'fine parameter-added'],
    [
      withParameters({ ...q, required: true }),
      none,
      'breaking parameter-removed',
      'breaking parameter-required-added',
    ],
    [
      withParameters(q),
      withParameters({ ...q, required: true }),
      'breaking parameter-became-required',
      'fine parameter-became-optional',
    ],
    [
      withParameters({ ...q, allowEmptyValue: true }),
      withParameters(q),
      'breaking parameter-empty-refused',
      'fine parameter-empty-taken',
    ],
    [
      withParameters({ ...q, allowReserved: true }),
      withParameters(q),
      'depends parameter-reserved-refused',
      'fine parameter-reserved-taken',
    ],
    [
      withParameters(q),
      withParameters({ ...q, deprecated: true }),
      'fine parameter-deprecated',
      'fine parameter-undeprecated',
    ],
    [
      withParameters(q),
      withParameters({ ...q, schema: { type: 'string', default: 'a' } }),
      'depends parameter-default-changed',
      'depends parameter-default-changed',
    ],
  ])('%# have a rule and its mirror', (old, next, line, mirror) => {
    expect(linesOf(old, next)).toEqual([`${line} GET /pets query q`])
    expect(linesOf(next, old)).toEqual([`${mirror} GET /pets query q`])
  })

  test.each([
    ['explode', { ...list, explode: false }],
    ['style', { ...list, style: 'pipeDelimited' }],
    ['content', { name: 'ids', in: 'query', content: { 'application/json': list } }],
  ])('tell a change of %s', (_, other) => {
    const lines = ['breaking parameter-style-changed GET /pets query ids']
    expect(linesOf(withParameters(list), withParameters(other))).toEqual(lines)
    expect(linesOf(withParameters(other), withParameters(list))).toEqual(lines)
  })

  test.each([
    ['explode of one value', q, { ...q, explode: false }],
    [
      'another case of a header',
      { ...q, in: 'header', name: 'X-A' },
      { ...q, in: 'header', name: 'x-a' },
    ],
    ['a header of the body', { ...q, in: 'header', name: 'Accept' }, undefined],
    ['a text about it', q, { ...q, description: 'Words' }],
    ['null, which has no text', q, { ...q, schema: { type: ['string', 'null'] } }],
  ])('are the same with %s', (_, one, other) => {
    const next = other ? withParameters(other) : none
    expect(linesOf(withParameters(one), next)).toEqual([])
    expect(linesOf(next, withParameters(one))).toEqual([])
  })

  test.each([
    [{ deprecated: true, 'x-sunset': '2026-05-31' }, 'fine'],
    [{ deprecated: true, 'x-sunset': '2026-06-02' }, 'breaking'],
    [{ deprecated: true, 'x-sunset': 'soon' }, 'breaking'],
    [{ deprecated: true }, 'breaking'],
    [{ 'x-sunset': '2026-05-31' }, 'breaking'],
  ])('may go after their sunset: %j', (lifetime, verdict) => {
    const old = withParameters({ ...q, ...lifetime })
    expect(linesOf(old, none)).toEqual([`${verdict} parameter-removed GET /pets query q`])
  })

  test('show the request that breaks', () => {
    const old = withParameters(
      { ...q, required: true, schema: { type: 'integer' } },
      { ...list, required: true, explode: false },
    )
    const [change] = compareDocuments(old, withParameters({ ...list, explode: false }))
    expect(change?.witness).toMatchObject({ method: 'GET', target: '/pets?q=1&ids=a' })
  })

  test('of a path are equal by their position', () => {
    const at = (name: string) => ({
      openapi: '3.0.0',
      paths: { [`/pets/{${name}}`]: { parameters: [{ ...q, in: 'path', name }], get: {} } },
    })
    expect(linesOf(at('petId'), at('id'))).toEqual([])
  })

  test('of an operation replace those of its path', () => {
    const old = withParameters(q)
    const next = {
      ...old,
      paths: {
        '/pets': { get: { responses: {} }, parameters: [q, { ...list, required: true }] },
      },
    }
    const own = {
      ...old,
      paths: {
        '/pets': { get: { parameters: [q, list] }, parameters: [{ ...q, required: true }] },
      },
    }
    expect(linesOf(old, next)).toContain('breaking parameter-required-added GET /pets query ids')
    expect(linesOf(old, own)).toContain('fine parameter-added GET /pets query ids')
  })
})
