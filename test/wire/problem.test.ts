import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultLimits } from '../../src/convention/limits.ts'
import type { ProblemCode } from '../../src/convention/operations.ts'
import { type Issue, type ProblemMembers, problem } from '../../src/convention/problem.ts'
import { details, problems } from '../../src/convention/problems.ts'
import { formatProblem, parseProblem } from '../../src/wire/problem.ts'
import { refusalOf } from '../contract/thrown.ts'

const options = { problemTypes: undefined, limits: defaultLimits }
const headers = { 'content-type': 'application/problem+json' }
const issue: Issue = { pointer: '/name', code: 'missing', message: 'is missing' }

describe('a problem is a document, as in RFC 9457', () => {
  test('with a code and a message', () => {
    const issues = [issue]
    expect(
      formatProblem(problem('validation_failed', 'No name', { issues }), options),
    ).toStrictEqual({
      status: 422,
      headers,
      body: {
        type: 'about:blank',
        title: 'Validation failed',
        status: 422,
        detail: 'No name',
        code: 'validation_failed',
        message: 'No name',
        issues: [issue],
      },
    })
  })

  test('whose issues name a place each', () => {
    const issues: Issue[] = [{ parameter: 'q', code: 'long', message: 'is long' }, issue]
    const { body } = formatProblem(problem('bad_parameter', 'No', { issues }), options)
    expect(body).toStrictEqual({ ...Object(body), issues })
  })

  test('of a type, where there is a base', () => {
    const typed = { ...options, problemTypes: 'https://example.com/problems/' }
    expect(formatProblem(problem('conflict'), typed).body).toMatchObject({
      type: 'https://example.com/problems/conflict',
    })
  })

  // The client reads the problem that the server threw.
  const rows: readonly (readonly [ProblemCode, ProblemMembers, Record<string, string>])[] = [
    ['not_found', {}, {}],
    ['unknown_version', { supported: ['v1', 'v2'] }, {}],
    ['sort_unknown_field', { allowed: ['name'], issues: [] }, {}],
    ['validation_failed', { issues: [issue, { parameter: 'q', code: 'a', message: 'b' }] }, {}],
    ['conflict', { requestId: 'r-1' }, {}],
    ['method_not_allowed', { allow: 'GET, HEAD' }, { allow: 'GET, HEAD' }],
    [
      'unauthenticated',
      { challenge: 'Basic realm="a"' },
      { 'www-authenticate': 'Basic realm="a"' },
    ],
    ['unsupported_encoding', {}, {}],
    ['unsupported_encoding', { acceptEncoding: 'gzip' }, { 'accept-encoding': 'gzip' }],
    ['rate_limited', { retryAfter: 10 }, { 'retry-after': '10' }],
    ['unavailable', { retryAfter: 0 }, { 'retry-after': '0' }],
  ]
  for (const [code, members, more] of rows) {
    test(`writes and reads ${code}`, () => {
      const response = formatProblem(problem(code, undefined, members), options)
      expect(response.status).toBe(problems[code].status)
      expect(response.headers).toEqual({ ...headers, ...more })
      const { message } = problem(code, undefined, members)
      expect(parseProblem(response)).toMatchObject({ code, message, members })
    })
  }

  const defaults: readonly (readonly [ProblemCode, ProblemMembers, Record<string, string>])[] = [
    ['method_not_allowed', {}, { allow: 'OPTIONS' }],
    ['unauthenticated', {}, { 'www-authenticate': 'Bearer' }],
    ['unauthenticated', { challenge: '' }, { 'www-authenticate': 'Bearer' }],
    ['unauthenticated', { challenge: 'a\r\nset-cookie: b' }, { 'www-authenticate': 'Bearer' }],
    ['unauthenticated', { challenge: 'Bäsic' }, { 'www-authenticate': 'Bearer' }],
    ['unauthenticated', { challenge: 5 as never }, { 'www-authenticate': 'Bearer' }],
    ['rate_limited', {}, { 'retry-after': '60' }],
    ['unavailable', {}, { 'retry-after': '5' }],
    ['unavailable', { retryAfter: 0.2 }, { 'retry-after': '1' }],
    ['unavailable', { retryAfter: -1 }, { 'retry-after': '5' }],
    ['unavailable', { retryAfter: Number.NaN }, { 'retry-after': '5' }],
    ['unavailable', { retryAfter: Number.POSITIVE_INFINITY }, { 'retry-after': '5' }],
    ['conflict', { allow: 'GET', challenge: 'Basic', retryAfter: 1 }, {}],
  ]
  for (const [code, members, more] of defaults) {
    test(`${code} with ${JSON.stringify(members)} sends ${JSON.stringify(more)}`, () => {
      const response = formatProblem(problem(code, undefined, members), options)
      expect(response.headers).toEqual({ ...headers, ...more })
    })
  }

  for (const code of ['internal_error', 'unavailable'] as const) {
    test(`${code} tells nothing of its cause`, () => {
      const members = { issues: [issue], allowed: ['a'], supported: ['b'], cause: 'secret' }
      const { title, status } = problems[code]
      const detail = details[code]
      expect(formatProblem(problem(code, 'secret', members), options).body).toEqual({
        type: 'about:blank',
        title,
        status,
        detail,
        code,
        message: detail,
      })
    })
  }

  test('what was written is read', () => {
    const codes = Object.entries(problems).filter(([, { status }]) => status < 500)
    const code = fc.constantFrom(...codes.map(([name]) => name as ProblemCode))
    const text = fc.string({ unit: 'binary', maxLength: 200 })
    const place = fc.oneof(fc.record({ pointer: text }), fc.record({ parameter: text }))
    const faults = fc.tuple(place, fc.record({ code: text, message: text }))
    const members = fc.record(
      {
        issues: fc.array(faults.map(([where, what]): Issue => ({ ...where, ...what }))),
        allowed: fc.array(text),
        supported: fc.array(text),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(code, text, members, (name, detail, carried) => {
        const response = formatProblem(problem(name, detail, carried), options)
        const body = JSON.parse(JSON.stringify(response.body))
        const read = parseProblem({ ...response, body })
        expect(read).toMatchObject({ code: name, message: detail, members: carried })
      }),
    )
  })
})

describe('a document keeps within its limits', () => {
  const issuesOf = (issues: Issue[], limits = defaultLimits) => {
    const { body } = formatProblem(problem('validation_failed', 'No', { issues }), {
      ...options,
      limits,
    })
    return parseProblem({ headers, body })?.members.issues ?? []
  }

  test('in the number of issues', () => {
    expect(issuesOf(Array(1000).fill(issue))).toHaveLength(50)
    const issues = Array(1000).fill(issue)
    for (const detail of ['No', 'No.']) {
      const { body } = formatProblem(problem('validation_failed', detail, { issues }), options)
      const told = 'No. "issues" holds the first 50.'
      expect(body).toMatchObject({ detail: told, message: told })
    }
    expect(issuesOf([issue, issue], { ...defaultLimits, issues: 1 })).toEqual([issue])
  })

  test('in bytes', () => {
    const long: Issue = { ...issue, message: '€'.repeat(512) }
    const { body } = formatProblem(
      problem('validation_failed', 'No', { issues: Array(50).fill(long) }),
      { ...options, limits: { issues: 50, problem: 10_000 } },
    )
    const size = new TextEncoder().encode(JSON.stringify(body)).length
    expect(size).toBeGreaterThan(1000)
    expect(size).toBeLessThan(10_000)
    expect(issuesOf([long], { ...defaultLimits, problem: 100 })).toEqual([])
  })

  test('in the length of its sentences', () => {
    const [cut] = issuesOf([{ ...issue, message: 'a'.repeat(1000) }])
    expect(cut?.message).toBe(`${'a'.repeat(512)}…`)
    const [whole] = issuesOf([{ ...issue, message: 'a'.repeat(512) }])
    expect(whole?.message).toBe('a'.repeat(512))
    const { body } = formatProblem(problem('conflict', `${'a'.repeat(511)}😀`), options)
    expect(body).toMatchObject({ detail: `${'a'.repeat(511)}\ufffd…` })
    const [long] = issuesOf([{ code: 'x', message: '', pointer: `/${'a'.repeat(1000)}` }])
    expect(long?.pointer).toBe(`/${'a'.repeat(511)}…`)
  })

  test('in the words to choose from', () => {
    const words = Array.from({ length: 30_000 }, (_, place) => `word-${place}`)
    const members = { allowed: words, supported: words }
    const { body } = formatProblem(problem('unknown_version', undefined, members), options)
    expect(body).toMatchObject({ allowed: words.slice(0, 50), supported: words.slice(0, 50) })
    const long = words.map((word) => word.padEnd(500, '-'))
    const { body: short } = formatProblem(
      problem('unknown_version', '', { allowed: long }),
      options,
    )
    expect(Object(short).allowed).toEqual(long.slice(0, Object(short).allowed.length))
    expect(JSON.stringify(short).length).toBeLessThan(options.limits.problem / 8)
  })

  const noLists = [
    [{ issues: 'all' }, 'The issues of a problem are a list.'],
    [{ allowed: 'name' }, 'The words a problem names are a list.'],
    [{ supported: 'v1' }, 'The words a problem names are a list.'],
  ] as const
  for (const [members, message] of noLists) {
    test(`or is none, where its ${Object.keys(members)} are no list`, () => {
      const odd = problem('conflict', 'No', members as never)
      expect(refusalOf(() => formatProblem(odd, options))).toBe(message)
    })
  }

  test('where its members are not what their types say', () => {
    const issues = [{ pointer: '', code: 'x', message: 5 }] as never
    const odd = problem('conflict', 5 as never, { issues })
    expect(formatProblem(odd, options).body).toMatchObject({
      detail: '5',
      issues: [{ message: '5' }],
    })
    const wait = problem('unavailable', undefined, { retryAfter: 1e21 })
    expect(formatProblem(wait, options).headers['retry-after']).toBe('5')
  })
})

describe('an answer that is no problem of ours is none', () => {
  const body = { code: 'not_found', detail: 'No' }
  const rows: readonly (readonly [string, Record<string, string>, unknown])[] = [
    ['no type', {}, body],
    ['another type', { 'content-type': 'application/json' }, body],
    ['no body', headers, undefined],
    ['null', headers, null],
    ['text', headers, 'not_found'],
    ['no code', headers, { detail: 'No' }],
    ['an unknown code', headers, { ...body, code: 'teapot' }],
    ['a prototype word', headers, { ...body, code: 'constructor' }],
    ['a code that is no text', headers, { ...body, code: ['not_found'] }],
    ['no detail', headers, { code: 'not_found' }],
    ['a detail that is no text', headers, { ...body, detail: 1 }],
    ['a longer type', { 'content-type': 'application/problem+jsonx' }, body],
    ['issues that are no list', headers, { ...body, issues: 'all' }],
    ['an issue that is none', headers, { ...body, issues: [null] }],
    ['words that are no list', headers, { ...body, allowed: 'name' }],
    ['a request id that is no text', headers, { ...body, request_id: 7 }],
  ]
  for (const [name, sent, content] of rows) {
    test(`with ${name}`, () => {
      expect(parseProblem({ headers: sent, body: content })).toBeUndefined()
    })
  }

  test('but case and parameters of its type do not matter', () => {
    for (const type of ['application/problem+json; charset=utf-8', 'Application/Problem+JSON ;x']) {
      const sent = { 'content-type': type, 'retry-after': 'soon' }
      const read = parseProblem({ headers: sent, body })
      expect(read).toMatchObject({ code: 'not_found', message: 'No', members: {} })
      expect(read?.members).toEqual({})
    }
  })
})
