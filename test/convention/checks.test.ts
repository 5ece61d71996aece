import { describe, expect, test } from 'vitest'
import { type CheckName, checkFor, checks } from '../../src/convention/checks.ts'
import type { ProblemCode } from '../../src/convention/operations.ts'
import { problems } from '../../src/convention/problems.ts'

const codes = Object.keys(problems) as ProblemCode[]

describe('checks', () => {
  test('find every problem', () => {
    // A rule has the problem of the authorization.
    expect(new Set([...codes.map((code) => checkFor(code).name), 'rule'])).toEqual(
      new Set(checks.map(({ name }) => name)),
    )
  })

  test('stand in the order of the documents', () => {
    const inner = checks.map(({ name }) => name).slice(1, -1)
    expect(inner.join(', ')).toBe(
      'path, version, resource, method, authorization, parameters, body, parent, item, rule, ' +
        'conflict',
    )
  })

  test('are each a sentence', () => {
    for (const { rule } of checks) expect(rule).toMatch(/^[A-Z].*\.$/)
  })

  const found: readonly (readonly [ProblemCode, CheckName])[] = [
    ['bad_host', 'request'],
    ['uri_too_long', 'path'],
    ['sort_invalid', 'parameters'],
    ['reserved_id', 'body'],
    ['empty_collection', 'item'],
    ['unavailable', 'answer'],
  ]
  for (const [code, name] of found) {
    test(`${code} is found by ${name}`, () => expect(checkFor(code).name).toBe(name))
  }
})
