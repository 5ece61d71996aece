import { describe, expect, test } from 'vitest'
import { documentOf, json, linesOf, type Part } from './documents.ts'

const pet = { type: 'object', properties: { name: { type: 'string' } } }
const plain = { description: 'Fine' }
const body = { ...plain, content: json(pet) }

function withResponses(responses: Part): Part {
  return documentOf({ responses })
}

function withHeader(header: Part | undefined): Part {
  return withResponses({ 200: { ...plain, headers: header ? { 'X-Count': header } : {} } })
}

const header = { schema: { type: 'integer' } }

describe('responses', () => {
  test.each([
    [
      'no status stays',
      withResponses({ 200: plain }),
      withResponses({ 201: plain }),
      ['breaking response-removed GET /pets 200', 'depends response-added GET /pets 201'],
      ['breaking response-removed GET /pets 201', 'depends response-added GET /pets 200'],
    ],
    [
      'a status stays',
      withResponses({ 200: plain, 202: plain }),
      withResponses({ 200: plain }),
      ['fine response-removed GET /pets 202'],
      ['depends response-added GET /pets 202'],
    ],
    [
      'an error',
      withResponses({ 200: plain, 409: plain }),
      withResponses({ 200: plain }),
      ['fine error-status-removed GET /pets 409'],
      ['fine error-status-added GET /pets 409'],
    ],
    [
      'the rest of the errors',
      withResponses({ 200: plain, default: plain }),
      withResponses({ 200: plain }),
      ['fine error-status-removed GET /pets default'],
      ['fine error-status-added GET /pets default'],
    ],
    [
      'no body',
      withResponses({ 200: body }),
      withResponses({ 200: plain }),
      ['breaking response-body-removed GET /pets 200'],
      ['fine response-body-added GET /pets 200'],
    ],
    [
      'no body of an error',
      withResponses({ 200: plain, 404: body }),
      withResponses({ 200: plain, 404: plain }),
      ['depends response-body-removed GET /pets 404'],
      ['fine response-body-added GET /pets 404'],
    ],
    [
      'a type',
      withResponses({ 200: { content: { ...json(pet), 'text/csv': {} } } }),
      withResponses({ 200: body }),
      ['breaking response-media-type-removed GET /pets 200'],
      ['fine response-media-type-added GET /pets 200'],
    ],
    [
      'a header',
      withHeader({ ...header, required: true }),
      withHeader(undefined),
      ['breaking response-header-removed GET /pets 200 header X-Count'],
      ['fine response-header-added GET /pets 200 header X-Count'],
    ],
    [
      'a header that may be missing',
      withHeader({ ...header, required: true }),
      withHeader(header),
      ['breaking response-header-became-optional GET /pets 200 header X-Count'],
      ['fine response-header-became-required GET /pets 200 header X-Count'],
    ],
    [
      'an optional header',
      withHeader(header),
      withHeader(undefined),
      ['depends response-header-removed GET /pets 200 header X-Count'],
      ['fine response-header-added GET /pets 200 header X-Count'],
    ],
  ])('have a rule and its mirror: %s', (_, old, next, lines, mirrors) => {
    expect(linesOf(old, next)).toEqual(lines)
    expect(linesOf(next, old)).toEqual(mirrors)
  })

  test.each([
    ['a class for a status', { '2XX': body }, { 200: body, 201: body }],
    ['a class in small letters', { '2xx': body }, { '2XX': body }],
    ['the rest for a status', { default: body }, { 200: body }],
    [
      'the rest for an error',
      { 200: body, default: body },
      { 200: body, default: body, 404: body },
    ],
    ['a range for a type', { 200: { content: { '*/*': { schema: pet } } } }, { 200: body }],
  ])('are the same with %s', (_, old, next) => {
    expect(linesOf(withResponses(old), withResponses(next))).toEqual([])
  })
})

test('a header of two responses has a place at each', () => {
  const withLimit = (maximum: number) => {
    const headers = { 'X-Count': { required: true, schema: { type: 'integer', maximum } } }
    return withResponses({ 200: { ...body, headers }, 201: { ...body, headers } })
  }
  expect(linesOf(withLimit(8), withLimit(9))).toEqual([
    'depends item-bound-loosened GET /pets 200 header X-Count',
    'depends item-bound-loosened GET /pets 201 header X-Count',
  ])
})
