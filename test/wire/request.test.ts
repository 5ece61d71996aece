import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpHeaders } from '../../src/contract/resource/http.ts'
import { byId } from '../../src/contract/resource/operation.ts'
import { isProblem } from '../../src/convention/problem.ts'
import { parseBody } from '../../src/wire/body.ts'
import { findRequestTarget, methodsFor } from '../../src/wire/path.ts'
import { type Call, formatRequest, type ParsedCall, parseRequest } from '../../src/wire/request.ts'
import { collectionAt, registry } from '../contract/companies.ts'
import { codeOf, problemOf, thrownBy } from '../contract/thrown.ts'
import { anyCall } from './calls.ts'

const companies = {
  kind: 'collection',
  collection: collectionAt('/companies'),
  parents: [],
  id: undefined,
} as const
const ann = {
  kind: 'item',
  collection: collectionAt('/employees'),
  parents: [],
  id: 'a/b',
} as const
const none = { maxAffected: undefined, ifMatch: undefined, ifNoneMatch: undefined }

function parse(method: string, url: string, headers?: HttpHeaders): ParsedCall {
  return parseRequest({ method, url, headers }, registry)
}

describe('a request is an operation in text', () => {
  const list: Call = { kind: 'list', target: companies, parameters: {}, conditions: none }
  const update: Call = { ...list, kind: 'update', target: ann }
  const deleteAll: Call = { ...list, kind: 'deleteAll' }
  // biome-ignore format: a row stays a line
  const requests: readonly (readonly [string, string, HttpHeaders, Call])[] = [
    ['GET', '/v1/companies', {}, list],
    ['GET', '/v1/companies?q=ann&limit=2', {}, { ...list, parameters: { q: 'ann', limit: 2 } }],
    ['POST', '/v1/companies', {}, { ...list, kind: 'create' }],
    ['PUT', '/v1/companies', { 'if-match': '*' }, { ...list, kind: 'updateMany', conditions: { ...none, ifMatch: '*' } }],
    ['DELETE', '/v1/companies', {}, deleteAll],
    ['DELETE', '/v1/companies', { prefer: 'max-affected=10' }, { ...deleteAll, conditions: { ...none, maxAffected: 10 } }],
    ['DELETE', '/v1/companies', { prefer: 'max-affected=0' }, { ...deleteAll, conditions: { ...none, maxAffected: 0 } }],
    ['GET', '/v1/employees/a%2Fb', {}, { ...update, kind: 'read' }],
    ['PUT', '/v1/employees/a%2Fb', { 'if-match': '"3", "4"' }, { ...update, conditions: { ...none, ifMatch: ['3', '4'] } }],
    ['DELETE', '/v1/employees/a%2Fb', { 'if-none-match': '"3"' }, { ...update, kind: 'delete', conditions: { ...none, ifNoneMatch: ['3'] } }],
    ['GET', '/v1/companies/count?q=a', {}, { ...list, kind: 'count', target: { ...companies, kind: 'count' }, parameters: { q: 'a' } }],
  ]
  for (const [method, url, headers, call] of requests) {
    test(`reads and writes ${method} ${url} ${Object.keys(headers)}`, () => {
      expect(parse(method, url, headers)).toMatchObject({ ...call, fault: undefined })
      expect(formatRequest(call)).toEqual({ method, url, headers })
    })
  }

  // biome-ignore format: a row stays a line
  const reads: readonly (readonly [string, string, HttpHeaders | undefined, Call])[] = [
    ['HEAD', '/v1/companies', undefined, list],
    ['GET', '/companies', undefined, list],
    ['GET', '/companies/', {}, list],
    ['GET', '/companies?', {}, list],
    ['POST', '/companies/', {}, { ...list, kind: 'create' }],
    ['PUT', 'http://example.com/employees/a%2Fb', {}, update],
    ['GET', 'http://example.com/companies', {}, list],
    ['GET', 'HTTPS://example.com:80/v1/companies?q=a', {}, { ...list, parameters: { q: 'a' } }],
    ['GET', '/companies', { 'if-match': '"3"', 'if-none-match': '*', prefer: 'max-affected=1', range: 'bytes=0-1' }, list],
    ['PUT', '/employees/a%2Fb', { 'if-match': '"3", W/"4"', 'if-none-match': 'W/"5"' }, { ...update, conditions: { ...none, ifMatch: ['3'], ifNoneMatch: ['5'] } }],
    ['PUT', '/employees/a%2Fb', { 'if-match': ['"3"', '"4"'], prefer: 'max-affected=x' }, { ...update, conditions: { ...none, ifMatch: ['3', '4'] } }],
    ['DELETE', '/companies', { prefer: ['wait=1', 'Max-Affected="7"'] }, { ...deleteAll, conditions: { ...none, maxAffected: 7 } }],
    ['DELETE', '/companies', { prefer: 'wait=1' }, deleteAll],
    ['DELETE', '/companies', { 'content-range': 'bytes 0-1/2' }, deleteAll],
  ]
  for (const [method, url, headers, call] of reads) {
    test(`reads ${method} ${url} ${Object.keys(headers ?? {})}`, () => {
      expect(parse(method, url, headers)).toMatchObject({ ...call, fault: undefined })
    })
  }

  test('parameters mean a query', () => {
    expect(parse('GET', '/companies?q=a%20b&sort=-name').query).toEqual({
      q: 'a b',
      words: ['a', 'b'],
      where: [],
      offset: 0,
      sort: [{ field: 'name', direction: 'desc' }, ...byId],
      limit: undefined,
      after: undefined,
    })
  })

  test('what was written is read', () => {
    fc.assert(
      fc.property(anyCall, (call) => {
        const { fault, query, ...read } = parseRequest(formatRequest(call), registry)
        expect(read).toEqual(call)
        expect(fault).toBeUndefined()
        expect(query.q).toBe(call.parameters.q ?? '')
      }),
      { numRuns: 500 },
    )
  })

  test('a body is written along', () => {
    const request = formatRequest({ ...update, conditions: { ...none, ifMatch: ['3'] } }, { a: 1 })
    expect(request).toMatchObject({
      headers: { 'if-match': '"3"', 'content-type': 'application/json' },
      body: '{"a":1}',
    })
    expect(parseBody(request, registry.limits)).toEqual({ a: 1 })
  })
})

