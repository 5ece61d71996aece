import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { misfitsOf, withMisfits } from '../../src/convention/misfit.ts'

const misfit = { resource: 'notes', table: 'notes', message: 'no text', mend: 'alter table notes' }

test.each([
  [withMisfits(new TypeError('no text'), [misfit]), [misfit]],
  [new Error('no disk'), [{ resource: 'notes', message: 'no disk' }]],
  [Object.assign(new Error(''), { code: 'EACCES' }), [{ resource: 'notes', message: 'EACCES' }]],
  ['a text', [{ resource: 'notes', message: 'a text' }]],
  [{ misfits: [{}], message: 'odd' }, [{ resource: 'notes', message: 'odd' }]],
  [{ misfits: ['x'], message: 'odd' }, [{ resource: 'notes', message: 'odd' }]],
])('reads the misfits of %s', (error, misfits) => {
  expect(misfitsOf(error, 'notes')).toEqual(misfits)
})

test('a log of the error leaves the misfits out', () => {
  expect(inspect(withMisfits(new Error('no text'), [misfit]))).not.toContain('mend')
})
