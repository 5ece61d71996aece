import { expect, test } from 'vitest'
import { isProblem } from '../../src/model/problem.ts'
import { toQuery } from '../../src/wire/page.ts'
import { toPosition, valuesOf } from '../../src/wire/position.ts'
import { collectionAt } from '../model/companies.ts'

const sort = [
  { field: 'name', direction: 'asc' },
  { field: 'id', direction: 'asc' },
] as const
const query = { ...toQuery({}, targetUnder('7')), sort }

function targetUnder(parent: string) {
  const collection = collectionAt('/companies/:company_id/employees')
  return { kind: 'collection', collection, parents: [parent], id: undefined } as const
}

test('a text that was cut is the last value of its position', () => {
  const text = 'x'.repeat(60)
  expect(valuesOf(toPosition([text], sort), query)).toEqual([text])
  expect(valuesOf(toPosition(['Ann', 'a'], sort), query)).toEqual(['Ann', 'a'])
})

test('no cursor belongs to a parent that cannot exist', () => {
  try {
    toQuery({ after: 'Wy' }, targetUnder('first'))
    expect.fail()
  } catch (error) {
    expect(isProblem(error) && error.code).toBe('invalid_cursor')
  }
})
