import { describe, expect, test } from 'vitest'
import type { ProblemCode } from '../../src/convention/operations.ts'
import {
  bodyTooLarge,
  type Issue,
  isProblem,
  ProblemError,
  problem,
  quote,
  toProblem,
} from '../../src/convention/problem.ts'
import { problems } from '../../src/convention/problems.ts'
import { refusalOf } from '../contract/thrown.ts'

const brand = Symbol.for('nounful.problem')

describe('a problem is an error with a code', () => {
  for (const [code, { status, title }] of Object.entries(problems)) {
    test(`${code} is ${status}`, () => {
      const error = problem(code as ProblemCode)
      expect(error).toMatchObject({ name: 'ProblemError', code, status })
      expect(error.message).toMatch(/^[A-Z"].*\.$/)
      expect(error.message).not.toBe(title)
      expect(error.members).toEqual({})
      expect(isProblem(error)).toBe(true)
    })
  }

  test('an error without a stack', () => {
    const error = problem('forbidden', 'Not yours')
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(ProblemError)
    expect(String(error)).toBe('ProblemError: Not yours')
    expect(error).not.toHaveProperty('stack')
  })

  test('that may have a cause', () => {
    const cause = new Error('disk full')
    expect(problem('unavailable', undefined, { cause }).cause).toBe(cause)
    expect(problem('unavailable').cause).toBeUndefined()
  })

  const codes = [
    ['not_a_code', 'There is no problem "not_a_code": '],
    ['notfound', 'There is no problem "notfound": write "not_found" if that is meant.'],
    ['constructor', 'There is no problem "constructor": use '],
    [undefined, 'There is no problem "undefined": use '],
  ] as const
  for (const [code, message] of codes) {
    test(`${code} is no code`, () => {
      expect(refusalOf(() => Reflect.apply(problem, undefined, [code]))).toContain(message)
    })
  }

  test('of a body that is too large', () => {
    expect(bodyTooLarge(10)).toMatchObject({
      code: 'body_too_large',
      status: 400,
      message: 'The body has more than 10 bytes.',
    })
  })
})

test('a problem keeps what it was given', () => {
  const members = { allow: 'GET' }
  const error = problem('method_not_allowed', 'No', members)
  members.allow = 'DELETE'
  expect(error.members.allow).toBe('GET')
})

describe('without a detail the issues are told', () => {
  const name: Issue = { pointer: '/name', code: 'missing', message: 'is missing' }
  const whole: Issue = { pointer: '', code: 'invalid_type', message: 'is no object' }
  const sort: Issue = { parameter: 'sort', code: 'sort_invalid', message: 'is empty' }
  const rows = [
    [[name], 'name: is missing'],
    [[whole], 'The body is no object'],
    [[sort], 'sort: is empty'],
    [[name, sort, whole], 'name: is missing; sort: is empty; The body is no object'],
    [
      [name, name, name, sort, whole],
      'name: is missing; name: is missing; name: is missing; and 2 more',
    ],
    [[], 'The body does not fit the resource.'],
  ] as const
  for (const [issues, message] of rows) {
    test(`${issues.length} of them`, () => {
      expect(problem('validation_failed', undefined, { issues }).message).toBe(message)
    })
  }

  test('also of one that names no place', () => {
    const issues = [{ code: 'x', message: 'is wrong' }] as never
    expect(problem('validation_failed', undefined, { issues }).message).toBe('is wrong')
  })

  test('but a detail comes first', () => {
    expect(problem('conflict', 'No', { issues: [name] }).message).toBe('No')
  })
})

describe('a problem is known by its brand', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const poison = (key: PropertyKey, others: object) =>
    Object.defineProperty(others, key, {
      get() {
        throw new Error('poison')
      },
    })
  const copies = {
    'made by another copy': { [brand]: true, code: 'forbidden' },
    'of another realm': Object.assign(Object.create(null), { [brand]: true, code: 'not_found' }),
    'that inherits the brand': Object.create({ [brand]: true }, { code: { value: 'conflict' } }),
  }
  for (const [name, value] of Object.entries(copies)) {
    test(`one ${name} is one`, () => {
      expect(isProblem(value)).toBe(true)
      expect(toProblem(value)).toBe(value)
    })
  }

  const strangers = {
    'an error': new Error('no'),
    'an error with a status': Object.assign(new Error('no'), { status: 404, code: 'not_found' }),
    'an error by the name': Object.assign(new Error('no'), { name: 'ProblemError' }),
    'a brand that is only truthy': { [brand]: 1, code: 'forbidden' },
    'a brand without a code': { [brand]: true },
    'an unknown code': { [brand]: true, code: 'teapot' },
    'a prototype word for a code': { [brand]: true, code: 'constructor' },
    'another prototype word for a code': { [brand]: true, code: '__proto__' },
    'a code in a list': { [brand]: true, code: ['forbidden'] },
    'a code that cannot be text': { [brand]: true, code: Object.create(null) },
    'a poisoned brand': poison(brand, {}),
    'a poisoned code': poison('code', { [brand]: true }),
    'a revoked proxy': proxy,
    'a function with the brand': Object.assign(() => 1, { [brand]: true, code: 'forbidden' }),
    text: 'forbidden',
    null: null,
    undefined: undefined,
  }
  for (const [name, value] of Object.entries(strangers)) {
    test(`${name} is none`, () => {
      expect(isProblem(value)).toBe(false)
      const error = toProblem(value)
      expect(error).toMatchObject({
        code: 'internal_error',
        status: 500,
        message: 'The server failed: its log has more by the request id.',
      })
      expect(Object.is(error.cause, value)).toBe(true)
    })
  }
})

describe('what a client wrote is quoted', () => {
  const rows = [
    ['name', '"name"'],
    ['a"b\n', '"a\\"b\\n"'],
    ['\ud800', '"\\ud800"'],
    ['a'.repeat(64), `"${'a'.repeat(64)}"`],
    ['a'.repeat(65), `"${'a'.repeat(64)}…"`],
    ['', '""'],
    [undefined, '""'],
  ] as const
  for (const [text, quoted] of rows) {
    test(`${JSON.stringify(text)}`, () => expect(quote(text)).toBe(quoted))
  }
})
