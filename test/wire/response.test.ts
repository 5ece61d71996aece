import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Target } from '../../src/contract/resource/api.ts'
import type { HttpResponse } from '../../src/contract/resource/http.ts'
import { isId } from '../../src/contract/resource/id.ts'
import { noQuery, type Outcome } from '../../src/contract/resource/operation.ts'
import { type OperationKind, operationKinds, operations } from '../../src/convention/operations.ts'
import { problem } from '../../src/convention/problem.ts'
import { toQuery } from '../../src/wire/meaning.ts'
import { formatProblem } from '../../src/wire/problem.ts'
import {
  type AnsweredOperation,
  formatResponse,
  isUnexpected,
  parseResponse,
  type ReceivedResponse,
} from '../../src/wire/response.ts'
import { collectionAt, registry } from '../contract/companies.ts'
import { problemOf, thrownBy } from '../contract/thrown.ts'

const json = { 'content-type': 'application/json' }
const orders = collectionAt('/companies/:company_id/customers/:customer_id/orders')
const customers = collectionAt('/companies/:company_id/customers')

function asked(kind: OperationKind, collection = customers, base = ''): AnsweredOperation {
  const parents = ['7', '8'].slice(0, collection.parameters.length)
  const place = operations[kind].target
  const target: Target =
    place === 'item'
      ? { kind: place, collection, parents, id: '1' }
      : { kind: place, collection, parents, id: undefined }
  return { kind, target, query: noQuery, base }
}

describe('an answer is an outcome in text', () => {
  const ann = { id: 'a/b', name: 'Ann' }
  const order = { id: '1', revision: 'ä"1' }
  const etag = '"%C3%A4%221"'
  // biome-ignore format: a row stays a line
  const answers: readonly (readonly [string, AnsweredOperation, Outcome, HttpResponse])[] = [
    ['a list', asked('list'), { gives: 'items', items: [ann] }, { status: 200, headers: json, body: [ann] }],
    ['a list of nothing', asked('list'), { gives: 'items', items: [] }, { status: 200, headers: json, body: [] }],
    ['a page', asked('list'), { gives: 'items', items: [ann], next: 'a-b_c' }, { status: 200, headers: { ...json, link: '</v1/companies/7/customers?after=a-b_c>; rel="next"' }, body: [ann] }],
    ['many updated', asked('updateMany'), { gives: 'items', items: [ann] }, { status: 200, headers: json, body: [ann] }],
    ['one created', asked('create'), { gives: 'item', item: ann }, { status: 201, headers: { ...json, location: '/v1/companies/7/customers/a%2Fb' }, body: ann }],
    ['one created behind a prefix', asked('create', customers, '/api'), { gives: 'item', item: ann }, { status: 201, headers: { ...json, location: '/api/v1/companies/7/customers/a%2Fb' }, body: ann }],
    ['one created with a version', asked('create', orders), { gives: 'item', item: order }, { status: 201, headers: { ...json, location: '/v1/companies/7/customers/8/orders/1', etag }, body: order }],
    ['one read', asked('read'), { gives: 'item', item: ann }, { status: 200, headers: json, body: ann }],
    ['one read with a version', asked('read', orders), { gives: 'item', item: order }, { status: 200, headers: { ...json, etag }, body: order }],
    ['the first', asked('first'), { gives: 'item', item: ann }, { status: 200, headers: json, body: ann }],
    ['one deleted', asked('delete', orders), { gives: 'item', item: order }, { status: 200, headers: { ...json, etag }, body: order }],
    ['one whose id is a number', asked('read'), { gives: 'item', item: { id: 7 } }, { status: 200, headers: json, body: { id: 7 } }],
    ['a count', asked('count'), { gives: 'count', count: 0 }, { status: 200, headers: json, body: { count: 0 } }],
    ['all deleted', asked('deleteAll'), { gives: 'deleted', deleted: 3 }, { status: 200, headers: json, body: { deleted: 3 } }],
  ]
  for (const [name, question, outcome, response] of answers) {
    test(`writes and reads ${name}`, () => {
      expect(formatResponse(outcome, question)).toEqual(response)
      expect(parseResponse(response, question.kind)).toEqual(outcome)
    })
  }

  test('a count is read wherever it stands', () => {
    const response: HttpResponse = { status: 200, headers: json, body: { id: '1', count: 3 } }
    expect(parseResponse(response, 'count')).toEqual({ gives: 'count', count: 3 })
  })

  test('the next page keeps parameters and prefix', () => {
    const question = asked('list', customers, '/api')
    const query = toQuery({ limit: 2 }, question.target)
    const outcome: Outcome = { gives: 'items', items: [], next: 'abc' }
    expect(formatResponse(outcome, { ...question, query }).headers.link).toBe(
      '</api/v1/companies/7/customers?limit=2&after=abc>; rel="next"',
    )
  })

  test('what was written is read', () => {
    const id = fc.string({ unit: 'binary', minLength: 1 }).filter(isId)
    const item = fc.record({ id, name: fc.string() })
    const outcomes = fc.constantFrom(...operationKinds).chain((kind) => {
      const { gives } = operations[kind]
      const cursor = fc.option(fc.string({ unit: 'binary' }), { nil: undefined })
      const next = kind === 'list' ? cursor : fc.constant(undefined)
      const all: Record<typeof gives, fc.Arbitrary<Outcome>> = {
        items: fc.record({ gives: fc.constant('items' as const), items: fc.array(item), next }),
        item: fc.record({ gives: fc.constant('item' as const), item }),
        count: fc.record({ gives: fc.constant('count' as const), count: fc.nat() }),
        deleted: fc.record({ gives: fc.constant('deleted' as const), deleted: fc.nat() }),
      }
      return fc.tuple(fc.constant(kind), all[gives])
    })
    fc.assert(
      fc.property(outcomes, fc.constantFrom(customers, orders), ([kind, outcome], collection) => {
        const response = formatResponse(outcome, asked(kind, collection))
        const body = JSON.parse(JSON.stringify(response.body))
        expect(parseResponse({ ...response, body }, kind)).toEqual(outcome)
      }),
    )
  })
})

