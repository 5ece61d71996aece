import { describe, expect, test } from 'vitest'
import { methodKeyOf } from '../../src/convention/kinds.ts'
import { defaultLimits } from '../../src/convention/limits.ts'
import {
  operationKinds,
  operations,
  parameterNames,
  reservedWords,
  statuses,
} from '../../src/convention/operations.ts'
import { problems } from '../../src/convention/problems.ts'

describe('the twelve statuses', () => {
  test('are at most twelve and distinct', () => {
    expect(new Set(statuses).size).toBe(12)
    expect(statuses).toHaveLength(12)
  })

  test('are of the classes 2xx, 4xx and 5xx', () => {
    expect(new Set(statuses.map((status) => Math.floor(status / 100)))).toEqual(new Set([2, 4, 5]))
  })

  test('are each sent for something', () => {
    const sent = [...Object.values(problems), ...Object.values(operations)]
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(statuses))
  })
})

describe('the operations', () => {
  // biome-ignore format: a row stays a line
  const rows = [
    ['list',       'GET',    'collection', 200],
    ['create',     'POST',   'collection', 201],
    ['updateMany', 'PUT',    'collection', 200],
    ['patchMany',  'PATCH',  'collection', 200],
    ['deleteAll',  'DELETE', 'collection', 200],
    ['deleteMany', 'DELETE', 'collection', 200],
    ['read',       'GET',    'item',       200],
    ['update',     'PUT',    'item',       200],
    ['patch',      'PATCH',  'item',       200],
    ['delete',     'DELETE', 'item',       200],
    ['first',      'GET',    'first',      200],
    ['last',       'GET',    'last',       200],
    ['count',      'GET',    'count',      200],
  ] as const

  for (const [kind, method, target, status] of rows) {
    test(`${kind} is ${method} on ${target}`, () => {
      expect(operations[kind]).toMatchObject({ method, target, status })
    })
  }

  test('are these thirteen', () => {
    expect(operationKinds).toEqual(rows.map(([kind]) => kind))
  })

  test('have one meaning a method and target', () => {
    const meanings = operationKinds.map((kind) => `${methodKeyOf(kind)} ${operations[kind].target}`)
    expect(new Set(meanings).size).toBe(13)
  })

  test('take only known parameters', () => {
    const taken = new Set(Object.values(operations).flatMap((row): string[] => [...row.parameters]))
    expect(taken).toEqual(new Set(parameterNames))
  })

  test('give every reserved word a meaning', () => {
    for (const word of reservedWords) expect(operations[word].target).toBe(word)
  })
})

describe('the problems', () => {
  const codes: Record<number, string> = {
    400: `bad_request bad_path bad_percent_encoding bad_host uri_too_long headers_too_large
      request_timeout expectation_failed unknown_parameter repeated_parameter bad_parameter
      sort_invalid sort_unknown_field sort_duplicate_field invalid_cursor unsupported_media_type
      unsupported_encoding body_missing body_not_allowed body_too_large json_invalid json_too_deep
      json_duplicate_key json_forbidden_key bulk_too_large idempotency_unsupported`,
    401: 'unauthenticated',
    403: 'forbidden',
    404:
      'unknown_version retired_version unknown_resource parent_not_found not_found ' +
      'empty_collection',
    405: 'method_not_allowed',
    409: 'conflict id_mismatch precondition_failed too_many_affected',
    422: 'validation_failed reserved_id idempotency_mismatch',
    429: 'rate_limited',
    500: 'internal_error',
    503: 'unavailable',
  }

  for (const [status, list] of Object.entries(codes)) {
    test(`of ${status} are as documented`, () => {
      const found = Object.entries(problems).filter(([, row]) => row.status === Number(status))
      expect(found.map(([code]) => code)).toEqual(list.split(/\s+/))
    })
  }

  test('have a title each', () => {
    const titles = Object.values(problems).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

test('the limits have their documented defaults', () => {
  expect(defaultLimits).toEqual({
    target: 4096,
    nesting: 8,
    body: 1_048_576,
    depth: 32,
    keys: 5000,
    values: 50_000,
    bulk: 1000,
    issues: 50,
    problem: 65_536,
    time: 30_000,
    arrival: 60_000,
  })
})