describe('a request that is no operation is refused', () => {
  const refuses = [
    ['GET', '', 'bad_path'],
    ['OPTIONS', '*', 'bad_path'],
    ['CONNECT', 'example.com:80', 'bad_path'],
    ['GET', 'companies', 'bad_path'],
    ['GET', 'ftp://example.com/companies', 'bad_path'],
    ['GET', 'http:/companies', 'bad_path'],
    ['GET', 'xhttp://example.com/companies', 'bad_path'],
    ['GET', '/companies#a', 'bad_path'],
    ['GET', '/companies/../employees', 'bad_path'],
    ['GET', 'http://example.com/companies/%2e%2e', 'bad_path'],
    ['GET', '/companies/%00', 'bad_percent_encoding'],
    ['GET', 'http://example.com', 'unknown_resource'],
    ['GET', 'http://example.com?q=a', 'unknown_resource'],
    ['GET', '//example.com/companies', 'unknown_resource'],
    ['GET', '/?q=a', 'unknown_resource'],
    ['GET', '/nothing?q=%', 'unknown_resource'],
    ['GET', '/v9/companies', 'unknown_version'],
    ['PATCH', '/companies/first', 'method_not_allowed'],
    ['get', '/companies', 'method_not_allowed'],
    ['', '/companies', 'method_not_allowed'],
    ['__proto__', '/companies', 'method_not_allowed'],
    ['POST', '/companies/7', 'method_not_allowed'],
    ['POST', '/companies/first', 'method_not_allowed'],
    ['PUT', '/companies/last', 'method_not_allowed'],
    ['DELETE', '/companies/count', 'method_not_allowed'],
    ['DELETE', '/companies/count/', 'method_not_allowed'],
    ['DELETE', '/companies/7/customers/8/orders', 'method_not_allowed'],
    ['PUT', '/companies/', 'bad_path'],
    ['DELETE', '/companies/', 'bad_path'],
    ['PATCH', '/companies/', 'bad_path'],
    ['PUT', '/companies/7/', 'bad_path'],
    ['PATCH', '/companies/7/', 'bad_path'],
    ['DELETE', '/companies/7/', 'bad_path'],
    ['DELETE', '/companies/7/employees/a/', 'bad_path'],
    ['DELETE', '/companies/?max=1', 'bad_path'],
    ['DELETE', '/v1/companies/7/employees/', 'bad_path'],
  ] as const
  for (const [method, url, code] of refuses) {
    test(`${method} ${url}`, () => expect(codeOf(() => parse(method, url))).toBe(code))
  }

  test('with what is allowed', () => {
    expect(problemOf(() => parse('POST', '/companies/7')).members.allow).toBe(
      'GET, HEAD, PUT, PATCH, DELETE, OPTIONS',
    )
    expect(problemOf(() => parse('DELETE', '/companies/7/customers/8/orders')).members.allow).toBe(
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    )
  })

  test('when its target is too long', () => {
    const fits = `/companies/${'a'.repeat(4096 - '/companies/'.length)}`
    expect(parse('GET', fits).kind).toBe('read')
    expect(parse('GET', `http://example.com${fits}`).kind).toBe('read')
    expect(codeOf(() => parse('GET', `${fits}a`))).toBe('uri_too_long')
    expect(codeOf(() => parse('GET', `/companies?${'&'.repeat(4096)}`))).toBe('uri_too_long')
  })
})

