import { describe, expect, test } from 'vitest'
import { type ParsedCall, parseRequest } from '../../src/wire/request.ts'
import { registry } from '../contract/companies.ts'

function get(url: string): ParsedCall {
  return parseRequest({ method: 'GET', url }, registry)
}

/** Another text for each number. */
function spelling(number: number): string {
  return `/companies?sort=name&limit=${number}`
}

describe('what a query means', () => {
  test('is worked out once', () => {
    const first = get('/companies?sort=-name&limit=20')
    const again = get('/v1/companies?sort=-name&limit=20')
    expect(again.query).toBe(first.query)
    expect(again.parameters).toBe(first.parameters)
  })

  // biome-ignore format: a row stays a line
  const others: readonly (readonly [string, string, string])[] = [
    ['another order', '/companies?sort=name', '/companies?sort=-name'],
    ['another operation', '/companies?sort=name', '/companies/first?sort=name'],
    ['another resource', '/companies?limit=3', '/employees?limit=3'],
    ['another spelling', '/companies?sort=name', '/companies?sort=name&'],
  ]
  for (const [name, one, other] of others) {
    test(`is kept apart for ${name}`, () => {
      expect(get(other).query).not.toBe(get(one).query)
      expect(get(other)).toEqual(get(other))
    })
  }

  // biome-ignore format: a row stays a line
  const unkept: readonly (readonly [string, string])[] = [
    ['what somebody searches for', '/companies?q=ann'],
    ['texts without bounds', `/companies?sort=name${'&'.repeat(256)}`],
  ]
  for (const [name, url] of unkept) {
    test(`is not kept of ${name}`, () => {
      const first = get(url)
      const again = get(url)
      expect(again.query).not.toBe(first.query)
      expect(again).toEqual(first)
    })
  }

  test('is not kept of a place to go on from', () => {
    const url = '/companies?sort=name&limit=2&after=x'
    expect([get(url).fault?.code, get(url).fault?.code]).toEqual([
      'invalid_cursor',
      'invalid_cursor',
    ])
  })

  test('is kept of so many at a time only, and means the same when it is forgotten', () => {
    const kept = new Set<unknown>()
    for (let number = 1; number <= 500; number++) kept.add(get(spelling(number)).query)
    const again = Array.from({ length: 500 }, (_, place) => get(spelling(place + 1)).query)
    expect(kept.size).toBe(500)
    expect(again.filter((query) => kept.has(query)).length).toBeLessThanOrEqual(64)
    expect(again).toEqual([...kept])
  })

  test('cannot be changed, whether it is kept or not', () => {
    const urls = ['', '?q=ann', '?q=ann&limit=2', '?limit=2', '?sort=-name'].map(
      (end) => `/companies${end}`,
    )
    expect(urls.filter((url) => !Object.isFrozen(get(url).query))).toEqual([])
    expect(urls.filter((url) => !Object.isFrozen(get(url).query.sort))).toEqual([])
  })

  test('cannot be changed for others', () => {
    const url = '/employees?sort=-name,birthdate'
    const { query, parameters } = get(url)
    const changes = [
      () => Object.assign(query, { limit: 1 }),
      () => Object.assign(parameters, { limit: 1 }),
      () => Array.prototype.reverse.call(query.sort),
      () => Array.prototype.push.call(query.words, 'x'),
      () => Array.prototype.reverse.call(parameters.sort),
      () => Object.assign(Object(query.sort[0]), { direction: 'asc' }),
    ]
    for (const change of changes) expect(change).toThrow(TypeError)
    expect(get(url).query.sort[0]).toEqual({ field: 'name', direction: 'desc' })
  })
})