describe('an answer of another kind is an error', () => {
  test('the problem that was answered', () => {
    const options = { problemTypes: undefined, limits: registry.limits }
    const response = formatProblem(problem('conflict', 'Taken'), options)
    const read = problemOf(() => parseResponse(response, 'create'))
    expect(read).toMatchObject({ code: 'conflict', message: 'Taken' })
  })

  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [string, OperationKind, ReceivedResponse])[] = [
    ['another status', 'create', { status: 200, headers: json, body: { id: '1' } }],
    ['a number for a list', 'list', { status: 200, headers: json, body: { items: 1 } }],
    ['a number for an item', 'read', { status: 200, headers: json, body: { item: 1 } }],
    ['an error without a problem', 'list', { status: 503, headers: {}, body: 'Bad gateway' }],
    ['an item for a list', 'list', { status: 200, headers: json, body: {} }],
    ['nothing for a list', 'list', { status: 200, headers: json, body: undefined }],
    ['a list for an item', 'read', { status: 200, headers: json, body: [] }],
    ['null for an item', 'read', { status: 200, headers: json, body: null }],
    ['text for an item', 'read', { status: 200, headers: json, body: '<html>' }],
    ['no count', 'count', { status: 200, headers: json, body: {} }],
    ['a count that is text', 'count', { status: 200, headers: json, body: { count: '1' } }],
    ['a list for a count', 'count', { status: 200, headers: json, body: [1] }],
    ['a count for a deletion', 'deleteAll', { status: 200, headers: json, body: { count: 1 } }],
    ['a list of numbers', 'list', { status: 200, headers: json, body: [1] }],
    ['an item without an id', 'read', { status: 200, headers: json, body: { data: {} } }],
    ['an item whose id is a list', 'read', { status: 200, headers: json, body: { id: [] } }],
    ['a count that is no whole number', 'count', { status: 200, headers: json, body: { count: 0.5 } }],
    ['nothing for a count', 'count', { status: 200, headers: json, body: null }],
    ['the page of a gateway', 'read', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>' }],
    ['a problem of another status', 'read', { status: 502, headers: { 'content-type': 'application/problem+json' }, body: { code: 'not_found', detail: 'No' } }],
    ['a problem there is not', 'read', { status: 418, headers: { 'content-type': 'application/problem+json' }, body: { code: 'teapot', detail: 'No' } }],
    ['a broken link', 'list', { status: 200, headers: { ...json, link: '</?after=%>; rel="next"' }, body: [] }],
  ]
  for (const [name, kind, response] of rows) {
    test(`as ${name}`, () => {
      const error = thrownBy(() => parseResponse(response, kind))
      expect(isUnexpected(error)).toBe(true)
      expect(error).toMatchObject({ status: response.status, headers: response.headers })
    })
  }

  const links = [
    '</?after=a>; rel="prev"',
    '</?before=a>; rel="next"',
    '</#?x>; rel="next"',
    'after=a',
    '',
  ]
  for (const link of links) {
    test(`not as the link ${link || 'of nothing'}`, () => {
      const response: HttpResponse = { status: 200, headers: { link }, body: [] }
      expect(parseResponse(response, 'list')).toEqual({ gives: 'items', items: [] })
    })
  }
})
