import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../../../src/diff/openapi/document-changes.ts'
import { documentOf, json, linesOf, type Part } from './documents.ts'

const pet = { type: 'object', properties: { name: { type: 'string' } } }

function withBody(requestBody: Part | undefined): Part {
  return documentOf(requestBody ? { requestBody } : {})
}

const none = withBody(undefined)
const some = { content: json(pet) }

describe('bodies', () => {
  test.each([
    ['has none', withBody(some), none, 'breaking body-removed', 'fine body-added'],
    [
      'needs one',
      withBody({ ...some, required: true }),
      none,
      'breaking body-removed',
      'breaking body-required-added',
    ],
    [
      'may lack one',
      withBody(some),
      withBody({ ...some, required: true }),
      'breaking body-became-required',
      'fine body-became-optional',
    ],
    [
      'has another type',
      withBody({ content: { ...json(pet), 'application/xml': { schema: pet } } }),
      withBody(some),
      'breaking media-type-removed',
      'fine media-type-added',
    ],
    [
      'has another encoding',
      withBody({ content: { 'multipart/form-data': { schema: pet } } }),
      withBody({ content: { 'multipart/form-data': { schema: pet, encoding: { name: {} } } } }),
      'depends body-encoding-changed',
      'depends body-encoding-changed',
    ],
  ])('have a rule and its mirror: %s', (_, old, next, line, mirror) => {
    expect(linesOf(old, next)).toEqual([`${line} GET /pets body`])
    expect(linesOf(next, old)).toEqual([`${mirror} GET /pets body`])
  })

  test.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json', 'Application/JSON'],
  ])('take %s by %s', (one, other) => {
    const old = withBody({ content: { [one]: { schema: pet } } })
    const next = withBody({ content: { [other]: { schema: pet } } })
    expect(linesOf(old, next)).toEqual([])
  })

  test.each(['application/*', '*/*'])('are among more types: %s', (range) => {
    const old = withBody({ content: { 'application/merge-patch+json': { schema: pet } } })
    const next = withBody({ content: { [range]: { schema: pet } } })
    expect(linesOf(old, next)).toEqual(['fine media-type-added GET /pets body'])
  })

  test('show the type that the server refuses', () => {
    const old = withBody({ required: true, content: { 'application/xml': { schema: pet } } })
    const [change] = compareDocuments(old, withBody(some))
    expect(change).toMatchObject({
      rule: 'media-type-removed',
      witness: { method: 'GET', target: '/pets', header: 'Content-Type: application/xml' },
    })
  })

  test('tell a change in the sentence of contracts', () => {
    const named = (maxLength: number) =>
      withBody({ content: json({ properties: { name: { type: 'string', maxLength } } }) })
    const [change] = compareDocuments(named(80), named(60))
    expect(change?.message).toBe('"name" may have 60 characters, it was 80')
  })

  test('show null as a whole body', () => {
    const typed = (...type: string[]) => withBody({ content: json({ type }) })
    const changes = compareDocuments(typed('string', 'null'), typed('string'))
    expect(changes).toMatchObject([
      { rule: 'request-became-not-nullable', witness: { body: null } },
    ])
  })
})
