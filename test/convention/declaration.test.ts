import { describe, expect, test } from 'vitest'
import {
  attempt,
  checkFunction,
  checkLists,
  checkOptions,
  meant,
} from '../../src/convention/declaration.ts'
import { isRecord } from '../../src/convention/value.ts'
import { refusalOf } from '../contract/thrown.ts'

const known = { sortable: true, searchable: true, readOnly: true, id: true }

describe('options that there are not are refused', () => {
  const rows = [
    [{ sort: 1 }, 'sortable'],
    [{ sortble: 1 }, 'sortable'],
    [{ readonly: 1 }, 'readOnly'],
    [{ 'read-only': 1 }, 'readOnly'],
    [{ ids: 1 }, 'id'],
    [{ serchabel: 1 }, 'searchable'],
  ] as const
  for (const [options, near] of rows) {
    const [name] = Object.keys(options)
    test(`${name} may be ${near}`, () => {
      expect(refusalOf(() => checkOptions('A note', options, known))).toBe(
        `A note has no option "${name}": write "${near}" if that is meant.`,
      )
    })
  }

  test('what is near none is told all', () => {
    expect(meant('table', ['id', 'schema'])).toBe('use id, schema')
    expect(meant('table', [])).toBe('use ')
    expect(meant('sor', ['sortable'])).toBe('use sortable')
    expect(meant('grid', ['id', 'schema'])).toBe('use id, schema')
  })

  for (const options of [undefined, null, 1, 'id', [], () => 1]) {
    test(`${JSON.stringify(options)} is no options`, () => {
      expect(isRecord(options)).toBe(false)
      expect(refusalOf(() => checkOptions('A note', options, known))).toBe(
        'A note takes an object: write some of { sortable, searchable, readOnly, id }.',
      )
    })
  }

  test('those there are pass', () => {
    expect(checkOptions('A note', { id: 1, sortable: undefined }, known)).toBeUndefined()
  })
})

describe('what is of another kind is refused', () => {
  test('a list', () => {
    const check = (sortable: unknown) => checkLists('A note', { sortable }, ['sortable', 'id'])
    expect(check(['name'])).toBeUndefined()
    expect(refusalOf(() => check('name'))).toBe(
      `A note needs a list as "sortable": write "sortable: ['name']".`,
    )
    expect(refusalOf(() => check(new Set()))).toContain('write "sortable: […]".')
  })

  test('a function', () => {
    expect(checkFunction('.use()', () => 1, '…')).toBeUndefined()
    expect(refusalOf(() => checkFunction('.use()', {}, '.use(log)'))).toBe(
      '.use() takes a function: write .use(log).',
    )
  })
})

test('an error of another kind is thrown on', () => {
  const error = new RangeError('x')
  const make = () => {
    throw error
  }
  expect(() => attempt([], make)).toThrow(error)
})