describe('a fault of the parameters is kept', () => {
  const rows: readonly (readonly [string, string, HttpHeaders, string])[] = [
    ['GET', '/companies?page=1', {}, 'unknown_parameter'],
    ['GET', '/companies?q=%', {}, 'bad_percent_encoding'],
    ['GET', '/companies?q=a b', {}, 'bad_path'],
    ['GET', '/companies?q=ä', {}, 'bad_path'],
    ['GET', '/companies?q=a#b', {}, 'bad_path'],
    ['GET', '/companies?q=a\0', {}, 'bad_path'],
    ['GET', '/companies??q=a', {}, 'unknown_parameter'],
    ['GET', '/companies?q=a&q=b', {}, 'repeated_parameter'],
    ['GET', '/companies?sort=salary', {}, 'sort_unknown_field'],
    ['GET', '/companies?limit=1001', {}, 'bad_parameter'],
    ['GET', '/companies?after=x', {}, 'invalid_cursor'],
    ['GET', '/companies/7?q=a', {}, 'unknown_parameter'],
    ['GET', '/companies/first?limit=1', {}, 'unknown_parameter'],
    ['GET', '/companies/count?sort=name', {}, 'unknown_parameter'],
    ['GET', '/companies/7/customers?q=a', {}, 'unknown_parameter'],
    ['GET', '/companies/7/customers?limit=51', {}, 'bad_parameter'],
    ['POST', '/companies?q=a', {}, 'unknown_parameter'],
    ['PUT', '/companies/7?upsert', {}, 'unknown_parameter'],
    ['DELETE', '/companies?', {}, 'bad_parameter'],
    ['DELETE', '/companies?&&', {}, 'bad_parameter'],
    ['DELETE', '/companies?q=a&limit=1', {}, 'unknown_parameter'],
    ['DELETE', '/companies?a?', {}, 'unknown_parameter'],
    ['DELETE', '/companies', { prefer: 'max-affected' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'max-affected=-1' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'max-affected=1.5' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'max-affected="1 0"' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'max-affected=9999999999999999' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'max-affected=１' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'max-affected: 0' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: '"Max-Affected=0"' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'a="b, max-affected=0' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'wait=1 max-affected=0' }, 'bad_request'],
    ['DELETE', '/companies', { prefer: 'wait; max-affected=0' }, 'bad_request'],
    ['PUT', '/companies/7', { 'content-range': 'bytes 0-1/2' }, 'bad_request'],
    ['PUT', '/companies/7', { 'if-none-match': '3' }, 'bad_request'],
    ['PUT', '/companies/7', { 'if-none-match': '"3", *' }, 'bad_request'],
    ['DELETE', '/companies/7', { 'if-none-match': '' }, 'bad_request'],
  ]
  for (const [method, url, headers, code] of rows) {
    test(`${method} ${JSON.stringify(url)} ${Object.values(headers)}`, () => {
      const { fault, query, parameters, conditions } = parse(method, url, headers)
      expect(fault).toMatchObject({ code, status: 400, message: expect.stringMatching(/\w/) })
      expect(parameters).toEqual({})
      expect(conditions).toEqual(none)
      expect(thrownBy(() => query.sort)).toBe(fault)
    })
  }

  test('the allowed parameters are those of the target', () => {
    const allowed = (url: string) => parse('GET', url).fault?.members.allowed
    const page = ['id', 'id:ne', 'sort', 'limit', 'offset', 'after', 'fields']
    expect(allowed('/companies?page=1')).toEqual(['q', ...page])
    expect(allowed('/companies/count?page=1')).toEqual(['q', 'id', 'id:ne'])
    expect(allowed('/companies/7?page=1')).toEqual(['fields'])
    expect(allowed('/companies/7/customers?page=1')).toEqual(page)
  })

  test('any other error is thrown', () => {
    const error = new Error('poison')
    const headers = {
      get prefer(): string {
        throw error
      },
    }
    expect(thrownBy(() => parse('DELETE', '/companies', headers))).toBe(error)
  })
})

