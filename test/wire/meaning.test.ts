import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Target } from '../../src/contract/resource/api.ts'
import {
  byId,
  noQuery,
  noScope,
  type Query,
  type SortField,
} from '../../src/contract/resource/operation.ts'
import type { Item } from '../../src/contract/resource/resource.ts'
import { problem } from '../../src/convention/problem.ts'
import { throwingQuery, toParameters, toQuery } from '../../src/wire/meaning.ts'
import { endPage } from '../../src/wire/next.ts'
import { urlOfPage } from '../../src/wire/page.ts'
import type { Parameters } from '../../src/wire/parameters.ts'
import { collectionAt } from '../contract/companies.ts'
import { codeOf, thrownBy } from '../contract/thrown.ts'
import { anyParameters, anyTarget } from './calls.ts'

const asc = (field: string): SortField => ({ field, direction: 'asc' })
const desc = (field: string): SortField => ({ field, direction: 'desc' })

function at(path: string, kind: 'collection' | 'first' = 'collection', version = 'v1'): Target {
  const collection = collectionAt(path, version)
  return { kind, collection, parents: collection.parameters.map(() => '7'), id: undefined }
}

const employees = at('/employees')
const customers = at('/companies/:company_id/customers')
const ann = { id: '1', name: 'Ann' }
const cursorAfter = (item: Item, query: Query, target: Target): string =>
  endPage([item], { query, target, caller: noScope, maxLength: 4096, reserve: 1024 }).next

describe('parameters mean a query in a total order', () => {
  const rows: readonly (readonly [Parameters, Partial<Query>])[] = [
    [{}, {}],
    [{ q: 'ann  lee' }, { q: 'ann  lee', words: ['ann', 'lee'] }],
    [{ sort: [asc('name')] }, { sort: [asc('name'), ...byId] }],
    [{ sort: [desc('name'), desc('id')] }, { sort: [desc('name'), desc('id')] }],
    [{ sort: [desc('id')] }, { sort: [desc('id')] }],
    [{ sort: [asc('id'), desc('name')] }, { sort: [asc('id'), desc('name')] }],
    [{ limit: 5 }, { limit: 5 }],
    [
      { q: 'a', limit: 5 },
      { q: 'a', words: ['a'], limit: 5 },
    ],
  ]
  for (const [parameters, query] of rows) {
    test(`of ${JSON.stringify(parameters)}, and back`, () => {
      expect(toQuery(parameters, employees)).toEqual({ ...noQuery, ...query })
      expect(toParameters({ ...noQuery, ...query }, employees)).toEqual(parameters)
    })
  }

  const reads: readonly (readonly [Parameters, Target, Partial<Query>])[] = [
    [{ sort: [asc('id')] }, employees, {}],
    [{ sort: [asc('name'), asc('id')] }, employees, { sort: [asc('name'), asc('id')] }],
    [{}, customers, { limit: 20 }],
    [{ limit: 50 }, customers, { limit: 50 }],
    [{ q: 'ann' }, customers, { q: 'ann', words: ['ann'], limit: 20 }],
    [{}, at('/companies/:company_id/customers', 'first'), {}],
    [{ q: 'a' }, at('/companies/:company_id/customers', 'first'), { q: 'a', words: ['a'] }],
  ]
  for (const [place, [parameters, target, query]] of reads.entries()) {
    test(`of ${JSON.stringify(parameters)}, row ${place}`, () => {
      expect(toQuery(parameters, target)).toEqual({ ...noQuery, ...query })
    })
  }

  test('nothing asked is the shared query', () => expect(toQuery({}, employees)).toBe(noQuery))

  test('what was written is read', () => {
    const asked = anyTarget('collection').chain((target) =>
      anyParameters('list', target).map((parameters) => ({ parameters, target })),
    )
    fc.assert(
      fc.property(asked, ({ parameters, target }) => {
        const query = toQuery(parameters, target)
        expect(toQuery(toParameters(query, target), target)).toEqual(query)
      }),
    )
  })
})

