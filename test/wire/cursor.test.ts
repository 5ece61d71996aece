import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Scalar } from '../../src/contract/resource/operation.ts'
import { isProblem } from '../../src/convention/problem.ts'
import { formatCursor, parseCursor, readPosition, valuesOf } from '../../src/wire/cursor.ts'
import { toQuery } from '../../src/wire/meaning.ts'
import { collectionAt } from '../contract/companies.ts'
import { codeOf, problemOf } from '../contract/thrown.ts'

const query = '/v1/employees?sort=name'

function forge(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString(
    'base64url',
  )
}

describe('a cursor is a place in a query', () => {
  const [mark] = JSON.parse(Buffer.from(formatCursor([], query), 'base64url').toString())
  const cursors: readonly (readonly [readonly Scalar[], string])[] = [
    [['7'], forge([mark, '7'])],
    [['Ann', 7], forge([mark, 'Ann', 7])],
    [[null, true, 0.5, ''], forge([mark, null, true, 0.5, ''])],
    [[], forge([mark])],
    [['größe 😀'], forge([mark, 'größe 😀'])],
  ]
  for (const [values, text] of cursors) {
    test(`reads and writes ${JSON.stringify(values)}`, () => {
      expect(formatCursor(values, query)).toBe(text)
      expect(parseCursor(text, query)).toEqual(values)
    })
  }

  const good = formatCursor(['Ann', 7], query)
  const refuses = {
    nothing: '',
    'a cut cursor': good.slice(0, -1),
    'a cursor with more': `${good}A`,
    'a padded cursor': `${good}==`,
    'a cursor with a space': ` ${good}`,
    'a cursor with a line break': `${good}\n`,
    'plain base64': Buffer.from('~~~???').toString('base64'),
    'no base64': 'a',
    'no characters of base64': '%%%%',
    'a digit of another script': '１２３４',
    'no JSON': forge('no JSON'),
    'an object': forge({ 0: mark, 1: 'Ann', 2: 7, length: 3 }),
    text: forge('"text"'),
    null: forge('null'),
    'another mark': forge(['0', 'Ann', 7]),
    'no mark': forge(['Ann', 7]),
    'an empty list': forge([]),
    'an object among the values': forge([mark, {}, 7]),
    'a list among the values': forge([mark, 'Ann', [7]]),
    'the same JSON with a space': forge(`["${mark}", "Ann",7]`),
    'a number written otherwise': forge(`["${mark}","Ann",7.0]`),
    'a number beyond a double': forge(`["${mark}","Ann",1e400]`),
    'invalid UTF-8': Buffer.from(`["${mark}","\xff",7]`, 'latin1').toString('base64url'),
  }
  for (const [name, text] of Object.entries(refuses)) {
    test(`refuses ${name}`, () => {
      expect(codeOf(() => parseCursor(text, query))).toBe('invalid_cursor')
    })
  }

  test('refuses one of another query', () => {
    for (const other of ['', '/v2/employees?sort=name', '/v1/employees?sort=-name']) {
      expect(codeOf(() => parseCursor(good, other))).toBe('invalid_cursor')
    }
  })

  test('the problem names the parameter', () => {
    expect(problemOf(() => parseCursor('x', query))).toMatchObject({
      status: 400,
      members: { issues: [{ parameter: 'after', code: 'invalid_cursor' }] },
    })
  })

  test('long values have a cursor too', () => {
    const values = ['a'.repeat(1_000_000)]
    expect(parseCursor(formatCursor(values, query), query)).toEqual(values)
  })

  const scalar = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '\0', '"') }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
  )

  test('what was written is read', () => {
    fc.assert(
      fc.property(fc.array(scalar), fc.string(), (values, name) => {
        const text = formatCursor(values, name)
        expect(text).toMatch(/^[\w-]+$/)
        expect(parseCursor(text, name)).toEqual(values)
      }),
    )
  })

  test('anything else is refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String()), (text) => {
        expect(codeOf(() => parseCursor(text, query))).toBe('invalid_cursor')
      }),
    )
  })
})

const sort = [
  { field: 'name', direction: 'asc' },
  { field: 'id', direction: 'asc' },
] as const
const byName = { ...toQuery({}, targetUnder('7')), sort }

function targetUnder(parent: string) {
  const collection = collectionAt('/companies/:company_id/employees')
  return { kind: 'collection', collection, parents: [parent], id: undefined } as const
}

describe('fewer values than fields mark a cut', () => {
  const long = 'x'.repeat(60)
  // biome-ignore format: a row stays a line
  const rows: [values: readonly Scalar[], beginning: object | 'invalid_cursor'][] = [
    [[long],                { after: { name: long, id: null }, isCut: true }],
    [['Ann', 'a'],          { after: { name: 'Ann', id: 'a' } }],
    [[null, 'a'],           { after: { name: null, id: 'a' } }],
    [[long, null],          'invalid_cursor'],
    [['Ann', null],         'invalid_cursor'],
    [['Ann'],               'invalid_cursor'],
    [[7],                   'invalid_cursor'],
    [[],                    'invalid_cursor'],
    [['Ann', 'a', 'b'],     'invalid_cursor'],
    [[long, 'a', long],     'invalid_cursor'],
  ]
  test.each(rows)('%j', (values, beginning) => {
    if (beginning === 'invalid_cursor') {
      expect(codeOf(() => readPosition(values, byName))).toBe(beginning)
      return
    }
    const read = readPosition(values, byName)
    expect(read).toEqual(beginning)
    expect(valuesOf(read.after ?? {}, { ...byName, ...read })).toEqual(values)
  })
})

test('no cursor belongs to a parent that cannot exist', () => {
  try {
    toQuery({ after: 'Wy' }, targetUnder('first'))
    expect.fail()
  } catch (error) {
    expect(isProblem(error) && error.code).toBe('invalid_cursor')
  }
})