describe('a target is read apart', () => {
  const rows = [
    ['/companies', ''],
    ['/companies?', ''],
    ['/companies?q=a?b', 'q=a?b'],
    ['http://example.com/companies?q', 'q'],
  ] as const
  for (const [url, search] of rows) {
    test(`from ${url}`, () => {
      expect(findRequestTarget({ method: 'OPTIONS', url }, registry)).toEqual({
        target: companies,
        search,
        methodKey: 'OPTIONS',
      })
    })
  }

  test('with the methods it has', () => {
    expect(methodsFor(companies, registry).allow).toBe(
      'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    )
  })

  test('without storage it has none', () => {
    const { kinds, allow } = methodsFor(companies, { ...registry, bindings: [] })
    expect([kinds.size, allow]).toEqual([0, 'OPTIONS'])
  })
})

describe('whatever is sent, the answer is a problem', () => {
  const piece = fc.constantFrom('/', '/', 'v1', 'v2', 'companies', 'employees', '7', 'count', '?', 'q=', 'sort=', 'name', '-', ',', 'limit=1', '&', 'after=', '%', '%2e', '%00', '#', 'http://', 'a', ' ', 'ä', '__proto__', '\ud800') // biome-ignore format: one list
  const url = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: piece }),
    fc.string({ unit: piece }).map((rest) => `/v1/companies${rest}`),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
  )
  const method = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'constructor')
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('"', ',', 'W/', 'max-affected', '=', '1', '*') }),
  ) // biome-ignore format: one list
  const headers = fc.record(
    { 'if-match': text, 'if-none-match': text, prefer: text, 'content-range': text },
    { requiredKeys: [] },
  )

  test('of 400, 404 or 405', () => {
    fc.assert(
      fc.property(method, url, headers, (verb, target, sent) => {
        try {
          const { fault } = parse(verb, target, sent)
          if (fault) expect(fault.status).toBe(400)
        } catch (error) {
          if (!isProblem(error)) throw error
          expect([400, 404, 405]).toContain(error.status)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
