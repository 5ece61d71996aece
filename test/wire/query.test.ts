import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { SortField } from '../../src/contract/resource/operation.ts'
import { isProblem } from '../../src/convention/problem.ts'
import { unknownParameter } from '../../src/wire/parameter-issue.ts'
import type { ParameterRules, Parameters } from '../../src/wire/parameters.ts'
import { formatSort, parseSort } from '../../src/wire/parameters.ts'
import { formatQuery, parseQuery, type WrittenParameters } from '../../src/wire/query.ts'
import { codeOf, problemOf } from '../contract/thrown.ts'
import { anySearch, anySort } from './calls.ts'

const sortable = [
  'name',
  'birthdate',
  'größe',
  'a b',
  'a&b=c',
  '__proto__',
  'x-y',
  'f7',
  'f8',
  'f9',
]
const rules: ParameterRules = {
  takes: ['q', 'sort', 'limit', 'after'],
  sortable,
  maxLimit: 100,
  resource: defineResource('notes', { schema: z.object({ id: z.string() }) }),
  includes: [],
}
const asc = (field: string): SortField => ({ field, direction: 'asc' })
const desc = (field: string): SortField => ({ field, direction: 'desc' })

describe('a query is flat: names and values', () => {
  const queries: readonly (readonly [string, Parameters])[] = [
    ['', {}],
    ['q=ann', { q: 'ann' }],
    ['q=ann%20lee', { q: 'ann lee' }],
    ['q=%20ann%20', { q: ' ann ' }],
    ["q=%25_*%22'", { q: '%_*"\'' }],
    ['q=a%26b%3Dc%2Bd%23e', { q: 'a&b=c+d#e' }],
    ['q=%F0%9F%98%80', { q: '😀' }],
    ['q=__proto__', { q: '__proto__' }],
    ['sort=name', { sort: [asc('name')] }],
    ['sort=name,-birthdate', { sort: [asc('name'), desc('birthdate')] }],
    ['sort=gr%C3%B6%C3%9Fe,a%20b,-a%26b%3Dc', { sort: [asc('größe'), asc('a b'), desc('a&b=c')] }],
    ['sort=-__proto__,x-y', { sort: [desc('__proto__'), asc('x-y')] }],
    ['limit=1', { limit: 1 }],
    ['limit=100', { limit: 100 }],
    ['after=WyJh_-', { after: 'WyJh_-' }],
    ['after=', { after: '' }],
    [
      'q=ann&sort=name,-birthdate&limit=20&after=abc',
      { q: 'ann', sort: [asc('name'), desc('birthdate')], limit: 20, after: 'abc' },
    ],
  ]
  for (const [text, parameters] of queries) {
    test(`reads and writes ${text || 'nothing'}`, () => {
      expect(parseQuery(text, rules)).toEqual(parameters)
      expect(formatQuery(parameters)).toBe(text)
    })
  }

  const reads: readonly (readonly [string, Parameters])[] = [
    ['q=ann+lee', { q: 'ann lee' }],
    ['q=ann%2Blee', { q: 'ann+lee' }],
    ['%71=ann', { q: 'ann' }],
    ['q=a=b', { q: 'a=b' }],
    ['q=a?b/c', { q: 'a?b/c' }],
    ['q=', {}],
    ['q', {}],
    ['q=+%20%C2%A0%E3%80%80', {}],
    ['sort=', {}],
    ['sort', {}],
    ['sort=name%2C%2Dbirthdate', { sort: [asc('name'), desc('birthdate')] }],
    ['sort=name&sort=-birthdate', { sort: [asc('name'), desc('birthdate')] }],
    ['sort=name&limit=5&%73ort=-birthdate', { sort: [asc('name'), desc('birthdate')], limit: 5 }],
    ['sort=&sort=name&sort&sort=', { sort: [asc('name')] }],
    ['sort=&sort=', {}],
    ['&&q=ann&', { q: 'ann' }],
    ['after=abc&limit=5', { limit: 5, after: 'abc' }],
    [`q=${'a'.repeat(256)}`, { q: 'a'.repeat(256) }],
    [`q=${'%F0%9F%98%80'.repeat(256)}`, { q: '😀'.repeat(256) }],
  ]
  for (const [text, parameters] of reads) {
    test(`reads ${text.slice(0, 40)}`, () => expect(parseQuery(text, rules)).toEqual(parameters))
  }

  const refuses = [
    ['page=2', 'unknown_parameter'],
    ['Q=ann', 'unknown_parameter'],
    ['=ann', 'unknown_parameter'],
    ['q[]=ann', 'unknown_parameter'],
    ['q%5B%5D=ann', 'unknown_parameter'],
    ['q.a=ann', 'unknown_parameter'],
    ['sort[name]=asc', 'unknown_parameter'],
    ['__proto__=1', 'unknown_parameter'],
    ['constructor=1', 'unknown_parameter'],
    ['q%00=1', 'unknown_parameter'],
    ['q;sort=name', 'unknown_parameter'],
    ['?q=ann', 'unknown_parameter'],
    ['q=a&q=a', 'repeated_parameter'],
    ['q=a&%71=b', 'repeated_parameter'],
    ['q=&q=', 'repeated_parameter'],
    ['after=a&after=a', 'repeated_parameter'],
    ['sort=name&sort=-name', 'sort_duplicate_field'],
    ['sort=name,&sort=birthdate', 'sort_invalid'],
    ['sort=name&sort=,birthdate', 'sort_invalid'],
    ['sort=name&sort=%', 'bad_percent_encoding'],
    [`sort=name${'&sort=birthdate'.repeat(8)}`, 'sort_invalid'],
    ['limit=1&limit=1', 'repeated_parameter'],
    ['q=%', 'bad_percent_encoding'],
    ['q=%F0%9F', 'bad_percent_encoding'],
    ['q=%C0%80', 'bad_percent_encoding'],
    ['sort=%ED%A0%80', 'bad_percent_encoding'],
    ['%zz=1', 'bad_percent_encoding'],
    ['q=a%00', 'bad_parameter'],
    ['q=%09', 'bad_parameter'],
    ['q=a%0Ab', 'bad_parameter'],
    ['q=%C2%85', 'bad_parameter'],
    [`q=${'a'.repeat(257)}`, 'bad_parameter'],
    [`q=${'%F0%9F%98%80'.repeat(257)}`, 'bad_parameter'],
    ['limit=', 'bad_parameter'],
    ['limit', 'bad_parameter'],
    ['limit=0', 'bad_parameter'],
    ['limit=-1', 'bad_parameter'],
    ['limit=%2B1', 'bad_parameter'],
    ['limit=01', 'bad_parameter'],
    ['limit=1.0', 'bad_parameter'],
    ['limit=1e1', 'bad_parameter'],
    ['limit=0x1', 'bad_parameter'],
    ['limit=+1', 'bad_parameter'],
    ['limit=101', 'bad_parameter'],
    ['limit=99999999999999999999', 'bad_parameter'],
    ['limit=%EF%BC%91', 'bad_parameter'],
    ['limit=Infinity', 'bad_parameter'],
    ['sort=,', 'sort_invalid'],
    ['sort=name,', 'sort_invalid'],
    ['sort=-', 'sort_invalid'],
    ['sort=name,,birthdate', 'sort_invalid'],
    ['sort=salary', 'sort_unknown_field'],
    ['sort=--name', 'sort_unknown_field'],
    ['sort=+name', 'sort_unknown_field'],
    ['sort=Name', 'sort_unknown_field'],
    ['sort=name:desc', 'sort_unknown_field'],
    ['sort=constructor', 'sort_unknown_field'],
    ['sort=toString', 'sort_unknown_field'],
    ['sort=name%00', 'sort_unknown_field'],
    ['sort=name,name', 'sort_duplicate_field'],
    ['sort=name,-name', 'sort_duplicate_field'],
  ] as const
  for (const [text, code] of refuses) {
    test(`refuses ${text.slice(0, 40)}`, () =>
      expect(codeOf(() => parseQuery(text, rules))).toBe(code))
  }

  test('what was written is read', () => {
    const parameters = fc.record(
      {
        q: anySearch,
        sort: anySort(sortable),
        limit: fc.integer({ min: 1, max: 100 }),
        after: fc.string({ unit: 'binary' }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(parameters, (asked) => {
        expect(parseQuery(formatQuery(asked), rules)).toEqual(asked)
      }),
    )
  })

  test('any other text is refused with 400', () => {
    const pieces = fc.constantFrom(
      'q', 'sort', 'limit', 'after', '=', '&', 'name', ',', '-', '%', '20', '+', '[', ']', '1',
      '__proto__',
    ) // biome-ignore format: one list
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: pieces }))
    fc.assert(
      fc.property(text, (search) => {
        try {
          const parameters = parseQuery(search, rules)
          expect(parseQuery(formatQuery(parameters), rules)).toEqual(parameters)
        } catch (error) {
          if (!isProblem(error)) throw error
          expect(error.status).toBe(400)
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a problem names every fault', () => {
  test('with the first names that are allowed', () => {
    const fields = Array.from({ length: 30 }, (_, at) => `f${at}`)
    const message = `Unknown parameter "zzzzzz". Allowed: ${fields.slice(0, 20).join(', ')}, …`
    expect(unknownParameter('zzzzzz', [...fields, 'f0:gt'])).toMatchObject({ message })
  })

  const forms = ['name', 'name:ne', 'tags:has', 'a.city', 'a.city:ne', 'a.zip', 'firm.tags:has']
  test.each([
    ['zzzzzz', 'Allowed: name, tags:has.'],
    ['tags.0', 'Allowed: name, tags:has.'],
    ['a.street', 'Allowed: a.city, a.zip.'],
    ['a.street:gte', 'Allowed: a.city, a.zip.'],
    ['a:ne', 'Allowed: a.city, a.zip.'],
    ['firm.address.city', 'Allowed: firm.tags:has.'],
    ['a.ciyt', 'Did you mean "a.city"?'],
    ['firm.tag', 'Did you mean "firm.tags:has"?'],
    ['nmae:ne', 'Did you mean "name:ne"?'],
    ['.', 'Allowed: name, tags:has.'],
    [':has', 'Allowed: name, tags:has.'],
  ])('with the names near %s', (name, remedy) => {
    const message = `Unknown parameter "${name}". ${remedy}`
    expect(unknownParameter(name, forms)).toMatchObject({ message, allowed: forms })
  })

  test('under the code of the first', () => {
    const { code, message, members } = problemOf(() =>
      parseQuery('page=2&q=%00&sort=salary,name,name&limit=0', rules),
    )
    const detail = 'Unknown parameter "page". Allowed: q, sort, limit, after.'
    expect([code, message]).toEqual(['unknown_parameter', detail])
    expect(members.allowed).toEqual(['q', 'sort', 'limit', 'after'])
    expect(members.issues).toMatchObject([
      { parameter: 'page', code: 'unknown_parameter', allowed: rules.takes },
      { parameter: 'q', code: 'bad_parameter', message: '"q" must hold no control character' },
      { parameter: 'sort', code: 'sort_unknown_field', allowed: ['id', ...sortable] },
      { parameter: 'sort', code: 'sort_duplicate_field', message: '"sort" names "name" twice' },
      {
        parameter: 'limit',
        code: 'bad_parameter',
        message: '"limit" must be a whole number from 1 to 100',
      },
    ])
  })

  const places = [
    ['=ann', ''],
    ['page=2', 'page'],
    ['sort[]=name', 'sort[]'],
    ['q=a&q=b', 'q'],
    ['q=%00', 'q'],
    [`q=${'a'.repeat(257)}`, 'q'],
    ['sort=,', 'sort'],
    ['sort=salary', 'sort'],
    ['sort=name,name', 'sort'],
    [`sort=${sortable.slice(0, 9).map(encodeURIComponent).join()}`, 'sort'],
    ['limit=0', 'limit'],
  ] as const
  for (const [text, parameter] of places) {
    test(`in ${text.slice(0, 40)} by its parameter`, () => {
      const { issues = [] } = problemOf(() => parseQuery(text, rules)).members
      expect(issues[0]).toMatchObject({ parameter })
    })
  }

  test('and which part of the target is no text', () => {
    expect(problemOf(() => parseQuery('q=%', rules)).message).toMatch(/^The query holds an escape/)
  })

  test('with what is allowed, where it is listed', () => {
    expect(problemOf(() => parseQuery('sort=salary', rules)).members.allowed).toEqual([
      'id',
      ...sortable,
    ])
    expect(problemOf(() => parseQuery('limit=0', rules)).members).not.toHaveProperty('allowed')
  })

  test('where nothing is taken, nothing is allowed', () => {
    const nothing = { ...rules, takes: [] }
    expect(problemOf(() => parseQuery('q=ann', nothing)).members.allowed).toEqual([])
    expect(parseQuery('&', nothing)).toEqual({})
  })

  test('quoted and cut, never in two', () => {
    const name = `${'a'.repeat(63)}😀b`
    const [issue] =
      problemOf(() => parseQuery(encodeURIComponent(name), rules)).members.issues ?? []
    expect(issue?.parameter).toBe(`${'a'.repeat(63)}\ufffd`)
    expect(issue?.message.isWellFormed()).toBe(true)
  })
})

describe('a sort lists fields, descending with a minus', () => {
  const sorts: readonly (readonly [string, SortField[]])[] = [
    ['', []],
    ['name', [asc('name')]],
    ['-name', [desc('name')]],
    ['name,-birthdate', [asc('name'), desc('birthdate')]],
    ['-x-y,a b,größe', [desc('x-y'), asc('a b'), asc('größe')]],
    [
      'name,birthdate,größe,a b,a&b=c,__proto__,x-y,-f7',
      [...sortable.slice(0, 7).map(asc), desc('f7')],
    ],
  ]
  for (const [text, sort] of sorts) {
    test(`reads and writes ${text || 'nothing'}`, () => {
      expect(parseSort(text, sortable)).toEqual(sort)
      expect(formatSort(sort)).toBe(text)
    })
  }

  const refuses = [
    [',', 'sort_invalid'],
    ['-', 'sort_invalid'],
    ['name,-', 'sort_invalid'],
    [sortable.slice(0, 9).join(), 'sort_invalid'],
    [Array(9).fill('name').join(), 'sort_invalid'],
    [','.repeat(100_000), 'sort_invalid'],
    ['salary', 'sort_unknown_field'],
    ['salary,salary', 'sort_unknown_field'],
    [' name', 'sort_unknown_field'],
    ['constructor', 'sort_unknown_field'],
    ['name,-name', 'sort_duplicate_field'],
  ] as const
  for (const [text, code] of refuses) {
    test(`refuses ${text.slice(0, 30)}`, () =>
      expect(codeOf(() => parseSort(text, sortable))).toBe(code))
  }

  test('what was written is read', () => {
    fc.assert(
      fc.property(anySort(sortable), (sort) => {
        expect(parseSort(formatSort(sort), sortable)).toEqual(sort)
      }),
    )
  })
})

describe('a query is written of what there is', () => {
  const rows: readonly (readonly [WrittenParameters, string])[] = [
    [{ q: undefined, sort: undefined, limit: undefined, after: undefined }, ''],
    [{ sort: ['name', '-birthdate'], q: 'a b' }, 'q=a%20b&sort=name,-birthdate'],
    [{ q: 'half \ud83d' }, 'q=half%20%EF%BF%BD'],
    [{ after: 'a&b=c' }, 'after=a%26b%3Dc'],
  ]
  for (const [parameters, text] of rows) {
    test(`as ${text || 'nothing'}`, () => expect(formatQuery(parameters)).toBe(text))
  }
})