describe('a cursor goes on after an item', () => {
  const byName = toQuery({ q: 'a', sort: [asc('name')] }, employees)
  const after = cursorAfter(ann, byName, employees)

  test('of the same query', () => {
    const query = toQuery({ q: 'a', sort: [asc('name')], limit: 2, after }, employees)
    expect(query).toEqual({ ...byName, limit: 2, after: ann })
    expect(toParameters(query, employees)).toEqual({ q: 'a', sort: [asc('name')], limit: 2, after })
  })

  test('whatever the length of the page', () => {
    const longer = { ...byName, limit: 1000 }
    expect(cursorAfter(ann, longer, employees)).toBe(after)
  })

  test('with null for what the item lacks', () => {
    const byOwner = { ...noQuery, sort: [asc('company_id'), ...byId] }
    const item: object & Item = { ...{ company_id: null }, id: '1' }
    const cursor = cursorAfter(item, byOwner, employees)
    expect(toQuery({ sort: [asc('company_id')], after: cursor }, employees).after).toEqual({
      company_id: null,
      id: '1',
    })
  })

  test('a position that lacks a field too', () => {
    const byOwner = { ...noQuery, sort: [asc('company_id'), ...byId] }
    const cursor = toParameters({ ...byOwner, after: { id: '1' } }, employees).after
    expect(cursor).toBe(cursorAfter({ id: '1' }, byOwner, employees))
  })

  const others: readonly (readonly [string, Parameters, Target])[] = [
    ['another search', { q: 'b', sort: [asc('name')] }, employees],
    ['no search', { sort: [asc('name')] }, employees],
    ['another order', { q: 'a', sort: [desc('name')] }, employees],
    ['another field', { q: 'a', sort: [asc('birthdate')] }, employees],
    ['no order', { q: 'a' }, employees],
    ['another version', { q: 'a', sort: [asc('name')] }, at('/employees', 'collection', 'v2')],
    ['another path', { q: 'a', sort: [asc('name')] }, at('/companies/:company_id/employees')],
  ]
  for (const [name, parameters, target] of others) {
    test(`not of ${name}`, () => {
      expect(codeOf(() => toQuery({ ...parameters, after }, target))).toBe('invalid_cursor')
    })
  }

  test('not of another parent', () => {
    const path = '/companies/:company_id/employees'
    const target = at(path)
    const cursor = cursorAfter(ann, noQuery, target)
    expect(toQuery({ after: cursor }, target).after).toEqual({ id: '1' })
    expect(codeOf(() => toQuery({ after: cursor }, { ...target, parents: ['8'] }))).toBe(
      'invalid_cursor',
    )
  })

  for (const text of ['', 'x', '__proto__', 'W10']) {
    test(`not ${JSON.stringify(text)}`, () => {
      expect(codeOf(() => toQuery({ after: text }, employees))).toBe('invalid_cursor')
    })
  }
})

describe('the next page keeps search, order and limit', () => {
  const rows: readonly (readonly [Parameters, Target, string])[] = [
    [{ limit: 2 }, employees, '/v1/employees?limit=2&after=abc'],
    [
      { q: 'a b', sort: [asc('name'), desc('birthdate')], limit: 2 },
      employees,
      '/v1/employees?q=a%20b&sort=name,-birthdate&limit=2&after=abc',
    ],
    [{}, customers, '/v1/companies/7/customers?limit=20&after=abc'],
  ]
  for (const [parameters, target, url] of rows) {
    test(url, () => expect(urlOfPage('abc', toQuery(parameters, target), target)).toBe(url))
  }

  test('but not where this one began', () => {
    const after = cursorAfter(ann, noQuery, employees)
    const query = toQuery({ limit: 2, after }, employees)
    expect(urlOfPage('abc', query, employees)).toBe('/v1/employees?limit=2&after=abc')
  })
})

describe('a faulty query throws when it is read', () => {
  const fault = problem('bad_parameter')
  const query = throwingQuery(fault)
  for (const member of ['q', 'words', 'sort', 'limit', 'after'] as const) {
    test(`in its ${member}`, () => expect(thrownBy(() => query[member])).toBe(fault))
  }

  test('also when it is copied', () => {
    expect(thrownBy(() => ({ ...throwingQuery(fault) }))).toBe(fault)
  })

  test('not before', () => expect(Object.keys({ query })).toEqual(['query']))
})
