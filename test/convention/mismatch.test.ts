import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { mismatchesOf, withMismatches } from '../../src/convention/mismatch.ts'

const mismatch = { resource: 'notes', table: 'notes', message: 'no text', fix: 'alter table notes' }

test.each([
  [withMismatches(new TypeError('no text'), [mismatch]), [mismatch]],
  [new Error('no disk'), [{ resource: 'notes', message: 'no disk' }]],
  [Object.assign(new Error(''), { code: 'EACCES' }), [{ resource: 'notes', message: 'EACCES' }]],
  ['a text', [{ resource: 'notes', message: 'a text' }]],
  [{ mismatches: [{}], message: 'odd' }, [{ resource: 'notes', message: 'odd' }]],
  [{ mismatches: ['x'], message: 'odd' }, [{ resource: 'notes', message: 'odd' }]],
])('reads the mismatches of %s', (error, mismatches) => {
  expect(mismatchesOf(error, 'notes')).toEqual(mismatches)
})

test('a log of the error leaves the mismatches out', () => {
  expect(inspect(withMismatches(new Error('no text'), [mismatch]))).not.toMatch(/fix|misfits/)
})

test('the error has the mismatches under their old name, too', () => {
  const { misfits } = Object(withMismatches(new Error('no text'), [mismatch]))
  expect(misfits).toEqual([mismatch])
})
